"""Answers that are asked again: other results for the same inputs, or something taken from an earlier call."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ..cases import Case
from ..exercise import Exercise
from .asking import observe
from .attempt import Attempt
from .memory import without_memory
from .outcome import same
from .verdict import Example, Run, Verdict


def random(attempt: Attempt) -> Verdict | None:
    """Return a Verdict if an answer gives different results for the same input."""
    return _asked_again(attempt, attempt.first_wrong)


def changes_its_mind(attempt: Attempt, case: Case):
    """Say whether an answer that was right for every input is not so when asked again, or in another memory order."""
    run = next(run for run in attempt.runs if run.case is case)
    if _is_the_same(attempt.ask(run.inputs, order="F"), run):  # which is both at once
        return None
    return _asked_again(attempt, run) or _asked_in_another_order(attempt, run)


def _asked_again(attempt, run):
    if _differs(attempt.ask(run.inputs), run):
        message = (
            "The same input gave two different results. Something is random in your code, "
            "a dropout that is always on or a layer made anew at every call say, or it keeps something from an "
            "earlier call. A result may depend on the inputs alone."
        )
        return Verdict("property", message, property="same_input_same_result", example=Example.of(run))


def _asked_in_another_order(attempt, run):
    """Ask in another memory order. An error is excused: `view` is honest, and stops where it cannot work."""
    if _differs(attempt.ask(run.inputs, order="F"), run):
        message = (
            "Your result changes with the order in which the input's numbers lie in memory. After a transpose or a "
            "slice they lie in another order, yet the array is the same. Your code looks at memory itself: strides, a "
            "buffer, `ravel` in another order. Ask for numbers by their indices."
        )
        return Verdict("property", message, property="memory_makes_no_difference", example=Example.of(run))


def _differs(again, run):
    return again.arrays and run.got.arrays and not _is_the_same(again, run)


def _is_the_same(again, run):
    return same(again, run.got, run.tolerance, any_infinity=True)


def keeps(attempt: Attempt) -> Verdict | None:
    """Return a Verdict if an answer is right as soon as it forgets its earlier calls."""
    kept, fresh = without_memory(attempt.answer)
    run = attempt.first_wrong
    if kept and not run.same_value and same(attempt.ask(run.inputs, fresh), run.expected, run.tolerance):
        message = (
            f"Your result depends on earlier calls: {kept} keeps something of them, and a later call reads it, "
            "though its inputs are others. A result may depend on the inputs of its own call alone. "
            "Make it anew each time; or is something missing in what you look it up by?"
        )
        return Verdict("property", message, property="same_input_same_result")


@lru_cache(maxsize=100)
def fullest(cases: Sequence[Case]):
    """Return the ordinary case with the most inputs, and the largest of these."""
    return max(cases, key=lambda c: (not c.tag, len(_arrays(c.inputs)), sum(map(np.size, c.inputs.values()))))


def the_others_and_the_first(case: Case):
    """Return groups of a function's inputs, to find what is kept by shape or looked up by the first input."""
    first, *others = _arrays(case.inputs) or [None]
    return [group for group in (others, [first]) if group and first]


def one_by_one(case: Case):
    """Return a layer's inputs as groups: each by itself, and all weights together."""
    names = _arrays(case.inputs)
    weights = [name for name in names if name in case.weights]
    return [*([name] for name in names if name not in weights), *([weights] if weights else [])]


@lru_cache(maxsize=100)
def other_numbers(exercise: Exercise, case: Case, grouped):
    """Yield (case, expected outcome) with other numbers in one group of inputs, then in one more, and so on."""
    inputs, found = case.inputs, []
    for names in grouped(case):
        turned = {n: _turned(inputs[n]) for n in names}
        if not all(np.array_equal(turned[n], inputs[n]) for n in names):
            inputs = inputs | turned
            expected = exercise.judged(observe(exercise.reference, inputs), inputs)
            found.append((replace(case, inputs=inputs, tag=""), expected))
    return [(other, expected) for other, expected in found if expected.kind != "error"]


def wrong_with_other_numbers(attempt: Attempt, case: Case, grouped):
    """Return the attempt with further runs, the last of which is wrong; None if other numbers cause no mistake."""
    runs = list(attempt.runs)
    for other, expected in other_numbers(attempt.exercise, case, grouped):
        runs.append(Run(other, expected, attempt.ask(other.inputs)))
        if not runs[-1].same_value:
            return replace(attempt, runs=runs)
    return None


def takes_equal_shapes_for_equal_numbers(attempt: Attempt) -> Verdict | None:
    """Return a Verdict on an answer that was right for every input until other numbers of the same shapes came."""
    if attempt.first_wrong.got.error:
        return None
    message = (
        "Your results are right, until other numbers of the same shapes come. Is something looked up by its shape, or "
        "made once and kept? Equal shapes do not mean equal numbers. Make anew what depends on them."
    )
    return Verdict("property", message, property="same_input_same_result", example=Example.of(attempt.first_wrong))


def _turned(x):
    """Return the same numbers in other places."""
    return np.roll(x, 1, axis=tuple(range(x.ndim)))


def _arrays(inputs):
    return {n: x for n, x in inputs.items() if isinstance(x, np.ndarray)}
