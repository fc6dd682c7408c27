"""check, hint and after: what learners call."""

import os
import sys

from .card import Card, hint_card, verdict_card
from .catalogue import EXERCISES, UnknownExercise
from .judging import judge
from .own_work import borrowed, unready_part
from .unfit import is_stub
from .verdict import error_line


def check(answer=None, /, **named):
    """Judge an answer, `check(softmax)` or `check(score_shape=score_shape)`, and show what was found.

    Returns the points: a number, for nbgrader, that a notebook shows as a card.
    While nbgrader validates, an answer that is not right raises, because that is what Validate lists.
    """
    name, answer = _named(answer, named)
    task = EXERCISES[name]
    verdict = borrowed(answer, task) or judge(answer, task)
    if not verdict.right:
        verdict = unready_part(answer, task) or verdict
    if not verdict.right and os.environ.get("NBGRADER_VALIDATING"):
        raise NotYet(verdict_card(verdict, task))
    return Mark(verdict.score * task.points, _shown(verdict_card(verdict, task)))


def hint(answer=None, /, **named):
    """Show the next of the hints for an exercise: the concept, the place, the line; never the answer."""
    name, _ = _named(answer, named)
    hints = EXERCISES[name].hints
    if not hints:
        return Card("hint", f"There are no hints for {name}", "What you need stands just above it.")
    number = min(_hints_given.get(name, 0) + 1, len(hints))
    _hints_given[name] = number
    return hint_card(name, number, len(hints), hints[number - 1])


def after(answer, draw):
    """Show what `draw()` returns once the answer is written; until then, say that it comes."""
    if is_stub(answer):
        return Card("waiting", f"○ This comes once {answer.__name__} is written", "Then run this cell again.")
    try:
        return draw()
    except Exception as error:
        return Card("waiting", f"○ This comes once {answer.__name__} is right", f"For now: {error_line(error)}")


def _shown(card):
    """Print the card where nothing would show it: outside a notebook."""
    from IPython import get_ipython  # here: a notebook has it already, and others need not wait for it

    if not hasattr(get_ipython(), "kernel"):
        print(card)
    return card


_hints_given = {}  # for as long as the kernel lives


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


class NotYet(Exception):
    """What Validate lists: the card in plain text, without a traceback."""

    def _render_traceback_(self):
        return str(self).splitlines()


def _named(answer, named):
    """The exercise's name: given by keyword or as text, the answer's own, or that of a variable that holds it."""
    if len(named) > 1 or (named and answer is not None):
        raise TypeError("one at a time: check(softmax) or check(score_shape=score_shape)")
    if named:
        return next(iter(named.items()))
    variables = sys._getframe(2).f_globals
    if isinstance(answer, str):
        return answer, variables.get(answer, ...)
    name = getattr(answer, "__name__", None)
    if callable(answer) and name not in EXERCISES:
        name = next((n for n, value in variables.items() if value is answer and n in EXERCISES), name)
    if name is None:
        raise UnknownExercise(
            f'{answer!r} does not say which question is meant: write hint("name") or check(name=name)'
        )
    return name, answer
