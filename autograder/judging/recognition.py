"""Recognise a wrong answer: find the misconception, or the two, that do on every case what the answer does."""

from functools import lru_cache
from operator import attrgetter

import numpy as np

from ..cases import Case
from ..mistakes import Refused, WrongVersion
from .answer import Answer
from .differences import is_plain
from .errors import error_line, is_own
from .results import RECOGNISED, same
from .running import ask, observe
from .verdict import Example, Verdict

SECOND = "When that is fixed, there is a second thing."
IN_A_BATCH = (
    f"{SECOND} With a batch in front something else goes wrong as well. "
    "Try it on an input with three axes, item by item."
)


def _with_and_without_an_input(exercise):
    """Yield a remark, which cases a misconception must explain, and what must hold in all others."""
    name, is_right = exercise.course.hooks.optional_input, attrgetter("same_value")
    if name:
        with_it, without = "look at what it does with one.", "look at what it does with None in its place."
        yield f"Only with a {name} does your code do this: {with_it}", lambda run: name in run.inputs, is_right
        yield f"Only without a {name} does your code do this: {without}", lambda run: name not in run.inputs, is_right
        yield f"{SECOND} Without a {name} your code stops: {without}", lambda run: name in run.inputs, _stops
        yield f"{SECOND} With a {name} your code stops: {with_it}", lambda run: name not in run.inputs, _stops


def _stops(run):
    return run.got.kind == "error"


def recognised(answer: Answer) -> Verdict | None:
    """Return a Verdict if one or two misconceptions do what the answer does, everywhere or on a part of the cases."""
    version, unexplained = recognise(answer)
    if version is None:
        return None
    alone = [next(one for one in answer.exercise.wrong_versions if one.mistakes == (m,)) for m in version.mistakes]
    if _stops(answer.first_wrong):  # what stops the code is told before what would go wrong later
        alone.sort(key=lambda one: not _is_stopped(one, answer.first_wrong))
    first, *also = [one.mistakes[0] for one in alone]
    message = "\n\n".join(filter(None, [first.message, *(f"{SECOND} {m.message}" for m in also), unexplained]))
    # The smallest wrong case in which the first one alone makes a difference.
    shown = (run for run in answer.wrong if _is_wrong(alone[0], run) and _stops(run) == _is_stopped(alone[0], run))
    example = Example.of(next(shown, answer.first_wrong))
    return Verdict("misconception", message, misconception=first, also=next(iter(also), None), example=example)


def _is_stopped(version, run):
    return what_becomes_of(version, run.case).kind == "error"


def recognise(answer: Answer):
    """Return the wrong version that does what the answer does, and a sentence on what it leaves unexplained, or "".

    If every ordinary case stops, it is one that stops in the same words. Else these are tried in turn: one
    misconception, perhaps with a second that shows on edges alone; if some cases stop, one on those with or without
    the optional input; two at once; one for each of several results; one on some of the cases. None if nothing fits.
    """
    exercise = answer.exercise
    ordinary = sorted(answer.ordinary, key=attrgetter("same_value"))  # the wrong ones tell most: first
    edges = [run for run in answer.runs if run.case.tag]
    if all(map(_stops, ordinary)):
        return _that_stops(answer, ordinary, edges), ""
    if found := _best(exercise.wrong_versions, ordinary, edges):
        return _with_a_second(found, exercise, edges), ""
    some = list(_with_and_without_an_input(exercise))
    if any(map(_stops, ordinary)) and (found := _on_some(some, exercise, ordinary)):
        return found
    if any(map(_tells, ordinary)) and (pair := _best(exercise.pairs, ordinary, edges)):
        return pair, ""
    some.append((IN_A_BATCH, is_plain, lambda run: True))
    return _result_by_result(exercise, ordinary) or _on_some(some, exercise, ordinary) or (None, "")


def _result_by_result(exercise, ordinary):
    """Explain each wrong one of several results by a misconception about it alone."""
    places = range(len(ordinary[0].expected.parts))
    kinds = [[(o.names, [part.kind for part in o.parts]) for o in (run.got, run.expected)] for run in ordinary]
    if not all(got == expected for got, expected in kinds):
        return None
    wrong = [place for place in places if not all(_same_in(run.got, run.expected, place, run) for run in ordinary)]
    alone = [_about(place, exercise, ordinary) for place in wrong]
    found = [version.mistakes[0] for version in alone if version]
    all_found = len(found) == len(wrong) <= 2
    left = "" if all_found else "Another of your results is wrong as well, perhaps for the same reason."
    return (WrongVersion(tuple(found[:2]), exercise.step), left) if found else None


def _about(place, exercise, ordinary):
    """Return the first wrong version that makes this result what the answer gave, and leaves the others right."""
    others = [other for other in range(len(ordinary[0].expected.parts)) if other != place]

    def fits(version, run):
        made = what_becomes_of(version, run.case)
        return _same_in(run.got, made, place, run) and all(_same_in(run.expected, made, other, run) for other in others)

    return next((version for version in exercise.wrong_versions if all(fits(version, run) for run in ordinary)), None)


def _same_in(first, second, place, run):
    """Say whether two outcomes hold the same in this place."""
    pair = [outcome.parts[place] if place < len(outcome.parts) else outcome for outcome in (first, second)]
    return same(*pair, max(run.tolerance, RECOGNISED))


def _on_some(some, exercise, ordinary):
    """Return the wrong version that agrees on some of the cases, and what to say of the others; or None."""
    for remark, belongs, holds in some:
        explained = [run for run in ordinary if belongs(run)]
        others = [run for run in ordinary if not belongs(run)]
        if others and all(map(holds, others)) and len(list(filter(_tells, explained))) > 1:
            if found := _best(exercise.wrong_versions, explained, ()):
                return found, remark
    return None


def _that_stops(answer, ordinary, edges):
    """Return what stops in the same words everywhere: sizes that do not fit say where they come from."""
    own = [version for version in answer.exercise.wrong_versions if version.mistakes[0].step == version.step]
    found = [version for version in own if all(_stops_alike(version, run, answer) for run in ordinary)]
    agreed = [sum(_matches(version, run) for run in edges) for version in found]
    best = [version for version, edges_alike in zip(found, agreed) if edges_alike == max(agreed)]
    alike = len({version.mistakes[0].name for version in best}) == 1
    return best[0] if alike else None  # two that fit equally well tell nothing


@lru_cache(maxsize=50_000)
def what_becomes_of(version: WrongVersion, case: Case):
    """Return the outcome of a case under this wrong version, and keep it: every wrong answer is compared with it."""
    outcome = version.exercise.what_counts(observe(version.function, case.inputs), case.inputs)
    if outcome.error:
        outcome.error.__traceback__ = None  # it would keep all that the code has made
    return outcome


def _stops_alike(version, run, answer):
    """Say whether a wrong version stops in the same words, in the answer's library, if it stops in NumPy as well."""
    if not _is_stopped(version, run):
        return False
    error = ask(version.function, run.inputs, answer.library, answer.exercise.parameters).error
    return error is not None and error_line(error) == error_line(run.got.error)


def _with_a_second(found, exercise, edges):
    """Add a second misconception if it explains edge cases that the first does not."""
    (first,) = found.mistakes
    odd = {run.case.tag for run in edges if not _matches(found, run)}
    for version in exercise.with_rare(first) if odd and not first.on else ():
        if odd <= version.tags and all(_matches(version, run) for run in edges):
            return version
    return found


def _best(wrong_versions, ordinary, edges):
    def agreement(version):
        """Count the edge cases on which they agree, and those on which they have the same kind of infinity, too."""
        alike = [run for run in edges if _matches(version, run)]
        exact = (same(r.got, what_becomes_of(version, r.case), max(r.tolerance, RECOGNISED)) for r in alike)
        return len(alike), sum(exact)

    return max((v for v in wrong_versions if _explains(v, ordinary, edges)), key=agreement, default=None)


def _explains(version, ordinary, edges):
    """Say whether a wrong version does what the answer does on every ordinary case, and is wrong in one that tells."""
    # What shows on an edge may leave a trace of little more than rounding in ordinary cases.
    hardly_wrong = (run.same_value or same(run.got, run.expected, 10 * run.tolerance) for run in ordinary)
    if all(run.same_value for run in ordinary) or (version.tags and all(hardly_wrong)):
        named = [run for run in edges if run.case.tag in version.tags and not run.same_value]
        alike = sum(_is_wrong(version, run) and _matches(version, run) for run in named)  # one may, by accident
        return 0 < len(named) <= 2 * alike and all(_matches(version, run) for run in ordinary)
    if not all(_matches(version, run) for run in ordinary):
        return False
    its_own = all(m.step == version.step for m in version.mistakes)  # of deeper steps, many give the same NaN
    wrong = (run for run in ordinary if not run.same_value and _is_wrong(version, run))
    return any(its_own or _tells(run) for run in wrong)


def _matches(version, run):
    made, got = what_becomes_of(version, run.case), run.got
    if got.error and made.refuses and not got.refuses:  # a slip is no refusal
        return False
    if got.error and isinstance(made.error, Refused) and not _says_no(got.error, run.inputs):
        return False
    return same(got, made, max(run.tolerance, RECOGNISED), any_infinity=bool(run.case.tag))


def _says_no(error, inputs):
    """Say whether the code refuses these inputs: it raises, or looks up a name that its collection lacks."""
    texts = [repr(x) for x in inputs.values() if isinstance(x, str)]
    lacks_a_name = isinstance(error, (KeyError, ValueError)) and any(text in str(error) for text in texts)
    return isinstance(error, Refused) or lacks_a_name or is_own(error)


def _is_wrong(version, run):
    return not same(what_becomes_of(version, run.case), run.expected, run.tolerance)


def _tells(run):
    """Say whether a case tells ideas apart: a wrong number does, while errors and NaN fit too many."""
    if run.same_value or run.got.kind in ("error", "none"):
        return False
    return any(part.kind != "floating" or np.isfinite(part.value).any() for part in run.got.parts or (run.got,))
