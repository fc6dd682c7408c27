"""check: what learners call."""

import os

from ..catalogue import EXERCISES
from ..environment import in_a_notebook
from ..judging.judge import judge
from . import after, journal
from .hints import diagnosed
from .mark import Mark
from .naming import name_and_answer
from .own_numbers import as_asked, doubted
from .own_work import borrowed, forbidden, ready_made, unready_part
from .verdict_card import verdict_card


def check(answer=None, /, **named):
    """Judge an answer, `check(softmax)` or `check(score_shape=score_shape)`, and show what was found.

    Returns the points: a number, for nbgrader, that a notebook shows as a card.
    While nbgrader validates, an answer that is not right raises, because that is what Validate lists;
    a review is not listed.
    """
    name, answer = name_and_answer(answer, named)
    task = as_asked(EXERCISES[name])
    verdict = borrowed(answer, task) or ready_made(answer, task) or forbidden(answer, task) or judge(answer, task)
    if not verdict.right:
        verdict = unready_part(answer, task) or doubted(verdict, answer, task)
    _remember(task, verdict)
    if not verdict.right and task.points and os.environ.get("NBGRADER_VALIDATING"):
        raise NotYet(verdict_card(verdict, task))
    return Mark(verdict.score * task.points, _shown(verdict_card(verdict, task)))


def _remember(task, verdict):
    """For the next hint, for pictures, and for progress."""
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
