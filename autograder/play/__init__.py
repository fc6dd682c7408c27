"""Sliders: a picture that follows what one sets, and stills of it where nothing can be set."""

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from uuid import uuid4

from ..judging.errors import error_line
from ..learner.card import Card


@dataclass(frozen=True)
class Slider:
    """Goes through values one by one; `words` says one of them in words."""

    values: Sequence
    start: object
    words: Callable = str

    @property
    def stills(self):
        """Return stills of the two ends, and of the start between them."""
        return {self.words(value): value for value in (self.values[0], self.start, self.values[-1])}


@dataclass(frozen=True)
class MaskGrid:
    """A mask to paint by hand, a button for each query and key. `patterns`: masks by name, the first is the start."""

    queries: Sequence
    keys: Sequence
    patterns: Mapping

    @property
    def start(self):
        return next(iter(self.patterns.values()))

    @property
    def stills(self):
        return self.patterns


class Play:
    """A picture and its controls: `play(draw, size=Slider([1, 2, 4], start=2))` shows `draw(size=2)` and a slider.

    `draw` returns a Picture.
    Where no widget runs one sees stills: the first control takes some of its values, the others stay at their start.
    """

    def __init__(self, draw, **controls):
        self.draw, self.controls = draw, controls
        start = {name: control.start for name, control in controls.items()}
        first, control = next(iter(controls.items()))
        self.stills = {
            f"{in_words(first)}: {words}": draw(**start | {first: value}) for words, value in control.stills.items()
        }
        names = " and the ".join(map(in_words, controls))
        self.invitation = f"Run this cell in Jupyter, and you can set the {names} yourself."

    def picture(self, values):
        """Return what `draw` makes of these values, or a card that tells its error, so that one can go on."""
        try:
            with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # a NaN that is mended later
                return self.draw(**values)
        except Exception as error:
            return Card("waiting", "○ No picture here", f"{error_line(error)}\n\nAnother setting may have one.")

    def _ipython_display_(self):
        """Display the stills as an output of their own: in a saved notebook, a widget leaves only an error message."""
        from IPython.display import display  # here: a notebook has it already, and others need not wait for it

        name = f"stills-{uuid4().hex}"
        display({"text/html": self._repr_html_(name), "text/plain": repr(self)}, raw=True)
        if find_spec("ipywidgets") and "NBGRADER_EXECUTION" not in os.environ:  # nbgrader's reports have no widgets
            from .board import board

            display(board(self, hidden=name)._repr_mimebundle_() | {"text/plain": ""}, raw=True)

    def _repr_html_(self, name=""):
        """Return the stills as HTML, smaller if more then fit beside each other; the board hides what has this name."""
        stills = "".join(
            f'<div style="flex:1 1 {0.7 * still.width:.0f}px;max-width:{still.width}px">'
            f"<em>{escape(caption)}</em><br>{still._repr_html_()}</div>"
            for caption, still in self.stills.items()
        )
        row = f'<div style="display:flex;flex-wrap:wrap;gap:1em">{stills}</div>'
        return f'<div class="{name}">{row}<p>{escape(self.invitation)}</p></div>'

    def __repr__(self):
        return "\n".join([*(f"{caption}: {still!r}" for caption, still in self.stills.items()), self.invitation])


play = Play


def in_words(name):
    """Return a control's name as people write it: feature_size as "feature size"."""
    return name.replace("_", " ")
