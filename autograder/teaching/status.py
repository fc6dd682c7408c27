"""Print how far the work of a class is, with the commands that are due, and what was found in one student's work."""

import re
from collections import Counter
from dataclasses import dataclass
from html import unescape

import click
import nbformat
from rich.console import Console
from rich.markdown import Markdown
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Column
from rich.text import Text

from ..catalogue import LESSONS
from ..failure_messages import harmless
from ..intake.course_folder import (
    autograded_notebook,
    course,
    feedback_folder,
    receipt,
    receipts,
    who_handed_in,
)
from ..intake.progress_output import print_table
from ..intake.students import as_listed, find_student, handed_in_nothing, names_of_all, whom
from ..intake.wording import count, lesson_in_words, points
from .gradebook import graded_in, trouble_of
from .returned import COMMENT, HEADING, NOT_WRITTEN, UNWRITTEN, id_beside

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
ROW = re.compile(r"\n\| [^|]+ \| \[.*")  # of a task, in the table at the top of a page
SKIPPED = re.compile(rf"\n\|[^|]*\| \[(.+?)\]\([^|]*\|[^|]*\| {re.escape(NOT_WRITTEN)} \|$", re.MULTILINE)
EARNED = re.compile(r": (\S+) of (\S+) points?$")  # in the heading of an answer
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
        score, most, _, waits = graded.get(student, (0, 0, 0, False))
        state = TROUBLE if trouble else NEW if student not in graded else WAITS if waits else GRADED
        words = (trouble or state) + ", late" * bool(about.get("late"))
        is_done = state in (GRADED, WAITS)
        earned = f"{points(score)} of {points(most)}" if is_done else ""
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
    """Print a student's pages of feedback as text, of all lessons or of those that are named."""
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
        screen.print()
        screen.print(Rule(Text(lesson_in_words(lesson), style="bold"), align="left"))
        for part in _page(here.coursedir, lesson, student):
            screen.print(part)


def _page(coursedir, lesson, student):
    """Yield a page of feedback as text: its table, each answer that has not all points, with its card, and comments.

    The lesson's own texts and pictures are left out, and of what was not answered there is only the name.
    """
    trouble = trouble_of(coursedir, lesson, student, receipt(coursedir.root, lesson, student))
    if trouble or _feedback(coursedir, lesson, student) != MADE:
        command = f"No page of feedback on this grading yet: mha feedback {lesson} {student}"
        yield Text(harmless(f"Not graded: {trouble.removeprefix('not graded: ')}" if trouble else command))
        return
    table, *cells = nbformat.read(feedback_folder(coursedir, lesson, student) / f"{lesson}.ipynb", 4).cells
    skipped, table.source = SKIPPED.findall(table.source), SKIPPED.sub("", table.source)
    if not ROW.search(table.source):
        table.source = table.source.partition("\n| |")[0]
    yield from _cell(table)
    if skipped:
        yield Text(f"Not answered: {', '.join(skipped)}", style="bold")
    for first, *others in _answers(cells):
        comments = [cell for cell in others if cell.id.startswith(COMMENT) and not cell.source.endswith(UNWRITTEN[0])]
        if first.id.startswith(HEADING) and not _has_all(first.source) and _task(first.source) not in skipped:
            shown = first, *others
        else:
            shown = (first, *comments) if comments else ()
        for cell in shown:
            yield from _cell(cell)


def _answers(cells):
    """Return the cells in groups: an answer with its heading and its comments; any other cell is alone."""
    groups, heading = [], ""  # of the answer that has not ended
    for cell in cells:
        is_heading = cell.id.startswith(HEADING)
        if groups and (cell.id.startswith(COMMENT) or (heading and not is_heading)):
            groups[-1].append(cell)
        else:
            groups.append([cell])
        heading = cell.id if is_heading else "" if id_beside(cell.id, HEADING) == heading else heading
    return groups


def _has_all(heading):
    """Say whether the heading of an answer gives it all points, or more."""
    found = EARNED.search(heading.partition("\n")[0])
    return bool(found) and float(found[1]) >= float(found[2])


def _task(heading):
    """Return the name of the task that the heading of an answer is about."""
    return heading.removeprefix("#### ").partition(":")[0]


def _cell(cell):
    """Yield a cell and what it shows, on lines that a terminal shows and does not obey."""
    source = _harmless_lines(cell.source)
    if source:
        code = Syntax(source, "python", theme="ansi_dark", background_color="default", word_wrap=True)
        yield Markdown(source) if cell.cell_type == "markdown" else code
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        card = " ".join(unescape(re.sub("<[^>]*>", " ", data.get("text/html", ""))).split())
        said = output.get("text") or output.get("evalue") or card or data.get("text/plain", "")
        yield Text(_harmless_lines(said))


def _harmless_lines(text):
    return "\n".join(map(harmless, text[:LONGEST].split("\n")))
