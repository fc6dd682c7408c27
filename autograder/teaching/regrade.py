"""Judge a lesson again, and print what `mha grade --again` would change; nothing is written."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from math import isclose

import click
import nbformat

from ..failure_messages import harmless, in_words
from ..grading.examiner import Examiner
from ..grading.outputs import verdicts_of
from ..grading.processes import KILLED, WHY_KILLED, cores, results
from ..grading.whole_class import ClassOfStudents, Graded
from ..intake.course_folder import autograded_notebook, course, notebook_of, settings, submitted_folder
from ..intake.fit import our_copy
from ..intake.progress_output import follow, print_table
from ..intake.wording import count, finding_in_words, listed, points
from ..judging.time_limits import TooSlow
from .gradebook import scores_of

JUDGE = "autograder.teaching.regrade:judge_again"
OLD = "its old score stays"
NOTHING = "Nothing is written: the same command judges all of them again."
SAID = ("reason", "misconception", "also", "property", "message")  # of a verdict, what people see
HEAD = ("student", "exercise", "points", "was", "would be")
OF_CARDS = ("exercise", "card -> new card", "answers")


@dataclass(frozen=True)
class Change:
    """One answer that is judged differently: points, and findings before and after, in words; by_hand: a mark stays."""

    student: str
    exercise: str
    points: str
    was: str
    would_be: str
    is_of_points: bool
    by_hand: bool


def rehearse(lesson, students=(), trust_submissions=False, jobs=None):
    """Judge what is graded again, and print what would change; raise ClickException if some cannot be judged."""
    here, submissions = course(), ClassOfStudents(lesson, students, trust_submissions)
    asked = [student for _, student, *_ in submissions.tasks]
    graded = [student for student in asked if autograded_notebook(here.coursedir, lesson, student).exists()]
    if not graded:
        raise click.ClickException(f"No submission of {lesson} was graded: `mha grade {lesson}` grades what is new.")
    tasks = [(lesson, student, trust_submissions) for student in graded]
    with submissions.alone():
        judged = results(JUDGE, tasks, jobs or cores(), submissions.shared)
        judging = (Judged(*one[:2], trouble=f"{WHY_KILLED}; {OLD}") if it is KILLED else it for one, it in judged)
        done = follow(judging, len(graded), then=NOTHING)
    troubles = {one.student: one.trouble for one in done if one.trouble}
    scores, found = scores_of(here.coursedir.db_url, lesson), []
    for one in sorted((one for one in done if not one.trouble), key=lambda one: one.student):
        before = verdicts_of(notebook_of(autograded_notebook(here.coursedir, lesson, one.student)))
        found += changes(scores.get(one.student, ()), before, one.verdicts)
    tell(found, len(graded) - len(troubles), troubles, submissions.whom)
    if found:
        click.echo(f"\nNothing is written. To write it: mha grade {lesson} --again")
    if troubles:
        raise click.ClickException(f"{count(len(troubles), 'submission')} cannot be judged: see above.")


@dataclass(frozen=True)
class Judged(Graded):
    """A submission that was judged again: task -> verdict, or why it was not."""

    verdicts: dict = field(default_factory=dict)


def judge_again(lesson, student, trust_submissions):
    """Judge a submission, of which nothing is written anywhere, and return a Judged."""
    here = _course(trust_submissions)
    about = dict(student=student, assignment=lesson, notebook=lesson, db_url=here.coursedir.db_url)
    try:
        with our_copy(here.coursedir, lesson, student, to_try=True) as unfit:
            if unfit:
                return Judged(lesson, student, trouble=f"not graded: {unfit}; {OLD}")
            file = submitted_folder(here.coursedir, lesson, student) / f"{lesson}.ipynb"
            notebook = nbformat.read(file, as_version=4)
        Examiner(config=here.config).preprocess(notebook, {"nbgrader": about})
    except (Exception, TooSlow) as stopped:  # whatever is to be had of files that a stranger made
        return Judged(lesson, student, trouble=f"not graded: {in_words(stopped)}; {OLD}")
    return Judged(lesson, student, verdicts=verdicts_of(notebook))


_course = cache(lambda trust_submissions: course(settings(trust_submissions)))


def changes(scores, before, after):
    """Yield the Changes of one submission. before, after: task -> verdict."""
    for score in sorted(scores, key=lambda score: score.exercise):
        verdicts = before.get(score.exercise), after.get(score.exercise)
        said, now = ([one.get(name) for name in SAID] if one else None for one in verdicts)
        both = score.judged, verdicts[1]["points"] if verdicts[1] else score.judged
        is_of_points = not isclose(*(given or 0.0 for given in both))
        if said != now or is_of_points:
            told = " -> ".join("none" if given is None else points(given) for given in both)
            told = f"{points(score.points)} by hand, stays ({told})" if score.by_hand else told
            was, new = map(finding_in_words, verdicts)
            new = "the same, in other words" if new == was and not is_of_points else new
            yield Change(score.student, score.exercise, told, was, new, is_of_points, score.by_hand)


def tell(found, judged, troubles, whom):
    """Print the Changes. judged: how many submissions; troubles: student -> why not; whom: student -> as told."""
    of_points = [change for change in found if change.is_of_points]
    changed = {change.student for change in found}
    others = changed - {change.student for change in of_points}
    if of_points:
        cells = ((whom[one.student], one.exercise, one.points, one.was, one.would_be) for one in of_points)
        print_table(HEAD, cells)
        click.echo()
    stay = [change for change in of_points if change.by_hand]
    click.echo(f"{count(len(of_points) - len(stay), 'mark')} would change.")
    if stay:
        click.echo(f"{count(len(stay), 'mark')} by hand would stay, and wait for another look.")
    if others:
        who = listed((whom[student] for student in sorted(others)), 5)
        click.echo(harmless(f"{count(len(others), 'submission')} would keep all marks and get other cards: {who}."))
    if len(of_points) < len(found):
        click.echo("Cards that would change, and not the points:\n")
        cards = Counter((one.exercise, f"{one.was} -> {one.would_be}") for one in found if not one.is_of_points)
        print_table(OF_CARDS, ((*which, str(number)) for which, number in cards.most_common()))
        click.echo()
    click.echo(f"{count(judged - len(changed), 'submission')} would stay as they are.")
    for student, why in troubles.items():
        click.echo(harmless(f"{whom[student]}: {why}"))
