"""Lesson 13: half precision, and attention in blocks."""

from itertools import product

from autograder.exercise import Question


def _slips(answer, choices, messages):
    """Every other answer that one can choose, place by place -> what to say of the first place that differs."""
    others = (given for given in product(choices, repeat=len(answer)) if given != answer)
    return {given: next(m for m, g, a in zip(messages, given, answer) if g != a) for given in others}


a_billion_less = Question(
    answer=("a", "b", "c"),
    wrong=_slips(
        ("a", "b", "c"),
        "abc",
        (
            "Look at float16 first. Its largest number is 65504: what is -1e9 then, and what is that minus itself?",
            "float16 is as you say. Near a billion, float32 numbers are 64 apart: "
            "is there room for the differences between 2, 1 and 0?",
            "float16 and float32 are as you say. Near a billion, float64 numbers are 0.0000001 apart: "
            "what becomes of the differences between 2, 1 and 0?",
        ),
    )
    | {
        ("b", "b", "b"): "*Filling* every place with -1e9 would do that, except in float16. "
        "Here -1e9 is added, and float64 still has digits left for the 2, the 1 and the 0. And float16 has no -1e9.",
        ("a", "a", "a"): "NaN needs an infinity here. -1e9 is an ordinary number for float32 and float64.",
        ("c", "c", "c"): "In exact arithmetic, yes: the same number added to every score changes nothing. "
        "But float32 and float16 cannot hold the sum exactly; compare it with the gaps above.",
        ("c", "b", "a"): "The order is float16, float32, float64: the least exact first.",
    },
)
