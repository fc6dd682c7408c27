"""Judging a test that a learner wrote: it must let the right version pass, and fail for the wrong ones."""

import inspect

from .outcome import TooSlow, caught_output, observe, to_array
from .properties import numbers_only_move
from .unfit import is_stub
from .verdict import RIGHT, Verdict, error_line


def judge_test(test, task):
    """Points by how many wrong versions are caught; none if the test refuses the right one."""
    if not callable(test) or isinstance(test, type):
        return Verdict("type", f"{task.name} should be a function: it takes {task.exercise.name}, and asserts.")
    if is_stub(test):
        return Verdict("unwritten", f"{task.name} is not written yet.")
    complaint, returned, calls = _run(test, task.exercise.reference)
    too_strict, _, _ = _run(test, _in_floats(task.exercise.reference))
    if complaint or too_strict:
        return _refuses_the_right_one(task, complaint or too_strict, only_floats=complaint is None)
    for version in task.also_right:
        complaint = _run(test, version)[0]
        if complaint:
            return _refuses_another_style(task, version, complaint)
    missed = [belief for belief in task.wrong_versions if _run(test, _for_tensors(belief.function))[0] is None]
    return _misses(task, missed, returned, calls) if missed else RIGHT


def _run(test, implementation):
    """What the test raises (None: it lets this implementation pass), what it returns, and how often it called it."""
    calls = []

    def counted(*inputs, **options):
        calls.append(inputs)
        return implementation(*inputs, **options)

    try:
        with caught_output():
            return None, test(counted), len(calls)
    except (TooSlow, KeyboardInterrupt):
        raise
    except BaseException as error:  # pytest's own failures are no Exceptions
        return error, None, len(calls)


def _in_floats(reference):
    """The right version of somebody who counts in floats: 12.0 in the place of 12."""

    def version(*inputs, **options):
        result = reference(*inputs, **options)
        return float(result) if type(result) is int else result

    return version


def _for_tensors(wrong_version):
    """Wrong versions know NumPy only: tensors become arrays on the way in, and tensors of the same type again."""

    def version(*inputs, **options):
        given = [*inputs, *options.values()]
        tensors = [x for x in given if hasattr(x, "detach")]
        if not tensors:
            return wrong_version(*inputs, **options)
        options = {name: to_array(x) for name, x in options.items()}
        return _to_tensor(wrong_version(*map(to_array, inputs), **options), tensors)

    return version


def _to_tensor(result, like):
    """On the device of the inputs; numbers in the inputs' precision."""
    import torch  # here: there is a tensor, so it is imported already

    if isinstance(result, tuple):
        return tuple(_to_tensor(part, like) for part in result)
    made = torch.as_tensor(result, device=like[0].device)
    dtype = next((x.dtype for x in like if x.is_floating_point()), made.dtype)
    return made.to(dtype) if made.is_floating_point() else made


def _refuses_the_right_one(task, complaint, only_floats):
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
    elif _compares_floats(task.exercise):
        advice += (
            " Computed numbers differ in their last digits: `==` is too strict for them, and allclose with an `atol` "
            "of 1e-5 is not. If you use that, look at the numbers that you compare with: does your own computation do "
            "all that the docstring says?"
        )
    return Verdict("raised", f"{what} {idea} {advice}")


def _refuses_another_style(task, version, complaint):
    name, difference = task.exercise.name, inspect.getdoc(version)
    message = (
        f"Your test fails for a right {name}, one that {difference} ({error_line(complaint)}). "
        f"Nothing in the docstring of {name} forbids that. Ask only for what stands there."
    )
    return Verdict("raised", message)


def _compares_floats(exercise):
    """Computed ones: those that only move stay equal to the last digit."""
    moved = numbers_only_move in exercise.properties
    return not moved and observe(exercise.reference, exercise.cases()[0].inputs).kind == "floating"


def _in_words(misconception):
    return misconception.name.replace("_", " ")


def _misses(task, missed, returned, calls):
    total, first = len(task.wrong_versions), missed[0].misconceptions[0]
    caught = total - len(missed)
    return Verdict(
        "property",
        f"Your test catches {caught} of {total} wrong versions. {_why(task, first, len(missed), returned, calls)}",
        score=caught / total,
        misconception=first,
        property="catches_every_wrong_version",
    )


def _why(task, first, missed, returned, calls):
    if calls == 0:
        return f"It never calls the {task.exercise.name} that it is given: that is the version to try."
    if returned is not None:
        return "It returns something, and nobody looks at that: write `assert` before what must be true."
    if len(task.wrong_versions) == missed:
        return (
            "Nothing in it fails for any of them. Does it hold an `assert` that can be false? "
            '(`assert (x, "text")`, with parentheses, never is; a comparison that is only printed stops nothing.) '
            "Or does it compare the version with itself? In the test its name means the one that is tried, not yours. "
            "Which input would make a wrong version and the right one differ?"
        )
    return (
        f'It lets one pass that "{_in_words(first)}". Which input would make that version and the right one differ? '
        "Add that input, and what must hold for it."
    )
