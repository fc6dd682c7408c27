"""Judge a lesson again beside the course, and print what `mha grade --again` would change; nothing is written."""

import shutil
from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import isclose
from pathlib import Path

import click
from nbgrader.api import Base
from sqlalchemy import create_engine

from ..grading.grade import graded_by, marked_by_hand
from ..grading.outputs import verdicts_of
from ..grading.whole_class import KILLED, WHY_KILLED, Class, Graded, cores, results
from ..intake.course_folder import autograded_notebook, course, notebook_of, settings
from ..intake.fit import our_copy
from ..intake.own_numbers import FOLDER, NAME, folder_of, seed_of
from ..intake.progress_output import follow
from ..intake.wording import count, finding_in_words, listed, points
from ..told import harmless
from .gradebook import scores_of

JUDGE = "autograder.teaching.regrade:judge_again"
STAYS = f"{WHY_KILLED}; its old score stays"
NOTHING = "Nothing is written: the same command judges all of them again."
SAID = ("reason", "misconception", "also", "property", "message")  # of a verdict, what people see
HEAD = ("student", "exercise", "points", "was", "would be")
OF_CARDS = ("exercise", "card -> new card", "answers")


@dataclass(frozen=True)
class Change:
    """One answer that is judged differently: points and finding, old and new; by_hand: a mark by hand, which stays."""

    student: str
    exercise: str
    old: float
    new: float
    was: str
    would_be: str
    by_hand: float = None

    @property
    def is_of_points(self):
        return not isclose(self.old or 0.0, self.new or 0.0)

    @property
    def in_points(self):
        old, new = ("none" if score is None else points(score) for score in (self.old, self.new))
        return f"{old} -> {new}" if self.by_hand is None else f"{points(self.by_hand)} by hand, stays ({old} -> {new})"

    @property
    def card(self):
        return f"{self.was} -> {'the same, in other words' if self.was == self.would_be else self.would_be}"


def rehearse(lesson, students=(), trust_submissions=False, jobs=None):
    """Judge the graded submissions again, print what would change, and return how many cannot be judged."""
    here, submissions = course(), Class(lesson, students, trust_submissions)
    asked = [student for _, student, *_ in submissions.tasks]
    graded = [student for student in asked if autograded_notebook(here.coursedir, lesson, student).exists()]
    if not graded:
        raise click.ClickException(f"No submission of {lesson} was graded: `mha grade {lesson}` grades what is new.")
    with submissions.alone() as folder:
        prepare(here.coursedir.db_url, folder)
        tasks = [(lesson, student, trust_submissions, str(folder)) for student in graded]
        judging = (
            Graded(lesson, student, trouble=STAYS) if one is KILLED else one
            for (_, student, *_), one in results(JUDGE, tasks, jobs or cores(), submissions.lent)
        )
        done = follow(judging, len(graded), lambda one: "", NOTHING)
        troubles = {one.student: one.trouble for one in done if one.trouble}
        well = [student for student in graded if student not in troubles]
        found = changes(*(judged(place, lesson, well) for place in (here, beside(str(folder)))))
    tell(found, len(well), troubles, submissions.whom)
    if found:
        click.echo(f"\nNothing is written. To write it: mha grade {lesson} --again")
    return len(troubles)


def prepare(db_url, folder):
    """Copy the gradebook, whatever database it is in, and the seed and students' numbers, so that all is the same."""
    seed_of(db_url)
    shutil.copy(folder_of(db_url) / NAME, folder)
    if (folder_of(db_url) / FOLDER).exists():
        shutil.copytree(folder_of(db_url) / FOLDER, Path(folder, FOLDER))
    real, copy = create_engine(db_url), create_engine(_gradebook(folder))
    Base.metadata.create_all(copy)
    with real.connect() as reading, copy.begin() as writing:
        for table in Base.metadata.sorted_tables:
            rows = [dict(row) for row in reading.execute(table.select()).mappings()]
            if rows:
                writing.execute(table.insert(), rows)


def judge_again(lesson, student, trust_submissions, folder):
    """Judge a submission in the second course and return a Graded; the real course is not touched."""
    there = beside(folder, trust_submissions)
    with our_copy(there.coursedir, lesson, student, to_try=True) as unfit:
        return graded_by(there, lesson, student, marked_by_hand(there, lesson, student), unfit)


@cache
def beside(folder, trust_submissions=False):
    """Return nbgrader's view of the second course."""
    config = settings(trust_submissions)
    config.CourseDirectory.db_url = _gradebook(folder)
    config.CourseDirectory.autograded_directory = str(Path(folder, "autograded"))
    return course(config)


def _gradebook(folder):
    return f"sqlite:///{folder}/gradebook.db"


def judged(course, lesson, students):
    """Return (student, exercise) -> its score and its verdict, as they are in a course."""
    files = {student: autograded_notebook(course.coursedir, lesson, student) for student in students}
    verdicts = {
        student: {verdict["task"]: verdict for verdict in verdicts_of(notebook_of(file))} if file.exists() else {}
        for student, file in files.items()
    }
    scores = (score for score in scores_of(course.coursedir.db_url, lesson) if score.student in verdicts)
    return {(score.student, score.exercise): (score, verdicts[score.student].get(score.exercise)) for score in scores}


def changes(before, after):
    """Return the Changes between two such dictionaries, student by student."""
    found = []
    for key in sorted(before.keys() & after.keys()):
        (score, verdict), (new_score, new_verdict) = before[key], after[key]
        said, new = ([one.get(name) for name in SAID] if one else None for one in (verdict, new_verdict))
        if score.judged != new_score.judged or said != new:
            words = finding_in_words(verdict), finding_in_words(new_verdict)
            by_hand = score.points if score.by_hand else None
            found.append(Change(*key, score.judged, new_score.judged, *words, by_hand))
    return found


def tell(found, judged, troubles, whom):
    """Print the Changes. judged: how many submissions; troubles: student -> why not; whom: student -> as told."""
    of_points = [change for change in found if change.is_of_points]
    changed = {change.student for change in found}
    others = changed - {change.student for change in of_points}
    if of_points:
        _table([HEAD, *((whom[one.student], one.exercise, one.in_points, one.was, one.would_be) for one in of_points)])
    click.echo(f"{count(len(of_points), 'mark')} would change.")
    if others:
        who = listed((whom[student] for student in sorted(others)), 5)
        click.echo(harmless(f"{count(len(others), 'submission')} would keep all marks and get other cards: {who}."))
    if len(of_points) < len(found):
        click.echo("Cards that would change, and not the points:\n")
        cards = Counter((one.exercise, one.card) for one in found if not one.is_of_points).most_common()
        _table([OF_CARDS, *((*which, str(number)) for which, number in cards)])
    click.echo(f"{count(judged - len(changed), 'submission')} would stay as they are.")
    for student, why in troubles.items():
        click.echo(harmless(f"{whom[student]}: {why}"))


def _table(rows):
    rows = [[harmless(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    click.echo()
