"""Costs against what is really there: arrays made and counted, multiplications counted, torch's own count."""

import oracles
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

import mha_ref
from mha_ref import (
    attention_flops,
    crossover_length,
    mixing_flops,
    parameter_count,
    projection_flops,
    score_bytes,
)
from mha_ref.layer import MultiHeadAttention

from .inputs import COSTS


@pytest.mark.parametrize("name, sizes", [(name, sizes) for name, *sizes in COSTS])
def test_it_counts_what_is_there(name, sizes):
    """A whole number, the one that slow counting gives."""
    cost = getattr(mha_ref, name)(*sizes)
    assert (type(cost), cost) == (int, getattr(oracles, name)(*sizes))


@given(st.integers(1, 8), st.integers(1, 8), st.booleans())
def test_layers_have_so_many_parameters(heads, head_size, bias):
    """Ours and torch's."""
    count, model_size = parameter_count(heads * head_size, heads, bias), heads * head_size
    theirs = torch.nn.MultiheadAttention(model_size, heads, bias=bias)
    for layer in (MultiHeadAttention(model_size, heads, bias), theirs):
        assert sum(p.numel() for p in layer.parameters()) == count


@pytest.mark.parametrize("heads", [1, 4, 16])
def test_torch_counts_the_same_flops(heads):
    """Its counter, which does not see into the fused function on CPUs, agrees whatever the number of heads."""
    layer, x = MultiHeadAttention(16, heads), torch.randn(1, 10, 16)
    with FlopCounterMode(display=False) as counter:
        layer(x, return_weights=True)
    assert counter.get_total_flops() == attention_flops(10, 16)


@given(st.integers(1, 5000))
def test_they_cross_at_twice_the_model_size(model_size):
    """There both cost the same; one token less, and projections cost more."""
    tokens = crossover_length(model_size)
    assert mixing_flops(tokens, model_size) == projection_flops(tokens, model_size)
    assert mixing_flops(tokens - 1, model_size) < projection_flops(tokens - 1, model_size)


def test_figures_of_the_course():
    """The numbers that lessons and questions quote."""
    assert parameter_count(512, 8, bias=False) == 4 * 512**2 == 1_048_576
    assert parameter_count(512, 8) == 1_050_624
    assert round(attention_flops(2048, 4096) / 1e9, 1) == 343.6
    assert round(projection_flops(2048, 4096) / 1e9, 1) == 274.9
    assert round(mixing_flops(2048, 4096) / 1e9, 1) == 68.7
    assert crossover_length(4096) == 8192
    assert 32 * 8 == 256 and round(score_bytes(32, 8, 128) / 1e6, 1) == 16.8
