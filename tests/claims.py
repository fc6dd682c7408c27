"""What a card claims of an answer, checked against the answer itself.

CLAIMS is a table: a pattern in the card's text, and a check that gets the match and the answer at hand.
"""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder.exercise import ModuleExercise
from autograder.inputs import EDGES, is_weight
from autograder.judging.asking import ask, observe
from autograder.judging.conditions import one_thread, quiet
from autograder.judging.outcome import same
from autograder.judging.own_errors import is_own
from autograder.judging.verdict import Trial
from autograder.judging.where import is_plain
from autograder.shapes import shape_in_words

CLAIMS = []
WEIGHTS = ("softmax", "softmax_with_temperature", "attention_weights", "masked_softmax")  # whose results are weights


def claim(pattern):
    """Decorator for the check of a claim."""
    return lambda check: CLAIMS.append((re.compile(pattern), check)) or check


def false_claims(verdict, answer, exercise):
    """The parts of a card that are not true of the answer."""
    text = " ".join(f"{verdict.message} {verdict.right_so_far}".split())
    tried = Tried(answer, exercise, verdict)
    found = ((match, check) for pattern, check in CLAIMS for match in pattern.finditer(text))
    with quiet(), one_thread():
        return [match[0] for match, check in found if check(tried, match) is False]


@dataclass
class Tried:
    """An answer, its exercise, what the judge said, and what comes out on each case."""

    answer: object
    exercise: object
    verdict: object

    @cached_property
    def function(self):
        if isinstance(self.exercise, ModuleExercise):
            from autograder.judging.modules.running import as_function

            return as_function(self.answer, self.exercise)
        return self.answer

    def ask(self, inputs):
        return ask(self.function, inputs, self.exercise.library, self.exercise.parameters)

    @cached_property
    def trials(self):
        cases = [case for case in self.exercise.cases() if case.tag != "huge"]
        return [Trial(c, observe(self.exercise.reference, c.inputs), self.ask(c.inputs)) for c in cases]

    @property
    def wrong(self):
        return [trial for trial in self.trials if not trial.right]

    @property
    def arrays(self):
        """Results of wrong cases that are numbers, beside the right ones: (yours, right, trial)."""
        return [
            (got.value, expected.value, t)
            for t in self.wrong
            for got, expected in zip(t.got.parts or (t.got,), t.expected.parts or (t.expected,))
            if got.is_array and expected.is_array
        ]


def shapes(outcome):
    return [np.shape(part.value) for part in outcome.parts or (outcome,)]


@claim("the shape of every result")
def every_shape_is_right(tried, match):
    return all(shapes(t.got) == shapes(t.expected) for t in tried.trials if t.expected.kind != "error")


@claim(r"(?i)the right shape")
def some_wrong_result_has_the_right_shape(tried, match):
    return any(shapes(t.got) == shapes(t.expected) for t in tried.wrong)


@claim(r"the numbers for (\d+) of the \d+ inputs")
def so_many_are_right(tried, match):
    changes = tried.verdict.property == "same_input_same_result"  # with each call
    counted = [t for t in tried.exercise.cases() if t.tag == "huge"]
    return changes or bool(counted) or sum(t.same_value for t in tried.trials) == int(match[1])


@claim(r"Among the inputs we tried, it goes wrong (only [^.]*)\.")
def all_that_fail_share_it(tried, match):
    off = [t for t in tried.trials if not t.same_value] or tried.wrong
    tags = [tag for tag, words in EDGES.items() if words == match[1]]
    named = re.search(r"where `(\w+)` is (not given|given|True|False|\"(\w+)\")", match[1])
    if tags:
        return all(t.case.tag in tags for t in off)
    if named:
        return all(_has(t, *named.groups()) for t in off)
    plain = {"only without a batch in front": True, "only with a batch in front": False}
    return match[1] not in plain or all(is_plain(t) == plain[match[1]] for t in off)


def _has(trial, name, what, text):
    if "given" in what:
        return (name in trial.inputs) == (what == "given")
    return trial.inputs.get(name) == (text if text else what == "True")


@claim(r"stays the same whatever stands in `(\w+)`")
def other_numbers_change_nothing(tried, match):
    trial = next(t for t in tried.trials if not t.case.tag and isinstance(t.inputs.get(match[1]), np.ndarray))
    x = trial.inputs[match[1]]
    other = trial.inputs | {match[1]: ~x if x.dtype == bool else np.roll(x * 2, 1)}
    return same(tried.ask(other), trial.got, 1e-12)


@claim(r"Every number of yours is ([-\d.e+]+) times what it should be")
def one_factor(tried, match):
    ordinary = [(got, right) for got, right, t in tried.arrays if not t.case.tag]
    return all(np.allclose(got, float(match[1]) * right, rtol=1e-2, atol=1e-4) for got, right in ordinary)


@claim(r"(?i)every number (?:of your (?:result|output)|in it) is (?:zero|0)\b")
def some_result_is_all_zeros(tried, match):
    return any(not got.any() and right.any() for got, right, _ in tried.arrays)


@claim(r"(?i)\b(?:come|comes) out as zeros|gets? nothing at all|rows? (?:is|are) all zeros?")
def some_row_is_zeros(tried, match):
    return any(not row.any() for got, _, _ in tried.arrays for row in np.atleast_2d(got).reshape(-1, got.shape[-1]))


@claim(r"(?:gives?|comes? out as|holds|your weights are) (?:NaN|nan)\b(?! or)")
def some_result_is_nan(tried, match):
    return any(np.isnan(got.astype(float)).any() for got, _, _ in tried.arrays)


@claim(r"holds infinity|gives? NaN or infinity")
def some_result_is_not_finite(tried, match):
    return any(not np.isfinite(got.astype(float)).all() for got, _, _ in tried.arrays)


@claim(r"(?:your rows|the rows|that remain in a row) (?:do not )?sum to (less than |more than )?1\b")
def rows_have_another_sum(tried, match):
    if tried.exercise.name not in WEIGHTS or "should" in match.string:
        return None
    sums = [got.sum(axis=t.inputs.get("axis", -1)) for got, _, t in tried.arrays if np.isfinite(got).all()]
    off = {"less than ": lambda s: s < 1 - 1e-9, "more than ": lambda s: s > 1 + 1e-9}
    return any(off.get(match[1], lambda s: abs(s - 1) > 1e-9)(s).any() for s in sums)


@claim(r"[Yy]our code stops(?: with `?(\w+Error))?")
def some_call_stops(tried, match):
    if tried.verdict.reason == "raised":
        return None  # of a class it may be its __init__, or another mode
    errors = [type(t.got.error).__name__ for t in tried.trials if t.got.error]
    return match[1] in errors if match[1] else bool(errors)


@claim(r"[Yy]our code (?:also )?(?:refuses(?! only)|says no)|your own `raise` or `assert` refuses it")
def some_error_is_the_learners_own(tried, match):
    errors = [t.got.error for t in tried.wrong if t.got.error]
    lacking = (KeyError, ValueError)  # a collection of theirs that lacks a name
    return any(is_own(e) or isinstance(e, lacking) or type(e).__name__ == "Refused" for e in errors)


@claim(r"[Yy]our code accepts")
def some_call_that_should_stop_does_not(tried, match):
    return any(t.expected.error and not t.got.error for t in tried.trials)


@claim(r"Your result has the shape (.*?); it should be")
def some_result_has_this_shape(tried, match):
    return any(match[1] == shape_in_words(shape) for t in tried.wrong for shape in shapes(t.got))


@claim(r"your code changes? its inputs? (\w+)|your code changed its inputs? (\w+)")
def this_input_changes(tried, match):
    return any((match[1] or match[2]) in t.got.changed for t in tried.trials)


@claim(r"The same input gave two different results")
def asked_again_it_differs(tried, match):
    trial = tried.trials[0]
    again = [tried.ask(trial.inputs) for _ in range(4)]
    return not all(same(x, trial.got, trial.tolerance, any_infinity=True) for x in again) or None


@claim(r"Your results are right(?! for)")
def all_results_are_right(tried, match):
    return all(t.right for t in tried.trials)


@claim(r"(With|Without) a mask your result is right")
def right_on_that_side(tried, match):
    return all(t.same_value for t in tried.trials if not t.case.tag and ("mask" in t.inputs) == (match[1] == "With"))


@claim(r"Some (rows|numbers) of your result are 0, and all others are right")
def zeros_among_right_numbers(tried, match):
    return all(
        ((got == 0) | np.isclose(got, right, atol=1e-4)).all() for got, right, t in tried.arrays if not t.case.tag
    )


@claim(r"Without their signs your numbers are right")
def only_signs_differ(tried, match):
    return all(np.allclose(abs(got), abs(right), atol=1e-4) for got, right, t in tried.arrays if not t.case.tag)


@claim(r"[Oo]nly the (first|last) (item of the batch|head|key) (?:is in|has an influence on) your (?:result|output)")
def all_else_has_no_influence(tried, match):
    """Of a batch, all items but this one may change."""
    if match[2] != "item of the batch":
        return None
    place, seen = (0 if match[1] == "first" else -1), []
    for t in (t for t in tried.trials if not t.case.tag and not is_plain(t)):
        names = [n for n, x in t.inputs.items() if isinstance(x, np.ndarray) and x.ndim > 2 and not is_weight(n)]
        others = {n: _others_changed(t.inputs[n], place) for n in names}
        seen.append(same(tried.ask(t.inputs | others), t.got, 1e-9))
    return all(seen)


def _others_changed(x, place):
    changed = x * 2 if x.dtype != bool else ~x
    changed[place] = x[place]
    return changed
