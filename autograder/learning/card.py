"""Cards: HTML for notebooks, and plain text for everything else.

Cards use inline styles only: those survive in a notebook that somebody else ran and JupyterLab does not trust.
"""

import re
from dataclasses import dataclass
from html import escape
from textwrap import fill

from ..pictures.picture import Figure

FRAME = (
    "border:1px solid #8884;border-left:5px solid {colour};border-radius:4px;"
    "padding:0.6em 1em;margin:0.3em 0;max-width:46em;line-height:1.5;background:transparent"
)
ROW = "display:flex;flex-wrap:wrap;gap:0 2.5em;align-items:flex-start"
COLOURS = {"right": "#2e8b57", "wrong": "#c77700", "waiting": "#808080", "hint": "#4a7ebb"}


@dataclass(frozen=True, repr=False)
class Card:
    """A title, paragraphs, a figure, named blocks of fixed-width text, and such blocks that unfold on a click."""

    mood: str
    title: str
    text: str
    figure: Figure = None
    blocks: tuple = ()
    folded: tuple = ()

    def _repr_html_(self):
        parts = [f"<strong>{escape(self.title)}</strong>"]
        parts += [f'<p style="margin:0.4em 0">{marked_up(part)}</p>' for part in self.text.split("\n\n") if part]
        parts += [self.figure._repr_html_()] if self.figure else []
        parts += [f'<div style="{ROW}">{"".join(_block(*block) for block in self.blocks)}</div>'] if self.blocks else []
        parts += [_fold(name, text) for name, text in self.folded]
        return f'<div style="{FRAME.format(colour=COLOURS[self.mood])}">{"".join(parts)}</div>'

    def __str__(self):
        paragraphs = [fill(" ".join(part.split()), width=76) for part in self.text.split("\n\n")]
        blocks = [f"{name}:\n{text}" for name, text in (*self.blocks, *self.folded)]
        return "\n\n".join(part for part in (self.title, *paragraphs, *blocks) if part)

    __repr__ = __str__


def marked_up(text):
    """`code` and *emphasis*, as in the docstrings that messages come from."""
    pieces = escape(text, quote=False).split("`")
    pieces[::2] = [re.sub(r"\*(\w[^*]*)\*", r"<em>\1</em>", piece) for piece in pieces[::2]]
    pieces[1::2] = [f"<code>{piece}</code>" for piece in pieces[1::2]]
    return "".join(pieces)


def _block(name, text):
    wrap = "pre" if "\n" in text else "pre-wrap"  # an array keeps its lines, a sentence need not
    style = f"margin:0.1em 0 0.4em 0;padding:0;border:0;background:transparent;overflow-x:auto;white-space:{wrap}"
    heading = f"<em>{escape(name)}</em>" if name else ""
    inside = f'{heading}<pre tabindex="0" style="{style}">{escape(text)}</pre>'  # the keyboard can scroll it
    return f'<div style="font-size:0.9em;max-width:100%">{inside}</div>'


def _fold(name, text):
    summary = f'<summary style="display:list-item">{escape(name)}</summary>'  # formgrader hides the triangle
    return f"<details>{summary}{_block('', text)}</details>"


def hint_card(name, number, total, text, about=""):
    return Card("hint", f"Hint {number} of {total} for {name}{about and f': {about}'}", text)
