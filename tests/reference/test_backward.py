"""The way back by hand: what autograd says, and torch's own backward of softmax, also where softmax saturates."""

import numpy as np
import pytest
import torch
from helpers import every_one
from numpy.testing import assert_allclose
from torch.testing import assert_close

from mha_ref import attention_backward, masked_attention, softmax, softmax_backward

from .inputs import MASKS, heads_arriving, several

SIZES = [1, 10, 1e3]


def leaves(size=1):
    """Queries, keys and values that want gradients; a larger size means scores that lie farther apart."""
    return [torch.tensor(x * s, requires_grad=True) for x, s in zip(several, (size, 1, 1), strict=True)]


@pytest.mark.parametrize("size", SIZES)
def test_attention_backward_is_what_autograd_says(size):
    """For every mask, with queries that see nothing, and from even weights to weights of 0 and 1."""
    every_one(lambda allowed: is_what_autograd_says(allowed, size), MASKS)


def is_what_autograd_says(allowed, size):
    inputs, mask = leaves(size), None if allowed is None else torch.tensor(allowed)
    arrives = torch.tensor(heads_arriving)
    expected = torch.autograd.grad(masked_attention(*inputs, mask), inputs, arrives)
    with torch.no_grad():
        assert_close(attention_backward(*inputs, arrives, mask), expected)


@pytest.mark.parametrize("size", SIZES)
def test_softmax_backward_is_torchs_own(size):
    """Also where one key has all the weight."""
    rng = np.random.default_rng(0)
    weights, arrives = softmax(torch.tensor(size * rng.normal(size=(20, 7)))), torch.tensor(rng.normal(size=(20, 7)))
    assert_close(softmax_backward(weights, arrives), torch._softmax_backward_data(arrives, weights, -1, weights.dtype))


def test_a_vector_added_to_all_keys_changes_nothing():
    """So the gradients of the keys sum to zero, and a bias of the keys never learns."""
    for allowed in MASKS.values():
        _, grad_key, _ = attention_backward(*several, heads_arriving, allowed)
        assert_allclose(grad_key.sum(axis=-2), 0, atol=1e-12)
