"""An exercise may ask for several results: each is judged, and a card says which of them is wrong."""

from copy import copy

import pytest
import torch

from autograder import EXERCISES, judge
from autograder.grading.port.remote import Remote
from autograder.grading.sandbox.sources import Spawner
from autograder.judging.answer import tried
from autograder.judging.in_torch import cut_gradients
from autograder.learner.card import verdict_card
from mha_ref import attention_backward

THREE = "attention_backward"


def transposes_the_last(query, key, value, grad_output, mask=None):
    first, second, third = attention_backward(query, key, value, grad_output, mask)
    return first, second, third.mT


def halves_the_second(*inputs, mask=None):
    first, second, third = attention_backward(*inputs, mask)
    return first, second / 2, third


def adds_noise(*inputs, mask=None):
    first, second, third = attention_backward(*inputs, mask)
    return first, second, third + torch.rand(())


def takes_no_value(query, key, value, grad_output, mask=None):
    fixed = torch.arange(value.numel(), dtype=value.dtype).reshape(value.shape).cos()
    return attention_backward(query, key, fixed, grad_output, mask)


def gives_four(*inputs, mask=None):
    return *attention_backward(*inputs, mask), inputs[0]


def in_single_precision(*inputs, mask=None):
    return [result.float() for result in attention_backward(*inputs, mask)]


WRONG = [
    (transposes_the_last, "shape", "third of your 3 results"),
    (halves_the_second, "property", "second of your 3 results. Each of your numbers is 0.5 times"),
    (adds_noise, "property", "two different results"),
    (takes_no_value, "property", "whatever is in `value`"),
    (gives_four, "type", "3 arrays are wanted"),
]


@pytest.mark.parametrize(("answer", "reason", "said"), WRONG, ids=lambda x: getattr(x, "__name__", None))
def test_a_card_says_which_is_wrong(answer, reason, said):
    """And how, as of one result."""
    verdict = judge(answer, THREE)
    assert verdict.reason == reason and said in verdict.message, verdict.message


def test_a_card_names_the_axes_of_the_result_that_is_shown():
    """The third has those that the docstring of the reference gives third."""
    assert "keys × value_features" in judge(transposes_the_last, THREE).message
    assert verdict_card(judge(transposes_the_last, THREE), EXERCISES[THREE])


def test_results_may_be_in_single_precision_and_in_a_list():
    """As one result may be."""
    assert judge(in_single_precision, THREE).right


def test_gradients_of_all_results_are_asked_for():
    """One that is cut off from its input is found, though the others are not."""

    def cuts_the_last(*inputs, mask=None):
        first, second, third = attention_backward(*inputs, mask)
        return first, second, third.detach()

    exercise = copy(EXERCISES[THREE])
    exercise.gradients = True
    for answer, cut in ((attention_backward, False), (cuts_the_last, True)):
        assert bool(cut_gradients(tried(answer, exercise, None, "torch"))) == cut


@pytest.mark.slow
def test_gradients_reach_an_input_that_is_handed_back():
    """In the sandbox, too."""
    with Spawner().worker() as worker:
        remote = Remote(worker, 60)
        remote.ask("begin", taught=[])
        remote.ask("run", seconds=60, code="def twice_and_once(x):\n    return 2 * x, x")
        x = torch.ones(2, requires_grad=True)
        answer = remote.ask("get", name="twice_and_once").value
        (gradient,) = answer.gradients([x], [x], {})  # of a mix of both: -1 of the first numbers, 2 of the others
        assert gradient.tolist() == [-3, 6] and not remote.fault
