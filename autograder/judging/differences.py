"""Say in true sentences how the numbers of a wrong answer differ from the right ones, and in which cases."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..cases import EDGES
from ..course import Hooks
from .results import RECOGNISED, Run


class Finding(NamedTuple):
    """A property that an answer has, and the sentence that says so."""

    name: str | None = None
    sentence: str = ""


def relation_of(runs: Sequence[Run], relations: Sequence[Callable]):
    """Return a Finding on the first relation that holds in every wrong ordinary case; an empty one if none does.

    A relation takes pairs (got, expected), and returns a sentence if it holds for all of them.
    """
    wrong = [run.focused for run in runs if not run.same_value and not run.case.tag]
    kinds = {outcome.kind for run in wrong for outcome in (run.got, run.expected)}
    if not wrong or not kinds <= {"floating", "integer"} or len({run.place for run in wrong}) > 1:
        return Finding()
    pairs = [(run.got.value, run.expected.value) for run in wrong]
    if any(got.shape != expected.shape for got, expected in pairs):
        return Finding()
    found = (Finding(relation.__name__, relation(pairs)) for relation in relations)
    return next((finding for finding in found if finding.sentence), Finding())


def _factor(got, expected):
    """Return the factor between the answer's numbers and the right ones, or None if it is not one factor for all."""
    got, expected = got.astype(float), expected.astype(float)
    if not expected.any():
        return None
    factor = (got * expected).sum() / (expected**2).sum()
    if abs(factor - 1) < RECOGNISED:
        return None  # "1 times as large" would say nothing
    return factor if np.abs(got - factor * expected).max() <= _room(factor) * np.abs(expected).max() else None


def _room(factor):
    """Return the tolerance within which factors count as one; a factor near 1 must exceed rounding."""
    return min(RECOGNISED * abs(factor), abs(factor - 1) / 100)


def all_zeros(pairs):
    return "Every number of your result is zero." if not any(got.any() for got, _ in pairs) else None


def constant_factor(pairs):
    factors = [_factor(got, expected) for got, expected in pairs]
    if None not in factors and np.ptp(factors) <= _room(factors[0]) and sum(got.size for got, _ in pairs) > 1:
        return f"Each of your numbers is {_digits(factors[0])} times what it should be."


def _digits(factor):
    return f"{factor:.{4 if abs(factor - 1) > 1e-3 else 7}g}"


def constant_difference(pairs):
    differences = np.concatenate([(got - expected).ravel() for got, expected in pairs])
    if differences.size > 1 and np.ptp(differences) <= RECOGNISED * max(1, abs(differences[0])):
        return f"Each of your numbers is off by {differences[0]:+.4g}."


def zeros_among_right_numbers(pairs):
    zeros = [(got == 0) & (expected != 0) for got, expected in pairs]
    near = [np.isclose(got, expected, rtol=RECOGNISED, atol=RECOGNISED) for got, expected in pairs]
    if all(zero.any() and (zero | right).all() for zero, right in zip(zeros, near)):
        rows = all(zero.ndim > 1 and (zero.all(-1) | ~zero.any(-1)).all() for zero in zeros)
        return f"Some {'rows' if rows else 'numbers'} of your result are 0, and all others are right."


def input_factor(pairs):
    factors = [_factor(got, expected) for got, expected in pairs]
    if None in factors or min(got.size for got, _ in pairs) < 2:
        return None
    shown = ", then ".join(dict.fromkeys(map(_digits, factors[:3])))
    return (
        "Within a result your numbers are in the right proportion, but there is an extra factor, which differs between "
        f"inputs: {shown}. Which size do you divide or multiply by?"
    )


def row_factor(pairs):
    if not all(got.ndim and got.shape[-1] > 1 for got, _ in pairs):
        return None
    rows = [(g, e) for got, expected in pairs for g, e in zip(*(x.reshape(-1, x.shape[-1]) for x in (got, expected)))]
    if all(_factor(got, expected) is not None for got, expected in rows):
        return "Within a row your numbers are in the right proportion; each row has an extra factor."


def other_signs(pairs):
    if all(np.allclose(np.abs(got), np.abs(expected), rtol=RECOGNISED, atol=RECOGNISED) for got, expected in pairs):
        return "Without their signs your numbers are right; some have the wrong sign."


RELATIONS = (
    all_zeros,
    constant_factor,
    constant_difference,
    zeros_among_right_numbers,
    input_factor,
    row_factor,
    other_signs,
)


def nearly_right(pairs):
    if all(abs(got - e).max(initial=0) <= 1e-2 * abs(e).max(initial=0) for got, e in pairs):
        return (
            "All your numbers are nearly right. The cause may be a small number that is added somewhere, rounding, or "
            "a type that keeps few digits."
        )


def same_numbers_elsewhere(pairs):
    if all(np.allclose(*(np.sort(x, axis=None) for x in pair), atol=RECOGNISED) for pair in pairs):
        return "Your result holds the right numbers, in the wrong positions."


def where_it_fails(runs: Sequence[Run], hooks: Hooks):
    """Return a Finding on what all wrong cases share and not all cases do: an edge, a batch, an option; or none.

    One wrong case among many that share it says nothing of these.
    """
    wrong = [run for run in runs if not run.same_value] or [run for run in runs if not run.right]
    edges = EDGES | hooks.edges
    given = {name for run in runs for name in run.case.given}
    names = sorted(given, key=lambda name: (name != hooks.optional_input, name))  # most cases with that input have more
    if all(run.case.tag for run in wrong):  # then it is the edge that tells
        traits = {run: {run.case.tag: edges[run.case.tag]} if run.case.tag in edges else {} for run in runs}
    else:
        traits = {run: _traits(run, names) for run in runs}
    for trait, words in traits[wrong[0]].items():
        alike = [run for run in runs if trait in traits[run]]
        if all(trait in traits[run] for run in wrong) and len(alike) < min(len(runs), 3 * len(wrong)):
            return Finding(f"only_{trait}", f"Among the inputs we tried, it goes wrong {words}.")
    return Finding()


def _traits(run, names):
    """Return what a case is like, the most telling first: its name -> where it goes wrong, if all such cases do."""
    batch = "without" if is_plain(run) else "with"
    found = {"a_single_row": "only for a single row"} if _axes(run) == 1 else {}
    found[f"{batch}_a_batch"] = f"only {batch} a batch in front"
    for name in names:
        value = run.inputs.get(name)
        if type(value) in (bool, str):
            written = f'"{value}"' if isinstance(value, str) else value
            found[f"with_{name}_{value}"] = f"only where `{name}` is {written}"
        if name in run.inputs:
            found[f"with_{name}"] = f"only where `{name}` is given"
        else:
            found[f"without_{name}"] = f"only where `{name}` is not given"
    return found


def is_plain(run: Run) -> bool:
    """Say whether a case has no batch: at most two axes."""
    return _axes(run) <= 2


def _axes(run):
    arrays = (x for x in run.case.given.values() if isinstance(x, np.ndarray))
    return max((x.ndim for x in arrays), default=0)
