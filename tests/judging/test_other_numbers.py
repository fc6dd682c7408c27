"""Where a number is asked for, one is as good as another: of Python, of fractions, of decimals, of sympy."""

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
import sympy

from autograder import EXERCISES, judge
from autograder.question import Question

NUMBERS = [
    name
    for name, task in EXERCISES.items()
    if isinstance(task, Question) and isinstance(task.answer, (int, float)) and not isinstance(task.answer, bool)
]
KINDS = Fraction, Decimal, sympy.Rational, sympy.Float, mpmath.mpf


@pytest.mark.parametrize("kind", KINDS)
def test_a_right_number_is_right(kind):
    """Whatever its type; another number of that type is not."""
    for name in NUMBERS:
        assert judge(kind(EXERCISES[name].answer), name).right, name
        wrong = judge(kind(EXERCISES[name].answer * 3 + 7), name)
        assert not wrong.right and wrong.reason != "type", name


def test_terms_that_stand_for_a_number():
    """sympy keeps them as they were written; one with a variable in it is no number."""
    assert judge(sympy.exp(2), "weight_ratio").right
    assert judge(sympy.exp(2) * sympy.Symbol("x"), "weight_ratio").reason == "type"
