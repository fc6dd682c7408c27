"""Arrows in the plane: how the directions and lengths of a few vectors compare."""

import numpy as np

from .curves import COLOURS
from .picture import INK
from .svg import Drawing, below, element, moved, width_of, words

SIZE = 300  # pixels of the square that the arrows lie in
TIP = 9


def arrows(queries, keys, alt, title=""):
    """Draw arrows from one point, {label: (x, y)}: keys thin and blue, queries thick and orange."""
    vectors = [*queries.values(), *keys.values()]
    longest = max(np.hypot(*vector) for vector in vectors)
    drawn = [_axes()]
    drawn += [_arrow(label, vector, longest, COLOURS[0], 2) for label, vector in keys.items()]
    drawn += [_arrow(label, vector, longest, COLOURS[1], 4) for label, vector in queries.items()]
    widest = max(width_of(label) for label in (*queries, *keys))
    plane = Drawing((moved("".join(drawn), widest, 20),), SIZE + 2 * widest, SIZE + 40)
    head = words(0, 13, title, anchor="start", font_weight="bold")
    return below(Drawing((head,), width_of(title), 18), plane, gap=2).picture(alt)


def _axes():
    middle = SIZE / 2
    cross = element("path", d=f"M0 {middle}H{SIZE}M{middle} 0V{SIZE}", stroke=INK, stroke_opacity=0.4)
    return cross + element("circle", cx=middle, cy=middle, r=middle, fill="none", stroke=INK, stroke_opacity=0.25)


def _arrow(label, vector, longest, colour, width):
    """Draw one arrow from the middle, with its label beyond its tip."""
    x, y = np.array(vector) / longest * SIZE / 2
    direction = np.array([x, y]) / np.hypot(x, y)
    across = np.array([-direction[1], direction[0]]) * TIP / 2
    end = np.array([x, y]) - TIP * direction
    middle = SIZE / 2
    corners = " ".join(f"{middle + a:.1f},{middle - b:.1f}" for a, b in ((x, y), end + across, end - across))
    line = f"M{middle} {middle}L{middle + end[0]:.1f} {middle - end[1]:.1f}"
    side = "start" if x > 1 else "end" if x < -1 else "middle"
    at = np.array([x, y]) + 8 * direction
    return (
        element("path", d=line, stroke=colour, stroke_width=width)
        + element("polygon", points=corners, fill=colour, stroke=colour)
        + words(f"{middle + at[0]:.1f}", f"{middle - at[1] + 4:.1f}", label, anchor=side)
    )
