"""For any two versions of an exercise, right or wrong, some case tells them apart, or a table says why none can."""

import tomllib
from dataclasses import dataclass

import pytest
from helpers import FUNCTIONS, MOST_FIRST, ROOT
from separation import parting, together

from autograder import EXERCISES
from autograder.judging.running import quiet

SAMPLE = 8  # of so many groups that stay together, one is searched
TRIES = 100
TABLE = tomllib.loads((ROOT / "tests" / "equivalent_versions.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Alike:
    """In these exercises, versions of these names may be the same function."""

    why: str
    names: list
    exercises: list

    def is_about(self, label):
        return label in self.names or label.partition("(")[0] in self.names


def meant_by(name):
    """Return the exercises of a group, or the misconceptions of a step, or what is named itself."""
    if name in TABLE["groups"]:
        return all_meant_by(TABLE["groups"][name])
    if name.startswith("all of "):  # the decoder layer is made of most
        return [m.name for m in EXERCISES["DecoderLayer"].mistakes if m.step == name.removeprefix("all of ")]
    return [name]


def all_meant_by(names):
    return [one for name in names for one in meant_by(name)]


EQUIVALENT = [Alike(e["why"], all_meant_by(e["names"]), all_meant_by(e["in"])) for e in TABLE["alike"]]
ALIKE = [name for name in FUNCTIONS if any(name in entry.exercises for entry in EQUIVALENT)]


def entries_for(name):
    return [entry for entry in EQUIVALENT if name in entry.exercises]


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_FIRST)
def test_every_pair_is_told_apart_or_known_to_be_equivalent(name):
    """What stays together on all cases is connected by entries of the table, which hold nothing that cases tell apart.

    Every name of an entry has company of the same entry, in every exercise that the entry is about.
    """
    groups, entries = together(EXERCISES[name]), entries_for(name)
    unexplained = [sorted(connected(group, entries), key=len) for group in groups]
    alike = [f"{_named(others)} from {known[0]}" for *others, known in unexplained if others]
    advice = f"add a case to {EXERCISES[name].lesson}/cases.py, or a reason to tests/equivalent_versions.toml"
    assert not alike, f"no case of {name} tells {'; '.join(alike)}: {advice}"
    assert [(n, entry.why) for entry in entries for n in entry.names if is_alone(n, entry, groups)] == []


def connected(group, entries):
    """The group in parts, where an entry joins all that it is about."""
    parts = [[label] for label in group]
    for entry in entries:
        joined = [part for part in parts if any(map(entry.is_about, part))]
        rest = [part for part in parts if part not in joined]
        parts = [*rest, [label for part in joined for label in part]] if joined else parts
    return parts


def _named(parts):
    return " and ".join(label for part in parts for label in part)


def is_alone(name, entry, groups):
    about = [[label for label in group if entry.is_about(label)] for group in groups]
    return not any(len(labels) > 1 and any(_means(name, label) for label in labels) for labels in about)


def _means(name, label):
    return name in (label, label.partition("(")[0])


@pytest.mark.nightly
@pytest.mark.parametrize("name", ALIKE)
def test_no_input_tells_equivalent_versions_apart(name):
    """A search through inputs that the contract allows finds nothing, for a sample of what stays together."""
    with quiet():
        for group in together(EXERCISES[name])[::SAMPLE]:
            assert parting(group, EXERCISES[name], TRIES) is None, group
