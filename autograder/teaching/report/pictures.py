"""Draw the report's pictures as plain SVG: sharp on paper, legible on white and on black."""

from collections import Counter

from ...intake.wording import number
from ...pictures.axis import Axis
from ...pictures.picture import GROUPS, INK
from ...pictures.svg import Drawing, element, moved, rectangle, words
from .counting import KINDS

BLUE, ORANGE, GREEN, _, RED, GREY, *_ = GROUPS
COLOURS = dict(zip(KINDS, (GREEN, GREEN, ORANGE, BLUE, "none", RED, GREY)))
# Lines over each colour, in a box of 7 by 7, so that colours need not be told apart.
LINES = dict(zip(KINDS, ("", "M0 3.5H7", "M0 7L7 0", "M0 0L7 7", "", "M0 7L7 0M0 0L7 7", "M3.5 0V7")))
MOST_BARS = 40
WIDTH, HEIGHT, LEFT, LOW = 730, 180, 50, 16  # of the bars; of what is left of them; of a strip


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
