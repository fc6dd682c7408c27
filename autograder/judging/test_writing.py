"""Judging a test that a learner wrote: it must let the right version pass, and fail for the wrong ones."""

import inspect
from contextlib import suppress
from functools import cache, partial
from random import Random

import numpy as np

from ..properties import every_number_is_there_once
from .outcome import TooSlow, caught_output, observe, quiet, same, to_array, tolerance_of
from .stub import is_stub
from .swallowing import swallows
from .verdict import RIGHT, Verdict, error_line


def judge_test(test, task, seed=None):
    """Points by how many wrong versions are caught; none if the test refuses the right one.

    seed: draws the wrong versions that come before the right one, so that whoever only remembers what came first has
    nothing right; and the order in which all come a second time, when a test that only counts its calls is lost.
    """
    if not callable(test) or isinstance(test, type):
        return Verdict("type", f"{task.name} should be a function: it takes {task.exercise.name}, and asserts.")
    if is_stub(test):
        return Verdict("unwritten", f"{task.name} is not written yet.")
    draw, right = Random(seed), task.exercise.reference
    run = partial(_run, test, task)
    early = draw.sample(task.wrong_versions, draw.randint(1, len(task.wrong_versions)))
    passed_early = {belief: run(_wrong(belief, task))[0] is None for belief in early}
    complaint, returned, calls = run(_version(right, right))
    too_strict, _, _ = run(_version(_in_floats(right), right))
    if complaint or too_strict:
        return _refuses_the_right_one(task, complaint or too_strict, calls, only_floats=complaint is None)
    for version in task.also_right:
        complaint = run(version)[0]
        if complaint:
            return _refuses_another_style(task, version, complaint)
    missed = [belief for belief in task.wrong_versions if run(_wrong(belief, task))[0] is None]
    otherwise = any(passed != (belief in missed) for belief, passed in passed_early.items())
    if len(missed) < len(task.wrong_versions) and (otherwise or _says_otherwise(test, task, missed, draw)):
        return Verdict("property", _OTHERWISE, property="same_version_same_result")
    return _misses(test, task, missed, returned, calls) if missed else RIGHT


def _says_otherwise(test, task, missed, draw):
    """Whether the test, asked about all versions again, in any order, says of one what it did not say before."""
    reference = task.exercise.reference
    right = [(version, True) for version in (_version(reference, reference), *task.also_right)] * 2
    wrong = [(_wrong(belief, task), belief in missed) for belief in task.wrong_versions]
    versions = right + wrong
    draw.shuffle(versions)
    return any((_run(test, task, version)[0] is None) != passed for version, passed in versions)


_OTHERWISE = (
    "Asked twice about the same version, your test lets it pass once and stops it once. Does it draw new random "
    "numbers each time, or keep something from an earlier call? Write down numbers that always show the mistake, or "
    "give the generator a seed."
)


def _run(test, task, implementation):
    """What the test raises (None: it lets this implementation pass), what it returns, and its last call, if any.

    Of a call inputs and result, but only where that is a number: of others there may be more than memory has room for.
    All versions take the same parameters, or a test could know them by those.
    """
    calls, takes = [], inspect.signature(task.exercise.reference)

    def counted(*inputs, **options):
        takes.bind(*inputs, **options)
        given = (*inputs, *options.values())
        calls[:] = [(given, None)]
        result = implementation(*inputs, **options)
        calls[:] = [(given, result if isinstance(result, (int, float)) else None)]
        return result

    try:
        with caught_output():
            return None, test(counted), calls
    except (TooSlow, KeyboardInterrupt):
        raise
    except BaseException as error:  # pytest's own failures are no Exceptions
        return error, None, calls


def _in_floats(reference):
    """The right version of somebody who counts in floats: 12.0 in the place of 12."""

    def version(*inputs, **options):
        result = reference(*inputs, **options)
        return float(result) if type(result) is int else result

    return version


def _wrong(belief, task):
    """What the right one refuses it refuses, too, unless that is its mistake: it does not check its inputs."""
    careless = _is_right_for_good_inputs(belief.function, task.exercise)
    return _version(belief.function, task.exercise.reference, careless)


def _version(function, reference, careless=False):
    """As tests meet it. The right one goes the same ways as the wrong ones, and takes as long: what a test can tell
    them by is what they return.
    """
    for_tensors = _for_tensors(function)

    def version(*inputs, **options):
        with suppress(*([Exception] * careless)):
            reference(*inputs, **options)
        return for_tensors(*inputs, **options)

    return version


@cache
def _is_right_for_good_inputs(wrong_version, exercise):
    with quiet():
        cases = [case.inputs for case in exercise.cases()]
        pairs = [(observe(exercise.reference, inputs), observe(wrong_version, inputs)) for inputs in cases]
    return all(same(got, expected, tolerance_of(expected.value)) for expected, got in pairs if expected.kind != "error")


def _for_tensors(function):
    """Wrong versions know NumPy only: tensors become arrays on the way in, and tensors of the same type again."""

    def version(*inputs, **options):
        given = [*inputs, *options.values()]
        if not any(hasattr(x, "detach") for x in given):
            return function(*inputs, **options)

        def made_of(*learning):
            fresh = iter(learning)
            leaves = [next(fresh) if learning and _learns(x) else x for x in given]
            numbers = [_as_precise(to_array(x), learning) for x in leaves]
            value = function(*numbers[: len(inputs)], **dict(zip(options, numbers[len(inputs) :])))
            return _to_tensor(value, [x for x in (*learning, *leaves) if hasattr(x, "detach")])

        return _with_gradients(made_of, [x for x in given if _learns(x)])

    return version


def _as_precise(x, learning):
    """Whoever measures gradients does so in float64, and no version mixes two precisions."""
    exact = learning and learning[0].element_size() == 8
    return x.astype(np.float64) if exact and isinstance(x, np.ndarray) and x.dtype.kind == "f" else x


def _learns(x):
    return getattr(x, "requires_grad", False) is True


def _with_gradients(made_of, learning):
    """Where a test may ask for them, and where there can be some."""
    value = made_of()
    if not learning or isinstance(value, tuple) or not value.is_floating_point():
        return value
    from .measured import measured  # here: there is a tensor, so torch is imported already

    return measured(made_of, learning)


def _to_tensor(result, like):
    """On the device of the inputs; numbers in the inputs' precision."""
    import torch  # here: there is a tensor, so it is imported already

    if isinstance(result, tuple):
        return tuple(_to_tensor(part, like) for part in result)
    made = torch.as_tensor(result, device=like[0].device)
    dtype = next((x.dtype for x in like if x.is_floating_point()), made.dtype)
    return made.to(dtype) if made.is_floating_point() else made


def _refuses_the_right_one(task, complaint, calls, only_floats):
    what = f"Your test fails for a right {task.exercise.name} ({error_line(complaint)})."
    if only_floats:
        return Verdict("raised", f"{what} That one counts in floats: 12.0 is as right as 12.")
    idea = "A test must let the right version pass, or its alarm says nothing."
    advice = "Run it on a version you trust, and see where it stops."
    if "ambiguous" in str(complaint):
        library = {"torch": "torch", "numpy": "np"}[task.exercise.library]
        exact = "torch.equal(a, b)" if library == "torch" else "np.array_equal(a, b)"
        whole = f"{library}.allclose(a, b, atol=1e-5)" if _compares_floats(task.exercise) else exact
        advice = f"`a == b` compares number by number, and an assert wants a single yes or no: `{whole}`, say."
    elif not isinstance(complaint, AssertionError):
        advice = "If you did not raise this error yourself, a line of your test cannot run. Print what it works with."
    elif _compares_floats(task.exercise):
        advice += " Are the numbers that you expect right for every row?"
        advice += " If it compares numbers: `==` is too strict for them, and `allclose` looks at about five digits."
        advice += " Numbers that you type need at least six digits;"
        advice += " numbers that you compute need all that the docstring says."
    return Verdict("raised", f"{what}{_last_number(task, calls)} {idea} {advice}")


def _last_number(task, calls):
    """The last answer of the right version; other results than numbers would fill the card."""
    inputs, result = calls[-1] if calls else ((), None)
    if result is None:
        return ""
    return f" Asked last for {task.exercise.name}({', '.join(map(str, inputs))}), it gave {result:,}."


def _refuses_another_style(task, version, complaint):
    name, difference = task.exercise.name, inspect.getdoc(version)
    message = (
        f"Your test fails for a right {name}, one that {difference} ({error_line(complaint)}). "
        f"Nothing in the docstring of {name} forbids that. Ask only for what stands there."
    )
    return Verdict("raised", message)


def _compares_floats(exercise):
    """Computed ones: those that only move stay equal to the last digit."""
    moved = every_number_is_there_once in exercise.properties
    return not moved and observe(exercise.reference, exercise.cases()[0].inputs).kind == "floating"


def _in_words(misconception):
    return misconception.name.replace("_", " ")


def _misses(test, task, missed, returned, calls):
    total, kinds = len(task.wrong_versions), [belief.misconceptions[0] for belief in missed]
    caught = total - len(missed)
    swallowed = any(swallows(test, partial(_run, test, task, _wrong(belief, task))) for belief in missed)
    return Verdict(
        "property",
        f"Your test catches {caught} of {total} wrong versions. {_why(task, kinds, returned, calls, swallowed)}",
        score=caught / total,
        misconception=kinds[0],
        property="catches_every_wrong_version",
    )


def _why(task, missed, returned, calls, swallowed):
    if not calls:
        return f"It never calls the {task.exercise.name} that it is given: that is the version to try."
    if swallowed:
        return (
            f"It lets {_listed(missed)} pass. An assert of yours did fail, and your own `except` caught it: what a "
            "failing assert raises is an error as well. Let `except` name the one error that you wait for, or move "
            "the assert out of the `try`."
        )
    if returned is not None:
        return "It returns something, and nobody looks at that: write `assert` before what must be true."
    if len(task.wrong_versions) == len(missed):
        return (
            "Nothing in it fails for any of them. Does it hold an `assert` that can be false? "
            '(`assert (x, "text")`, with parentheses, never is; a comparison that is only printed stops nothing.) '
            "Or does it compare the version with itself? In the test its name means the one that is tried, not yours. "
            "Which input would make a wrong version and the right one differ?"
        )
    which = "that version" if len(missed) == 1 else "the first of them"
    return (
        f"It lets {_listed(missed)} pass. Which input would make {which} and the right one differ? "
        "Add that input, and what must hold for it."
    )


def _listed(missed, shown=3):
    """Their names; of many only the first, and how many more there are."""
    names = [f'"{_in_words(kind)}"' for kind in missed]
    if len(names) == 1:
        return f"the one that {names[0]}"
    first, last = (names[:-1], names[-1]) if len(names) <= shown else (names[:shown], f"{len(names) - shown} more")
    return f"{len(names)} of them ({', '.join(first)} and {last})"
