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
    wrong = [t for t in trials if not t.same_value] or [t for t in trials if not t.right]
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


def nearly_right(trials):
    """Whether all that is wrong is a small difference: a little number added, say, or digits rounded away."""
    off = [t for t in trials if not t.same_value]
    return bool(off) and all(_comparable(t) and _near(t.got.value, t.expected.value) for t in off)


def _near(got, expected):
    return np.abs(got - expected).max(initial=0) <= 1e-2 * np.abs(expected).max(initial=0)


def _comparable(trial):
    """Numbers, in the same shape."""
    got, expected = trial.got, trial.expected
    return {got.kind, expected.kind} <= {"floating", "integer"} and got.value.shape == expected.value.shape


def _one_factor(pairs):
    ratios = np.concatenate([_ratios(got, expected) for got, expected in pairs])
    if not ratios.any():
        return Finding("all_zeros", "Every number of your result is zero.")
    if ratios.size > 1 and np.ptp(ratios) <= RECOGNISED * abs(ratios[0]):
        digits = 4 if abs(ratios[0] - 1) > 1e-3 else 7  # "1 times" would say nothing
        return Finding("constant_factor", f"Every number of yours is {ratios[0]:.{digits}g} times what it should be.")


def _ratios(got, expected):
    """Number by number, but for places where both are 0."""
    both = (got == 0) & (expected == 0)
    return got[~both] / expected[~both]


def _rows(x):
    return x.reshape(-1, x.shape[-1])


def _agree(ratios):
    return not ratios.size or bool(np.ptp(ratios) <= RECOGNISED * np.abs(ratios).max() < np.inf)


def _one_difference(pairs):
    differences = np.concatenate([(got - expected).ravel() for got, expected in pairs])
    if differences.size > 1 and np.ptp(differences) <= RECOGNISED * max(1, abs(differences[0])):
        return Finding("constant_difference", f"Every number of yours is {differences[0]:+.4g} off, always the same.")


def _factor_of_each_row(pairs):
    if all(got.ndim and got.shape[-1] > 1 for got, _ in pairs) and all(
        _agree(_ratios(*rows)) for got, expected in pairs for rows in zip(_rows(got), _rows(expected))
    ):
        return Finding(
            "row_factor", "Within a row your numbers are in the right proportion; each row has a factor too much."
        )


def _same_numbers_elsewhere(pairs):
    if all(
        np.allclose(np.sort(got, axis=None), np.sort(expected, axis=None), atol=RECOGNISED) for got, expected in pairs
    ):
        return Finding("same_numbers_elsewhere", "Your result holds the right numbers, in other places.")


RELATIONS = (_one_factor, _one_difference, _factor_of_each_row, _same_numbers_elsewhere)
