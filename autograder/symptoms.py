"""What one sees of a wrong answer without knowing why: an error, another type, another shape, NaN."""

import numpy as np

from .relations import where_it_fails
from .shapes import axis_words, inputs_in_words, shape_in_words
from .verdict import Example, Verdict, wrong


def raised(answer, exercise, trials, library):
    """Your code stops with an error, or does not where it should."""
    for trial in wrong(trials):
        if trial.expected.kind == "error" and trial.got.kind != "error":
            message = (
                f"This input should be refused with a {type(trial.expected.error).__name__}; your code returns a value."
            )
            return Verdict("property", message, property="refuses_bad_input", example=Example.of(trial))
        if trial.got.kind == "error":
            where = where_it_fails(trials)
            message = f"Your code stops with {_error_in_words(trial.got.error)} {where.sentence}".rstrip()
            return Verdict("raised", message, property=where.name, example=Example.of(trial))


def _error_in_words(error):
    what = type(error).__name__ + (f": {error}" if str(error) else "")
    if isinstance(error, RecursionError):
        return f"{what}. It calls itself, and never reaches an end."
    if isinstance(error, NameError):
        return f"{what}. Was it defined in a cell that has not run since the kernel started?"
    if "truth value of an array" in str(error):
        return f"{what} `if`, `and`, `or`, `not` ask an array for one answer; `&`, `|`, `~` ask each of its numbers."
    return what if what.endswith(".") else what + "."


_KINDS = {"floating": "floating-point numbers", "integer": "integers", "boolean": "booleans (True and False)"}


def wrong_type(answer, exercise, trials, library):
    """Something else than an array, or an array of something else."""
    for trial in wrong(trials):
        got, expected = trial.got.kind, trial.expected.kind
        if got != expected and "error" not in (got, expected):
            return Verdict("type", _kind_message(got, expected), example=Example.of(trial))


def _kind_message(got, expected):
    wanted = f"an array of {_KINDS[expected]}" if expected in _KINDS else "None"
    special = {
        "none": f"Your function gives back nothing (None). Is `return` missing? It should return {wanted}.",
        "generator": f"Your function contains `yield`, so a call runs none of it. `return` {wanted} instead.",
        "list": f"Your function returns a list. Arithmetic needs {wanted}: np.array(...) makes one.",
        "tuple": f"Your function returns several things (a tuple). It should return {wanted}, and nothing beside it.",
        "class": f"Your function returns a class. It should return {wanted}.",
    }
    return special.get(
        got, f"Your function returns {_KINDS.get(got, f'something of type {got}')}; it should return {wanted}."
    )


def wrong_shape(answer, exercise, trials, library):
    words = axis_words(exercise.reference)
    for trial in wrong(trials):
        if trial.got.is_array and trial.got.value.shape != trial.expected.value.shape:
            wanted = shape_in_words(trial.expected.value.shape, words.get("result", ()))
            where = where_it_fails(trials)
            message = (
                f"Your result has shape {shape_in_words(trial.got.value.shape)}; it should be {wanted} "
                f"for {inputs_in_words(trial.inputs, exercise.reference)}. {where.sentence}"
            ).rstrip()
            return Verdict("shape", message, property=where.name, example=Example.of(trial))


def not_finite(answer, exercise, trials, library):
    """NaN or infinity where a number should be."""
    for trial in wrong(trials):
        if trial.got.kind == "floating" and not np.isfinite(trial.got.value).all():
            what = "NaN" if np.isnan(trial.got.value).any() else "infinity"
            message = (
                f"Your result holds {what}, though every input is an ordinary number. "
                "NaN comes from 0 / 0, from inf - inf and from 0 * inf; infinity from exp of a large number. "
                f"Which line makes the first one? {where_it_fails(trials).sentence}"
            ).rstrip()
            return Verdict("property", message, property="results_are_finite", example=Example.of(trial))
