"""Cards: HTML for notebooks, and plain text for everything else. And what a check returns: points that show a card.

Cards use inline styles only: those survive in a notebook that somebody else ran and JupyterLab does not trust.
They are low and wide: after Shift + Enter the next cell is in the middle of the window, and the card above it.
"""

import re
from dataclasses import dataclass
from html import escape
from textwrap import fill

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from ..pictures.picture import Figure

FRAME = (
    "border:1px solid #8884;border-left:5px solid {colour};border-radius:4px;"
    "padding:0.6em 1em;margin:0.3em 0;max-width:66em;line-height:1.4;background:transparent"
)
ROW = "display:flex;flex-wrap:wrap;gap:0.2em 1.5em;align-items:flex-start"
TEXT = "flex:1 1 20em;max-width:46em"  # so a figure of usual width has room beside it
LAST = "flex:1 0 auto;align-self:flex-end;text-align:right;font-size:0.9em"
COLOURS = {"right": "#2e8b57", "wrong": "#c77700", "waiting": "#808080", "hint": "#4a7ebb"}
# For code, a dark panel with colours of its own is legible in light and dark pages.
CODE = HtmlFormatter(style="github-dark", noclasses=True, nowrap=True)
PANEL = (
    "margin:0.3em 0;padding:0.7em 1em;border-radius:4px;overflow-x:auto;white-space:pre;line-height:1.45;"
    f"background:{CODE.style.background_color};color:#e6edf3"
)


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
        folds = [_fold(name, text) for name, text in self.folded]
        rows = [*self._columns()], [*folds, *self._last_line()]
        inside = "".join(f'<div style="{ROW}">{"".join(row)}</div>' for row in rows if row)
        frame = FRAME.format(colour=COLOURS[self.mood])
        return f'<div style="{frame}"><strong>{escape(self.title)}</strong>{inside}</div>'

    def _columns(self):
        """Lay out the words and, beside them, the blocks; a figure comes above the blocks."""
        words = "".join(f'<p style="margin:0.3em 0">{marked_up(part)}</p>' for part in self.text.split("\n\n") if part)
        blocks = [_block(*block) for block in self.blocks]
        if words:
            yield f'<div style="{TEXT}">{words}</div>'
        if self.figure:
            yield f'<div style="max-width:100%">{self.figure._repr_html_()}{"".join(blocks)}</div>'
        else:
            yield from blocks

    def _last_line(self):
        """Say the title again below what may be higher than the screen: whoever sees the end sees the verdict."""
        if self.figure or self.blocks or self.folded:
            yield f'<div style="{LAST}">{escape(self.title)}</div>'

    def __str__(self):
        paragraphs = [fill(" ".join(part.split()), width=76) for part in self.text.split("\n\n")]
        blocks = [f"{name.rstrip(':')}:\n{text}" for name, text in (*self.blocks, *self.folded)]
        return "\n\n".join(part for part in (self.title, *paragraphs, *blocks) if part)

    __repr__ = __str__


def marked_up(text):
    """Return HTML for text with `code` and *emphasis*, as docstrings write them."""
    pieces = escape(text, quote=False).split("`")
    pieces[::2] = [re.sub(r"\*(\w[^*]*)\*", r"<em>\1</em>", piece) for piece in pieces[::2]]
    pieces[1::2] = [f"<code>{piece}</code>" for piece in pieces[1::2]]
    return "".join(pieces)


def _block(name, text):
    wrap = "pre" if "\n" in text else "pre-wrap"  # an array keeps its lines, a sentence need not
    style = f"margin:0.1em 0 0.4em 0;padding:0;border:0;background:transparent;overflow-x:auto;white-space:{wrap}"
    style += ";word-break:normal;overflow-wrap:anywhere"  # JupyterLab breaks within words
    heading = f"<em>{escape(name)}</em>" if name else ""
    pre = f'<pre tabindex="0" style="{style}">{escape(text)}</pre>'  # the keyboard can scroll it
    shown = text._repr_html_() if isinstance(text, Code) else pre
    return f'<div style="font-size:0.9em;max-width:100%">{heading}{shown}</div>'


def _fold(name, text):
    style = "display:list-item;font-size:0.9em"  # formgrader hides the triangle
    summary = f'<summary style="{style}">{escape(name)}</summary>'
    return f'<details style="max-width:100%">{summary}{_block("", text)}</details>'


class Code(str):
    """Python code: plain text, and in HTML a panel in colours."""

    def _repr_html_(self):
        return f'<pre tabindex="0" style="{PANEL}">{highlight(self, PythonLexer(), CODE)}</pre>'


class Mark(float):
    """Points. A notebook shows the card; nbgrader reads the number, which is therefore all that repr says."""

    def __new__(cls, points, card):
        mark = super().__new__(cls, points)
        mark.card = card
        return mark

    def __getnewargs__(self):
        return float(self), self.card

    def _repr_html_(self):
        return self.card._repr_html_()
