"""Curves over a common axis, told apart by colour, by dashes and by marks."""

import numpy as np

from .axis import Axis
from .grids import as_numbers
from .picture import INK
from .svg import Drawing, below, element, moved, width_of, words

WIDTH, HEIGHT, LINE = 400, 180, 18  # of the plot; of a line of words
COLOURS = ("#4a7ebb", "#d9822b", "#3a9d6e", "#b45fae")
DASHES = ({}, {"stroke_dasharray": "7 4"}, {"stroke_dasharray": "9 3 2 3"}, {"stroke_dasharray": "2 3"})
MARKS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z",
    "M-3 -3H3V3H-3Z",
    "M0 -4.5L4 3H-4Z",
    "M0 -4.5L4 0L0 4.5L-4 0Z",
)
MOST_MARKS = 30  # of a curve with more points, none is marked


def curves(lines, alt, x="", y="", title="", log_x=False, log_y=False):
    """Draw lines over a common axis: {label: (x values, y values)}. What is no finite number leaves a gap."""
    points = {label: (as_numbers(xs), as_numbers(ys)) for label, (xs, ys) in lines.items()}
    across = Axis.over(np.concatenate([xs for xs, _ in points.values()]), WIDTH, log_x)
    up = Axis.over(np.concatenate([ys for _, ys in points.values()]), HEIGHT, log_y)
    drawn = [_curve(across.place(xs), HEIGHT - up.place(ys), n) for n, (xs, ys) in enumerate(points.values())]
    said = [_line(title, font_weight="bold")] if title else []
    said += [_name(label, n, len(xs)) for n, (label, (xs, _)) in enumerate(points.items())] if len(points) > 1 else []
    said += [_line(y, font_style="italic")] if y else []
    return below(*said, _framed("".join(drawn), across, up, x), gap=2).picture(alt)


def _curve(xs, ys, n):
    """Draw one line, broken where a point cannot be drawn, and its marks."""
    there = np.isfinite(xs) & np.isfinite(ys)
    starts = np.append(True, ~there[:-1])  # the pen is put down anew
    steps = [f"{'M' if new else 'L'}{a:.1f} {b:.1f}" for a, b, new in zip(xs[there], ys[there], starts[there])]
    return _stroke("".join(steps), n) + "".join(_marks(xs[there], ys[there], n, len(xs)))


def _stroke(way, n):
    look = dict(fill="none", stroke=COLOURS[n % 4], stroke_width=2, stroke_linejoin="round")
    return element("path", d=way, **look, **DASHES[n % 4])


def _marks(xs, ys, n, number):
    for a, b in zip(xs, ys) if number <= MOST_MARKS else ():
        yield moved(element("path", d=MARKS[n % 4], fill=COLOURS[n % 4]), a, b)


def _name(label, n, number):
    """Draw a piece of a curve, and what it is called."""
    sample = _stroke("M0 9H34", n) + "".join(_marks([17], [9], n, number))
    return Drawing((sample, words(42, 13, label, anchor="start")), 42 + width_of(label), LINE)


def _line(text, **look):
    return Drawing((words(0, 13, text, anchor="start", **look),), width_of(text), LINE)


def _framed(inside, across, up, x):
    """Draw the curves on their two axes, with lines and numbers along them."""
    left = 10 + max((width_of(text, 11) for _, text in up.ticks()), default=0)
    rows = [(HEIGHT - up.place(number), text) for number, text in up.ticks()]
    columns = [(across.place(number), text) for number, text in across.ticks()]
    lines = [f"M0 {place:.1f}H{WIDTH}" for place, _ in rows] + [f"M{place:.1f} 0V{HEIGHT}" for place, _ in columns]
    parts = [
        moved(element("path", d="".join(lines), stroke=INK, stroke_opacity=0.25, fill="none"), left, 6),
        moved(element("path", d=f"M0 0V{HEIGHT}H{WIDTH}", stroke=INK, fill="none"), left, 6),
        moved(inside, left, 6),
        *(words(left - 6, f"{10 + place:.1f}", text, 11, anchor="end") for place, text in rows),
        *(words(f"{left + place:.1f}", HEIGHT + 21, text, 11) for place, text in columns),
        words(left + WIDTH / 2, HEIGHT + 40, x, font_style="italic"),
    ]
    return Drawing(tuple(parts), left + WIDTH + 16, HEIGHT + (46 if x else 26))
