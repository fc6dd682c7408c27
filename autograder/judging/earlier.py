"""What an answer takes from an earlier call: it is asked for other numbers of the same shapes, input by input."""

from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations

import numpy as np

from .asking import observe
from .outcome import same
from .verdict import Example, Trial, Verdict


@lru_cache(maxsize=100)
def fullest(cases):
    """Return the ordinary case with the most inputs, and the largest of these."""
    return max(cases, key=lambda c: (not c.tag, len(_arrays(c.inputs)), sum(map(np.size, c.inputs.values()))))


def the_others_and_the_first(case):
    """Return groups of a function's inputs, to find what is kept by shape or looked up by the first input."""
    first, *others = _arrays(case.inputs) or [None]
    return [group for group in (others, [first]) if group and first]


def one_by_one(case):
    """Return a layer's inputs as groups: each by itself, and all weights together."""
    names = _arrays(case.inputs)
    weights = [name for name in names if name in case.weights]
    return [*([name] for name in names if name not in weights), *([weights] if weights else [])]


@lru_cache(maxsize=100)
def other_numbers(exercise, case, grouped):
    """Yield (case, expected outcome) with other numbers in one group of inputs, then in one more, and so on."""
    inputs, found = case.inputs, []
    for names in grouped(case):
        turned = {n: _turned(inputs[n]) for n in names}
        if not all(np.array_equal(turned[n], inputs[n]) for n in names):
            inputs = inputs | turned
            found.append((replace(case, inputs=inputs, tag=""), observe(exercise.reference, inputs)))
    return [(other, expected) for other, expected in found if expected.kind != "error"]


def wrong_with_other_numbers(attempt, case, grouped):
    """Return the attempt with further trials, the last of which is wrong; None if other numbers cause no mistake."""
    trials = list(attempt.trials)
    for other, expected in other_numbers(attempt.exercise, case, grouped):
        trials.append(Trial(other, expected, attempt.ask(other.inputs)))
        if not trials[-1].same_value:
            return replace(attempt, trials=trials)
    return None


def takes_from_an_earlier_call(attempt):
    """Return a Verdict if a result is right for inputs of an earlier call with the same shapes."""
    trial = attempt.first_wrong
    earlier = attempt.trials[: attempt.trials.index(trial)] if trial.got.is_array else ()
    names = next(filter(None, (taken(attempt.exercise, trial, t) for t in earlier if not t.case.tag)), None)
    if names and _stays(attempt, trial, names):
        which = " and ".join(f"`{name}`" for name in names)
        message = (
            f"Your result depends on earlier calls: here it is right for {which} of an earlier call, whose shapes "
            "were the same. The numbers are others now. Is something looked up by its shape, or made once and kept? "
            "Equal shapes do not mean equal numbers. Make anew what depends on them."
        )
        return Verdict("property", message, property="same_input_same_result", example=Example.of(trial))


def taken(exercise, trial, earlier):
    """Return the names of the inputs that seem to come from an earlier call; none if that explains nothing."""
    groups = [g for g in one_by_one(trial.case) if _are_others(trial.inputs, earlier.inputs, g)]
    some = chain.from_iterable(combinations(groups, count) for count in range(1, len(groups) + 1))
    for names in ([*chain.from_iterable(chosen)] for chosen in some):
        stale = observe(exercise.reference, trial.inputs | {n: earlier.inputs[n] for n in names})
        if same(trial.got, stale, trial.tolerance):
            return names
    return []


def _stays(attempt, trial, names):
    """Say whether the result stays as it is, whatever the numbers in these inputs are now."""
    others = {name: _turned(trial.inputs[name]) for name in names}
    return same(attempt.ask(trial.inputs | others), trial.got, trial.tolerance)


def _turned(x):
    """Return the same numbers in other places."""
    return np.roll(x, 1, axis=tuple(range(x.ndim)))


def _are_others(now, before, names):
    """Say whether these inputs had the same shapes before, and other numbers."""
    pairs = [(now[n], before.get(n)) for n in names]
    alike = all(isinstance(y, np.ndarray) and x.shape == y.shape for x, y in pairs)
    return alike and not all(np.array_equal(x, y) for x, y in pairs)


def _arrays(inputs):
    return {n: x for n, x in inputs.items() if isinstance(x, np.ndarray)}
