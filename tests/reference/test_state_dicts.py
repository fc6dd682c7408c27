"""Weights of torch's layer and of GPT-2's attention, under our names: the same numbers, the same outputs, copies."""

import numpy as np
import oracles
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch import nn

from mha_ref import causal_mask, from_gpt2, from_torch
from mha_ref.layer import MultiHeadAttention

SIZE, HEADS = 12, 3


def state_of_torch(bias=True):
    torch.manual_seed(0)
    layer = nn.MultiheadAttention(SIZE, HEADS, bias=bias, batch_first=True)
    for name, parameter in layer.named_parameters():
        if "bias" in name:
            nn.init.normal_(parameter)
    return layer, layer.state_dict()


def state_of_gpt2():
    torch.manual_seed(0)
    shapes = {"c_attn.weight": (SIZE, 3 * SIZE), "c_attn.bias": (3 * SIZE,)}
    shapes |= {"c_proj.weight": (SIZE, SIZE), "c_proj.bias": (SIZE,)}
    return {name: torch.randn(shape) for name, shape in shapes.items()}


STATES = {
    "torch": (from_torch, oracles.from_torch, state_of_torch()[1]),
    "torch_without_biases": (from_torch, oracles.from_torch, state_of_torch(bias=False)[1]),
    "gpt2": (from_gpt2, oracles.from_gpt2, state_of_gpt2()),
}
every_state = pytest.mark.parametrize(("function", "definition", "state"), STATES.values(), ids=STATES)


@every_state
@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_it_is_the_definition(function, definition, state, library):
    """Number by number, in either library."""
    given = {name: x if library == "torch" else x.numpy() for name, x in state.items()}
    expected = definition({name: x.numpy() for name, x in state.items()})
    found = function(given)
    assert found.keys() == expected.keys()
    for name, x in found.items():
        assert type(x) is type(next(iter(given.values()))) and x.dtype == next(iter(given.values())).dtype
        assert_array_equal(np.asarray(x), expected[name])


@every_state
def test_the_entries_are_copies(function, definition, state):
    """Whoever changes them changes nothing else."""
    before = {name: x.clone() for name, x in state.items()}
    for x in function(state).values():
        x += 1
    assert all(torch.equal(state[name], before[name]) for name in state)


@pytest.mark.parametrize("bias", [True, False])
def test_torchs_layer_gives_the_same(bias):
    theirs, state = state_of_torch(bias)
    ours = MultiHeadAttention(SIZE, HEADS, bias=bias)
    ours.load_state_dict(from_torch(state))
    x, memory = torch.randn(2, 4, SIZE), torch.randn(2, 5, SIZE)
    with torch.no_grad():
        assert_allclose(ours(x, memory), theirs(x, memory, memory)[0], atol=1e-6)


def test_gpt2_gives_the_same():
    """Its attention, written out: products from the left, a causal mask, and the heads side by side."""
    state, x = state_of_gpt2(), torch.randn(2, 5, SIZE)
    ours = MultiHeadAttention(SIZE, HEADS)
    ours.load_state_dict(from_gpt2(state))
    query, key, value = (x @ state["c_attn.weight"] + state["c_attn.bias"]).chunk(3, dim=-1)
    heads = (y.unflatten(-1, (HEADS, -1)).transpose(1, 2) for y in (query, key, value))
    mixed = nn.functional.scaled_dot_product_attention(*heads, is_causal=True).transpose(1, 2).flatten(2)
    with torch.no_grad():
        out = ours(x, mask=causal_mask(5, 5, like=x))
    assert_allclose(out, mixed @ state["c_proj.weight"] + state["c_proj.bias"], atol=1e-5)


def test_gpt2_of_transformers_gives_the_same():
    """The library itself, where it is installed."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.GPT2Config(n_embd=SIZE, n_head=HEADS, n_layer=1, n_positions=8, vocab_size=9)
    theirs = transformers.GPT2Model(config).eval().h[0].attn
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.normal_(std=0.2)
    ours = MultiHeadAttention(SIZE, HEADS)
    ours.load_state_dict(from_gpt2(theirs.state_dict()))
    x, allowed = torch.randn(2, 5, SIZE), causal_mask(5, 5, like=torch.ones(1))
    added = torch.zeros(5, 5).masked_fill(~allowed, -1e9)[None, None]
    with torch.no_grad():
        assert_allclose(ours(x, mask=allowed), theirs(x, attention_mask=added)[0], atol=1e-5)
