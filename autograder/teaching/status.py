"""Print how far the work of a class is, with the commands that are due, and what was found in one student's work."""

from collections import Counter
from dataclasses import dataclass
from functools import partial

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.syntax import Syntax
from rich.table import Column
from rich.text import Text

from ..catalogue import LESSONS
from ..failure_messages import harmless
from ..intake.course_folder import autograded_notebook, course, feedback_folder, receipt, receipts, who_handed_in
from ..intake.names import find_student, whom
from ..intake.progress_output import print_table
from ..intake.students import as_listed, handed_in_nothing, names_of_all
from ..intake.wording import count, in_points, lesson_in_words, points
from .gradebook import NO_POINTS, graded_in, trouble_of, trouble_with
from .returned import NOT_WRITTEN, UNWRITTEN, marked, tasks_in

GRADED, EXCUSED, WAITS, NEW, MISSING, TROUBLE = STATES = (
    "graded",
    "excused",
    "waits for your mark",
    "not graded yet",
    "handed in nothing",
    "cannot be graded",
)
RANKS = dict(zip(STATES, (0, 0, 1, 1, 2, 3)))  # those with something to do come last, where they are in sight
STYLES = "", "yellow", "yellow", "bold red"  # by rank
MADE, OLDER = "made", "older than the grading"  # of a page of feedback
COLUMNS = "handed in", "graded", "cannot be graded", "wait for your mark", "fed back", "handed in nothing"
CODE = partial(Syntax, lexer="python", theme="ansi_dark", background_color="default", word_wrap=True)
LONGEST = 20_000  # characters of a cell that are printed


@dataclass(frozen=True)
class Standing:
    """How far the work of one student on one lesson is; whom: the student, as lists print them.

    words: the state, or why it cannot be graded; points: out of how many, in words; feedback: MADE, OLDER or nothing.
    """

    whom: str
    state: str
    words: str
    points: str = ""
    feedback: str = ""


def standings(course, lesson):
    """Return a Standing for each student who is in the class or has handed in."""
    coursedir, noted, graded = course.coursedir, receipts(course.coursedir.root, lesson), graded_in(course, lesson)
    names, came = names_of_all(coursedir), sorted({*who_handed_in(coursedir, lesson), *noted})
    missing, excused = handed_in_nothing(coursedir, lesson, came)
    found = [Standing(whom(student, names), MISSING, MISSING) for student in missing]
    found += [Standing(whom(student, names), EXCUSED, EXCUSED) for student in excused]
    for student in came:
        about = noted.get(student, {})
        trouble = trouble_of(coursedir, lesson, student, about)
        score, most, penalty, waits = graded.get(student, (0, 0, 0, False))
        state = TROUBLE if trouble else NEW if student not in graded else WAITS if waits else GRADED
        words = (trouble or state) + ", late" * bool(about.get("late"))
        is_done = state in (GRADED, WAITS)
        earned = f"{points(max(0, score - penalty))} of {points(most)}" if is_done else ""
        feedback = _feedback(coursedir, lesson, student) if is_done else ""
        found.append(Standing(whom(student, names), state, words, earned, feedback))
    return found


def _feedback(coursedir, lesson, student):
    """Return MADE, or OLDER for a page that was made before the last grading; "" if there is none."""
    page = feedback_folder(coursedir, lesson, student) / f"{lesson}.html"
    if not page.exists():
        return ""
    graded = autograded_notebook(coursedir, lesson, student)
    return OLDER if graded.exists() and graded.stat().st_mtime > page.stat().st_mtime else MADE


def status(lesson=None):
    """Print the table of a lesson, or of all that were handed in, and the commands that are due."""
    here = course()
    found = {name: standings(here, name) for name in ([lesson] if lesson else LESSONS)}
    found = {name: there for name, there in found.items() if _counted(there)[0]}
    if not found:
        what = lesson_in_words(lesson) if lesson else "any lesson"
        raise click.ClickException(f"There are no submissions of {what} yet: `mha collect` takes them in.")
    if lesson:
        there = sorted(found[lesson], key=lambda one: (RANKS[one.state], one.whom))
        rows = ((one.whom, one.points, one.feedback, one.words) for one in there)
        columns = "student", Column("points", justify="right"), "feedback", ""
        print_table(columns, rows, (STYLES[RANKS[one.state]] for one in there))
    else:
        rows = ((lesson_in_words(name), *(str(n or "·") for n in _counted(there))) for name, there in found.items())
        print_table(("lesson", *(Column(title, justify="right") for title in COLUMNS)), rows)
    due = [sentence for name, there in found.items() for sentence in _to_do(name, there)]
    if due:
        click.echo("\n".join(["", *due]))


def _counted(there):
    """Return the counts in the order of the columns."""
    states, fed_back = Counter(one.state for one in there), sum(one.feedback == MADE for one in there)
    graded = states[GRADED] + states[WAITS]
    came = graded + states[NEW] + states[TROUBLE]
    return came, graded, states[TROUBLE], states[WAITS], fed_back, states[MISSING]


def _to_do(lesson, there):
    came, graded, troubles, waiting, fed_back, _ = _counted(there)
    number = lesson.split("_")[1]
    if came - graded - troubles:
        yield f"Lesson {number}: {came - graded - troubles} to grade, with mha grade {number}"
    if waiting:
        yield f"Lesson {number}: {waiting} to mark by hand, with mha mark or in formgrader (mha lab --teach)"
    if graded - fed_back:
        yield f"Lesson {number}: {count(graded - fed_back, 'page')} of feedback to make, with mha feedback {number}"


def show(asked, lessons=()):
    """Print what was found in a student's work, in all lessons or in those that are named."""
    here = course()
    told = as_listed(here.coursedir)
    student = find_student(asked, told)
    root, came = here.coursedir.root, here.get_submitted_students
    handed_in = [name for name in lessons or LESSONS if receipt(root, name, student) or student in came(name)]
    if not handed_in:
        what = " or ".join(map(lesson_in_words, lessons)) or "any lesson"
        raise click.ClickException(f"{told[student]} has not handed in {what}.")
    screen = Console(highlight=False, markup=False, emoji=False)
    screen.print(Text(harmless(told[student]), style="bold"))
    for lesson in handed_in:
        screen.print(Text(f"\n{lesson_in_words(lesson)}", style="bold"))
        _show_one(screen, here, lesson, student)


def _show_one(screen, here, lesson, student):
    trouble = trouble_with(here.coursedir, lesson, student, receipt(here.coursedir.root, lesson, student))
    graded = graded_in(here, lesson)
    if trouble or student not in graded:
        screen.print(Text(harmless(f"Not graded: {(trouble or NO_POINTS).removeprefix('not graded: ')}")))
        return
    cells, (score, most, penalty, _) = marked(here, lesson, student).cells, graded[student]
    tasks, late = tasks_in(cells), f", too late: -{points(penalty)}" * bool(penalty)
    screen.print(Text(f"{points(max(0, score - penalty))} of {in_points(most)}{late}"))
    print_table(("", "task", "points", "what was found"), (task.cells for task in tasks))
    for part in to_read(cells, tasks):
        screen.print(part)


def to_read(cells, tasks):
    """Yield each answer that has not all points, with what its card says, and each comment, fit for a terminal."""
    beginning = {task.begins: task for task in tasks}
    for n, cell in enumerate(cells):
        task, comment = beginning.get(n), cell.metadata.get("nbgrader", {}).get("comment")
        comment = comment if comment != UNWRITTEN[0] else None
        lacks_points = task and task.sentence != NOT_WRITTEN and (task.waits or task.earned < task.of)
        if task and (lacks_points or comment):
            yield Text(f"\n{task.heading.lstrip('# ')}", style="bold")
        if lacks_points or (comment and not task):
            yield (CODE if cell.cell_type == "code" else Markdown)(_harmless_lines(cell.source))
        if lacks_points and task.verdict:
            yield Markdown(_harmless_lines(task.verdict["message"]))
        if comment:
            yield Markdown(_harmless_lines(f"**A comment on this answer:** {comment}"))


def _harmless_lines(text):
    return "\n".join(map(harmless, text[:LONGEST].split("\n")))
