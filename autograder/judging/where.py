"""Where a wrong answer fails: what all wrong cases share, and not all cases do."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..cases import EDGES
from ..hooks import Hooks
from .verdict import Run

TRIED = "Among the inputs we tried, it goes wrong"


@dataclass(frozen=True)
class Finding:
    """A property that an answer has, and the sentence that says so."""

    name: str | None = None
    sentence: str = ""

    def __bool__(self):
        return self.name is not None


NOTHING = Finding()


def where_it_fails(runs: Sequence[Run], hooks: Hooks):
    """Return what all wrong cases share and not all cases do: an edge, a batch, an option.

    One wrong case among many that share it says nothing of these.
    """
    wrong = [t for t in runs if not t.same_value] or [t for t in runs if not t.right]
    on_edges = all(t.case.tag for t in wrong)  # then it is the edge that tells
    for finding, shares in _edges(hooks) if on_edges else _traits(runs, hooks):
        alike = [t for t in runs if shares(t)]
        if all(map(shares, wrong)) and len(alike) < min(len(runs), 3 * len(wrong)):
            return finding
    return NOTHING


def _edges(hooks):
    for tag, words in (EDGES | hooks.edges).items():
        yield Finding(f"only_{tag}", f"{TRIED} {words}."), lambda t, tag=tag: t.case.tag == tag


def _traits(runs, hooks):
    """Yield findings, the most telling first, each with what a case must be for it."""
    yield Finding("only_a_single_row", f"{TRIED} only for a single row."), lambda t: _axes(t) == 1
    yield Finding("only_without_a_batch", f"{TRIED} only without a batch in front."), is_plain
    yield Finding("only_with_a_batch", f"{TRIED} only with a batch in front."), lambda t: not is_plain(t)
    given = {name for t in runs for name in t.case.given}
    for name in sorted(given, key=lambda name: (name != hooks.optional_part, name)):  # most cases with it have more
        for value in (True, False, *_texts(name, runs)):
            option = Finding(f"only_with_{name}_{value}", f"{TRIED} only where `{name}` is {_as_written(value)}.")
            yield option, lambda t, name=name, value=value: _is(t.inputs.get(name), value)
        with_it = Finding(f"only_with_{name}", f"{TRIED} only where `{name}` is given.")
        yield with_it, lambda t, name=name: name in t.inputs
        without = Finding(f"only_without_{name}", f"{TRIED} only where `{name}` is not given.")
        yield without, lambda t, name=name: name not in t.inputs


def _texts(name, runs):
    """Return an input's words if it is a text."""
    return sorted({t.inputs[name] for t in runs if isinstance(t.inputs.get(name), str)})


def _is(given, value):
    return type(given) is type(value) and given == value


def _as_written(value):
    return f'"{value}"' if isinstance(value, str) else value


def is_plain(run: Run) -> bool:
    """Say whether a case has no batch: at most two axes."""
    return _axes(run) <= 2


def _axes(run):
    arrays = (x for x in run.case.given.values() if isinstance(x, np.ndarray))
    return max((x.ndim for x in arrays), default=0)
