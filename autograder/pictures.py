"""Pictures for lessons: one look, legible on light and dark pages, always with words for those who cannot see them."""

import base64
from dataclasses import dataclass
from html import escape
from io import BytesIO

import numpy as np

from .outcome import to_array

INK = "#7f7f7f"  # mid-grey: legible on white and on black
COLOURS = ("#4a7ebb", "#d9822b", "#3a9d6e", "#b45fae")  # told apart by markers and labels too
MARKERS = "osD^"


@dataclass(frozen=True)
class Picture:
    """A PNG with its description."""

    png: bytes
    alt: str
    width: int

    def _repr_html_(self):
        data = f"data:image/png;base64,{base64.b64encode(self.png).decode()}"
        return f'<img src="{data}" alt="{escape(self.alt)}" style="width:{self.width}px;max-width:100%;border:0">'

    def __repr__(self):
        return f"[picture: {self.alt}]"


def heatmap(values, alt, title="", rows="queries", columns="keys", row_labels=None, column_labels=None, digits=2):
    """Numbers of a matrix as colours, with the numbers written in."""
    return heatmaps({title: values}, alt, rows, columns, row_labels, column_labels, digits)


def heatmaps(matrices, alt, rows="queries", columns="keys", row_labels=None, column_labels=None, digits=2):
    """Several matrices side by side on one scale: {title: matrix}."""
    matrices = {title: _array(values) for title, values in matrices.items()}
    finite = np.concatenate([m[np.isfinite(m)] for m in matrices.values()])
    low, high = min(0.0, finite.min(initial=0)), finite.max(initial=0)
    figure, axes = _canvas([0.55 * m.shape[1] + 1.2 for m in matrices.values()], _height(matrices))
    for plot, (title, values) in zip(axes, matrices.items()):
        plot.imshow(values, cmap="Blues", vmin=low, vmax=max(high, low + 1e-9), aspect="auto")
        _write_numbers(plot, values, low, high, digits)
        plot.set(title=title, ylabel=rows, xlabel=columns)
        plot.set_yticks(range(values.shape[0]), row_labels or range(values.shape[0]))
        plot.set_xticks(range(values.shape[1]), column_labels or range(values.shape[1]))
        plot.tick_params(length=0)
    return _finish(figure, alt)


def curves(lines, alt, x="", y="", title="", log_x=False, log_y=False):
    """Lines over a common axis: {label: (x values, y values)}."""
    figure, (plot,) = _canvas([5.2], 3.0)
    for n, (label, (xs, ys)) in enumerate(lines.items()):
        marker = MARKERS[n % 4] if len(xs) <= 30 else None
        plot.plot(
            xs,
            ys,
            label=label,
            color=COLOURS[n % 4],
            marker=marker,
            markersize=4,
            linestyle=("-", "--", "-.", ":")[n % 4],
        )
    plot.set(xlabel=x, ylabel=y, title=title)
    plot.set_xscale("log" if log_x else "linear")
    plot.set_yscale("log" if log_y else "linear")
    if len(lines) > 1:
        plot.legend(frameon=False, labelcolor=INK)
    return _finish(figure, alt)


def bars(groups, labels, alt, y="", title="", top=None):
    """Bars beside each other: {group: heights}, one height for each label. `top`: where the axis ends."""
    figure, (plot,) = _canvas([max(4.0, 0.5 * len(labels) * len(groups))], 2.6)
    width = 0.8 / len(groups)
    for n, (group, heights) in enumerate(groups.items()):
        places = np.arange(len(labels)) + (n - (len(groups) - 1) / 2) * width
        plot.bar(places, heights, width, label=group, color=COLOURS[n % 4], hatch=("", "//", "..", "xx")[n % 4])
    plot.set(ylabel=y, title=title, ylim=(None, top))
    plot.set_xticks(range(len(labels)), labels)
    if len(groups) > 1:
        plot.legend(frameon=False, labelcolor=INK)
    return _finish(figure, alt)


def _array(values):
    """Numbers of an array or a tensor, wherever it lies and whatever is known of its gradients."""
    return np.asarray(to_array(values), dtype=float)


def _canvas(widths, height):
    from matplotlib.figure import Figure  # here: a lesson that draws nothing does not wait for it

    figure = Figure(figsize=(sum(widths), height), layout="constrained", facecolor="none")
    return figure, figure.subplots(1, len(widths), squeeze=False, width_ratios=widths)[0]


def _height(matrices):
    return 0.45 * max(m.shape[0] for m in matrices.values()) + 1.1


def _write_numbers(plot, values, low, high, digits):
    middle = (low + high) / 2
    for (row, column), number in np.ndenumerate(values):
        text = f"{number:.{digits}f}" if np.isfinite(number) else str(number).replace("inf", "∞")
        ink = INK if not np.isfinite(number) else "white" if number > middle else "#333333"  # there is no colour below
        plot.text(column, row, text, ha="center", va="center", color=ink, fontsize=9)


def _finish(figure, alt):
    for plot in figure.axes:
        plot.set_facecolor("none")
        plot.tick_params(colors=INK, which="both")
        for part in (plot.title, plot.xaxis.label, plot.yaxis.label, *plot.spines.values()):
            (part.set_edgecolor if hasattr(part, "set_edgecolor") else part.set_color)(INK)
    png = BytesIO()
    figure.savefig(png, format="png", dpi=144, transparent=True)
    return Picture(png.getvalue(), alt, int(figure.get_figwidth() * 96))
