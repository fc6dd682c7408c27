"""What one sees of a wrong answer without knowing why: an error, another type, another shape, NaN."""

import re
from dataclasses import replace

import numpy as np

from ..exercise import ModuleExercise
from ..shapes import axis_words, inputs_in_words, shape_in_words
from .outcome import MOST_PARTS, TOLERANCES, same
from .own_errors import is_own
from .verdict import Example, Verdict, error_line
from .where import where_it_fails


def symptom(attempt):
    """What one sees in the smallest case that is not right, if it is more than numbers that differ."""
    exercise, trial, where = attempt.exercise, attempt.first_wrong.focused, where_it_fails(attempt.trials)
    found = (see(trial, exercise) for see in (accepted, raised, wrong_type, loses_precision, wrong_shape, not_finite))
    verdict = next(filter(None, found), None)
    if verdict is None:
        return None
    message = " ".join(filter(None, [trial.which, verdict.message, where.sentence]))
    if isinstance(exercise, ModuleExercise):
        message = message.replace("Your function", "Your `forward`")
    return replace(verdict, message=message, property=verdict.property or where.name, example=Example.of(trial))


def shape_elsewhere(attempt):
    """Another shape in a later ordinary case: it says more than what holds for numbers."""
    for trial in (t.focused for t in attempt.wrong if not t.case.tag):
        found = wrong_shape(trial, attempt.exercise)
        if found:
            message = " ".join(filter(None, [trial.which, found.message]))
            return replace(found, message=message, example=Example.of(trial))


def accepted(trial, exercise):
    if isinstance(trial.got.value, BaseException):
        kind = type(trial.got.value).__name__
        message = (
            f"Your code returns a {kind} like a result. An error is there to stop the caller: `raise`, not `return`."
        )
        return Verdict("property", message, property="refuses_bad_input")
    if trial.expected.kind == "error" and trial.got.kind != "error":
        kind = type(trial.expected.error).__name__
        returned = "None" if trial.got.kind == "none" else "a value"
        message = f"This input should be refused with an error (a {kind}, say); your code returns {returned}."
        return Verdict("property", message, property="refuses_bad_input")


def raised(trial, exercise):
    error = trial.got.error
    if error is not None:
        own = " This input is one that should work: your own `raise` or `assert` refuses it." * is_own(error)
        return Verdict("raised", f"Your code stops with {error_in_words(error)}{own}")


def error_in_words(error):
    """What Python says, and what usually helps; without torch's own advice, which would cut the gradients."""
    said = error_line(error).replace("Use tensor.detach().numpy() instead", "").split(", but expected one of")[0]
    return f"{said.rstrip('. ')}. {_advice(error)}".rstrip()


def _advice(error):
    """What usually helps, where NumPy, torch or Python does not say it."""
    if isinstance(error, RecursionError):
        return "It calls itself, and never reaches an end."
    if isinstance(error, UnboundLocalError):
        return "This line runs before the one that makes that name. Which line makes it, and when does that one run?"
    if isinstance(error, NameError):
        return "A typing mistake, or a cell that has not run since the kernel started?"
    advice = next((advice for said, advice in _ADVICE.items() if re.search(said, str(error))), "")
    return advice + _two_shapes(str(error))


_OF_TENSORS = "ndim|shape|size|dtype|device|m?T|transpose|view|reshape|unflatten|softmax"
_ADVICE = {  # a pattern in what the error says: the first that fits
    rf"operand.*'Linear'|not Linear|'Linear' object has no attribute '({_OF_TENSORS})'": (
        "A layer is no tensor: it is called like a function, as in `self.query(x)`, and gives the projection."
    ),
    "'(Tensor|Parameter)' object is not callable": (
        "A layer is called; a tensor or a parameter is not: it is multiplied, with `@`."
    ),
    "'(int|float|tuple|list)' object has no attribute 'detach'": (
        "`nn.Parameter` wraps a tensor, the numbers to start with. "
        "Which function makes a tensor of random numbers, if you give it the sizes?"
    ),
    r"Can't call numpy\(\)": "NumPy knows no gradients. Stay with torch from the input to the result.",
    "out=NoneType": "NumPy and torch have met here. Stay with torch from the input to the result.",
    "leaf Variable": "`x /= 2` changes an input itself, and torch refuses that; `x = x / 2` makes a new tensor.",
    "non-scalar array input": "A single number, a single True, or None stands where an array belongs.",
    "function is not a supported array type|'(function|builtin_function_or_method)'|input type .*'function'": (
        "A function stands where its result belongs. Call it: with brackets, and its inputs in them."
    ),
    r"matmul.*not have enough dimensions \(has 0": (
        "On one side of `@` stands no array: a single number, or a function that was not called."
    ),
    "cannot be multiplied|matmul": (
        "In `a @ b`, a must have as many columns as b has rows. Which of these sizes did you not expect?"
    ),
    r"permute\(|must be a 3D tensor|axes don't match array|match the number of dimensions|subscripts": (
        "This line wants a fixed number of axes, and another number came. "
        "Where a docstring says `...`, there may be no axis in front, or several: count axes from the end."
    ),
    "values to unpack": (
        "More things came than there are names for them, or fewer. "
        "If it is a shape: where a docstring says `...`, there may be no axis in front, or several."
    ),
    "operator.invert|ufunc 'invert'": (
        "`~` turns True and False round; it knows nothing of floating-point numbers. Compare them first: `==`, `<`."
    ),
    "the same dtype": "A new tensor is float32 if you say nothing. Which one do you make? Give it `dtype=x.dtype`.",
    "same device": "The judge's tensors lie on the CPU. Make new ones where the inputs are, with `device=x.device`.",
    'missing the required "forward" function': (
        "A list of modules cannot be called, but each module in it can; `nn.Sequential` calls one after another."
    ),
    "boolean index did not match": (
        "A mask may have fewer axes, or axes of length 1: np.where stretches it, an index does not."
    ),
    "cannot be interpreted as an integer|converted to a scalar index": (
        "An axis, a length or an index is a whole number. Did something else come to its place in a call?"
    ),
    "view size is not compatible": (
        "`view` reads the numbers as they lie in memory, and a transpose has moved nothing there: it only counts in "
        "another order. `reshape` copies the numbers into their new order where it must."
    ),
    "is invalid for input of size": (
        "The sizes that you ask for must multiply to as many numbers as there are. Is one of them written down as a "
        "number, or taken from another tensor?"
    ),
    "stack expects each tensor to be equal size": (
        "What is stacked must have one shape, and your pieces are not equally large. Where does each begin and end?"
    ),
    r"expanded size of the tensor|could not broadcast input array": (
        "The place has another size than what is to be put there. If it is a slice: where does it begin and end?"
    ),
    "truth value of an array|Boolean value of Tensor": (
        "`if`, `and`, `or`, `not` and Python's own `max` ask an array for one answer; "
        "`&`, `|`, `~` and the `max` of NumPy or torch look at each of its numbers."
    ),
}


def _two_shapes(text):
    """What torch means by (6x2 and 4x4)."""
    sizes = re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text)
    if not sizes:
        return ""
    return (
        f" Here a has {sizes[2]} columns, and b has {sizes[3]} rows. "
        f"(The {sizes[1]} are all rows of a: if it has three axes or more, all but the last are multiplied together.)"
    )


_KINDS = {"floating": "floating-point numbers", "integer": "integers", "boolean": "booleans (True and False)"}


def wrong_type(trial, exercise):
    """Something else than an array, or an array of something else."""
    got, expected = trial.got, trial.expected
    if expected.parts and len(got.parts) != len(expected.parts):
        return Verdict("type", _several_message(got, expected))
    if got.kind != expected.kind and not (got.is_number and expected.is_number) and not expected.parts:
        return Verdict("type", _kind_message(got.kind, expected, exercise.library))


def _several_message(got, expected):
    """Another number of results, or one that is no array."""
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
        "none": f"Your function gives back nothing (None). Is `return` missing? It should return {wanted}.",
        "generator": f"Your function contains `yield`, so a call runs none of it. `return` {wanted} instead.",
        "list": f"Your function returns a list. It should return {wanted}: {to_array}.",
        "tuple": f"Your function returns several things (a tuple). It should return {wanted}: "
        "is one of them the result, or are they its parts, still to be put together?",
        "class": f"Your function returns a class. It should return {wanted}.",
    }
    return special.get(
        got, f"Your function returns {_KINDS.get(got, f'something of type {got}')}; it should return {wanted}."
    )


def loses_precision(trial, exercise):
    """Half precision out of more: the numbers are right, but for three digits only."""
    half = trial.got.kind == "floating" and trial.got.value.dtype.itemsize == 2
    if half and min(_float_sizes(trial.inputs), default=2) > 2:
        if same(trial.got, trial.expected, TOLERANCES[2]):
            message = (
                f"Your numbers are right, but in {trial.got.value.dtype} they keep few digits. Keep the input's type."
            )
            return Verdict("type", message, property="loses_precision")


def _float_sizes(inputs):
    return [x.dtype.itemsize for x in inputs.values() if isinstance(x, np.ndarray) and x.dtype.kind == "f"]


def wrong_shape(trial, exercise):
    got, expected = trial.got.value, trial.expected.value
    if trial.got.is_array and got.shape != expected.shape:
        words = () if trial.which else axis_words(exercise.reference).get("result", ())  # those are of the first
        wanted = shape_in_words(expected.shape, words)
        shown = {n: x for n, x in trial.inputs.items() if n in exercise.shown_parameters}
        inputs = inputs_in_words(shown, exercise.reference)
        return Verdict(
            "shape", f"Your result has the shape {shape_in_words(got.shape)}; it should be {wanted} for {inputs}."
        )


def not_finite(trial, exercise):
    """NaN or infinity where a number should be."""
    if trial.got.kind == "floating" and not np.isfinite(trial.got.value).all():
        what = "NaN" if np.isnan(trial.got.value).any() else "infinity"
        if trial.got.value.dtype.itemsize == 2 < min(_float_sizes(trial.inputs), default=8):
            message = f"Your result holds {what}: it is in float16, which ends at 65504. Which line asks for that type?"
            return Verdict("property", message, property="results_are_finite")
        message = (
            f"Your result holds {what}, though every input is an ordinary number. "
            "NaN comes from 0 / 0, from inf - inf and from 0 * inf; infinity from exp of a large number. "
            "Which line makes the first one?"
        )
        return Verdict("property", message, property="results_are_finite")
