"""`mha kit --for`: a kit for each student, whose calculations ask with numbers of their own."""

import json
from pathlib import Path

import click
import nbformat

from ...catalogue import LESSONS
from ...intake.course_folder import known, released_notebook
from ...intake.numbers_of_students import own_numbers, place
from ...intake.seed import derived, seed_of
from ...intake.whole_files import write_whole
from ...learning.own_numbers import NAME
from ...variants import put_numbers_in, varying
from .making import make_kit


def make_kits(lesson, coursedir, roster, to):
    """A zip for each, in a folder: where each is, as it is made. Who has which numbers is noted before."""
    students = [student.id for student in roster.students]
    if not varying(known(lesson)):
        others = ", ".join(other for other in LESSONS if varying(other))
        raise click.ClickException(
            f"In {lesson} no numbers vary: `mha kit {lesson}` makes the kit for everybody. They vary in {others}."
        )
    if not students:
        raise click.ClickException("There is nobody in this roster, so there is no kit to make.")
    released_notebook(coursedir, lesson)
    numbers = hand_out(lesson, students, coursedir.db_url)
    Path(to).mkdir(parents=True, exist_ok=True)
    for student in students:
        yield make_kit(lesson, coursedir, Path(to) / f"{student}.zip", Own(lesson, numbers[student]))


def hand_out(lesson, students, db_url):
    """student -> question -> numbers. Whoever has some keeps them, whatever the course would draw now."""
    try:
        handed_out, key = own_numbers(db_url, lesson), seed_of(db_url)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    new = {student: _drawn(lesson, derived(key, student)) for student in students if student not in handed_out}
    if new:
        write_whole(place(db_url, lesson), json.dumps(handed_out | new, indent=1))
    return own_numbers(db_url, lesson)


def _drawn(lesson, seed):
    return {question.name: question.variants.draw(derived(seed, question.name)) for question in varying(lesson)}


class Own:
    """What is another file in a student's kit than in everybody's. numbers: question -> its numbers."""

    def __init__(self, lesson, numbers):
        self.lesson, self.numbers = lesson, numbers

    def files(self, released, folder):
        """name -> file, in the place of that name; they are made in a folder."""
        notebook = nbformat.read(released, as_version=4)
        for question in varying(self.lesson):
            if question.name in self.numbers:
                self._put_in(notebook, question)
        nbformat.write(notebook, folder / released.name)
        (folder / NAME).write_text(json.dumps(self.numbers, indent=1), encoding="utf-8")
        return {name: folder / name for name in (released.name, NAME)}

    def _put_in(self, notebook, question):
        try:
            own = question.variants.with_numbers(self.numbers[question.name])
            put_numbers_in(notebook, question, own.numbers)
        except ValueError as error:
            raise click.ClickException(f"The released {self.lesson} cannot be made for each: {error}") from None
