"""Claims about where an answer goes wrong, and about what has an influence on it."""

import re

import numpy as np

from autograder.cases import EDGES
from autograder.course import installed
from autograder.judging.differences import is_plain
from autograder.judging.results import same

from .tried import axes, claim


@claim(r"Among the inputs we tried, it goes wrong (only [^.]*)\.")
def all_that_fail_share_it(tried, match):
    off = [t for t in tried.runs if not t.same_value] or tried.wrong
    tags = [tag for tag, words in (EDGES | installed().hooks.edges).items() if words == match[1]]
    named = re.search(r"where `(\w+)` is (not given|given|True|False|\"(\w+)\")", match[1])
    if tags:
        return all(t.case.tag in tags for t in off)
    if named:
        return all(_has(t, *named.groups()) for t in off)
    if match[1] == "only for a single row":
        return all(axes(t) == 1 for t in off)
    plain = {"only without a batch in front": True, "only with a batch in front": False}
    return match[1] not in plain or all(is_plain(t) == plain[match[1]] for t in off)


def _has(run, name, what, text):
    if "given" in what:
        return (name in run.inputs) == (what == "given")
    return run.inputs.get(name) == (text if text else what == "True")


@claim(r"stays the same whatever is in `(\w+)`")
def other_numbers_change_nothing(tried, match):
    return not tried.changes_with(match[1])


@claim(r"`(\w+)` (?:has no influence|changes nothing)|[Tt]he (\w+) (?:has|have) no influence on your (?:output|result)")
def an_input_has_no_influence(tried, match):
    name = {"keys": "key"}.get(match[2], match[1] or match[2])
    return not tried.changes_with(name) if name in tried.exercise.parameters else None


@claim(r"[Oo]nly the (first|last) (item of the batch|head|key) (?:is in|has an influence on) your (?:result|output)")
def all_else_has_no_influence(tried, match):
    """Of a batch, all items but this one may change."""
    if match[2] != "item of the batch":
        return None
    place, seen = (0 if match[1] == "first" else -1), []
    for t in (t for t in tried.runs if not t.case.tag and not is_plain(t)):
        names = [n for n, x in t.case.given.items() if isinstance(x, np.ndarray) and x.ndim > 2]
        others = {n: _others_changed(t.inputs[n], place) for n in names}
        seen.append(same(tried.ask(t.inputs | others), t.got, 1e-9))
    return all(seen)


def _others_changed(x, place):
    changed = x * 2 if x.dtype != bool else ~x
    changed[place] = x[place]
    return changed


@claim(r"At index \[([\d, ]*)\] your result holds (\S+); it should hold (\S+)\.")
def these_numbers_are_there(tried, match):
    place, example = tuple(map(int, match[1].split(", "))), tried.verdict.example
    shown = [x[place] for x in np.broadcast_arrays(example.got, example.expected)]
    said = [float({"True": 1, "False": 0}.get(text, text)) for text in match.groups()[1:]]
    return np.allclose(shown, said, rtol=1e-5, equal_nan=True)
