"""Answers by people who saw the stubs alone are judged as they deserve: see tests/from_stubs/README.md."""

import importlib.util

import pytest
from helpers import ROOT

from autograder import judge

NAN_GRADIENTS = {"round_2/multi_head_by_loop__5", "round_3/multi_head_by_loop__2"}  # right, with a remark


def answers(kind):
    """All answers of this kind: round and name -> answer."""
    found = {}
    for file in sorted((ROOT / "tests" / "from_stubs").glob(f"*/{kind}_*.py")):
        spec = importlib.util.spec_from_file_location(f"{file.parent.name}_{file.stem}", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        names = module.TRUTH if kind == "wrong" else module.WHY
        found |= {f"{file.parent.name}/{name}": getattr(module, name) for name in names}
    return found


def exercise_of(answer):
    return answer.partition("/")[2].partition("__")[0]


WRONG, RIGHT = answers("wrong"), answers("right")


@pytest.mark.parametrize("answer", [answer for answer in WRONG if answer not in NAN_GRADIENTS])
def test_a_wrong_answer_is_rejected_with_a_reason(answer):
    """And the reason is more than that values differ."""
    verdict = judge(WRONG[answer], exercise_of(answer))
    assert not verdict.right
    assert verdict.reason != "values", verdict.message


@pytest.mark.parametrize("answer", sorted(NAN_GRADIENTS))
def test_gradients_that_are_not_numbers_are_remarked_on(answer):
    """Where a query may look at nothing, values count; the gradients there get a sentence, and cost nothing."""
    verdict = judge(WRONG[answer], exercise_of(answer))
    assert verdict.right and verdict.property == "finite_gradients"


@pytest.mark.parametrize("answer", RIGHT)
@pytest.mark.parametrize("seed", [None, 1])
def test_a_right_answer_is_right(answer, seed):
    """However it is written."""
    verdict = judge(RIGHT[answer], exercise_of(answer), seed=seed)
    assert verdict.right, verdict.message
