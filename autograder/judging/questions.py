"""Judge the answer to a question."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..catalogue import EXERCISES
from ..course import Task
from ..mistakes import Mistake
from ..plain_values import agree, form_of, plain
from ..question import Question
from .follow_through import is_lendable
from .verdict import RIGHT, Verdict, in_short

NEAR = 0.15  # of a number: as far off as one that was read or counted a little wrong
LONGEST = 200  # characters of an answer that are repeated
EXACT = 1e-6  # a question with a smaller tolerance asks for a count


def judge_question(answer: Any, question: Question) -> Verdict:
    """Return a Verdict on a question's answer: right, not answered yet, of another kind, a known slip, or wrong."""
    if answer is ... or answer is None:
        further = "" if question.points else " It is not marked: you may skip it."
        message = f"{question.name} is not answered yet: write your answer in place of the dots.{further}"
        return Verdict("unwritten", message)
    given, right = plain(answer), plain(question.answer)
    if agree(given, right, question.tolerance):
        return RIGHT
    for wrong, message in question.wrong.items():
        if agree(given, plain(wrong), question.tolerance):
            slip = Mistake(question.name_of(wrong), message, question.course)
            return Verdict("misconception", message, misconception=slip)
    if form_of(given) != form_of(right):
        return Verdict("type", f"This question wants {_in_words(right)}; yours is {_cut(_in_words(given))}.")
    letters = sorted(x for x in (question.answer, *question.wrong) if isinstance(x, str) and len(x) == 1)  # to choose
    if question.answer in letters and given not in letters:
        return Verdict("values", f'"{_cut(answer)}" is none of the choices. Give one of them: {", ".join(letters)}.')
    if question.has_own_numbers and agree(given, plain(question.variants.common.answer), question.tolerance):
        message = (
            f"{_cut(answer)} is right for the numbers of the common notebook. Yours are `{question.numbers_in_words}`. "
            "Do the lines just above say something else? Then open the notebook of your own kit."
        )
        return Verdict("values", message)
    again = f'Read the lines just above again, or run hint("{question.name}").'
    return Verdict("values", f"It is not {_cut(answer)}{_though(given, right, question.tolerance)}. {again}")


def perhaps_computed(verdict: Verdict, task: Task, wrong: Sequence[str]):
    """Say on the card of a wrong number that it may come from a function which is not right; it costs twice then.

    wrong: names of exercises that are not right.
    """
    if not isinstance(task, Question) or isinstance(task.answer, (bool, str)):
        return verdict
    if verdict.right or verdict.misconception or verdict.reason in ("unwritten", "raised"):
        return verdict
    parts = [EXERCISES[name] for name in wrong if is_lendable(EXERCISES[name], task.lesson)]
    if task.tolerance <= EXACT:  # nobody counts with a function of arrays
        parts = [p for p in parts if all(isinstance(number, int) for number in p.cases(None)[0].inputs.values())]
    earlier = [f"`{part.name}`" for part in parts]
    if not earlier:
        return verdict
    doubt = f"Did you compute it with {' or '.join(earlier)}? Fix that first: it is not right yet."
    return replace(verdict, message=f"{verdict.message}\n\n{doubt}")


def _though(given, right, tolerance):
    """Say that a number is near, or how many parts of an answer are right; nothing if none is."""
    if isinstance(right, tuple):
        count = sum(agree(g, r, tolerance) for g, r in zip(given, right))
        return f", though {count} of the {len(right)} {'is' if count == 1 else 'are'} right" if count else ""
    if form_of(right) == "number" and math.isclose(given, right, rel_tol=NEAR):
        return ", though that is near"
    return ""


def _cut(answer):
    text = in_short(answer)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def _shape_in_words(value):
    """Write the shape of an answer as (..., (..., ...)), and kinds that are no numbers by name."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_shape_in_words, value))}{',' if len(value) == 1 else ''})"
    return {"number": "...", "str": '"..."', "bool": "True or False"}.get(form_of(value), "?")


def _in_words(value):
    if isinstance(value, tuple):
        return f"an answer of the form {_shape_in_words(value)}"
    words = {"number": "a number", "str": "a text in quotes", "bool": "True or False"}
    return words.get(form_of(value), f"something of type {type(value).__name__}")
