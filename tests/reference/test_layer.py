"""Layers and functions against those of torch and Keras, weights copied over; dropout by what must hold."""

import pytest
import torch
from helpers import every_one
from torch.testing import assert_close
from twin_device import GPU

from autograder.shapes import axis_words, words_of_result
from mha_ref import (
    attention_head,
    causal_mask,
    cross_attention,
    encoder_decoder_masks,
    masked_weights,
    multi_head_attention,
    padding_mask,
    project,
    split_heads,
)
from mha_ref.exchange import load_keras, load_torch, to_torch
from mha_ref.layer import AttentionHead, DecoderLayer, MultiHeadAttention, fused_attention

from .test_package import read

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
    return drawn(torch.nn.MultiheadAttention(MODEL_SIZE, HEADS, bias=bias, batch_first=True))


def drawn(layer):
    """The layer in float64, all of its parameters drawn anew."""
    generator = torch.Generator().manual_seed(0)
    for parameter in layer.double().parameters():
        torch.nn.init.normal_(parameter, std=MODEL_SIZE**-0.5, generator=generator)
    return layer


def ours(theirs, dropout=0.0):
    """Our layer with the weights of theirs."""
    layer = MultiHeadAttention(MODEL_SIZE, HEADS, theirs.in_proj_bias is not None, dropout).double()
    load_torch(layer, theirs.state_dict())
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
    """Every head's weights, which torch's layer returns when asked not to average them; the output stays the same."""
    theirs = torchs(bias=False)
    query, key, _ = (split_heads(view, HEADS) for view in project(x, memory, memory, *matrices(theirs)[:3]))
    weights = theirs(x, memory, memory, **blocked, average_attn_weights=False)[1]
    assert_close(masked_weights(query, key, mask), weights)
    layer = ours(theirs)
    assert_close(layer(x, memory, mask=mask, return_weights=True), (layer(x, memory, mask=mask), weights))


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
    out, weights = layer(x, mask=mask, return_weights=True)
    assert not weights[:, :, 0].any()
    for result in (out, layer(x, mask=mask)):
        assert_close(result[:, 0], layer.output.bias.expand(BATCH, -1))
        result.sum().backward()
        assert all(p.grad.isfinite().all() for p in layer.parameters())


every_place = pytest.mark.parametrize("device", ["cpu", pytest.param(GPU, marks=pytest.mark.gpu)])


NOTHING_ALLOWED = {
    "the_first_query": causal_mask(64, 64, like=x).tril(-1),
    "an_empty_item": padding_mask(torch.tensor([0, 40]), 64),
    "one_head": (torch.arange(HEADS) > 0)[:, None, None] & (draw(BATCH, HEADS, 64, 64) < 0.5),
    "any_key": torch.zeros(64, dtype=torch.bool),
    "any": torch.zeros(1, 1, dtype=torch.bool),
}


@every_place
@pytest.mark.parametrize("dtype", TOLERANCES)
def test_whichever_kernel_torch_takes(dtype, device):
    """Zeros where nothing is allowed, and gradients that are finite, for sizes that fast kernels like."""
    every_one(lambda mask: zeros_and_finite_gradients(mask, dtype, device), NOTHING_ALLOWED)


def zeros_and_finite_gradients(mask, dtype, device):
    where = {"device": device, "dtype": getattr(torch, dtype)}
    inputs = [draw(BATCH, HEADS, 64, 16 + i).to(**where).requires_grad_() for i in (0, 0, 8)]
    out = fused_attention(*inputs, mask.to(device))
    dead = ~mask.any(dim=-1).expand(out.shape[:-1])
    assert not out[dead].any() and out[~dead].any(dim=-1).all()
    for gradient in torch.autograd.grad((out**2).sum(), inputs):
        assert gradient.isfinite().all()


@every_place
@pytest.mark.parametrize("dtype, tolerance", TOLERANCES.items())
def test_the_layer_moves(device, dtype, tolerance):
    """On any device, in any precision: to the tolerance what it is on the CPU in float64."""
    layer, where = ours(torchs()), {"device": device, "dtype": getattr(torch, dtype)}
    masks = [mask for mask, _ in MASKS.values()]
    expected = [layer(x, memory, other, mask) for mask in masks]
    moved, inputs = layer.to(**where), [i.to(**where) for i in (x, memory, other)]
    out = [moved(*inputs, mask if mask is None else mask.to(device)) for mask in masks]
    assert {(one.device.type, one.dtype) for one in out} == {(device, where["dtype"])}
    assert_close([one.to("cpu", torch.float64) for one in out], expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("bias", [True, False])
def test_weights_go_to_torch(bias):
    """Torch's layer, given ours, has our output, and the state dict that it gave comes back."""
    theirs, other = torchs(bias), torch.nn.MultiheadAttention(MODEL_SIZE, HEADS, bias=bias, batch_first=True).double()
    layer = ours(theirs)
    other.load_state_dict(to_torch(layer))
    assert_close(other(x, memory, memory)[0], layer(x, memory))
    assert_close(to_torch(layer), dict(theirs.state_dict()), rtol=0, atol=0)


def test_weights_of_torch_must_fit():
    """A layer with biases takes no weights without them, nor the other way round."""
    for bias in (True, False):
        with pytest.raises(RuntimeError, match=r"query\.bias"):
            load_torch(MultiHeadAttention(MODEL_SIZE, HEADS, bias=not bias), torchs(bias).state_dict())


def keras_weights(bias, heads=HEADS):
    """In the order of `get_weights()` of keras.layers.MultiHeadAttention(heads, head_size), Keras 3."""
    head = heads, MODEL_SIZE // heads
    shapes = [(MODEL_SIZE, *head), head] * 3 + [(*head, MODEL_SIZE), (MODEL_SIZE,)]
    return [draw(*shape).numpy() / 4 for shape in shapes[:: 1 if bias else 2]]


@pytest.mark.parametrize("theirs", [keras_weights(True, heads=2), keras_weights(False)])
def test_weights_of_keras_must_fit(theirs):
    """Weights of other heads have as many numbers, and would fit silently."""
    with pytest.raises(ValueError, match=r"weights of shapes .* are not .*\(18, 3, 6\)"):
        load_keras(MultiHeadAttention(MODEL_SIZE, HEADS), theirs)


def test_one_head_is_a_layer_too():
    """Torch's layer with a single head, and with an output projection that changes nothing; and our function."""
    theirs = drawn(torch.nn.MultiheadAttention(MODEL_SIZE, 1, bias=False, batch_first=True))
    head, mask = AttentionHead(MODEL_SIZE, MODEL_SIZE).double(), causal_mask(QUERIES, QUERIES, like=x)
    names = [f"{name}.weight" for name in ("query", "key", "value")]
    head.load_state_dict(dict(zip(names, theirs.in_proj_weight.chunk(3), strict=True)))
    torch.nn.init.eye_(theirs.out_proj.weight)
    assert_close(head(x, mask), theirs(x, x, x, attn_mask=~mask)[0])
    narrow = AttentionHead(MODEL_SIZE, 5).double()
    assert_close(narrow(x, mask), attention_head(x, *(w.T for w in narrow.parameters()), mask))


def pair_of_decoder_layers():
    """Ours and torch's, with the same weights."""
    theirs = drawn(
        torch.nn.TransformerDecoderLayer(MODEL_SIZE, HEADS, 7, dropout=0.0, batch_first=True, norm_first=True)
    )
    layer = DecoderLayer(MODEL_SIZE, HEADS, 7).double()
    load_torch(layer.self_attention, theirs.self_attn.state_dict())
    load_torch(layer.cross_attention, theirs.multihead_attn.state_dict())
    ours = *layer.norms, layer.feed_forward[0], layer.feed_forward[-1]
    for mine, other in zip(ours, (theirs.norm1, theirs.norm2, theirs.norm3, theirs.linear1, theirs.linear2)):
        mine.load_state_dict(other.state_dict())
    return layer, theirs


source_lengths, target_lengths = torch.tensor([3, KEYS]), torch.tensor([QUERIES, 2])
_, target_mask, cross_mask = encoder_decoder_masks(source_lengths, target_lengths, KEYS, QUERIES)


@pytest.mark.parametrize("is_masked", [False, True])
def test_the_decoder_layer_is_torchs(is_masked):
    """Normalised first: output and gradients of both inputs and of the weights, with masks and without."""
    layer, theirs = pair_of_decoder_layers()
    ours = {"self_mask": target_mask, "memory_mask": cross_mask} if is_masked else {}
    padded = {"tgt_key_padding_mask": ~target_mask[:, 0, -1], "memory_key_padding_mask": ~cross_mask[:, 0, 0]}
    blocked = {"tgt_mask": ~causal_mask(QUERIES, QUERIES, like=x), **padded} if is_masked else {}
    results = []
    for run in (lambda *i: layer(*i, **ours), lambda *i: theirs(*i, **blocked)):
        inputs = [i.clone().requires_grad_() for i in (x, memory)]
        out = run(*inputs)
        (out * draw(*out.shape)).sum().backward()
        results.append([out, *(i.grad for i in inputs)])
    assert_close(*results)
    assert_close(layer.cross_attention.output.weight.grad, theirs.multihead_attn.out_proj.weight.grad)
    assert_close(layer.feed_forward[0].weight.grad, theirs.linear1.weight.grad)


def test_the_decoder_layer_neither_looks_ahead_nor_at_padding():
    """A later target token and a padded source token, changed, change nothing."""
    layer, _ = pair_of_decoder_layers()
    out = layer(x, memory, target_mask, cross_mask)
    later, padded = x.clone(), memory.clone()
    later[:, 2:] += 1
    padded[0, 3:] += 1
    assert_close(layer(later, memory, target_mask, cross_mask)[:, :2], out[:, :2], rtol=0, atol=0)
    assert_close(layer(x, padded, target_mask, cross_mask), out, rtol=0, atol=0)


both_ways = pytest.mark.parametrize("return_weights", [False, True])


def output_of(layer, return_weights):
    out = layer(x, memory, mask=padding, return_weights=return_weights)
    return out[0] if return_weights else out


@both_ways
def test_evaluation_knows_no_dropout(return_weights):
    """Twice the same, to the last digit, and what a layer without dropout gives; training differs."""
    theirs = torchs()
    layer = ours(theirs, dropout=0.5)
    first, second = (output_of(layer, return_weights) for _ in range(2))
    assert not first.equal(second)
    layer.eval()
    first, second = (output_of(layer, return_weights) for _ in range(2))
    assert first.equal(second) and first.equal(output_of(ours(theirs), return_weights))


@both_ways
def test_dropout_changes_nothing_on_average(return_weights):
    """What is kept is enlarged, so that the mean over a batch of copies is the output without dropout."""
    torch.manual_seed(0)
    layer = ours(torchs(), dropout=0.3)
    copies = [one[1:].expand(4000, -1, -1) for one in (x, memory)]
    out = layer(*copies, return_weights=return_weights)
    out = out[0] if return_weights else out
    error = (out.mean(dim=0) - layer.eval()(x, memory)[1]) / (out.std(dim=0) / len(out) ** 0.5)
    assert error.abs().max() < 4.5  # standard errors: not more than chance


@both_ways
def test_dropping_everything_leaves_the_bias(return_weights):
    """Dropout falls on the weights: with none left, heads say nothing and the output layer adds its bias."""
    layer = ours(torchs(), dropout=1.0)
    assert_close(output_of(layer, return_weights), layer.output.bias.expand(BATCH, QUERIES, -1))


def test_dropping_everything_leaves_the_residual():
    """In the decoder layer every step is dropped before it is added; evaluation drops nothing."""
    layer = DecoderLayer(MODEL_SIZE, HEADS, 7, dropout=1.0).double()
    assert layer(x, memory).equal(x)
    assert layer.eval()(x, memory).equal(layer(x, memory)) and not layer(x, memory).equal(x)


def test_docstrings_tell_the_shapes():
    """In axis words, as for the functions; one word means one size."""
    multi = MultiHeadAttention(MODEL_SIZE, HEADS).double()
    for layer, inputs in (
        (AttentionHead(MODEL_SIZE, 5).double(), {"x": x}),
        (multi, {"query": x, "key": memory, "value": other}),
        (DecoderLayer(MODEL_SIZE, HEADS, 7).double(), {"x": x, "memory": memory}),
    ):
        forward = type(layer).forward
        words, sizes = axis_words(forward) | {"result": words_of_result(forward)}, {}
        for name, value in {**inputs, "result": layer(**inputs)}.items():
            read(words[name], value.shape, sizes)
