"""Learners' own plots in matplotlib: legible on light and dark pages like ours, and with words like ours."""

import io

import numpy as np

from .picture import INK, Picture
from .plots import COLOURS

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
    for line in axes.get_lines():
        name = "A line" if line.get_label().startswith("_") else line.get_label()
        x, y = (np.asarray(data, dtype=float) for data in line.get_data())
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
