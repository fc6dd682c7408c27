"""Make feedback for a class, a page and a notebook for each student, on all cores; one failure stops no other page."""

from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click

from ...grading.many import pool
from ...grading.many.grade import reason
from ...grading.many.whole_class import KILLED, cores
from ...intake import platforms, students
from ...intake.course_folder import (
    autograded_notebook,
    course,
    feedback_folder,
    is_whole,
    submitted_folder,
    trouble_of,
    who_handed_in,
)
from ...intake.late import take_anew
from ...intake.progress_output import stopped_well
from ...intake.receipts import receipt
from ...intake.students import find_students, names_of, trouble_with_name, whom
from ...told import harmless, in_words
from .parcel import pack

MAKE = "autograder.teaching.feedback.generating:make"


@dataclass(frozen=True)
class Feedback:
    """The feedback for one student; trouble: why there is none; folder: of page and notebook; whom: id with name."""

    student: str
    folder: Path
    trouble: str = ""
    whom: str = ""


def give_back(lesson, students, platform, submissions, to):
    """Run `mha feedback`: make the pages, pack them if asked, and print what became of them."""
    _must_be_graded(lesson)
    take_anew(_course(), lesson)
    given = _with_progress(lesson, students_of(lesson, students))
    troubles = [f"no feedback for {one.whom}: {one.trouble}" for one in given if one.trouble]
    click.echo(f"{len(given) - len(troubles)} of {len(given)} have feedback.")
    root = _course().coursedir.root
    for line in pack(getattr(platforms, platform), lesson, given, submissions, to, root) if to else troubles:
        click.echo(harmless(line))


def _with_progress(lesson, students):
    """Yield a Feedback for each student, in order, behind a progress bar."""
    given, making = [], feedback(lesson, students)
    bar = click.progressbar(length=len(students), label=lesson, show_pos=True)
    with stopped_well(lambda: f"{len(given)} of {len(students)} are done. {BEGINS_AGAIN}"), closing(making), bar:
        for one in making:
            given.append(one)
            bar.update(1)
    return sorted(given, key=lambda one: one.student)


BEGINS_AGAIN = "The same command makes all of them, from the beginning."


def _must_be_graded(lesson):
    """Raise an error if no submission of the lesson is graded."""
    students = [student for student in students_of(lesson) if not trouble_with_name(student)]
    if not any(autograded_notebook(_course().coursedir, lesson, student).exists() for student in students):
        wanted = f"call `mha grade {lesson}`, and then this again."
        raise click.ClickException(f"Nothing of {lesson} is graded yet: {wanted}")


def students_of(lesson, asked=()):
    """Return all students who handed in, or those of them who were asked for."""
    there = who_handed_in(_course().coursedir, lesson)
    asked = find_students(asked, students.as_listed(_course().coursedir) if asked else {})
    unknown = sorted(set(asked) - set(there))
    if unknown or not there:
        where = submitted_folder(_course().coursedir, lesson)
        raise click.ClickException(
            f"No submission of {lesson} by {', '.join(unknown) or 'anybody'}: {where} is where it should be."
        )
    return asked or there


def feedback(lesson, students):
    """Yield a Feedback for each student, as they are done."""
    tasks = [(lesson, student) for student in students]
    names = names_of(_course().coursedir.db_url)
    for (_, student), trouble in pool.results(MAKE, tasks, cores()):
        folder = feedback_folder(_course().coursedir, lesson, student)
        yield Feedback(student, folder, KILLED if trouble is pool.KILLED else trouble, whom(student, names))


def make(lesson, student):
    """Make one student's feedback and return why there is none, or "". A failure stops no other."""
    try:
        return trouble_with_name(student) or _made(lesson, student)
    except Exception as failed:
        return in_words(failed)


def _made(lesson, student):
    """Make the page of the present grading, after taking away that of an earlier one."""
    coursedir = _course().coursedir
    not_graded = trouble_of(coursedir, lesson, student, receipt(coursedir.root, lesson, student))
    if not_graded:
        return not_graded
    if not autograded_notebook(coursedir, lesson, student).exists():
        return f"not graded yet: `mha grade {lesson}` does that"
    if not is_whole(autograded_notebook(coursedir, lesson, student)):
        return f"its autograded notebook is damaged: `mha grade {lesson}` makes it again"
    done = _course().generate_feedback(lesson, student)
    why = "" if done["success"] else reason(f"{done.get('log')}\n{done.get('error')}")
    return (
        f"the gradebook has no points for it: `mha grade {lesson}` gives them again" if "MissingEntry" in why else why
    )


@cache
def _course():
    """Return the course, read once for all pages that this process makes."""
    return course()
