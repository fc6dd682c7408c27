"""The little of SVG that our drawings need.

A drawing is a list of elements with a width and a height; drawings are put beside or below each other.
"""

from dataclasses import dataclass
from html import escape

from .picture import INK, Picture

FONT = "system-ui, sans-serif"
MARK = "#e0218a"  # stands out from blue and orange, on white and on black
HATCHED = "url(#hatch)"
PATTERN = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<line x1="0" y1="0" x2="0" y2="6" stroke="{INK}" stroke-width="1.5" stroke-opacity="0.7"/></pattern></defs>'
)


@dataclass(frozen=True)
class Drawing:
    elements: tuple
    width: float
    height: float

    def moved(self, x, y):
        return moved("".join(self.elements), x, y)

    def picture(self, alt, margin=4):
        width, height = round(self.width) + 2 * margin, round(self.height) + 2 * margin
        start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="{FONT}">'
        return Picture(f"{start}{PATTERN}{self.moved(margin, margin)}</svg>".encode(), alt, width, "svg+xml")


def element(name, inside="", **attributes):
    """Return an SVG element, as in element("text", "query", x=3, font_size=12)."""
    written = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<{name}{written}>{inside}</{name}>"


def moved(drawn, x, y):
    return element("g", drawn, transform=f"translate({x:.1f} {y:.1f})")


def rectangle(x, y, width, height, fill="none", **attributes):
    return element("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def words(x, y, text, size=12, fill=INK, anchor="middle", **attributes):
    return element("text", escape(str(text)), x=x, y=y, font_size=size, fill=fill, text_anchor=anchor, **attributes)


def frame(width, height):
    """Draw a frame around what should be looked at first."""
    return rectangle(1, 1, width - 2, height - 2, stroke=MARK, stroke_width=3, rx=3)


def width_of(text, size=12):
    """Estimate the width of a text, which is not known before it is shown."""
    return 0.65 * size * len(str(text))


def beside(*drawings, gap=24):
    """Lay drawings out from left to right, with their tops aligned."""
    elements, x = [], 0
    for drawing in drawings:
        elements.append(drawing.moved(x, 0))
        x += drawing.width + gap
    return Drawing(tuple(elements), x - gap, max(d.height for d in drawings))


def below(*drawings, gap=12):
    """Lay drawings out from top to bottom, with their left edges aligned."""
    elements, y = [], 0
    for drawing in drawings:
        elements.append(drawing.moved(0, y))
        y += drawing.height + gap
    return Drawing(tuple(elements), max(d.width for d in drawings), y - gap)
