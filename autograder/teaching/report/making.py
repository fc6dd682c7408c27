"""Making the reports of a course."""

from functools import cache, partial
from pathlib import Path

import click

from ...catalogue import LESSONS
from ...intake.course_folder import course, known
from ...intake.whole_files import whole, write_whole
from ...intake.wording import main_facts
from . import spreadsheets
from .counting import most_points, totals
from .misconceptions import later_exercises, right_or_wrong, shown, since
from .page import page
from .reading import REPORTS, is_graded, judged_in, read
from .table import workbook


def report(lessons=()):
    """Of each lesson (all that were handed in, if none is named) the page that was written, and its main facts."""
    here = course()
    lessons = [known(lesson) for lesson in lessons] or [lesson for lesson in LESSONS if is_graded(here, lesson)]
    if not lessons:
        raise click.ClickException(f"Nothing is graded here, in {here.coursedir.root}. First: mha grade LESSON")
    judged = cache(partial(judged_in, here))  # several reports look at the same lessons
    for lesson in lessons:
        yield _reported(here, lesson, judged)


def _reported(course, lesson, judged):
    results = read(course, lesson)
    place = LESSONS.index(lesson)
    earlier = [row for other in LESSONS[:place] for row in judged(other)]
    later = [row for other in LESSONS[place + 1 :] for row in judged(other)]
    misconceptions = shown(results.rows, right_or_wrong([*results.rows, *later]), later_exercises)
    files = {
        f"{lesson}.html": page(results, misconceptions, since(earlier, results.rows)),
        f"{lesson}.csv": spreadsheets.answers(results.rows, results.names),
        f"{lesson}_misconceptions.csv": spreadsheets.misconceptions(misconceptions),
    }
    folder = Path(course.coursedir.root, REPORTS)
    for name, text in files.items():
        write_whole(folder / name, text)
    with whole(folder / f"{lesson}.xlsx") as new:
        workbook(results).save(new)
    facts = main_facts(totals(results.rows), most_points(results.rows), results.not_graded)
    return folder / f"{lesson}.html", f"{facts}; {len(results.missing)} handed in nothing" if results.missing else facts
