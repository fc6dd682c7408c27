"""Everything that we could think of, against the examiner: no undeserved point, no stolen one, no damage.

CI grades a class of a few attacks of each family; `make test-all` grades all of them, which takes an hour.
"""

from collections import defaultdict
from functools import cache
from itertools import chain

import pytest
from attacks import ATTACKS
from attacks.arena import fight

from autograder.grading.sandbox.selection import why_no_sandbox

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
    trouble = why_no_sandbox()
    if trouble:
        pytest.skip(f"there is no sandbox here: {trouble}")


@cache
def result_of(family, lesson):
    """All attacks of a family on one lesson are graded as one class."""
    attacks = [a for a in ATTACKS.values() if a.lesson == lesson and a.name.startswith(f"{family}__")]
    return fight(attacks, feedback=family == "feedback_page")


def undeserved(attack, earned):
    """What it should have earned where it earned something else."""
    deserved = {exercise: points for exercise, points in attack.deserves.items() if points is not None}
    return {exercise: points for exercise, points in deserved.items() if earned.get(exercise, 0) != points}


def test_a_few_of_each_family():
    """Nobody earns what they do not deserve, or does damage, is told a secret, or writes into feedback pages."""
    result = fight(some(), feedback=True)
    wrong = {attack.name: undeserved(attack, result.earned.get(attack.name, {})) for attack in some()}
    assert {name: exercises for name, exercises in wrong.items() if exercises} == {}
    assert not result.hung and result.damage == [] and result.leaked == {} and result.markup == {}


@pytest.mark.thorough
@pytest.mark.parametrize("name", ATTACKS)
def test_it_earns_what_it_deserves(name):
    """What was attacked earns nothing, what was left alone keeps its points."""
    attack = ATTACKS[name]
    earned = result_of(name.partition("__")[0], attack.lesson).earned.get(name, {})
    assert undeserved(attack, earned) == {}


@pytest.mark.thorough
@pytest.mark.parametrize("family, lesson", BATCHES)
def test_nothing_is_damaged(family, lesson):
    """Files, marks, honest students and bystanders are as they were, nobody was called, and the class was graded."""
    result = result_of(family, lesson)
    assert not result.hung and result.damage == []


@pytest.mark.thorough
@pytest.mark.parametrize("family, lesson", BATCHES)
def test_nothing_is_told(family, lesson):
    """No secret stands in what a submission has put out."""
    assert result_of(family, lesson).leaked == {}


@pytest.mark.thorough
def test_nothing_runs_in_the_reader():
    """Feedback pages hold no script of a learner."""
    family, lesson = next(batch for batch in BATCHES if batch[0] == "feedback_page")
    assert result_of(family, lesson).markup == {}


def test_there_are_enough():
    """Nobody loses a family by accident."""
    assert len(ATTACKS) > 350 and sum(name.startswith("honest__") for name in ATTACKS) > 15
