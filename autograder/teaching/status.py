"""Print how far the work of a class is, with the commands that are due, and what was found in one student's work."""

import re
from dataclasses import dataclass
from html import unescape

import click
import nbformat
from rich.console import Console
from rich.markdown import Markdown
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from ..catalogue import LESSONS
from ..intake.course_folder import (
    autograded_notebook,
    course,
    feedback_folder,
    trouble_of,
    who_handed_in,
)
from ..intake.numbers_of_students import has_no_gradebook
from ..intake.progress_output import console
from ..intake.receipts import receipt, receipts
from ..intake.students import as_listed, find_student, handed_in_nothing, names_of_all, trouble_with_name, whom
from ..intake.wording import count, lesson_in_words, points
from ..told import harmless

MADE, OLDER = "made", "older than the grading"  # of a page of feedback
STYLES = "", "yellow", "yellow", "bold red"
COLUMNS = "handed in", "graded", "cannot be graded", "wait for your mark", "fed back", "handed in nothing"
ALL_POINTS = re.compile(r": (\S+) of \1 points?")  # in the heading of an answer
LONGEST = 20_000  # characters of a cell that are printed


@dataclass(frozen=True)
class Standing:
    """How far the work of one student on one lesson is; whom: the student, as lists print them.

    came: whether something was handed in; trouble: why it cannot be graded; graded: points, out of how many, or None.
    waits: whether an answer waits for a mark by hand; feedback: MADE, OLDER or nothing.
    """

    student: str
    whom: str
    came: bool = True
    late: bool = False
    excused: bool = False
    trouble: str = ""
    graded: tuple = None
    waits: bool = False
    feedback: str = ""


def standings(course, lesson):
    """Return a Standing for each student who is in the class or has handed in."""
    try:
        noted, scores = receipts(course.coursedir.root, lesson), _scores(course, lesson)
    except ValueError as unreadable:
        raise click.ClickException(str(unreadable)) from None
    came = sorted({*who_handed_in(course.coursedir, lesson), *noted})
    names = names_of_all(course.coursedir)
    missing, excused = handed_in_nothing(course.coursedir, lesson, came)
    absent = [Standing(who, whom(who, names), came=False, excused=who in excused) for who in (*missing, *excused)]
    return [_standing(course, lesson, who, names, noted.get(who, {}), scores.get(who)) for who in came] + absent


def _standing(course, lesson, student, names, noted, score):
    trouble = trouble_with_name(student) or trouble_of(course.coursedir, lesson, student, noted)
    late = bool(noted.get("late"))
    graded, waits = (score[:2], score[2]) if score and not trouble else (None, False)
    feedback = _feedback(course.coursedir, lesson, student) if graded else ""
    told = whom(student, names)
    return Standing(student, told, late=late, trouble=trouble, graded=graded, waits=waits, feedback=feedback)


def _scores(course, lesson):
    """Return student -> (points, out of how many, whether an answer waits for a mark), for all in the gradebook."""
    if has_no_gradebook(course.coursedir.db_url):
        return {}
    with course.gradebook as gradebook:
        is_known = lesson in {assignment.name for assignment in gradebook.assignments}
        graded = gradebook.assignment_submissions(lesson) if is_known else ()
        return {one.student.id: (one.score, one.max_score, one.needs_manual_grade) for one in graded}


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
    lessons = [lesson] if lesson else LESSONS
    all_found = {name: standings(here, name) for name in lessons}
    found = {name: there for name, there in all_found.items() if any(one.came for one in there)}
    if not found:
        what = lesson_in_words(lesson) if lesson else "any lesson"
        raise click.ClickException(f"There are no submissions of {what} yet: `mha collect` takes them in.")
    screen = console()
    screen.print(_of_students(found[lesson]) if lesson else _of_lessons(found))
    screen.print()
    for name, there in found.items():
        for sentence in _to_do(name, there):
            screen.print(Text(sentence))


def _of_lessons(found):
    table = Table("lesson", box=None, pad_edge=False, header_style="dim")
    for title in COLUMNS:
        table.add_column(title, justify="right")
    for lesson, there in found.items():
        numbers = map(len, _counted(there))
        table.add_row(lesson_in_words(lesson), *(str(number or "·") for number in numbers))
    return table


def _counted(there):
    """Return the counts in the order of the columns."""
    came = [one for one in there if one.came]
    graded = [one for one in came if one.graded]
    troubles = [one for one in came if one.trouble]
    waiting = [one for one in graded if one.waits]
    fed_back = [one for one in graded if one.feedback == MADE]
    return came, graded, troubles, waiting, fed_back, [one for one in there if not one.came and not one.excused]


def _of_students(there):
    """Return a table with a row for each student; those with something to do come last, where they are in sight."""
    table = Table("student", "", box=None, pad_edge=False, header_style="dim")
    table.add_column("points", justify="right")
    table.add_column("feedback")
    for one in sorted(there, key=lambda one: (_rank(one), one.whom)):
        mark = f"{points(one.graded[0])} of {points(one.graded[1])}" if one.graded else ""
        cells = (Text(harmless(cell)) for cell in (one.whom, _state(one), mark, one.feedback))
        table.add_row(*cells, style=STYLES[_rank(one)])
    return table


def _rank(one):
    """Return 0 for done, 1 for to be marked or graded, 2 for nothing handed in, 3 for something wrong."""
    if one.trouble:
        return 3
    if not one.came:
        return 0 if one.excused else 2
    return int(one.waits or not one.graded)


def _state(one):
    """Return in words how far the work is."""
    if not one.came:
        return "excused" if one.excused else "handed in nothing"
    state = one.trouble or ("not graded yet" if not one.graded else "waits for your mark" if one.waits else "graded")
    return f"{state}, late" if one.late else state


def _to_do(lesson, there):
    """Return the commands that come next."""
    came, graded, troubles, waiting, fed_back, _ = map(len, _counted(there))
    number = lesson.split("_")[1]
    if came - graded - troubles:
        yield f"Lesson {number}: {came - graded - troubles} to grade, with mha grade {number}"
    if waiting:
        yield f"Lesson {number}: {waiting} to mark by hand, in formgrader (mha lab --teach)"
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
        for part in _page(here, lesson, student):
            screen.print(part)


def _page(course, lesson, student):
    """Yield a page of feedback as text: its table, and each answer that has not all points, with its card."""
    trouble = trouble_of(course.coursedir, lesson, student, receipt(course.coursedir.root, lesson, student))
    if trouble or _feedback(course.coursedir, lesson, student) != MADE:
        command = f"No page of feedback on this grading yet: mha feedback {lesson} {student}"
        yield Text(harmless(f"Not graded: {trouble.removeprefix('not graded: ')}" if trouble else command))
        return
    shown = True
    for cell in nbformat.read(feedback_folder(course.coursedir, lesson, student) / f"{lesson}.ipynb", 4).cells:
        if cell.cell_type == "markdown" and not cell.id.startswith("comment_"):
            shown = cell.id == "points" or (cell.id.startswith("points_") and not ALL_POINTS.search(cell.source))
        if shown:
            yield from _cell(cell)


def _cell(cell):
    """Yield a cell and what it shows, on lines that a terminal shows and does not obey."""
    source = "\n".join(map(harmless, cell.source[:LONGEST].split("\n")))
    if source:
        code = Syntax(source, "python", theme="ansi_dark", background_color="default", word_wrap=True)
        yield Markdown(source) if cell.cell_type == "markdown" else code
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        card = " ".join(unescape(re.sub("<[^>]*>", " ", data.get("text/html", ""))).split())
        said = output.get("text") or output.get("evalue") or card or data.get("text/plain", "")
        yield Text("\n".join(map(harmless, said[:LONGEST].split("\n"))))
