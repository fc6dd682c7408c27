"""Tell the symptoms of a wrong answer whose cause is unknown: an error, another type, another shape, NaN.

Of an error it tells what usually helps, where NumPy, torch or Python does not say it; advice.toml has the sentences.
"""

import re
import sys
import tomllib
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np

from ..cases import is_floating
from ..course import installed
from ..exercise import Exercise, ModuleExercise
from ..shapes import inputs_in_words, shape_in_words, words_of_result
from .answer import Answer
from .errors import error_line, is_kept_in_self, is_own, line_of, name_in
from .results import MOST_PARTS, TOLERANCES, Run, odd_entry, same
from .verdict import Example, Verdict

TEXTS = tomllib.loads(Path(__file__).with_name("advice.toml").read_text(encoding="utf-8"))


def symptom(answer: Answer) -> Verdict | None:
    """Return a Verdict on the smallest wrong case, if it shows more than numbers that differ."""
    exercise, run, where = answer.exercise, answer.first_wrong.focused, answer.where_it_fails
    found = (see(run, exercise) for see in (accepted, raised, wrong_type, loses_precision, wrong_shape, not_finite))
    if not (verdict := next(filter(None, found), None)):
        return None
    further = left_out(answer, run), stops_elsewhere(answer, run)
    message = " ".join(filter(None, [run.which, verdict.message, where.sentence, *further]))
    if isinstance(exercise, ModuleExercise):
        message = message.replace("Your function", "Your `forward`")
    return replace(verdict, message=message, property=verdict.property or where.name, example=Example.of(run))


def shape_elsewhere(answer: Answer) -> Verdict | None:
    """Return a Verdict if a later ordinary case has another shape, which says more than wrong numbers."""
    for run in (wrong.focused for wrong in answer.wrong if not wrong.case.tag):
        if found := wrong_shape(run, answer.exercise):
            return replace(found, message=f"{run.which} {found.message}".strip(), example=Example.of(run))


def accepted(run: Run, exercise: Exercise):
    if isinstance(run.got.value, BaseException):
        kind = type(run.got.value).__name__
        message = f"Your code returns a {kind} like a result. An error is to stop the caller: `raise`, not `return`."
    elif run.expected.kind == "error" and run.got.kind != "error":
        kind, returned = type(run.expected.error).__name__, "None" if run.got.kind == "none" else "a value"
        message = f"This input should be refused with an error (a {kind}, say); your code returns {returned}."
    else:
        return None
    return Verdict("property", message, property="refuses_bad_input")


def raised(run: Run, exercise: Exercise):
    if run.got.error is not None:
        own = (
            " This input is one that should work: your own `raise` or `assert` refuses it. "
            "Is its condition too strict, or the wrong way round?"
        ) * is_own(run.got.error)
        return Verdict("raised", f"Your code stops with {error_in_words(run.got.error)}{own}")


def left_out(answer: Answer, run: Run):
    """Say which inputs are None because the call leaves them out, if that stops the code wherever it happens."""
    if "NoneType" not in str(run.got.error):
        return ""
    instead = answer.exercise.course.hooks.instead
    optional = [name for name, default in answer.exercise.shown_parameters.items() if default is None]
    stops = {n: [one for one in answer.runs if one.inputs.get(n) is None] for n in optional if n in instead}
    names = [n for n, runs in stops.items() if run in runs and all("NoneType" in str(t.got.error) for t in runs)]
    calls, they_are = " and ".join(f"`{name}`" for name in names), "they are" if len(names) > 1 else "it is"
    meaning = "; ".join(dict.fromkeys(instead[name] for name in names))
    return f"This call leaves out {calls}, so {they_are} None: {meaning}." if names else ""


def stops_elsewhere(answer: Answer, run: Run):
    """Return an error with more axes that explains another one: two in their old order stop no line, but the next."""
    errors = [other.got.error for other in answer.runs if other.got.error]
    telling = [error for error in errors if "axes don't match array" in str(error)]
    if not telling or run.got.error is None or run.got.error in telling:
        return ""
    return f"With more axes it stops with {error_in_words(telling[0])}"


def error_in_words(error: BaseException):
    """Return what Python says, where, and what usually helps, without torch's advice that would cut gradients."""
    said = error_line(error).replace("Use tensor.detach().numpy() instead", "").split(", but expected one of")[0]
    where = (line := line_of(error)) and f"It happens in {line}."
    return " ".join(filter(None, (f"{said.rstrip('. ')}.", where, advice_on(error))))


def advice_on(error: BaseException):
    """Return a sentence or two that are true of the error, or "" if nothing says more than its own words."""
    said, line = error_line(error), line_of(error)
    if isinstance(error, NameError) and (own := _on_a_name(error)):
        return own
    if re.search("truth value of an array|Boolean value of Tensor", said) and (asking := _first("asking", line)):
        return asking
    inside = _first("inside", line)
    if inside and isinstance(error, RuntimeError):  # its words are of sizes that the learner never made
        return inside
    return f"{_first('advice', said)} {_first('sizes', said)}".strip() or _nearest_name(said) or inside


def _first(kind, text):
    """Return what the first entry of a kind says whose pattern is found in the text, or ""."""
    found = ((re.search(when, text), say) for when, say in _sentences(kind))
    return next((" ".join(match.expand(say).split()) for match, say in found if match), "")


@cache
def _sentences(kind):
    """Return pairs (pattern, what to say) with this course's layers in the patterns; advice begins with one word's."""
    layers = "|".join(name for name, task in installed().exercises.items() if isinstance(task, ModuleExercise))
    found = [(entry["when"].replace("LAYERS", layers or "$^"), entry["say"]) for entry in TEXTS[kind]]
    words = [(entry, *pair) for entry in TEXTS["instead"].values() for pair in entry["words"].items()]
    instead = [(entry["when"].format(word), entry["say"].format(word, ours)) for entry, word, ours in words]
    return instead + found if kind == "advice" else found


def _on_a_name(error):
    """Say what has the name that has no value here: a function of the course, or the layer; "" if neither has it."""
    name = name_in(error)
    if not isinstance(error, UnboundLocalError):
        is_kept = is_kept_in_self(error)
        return f"The layer keeps it as `self.{name}`; a method finds it only under that name." if is_kept else ""
    if not callable(getattr(import_module(installed().reference), name, None)):
        return ""
    return (
        f"`{name}` is a function of the course, and your code also gives that name to a variable. Within this "
        "function Python then knows only the variable. Give the variable a name of its own."
    )


def _nearest_name(said):
    """Suggest the name of a library that is most like one that it does not have."""
    if missing := re.search(r"module '(numpy|torch|torch\.nn|math)' has no attribute '(\w+)'", said):
        near = get_close_matches(missing[2], dir(sys.modules.get(missing[1])), n=1, cutoff=0.8)
        other = f"{missing[1]} has no function of that name; another library may."
        return f"Did you mean `{near[0]}`?" if near else other
    return ""


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
        return f"Your function returns {_returned(got)}; a dictionary is wanted: names, and an array for each."
    if not got.names and (odd := odd_entry(got.value)) is not None:
        kind = type(got.value[odd]).__name__
        return f"The entry {odd!r} of your dictionary is of type {kind}. An entry is a text, its name, and an array."
    missing = ", ".join(f'"{name}"' for name in expected.names if name not in got.value)
    further = ", ".join(f'"{name}"' for name in got.value if name not in expected.names)
    lacks = missing and f"Your dictionary lacks {missing}."
    return f"{lacks} Your dictionary has {further}, which should not be there.".strip() if further else lacks


def _returned(got):
    kind = "nothing (None)" if got.kind == "none" else f"something of type {got.type_name}"
    return f"an array of {_KINDS[got.kind]}" if got.is_array else kind


def _several_message(got, expected):
    """Describe a wrong number of results, or one that is no array."""
    letters = ", ".join("abcde"[: len(expected.parts)])
    returned, wanted = _returned(got), f"are wanted, as in `return {letters}`"
    if isinstance(got.value, (tuple, list)):
        kinds = ["an array" if hasattr(x, "__array__") else f"a {type(x).__name__}" for x in got.value[:MOST_PARTS]]
        kinds += ["more"] * (len(got.value) > MOST_PARTS)
        returned, wanted = " and ".join(kinds), f"arrays are wanted: `return {letters}`"
    return f"Your function returns {returned}; {len(expected.parts)} {wanted}."


def _kind_message(got, expected, library):
    array, stacks = ("a tensor", "`torch.stack`") if library == "torch" else ("an array", "`np.array`")
    wanted = f"{array} of {_KINDS[expected.kind]}" if expected.is_array else "None"
    wanted, to_array = ("a number", "which of yours is it") if expected.is_number else (wanted, f"{stacks} makes one")
    special = {
        "none": "Your function gives back nothing (None). Is `return` missing, or not reached? "
        f"It should return {wanted}.",
        "generator": f"Your function contains `yield`, so a call runs none of it. `return` {wanted} instead.",
        "list": f"Your function returns a list. It should return {wanted}: {to_array}.",
        "tuple": f"Your function returns several things (a tuple). It should return {wanted}: "
        "is one of them the result, or are they its parts, still to be put together?",
        "tuple of one": f"Your function returns a tuple that holds one thing. It should return {wanted}.",
        "class": f"Your function returns a class. It should return {wanted}.",
    }
    returned = "a single number" if got.is_number else _KINDS.get(got.kind, f"something of type {got.type_name}")
    kind = "tuple of one" if got.kind == "tuple" and len(got.value) == 1 else got.kind
    return special.get(kind, f"Your function returns {returned}; it should return {wanted}.")


def loses_precision(run: Run, exercise: Exercise) -> Verdict | None:
    """Return a Verdict if the numbers are right to three digits only, because they became half precision."""
    if _became_half(run, default=2) and same(run.got, run.expected, TOLERANCES[2]):
        kept = f"in {run.got.value.dtype} they keep few digits. Keep the input's type."
        return Verdict("type", f"Your numbers are right, but {kept}", property="loses_precision")


def _became_half(run, default):
    """Say whether floats of 16 bits came from larger ones; without any among the inputs, these count as `default`."""
    sizes = [x.dtype.itemsize for x in run.inputs.values() if is_floating(x)]
    return run.got.kind == "floating" and run.got.value.dtype.itemsize == 2 < min(sizes, default=default)


def wrong_shape(run: Run, exercise: Exercise):
    got, expected = run.got.value, run.expected.value
    if run.got.is_array and got.shape != expected.shape:
        wanted = shape_in_words(expected.shape, words_of_result(exercise.reference, run.place))
        shown = {n: x for n, x in run.inputs.items() if n in exercise.shown_parameters}
        inputs = inputs_in_words(shown, exercise.reference)
        message = f"Your result has the shape {shape_in_words(got.shape)}; it should be {wanted} for {inputs}."
        return Verdict("shape", message)


def not_finite(run: Run, exercise: Exercise) -> Verdict | None:
    """Return a Verdict if there is NaN or infinity where a number should be."""
    if run.got.kind != "floating":
        return None
    got, expected = run.got.value, run.expected
    is_asked = expected.kind == "floating" and expected.value.shape == got.shape  # NaN or infinity may be right
    if (~np.isfinite(got) & (np.isfinite(expected.value) if is_asked else True)).any():
        cause = (
            ", though every input is an ordinary number. "
            "NaN comes from 0 / 0, inf - inf, 0 * inf and the mean of nothing; infinity from exp of a large number. "
            "Which line makes the first one?"
        )
        if _became_half(run, default=8):
            cause = ": it is in float16, which ends at 65504. Which line asks for that type?"
        message = f"Your result holds {'NaN' if np.isnan(got).any() else 'infinity'}{cause}"
        return Verdict("property", message, property="results_are_finite")
