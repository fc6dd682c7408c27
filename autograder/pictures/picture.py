"""A picture and its words."""

import base64
from dataclasses import dataclass
from html import escape

INK = "#7f7f7f"  # mid-grey: legible on white and on black


@dataclass(frozen=True)
class Picture:
    """An image with its description; it stands in the page as data, so no notebook loses it.

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
