"""Write the report as one self-contained page: no network, no script, and pictures as plain SVG."""

from collections import Counter
from datetime import date
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...grading.pages import shortened
from ...intake.students import whom
from ...intake.wording import count, lesson_in_words, listed, main_facts, name_in_words, number, reason_in_words
from ...intake.wording import points as points_in_words
from ...learner.card import marked_up
from ...pictures.axis import Axis
from ...pictures.picture import GROUPS, INK
from ...pictures.svg import Drawing, element, moved, rectangle, words
from ..feedback.html import REST_OF_CODE
from .counting import (
    KINDS,
    RARE,
    WITH_RIGHT_PARTS,
    hardest,
    most_points,
    sign,
    signs_in,
    table_of,
    tallies,
    told,
    totals,
    unexplained,
)
from .misconceptions import skeleton

HERE = Path(__file__).parent
SMALL = 5  # submissions: with fewer, counts say little
LONGEST = 5_000  # characters of the code that is shown of an answer
BLUE, ORANGE, GREEN, _, RED, GREY, *_ = GROUPS
COLOURS = dict(zip(KINDS, (GREEN, GREEN, ORANGE, BLUE, "none", RED, GREY)))
# Lines over each colour, in a box of 7 by 7, so that colours need not be told apart.
LINES = dict(zip(KINDS, ("", "M0 3.5H7", "M0 7L7 0", "M0 0L7 7", "", "M0 7L7 0M0 0L7 7", "M3.5 0V7")))
MOST_BARS = 40
WIDTH, HEIGHT, LEFT, LOW = 730, 180, 50, 16  # of the bars; of what is left of them; of a strip


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
            swatches={kind: _shown(strip({kind: 1}, 28)) for kind in kinds},
            tallies=each,
            hardest=hardest(each),
            strips={tally.exercise: _shown(strip(tally.kinds, 200)) for tally in each if not tally.by_hand},
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
        "codes": lambda names: Markup(listed(map(Markup("<code>{}</code>").format, names)).replace(" and ", " or ")),
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
    written = Markup.escape(name_in_words(name))
    return written + Markup(f": {marked_up(choices[name])}") if name in choices else written


def _linked(name, page):
    """Return a student's name, with a link to their page of feedback if there is one."""
    return Markup('<a href="{}">{}</a>').format(page, name) if page else name


def _shown(picture):
    return Markup(picture._repr_html_())


def _paragraphs(message):
    """Return a message as paragraphs with `code` and *emphasis*, as on the cards."""
    parts = (part for part in message.split("\n\n") if part)
    return Markup("").join(Markup("<p>{}</p>").format(Markup(marked_up(part))) for part in parts)


def histogram(points, of):
    """Draw how many students have how many points, and their mean. points: a list."""
    width = max(1, round(of / MOST_BARS))
    heights = Counter(int(p // width * width) for p in points)
    mean = sum(points) / len(points)
    across, up = Axis(-0.7 * width, of + 0.7 * width, WIDTH), Axis(0, 1.05 * max(heights.values()), HEIGHT)
    bars = [_bar(across, up, start, height, width) for start, height in heights.items()]
    place = f"{across.place(mean):.1f}"
    drawn = [
        *bars,
        element("path", d=f"M{place} 0V{HEIGHT}", stroke=INK, stroke_dasharray="4 3"),
        words(place, -6, f"mean {number(mean)}"),
        element("path", d=f"M0 0V{HEIGHT}H{WIDTH}", stroke=INK, fill="none"),
        *(words(f"{across.place(x):.1f}", HEIGHT + 18, text) for x, text in across.ticks()),
        *(words(-8, f"{HEIGHT + 4 - up.place(y):.1f}", text, anchor="end") for y, text in up.ticks() if y % 1 == 0),
        words(WIDTH / 2, HEIGHT + 38, f"points, of {number(of)}"),
        moved(words(0, 0, "submissions", transform="rotate(-90)"), -36, HEIGHT / 2),
    ]
    told = ", ".join(
        f"{n} with {start if width == 1 else f'{start} to {start + width}'} points"
        for start, n in sorted(heights.items())
    )
    alt = f"Histogram of points, mean {number(mean)} of {number(of)}: {told}."
    return Drawing((moved("".join(drawn), LEFT, 20),), LEFT + WIDTH, HEIGHT + 64).picture(alt)


def _bar(across, up, start, height, width):
    left, right = (float(across.place(start + side * width)) for side in (-0.41, 0.41))
    top = float(up.place(height))
    place = f"{left:.1f}", f"{HEIGHT - top:.1f}", f"{right - left:.1f}", f"{top:.1f}"
    return rectangle(*place, fill=BLUE, stroke=INK, stroke_width=0.6)


def strip(kinds, width=300):
    """Draw one bar in pieces: kind -> how many. width: of all of it, in pixels."""
    drawn, left, scale = [], 0.0, width / sum(kinds.values())
    shown = {kind: kinds[kind] for kind in COLOURS if kinds.get(kind)}
    for n, (kind, many) in enumerate(shown.items()):
        place = f"{left:.1f}", 0, f"{many * scale:.1f}", LOW
        lines = element("path", d=LINES[kind], stroke=INK, stroke_width=0.6)
        pattern = element("pattern", lines, id=f"p{n}", width=7, height=7, patternUnits="userSpaceOnUse")
        drawn += [pattern, rectangle(*place, fill=COLOURS[kind]), rectangle(*place, fill=f"url(#p{n})", stroke=INK)]
        left += many * scale
    return Drawing(tuple(drawn), width, LOW).picture(", ".join(f"{n} {kind}" for kind, n in shown.items()), margin=1)
