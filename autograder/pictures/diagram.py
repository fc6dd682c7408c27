"""Diagrams: boxes with words, and arrows from one to the next."""

from .picture import GROUPS, INK, ink_on
from .svg import Drawing, element, rectangle, words

COLUMN, ROW = 132, 68  # pixels from the middle of one box to that of the next
WIDTH, HEIGHT = 112, 36
ROUND = 24  # how far an arrow around a box keeps away from it
TIP = 6
FILLS = {"": GROUPS[0], "new": GROUPS[1]}


def diagram(boxes, arrows, alt, frames=None):
    """Draw boxes on a grid and arrows between them.

    boxes: {name: (column, row, words)}, rows counted from the bottom; a fourth entry is the kind: "new" stands out, and
        "plain" has no box around its words. Lines of the words are separated by a line break.
    arrows: (from, to), straight, or (from, to, "around"), on the left around whatever is in between.
    frames: {title: names}, a frame around some boxes.
    """
    top = max(row for _, row, *_ in boxes.values())
    middles = {name: (column * COLUMN, (top - row) * ROW) for name, (column, row, *_) in boxes.items()}
    drawn = [_frame(title, [middles[name] for name in names]) for title, names in (frames or {}).items()]
    drawn += [_arrow(middles[start], middles[end], *how) for start, end, *how in arrows]
    drawn += [_box(*middles[name], *said) for name, (_, _, *said) in boxes.items()]
    xs, ys = zip(*middles.values())
    edge = WIDTH / 2 + ROUND + 16, HEIGHT / 2 + 24
    moved = element("g", "".join(drawn), transform=f"translate({edge[0] - min(xs):.0f} {edge[1]:.0f})")
    return Drawing((moved,), max(xs) - min(xs) + 2 * edge[0], max(ys) + 2 * edge[1]).picture(alt)


def _box(x, y, text, kind=""):
    ink, box = INK, ""
    if kind != "plain":
        ink = ink_on(FILLS[kind])
        box = rectangle(x - WIDTH / 2, y - HEIGHT / 2, WIDTH, HEIGHT, FILLS[kind], stroke=INK, rx=5)
    lines = text.split("\n")
    start = y + 4 - 7 * (len(lines) - 1)
    return box + "".join(words(x, start + 14 * n, line, 12 - (n > 0), fill=ink) for n, line in enumerate(lines))


def _arrow(start, end, around=""):
    """Draw an arrow from box to box: straight between their edges, or on the left around what is in between."""
    if around:
        left, away = start[0] - WIDTH / 2, start[0] - WIDTH / 2 - ROUND
        way, tip = f"M{left} {start[1]}H{away}V{end[1]}H{end[0] - WIDTH / 2 - TIP}", (end[0] - WIDTH / 2, end[1], 1, 0)
    elif start[1] == end[1]:
        side = 1 if end[0] > start[0] else -1
        x = end[0] - side * WIDTH / 2
        way, tip = f"M{start[0] + side * WIDTH / 2} {start[1]}H{x - side * TIP}", (x, end[1], side, 0)
    else:
        up = -1 if end[1] < start[1] else 1
        y = end[1] - up * HEIGHT / 2
        way, tip = f"M{start[0]} {start[1] + up * HEIGHT / 2}L{end[0]} {y - up * TIP}", (end[0], y, 0, up)
    return element("path", d=way, fill="none", stroke=INK, stroke_width=1.5) + _tip(*tip)


def _tip(x, y, right, down):
    """Draw the head of an arrow that ends here."""
    back = (x - right * TIP, y - down * TIP)
    corners = ((x, y), (back[0] + down * 4, back[1] + right * 4), (back[0] - down * 4, back[1] - right * 4))
    return element("polygon", points=" ".join(f"{a:.1f},{b:.1f}" for a, b in corners), fill=INK)


def _frame(title, middles):
    xs, ys = zip(*middles)
    left, top = min(xs) - WIDTH / 2 - ROUND - 8, min(ys) - HEIGHT / 2 - 12
    width, height = max(xs) - min(xs) + WIDTH + 2 * ROUND + 16, max(ys) - min(ys) + HEIGHT + 24
    line = rectangle(left, top, width, height, stroke=INK, stroke_dasharray="4 4", rx=8)
    return line + words(left + 8, top - 5, title, 12, anchor="start", font_weight="bold")
