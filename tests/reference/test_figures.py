"""The sizes that articles calculate with, on layers of that size: tensors without numbers, which cost nothing."""

import math

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from mha_ref import attention_flops, masked_weights, parameter_count, projection_flops, score_bytes, split_heads
from mha_ref.layer import MultiHeadAttention


def layer_of(model_size, heads, bias=True):
    with torch.device("meta"):
        return MultiHeadAttention(model_size, heads, bias)


def tokens_of(*shape):
    return torch.empty(*shape, device="meta")


def count(layer):
    return sum(p.numel() for p in layer.parameters())


class Exponentials(TorchDispatchMode):
    """Counts how many numbers exp is taken of."""

    total = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function is torch.ops.aten.exp.default:
            self.total += args[0].numel()
        return function(*args, **kwargs or {})


@pytest.mark.parametrize(
    "model_size, heads, head_size", [(512, 8, 64), (768, 12, 64), (1024, 16, 64), (12288, 96, 128)]
)
def test_sizes_of_heads(model_size, heads, head_size):
    """Heads side by side are as wide as the model."""
    assert split_heads(tokens_of(2, model_size), heads).shape == (heads, 2, head_size)
    assert heads * head_size == model_size


def test_shapes_on_the_way():
    """128 tokens of 768 numbers, 12 heads: shapes from input to output."""
    layer, x = layer_of(768, 12), tokens_of(1, 128, 768)
    query, key, value = (split_heads(view(x), 12) for view in (layer.query, layer.key, layer.value))
    assert query.shape == key.shape == value.shape == (1, 12, 128, 64)
    out, weights = layer(x, return_weights=True)
    assert weights.shape == masked_weights(query, key).shape == (1, 12, 128, 128)
    assert (weights @ value).shape == (1, 12, 128, 64)
    assert out.shape == x.shape == (1, 128, 768)


def test_parameters_of_512_in_8_heads():
    """Per head 3 × 32,768, of the output 262,144: 4d² = 1,048,576 as with one head; 1,050,624 with biases."""
    assert 512 * 64 == 32_768
    assert 8 * 3 * 32_768 + 512 * 512 == 4 * 512**2 == 1_048_576
    for heads in (1, 8):
        assert count(layer_of(512, heads, bias=False)) == parameter_count(512, heads, bias=False) == 1_048_576
        assert count(layer_of(512, heads)) == parameter_count(512, heads) == 1_050_624


@pytest.mark.parametrize("heads", [1, 8, 32])
def test_flops_of_2048_tokens_of_4096(heads):
    """343.6 G, whatever the heads: 80 % of them project, 20 % are scores and mixing."""
    with FlopCounterMode(display=False) as counter:
        layer_of(4096, heads)(tokens_of(1, 2048, 4096), return_weights=True)
    assert counter.get_total_flops() == attention_flops(2048, 4096) == 343_597_383_680
    assert projection_flops(2048, 4096) / attention_flops(2048, 4096) == 0.8


def test_where_68_7_comes_from():
    """It counts one projection of four, and a multiplication with its addition as one: a fifth of the whole."""
    n, d = 2048, 4096
    assert round((n * d**2 + 2 * n**2 * d) / 1e9, 1) == 68.7
    assert attention_flops(n, d) == 5 * (n * d**2 + 2 * n**2 * d)


@pytest.mark.parametrize("heads, millions", [(1, 4.2), (8, 33.6), (32, 134.2)])
def test_exponentials_grow_with_the_heads(heads, millions):
    """One head takes n² of them, eight heads eight times as many: what more heads do cost."""
    with Exponentials() as counter:
        layer_of(4096, heads)(tokens_of(1, 2048, 4096), return_weights=True)
    assert counter.total == heads * 2048**2
    assert round(counter.total / 1e6, 1) == millions


def test_256_maps():
    """32 items × 8 heads, 128 tokens, float32: 16.8 MB of weights."""
    _, weights = layer_of(512, 8)(tokens_of(32, 128, 512), return_weights=True)
    assert math.prod(weights.shape[:2]) == 256
    assert weights.nbytes == score_bytes(32, 8, 128) == 16_777_216


@pytest.mark.parametrize("heads", [1, 8, 32])
def test_what_a_cache_keeps_does_not_grow_with_the_heads(heads):
    """Keys and values of n tokens are 2·n·d numbers in any number of heads of size d / heads."""
    keys = values = split_heads(tokens_of(2048, 4096), heads)
    assert keys.numel() + values.numel() == 2 * 2048 * 4096


@pytest.mark.parametrize("model_size, layers, billions", [(4096, 32, 6.4), (12288, 96, 173.9)])
def test_which_gpt_3_has_4096(model_size, layers, billions):
    """The one of 6.7 billion parameters, not of 175: attention's 4d² and the feed-forward part's 8d², per layer."""
    attention = parameter_count(model_size, heads=model_size // 128, bias=False)
    assert round(layers * 3 * attention / 1e9, 1) == billions
