"""Lesson 00: the mean, and how far numbers lie from it."""

import toy_ref

from autograder.exercise import Exercise, Step, TestWriting
from autograder.question import Question, varied

from . import cases
from .properties import the_mean_moves_with_the_numbers, the_spread_stays_where_numbers_move

mean = Exercise(toy_ref.mean, cases.numbers, properties=(the_mean_moves_with_the_numbers,), forbids=("average",))
centred = Step(toy_ref.centred)
variance = Exercise(
    toy_ref.variance, cases.numbers, points=2, properties=(the_spread_stays_where_numbers_move,), forbids=("var",)
)
order_of_the_variance = Question(
    answer="a b c", wrong={"d": "That is the square of the mean. A variance is the mean of squares."}
)
test_variance = TestWriting(variance, catches=("takes_distances_without_a_square", "divides_by_one_less"))


@varied(first=(2, 3, 4), second=(6, 9, 10))
def mean_of_two(first, second):
    """What is the mean of {first} and {second}?"""
    total = first + second
    return Question(
        answer=total / 2,
        wrong={total: f"{total} is the sum. A mean shares it out.", first * second: "You multiplied the two."},
        values=dict(total=total),
    )
