"""Find and print what judging a second time would change."""

from collections import Counter
from dataclasses import dataclass
from math import isclose

import click

from ...grading.verdicts import verdicts_of
from ...intake.course_folder import autograded_notebook, notebook_of
from ...intake.progress_output import follow, is_to_look_at
from ...intake.wording import count, finding_in_words, listed, points
from ...told import harmless
from ..gradebook import scores_of

SAID = ("reason", "misconception", "also", "property", "message")  # of a verdict, what people see
HEAD = ("student", "exercise", "points", "was", "would be")
OF_CARDS = ("exercise", "card -> new card", "answers")
NOTHING = "Nothing is written: the same command judges all of them again."


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


def judged(course, lesson, students):
    """Return (student, exercise) -> its score and its verdict, as they are in a course."""
    verdicts = {student: _verdicts(autograded_notebook(course.coursedir, lesson, student)) for student in students}
    scores = (score for score in scores_of(course.coursedir.db_url, lesson) if score.student in verdicts)
    return {(score.student, score.exercise): (score, verdicts[score.student].get(score.exercise)) for score in scores}


def changes(before, after):
    """Return the Changes between two such dictionaries, student by student."""
    both = ((key, before[key], after[key]) for key in sorted(before) if key in after)
    return [_change(key, *old, *new) for key, old, new in both if _differ(old, new)]


def of_the_same(course, other, lesson, students):
    """Return the students whose cells are the same in both courses: the others handed in again in between."""
    return [student for student in students if _cells(course, lesson, student) == _cells(other, lesson, student)]


def _cells(course, lesson, student):
    return [cell.source for cell in notebook_of(autograded_notebook(course.coursedir, lesson, student)).cells]


def _verdicts(file):
    return {verdict["task"]: verdict for verdict in verdicts_of(notebook_of(file))} if file.exists() else {}


def _differ(old, new):
    (score, verdict), (new_score, new_verdict) = old, new
    return score.judged != new_score.judged or _said(verdict) != _said(new_verdict)


def _said(verdict):
    return verdict and [verdict.get(name) for name in SAID]


def _change(key, score, verdict, new_score, new_verdict):
    by_hand = score.points if score.by_hand else None
    was, would_be = finding_in_words(verdict), finding_in_words(new_verdict)
    return Change(*key, score.judged, new_score.judged, was, would_be, by_hand)


def tell(regrading, write, jobs):
    """Print what would change, and return how many submissions should be looked at."""
    follow(regrading.try_again(jobs), len(regrading.students), lambda graded: "", NOTHING)
    _tell_changes(regrading)
    troubles = len(regrading.troubles)
    if regrading.changes and write:
        click.echo("\nWritten:")
    elif regrading.changes:
        click.echo(f"\nNothing is written yet. To write it: mha regrade {regrading.lesson} --write")
    if write:
        written = follow(
            regrading.write(jobs), len(regrading.changed), lambda graded: harmless(f"{graded.whom:30} {graded}")
        )
        troubles += sum(map(is_to_look_at, written))
    return troubles


def _tell_changes(regrading):
    of_points = [change for change in regrading.changes if change.is_of_points]
    others = set(regrading.changed) - {change.student for change in of_points}
    who = listed((regrading.whom[student] for student in sorted(others)), 5)
    same = len(regrading.students) - len(regrading.troubles) - len(regrading.changed)
    if of_points:
        _table([HEAD, *(_row(change, regrading.whom) for change in of_points)])
    click.echo(f"{count(len(of_points), 'mark')} would change.")
    if others:
        click.echo(harmless(f"{count(len(others), 'submission')} would keep all marks and get other cards: {who}."))
    if len(of_points) < len(regrading.changes):
        click.echo("Cards that would change, and not the points:\n")
        _table([OF_CARDS, *_cards(change for change in regrading.changes if not change.is_of_points)])
    click.echo(f"{count(same, 'submission')} would stay as they are.")
    for student, why in regrading.troubles.items():
        click.echo(harmless(f"{regrading.whom[student]}: {why}"))


def _cards(changes):
    """Return which card becomes which, the most frequent change first."""
    found = Counter((change.exercise, change.was, change.would_be) for change in changes)
    for (exercise, was, would_be), number in found.most_common():
        yield exercise, f"{was} -> {'the same, in other words' if was == would_be else would_be}", str(number)


def _row(change, whom):
    change_of_points = f"{_points(change.old)} -> {_points(change.new)}"
    if change.by_hand is not None:
        change_of_points = f"{points(change.by_hand)} by hand, stays ({change_of_points})"
    return whom[change.student], change.exercise, change_of_points, change.was, change.would_be


def _points(score):
    return "none" if score is None else points(score)


def _table(rows):
    rows = [[harmless(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    click.echo()
