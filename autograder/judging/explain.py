"""Find out what is wrong with an answer that ran, in the order in which it helps to know."""

import inspect
import re
from dataclasses import replace
from itertools import product
from operator import attrgetter

import numpy as np

from .answer import Answer, complaint_about
from .code_slips import overlooked
from .differences import RELATIONS, nearly_right, relation_of, same_numbers_elsewhere
from .line_by_line import line_by_line
from .recognition import recognised
from .repeated import gives_different_results, keeps_earlier_calls
from .results import same
from .source import arrays_named
from .symptoms import shape_elsewhere, symptom
from .verdict import ENDS, Example, Verdict


def diagnose(answer: Answer):
    """Return the first finding that applies; each takes an answer and returns a Verdict or None."""
    findings = (
        unwritten,
        gives_different_results,
        keeps_earlier_calls,
        mutated,
        recognised,
        ignores_an_input,
        symptom,
        related,
        shape_elsewhere,
        broken_property,
        values,
    )
    verdict = next(filter(None, (find(answer) for find in findings)))
    if verdict.reason == "unwritten":
        return verdict
    changed = _changed(answer.runs) if verdict.reason != "mutated" else ""
    besides = changed and f"Besides, your code changes its input {changed}. {_COPY}"
    example = verdict.example or Example.of(answer.first_wrong)
    lines = line_by_line(answer.function, lambda: answer.ask(example.inputs))
    ignores = (verdict.property or "").startswith(_IGNORES)  # what such an answer gets right is accidental
    return replace(
        verdict,
        message="\n\n".join(filter(None, [verdict.message, besides, overlooked(answer.function)])),
        example=replace(example, lines=lines),
        right_so_far="" if ignores else right_so_far(answer.runs),
    )


def right_so_far(runs):
    """Return a sentence about what is right so far, the shapes and how many numbers; or ""."""
    asked = [run for run in runs if run.expected.parts or np.ndim(run.expected.value)]
    right = sum(run.same_value for run in runs)
    strengths = ["the shape of every result"] if asked and all(map(_has_the_shape, asked)) else []
    if 0 < right < len(runs):
        strengths.append(f"the numbers for {right} of the {len(runs)} inputs")
    return f"Right so far, in what we tried: {'; '.join(strengths)}." if strengths else ""


def _has_the_shape(run):
    """Say whether a result has the right shape, or several have, and their names; that of a number is no praise."""
    if not (run.got.parts or (run.got.is_array and run.got.value.ndim)):
        return False
    got, expected = ((o.names, [part.value.shape for part in o.parts or (o,)]) for o in (run.got, run.expected))
    return got == expected


def unwritten(answer: Answer):
    """Return a Verdict if the learner's NotImplementedError stops every run, and not one of torch."""
    errors = [run.got.error for run in answer.runs]
    torchs = '"forward" function|not implemented for'
    if all(isinstance(error, NotImplementedError) and not re.search(torchs, str(error)) for error in errors):
        name = answer.exercise.name
        message = f"{name} is not written yet. If it is, take out the line `raise NotImplementedError`."
        return Verdict("unwritten", message)


def mutated(answer: Answer):
    if all(run.same_value for run in answer.runs):
        changed = _changed(answer.runs)
        return Verdict("mutated", f"Your result is right, but your code changed its input {changed}. {_COPY}")


_COPY = (
    "The caller still needs the old numbers: "
    "`x = x - y` makes a new array; `x -= y`, `x[...] = y` and methods such as `x.sub_(y)`, with a `_` at their end, "
    "change the old one."
)


def _changed(runs):
    return " and ".join(sorted({name for run in runs for name in run.got.changed}))


def ignores_an_input(answer: Answer) -> Verdict | None:
    """Return a Verdict if other numbers in one of the inputs change no result of an ordinary case."""
    stops = any(run.got.kind == "error" for run in answer.ordinary)
    if all(run.right for run in answer.ordinary) or (stops and not arrays_named(answer.function)):
        return None  # an error says more
    for name in answer.exercise.parameters:
        given = (run for run in answer.ordinary if isinstance(run.inputs.get(name), np.ndarray))
        about = [run for run in given if _is_of_the_kind(run)]
        same_without = (same(answer.ask(run.inputs | {name: _other(run.inputs[name])}), run.got, 0) for run in about)
        if about and all(same_without):
            named = " and ".join(f"`{name}`" for name in arrays_named(answer.function))
            cause = _USES.format(named) if named else _IS_IT_USED
            message = f"Your result stays the same whatever is in `{name}`. {cause}"
            return Verdict("property", message, property=f"{_IGNORES}{name}")


_IGNORES = "depends_on_"
_USES = "Your code uses {} of the notebook. A function works with what it receives, under its own names."
_IS_IT_USED = (
    "Is it used, and handed on to what you call? Or is there a variable of the notebook where the parameter should be?"
)


def _is_of_the_kind(run):
    """Say whether results are of the right kind: another type, NaN or zeros say more than that an input is ignored."""
    got, expected = run.got.arrays, run.expected.arrays
    alike = got and [part.kind for part in got] == [part.kind for part in expected]
    return alike and all(np.isfinite(part.value).all() and part.value.any() for part in got)


def _other(x):
    """Return other numbers of the same shape."""
    return ~x if x.dtype == bool else np.roll(x * 2, 1)


def related(answer: Answer) -> Verdict | None:
    """Return a Verdict if one relation to the right numbers holds in every wrong ordinary case."""
    relation = relation_of(answer.runs, (*RELATIONS, *answer.exercise.course.hooks.relations, nearly_right))
    return _explained(relation, answer) if relation.name else None


def broken_property(answer: Answer) -> Verdict | None:
    """Return a Verdict for the first property of the exercise that does not hold for the answer."""
    edges = [run for run in answer.runs if run.case.tag]
    for runs in (answer.ordinary, edges):  # NaN on an edge tells less than ordinary numbers
        wrong_first = sorted(runs, key=attrgetter("same_value"))  # a card shows the input, and one can check it there
        for check, run in product(answer.exercise.properties, wrong_first):
            what = answer.complaint(check, run)
            # Where all saturates, it need not hold for the reference either.
            if what and not complaint_about(answer.exercise.reference, check, run.inputs):
                where = "" if run.same_value else answer.where_it_fails.sentence
                message = " ".join(filter(None, [what, where, inspect.getdoc(check)]))
                return Verdict("property", message, property=check.__name__, example=Example.of(run))


def values(answer: Answer):
    """Say that the right numbers are in other places, or else where the answer fails, and by how much."""
    elsewhere = relation_of(answer.runs, (same_numbers_elsewhere,))
    return _explained(elsewhere if elsewhere.name else answer.where_it_fails, answer)


def _explained(finding, answer):
    run, where = answer.first_wrong.focused, answer.where_it_fails
    sentences = dict.fromkeys([run.which, finding.sentence, where.sentence, _first_difference(run)])
    message = " ".join(filter(None, sentences))
    reason = "property" if finding.name else "values"
    return Verdict(reason, message, property=finding.name, example=Example.of(run))


def _first_difference(run):
    if not run.got.is_array:
        return ""
    got, expected = np.broadcast_arrays(run.got.value, run.expected.value)
    near = np.isclose(got.astype(float), expected.astype(float), rtol=run.tolerance, atol=run.tolerance)
    place = tuple(int(i) for i in np.argwhere(~near)[0]) if (~near).any() else ()
    yours, right = _told_apart(got[place], expected[place])
    if not got.shape:
        return f"Your result is {yours}; it should be {right}."
    return f"At index {list(place)} your result holds {yours}; it should hold {right}."


def _told_apart(*numbers):
    """Write two numbers with as few digits as show that they differ."""
    if numbers[0].dtype == bool:
        return numbers
    if all(float(number).is_integer() for number in numbers):
        return [f"{number:.0f}" for number in numbers]
    short, long = ([f"{number:.{digits}g}" for number in numbers] for digits in (6, 12))
    return short if len(set(short)) > 1 else long


def too_slow(seconds: float):
    message = (
        f"Your code did not finish within {seconds:g} seconds, on inputs of a few numbers. "
        "Look for a loop that never ends: does its condition ever become false?"
    )
    return Verdict("raised", message, property=ENDS)
