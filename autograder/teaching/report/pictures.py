"""Draw the report's pictures with matplotlib, as SVG: sharp on paper, legible on white and on black."""

from collections import Counter
from io import BytesIO

from ...intake.wording import number
from ...pictures.picture import GROUPS, INK, Picture
from .counting import KINDS

BLUE, ORANGE, GREEN, _, RED, GREY, *_ = GROUPS
HATCHES = "", "---", "////", r"\\\\", "", "xxxx", "||||"  # so that colours need not be told apart
LOOKS = dict(zip(KINDS, zip((GREEN, GREEN, ORANGE, BLUE, "none", RED, GREY), HATCHES)))
SETTINGS = {"svg.hashsalt": "report", "hatch.linewidth": 0.6, "font.size": 10}  # the same page twice: the same bytes
MOST_BARS = 40


def histogram(points, of):
    """Draw how many students have how many points, and their mean. points: a list."""
    width = max(1, round(of / MOST_BARS))
    heights = Counter(int(p // width * width) for p in points)
    mean = sum(points) / len(points)

    def draw(plot):
        plot.bar(heights.keys(), heights.values(), width=0.82 * width, color=BLUE, edgecolor=INK, linewidth=0.6)
        plot.axvline(mean, color=INK, linestyle=(0, (4, 3)), linewidth=1)
        plot.text(mean, 1, f"  mean {number(mean)}", transform=plot.get_xaxis_transform(), va="bottom", color=INK)
        plot.set(xlabel=f"points, of {number(of)}", ylabel="submissions", xlim=(-0.7 * width, of + 0.7 * width))
        plot.locator_params(integer=True)
        plot.spines[["top", "right"]].set_visible(False)

    told = ", ".join(f"{n} with {_bin(start, width)}" for start, n in sorted(heights.items()))
    return _picture(
        draw, (8.4, 2.8), (0.07, 0.19, 0.92, 0.72), f"Histogram of points, mean {number(mean)} of {number(of)}: {told}."
    )


def _bin(start, width):
    return f"{start} points" if width == 1 else f"{start} to {start + width} points"


def strip(kinds, width=3.0):
    """Draw one bar in pieces: kind -> how many."""

    def draw(plot):
        left = 0
        for kind, (colour, hatch) in LOOKS.items():
            look = dict(color=colour, edgecolor=INK, linewidth=0.6, hatch=hatch)
            plot.barh(0, kinds.get(kind, 0), left=left, **look) if kinds.get(kind) else None
            left += kinds.get(kind, 0)
        plot.set(xlim=(-left / 300, left * 1.004), ylim=(-0.45, 0.45))
        plot.axis("off")

    alt = ", ".join(f"{kinds[kind]} {kind}" for kind in LOOKS if kinds.get(kind))
    return _picture(draw, (width, 0.17), (0, 0, 1, 1), alt)


def _picture(draw, size, place, alt):
    """Make a Picture of a new figure. size: in inches; place: of the axes, in shares of the figure."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(SETTINGS):
        figure = Figure(figsize=size, facecolor="none")
        plot = figure.add_axes(place)
        draw(plot)
        _in_grey(plot)
        svg = BytesIO()
        figure.savefig(svg, format="svg", transparent=True, metadata={"Date": None})
    return Picture(svg.getvalue(), alt, int(96 * size[0]), "svg+xml")


def _in_grey(plot):
    plot.set_facecolor("none")
    plot.tick_params(colors=INK)
    for part in (plot.xaxis.label, plot.yaxis.label):
        part.set_color(INK)
    for spine in plot.spines.values():
        spine.set_edgecolor(INK)
