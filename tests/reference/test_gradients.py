"""Gradients: right for every differentiable function, and finite where nothing may be looked at."""

from functools import partial

import numpy as np
import oracles
import pytest
import torch
from helpers import every_one
from torch.nn.functional import scaled_dot_product_attention as fused
from torch.testing import assert_close

import mha_ref
from autograder.cases import is_floating
from mha_ref import causal_attention, masked_attention, masked_softmax, multi_head_attention
from mha_ref.layer import MultiHeadAttention

from .inputs import CALLS, HEADS, MASKS, mask, memory, scores, several, weights, x

OF_NUMBERS = [(name, inputs) for name, *inputs in CALLS if not name.endswith(("_mask", "_masks", "_allowed"))]
DIFFERENTIABLE = [(name, inputs) for name, inputs in OF_NUMBERS if any(is_floating(x) for x in inputs)]


def in_torch(x):
    """NumPy to torch, numbers wanting gradients; all else as it is."""
    return torch.tensor(x, requires_grad=x.dtype == float) if isinstance(x, np.ndarray) else x


def test_gradients_are_slopes():
    """Backpropagation agrees with finite differences in float64, also where rows have nothing allowed."""
    for name, inputs in DIFFERENTIABLE:
        assert torch.autograd.gradcheck(getattr(mha_ref, name), [*map(in_torch, inputs)], fast_mode=True), name


@pytest.mark.parametrize("return_weights", [False, True])
def test_gradients_of_the_layer_are_slopes(return_weights):
    """For every parameter and input, with a query that sees nothing, fused or not."""
    torch.manual_seed(0)
    layer = MultiHeadAttention(6, 3).double()
    names, parameters = zip(*layer.named_parameters(), strict=True)
    allowed = torch.tensor([[False, False], [True, False], [True, True]])

    def run(x, memory, *parameters):
        inputs = x, memory, memory, allowed, return_weights
        return torch.func.functional_call(layer, dict(zip(names, parameters, strict=True)), inputs)

    inputs = (torch.randn(1, tokens, 6, dtype=torch.float64, requires_grad=True) for tokens in (3, 2))
    assert torch.autograd.gradcheck(run, (*inputs, *parameters))


@pytest.mark.parametrize("size", [1, 1e2, 1e15])
def test_gradients_are_finite(size):
    """Zero for queries that see nothing and keys that nobody sees, finite for the rest, however large the scores."""
    every_one(lambda allowed: are_finite(allowed, size), MASKS)


def are_finite(allowed, size):
    query, key, value = (in_torch(x * s) for x, s in zip(several, (size, size, 1), strict=True))
    gradients = torch.autograd.grad(masked_attention(query, key, value, in_torch(allowed)).sum(), (query, key, value))
    whole = oracles.whole(allowed, *query.shape[:-1], key.shape[-2])
    for gradient, axis in zip(gradients, (-1, -2, -2), strict=True):
        assert gradient.isfinite().all()
        assert not gradient.numpy()[~whole.any(axis=axis)].any()


def test_torch_agrees():
    """The fused function has the same gradients."""

    def agrees(allowed):
        results = []
        for attend in (masked_attention, fused):
            inputs = [in_torch(x) for x in several]
            out = attend(*inputs, allowed if allowed is None else torch.tensor(np.atleast_2d(allowed)))
            results.append(torch.autograd.grad((out**2).sum(), inputs))
        assert_close(*results)

    every_one(agrees, MASKS)


@pytest.mark.slow
def test_jax_agrees():
    """JAX differentiates to the same numbers, with rows that have nothing allowed."""
    jax = pytest.importorskip("jax", reason="jax is not installed")
    slopes = jax.grad(lambda s: (masked_softmax(s, jax.numpy.asarray(mask)) ** 2).sum())(jax.numpy.asarray(scores))
    leaf = in_torch(scores)
    (masked_softmax(leaf, torch.tensor(mask)) ** 2).sum().backward()
    np.testing.assert_allclose(slopes, leaf.grad, atol=1e-6)


def test_jax_compiles():
    """Attention of every kind runs under jit and gives the same."""
    jax = pytest.importorskip("jax", reason="jax is not installed")
    many = partial(multi_head_attention, heads=HEADS)
    inputs = x, memory, memory, *weights
    np.testing.assert_allclose(jax.jit(many)(*inputs, mask=mask[:, None]), many(*inputs, mask=mask[:, None]), atol=1e-5)
    np.testing.assert_allclose(jax.jit(causal_attention)(*several), causal_attention(*several), atol=1e-5)
