"""Everything that we could think of, against the examiner: no undeserved point, no stolen one, no damage.

CI grades a class of a few attacks of each family; `make test-all` grades all of them, which takes an hour.
"""

from collections import defaultdict
from itertools import chain

import pytest
from attacks import ATTACKS
from attacks.arena import fight
from classroom import points_in
from helpers import ROOT, needs_sandbox

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("attacks")]
OF_EACH_FAMILY = 1
BATCHES = sorted({(attack.name.partition("__")[0], attack.lesson) for attack in ATTACKS.values()})


def some():
    """A few attacks of each family on one lesson, as one class."""
    families = defaultdict(list)
    for attack in ATTACKS.values():
        if attack.lesson == "lesson_01_softmax" and not attack.alone:
            families[attack.name.partition("__")[0]].append(attack)
    return list(chain.from_iterable(attacks[:OF_EACH_FAMILY] for attacks in families.values()))


@pytest.fixture(autouse=True)
def sandbox():
    needs_sandbox()


def not_as_deserved(attack, earned):
    """What it should have earned where it earned something else."""
    deserved = {exercise: points for exercise, points in attack.deserves.items() if points is not None}
    return {exercise: points for exercise, points in deserved.items() if earned.get(exercise, 0) != points}


def all_are_repelled(attacks, result):
    """What was attacked earns nothing, what was left alone keeps its points, and the class is graded.

    Files, marks, honest students and bystanders are as they were; nobody is called or told a secret; no script of a
    learner is in a feedback page.
    """
    wrong = {attack.name: not_as_deserved(attack, result.earned.get(attack.name, {})) for attack in attacks}
    assert {name: exercises for name, exercises in wrong.items() if exercises} == {}
    assert not result.hung and result.damage == [] and result.leaked == {} and result.markup == {}


def test_a_few_of_each_family():
    """As one class."""
    all_are_repelled(some(), fight(some(), feedback=True))


@pytest.mark.nightly
@pytest.mark.parametrize("family, lesson", BATCHES)
def test_all_of_a_family(family, lesson):
    """Those on one lesson, as one class."""
    attacks = [a for a in ATTACKS.values() if a.lesson == lesson and a.name.startswith(f"{family}__")]
    all_are_repelled(attacks, fight(attacks, feedback=family == "feedback_page"))


def test_there_are_enough():
    """Nobody loses a family by accident."""
    assert len(ATTACKS) > 350 and sum(name.startswith("honest__") for name in ATTACKS) > 15


def test_what_only_the_worker_sees_is_said():
    """Docs have what is worth something though it is undeserved, as it is in the attacks, and what it is worth."""
    said = (ROOT / "docs" / "grading.md").read_text()
    paid = [(a, name) for a in ATTACKS.values() if a.name.startswith("hidden_facts__") for name in a.cells]
    assert len(paid) > 8
    for attack, name in paid:
        (row,) = [line for line in said.splitlines() if "|" in line and f"`{name}`" in line and " of " in line]
        worth, all_points = attack.deserves[name], sum(points_in(attack.lesson).values())
        assert f"{worth} of {all_points}" in row or not worth
