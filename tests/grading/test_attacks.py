"""Everything that we could think of, against the examiner: no undeserved point, no stolen one, no damage."""

from functools import cache

import pytest
from attacks import ATTACKS
from attacks.arena import fight

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("attacks")]
BATCHES = sorted({(attack.name.partition("__")[0], attack.lesson) for attack in ATTACKS.values()})


@cache
def result_of(family, lesson):
    """All attacks of a family on one lesson are graded as one class."""
    attacks = [a for a in ATTACKS.values() if a.lesson == lesson and a.name.startswith(f"{family}__")]
    return fight(attacks, feedback=family == "feedback_page")


@pytest.mark.parametrize("name", ATTACKS)
def test_it_earns_what_it_deserves(name):
    """What was attacked earns nothing, what was left alone keeps its points."""
    attack = ATTACKS[name]
    earned = result_of(name.partition("__")[0], attack.lesson).earned.get(name, {})
    deserved = {exercise: points for exercise, points in attack.deserves.items() if points is not None}
    assert {exercise: earned.get(exercise, 0) for exercise in deserved} == deserved


@pytest.mark.parametrize("family, lesson", BATCHES)
def test_nothing_is_damaged(family, lesson):
    """Files, marks, honest students and bystanders are as they were, nobody was called, and the class was graded."""
    result = result_of(family, lesson)
    assert not result.hung and result.damage == []


@pytest.mark.parametrize("family, lesson", BATCHES)
def test_nothing_is_told(family, lesson):
    """No secret stands in what a submission has put out."""
    assert result_of(family, lesson).leaked == {}


def test_nothing_runs_in_the_reader():
    """Feedback pages hold no script of a learner."""
    family, lesson = next(batch for batch in BATCHES if batch[0] == "feedback_page")
    assert result_of(family, lesson).markup == {}


def test_there_are_enough():
    """Nobody loses a family by accident."""
    assert len(ATTACKS) > 350 and sum(name.startswith("honest__") for name in ATTACKS) > 15
