"""Write the report as one self-contained page: no network, no script."""

from datetime import date
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...grading.pages import shortened
from ...intake.students import whom
from ...intake.wording import count, lesson_in_words, listed, main_facts, name_in_words, number, reason_in_words
from ...intake.wording import points as points_in_words
from ...learning.card import marked_up
from ..feedback.html import REST_OF_CODE
from .counting import (
    KINDS,
    RARE,
    WITH_RIGHT_PARTS,
    hardest,
    most_points,
    tallies,
    totals,
    unexplained,
)
from .pictures import histogram, strip
from .skeleton import skeleton
from .table import sign, signs_in, table_of, told

HERE = Path(__file__).parent
SMALL = 5  # submissions: with fewer, counts say little
LONGEST = 5_000  # characters of the code that is shown of an answer


def page(results, misconceptions, earlier=()):
    """Return the page as HTML. misconceptions: exercise -> Shown, most frequent first; earlier: of lessons before."""
    rows, points, today = results.rows, totals(results.rows), date.today()
    each, of = tallies(rows), most_points(rows)
    everything = [one for found in misconceptions.values() for one in found]
    kinds = [kind for kind in KINDS if kind not in RARE or any(kind in tally.kinds for tally in each)]
    return (
        _environment(results.names, results.choices, results.pages)
        .get_template("page.html")
        .render(
            title=lesson_in_words(results.lesson),
            style=Markup((HERE / "page.css").read_text(encoding="utf-8")),
            date=f"{today.day} {today:%B %Y}",
            main_facts=main_facts(points, of, results.not_graded),
            most=max(everything, key=lambda one: len(one.students), default=None),
            few=len(points) < SMALL,
            histogram=_shown(histogram(list(points.values()), of)),
            kinds=kinds,
            swatches={kind: _shown(strip({kind: 1}, 0.3)) for kind in kinds},
            tallies=each,
            hardest=hardest(each),
            strips={tally.exercise: _shown(strip(tally.kinds, 2.1)) for tally in each if not tally.by_hand},
            misconceptions=misconceptions,
            own_numbers=results.own_numbers,
            compared=any(one.compared for one in everything),
            earlier=earlier,
            groups=unexplained(rows),
            with_right_parts=any(WITH_RIGHT_PARTS in tally.kinds for tally in each),
            not_graded=results.not_graded,
            table=table_of(rows, results.names),
            signs=signs_in(rows),
            missing=results.missing,
            excused=results.excused,
        )
    )


def _environment(names, choices, pages):
    """Return Jinja's environment, which escapes everything that is not our own markup.

    names: of students; choices: of misconceptions that are a letter, what it means; pages: of feedback.
    """
    environment = Environment(loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined)
    environment.filters |= {
        "in_words": lambda name: _in_words(name, choices),
        "number": number,
        "count": count,
        "listed": listed,
        "code": lambda code: shortened(code, LONGEST, REST_OF_CODE),
        "codes": _codes,
        "paragraphs": _paragraphs,
        "reason": reason_in_words,
        "skeleton": lambda group: skeleton(group.shown),
        "whom": lambda student: whom(student, names),
        "linked": lambda student: _linked(whom(student, names), pages.get(student)),
        "points": points_in_words,
        "sign": sign,
        "told": told,
        "kind": lambda row: {"✓": "ok", "(✓)": "ok", "✗": "no", "!": "no"}.get(sign(row), "other"),
    }
    environment.tests["several"] = lambda them: len(them) > 1
    return environment


def _in_words(name, choices):
    """Return a wrong choice with its text."""
    words = Markup.escape(name_in_words(name))
    return words + Markup(f": {marked_up(choices[name])}") if name in choices else words


def _linked(name, page):
    """Return a student's name, with a link to their page of feedback if there is one."""
    return Markup('<a href="{}">{}</a>').format(page, name) if page else name


def _shown(picture):
    return Markup(picture._repr_html_())


def _codes(names):
    return Markup(listed(Markup("<code>{}</code>").format(name) for name in names).replace(" and ", " or "))


def _paragraphs(message):
    """Return a message as paragraphs with `code` and *emphasis*, as on the cards."""
    parts = (part for part in message.split("\n\n") if part)
    return Markup("").join(Markup("<p>{}</p>").format(Markup(marked_up(part))) for part in parts)
