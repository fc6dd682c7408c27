"""What is wrong with an answer that ran, in the order in which it helps to know."""

import inspect
from dataclasses import replace

import numpy as np

from .line_by_line import line_by_line
from .outcome import ask, observe, same, to_array
from .recognition import recognise
from .relations import relation_of, where_it_fails
from .strengths import right_so_far
from .symptoms import symptom
from .verdict import Example, Verdict, first_wrong, wrong


def diagnose(answer, exercise, trials, library):
    """The first finding that applies; each takes the same four things and returns a Verdict or None."""
    findings = (
        unwritten,
        random,
        mutated,
        recognised,
        ignores_an_input,
        symptom,
        related,
        broken_property,
        values,
    )
    verdict = next(filter(None, (find(answer, exercise, trials, library) for find in findings)))
    if verdict.reason == "unwritten":
        return verdict
    if verdict.reason != "mutated":
        verdict = _also_mutated(verdict, trials)
    example = verdict.example or Example.of(first_wrong(trials))
    lines = line_by_line(answer, lambda: ask(answer, example.inputs, library, exercise.parameters))
    return replace(
        verdict,
        example=replace(example, lines=lines),
        right_so_far="" if _ignores(verdict) else right_so_far(answer, exercise, trials, library),
    )


def unwritten(answer, exercise, trials, library):
    if all(isinstance(t.got.error, NotImplementedError) for t in trials):
        message = f"{exercise.name} is not written yet. If it is, take out the line `raise NotImplementedError`."
        return Verdict("unwritten", message)


def random(answer, exercise, trials, library):
    """An answer that differs from itself says nothing else that is true."""
    trial = first_wrong(trials)
    again = ask(answer, trial.inputs, library, exercise.parameters)
    if again.is_array and trial.got.is_array and not same(again, trial.got, trial.tolerance, any_infinity=True):
        message = (
            "The same input gave two different results. Something is random in your code, "
            "a dropout that is always on or a layer made anew at every call say, or it keeps something from an "
            "earlier call. A result may depend on the inputs alone."
        )
        return Verdict("property", message, property="same_input_same_result")


def mutated(answer, exercise, trials, library):
    if all(trial.same_value for trial in trials):
        return Verdict("mutated", f"Your result is right, but your code changed its input {_changed(trials)}. {_COPY}")


_COPY = (
    "The caller still needs the old numbers: "
    "`x = x - y` makes a new array, `x -= y` and `x[...] = y` change the old one."
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
    """A misconception, or two, that do what the answer does: everywhere, or at least without a batch."""
    belief, everywhere = recognise(exercise, trials, library)
    if belief is None:
        return None
    first, *also = _what_stops_first(belief.misconceptions, exercise, first_wrong(trials))
    further = [m.message for m in also] if everywhere else [_BATCH]
    return Verdict(
        "misconception",
        "\n\nWhen that is fixed, there is a second thing. ".join([first.message, *further]),
        misconception=first,
        also=also[0] if also else None,
        example=Example.of(_showing(first, exercise, trials)),
    )


_BATCH = "With a batch in front something else goes wrong as well. Try it on an input with three axes, item by item."


def _what_stops_first(misconceptions, exercise, trial):
    """Where the code stops, what stops it is told before what would go wrong further down."""
    if trial.got.kind != "error":
        return misconceptions
    return sorted(misconceptions, key=lambda m: observe(_alone(m, exercise).function, trial.inputs).kind != "error")


def _alone(misconception, exercise):
    """The version that holds this misconception and no other."""
    return next(belief for belief in exercise.beliefs if belief.misconceptions == (misconception,))


def _showing(misconception, exercise, trials):
    """The smallest wrong case in which this misconception alone makes a difference."""
    alone = _alone(misconception, exercise)
    shown = (t for t in wrong(trials) if not same(observe(alone.function, t.inputs), t.expected, t.tolerance))
    return next(shown, first_wrong(trials))


def ignores_an_input(answer, exercise, trials, library):
    """Other numbers in one of the inputs, and the same result, in every ordinary case."""
    ordinary = [t for t in trials if not t.case.tag]
    if all(t.right for t in ordinary):
        return None
    for name in exercise.parameters:
        about = [t for t in ordinary if isinstance(t.inputs.get(name), np.ndarray) and _is_of_the_kind(t)]
        if about and all(_same_without(name, t, answer, exercise, library) for t in about):
            message = f"Your result stays the same whatever stands in `{name}`. {_what_stands_there(answer)}"
            return Verdict("property", message, property=f"{_IGNORES}{name}")


_IGNORES = "depends_on_"


def _ignores(verdict):
    """What such an answer does right, it does by accident."""
    return (verdict.property or "").startswith(_IGNORES)


def _is_of_the_kind(trial):
    """Another type, NaN or infinity say more than that an input is ignored."""
    alike = trial.got.is_array and trial.got.kind == trial.expected.kind
    return alike and bool(np.isfinite(trial.got.value).all())


def _what_stands_there(answer):
    """Arrays of the notebook that the code names, or the question whether there are any."""
    code, variables = getattr(answer, "__code__", None), getattr(answer, "__globals__", {})
    names = code.co_names if code else ()
    arrays = [name for name in names if isinstance(to_array(variables.get(name)), np.ndarray)]
    if arrays:
        named = " and ".join(f"`{name}`" for name in arrays)
        return f"Your code uses {named} of the notebook. A function works with what it receives, under its own names."
    return (
        "Is it used, and handed on to what you call? "
        "Or does a variable of the notebook stand where the parameter should?"
    )


def _same_without(name, trial, answer, exercise, library):
    """Whether other numbers in one input change nothing in the answer's result."""
    x = trial.inputs.get(name)
    other = ~x if x.dtype == bool else np.roll(x * 2, 1)
    return same(ask(answer, trial.inputs | {name: other}, library, exercise.parameters), trial.got, 0)


def related(answer, exercise, trials, library):
    """The numbers lie to the right ones as one sentence says, in every ordinary case that is not right."""
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
            if what and not _complaint(check, exercise.reference, trial.inputs):  # where all saturates, none need hold
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
    trial, where = first_wrong(trials).focused, where_it_fails(trials)
    sentences = dict.fromkeys([trial.which, finding.sentence, where.sentence, _first_difference(trial)])
    message = " ".join(filter(None, sentences))
    reason = "property" if finding else "values"
    return Verdict(reason, message, property=finding.name, example=Example.of(trial))


def _first_difference(trial):
    if not trial.got.is_array:
        return ""
    got, expected = np.broadcast_arrays(trial.got.value, trial.expected.value)
    near = np.isclose(got.astype(float), expected.astype(float), rtol=trial.tolerance, atol=trial.tolerance)
    place = tuple(int(i) for i in np.argwhere(~near)[0]) if (~near).any() else ()
    yours, right = _told_apart(got[place], expected[place])
    if not got.shape:
        return f"Your result is {yours}; it should be {right}."
    return f"At index {list(place)} your result holds {yours}; it should hold {right}."


def _told_apart(*numbers):
    """Numbers with as few digits as show that they differ."""
    if numbers[0].dtype == bool:
        return numbers
    if all(float(number).is_integer() for number in numbers):
        return [f"{number:.0f}" for number in numbers]
    short, long = ([f"{number:.{digits}g}" for number in numbers] for digits in (6, 12))
    return short if len(set(short)) > 1 else long


def too_slow(seconds):
    message = (
        f"Your code did not finish within {seconds:g} seconds, on inputs of a few numbers. "
        "Look for a loop that never ends: does its condition ever become false?"
    )
    return Verdict("raised", message, property="finishes")
