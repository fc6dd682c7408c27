"""Which task a learner means: softmax, "softmax", or softmax=softmax."""

import sys

from ..catalogue import EXERCISES, UnknownExercise


def name_and_answer(answer, named):
    """Return the task's name, given by keyword or as text, or that of the answer or of a variable that holds it.

    To be called by what the learner calls: the variables are the learner's.
    """
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
        given = "An answer of dots" if answer is ... else repr(answer)
        raise UnknownExercise(f'{given} does not say which question is meant: write hint("name") or check(name=name)')
    return name, answer
