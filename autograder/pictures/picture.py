"""A picture with its words, the colours of its numbers, and the little of SVG that our drawings need.

A drawing is a list of elements with a width and a height; drawings are put beside or below each other.
"""

import base64
from dataclasses import dataclass
from html import escape
from itertools import accumulate

import numpy as np

INK = "#767676"  # mid-grey: of all greys the one that is legible on white and on black, but on dark grey less so
LEGIBLE = "backdrop-filter:contrast(1.4)"  # turns a nearly white or black page white or black where a picture lies
PAPER, BLUE, ORANGE = np.array([243, 246, 250]), np.array([28, 84, 148]), np.array([176, 86, 12])
# What is followed through a picture (heads, items): told apart by its numbers, too.
GROUPS = ("#9cc3e6", "#f4bd80", "#9bd4b2", "#d9b0d8", "#e8aca6", "#c4c4c4", "#ddd286", "#a9ccd3")
FONT = "system-ui, sans-serif"
MARK = "#e0218a"  # stands out from blue and orange, on white and on black
HATCHED = "url(#hatch)"
PATTERN = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<line x1="0" y1="0" x2="0" y2="6" stroke="{INK}" stroke-width="1.5" stroke-opacity="0.7"/></pattern></defs>'
)


@dataclass(frozen=True)
class Picture:
    """An image with its description; the page holds it as data, so no notebook loses it.

    kind: "png" or "svg+xml"; width: in the page's pixels, if there is room.
    """

    data: bytes
    alt: str
    width: int
    kind: str = "png"

    def _repr_html_(self):
        data = f"data:image/{self.kind};base64,{base64.b64encode(self.data).decode()}"
        look = f"width:{self.width}px;max-width:100%;border:0;border-radius:6px;{LEGIBLE}"
        return f'<img src="{data}" alt="{escape(self.alt)}" style="{look}">'

    def __repr__(self):
        return f"[picture: {self.alt}]"


@dataclass(frozen=True)
class Figure:
    """Pictures beside each other, or below each other where the window is narrow, and what their marks mean."""

    pictures: tuple
    caption: str = ""

    def _repr_html_(self):
        row = "display:flex;flex-wrap:wrap;gap:0.3em 1.5em;align-items:flex-start"
        look = "margin:0.2em 0;font-size:0.9em;width:0;min-width:100%"  # no wider than the pictures
        caption = f'<p style="{look}">{escape(self.caption)}</p>' if self.caption else ""
        return f'<div style="{row}">{"".join(p._repr_html_() for p in self.pictures)}</div>{caption}'

    def __repr__(self):
        return "\n".join([*map(repr, self.pictures), self.caption])


class Scale:
    """Numbers from low to high as colours: blue above 0, orange below, paper at 0."""

    def __init__(self, *arrays):
        numbers = np.concatenate([np.ravel(a) for a in arrays])
        self.largest = float(abs(numbers[np.isfinite(numbers)]).max(initial=0)) or 1.0

    def __call__(self, number):
        """Return the fill of a cell, or None for what is no finite number."""
        if not np.isfinite(number):
            return None
        share = min(abs(float(number)) / self.largest, 1.0)
        colour = PAPER + share * ((BLUE if number > 0 else ORANGE) - PAPER)
        return f"#{bytes(colour.round().astype(np.uint8)).hex()}"


def ink_on(fill):
    """Return dark or light ink, whichever has the larger contrast (relative luminance as WCAG 2 defines it)."""
    parts = np.frombuffer(bytes.fromhex(fill[1:]), np.uint8) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return "#000000" if linear @ (0.2126, 0.7152, 0.0722) > 0.18 else "#ffffff"


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


def cell(x, y, width, height, text, fill, over=""):
    """Draw a coloured box with a number in it, and what lies over it; without a fill its line is dashed."""
    look = dict(stroke=INK, stroke_opacity=0.35) | ({} if fill else dict(stroke_dasharray="3 2"))
    box = rectangle(0.5, 0.5, round(width) - 1, height - 1, fill or "none", **look)
    return moved(box + words(width / 2, height / 2 + 4, text, fill=ink_on(fill) if fill else INK) + over, x, y)


def frame(width, height):
    """Draw a frame around what should be looked at first."""
    return rectangle(1, 1, width - 2, height - 2, stroke=MARK, stroke_width=3, rx=3)


def width_of(text, size=12):
    """Estimate the width of a text, which is not known before it is shown."""
    return 0.65 * size * len(str(text))


def beside(*drawings, gap=24):
    """Lay drawings out from left to right, with their tops aligned."""
    *starts, end = accumulate((d.width + gap for d in drawings), initial=0)
    placed = tuple(d.moved(x, 0) for d, x in zip(drawings, starts))
    return Drawing(placed, end - gap, max(d.height for d in drawings))


def below(*drawings, gap=12):
    """Lay drawings out from top to bottom, with their left edges aligned."""
    *starts, end = accumulate((d.height + gap for d in drawings), initial=0)
    placed = tuple(d.moved(0, y) for d, y in zip(drawings, starts))
    return Drawing(placed, max(d.width for d in drawings), end - gap)
