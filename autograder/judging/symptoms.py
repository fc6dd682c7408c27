"""Symptoms of a wrong answer whose cause is unknown: an error, another type, another shape, NaN."""

from dataclasses import replace

import numpy as np

from ..exercise import Exercise, ModuleExercise
from ..shapes import inputs_in_words, shape_in_words, words_of_result
from .advice import advice_on
from .answer import Answer
from .results import MOST_PARTS, TOLERANCES, Run, odd_entry, same
from .source import is_own, line_of
from .verdict import Example, Verdict, error_line


def symptom(answer: Answer) -> Verdict | None:
    """Return a Verdict on the smallest wrong case, if it shows more than numbers that differ."""
    exercise, run, where = answer.exercise, answer.first_wrong.focused, answer.where_it_fails
    found = (see(run, exercise) for see in (accepted, raised, wrong_type, loses_precision, wrong_shape, not_finite))
    verdict = next(filter(None, found), None)
    if verdict is None:
        return None
    further = left_out(answer, run), stops_elsewhere(answer, run)
    message = " ".join(filter(None, [run.which, verdict.message, where.sentence, *further]))
    if isinstance(exercise, ModuleExercise):
        message = message.replace("Your function", "Your `forward`")
    return replace(verdict, message=message, property=verdict.property or where.name, example=Example.of(run))


def shape_elsewhere(answer: Answer) -> Verdict | None:
    """Return a Verdict if a later ordinary case has another shape, which says more than wrong numbers."""
    for run in (t.focused for t in answer.wrong if not t.case.tag):
        found = wrong_shape(run, answer.exercise)
        if found:
            message = " ".join(filter(None, [run.which, found.message]))
            return replace(found, message=message, example=Example.of(run))


def accepted(run: Run, exercise: Exercise):
    if isinstance(run.got.value, BaseException):
        kind = type(run.got.value).__name__
        message = (
            f"Your code returns a {kind} like a result. An error is there to stop the caller: `raise`, not `return`."
        )
        return Verdict("property", message, property="refuses_bad_input")
    if run.expected.kind == "error" and run.got.kind != "error":
        kind = type(run.expected.error).__name__
        returned = "None" if run.got.kind == "none" else "a value"
        message = f"This input should be refused with an error (a {kind}, say); your code returns {returned}."
        return Verdict("property", message, property="refuses_bad_input")


def raised(run: Run, exercise: Exercise):
    error = run.got.error
    if error is not None:
        own = " This input is one that should work: your own `raise` or `assert` refuses it." * is_own(error)
        return Verdict("raised", f"Your code stops with {error_in_words(error)}{own}")


def left_out(answer: Answer, run: Run):
    """Say which inputs are None because the call leaves them out, if that stops the code wherever it happens."""
    if "NoneType" not in str(run.got.error):
        return ""
    instead = answer.exercise.course.hooks.instead
    optional = [name for name, default in answer.exercise.shown_parameters.items() if default is None]
    names = [name for name in optional if name in instead and _stops_without(name, answer, run)]
    if not names:
        return ""
    calls = " and ".join(f"`{name}`" for name in names)
    meaning = "; ".join(dict.fromkeys(instead[name] for name in names))
    return f"This call leaves out {calls}, so {'they are' if len(names) > 1 else 'it is'} None: {meaning}."


def _stops_without(name, answer, run):
    without = [t for t in answer.runs if t.inputs.get(name) is None]
    return run in without and all("NoneType" in str(t.got.error) for t in without)


_TELLING = "axes don't match array"  # two axes in their old order stop no line, but the next


def stops_elsewhere(answer: Answer, run: Run):
    """Return an error with other inputs that explains what happens with this one."""
    if run.got.error is None or _TELLING in str(run.got.error):
        return ""
    error = next((t.got.error for t in answer.runs if _TELLING in str(t.got.error)), None)
    return error and f"With more axes it stops with {error_in_words(error)}"


def error_in_words(error: BaseException):
    """Return what Python says, where, and what usually helps, without torch's advice that would cut gradients."""
    said = error_line(error).replace("Use tensor.detach().numpy() instead", "").split(", but expected one of")[0]
    where = f"It happens in {line_of(error)}." if line_of(error) else ""
    return " ".join(filter(None, (f"{said.rstrip('. ')}.", where, advice_on(error))))


_KINDS = {"floating": "floating-point numbers", "integer": "integers", "boolean": "booleans (True and False)"}


def wrong_type(run: Run, exercise: Exercise) -> Verdict | None:
    """Return a Verdict if the result is no array, or an array of another kind."""
    got, expected = run.got, run.expected
    if expected.names and got.names != expected.names:
        return Verdict("type", _dictionary_message(got, expected))
    if expected.parts and len(got.parts) != len(expected.parts):
        return Verdict("type", _several_message(got, expected))
    if got.kind != expected.kind and not (got.is_number and expected.is_number) and not expected.parts:
        return Verdict("type", _kind_message(got, expected, exercise.library))


def _dictionary_message(got, expected):
    """Say which entries of a dictionary are missing, or do not belong there; or that there is no dictionary."""
    if not isinstance(got.value, dict):
        returned = _RETURNED.get(got.kind, f"something of type {got.kind}")
        return f"Your function returns {returned}; a dictionary is wanted: names, and an array for each."
    if not got.names and (odd := odd_entry(got.value)) is not None:
        kind = type(got.value[odd]).__name__
        return f"The entry {odd!r} of your dictionary is of type {kind}. An entry is a text, its name, and an array."
    missing = _quoted(name for name in expected.names if name not in got.value)
    further = _quoted(name for name in got.value if name not in expected.names)
    return " ".join(
        filter(
            None,
            [
                missing and f"Your dictionary lacks {missing}.",
                further and f"Your dictionary has {further}, which should not be there.",
            ],
        )
    )


def _quoted(names):
    return ", ".join(f'"{name}"' for name in names)


_RETURNED = {"none": "nothing (None)"} | {kind: f"an array of {words}" for kind, words in _KINDS.items()}


def _several_message(got, expected):
    """Describe a wrong number of results, or one that is no array."""
    if isinstance(got.value, (tuple, list)):
        kinds = [_article(part) for part in got.value[:MOST_PARTS]] + ["more"] * (len(got.value) > MOST_PARTS)
        letters = ", ".join("abcde"[: len(expected.parts)])
        return (
            f"Your function returns {' and '.join(kinds)}; {len(expected.parts)} arrays are wanted: `return {letters}`."
        )
    kinds = {"none": "nothing"} | {kind: f"one array of {words}" for kind, words in _KINDS.items()}
    returned = kinds.get(got.kind, f"something of type {got.kind}")
    letters = ", ".join("abcde"[: len(expected.parts)])
    return f"Your function returns {returned}; {len(expected.parts)} are wanted, as in `return {letters}`."


def _article(part):
    return "an array" if hasattr(part, "__array__") else f"a {type(part).__name__}"


def _kind_message(got, expected, library):
    array = "a tensor" if library == "torch" else "an array"
    wanted = f"{array} of {_KINDS[expected.kind]}" if expected.is_array else "None"
    wanted = "a number" if expected.is_number else wanted
    stacks = "`torch.stack`" if library == "torch" else "`np.array`"
    to_array = f"{stacks} makes one" if not expected.is_number else "which of yours is it"
    special = {
        "none": "Your function gives back nothing (None). Is `return` missing, or not reached? "
        f"It should return {wanted}.",
        "generator": f"Your function contains `yield`, so a call runs none of it. `return` {wanted} instead.",
        "list": f"Your function returns a list. It should return {wanted}: {to_array}.",
        "tuple": f"Your function returns several things (a tuple). It should return {wanted}: "
        "is one of them the result, or are they its parts, still to be put together?",
        "class": f"Your function returns a class. It should return {wanted}.",
    }
    returned = "a single number" if got.is_number else _KINDS.get(got.kind, f"something of type {got.kind}")
    return special.get(got.kind, f"Your function returns {returned}; it should return {wanted}.")


def loses_precision(run: Run, exercise: Exercise) -> Verdict | None:
    """Return a Verdict if the numbers are right to three digits only, because they became half precision."""
    half = run.got.kind == "floating" and run.got.value.dtype.itemsize == 2
    if half and min(_float_sizes(run.inputs), default=2) > 2:
        if same(run.got, run.expected, TOLERANCES[2]):
            message = (
                f"Your numbers are right, but in {run.got.value.dtype} they keep few digits. Keep the input's type."
            )
            return Verdict("type", message, property="loses_precision")


def _float_sizes(inputs):
    return [x.dtype.itemsize for x in inputs.values() if isinstance(x, np.ndarray) and x.dtype.kind == "f"]


def wrong_shape(run: Run, exercise: Exercise):
    got, expected = run.got.value, run.expected.value
    if run.got.is_array and got.shape != expected.shape:
        words = words_of_result(exercise.reference, run.place)
        wanted = shape_in_words(expected.shape, words)
        shown = {n: x for n, x in run.inputs.items() if n in exercise.shown_parameters}
        inputs = inputs_in_words(shown, exercise.reference)
        return Verdict(
            "shape", f"Your result has the shape {shape_in_words(got.shape)}; it should be {wanted} for {inputs}."
        )


def _where_there_should_be_a_number(run):
    """Return the places of NaN and infinity but for those in which the right result has them too."""
    is_asked = run.expected.kind == "floating" and run.expected.value.shape == run.got.value.shape
    return ~np.isfinite(run.got.value) & (np.isfinite(run.expected.value) if is_asked else True)


def not_finite(run: Run, exercise: Exercise) -> Verdict | None:
    """Return a Verdict if there is NaN or infinity where a number should be."""
    if run.got.kind == "floating" and _where_there_should_be_a_number(run).any():
        what = "NaN" if np.isnan(run.got.value).any() else "infinity"
        if run.got.value.dtype.itemsize == 2 < min(_float_sizes(run.inputs), default=8):
            message = f"Your result holds {what}: it is in float16, which ends at 65504. Which line asks for that type?"
            return Verdict("property", message, property="results_are_finite")
        message = (
            f"Your result holds {what}, though every input is an ordinary number. "
            "NaN comes from 0 / 0, from inf - inf and from 0 * inf; infinity from exp of a large number. "
            "Which line makes the first one?"
        )
        return Verdict("property", message, property="results_are_finite")
