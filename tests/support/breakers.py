"""Ways to break what a contract asks for, whatever the exercise: each makes a wrong answer of a right one."""

from functools import wraps

import numpy as np
from modules import reference_of

from autograder.exercise import ModuleExercise, TestWriting
from autograder.judging.results import same
from autograder.judging.running import ask, observe, quiet
from mha_lessons.hooks import is_weight

DEMANDS = {}  # name -> what breaks a demand that the judge may make of any exercise
OTHERS = {}  # those that say something of some contracts only


def broken(exercise, name):
    """A wrong answer: the right one with one thing broken."""
    make = (DEMANDS | OTHERS)[name]
    if isinstance(exercise, TestWriting):
        return make(exercise)
    right = reference_of(exercise)
    if isinstance(exercise, ModuleExercise):
        return type("Broken", (right,), {"forward": make(right.forward)})
    return make(right)


def kept(make, among=DEMANDS):
    among[make.__name__] = make
    return make


def spoils(change):
    """A demand on the result: computed as it should be, and spoiled; of several results or entries, each."""

    def make(right):
        @wraps(right)
        def wrong(*inputs, **options):
            result = right(*inputs, **options)
            if isinstance(result, dict):
                return {name: change(x) for name, x in result.items()}
            return tuple(map(change, result)) if isinstance(result, tuple) else change(result)

        return wrong

    return kept(wraps(change)(make))


def is_floating(result):
    return "float" in str(getattr(result, "dtype", ""))


@spoils
def returns_nothing(result):
    return None


@spoils
def returns_it_twice(result):
    return result, result


@spoils
def returns_a_list(result):
    return result.tolist() if hasattr(result, "tolist") else [result]


@spoils
def puts_an_axis_in_front(result):
    return result[None] if hasattr(result, "ndim") else np.array([result])


@spoils
def returns_integers(result):
    """Of booleans 1 and 0; of other numbers what is left without their digits."""
    if not hasattr(result, "ndim"):
        return result
    return result.astype(int) if isinstance(result, np.ndarray) else result.long()


@spoils
def keeps_three_digits(result):
    if not is_floating(result):
        return result
    return result.astype(np.float16) if isinstance(result, np.ndarray) else result.half()


@spoils
def answers_at_random(result):
    return result * (1 + np.random.rand() / 100) if is_floating(result) else result


@spoils
def cuts_the_gradients(result):
    return result.detach() if hasattr(result, "detach") else result


@kept
def wants_another_input(right):
    return lambda *inputs, model: right(*inputs)


def stops_if(refuses):
    """A breaker that stops at some inputs: refuses(the arrays that are no weights)."""

    def make(right):
        @wraps(right)
        def wrong(*inputs, **options):
            names = right.__code__.co_varnames
            arrays = [x for n, x in (*zip(names, inputs), *options.items()) if hasattr(x, "ndim") and not is_weight(n)]
            assert not refuses(arrays)
            return right(*inputs, **options)

        return wrong

    return kept(wraps(refuses)(make), OTHERS)


@stops_if
def knows_a_single_row_only(arrays):
    return any(x.ndim > 1 for x in arrays)


@stops_if
def knows_two_axes_only(arrays):
    return any(x.ndim > 2 for x in arrays)


@stops_if
def knows_three_axes_only(arrays):
    return any(x.ndim > 3 for x in arrays)


@stops_if
def wants_two_axes(arrays):
    return any(x.ndim < 2 for x in arrays)


@stops_if
def wants_a_batch(arrays):
    return all(x.ndim < 3 for x in arrays)


@kept
def changes_its_inputs(right):
    """Each time that is possible: where gradients are asked for, torch forbids it."""

    @wraps(right)
    def wrong(*inputs, **options):
        result = right(*inputs, **options)
        given = (*inputs, *options.values())
        for x in (each for one in given for each in (one.values() if isinstance(one, dict) else [one])):
            if hasattr(x, "ndim") and not getattr(x, "requires_grad", False):
                x[...] = x * 0
        return result

    return wrong


def passes_all(task):
    """A test that looks, and lets all versions pass."""
    return lambda implementation: implementation.__name__ and None


def stops_the_right_one(task):
    """A test that lets no version pass."""

    def test(implementation):
        raise AssertionError

    return test


def misses_one(task):
    """A test that lets the right version pass, and one of the wrong ones."""
    exercise, missed = task.exercise, task.wrong_versions[-1].function

    def does_the_same(implementation, function):
        return all(
            same(
                ask(implementation, c.inputs, exercise.library, exercise.parameters), observe(function, c.inputs), 1e-4
            )
            for c in exercise.cases()
        )

    def test(implementation):
        assert does_the_same(implementation, exercise.reference) or does_the_same(implementation, missed)

    return test


OTHERS |= {make.__name__: make for make in (passes_all, stops_the_right_one, misses_one)}


@quiet()
def goes_wrong(answer, exercise, tag):
    """Whether the answer's result is another than the right one, on a case with this tag."""
    cases = [case for case in exercise.cases() if case.tag == tag]
    tries = (
        (observe(exercise.reference, c.inputs), ask(answer, c.inputs, exercise.library, exercise.parameters))
        for c in cases
    )
    return any(not same(got, expected, 1e-3) or got.changed for expected, got in tries)
