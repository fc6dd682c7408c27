"""Diagrams: boxes with words, and arrows from one to the next."""

from dataclasses import dataclass

from .picture import GROUPS, INK, ink_on
from .svg import Drawing, element, rectangle, width_of, words

COLUMN, ROW = 132, 58  # pixels from the middle of one box to that of the next
WIDTH, HEIGHT = 112, 34
RADIUS = 11  # of a sum
AROUND = 24  # how far an arrow around a box keeps away from it
TIP = 6
FILLS = {"": GROUPS[0], "new": GROUPS[1]}


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
        lines, ink = self.text.split("\n"), ink_on(FILLS[self.kind]) if self.kind in FILLS else INK
        start = self.y + 4 - 7 * (len(lines) - 1)
        said = (words(self.x, start + 14 * n, line, 12 - (n > 0), fill=ink) for n, line in enumerate(lines))
        return self._outline() + "".join(said)

    def _outline(self):
        if self.kind == "sum":
            return element("circle", cx=self.x, cy=self.y, r=RADIUS, fill="none", stroke=INK)
        if self.kind == "plain":
            return ""
        left, top = self.x - WIDTH / 2, self.y - HEIGHT / 2
        return rectangle(left, top, WIDTH, HEIGHT, FILLS[self.kind], stroke=INK, rx=5)


def _arrow(start, end, around=""):
    """Draw an arrow from box to box: straight between their edges, or on the left around what is in between."""
    if around:
        away, tip = start.x - WIDTH / 2 - AROUND, end.x - end.width / 2
        way = f"M{start.x - start.width / 2} {start.y}H{away}V{end.y}H{tip - TIP}"
        return _line(way) + _tip(tip, end.y, 1, 0)
    if start.y == end.y:
        side = 1 if end.x > start.x else -1
        tip = end.x - side * end.width / 2
        return _line(f"M{start.x + side * start.width / 2} {start.y}H{tip - side * TIP}") + _tip(tip, end.y, side, 0)
    down = -1 if end.y < start.y else 1
    tip = end.y - down * end.height / 2
    way = f"M{start.x} {start.y + down * start.height / 2}L{end.x} {tip - down * TIP}"
    return _line(way) + _tip(end.x, tip, 0, down)


def _line(way):
    return element("path", d=way, fill="none", stroke=INK, stroke_width=1.5)


def _tip(x, y, right, down):
    """Draw the head of an arrow that ends here."""
    back = (x - right * TIP, y - down * TIP)
    corners = ((x, y), (back[0] + down * 4, back[1] + right * 4), (back[0] - down * 4, back[1] - right * 4))
    return element("polygon", points=" ".join(f"{a:.1f},{b:.1f}" for a, b in corners), fill=INK)


def _frame(title, boxes):
    """Draw a frame around boxes, with its title on the right."""
    left, top = min(box.x for box in boxes) - WIDTH / 2 - 14, min(box.y for box in boxes) - HEIGHT / 2 - 10
    width = max(box.x for box in boxes) + WIDTH / 2 + 14 - left
    height = max(box.y for box in boxes) + HEIGHT / 2 + 10 - top
    line = rectangle(left, top, width, height, stroke=INK, stroke_dasharray="4 4", rx=8)
    return line + words(left + width + 8, top + 14, title, 12, anchor="start", font_weight="bold")
