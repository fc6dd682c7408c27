"""check: what learners call."""

import os
from dataclasses import replace

from ..catalogue import EXERCISES
from ..environment import in_a_notebook
from ..judging.follow_through import perhaps_computed
from .card import Mark
from .cell_errors import checked, stale
from .hints import name_and_answer, remember
from .own_parts import keep
from .own_work import as_asked, borrowed, doubted, forbidden, judged, ready_made
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
    remember(task, verdict)
    card = verdict_card(verdict, task)
    if verdict.right and (kept := keep(task, answer)):
        card = replace(card, text=f"{card.text}\n\n{kept}".strip())
    if not verdict.right and task.points and os.environ.get("NBGRADER_VALIDATING"):
        raise NotYet(card)
    if older := stale(name):  # the card is about another version than the one in the cell
        card = replace(card, text=f"{older}\n\n{card.text}")
    if not in_a_notebook():  # where nothing else would show it
        print(card)
    return Mark(verdict.score * task.points, card)


def _verdict(answer, task):
    """Judge an answer, unless it uses what it should not."""
    looks = (borrowed, ready_made, forbidden, judged)
    verdict = next(filter(None, (look(answer, task) for look in looks)))
    wrong = [name for name in EXERCISES if checked.get(name) is False]
    return perhaps_computed(doubted(verdict, answer, task), task, wrong)


class NotYet(Exception):
    """What Validate lists: the card in plain text, without a traceback."""

    def _render_traceback_(self):
        return str(self).splitlines()
