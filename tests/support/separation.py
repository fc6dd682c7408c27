"""Which versions of an exercise no case tells apart, and inputs that would.

    python tests/support/separation.py softmax causal_attention

prints what stays together on all cases and could be told apart, and the simplest inputs that do so.
"""

import sys
from functools import cache
from inspect import Parameter

import numpy as np
from hypothesis import assume, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from autograder import EXERCISES
from autograder.cases import Case
from autograder.judging.results import RECOGNISED, Run, same, tolerance_of
from autograder.judging.running import observe, quiet
from mha_lessons.hooks import is_weight

RIGHT = "right"
CLEAR = 1e-3  # a difference that no rounding makes
LOUD = 60
FAR = 600  # exp of it is a number yet, of twice as much it is infinite
CONTRACT = {  # what a docstring asks for and the reference does not check
    "causal_attention": lambda inputs: inputs["query"].shape[-2] <= inputs["key"].shape[-2],
    "attention_in_blocks": lambda inputs: inputs["query"].shape[-2] <= inputs["key"].shape[-2],
    "DecoderLayer": lambda inputs: len(inputs["self_weights"]) == 4,
}


def versions(exercise):
    """The right version and all misconceptions, each by its label: what computes it."""
    return {RIGHT: exercise.reference} | {label(*b.mistakes): b.function for b in exercise.wrong_versions}


def label(misconception):
    """rounds_the_means(digits=2): the name, and of a family the constants."""
    constants = [f"{n}={getattr(x, '__name__', x)}" for n, x in misconception.constants.items()]
    return misconception.name + (f"({', '.join(constants)})" if constants else "")


@cache
@quiet()
def together(exercise):
    """What no case tells apart: groups of labels."""
    functions = versions(exercise)
    groups = [list(functions)]
    for case in exercise.cases():
        groups = [part for group in groups for part in parts(group, functions, case, as_judged)]
    return groups


def parts(group, functions, case, agree):
    """The group in parts, in each of which all agree with the first; one that stands alone is left out."""
    found = []
    for name, got in ((name, observe(functions[name], case.inputs)) for name in group):
        part = next((part for part in found if agree(*part[0], got, case)), None)
        if part is None:
            found.append(part := [])
        part.append((name, got))
    return [[name for name, _ in part] for part in found if len(part) > 1]


def as_judged(name, expected, got, case):
    """The judge compares an answer with the reference strictly, and with misconceptions loosely."""
    if name == RIGHT:
        return Run(case, expected, got).right
    tolerance = max(tolerance_of(*case.inputs.values()), RECOGNISED)
    return same(got, expected, tolerance, any_infinity=bool(case.tag))


def nearly(name, expected, got, case):
    """Differences that rounding may make are none."""
    return same(got, expected, CLEAR, any_infinity=True)


def parting(group, exercise, tries):
    """The simplest inputs that tell some of the group apart, or None if there are none among so many."""
    functions = versions(exercise)

    def tells(inputs):
        return parts(group, functions, Case(inputs), nearly) != [group]

    try:
        return find(inputs_like(exercise), tells, settings=settings(max_examples=tries, database=None, deadline=None))
    except NoSuchExample:
        return None


@st.composite
def inputs_like(draw, exercise):
    """Inputs as in a case, but of other lengths, some left out, and with other numbers."""
    inputs = draw(st.sampled_from(exercise.cases(draw(st.integers(0, 50))))).inputs
    inputs = {name: x for name, x in inputs.items() if not optional(name, exercise) or draw(st.booleans())}
    lengths = {n: draw(st.just(n) | st.integers(1, 5)) for n in lengths_of(inputs)}
    rng = np.random.default_rng(draw(st.integers(0, 50)))
    changed = {
        name: draw(st.sampled_from(changes_of(name, x)))(resized(name, x, lengths), rng) for name, x in inputs.items()
    }
    assume(fit(exercise, changed))
    return changed


def optional(name, exercise):
    return exercise.parameters[name] is not Parameter.empty and not is_weight(name)


def lengths_of(inputs):
    """Every length that occurs, be it of an axis or a number of something."""
    axes = {n for x in inputs.values() if isinstance(x, np.ndarray) for n in x.shape}
    return sorted(axes | {x for name, x in inputs.items() if is_size(name, x)})


def is_size(name, x):
    return type(x) is int and name != "axis"


def resized(name, x, lengths):
    """Equal lengths stay equal, so that most of what fitted together still does. Numbers are double, to be exact."""
    if isinstance(x, np.ndarray):
        new = np.resize(x, [lengths[n] for n in x.shape])
        return new.astype(float) if new.dtype.kind == "f" else new
    return lengths[x] if is_size(name, x) else x


def changes_of(name, x):
    """What may be done to an input, the simplest first. Weights stay of ordinary size."""
    if not isinstance(x, np.ndarray):
        return [as_it_is]
    if is_weight(name):
        return [as_it_is, anew, all_positive, whole, faint, rows_alike]
    numbers = [
        as_it_is,
        anew,
        all_positive,
        whole,
        loud,
        faint,
        rows_alike,
        far_up,
        one_above,
        one_below,
        very_far_down,
    ]
    return {"f": numbers, "b": [as_it_is, allowed, at_random], "i": [as_it_is, counted_anew]}[x.dtype.kind]


def as_it_is(x, rng):
    return x


def anew(x, rng):
    return rng.normal(size=x.shape)


def all_positive(x, rng):
    return abs(anew(x, rng))


def whole(x, rng):
    return np.round(2 * anew(x, rng))


def loud(x, rng):
    return LOUD * anew(x, rng)


def faint(x, rng):
    return anew(x, rng) / LOUD


def rows_alike(x, rng):
    return np.broadcast_to(anew(x[..., :1, :], rng) if x.ndim > 1 else x, x.shape).copy()


def far_up(x, rng):
    return anew(x, rng) + FAR


def very_far_down(x, rng):
    return -10 * FAR * all_positive(x, rng)


def one_above(x, rng):
    return anew(x, rng) + 2 * FAR * (np.arange(x.shape[-1]) == 1)


def one_below(x, rng):
    return anew(x, rng) - 2 * FAR * (np.arange(x.shape[-1]) == 1)


def allowed(x, rng):
    return np.ones_like(x)


def at_random(x, rng):
    return rng.random(x.shape) < 0.6


def counted_anew(x, rng):
    return rng.integers(0, 5, size=x.shape)


def fit(exercise, inputs):
    """Whether the contract allows them: the reference accepts them, and gives numbers."""
    if not CONTRACT.get(exercise.name, bool)(inputs):
        return False
    outcome = observe(exercise.reference, inputs)
    return outcome.kind != "error" and all(
        np.isfinite(part.value).all() for part in outcome.parts or [outcome] if part.kind == "floating"
    )


def proposals(exercise, tries):
    """For each group that no case parts, the inputs that do, and the groups that remain then."""
    functions, groups = versions(exercise), together(exercise)
    while groups:
        group = groups.pop()
        inputs = parting(group, exercise, tries)
        if inputs is not None:
            groups = [p for g in [*groups, group] for p in parts(g, functions, Case(inputs), nearly)]
        yield group, inputs


@quiet()
def main(names, tries=500):
    for name in names:
        alike = 0
        for group, inputs in proposals(EXERCISES[name], tries):
            alike += inputs is None
            if inputs is not None:
                print(f"\n{name}: {' = '.join(group)}\n  {shown(inputs)}")
        print(f"\n{name}: for {alike} groups that stay together nothing was found")


def shown(inputs):
    """Numbers if they are few, else the shape."""
    large = {name: f"of shape {x.shape}" for name, x in inputs.items() if np.size(x) > 12}
    return inputs | large


if __name__ == "__main__":
    main(sys.argv[1:])
