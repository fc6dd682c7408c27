"""A verdict or a hint as a card: HTML for notebooks, and plain text for everything else.

Cards use inline styles only: those survive in a notebook that somebody else ran and JupyterLab does not trust.
"""

from dataclasses import dataclass
from html import escape

import numpy as np

FRAME = (
    "border:1px solid var(--jp-border-color2,#8884);border-left:5px solid {colour};border-radius:4px;"
    "padding:0.6em 1em;margin:0.3em 0;max-width:46em;line-height:1.5;"
    "color:var(--jp-content-font-color1,inherit);background:transparent"
)
COLOURS = {"right": "#2e8b57", "wrong": "#c77700", "waiting": "#808080", "hint": "#4a7ebb"}


@dataclass(frozen=True)
class Card:
    """A title, paragraphs, and named blocks of fixed-width text."""

    mood: str
    title: str
    text: str
    blocks: tuple = ()

    def _repr_html_(self):
        parts = [f"<strong>{escape(self.title)}</strong>"]
        parts += [f'<p style="margin:0.4em 0">{_code(escape(part))}</p>' for part in self.text.split("\n\n") if part]
        parts += [_block(name, text) for name, text in self.blocks]
        return f'<div style="{FRAME.format(colour=COLOURS[self.mood])}">{"".join(parts)}</div>'

    def __str__(self):
        blocks = [f"{name}:\n{text}" for name, text in self.blocks]
        return "\n\n".join(part for part in (self.title, self.text, *blocks) if part)


def _code(text):
    """`code` between backticks, as in the docstrings that messages come from."""
    pieces = text.split("`")
    return "".join(f"<code>{piece}</code>" if n % 2 else piece for n, piece in enumerate(pieces))


def _block(name, text):
    style = "margin:0.1em 0 0.4em 0;padding:0.2em 0;background:transparent;overflow-x:auto;white-space:pre"
    return f'<div style="font-size:0.9em"><em>{escape(name)}</em><pre style="{style}">{escape(text)}</pre></div>'


def verdict_card(verdict, task):
    """What a learner sees after a check."""
    if verdict.right:
        return Card("right", f"✓ {task.name}: right", "")
    if verdict.reason == "unwritten":
        return Card("waiting", f"○ {task.name}: not written yet", "")
    title = f"✗ {task.name}: not yet" if verdict.score == 0 else f"◐ {task.name}: {verdict.score:.0%} there"
    return Card("wrong", title, verdict.message, tuple(_example_blocks(verdict.example)))


def hint_card(name, number, total, text):
    return Card("hint", f"Hint {number} of {total} for {name}", text)


def _example_blocks(example):
    """The smallest input tried, what should come out, and what did."""
    if example is None:
        return
    yield "Smallest input that shows it", "\n".join(f"{name} = {_show(x)}" for name, x in example.inputs.items())
    yield "What should come out", _show(example.expected)
    yield "What your code gave", _show(example.got)
    if example.printed:
        yield "What your code printed", example.printed


def _show(value):
    if isinstance(value, Exception):
        return f"an error: {type(value).__name__}: {value}"
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return _short(value)
    text = np.array2string(value, precision=3, suppress_small=True, threshold=60, edgeitems=2, separator=", ")
    return f"shape {value.shape}\n{text}"


def _short(value):
    text = f"{value:.6g}" if isinstance(value, (float, np.floating)) else repr(value)
    return text if len(text) <= 200 else text[:200] + " ..."
