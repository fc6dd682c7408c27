"""True sentences about a wrong answer that no misconception explains: where it fails, and how its numbers lie."""

from dataclasses import dataclass

import numpy as np

from ..inputs import EDGES, is_weight
from .outcome import RECOGNISED


@dataclass(frozen=True)
class Finding:
    """A property that an answer has, and the sentence that says so."""

    name: str = None
    sentence: str = ""

    def __bool__(self):
        return self.name is not None


NOTHING = Finding()


def where_it_fails(trials):
    """What all wrong cases share, and not all cases do: an edge, a batch, an option."""
    wrong = [t for t in trials if not t.right]
    on_edges = all(t.case.tag for t in wrong)  # then it is the edge that tells
    for finding, shares in _edges() if on_edges else _traits(trials):
        if all(map(shares, wrong)) and not all(map(shares, trials)):
            return finding
    return NOTHING


def _edges():
    for tag, words in EDGES.items():
        yield Finding(f"only_{tag}", f"It goes wrong {words}."), lambda t, tag=tag: t.case.tag == tag


def _traits(trials):
    """Findings, the most telling first, each with what a case must be for it."""
    yield Finding("only_a_single_row", "It goes wrong only for a single row."), lambda t: _axes(t) == 1
    yield Finding("only_without_a_batch", "It goes wrong only without a batch in front."), is_plain
    yield Finding("only_with_a_batch", "It goes wrong only with a batch in front."), lambda t: not is_plain(t)
    for name in sorted({name for t in trials for name in t.inputs}, key=_telling):
        if is_weight(name):
            continue
        for value in (True, False):
            option = Finding(f"only_with_{name}_{value}", f"It goes wrong only where `{name}` is {value}.")
            yield option, lambda t, name=name, value=value: t.inputs.get(name) is value
        with_it = Finding(f"only_with_{name}", f"It goes wrong only where `{name}` is given.")
        yield with_it, lambda t, name=name: name in t.inputs
        without = Finding(f"only_without_{name}", f"It goes wrong only where `{name}` is not given.")
        yield without, lambda t, name=name: name not in t.inputs


def _telling(name):
    """A mask first: most cases that have one have other things, too."""
    return name != "mask", name


def is_plain(trial):
    """Without a batch: at most two axes."""
    return _axes(trial) <= 2


def _axes(trial):
    arrays = (x for name, x in trial.inputs.items() if isinstance(x, np.ndarray) and not is_weight(name))
    return max((x.ndim for x in arrays), default=0)


def relation_of(trials):
    """How the answer's numbers lie to the right ones, if it is the same in every wrong ordinary case."""
    wrong = [t for t in trials if not t.right and not t.case.tag]
    if not wrong or not all(_comparable(t) for t in wrong):
        return NOTHING
    found = (relation([(t.got.value, t.expected.value) for t in wrong]) for relation in RELATIONS)
    return next(filter(None, found), NOTHING)


def _comparable(trial):
    """Numbers, in the same shape."""
    got, expected = trial.got, trial.expected
    return {got.kind, expected.kind} <= {"floating", "integer"} and got.value.shape == expected.value.shape


def _one_factor(pairs):
    ratios = np.concatenate([(got / expected).ravel() for got, expected in pairs])
    if not ratios.any():
        return Finding("all_zeros", "Every number of your result is zero.")
    if ratios.size > 1 and np.ptp(ratios) <= RECOGNISED * abs(ratios[0]):
        digits = 4 if abs(ratios[0] - 1) > 1e-3 else 7  # "1 times" would say nothing
        return Finding("constant_factor", f"Every number of yours is {ratios[0]:.{digits}g} times what it should be.")


def _one_difference(pairs):
    differences = np.concatenate([(got - expected).ravel() for got, expected in pairs])
    if differences.size > 1 and np.ptp(differences) <= RECOGNISED * max(1, abs(differences[0])):
        return Finding("constant_difference", f"Every number of yours is {differences[0]:+.4g} off, always the same.")


def _factor_of_each_row(pairs):
    ratios = [got / expected for got, expected in pairs]
    if all(
        r.ndim and r.shape[-1] > 1 and (np.ptp(r, axis=-1) <= RECOGNISED * np.abs(r).max(axis=-1)).all() for r in ratios
    ):
        return Finding(
            "row_factor", "Within a row your numbers are in the right proportion; each row has a factor too much."
        )


def _same_numbers_elsewhere(pairs):
    if all(
        np.allclose(np.sort(got, axis=None), np.sort(expected, axis=None), atol=RECOGNISED) for got, expected in pairs
    ):
        return Finding("same_numbers_elsewhere", "Your result holds the right numbers, in other places.")


def _few_digits(pairs):
    if all(e.ndim and np.allclose(got, e, rtol=1e-3, atol=1e-3 * np.abs(e).max(initial=0)) for got, e in pairs):
        return Finding(
            "agrees_to_three_digits",
            "Your numbers are near the right ones, to about three digits. "
            "Does a step round, work in half precision, or add a small number?",
        )


RELATIONS = (_one_factor, _one_difference, _factor_of_each_row, _same_numbers_elsewhere, _few_digits)
