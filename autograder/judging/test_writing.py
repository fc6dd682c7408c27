"""Judge a test that a learner wrote: it must let the right version pass, and fail for the wrong ones.

All versions go the same ways, and the right one takes as long as the wrong ones: what tells them apart is what they
return.
"""

import inspect
import re
from collections.abc import Callable
from functools import cache, partial
from random import Random

import numpy as np

from .errors import error_line, line_of
from .line_by_line import swallows
from .results import is_tensor, same, tolerance_of
from .running import caught_output, observe, quiet
from .source import is_stub
from .verdict import RIGHT, Verdict, in_short

RIGHT_ONE, IN_FLOATS = "right", "right in floats"


def judge_test(test: Callable, task, seed: int | None = None):
    """Judge a learner's test: points by how many wrong versions it catches, none if it refuses the right one.

    seed: draws the order in which versions come, each behaviour once before any comes again: whoever only remembers
    what came has no better than a guess. In the order of the second time a test that only counts its calls is lost.
    """
    if not callable(test) or isinstance(test, type):
        return Verdict("type", f"{task.name} should be a function: it takes {task.exercise.name}, and asserts.")
    if is_stub(test):
        return Verdict("unwritten", f"{task.name} is not written yet.")
    draw = Random(seed)
    run = {version: partial(_run, test, task, function) for version, function in versions_of(task).items()}
    said = {}
    for version in _each_once(task, draw):
        said[version], returns, last = run[version]()
        if version == RIGHT_ONE:
            returned, calls = returns, last
    if refusal := _refusal(task, said, calls):
        return refusal
    missed = [version for version in task.wrong_versions if said[version] is None]
    if len(missed) < len(task.wrong_versions) and _says_otherwise(run, task, missed, draw):
        return Verdict("property", _OTHERWISE, property="same_version_same_result")
    swallowed = any(swallows(test, run[version]) for version in missed)
    return _misses(task, missed, returned, calls, swallowed) if missed else RIGHT


def versions_of(task):
    """Return all versions by name: the right one, in floats too (12.0 for 12), right ones in another style, wrong ones.

    A wrong one refuses what the right one refuses, unless not refusing is its mistake. All are made before the test
    meets the first, so that the clock does not tell them apart.
    """
    reference = task.exercise.reference

    def in_floats(*inputs, **options):
        result = reference(*inputs, **options)
        return float(result) if type(result) is int else result

    found = {RIGHT_ONE: _version(reference, reference), IN_FLOATS: _version(in_floats, reference)}
    found |= {version: version for version in task.also_right}
    for version in task.wrong_versions:
        careless = _is_right_for_good_inputs(version.function, task.exercise)
        found[version] = _version(version.function, reference, careless)
    return found


def _version(function, reference, careless=False):
    def version(*inputs, **options):
        try:
            reference(*inputs, **options)
        except Exception:
            if not careless:
                raise
        return _in_precision(function(*inputs, **options), [*inputs, *options.values()])

    return version


def _in_precision(result, given):
    """Return a tensor in the precision of the inputs, since a wrong version may count in NumPy's."""
    dtype = next((x.dtype for x in given if is_tensor(x) and x.is_floating_point()), None)
    return result.to(dtype) if dtype and is_tensor(result) and result.is_floating_point() else result


@cache
def _is_right_for_good_inputs(wrong_version, exercise):
    with quiet():
        cases = [case.inputs for case in exercise.cases()]
        pairs = [(observe(exercise.reference, inputs), observe(wrong_version, inputs)) for inputs in cases]
    return all(same(got, expected, tolerance_of(expected.value)) for expected, got in pairs if expected.kind != "error")


def _each_once(task, draw):
    """Return the versions in an order that tells nothing of them: what does as the right one does comes after all.

    The right one is never the first, or whoever only lets that pass would have all points.
    """
    order = draw.sample(task.wrong_versions, len(task.wrong_versions))
    order.insert(draw.randint(1, len(order)), RIGHT_ONE)
    return [*order, IN_FLOATS, *task.also_right]


def _refusal(task, said, calls):
    """Say why the test fails for the right version, or for a right one in another style."""
    complaint = said[RIGHT_ONE]
    if complaint or said[IN_FLOATS]:
        return _refuses_the_right_one(task, complaint or said[IN_FLOATS], calls, only_floats=complaint is None)
    refused = next((version for version in task.also_right if said[version]), None)
    return refused and _refuses_another_style(task, refused, said[refused])


def _says_otherwise(run, task, missed, draw):
    """Say whether the test judges a version otherwise when all are asked again in another order."""
    again = [RIGHT_ONE, *task.also_right] * 2 + list(task.wrong_versions)
    draw.shuffle(again)
    passes = {RIGHT_ONE, *task.also_right, *missed}
    return any((run[version]()[0] is None) != (version in passes) for version in again)


_OTHERWISE = (
    "Asked twice about the same version, your test lets it pass once and stops it once. Does it draw new random "
    "numbers each time, or keep something from an earlier call? Write down numbers that always show the mistake, or "
    "give the generator a seed."
)


def _run(test, task, implementation):
    """Return what the test raises (None if it passes), whether it returns something, and its last call, if any.

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

    with caught_output():
        outcome = observe(lambda: test(counted) is not None, {})
    return outcome.error, bool(outcome.value), calls


def _refuses_the_right_one(task, complaint, calls, only_floats):
    what = f"Your test fails for a right {task.exercise.name} ({error_line(complaint)}).{_where(complaint)}"
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
        if re.search("==|equal|1e-0?[6-9]", line_of(complaint) or "=="):
            advice += " If it compares numbers: `==` is too strict for them, and so is a bound such as 1e-7, since"
            advice += " float32 keeps seven digits and each step loses some; `allclose` looks at about five."
        advice += " Numbers that you type need at least six digits;"
        advice += " numbers that you compute need all that the docstring says."
    return Verdict("raised", f"{what}{_last_number(task, calls)} {idea} {advice}")


def _where(complaint):
    """Name the line of the test that stopped, if it is known."""
    line = line_of(complaint)
    return f" It stops in {line}." if line else ""


def _last_number(task, calls):
    """Return the last answer of the right version if it is a number; others would fill the card."""
    inputs, result = calls[-1] if calls else ((), None)
    if result is None:
        return ""
    return f" Asked last for {task.exercise.name}({', '.join(map(in_short, inputs))}), it gave {result:,}."


def _refuses_another_style(task, version, complaint):
    name, difference = task.exercise.name, inspect.getdoc(version)
    message = (
        f"Your test fails for a right {name}, one that {difference} ({error_line(complaint)}).{_where(complaint)} "
        f"Nothing in the docstring of {name} forbids that. Ask only for what it says."
    )
    return Verdict("raised", message)


def _compares_floats(exercise):
    """Say whether results are floats that were computed: numbers that only move stay equal to the last digit."""
    inputs = exercise.cases()[0].inputs
    found = observe(exercise.reference, inputs)
    moved = (np.array_equal(np.sort(found.value, axis=None), np.sort(x, axis=None)) for x in inputs.values())
    return found.kind == "floating" and not any(moved)


def _misses(task, missed, returned, calls, swallowed):
    total, kinds = len(task.wrong_versions), [version.mistakes[0] for version in missed]
    caught = total - len(missed)
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
    if returned:
        return "It returns something, and that counts for nothing: write `assert` before what must be true."
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
    """Return names; of many, the first and how many more there are."""
    names = [f'"{kind.name.replace("_", " ")}"' for kind in missed]
    if len(names) == 1:
        return f"the one that {names[0]}"
    first, last = (names[:-1], names[-1]) if len(names) <= shown else (names[:shown], f"{len(names) - shown} more")
    return f"{len(names)} of them ({', '.join(first)} and {last})"
