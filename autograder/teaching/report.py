"""Write the reports of a course: of each lesson a page that needs neither network nor script, and two tables."""

from collections import Counter
from datetime import date
from functools import cache, partial
from pathlib import Path

import click
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ..catalogue import LESSONS
from ..grading.outputs import shortened
from ..intake import wording
from ..intake.course_folder import course, receipts
from ..intake.names import whom
from ..intake.platforms import as_csv
from ..intake.whole_files import write_whole
from ..learner.card import marked_up
from . import counting
from .counting import right_or_wrong, since, skeleton
from .gradebook import REPORTS, judged_in, read, trouble_with
from .rendering import REST_OF_CODE

TEMPLATES = Path(__file__).parent / "templates" / "report"
COLUMNS = ("student", "name", "exercise", "points", "of", "reason", "misconception", "also", "what is wrong", "message")
SMALL = 5  # submissions: with fewer, counts say little
LONGEST = 5_000  # characters of the code that is shown of an answer
MOST_BARS = 40


def report(lessons=()):
    """Yield, for each lesson (all that were handed in, if none is named), its page and its main facts."""
    here = course()

    def is_graded(lesson):
        noted, coursedir = receipts(here.coursedir.root, lesson), here.coursedir
        students = here.get_submitted_students(lesson)
        return not all(trouble_with(coursedir, lesson, student, noted.get(student, {})) for student in students)

    lessons = lessons or list(filter(is_graded, LESSONS))
    if not lessons:
        raise click.ClickException(f"Nothing is graded here, in {here.coursedir.root}. First: mha grade LESSON")
    judged = cache(partial(judged_in, here))  # several reports look at the same lessons
    for lesson in lessons:
        yield _reported(here, lesson, judged)


def _reported(course, lesson, judged):
    results, place = read(course, lesson), LESSONS.index(lesson)
    earlier = [row for other in LESSONS[:place] for row in judged(other)]
    later = [row for other in LESSONS[place + 1 :] for row in judged(other)]
    found = counting.shown(results.rows, right_or_wrong([*results.rows, *later]))
    folder = Path(course.coursedir.root, REPORTS)
    write_whole(folder / f"{lesson}.html", page(results, found, since(earlier, results.rows)))
    write_whole(folder / f"{lesson}_points.csv", points_as_csv(results.rows, results.names))
    write_whole(folder / f"{lesson}.csv", answers_as_csv(results.rows, results.names))
    facts = wording.main_facts(*counting.compared(results.rows), results.not_graded)
    missing = f"; {len(results.missing)} handed in nothing" if results.missing else ""
    waiting = wording.left_out(counting.waiting(results.rows))
    return folder / f"{lesson}.html", f"{facts}{missing}" + f"\n{waiting}." * bool(waiting)


def page(results, misconceptions, earlier=()):
    """Return the page as HTML. misconceptions: exercise -> Shown, most frequent first; earlier: of lessons before."""
    rows, each = results.rows, counting.tallies(results.rows)
    (reached, of), today = counting.compared(rows), date.today()
    there = {kind for tally in each for kind in tally.kinds}
    everything = [one for found in misconceptions.values() for one in found]
    template = _environment(results.names).get_template("page.html")
    return template.render(
        results=results,
        title=wording.lesson_in_words(results.lesson),
        style=Markup((TEMPLATES / "page.css").read_text(encoding="utf-8")),
        date=f"{today.day} {today:%B %Y}",
        main_facts=wording.main_facts(reached, of, results.not_graded),
        left_out=wording.left_out(counting.waiting(rows)),
        most=max(everything, key=lambda one: len(one.students), default=None),
        few=len(reached) < SMALL,
        of=of,
        mean=sum(reached.values()) / len(reached),
        bars=bars(reached.values(), of),
        all_kinds=counting.KINDS,
        kinds=[kind for kind in counting.KINDS if kind not in counting.RARE or kind in there],
        tallies=each,
        hardest=counting.hardest(each),
        misconceptions=misconceptions,
        compared=any(one.compared for one in everything),
        earlier=earlier,
        groups=counting.unexplained(rows),
        with_right_parts=counting.WITH_RIGHT_PARTS in there,
        sums=counting.totals(rows),
        table=counting.table_of(rows, results.names),
        signs={one: words for one, words in counting.IN_WORDS.items() if one in set(map(counting.sign, rows))},
    )


def _environment(names):
    """Return Jinja's environment, which escapes everything that is not our own markup. names: of students."""
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    environment.filters |= {name: getattr(wording, name) for name in ("number", "count", "listed", "points")}
    environment.filters |= {
        "in_words": wording.name_in_words,
        "code": lambda code: shortened(code, LONGEST, REST_OF_CODE),
        "codes": _codes,
        "marked_up": lambda text: Markup(marked_up(text)),
        "reason": wording.reason_in_words,
        "skeleton": lambda group: skeleton(group.shown),
        "whom": lambda student: whom(student, names),
        "sign": counting.sign,
        "told": counting.told,
    }
    environment.tests["several"] = lambda them: len(them) > 1
    return environment


def _codes(names):
    return Markup(wording.listed(map(Markup("<code>{}</code>").format, names)).replace(" and ", " or "))


def bars(points, of):
    """Return a histogram of points, with empty bars: (first points, last points, how many students have them)."""
    width = max(1, round(of / MOST_BARS))
    heights = Counter(int(one // width) for one in points)
    last = max(*heights, int(of // width))
    return [(n * width, n * width + width - 1, heights[n]) for n in range(min(*heights, 0), last + 1)]


def points_as_csv(rows, names):
    """Return a table with one line for each student, and a column for each exercise. names: student -> name."""
    most, reached = {row.exercise: row.of for row in rows}, counting.totals(rows)
    lines = [("", "out of", *most.values(), sum(most.values()))]
    for student, line in counting.table_of(rows, names).items():
        each = [line[name].points if name in line else "" for name in most]
        lines.append((student, names.get(student, ""), *each, reached[student]))
    return as_csv(("student", "name", *most, "sum"), lines)


def answers_as_csv(rows, names):
    """Return a table with one line for each student and exercise. names: student -> name."""
    lines = (
        (row.student, names.get(row.student, ""), row.exercise, row.points, row.of)
        + (row.reason, row.misconception, row.also, wording.broken_in_words(row.property), row.message)
        for row in rows
    )
    return as_csv(COLUMNS, lines)
