"""Boxes: shapes, whose last three axes are width, height and depth; diagrams of boxes; and arrows in the plane."""

from dataclasses import dataclass

import numpy as np

from ..shapes import counted, named_axes, shape_in_words
from .picture import GROUPS, INK, Drawing, below, beside, element, ink_on, moved, rectangle, width_of, words
from .plots import COLOURS, line

UNIT, LARGEST = 18, 130  # pixels of an axis of length 1, and of a long one
SLANT = 0.45  # of what goes into the depth

# Of a diagram, in pixels:
COLUMN, ROW = 132, 58  # from the middle of one box to that of the next
WIDTH, HEIGHT = 112, 34
RADIUS = 11  # of a sum
AROUND = 24  # how far an arrow around a box keeps away from it
TIP = 6
FILLS = {"": GROUPS[0], "new": GROUPS[1]}

SQUARE, HEAD = 300, 9  # that arrows in the plane lie in; the head of one


def box(title, shape, axes=()):
    """Draw one shape: the last three axes are the box, and the number of such boxes is written in front."""
    names = named_axes(axes, len(shape)) or ("",) * len(shape)
    drawn = _box([*zip(shape, names)][-3:])
    outer = [f"{counted(size, name)} ×" for size, name in zip(shape[:-3], names)]
    if outer:
        lines = [words(0, drawn.height / 2 + 16 * n, text, anchor="start") for n, text in enumerate(outer)]
        drawn = beside(Drawing(tuple(lines), max(map(width_of, outer)), drawn.height), drawn, gap=8)
    sizes = " × ".join(map(str, shape)) or "a single number"
    heading = [words(0, 13, title, 13, anchor="start", font_weight="bold"), words(0, 31, sizes, anchor="start")]
    head = Drawing(tuple(heading), max(width_of(title, 13), width_of(sizes)), 36)
    return below(head, drawn, gap=4).picture(f"A box: {title} has the shape {shape_in_words(shape, axes)}.")


def _box(axes):
    """Draw a box with its edges named from [..., depth, height, width], each a size and its word."""
    depth, height, width = [None] * (3 - len(axes)) + axes
    z, y, x = (min(UNIT * axis[0], LARGEST) if axis else UNIT for axis in (depth, height, width))
    deep, high, wide = (counted(*axis) if axis else "" for axis in (depth, height, width))
    left, away = width_of(high) + 8 if height else 0, SLANT * z if depth else 0
    edges = (
        words(left - 8, away + y / 2 + 4, high, anchor="end"),
        words(left + x / 2, away + y + 16, wide),
        words(left + x + away / 2 + 6, away / 2 + y + 10, deep, anchor="start"),
    )
    drawn = _front(x, y, width, height) + (_depth(x, y, away, depth) if depth else "")
    right = max(x + away + width_of(deep), (x + width_of(wide)) / 2)
    return Drawing((moved(drawn, left, away), *edges), left + right, away + y + 20)


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


def diagram(boxes, arrows, alt, frames=None):
    """Draw boxes on a grid and arrows between them.

    boxes: {name: (column, row, words)}, rows counted from the bottom; a fourth entry is the kind: "new" stands out,
        "plain" has no box around its words, and "sum" is a small circle. A line break separates lines of the words.
    arrows: (from, to), straight, or (from, to, "around"), on the left around whatever is in between.
    frames: {title: names}, a frame around some boxes.
    """
    top = max(row for _, row, *_ in boxes.values())
    placed = {name: Box(column * COLUMN, (top - row) * ROW, *said) for name, (column, row, *said) in boxes.items()}
    drawn = [_frame(title, [placed[name] for name in names]) for title, names in (frames or {}).items()]
    drawn += [_arrow(placed[start], placed[end], *how) for start, end, *how in arrows]
    drawn += [box.drawn() for box in placed.values()]
    xs, ys = [box.x for box in placed.values()], [box.y for box in placed.values()]
    left, right = WIDTH / 2 + AROUND + 16, WIDTH / 2 + 28 + max(map(width_of, frames or [""]))
    moved = element("g", "".join(drawn), transform=f"translate({left - min(xs):.0f} {HEIGHT / 2 + 16:.0f})")
    return Drawing((moved,), max(xs) - min(xs) + left + right, max(ys) + HEIGHT + 32).picture(alt)


@dataclass(frozen=True)
class Box:
    """A box around a point, or words alone, or the circle of a sum."""

    x: float
    y: float
    text: str
    kind: str = ""

    @property
    def width(self):
        if self.kind == "plain":
            return 10 + max(map(width_of, self.text.split("\n")))
        return 2 * RADIUS if self.kind == "sum" else WIDTH

    @property
    def height(self):
        return 2 * RADIUS if self.kind == "sum" else HEIGHT

    def drawn(self):
        lines, outline, ink = self.text.split("\n"), "", INK
        if self.kind == "sum":
            outline = element("circle", cx=self.x, cy=self.y, r=RADIUS, fill="none", stroke=INK)
        elif self.kind != "plain":
            left, top, fill = self.x - WIDTH / 2, self.y - HEIGHT / 2, FILLS[self.kind]
            outline, ink = rectangle(left, top, WIDTH, HEIGHT, fill, stroke=INK, rx=5), ink_on(fill)
        start = self.y + 4 - 7 * (len(lines) - 1)
        said = (words(self.x, start + 14 * n, line, 12 - (n > 0), fill=ink) for n, line in enumerate(lines))
        return outline + "".join(said)


def _arrow(start, end, around=""):
    """Draw an arrow from box to box: straight between their edges, or on the left around what is in between."""
    right = down = 0  # where it points to
    if around:
        right = 1
        way = f"M{start.x - start.width / 2} {start.y}H{start.x - WIDTH / 2 - AROUND}V{end.y}"
    elif start.y == end.y:
        right = 1 if end.x > start.x else -1
        way = f"M{start.x + right * start.width / 2} {start.y}"
    else:
        down = -1 if end.y < start.y else 1
        way = f"M{start.x} {start.y + down * start.height / 2}"
    x, y = end.x - right * end.width / 2, end.y - down * end.height / 2
    back = (x - right * TIP, y - down * TIP)
    way += f"H{back[0]}" if right else f"L{back[0]} {back[1]}"
    corners = ((x, y), (back[0] + down * 4, back[1] + right * 4), (back[0] - down * 4, back[1] - right * 4))
    head = element("polygon", points=" ".join(f"{a:.1f},{b:.1f}" for a, b in corners), fill=INK)
    return element("path", d=way, fill="none", stroke=INK, stroke_width=1.5) + head


def _frame(title, boxes):
    """Draw a frame around boxes, with its title on the right."""
    left, top = min(box.x for box in boxes) - WIDTH / 2 - 14, min(box.y for box in boxes) - HEIGHT / 2 - 10
    width = max(box.x for box in boxes) + WIDTH / 2 + 14 - left
    height = max(box.y for box in boxes) + HEIGHT / 2 + 10 - top
    line = rectangle(left, top, width, height, stroke=INK, stroke_dasharray="4 4", rx=8)
    return line + words(left + width + 8, top + 14, title, 12, anchor="start", font_weight="bold")


def arrows(queries, keys, alt, title=""):
    """Draw arrows from one point, {label: (x, y)}: keys thin and blue, queries thick and orange.

    title: what stands above them; a second line and others are not bold.
    """
    longest, middle = max(np.hypot(*vector) for vector in [*queries.values(), *keys.values()]), SQUARE / 2
    cross = f"M0 {middle}H{SQUARE}M{middle} 0V{SQUARE}"
    drawn = [
        element("path", d=cross, stroke=INK, stroke_opacity=0.4),
        element("circle", cx=middle, cy=middle, r=middle, fill="none", stroke=INK, stroke_opacity=0.25),
    ]
    drawn += [_vector(label, vector, longest, COLOURS[0], 2) for label, vector in keys.items()]
    drawn += [_vector(label, vector, longest, COLOURS[1], 4) for label, vector in queries.items()]
    widest = max(width_of(label) for label in (*queries, *keys))
    plane = Drawing((moved("".join(drawn), widest, 20),), SQUARE + 2 * widest, SQUARE + 40)
    first, *others = title.split("\n")
    return below(line(first, font_weight="bold"), *map(line, others), plane, gap=2).picture(alt)


def _vector(label, vector, longest, colour, width):
    """Draw one arrow from the middle, with its label beyond its tip."""
    middle = SQUARE / 2
    x, y = np.array(vector) / longest * middle
    direction = np.array([x, y]) / np.hypot(x, y)
    across = np.array([-direction[1], direction[0]]) * HEAD / 2
    end, at = np.array([x, y]) - HEAD * direction, np.array([x, y]) + 8 * direction
    corners = " ".join(f"{middle + a:.1f},{middle - b:.1f}" for a, b in ((x, y), end + across, end - across))
    line = f"M{middle} {middle}L{middle + end[0]:.1f} {middle - end[1]:.1f}"
    side = "start" if x > 1 else "end" if x < -1 else "middle"
    return (
        element("path", d=line, stroke=colour, stroke_width=width)
        + element("polygon", points=corners, fill=colour, stroke=colour)
        + words(f"{middle + at[0]:.1f}", f"{middle - at[1] + 4:.1f}", label, anchor=side)
    )
