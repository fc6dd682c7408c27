"""A picture with its words, and the colours of its numbers."""

import base64
from dataclasses import dataclass
from html import escape

import numpy as np

INK = "#7f7f7f"  # mid-grey: legible on white and on black
PAPER, BLUE, ORANGE = np.array([243, 246, 250]), np.array([28, 84, 148]), np.array([176, 86, 12])
# What is followed through a picture (heads, items): told apart by its numbers, too.
GROUPS = ("#9cc3e6", "#f4bd80", "#9bd4b2", "#d9b0d8", "#e8aca6", "#c4c4c4", "#ddd286", "#a9ccd3")


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
        return f'<img src="{data}" alt="{escape(self.alt)}" style="width:{self.width}px;max-width:100%;border:0">'

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
        return (
            "#" + bytes((PAPER + share * ((BLUE if number > 0 else ORANGE) - PAPER)).round().astype(int).tolist()).hex()
        )


def ink_on(fill):
    """Return dark or light ink, whichever has the larger contrast (relative luminance as WCAG 2 defines it)."""
    parts = np.frombuffer(bytes.fromhex(fill[1:]), np.uint8) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return "#000000" if linear @ (0.2126, 0.7152, 0.0722) > 0.18 else "#ffffff"
