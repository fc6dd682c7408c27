"""An answer that goes to a GPU has its points where there is none, if the rest of it is right."""

import pytest
import torch

from autograder.catalogue import lacking
from autograder.grading.examiner import Examination, error_in
from autograder.grading.sandbox.sources import source_of_workers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("examination"),
    pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU"),
]
LESSON = "lesson_04_single_head"
HEAD = """
import torch
from mha_ref import masked_attention

def attention_head(x, w_query, w_key, w_value, mask=None):
    {}
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, mask)

model = torch.nn.Linear(1, 1).cuda().to("cuda")
"""
MOVES = [
    "x = x.cuda()",
    "x = x.cuda(0, non_blocking=True)",
    "x = x.to('cuda')",
    "x = x.to(torch.device('cuda:0'), x.dtype, non_blocking=True)",
    "x = x.to(device='cuda')",
    "torch.set_default_device('cuda'); x = x + torch.zeros(1)",
]


@pytest.fixture(scope="module")
def trial():
    with Examination(source_of_workers(True, lacking(LESSON)), LESSON, 1, 30, 30) as trial:
        yield trial


@pytest.mark.parametrize("move", MOVES)
def test_a_move_costs_nothing(trial, move):
    """Nor does it stop the cell."""
    assert error_in(trial.run(HEAD.format(move))) is None
    assert trial.check("attention_head")[0].metadata["verdict"]["score"] == 1


def test_a_mistake_is_a_mistake(trial):
    """A right move does not make the rest right."""
    trial.run(HEAD.format("x = 2 * x.cuda()"))
    assert trial.check("attention_head")[0].metadata["verdict"]["score"] == 0
