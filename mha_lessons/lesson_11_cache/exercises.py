"""Lesson 11: what is kept while a model writes."""

from autograder.exercise import Question

factor_for_the_cache = Question(
    answer=1,
    wrong={
        2: "Twice as many heads, but each is half as large: n_kv · d_h stays the same. "
        "The cache holds features, not maps.",
        0.5: "Each head is half as large, but there are twice as many.",
        4: "The number of heads enters once, and the head size undoes it.",
        0.25: "The head size enters once, and the number of heads undoes it.",
        64: "64 is the number of heads of the second model. By which factor does the whole formula change?",
        32: "32 is the number of heads of the first model. By which factor does the whole formula change?",
    },
)
