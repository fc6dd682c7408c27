"""Plots: curves over common axes, bars with their numbers, and learners' own ones in matplotlib in the same look."""

import io

import numpy as np

from .grids import as_numbers
from .picture import GROUPS, HATCHED, INK, Drawing, Picture, below, beside, element, moved, rectangle, width_of, words

LINE = 18  # the height of a line of words, in pixels
COLOURS = ("#4a7ebb", "#d9822b", "#3a9d6e", "#b45fae")

DASHES = ({}, {"stroke_dasharray": "7 4"}, {"stroke_dasharray": "9 3 2 3"}, {"stroke_dasharray": "2 3"})
MARKS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z",
    "M-3 -3H3V3H-3Z",
    "M0 -4.5L4 3H-4Z",
    "M0 -4.5L4 0L0 4.5L-4 0Z",
)
MOST_MARKS = 30  # of a curve with more points, none is marked
WIDTH, HEIGHT = 400, 180  # of the curves
BAR, ROOM, GAP = 40, 140, 14  # the width of a bar; the height of the highest and the lowest; between two labels

ROUND = (1, 2, 5, 10)
MARGIN = 0.04  # of the length of an axis, before the first number and behind the last
ALIKE, LARGEST = 1e-9, 1e300  # numbers that differ by such a share; beyond it, no number is drawn
MOST_DECADES = 7  # that are all written
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

LOOK = {
    "figure.figsize": (5, 3.2),
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "legend.framealpha": 0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": "medium",
    "image.cmap": "Blues",
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
}
PIXELS = 100  # to the inch; twice as many are drawn, for screens that show them


class Axis:
    """An axis of so many pixels that holds all of these numbers that can be drawn, with a margin.

    log: whether each step multiplies by the same factor.
    """

    def __init__(self, numbers, length, log=False):
        drawn = _scaled(np.asarray(numbers, dtype=float), log)
        drawn = drawn[np.isfinite(drawn)]
        low, high = (drawn.min(), drawn.max()) if drawn.size else (0.0, 1.0)
        largest = max(abs(low), abs(high))
        margin = MARGIN * (high - low) if high - low > ALIKE * largest else 0.1 * largest or 0.5
        self.first, self.last, self.length, self.log = low - margin, high + margin, length, log

    def place(self, numbers):
        """Return the pixels from the start of the axis; nan for what cannot be drawn."""
        places = (_scaled(np.asarray(numbers, dtype=float), self.log) - self.first) / (self.last - self.first)
        return np.where(np.isfinite(places), places * self.length, np.nan)

    def ticks(self):
        """Return a few round numbers inside the axis, each with what is written beside it."""
        if self.log and self.last - self.first >= 2:
            exponents = range(int(np.ceil(self.first)), int(np.floor(self.last)) + 1)
            return [(10.0**n, _power(n)) for n in exponents[:: 1 + len(exponents) // MOST_DECADES]]
        first, last = (10**self.first, 10**self.last) if self.log else (self.first, self.last)
        about = (last - first) / 6
        power = 10.0 ** np.floor(np.log10(about))
        step = next(factor * power for factor in ROUND if factor * power >= about * 0.999)
        numbers = step * np.arange(np.ceil(first / step), np.floor(last / step) + 1)
        return [(number, _written(number)) for number in numbers.tolist()]


def _scaled(numbers, log):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(numbers) if log else np.where(abs(numbers) < LARGEST, numbers, np.nan)


def _power(n):
    return _written(10.0**n) if -3 <= n <= 4 else f"10{str(n).translate(SUPERSCRIPT)}"


def _written(number):
    return f"{round(number, 10) + 0.0:,g}".replace("-", "−")  # -0.0 + 0.0 is 0.0


def curves(lines, alt, x="", y="", title="", log_x=False, log_y=False):
    """Draw lines over a common axis: {label: (x values, y values)}. What is no finite number leaves a gap.

    They are told apart by colour, by dashes and by marks.
    """
    points = {label: (as_numbers(xs), as_numbers(ys)) for label, (xs, ys) in lines.items()}
    across = Axis(np.concatenate([xs for xs, _ in points.values()]), WIDTH, log_x)
    up = Axis(np.concatenate([ys for _, ys in points.values()]), HEIGHT, log_y)
    drawn = [_curve(across.place(xs), HEIGHT - up.place(ys), n) for n, (xs, ys) in enumerate(points.values())]
    said = [line(title, font_weight="bold")] if title else []
    for n, (label, (xs, _)) in enumerate(points.items()) if len(points) > 1 else ():
        sample = _stroke("M0 9H34", n) + _marks([17], [9], n, len(xs))
        said.append(Drawing((sample, words(42, 13, label, anchor="start")), 42 + width_of(label), LINE))
    said += [line(y, font_style="italic")] if y else []
    return below(*said, _framed("".join(drawn), across, up, x), gap=2).picture(alt)


def line(text, **look):
    return Drawing((words(0, 13, text, anchor="start", **look),), width_of(text), LINE)


def _curve(xs, ys, n):
    """Draw one line, broken where a point cannot be drawn, and its marks."""
    there = np.isfinite(xs) & np.isfinite(ys)
    starts = np.append(True, ~there[:-1])  # the pen is put down anew
    steps = [f"{'M' if new else 'L'}{a:.1f} {b:.1f}" for a, b, new in zip(xs[there], ys[there], starts[there])]
    return _stroke("".join(steps), n) + _marks(xs[there], ys[there], n, len(xs))


def _stroke(way, n):
    look = dict(fill="none", stroke=COLOURS[n % 4], stroke_width=2, stroke_linejoin="round")
    return element("path", d=way, **look, **DASHES[n % 4])


def _marks(xs, ys, n, number):
    places = zip(xs, ys) if number <= MOST_MARKS else ()
    return "".join(moved(element("path", d=MARKS[n % 4], fill=COLOURS[n % 4]), a, b) for a, b in places)


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


def bars(groups, labels, alt, y="", title="", top=None):
    """Draw bars beside each other: {group: heights}, one height for each label. `top`: the value of the full height."""
    heights = {group: as_numbers(values) for group, values in groups.items()}
    highest = top or max(0.0, *(float(values.max()) for values in heights.values())) or 1.0
    lowest = min(0.0, *(float(values.min()) for values in heights.values()))
    scale = ROOM / (highest - lowest)
    floor = ROOM + LINE * (2 if lowest < 0 else 1)  # the numbers of bars that hang down are below them
    columns = zip(labels, zip(*heights.values()))
    drawn = [_one_label(label, numbers, scale, LINE + scale * highest, floor) for label, numbers in columns]
    said = [line(y, font_style="italic")]
    for n, group in enumerate(heights) if len(heights) > 1 else ():
        name = words(20, 13, group, anchor="start")
        said.append(Drawing((_box(0, 2, 14, 14, n), name), 20 + width_of(group), LINE))
    head = [line(title, font_weight="bold")] if title else []
    return below(*head, beside(*said), beside(*drawn, gap=GAP), gap=4).picture(alt)


def _one_label(label, numbers, scale, ground, floor):
    """Draw the bars of one label up or down from their ground, each with its number at the end, and its name below."""
    width, drawn = max(BAR * len(numbers), width_of(label)), []
    for n, number in enumerate(numbers):
        height = scale * abs(number)
        start, end = (-height, -height - 5) if number >= 0 else (0, height + 14)
        bar = _box(3, start, BAR - 6, height, n) + words(BAR / 2, end, _short(number))
        drawn.append(moved(bar, (width - BAR * len(numbers)) / 2 + BAR * n, ground))
    line = element("path", d=f"M0 {ground:.1f}H{width:.1f}", stroke=INK)
    return Drawing((*drawn, line, words(width / 2, floor + LINE, label)), width, floor + LINE + 6)


def _box(x, y, width, height, group):
    """Draw the box of a bar. Every second group is hatched, so that colours need not be told apart."""
    hatch = rectangle(x, y, width, height, HATCHED) if group % 2 else ""
    return rectangle(x, y, width, height, GROUPS[group], stroke=INK, stroke_opacity=0.6) + hatch


def _short(number):
    """Write a number with two digits after the point, as long as they say something."""
    whole = float(number).is_integer() or abs(number) >= 100
    return f"{number:.0f}" if whole else f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"


def use_our_look():
    """Let pyplot draw on no paper and in mid-grey ink, and notebooks show its figures with words for them."""
    from cycler import cycler  # here: these take a second, and most who import our pictures need them not
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams.update(LOOK)
    rcParams["axes.prop_cycle"] = cycler(color=COLOURS) + cycler(linestyle=("-", "--", "-.", ":"))
    # Not a formatter of IPython, which forgets those for figures with each `%matplotlib inline`.
    Figure._repr_html_ = lambda figure: picture_of(figure)._repr_html_()


def picture_of(figure):
    """Return what a figure shows as a Picture."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", bbox_inches="tight", dpi=2 * PIXELS, facecolor="none")
    width = int.from_bytes(drawn.getvalue()[16:20]) // 2  # where a PNG says how wide it is
    shown = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    return Picture(drawn.getvalue(), " ".join(map(words_of, shown)), width)


def words_of(axes):
    """Say what axes show: their title and labels, where each line begins and ends, the extremes of each table."""
    x, y = (name or "without a name" for name in (axes.get_xlabel(), axes.get_ylabel()))
    said = [f"A plot: {axes.get_title() or 'without a title'}. Horizontal axis: {x}. Vertical axis: {y}."]
    for drawn in axes.get_lines():
        name = "A line" if drawn.get_label().startswith("_") else drawn.get_label()
        x, y = (np.asarray(data, dtype=float) for data in drawn.get_data())
        if len(x):
            first, last = (f"{_spoken(y[n])} at {_spoken(x[n])}" for n in (0, -1))
            said.append(f"{name}: from {first} to {last}.")
    for table in (image.get_array() for image in axes.get_images()):
        said.append(f"A table of {table.shape[0]} by {table.shape[1]}, from {table.min():.2f} to {table.max():.2f}.")
        said += _largest_in_rows(axes, table)
    return " ".join(said)


def _spoken(number):
    """Write a large number as people read it, 8,192 and not 8.19e+03."""
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"


def _largest_in_rows(axes, table):
    """Say which column is the largest in each row, where rows and columns have names."""
    rows, columns = ([label.get_text() for label in axis.get_ticklabels()] for axis in (axes.yaxis, axes.xaxis))
    if (len(rows), len(columns)) != table.shape:
        return []
    found = (f"{name}: {columns[row.argmax()]} {row.max():.2f}" for name, row in zip(rows, table))
    return [f"The largest in each row: {'; '.join(found)}."]
