"""check: what learners call."""

import os
from dataclasses import replace

from ..catalogue import EXERCISES
from ..environment import in_a_notebook
from ..judging.follow_through import perhaps_computed
from . import after, journal
from .cell_errors import stale
from .hints import diagnosed
from .mark import Mark
from .naming import name_and_answer
from .own_numbers import as_asked, doubted
from .own_work import borrowed, forbidden, judged, ready_made
from .verdict_card import verdict_card


def check(answer=None, /, **named):
    """Judge an answer, `check(softmax)` or `check(score_shape=score_shape)`, and show what was found.

    Returns the points: a number, for nbgrader, that a notebook shows as a card.
    While nbgrader validates, an answer that is not right raises, because that is what Validate lists;
    a review is not listed.
    """
    name, answer = name_and_answer(answer, named)
    task = as_asked(EXERCISES[name])
    verdict = _verdict(answer, task)
    _remember(task, verdict)
    if not verdict.right and task.points and os.environ.get("NBGRADER_VALIDATING"):
        raise NotYet(verdict_card(verdict, task))
    return Mark(verdict.score * task.points, _shown(_after_an_error(verdict_card(verdict, task), task)))


def _after_an_error(card, task):
    """Return the card, which first says so if it is about an older version than the one in the cell."""
    return replace(card, text=f"{stale(task.name)}\n\n{card.text}") if stale(task.name) else card


def _verdict(answer, task):
    """Judge an answer, unless it uses what it should not."""
    looks = (borrowed, ready_made, forbidden, judged)
    verdict = next(filter(None, (look(answer, task) for look in looks)))
    wrong = [name for name in EXERCISES if name in after.still_wrong]
    return perhaps_computed(doubted(verdict, answer, task), task, wrong)


def _remember(task, verdict):
    """Remember a verdict for the next hint, for pictures, and for progress."""
    diagnosed(task, verdict)
    (after.still_wrong.discard if verdict.right else after.still_wrong.add)(task.name)
    if verdict.reason != "unwritten":
        journal.note("done" if verdict.right else "tried", task.name)


def _shown(card):
    """Print the card where nothing would show it: outside a notebook."""
    if not in_a_notebook():
        print(card)
    return card


class NotYet(Exception):
    """What Validate lists: the card in plain text, without a traceback."""

    def _render_traceback_(self):
        return str(self).splitlines()
