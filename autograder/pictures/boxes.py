"""Shapes as boxes: the last three axes are width, height and depth."""

from ..shapes import named_axes, shape_in_words
from .picture import INK, Figure
from .svg import Drawing, below, beside, element, moved, width_of, words

UNIT, LARGEST = 18, 130  # pixels of an axis of length 1, and of a long one
SLANT = 0.45  # of what goes into the depth


def shapes(tensors):
    """A box for each: {title: an array, or (shape, words of its axes)}."""
    return Figure(tuple(box(title, *_shape_and_words(tensor)) for title, tensor in tensors.items()))


def _shape_and_words(tensor):
    if hasattr(tensor, "shape"):
        return tensor.shape, ()
    shape, axes = tensor
    return getattr(shape, "shape", shape), axes.split()


def box(title, shape, axes=()):
    """A picture of one shape: the last three axes are the box, the number of such boxes stands in front."""
    names = named_axes(axes, len(shape)) or ("",) * len(shape)
    drawn = _box([*zip(shape, names)][-3:])
    outer = [f"{size} {name}".strip() + " ×" for size, name in zip(shape[:-3], names)]
    if outer:
        drawn = beside(_lines(outer, drawn.height), drawn, gap=8)
    sizes = " × ".join(map(str, shape)) or "a single number"
    heading = [words(0, 13, title, 13, anchor="start", font_weight="bold"), words(0, 31, sizes, anchor="start")]
    head = Drawing(tuple(heading), max(width_of(title, 13), width_of(sizes)), 36)
    return below(head, drawn, gap=4).picture(f"A box: {title} has the shape {shape_in_words(shape, axes)}.")


def _lines(texts, height):
    drawn = [words(0, height / 2 + 16 * n, text, anchor="start") for n, text in enumerate(texts)]
    return Drawing(tuple(drawn), max(map(width_of, texts)), height)


def _box(axes):
    """[(depth, word)], (height, word), (width, word) -> a box with its edges named."""
    depth, height, width = [(0, ""), (1, ""), (1, "")][: 3 - len(axes)] + axes
    x, y = _length(width[0]), _length(height[0])
    away = SLANT * _length(depth[0])
    left = width_of(_edge(height)) + 8 if len(axes) > 1 else 0
    edges = [
        words(left - 8, away + y / 2 + 4, _edge(height), anchor="end") if len(axes) > 1 else "",
        words(left + x / 2, away + y + 16, _edge(width)) if axes else "",
        words(left + x + away / 2 + 6, away / 2 + y + 10, _edge(depth), anchor="start") if len(axes) > 2 else "",
    ]
    right = max(x + away + (width_of(_edge(depth)) if len(axes) > 2 else 0), x / 2 + width_of(_edge(width)) / 2)
    return Drawing(
        (moved(_faces(x, y, away, width[0], height[0], depth[0]), left, away), *edges), left + right, away + y + 20
    )


def _length(size):
    return min(UNIT * size, LARGEST)


def _edge(axis):
    return f"{axis[0]} {axis[1].replace('_', ' ')}".strip()


def _faces(x, y, away, columns, rows, sheets):
    """The front, and behind it the top and the right side; lines where there is room for them."""
    look = dict(stroke=INK, stroke_linejoin="round")
    front = element("path", d=f"M0 0H{x}V{y}H0Z", fill="#8ab6e0", fill_opacity=0.55, **look)
    if not sheets:
        return front + _lines_on(x, y, columns, rows)
    top = element("path", d=f"M0 0l{away} {-away}h{x}l{-away} {away}Z", fill="#8ab6e0", fill_opacity=0.25, **look)
    side = element("path", d=f"M{x} 0l{away} {-away}v{y}l{-away} {away}Z", fill="#8ab6e0", fill_opacity=0.4, **look)
    cuts = [away * n / sheets for n in range(1, sheets)] if sheets <= 8 else []
    sheets_seen = "".join(f"M{cut} {-cut}h{x}v{y}" for cut in cuts)
    return (
        top
        + side
        + front
        + _lines_on(x, y, columns, rows)
        + element("path", d=sheets_seen or "M0 0", fill="none", **look)
    )


def _lines_on(x, y, columns, rows):
    across = [f"M0 {y * n / rows}H{x}" for n in range(1, rows) if rows * UNIT <= LARGEST]
    down = [f"M{x * n / columns} 0V{y}" for n in range(1, columns) if columns * UNIT <= LARGEST]
    return element("path", d=" ".join(across + down) or "M0 0", stroke=INK, stroke_opacity=0.4, fill="none")
