"""Judge the answer to a question."""

import math
from typing import Any

from ..exercise import Question
from ..mistakes import Mistake
from .results import as_plain_number
from .verdict import RIGHT, Verdict, in_short

MOST = 1000  # parts of an answer that are looked at: right ones have a few
NEAR = 0.15  # of a number: as far off as one that was read or counted a little wrong
LONGEST = 200  # characters of an answer that are repeated


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
            return Verdict(
                "misconception", message, misconception=Mistake(question.name_of(wrong), message, question.course)
            )
    if _form(given) != _form(right):
        return Verdict("type", f"This question wants {_in_words(right)}; yours is {_cut(_in_words(given))}.")
    letters = sorted(x for x in (question.answer, *question.wrong) if isinstance(x, str) and len(x) == 1)  # to choose
    if question.answer in letters and given not in letters:
        return Verdict("values", f'"{_cut(answer)}" is none of the choices. Give one of them: {", ".join(letters)}.')
    if question.has_own_numbers and agree(given, plain(question.variants.common.answer), question.tolerance):
        return Verdict("values", _OF_OTHERS.format(_cut(answer), question.numbers_in_words))
    again = f'Read the lines just above again, or run hint("{question.name}").'
    return Verdict("values", f"It is not {_cut(answer)}{_though(given, right, question.tolerance)}. {again}")


def _though(given, right, tolerance):
    """Say that a number is near, or how many parts of an answer are right; nothing if none is."""
    if isinstance(right, tuple):
        count = sum(agree(g, r, tolerance) for g, r in zip(given, right))
        return f", though {count} of the {len(right)} {'is' if count == 1 else 'are'} right" if count else ""
    if _form(right) == "number" and math.isclose(given, right, rel_tol=NEAR):
        return ", though that is near"
    return ""


def _cut(answer):
    text = in_short(answer)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


_OF_OTHERS = (
    "{} is right for the numbers of the common notebook. Yours are `{}`. "
    "Do the lines just above say something else? Then open the notebook of your own kit."
)


def plain(value: Any, most: int = MOST):
    """Return lists, arrays and shapes as tuples, numbers of any library as Python's, texts without case and blanks.

    Of too many numbers, return the first in a row. All parts together are not more than `most`, however they nest.
    """
    if hasattr(value, "tolist") and not isinstance(value, type):
        value = (value if math.prod(value.shape) <= most else value.reshape(-1)[:most]).tolist()
    if isinstance(value, (list, tuple)):
        parts = value[:most]
        return tuple(plain(part, most // len(parts)) for part in parts)
    value = as_plain_number(value)
    if isinstance(value, int) and abs(value) > 1e300:
        return math.inf  # more than a float can hold, as good as infinite
    return value.strip().strip("().").lower() if isinstance(value, str) else value


def agree(given, right, tolerance: float) -> bool:
    """Say whether two plain answers are the same up to rounding."""
    if isinstance(right, bool):  # 1 and 0 will do
        return isinstance(given, (bool, int, float)) and given == right
    if isinstance(right, tuple) and isinstance(given, tuple):
        return len(given) == len(right) and all(agree(g, r, tolerance) for g, r in zip(given, right))
    if _form(given) == _form(right) == "number":
        return math.isclose(given, right, rel_tol=tolerance, abs_tol=1e-9)
    try:
        return given == right
    except ArithmeticError:  # some decimals refuse that
        return False


def _form(value):
    if isinstance(value, tuple):
        return tuple(_form(v) for v in value)
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


def _shape_in_words(value):
    """Write the shape of an answer as (..., (..., ...)), and kinds that are no numbers by name."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_shape_in_words, value))}{',' if len(value) == 1 else ''})"
    return {"number": "...", "str": '"..."'}.get(_form(value), "True or False" if isinstance(value, bool) else "?")


def _in_words(value):
    if isinstance(value, tuple):
        return f"an answer of the form {_shape_in_words(value)}"
    words = {"number": "a number", "str": "a text in quotes", "bool": "True or False"}
    return words.get(_form(value), f"something of type {type(value).__name__}")
