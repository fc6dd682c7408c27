"""Sliders: a picture that follows what one sets, and stills of it where nothing can be set."""

import os
from html import escape
from uuid import uuid4

from ..judging.verdict import error_line
from ..learner.card import Card
from .controls import MaskGrid, Slider, in_words

__all__ = ["MaskGrid", "Slider", "play"]

ROW = "display:flex;flex-wrap:wrap;gap:1em"


def play(draw, **controls):
    """Show a picture and its controls: `play(draw, size=Slider([1, 2, 4], start=2))` shows `draw(size=2)` and a slider.

    `draw` returns a Picture.
    Where no widget runs one sees stills: the first control takes some of its values, the others stay at their start.
    """
    return Play(draw, controls)


class Play:
    """Stills now, and a board of controls each time it is displayed."""

    def __init__(self, draw, controls):
        self.draw, self.controls = draw, controls
        self.start = {name: control.start for name, control in controls.items()}
        first, control = next(iter(controls.items()))
        self.stills = {
            f"{in_words(first)}: {words}": draw(**self.start | {first: value})
            for words, value in control.stills.items()
        }

    @property
    def alt(self):
        return " ".join(f"{caption}: {still.alt}" for caption, still in self.stills.items())

    def picture(self, values):
        """Return what `draw` makes of these values, or a card that tells its error, so that one can go on."""
        try:
            return self.draw(**values)
        except Exception as error:
            return Card("waiting", "○ No picture here", f"{error_line(error)}\n\nAnother setting may have one.")

    def _ipython_display_(self):
        """Display the stills as an output of their own: in a saved notebook, a widget leaves only an error message."""
        from IPython.display import display  # here: a notebook has it already, and others need not wait for it

        name = f"stills-{uuid4().hex}"
        display({"text/html": self._repr_html_(name), "text/plain": repr(self)}, raw=True)
        if widgets_run():
            from .board import board

            shown = board(self, hidden=name)._repr_mimebundle_()
            display(shown | {"text/plain": ""}, raw=True)

    def _repr_html_(self, name=""):
        """Return the stills as HTML; the board hides what has this name."""
        stills = "".join(_captioned(caption, still) for caption, still in self.stills.items())
        return f'<div class="{name}"><div style="{ROW}">{stills}</div><p>{escape(self._invitation())}</p></div>'

    def __repr__(self):
        return "\n".join([*(f"{caption}: {still!r}" for caption, still in self.stills.items()), self._invitation()])

    def _invitation(self):
        names = " and the ".join(map(in_words, self.controls))
        return f"Run this cell in Jupyter, and you can set the {names} yourself."


def _captioned(caption, still):
    """Return a still with its caption, smaller than it is if more of them then fit beside each other."""
    style = f"flex:1 1 {0.7 * still.width:.0f}px;max-width:{still.width}px"
    return f'<div style="{style}"><em>{escape(caption)}</em><br>{still._repr_html_()}</div>'


def widgets_run():
    """Say whether widgets run here: not in nbgrader's reports, and not where ipywidgets is missing."""
    try:
        import ipywidgets  # noqa: F401
    except ImportError:
        return False
    return "NBGRADER_EXECUTION" not in os.environ
