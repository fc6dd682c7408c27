"""Shapes as boxes: the last three axes are width, height and depth."""

from ..shapes import named_axes
from .picture import INK
from .svg import Drawing, below, beside, element, moved, width_of, words

UNIT, LARGEST = 18, 130  # pixels of an axis of length 1, and of a long one
SLANT = 0.45  # of what goes into the depth


def shapes(tensors, alt):
    """Boxes side by side: {title: shape, or (shape, words of its axes), or an array}."""
    boxes = [_titled_box(title, *_shape_and_words(tensor)) for title, tensor in tensors.items()]
    return beside(*boxes, gap=36).picture(alt)


def _shape_and_words(tensor):
    if hasattr(tensor, "shape"):
        return tuple(tensor.shape), ()
    if len(tensor) == 2 and not isinstance(tensor[0], int):
        shape, axes = tensor
        return tuple(getattr(shape, "shape", shape)), tuple(axes.split() if isinstance(axes, str) else axes)
    return tuple(tensor), ()


def _titled_box(title, shape, axes):
    """The last three axes are the box; how many such boxes there are stands in front."""
    names = named_axes(axes, len(shape)) or ("",) * len(shape)
    box = _box([*zip(shape, names)][-3:])
    outer = [f"{size} {name}".strip() + " ×" for size, name in zip(shape[:-3], names)]
    heading = Drawing((words(0, 13, title, 13, anchor="start", font_weight="bold"),), width_of(title, 13), 18)
    sizes = " × ".join(map(str, shape)) or "a single number"
    numbers = Drawing((words(0, 12, sizes, anchor="start"),), width_of(sizes), 18)
    if outer:
        box = beside(_lines(outer, box.height), box, gap=8)
    return below(heading, numbers, box, gap=4)


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
