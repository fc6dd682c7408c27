"""Curves, drawn by matplotlib."""

from io import BytesIO

from .picture import INK, Picture

COLOURS = ("#4a7ebb", "#d9822b", "#3a9d6e", "#b45fae")  # told apart by markers and labels too
MARKERS = "osD^"


def curves(lines, alt, x="", y="", title="", log_x=False, log_y=False):
    """Lines over a common axis: {label: (x values, y values)}."""
    figure, plot = _canvas(5.2, 3.0)
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


def _canvas(width, height):
    from matplotlib.figure import Figure  # here: a lesson that draws nothing does not wait for it

    figure = Figure(figsize=(width, height), facecolor="none")
    return figure, figure.subplots()


def _make_room(figure):
    """For words and numbers around the axes: once, where a figure with a layout of its own is drawn twice."""
    from matplotlib.layout_engine import TightLayoutEngine

    TightLayoutEngine(pad=0.4).execute(figure)


def _finish(figure, alt):
    (plot,) = figure.axes
    plot.set_facecolor("none")
    plot.tick_params(colors=INK, which="both")
    for part in (plot.title, plot.xaxis.label, plot.yaxis.label, *plot.spines.values()):
        (part.set_edgecolor if hasattr(part, "set_edgecolor") else part.set_color)(INK)
    _make_room(figure)
    png = BytesIO()
    figure.savefig(png, format="png", dpi=144, transparent=True)
    return Picture(png.getvalue(), alt, int(figure.get_figwidth() * 96))
