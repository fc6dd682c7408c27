"""What is wrong with an answer that ran, in the order in which it helps to know."""

import inspect
from dataclasses import replace

import numpy as np

from .outcome import ask, observe, same
from .recognition import recognise
from .relations import relation_of, where_it_fails
from .shapes import axis_words, inputs_in_words, shape_in_words
from .verdict import Example, Verdict


def diagnose(answer, exercise, trials, library):
    """The first finding that applies; each takes the same four things and returns a Verdict or None."""
    findings = (
        unwritten,
        random,
        mutated,
        recognised,
        raised,
        wrong_type,
        wrong_shape,
        not_finite,
        related,
        broken_property,
        values,
    )
    verdict = next(filter(None, (find(answer, exercise, trials, library) for find in findings)))
    if verdict.reason not in ("unwritten", "mutated"):
        verdict = _also_mutated(verdict, trials)
    return verdict if verdict.example else replace(verdict, example=Example.of(_first_wrong(trials)))


def unwritten(answer, exercise, trials, library):
    if all(isinstance(t.got.error, NotImplementedError) for t in trials):
        message = f"{exercise.name} is not written yet. If it is, take out the line `raise NotImplementedError`."
        return Verdict("unwritten", message)


def random(answer, exercise, trials, library):
    """An answer that differs from itself says nothing else that is true."""
    trial = _first_wrong(trials)
    again = ask(answer, trial.inputs, library, exercise.parameters)
    if again.is_array and trial.got.is_array and not same(again, trial.got, trial.tolerance, any_infinity=True):
        message = (
            "The same input gave two different results. Something is random in your code, "
            "or it keeps something from an earlier call. A result may depend on the inputs alone."
        )
        return Verdict("property", message, property="same_input_same_result")


def mutated(answer, exercise, trials, library):
    if all(trial.same_value for trial in trials):
        return Verdict("mutated", f"Your result is right, but your code changed its input {_changed(trials)}. {_COPY}")


_COPY = (
    "The caller still needs it as it was: `x = x - y` makes a new array, `x -= y` and `x[...] = y` change the old one."
)


def _also_mutated(verdict, trials):
    if not _changed(trials):
        return verdict
    return replace(
        verdict, message=f"{verdict.message}\n\nBesides, your code changes its input {_changed(trials)}. {_COPY}"
    )


def _changed(trials):
    return " and ".join(sorted({name for trial in trials for name in trial.got.changed}))


def recognised(answer, exercise, trials, library):
    """A misconception, or two, that do what the answer does."""
    belief = recognise(exercise, trials)
    if belief is None:
        return None
    first, *also = belief.misconceptions
    return Verdict(
        "misconception",
        "\n\nAnd a second thing. ".join(m.message for m in belief.misconceptions),
        misconception=first,
        also=also[0] if also else None,
        example=Example.of(_showing(first, exercise, trials)),
    )


def _showing(misconception, exercise, trials):
    """The smallest wrong case in which this misconception alone makes a difference."""
    alone = next(belief for belief in exercise.beliefs if belief.misconceptions == (misconception,))
    shown = (t for t in _wrong(trials) if not same(observe(alone.function, t.inputs), t.expected, t.tolerance))
    return next(shown, _first_wrong(trials))


def raised(answer, exercise, trials, library):
    """Your code stops with an error, or does not where it should."""
    for trial in _wrong(trials):
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
    for trial in _wrong(trials):
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
    for trial in _wrong(trials):
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
    for trial in _wrong(trials):
        if trial.got.kind == "floating" and not np.isfinite(trial.got.value).all():
            what = "NaN" if np.isnan(trial.got.value).any() else "infinity"
            message = (
                f"Your result holds {what}, though every input is an ordinary number. "
                "NaN comes from 0 / 0, from inf - inf and from 0 * inf; infinity from exp of a large number. "
                f"Which line makes the first one? {where_it_fails(trials).sentence}"
            ).rstrip()
            return Verdict("property", message, property="results_are_finite", example=Example.of(trial))


def related(answer, exercise, trials, library):
    """The numbers lie to the right ones as one sentence says, in every ordinary case."""
    relation = relation_of(trials)
    return _explained(relation, trials) if relation else None


def broken_property(answer, exercise, trials, library):
    """The first property of the exercise that does not hold for the answer."""

    def run(**inputs):
        outcome = ask(answer, inputs, library, exercise.parameters)
        if not outcome.is_array:
            raise ValueError("nothing to look at")
        return outcome.value

    for check in exercise.properties:
        for trial in trials:
            what = _complaint(check, run, trial.inputs)
            if what:
                message = f"{what} {inspect.getdoc(check)}"
                return Verdict("property", message, property=check.__name__, example=Example.of(trial))


def _complaint(check, run, inputs):
    """What a property complains of; None if it holds, or cannot be tried on these inputs."""
    try:
        return check(run, inputs)
    except Exception:
        return None


def values(answer, exercise, trials, library):
    """All that is left to say: where it fails, and by how much."""
    return _explained(where_it_fails(trials), trials)


def _explained(finding, trials):
    trial = _first_wrong(trials)
    message = f"{finding.sentence} {_first_difference(trial)}".strip()
    reason = "property" if finding else "values"
    return Verdict(reason, message, property=finding.name, example=Example.of(trial))


def _first_difference(trial):
    if not trial.got.is_array:
        return ""
    got, expected = np.broadcast_arrays(trial.got.value, trial.expected.value)
    near = np.isclose(got.astype(float), expected.astype(float), rtol=trial.tolerance, atol=trial.tolerance)
    place = tuple(int(i) for i in np.argwhere(~near)[0]) if (~near).any() else ()
    digits = 6 if f"{got[place]:.6g}" != f"{expected[place]:.6g}" else 12
    yours, right = f"{got[place]:.{digits}g}", f"{expected[place]:.{digits}g}"
    return f"At index {list(place)} your result holds {yours}; it should hold {right}."


def too_slow(seconds):
    message = (
        f"Your code did not finish within {seconds:g} seconds, on inputs of a few numbers. "
        "Look for a loop that never ends: does its condition ever become false?"
    )
    return Verdict("raised", message, property="finishes")


def _wrong(trials):
    return (trial for trial in trials if not trial.right)


def _first_wrong(trials):
    return next(_wrong(trials))
