"""Shapes as boxes: the last three axes are width, height and depth."""

from ..shapes import counted, named_axes, shape_in_words
from .picture import INK, Figure
from .svg import Drawing, below, beside, element, moved, width_of, words

UNIT, LARGEST = 18, 130  # pixels of an axis of length 1, and of a long one
SLANT = 0.45  # of what goes into the depth


def shapes(tensors):
    """Draw a box for each array: {title: an array, or (shape, words of its axes)}."""
    return Figure(tuple(box(title, *_shape_and_words(tensor)) for title, tensor in tensors.items()))


def _shape_and_words(tensor):
    if hasattr(tensor, "shape"):
        return tensor.shape, ()
    shape, axes = tensor
    return getattr(shape, "shape", shape), axes.split()


def box(title, shape, axes=()):
    """Draw one shape: the last three axes are the box, and the number of such boxes is written in front."""
    names = named_axes(axes, len(shape)) or ("",) * len(shape)
    drawn = _box([*zip(shape, names)][-3:])
    outer = [f"{counted(size, name)} ×" for size, name in zip(shape[:-3], names)]
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
    """Draw a box with its edges named from [..., depth, height, width], each a size and its word."""
    depth, height, width = [None] * (3 - len(axes)) + axes
    x, y, away = _length(width), _length(height), SLANT * _length(depth) if depth else 0
    left = width_of(_label(height)) + 8 if height else 0
    edges = (
        words(left - 8, away + y / 2 + 4, _label(height), anchor="end"),
        words(left + x / 2, away + y + 16, _label(width)),
        words(left + x + away / 2 + 6, away / 2 + y + 10, _label(depth), anchor="start"),
    )
    drawn = _front(x, y, width, height) + (_depth(x, y, away, depth) if depth else "")
    right = max(x + away + width_of(_label(depth)), (x + width_of(_label(width))) / 2)
    return Drawing((moved(drawn, left, away), *edges), left + right, away + y + 20)


def _length(axis):
    return min(UNIT * axis[0], LARGEST) if axis else UNIT


def _label(axis):
    return counted(*axis) if axis else ""


def _front(x, y, width, height):
    """Draw the front of a box, with a line for every row and column where there is room."""
    rows, columns = ((axis or (1,))[0] for axis in (height, width))
    across = [f"M0 {y * n / rows}H{x}" for n in range(1, rows) if rows * UNIT <= LARGEST]
    down = [f"M{x * n / columns} 0V{y}" for n in range(1, columns) if columns * UNIT <= LARGEST]
    lines = element("path", d="M0 0" + "".join(across + down), stroke=INK, stroke_opacity=0.4, fill="none")
    return _face(f"M0 0H{x}V{y}H0Z", 0.55) + lines


def _depth(x, y, away, depth):
    """Draw the top and the right side of a box, with the edges of the sheets behind the first one."""
    top, side = f"M0 0l{away} {-away}h{x}l{-away} {away}Z", f"M{x} 0l{away} {-away}v{y}l{-away} {away}Z"
    cuts = [away * n / depth[0] for n in range(1, depth[0])] if depth[0] <= 8 else []
    sheets = "M0 0" + "".join(f"M{cut} {-cut}h{x}v{y}" for cut in cuts)
    return _face(top, 0.25) + _face(side, 0.4) + element("path", d=sheets, stroke=INK, fill="none")


def _face(outline, opacity):
    return element("path", d=outline, fill="#8ab6e0", fill_opacity=opacity, stroke=INK, stroke_linejoin="round")
