"""The layer and the functions against torch.nn.MultiheadAttention, weights copied over."""

import pytest
import torch
from torch.testing import assert_close

from mha_ref import (
    causal_mask,
    cross_attention,
    masked_weights,
    multi_head_attention,
    padding_mask,
    project,
    split_heads,
)
from mha_ref.layer import MultiHeadAttention

BATCH, HEADS, QUERIES, KEYS, MODEL_SIZE = 2, 3, 4, 5, 18


def draw(*shape):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(sum(shape)))


x, (memory, other) = draw(BATCH, QUERIES, MODEL_SIZE), draw(2, BATCH, KEYS, MODEL_SIZE)
padding = padding_mask(torch.tensor([3, KEYS]), KEYS)
per_head = draw(BATCH, HEADS, QUERIES, KEYS) < 0.5
per_head[..., 0] = True  # torch's layer gives NaN where nothing is allowed

# our mask, and the same in torch's words: there True means blocked
MASKS = {
    "none": (None, {}),
    "causal": (causal_mask(QUERIES, KEYS, like=x), {"attn_mask": ~causal_mask(QUERIES, KEYS, like=x)}),
    "padding": (padding, {"key_padding_mask": ~padding[:, 0, 0]}),
    "per_head": (per_head, {"attn_mask": ~per_head.flatten(0, 1)}),
    "both": (per_head & padding, {"attn_mask": ~per_head.flatten(0, 1), "key_padding_mask": ~padding[:, 0, 0]}),
}
TOLERANCES = {"float64": 1e-12, "float32": 1e-5, "float16": 1e-2, "bfloat16": 1e-1}
every_mask = pytest.mark.parametrize("mask, blocked", MASKS.values(), ids=MASKS)


def torchs(bias=True):
    """Torch's own layer; it draws its biases as zero, which would hide them."""
    theirs = torch.nn.MultiheadAttention(MODEL_SIZE, HEADS, bias=bias, batch_first=True, dtype=torch.float64)
    generator = torch.Generator().manual_seed(0)
    for parameter in theirs.parameters():
        torch.nn.init.normal_(parameter, std=MODEL_SIZE**-0.5, generator=generator)
    return theirs


def ours(theirs):
    """Our layer with the weights of theirs: query, key and value lie in one block there."""
    layer = MultiHeadAttention(MODEL_SIZE, HEADS, bias=theirs.in_proj_bias is not None).double()
    for kind in ("weight", "bias"):
        block = getattr(theirs, f"in_proj_{kind}")
        if block is not None:
            parts = *block.chunk(3), getattr(theirs.out_proj, kind)
            names = [f"{name}.{kind}" for name in ("query", "key", "value", "output")]
            layer.load_state_dict(dict(zip(names, parts, strict=True)), strict=False)
    return layer


def matrices(theirs):
    """Their weights as the functions take them, multiplied from the right: transposed."""
    return [w.detach().T for w in (*theirs.in_proj_weight.chunk(3), theirs.out_proj.weight)]


@every_mask
@pytest.mark.parametrize("bias", [True, False])
def test_the_layer_is_torchs(mask, blocked, bias):
    """Output, input gradients and all parameter gradients are those of torch's layer."""
    theirs = torchs(bias)
    layer = ours(theirs)
    results = []
    for attend in (lambda *i: layer(*i, mask=mask), lambda *i: theirs(*i, **blocked, need_weights=False)[0]):
        inputs = [i.clone().requires_grad_() for i in (x, memory, other)]
        out = attend(*inputs)
        (out * draw(*out.shape)).sum().backward()
        results.append([out, *(i.grad for i in inputs)])
    assert_close(*results)
    for kind in ("weight", "bias")[: 1 + bias]:
        parts = [getattr(getattr(layer, name), kind).grad for name in ("query", "key", "value")]
        assert_close(torch.cat(parts), getattr(theirs, f"in_proj_{kind}").grad)
        assert_close(getattr(layer.output, kind).grad, getattr(theirs.out_proj, kind).grad)


@every_mask
def test_the_functions_are_torchs(mask, blocked):
    """Multi-head and cross-attention give the output of torch's layer without biases."""
    theirs = torchs(bias=False)
    every = matrices(theirs)
    assert_close(multi_head_attention(x, memory, other, *every, HEADS, mask), theirs(x, memory, other, **blocked)[0])
    assert_close(cross_attention(x, memory, *every, HEADS, mask), theirs(x, memory, memory, **blocked)[0])


@every_mask
def test_the_weights_are_torchs(mask, blocked):
    """Every head's weights, which torch's layer returns when asked not to average them."""
    theirs = torchs(bias=False)
    query, key, _ = (split_heads(view, HEADS) for view in project(x, memory, memory, *matrices(theirs)[:3]))
    weights = theirs(x, memory, memory, **blocked, average_attn_weights=False)[1]
    assert_close(masked_weights(query, key, mask), weights)


def test_self_attention_needs_one_input():
    """Keys are the queries if not given, values the keys; torch's layer agrees, with a causal mask."""
    theirs = torchs()
    layer, mask = ours(theirs), causal_mask(QUERIES, QUERIES, like=x)
    assert_close(layer(x, mask=mask), theirs(x, x, x, attn_mask=~mask)[0])
    assert_close(layer(x, mask=mask), layer(x, x, x, mask))
    assert_close(layer(x, memory), layer(x, memory, memory))


def test_queries_that_see_nothing_get_the_output_bias():
    """Attention gives them zeros, the output layer adds its bias, and all gradients are finite."""
    layer = ours(torchs())
    mask = torch.ones(QUERIES, QUERIES, dtype=torch.bool).tril(-1)  # the first query sees nothing
    out = layer(x, mask=mask)
    assert_close(out[:, 0], layer.output.bias.expand(BATCH, -1))
    out.sum().backward()
    assert all(p.grad.isfinite().all() for p in layer.parameters())


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("dtype, tolerance", TOLERANCES.items())
@every_mask
def test_the_layer_moves(device, dtype, tolerance, mask, blocked):
    """On any device, in any precision: to the tolerance what it is on the CPU in float64."""
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    layer, where = ours(torchs()), {"device": device, "dtype": getattr(torch, dtype)}
    expected = layer(x, memory, other, mask)
    out = layer.to(**where)(*(i.to(**where) for i in (x, memory, other)), mask if mask is None else mask.to(device))
    assert (out.device.type, out.dtype) == (device, where["dtype"])
    assert_close(out.to("cpu", torch.float64), expected, rtol=0, atol=tolerance)
