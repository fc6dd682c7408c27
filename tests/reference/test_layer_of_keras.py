"""Keras' own layer, and one that articles write in Keras: with the same weights, both say what ours says.

To 1e-5 everywhere: products in Keras are in float32, even of float64.
"""

import sys

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from mha_ref import causal_mask, padding_mask, to_allowed
from mha_ref.exchange import load_keras, to_keras
from mha_ref.layer import MultiHeadAttention

from . import test_layer
from .test_layer import BATCH, HEADS, KEYS, MODEL_SIZE, QUERIES, draw, drawn

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")  # from inside Keras

x, memory, other = (sequence.float() for sequence in (test_layer.x, test_layer.memory, test_layer.other))
some, padding = draw(BATCH, QUERIES, KEYS) > 0, padding_mask(torch.tensor([3, KEYS]), KEYS)
some[..., 0] = True
nothing = torch.zeros(1, QUERIES, KEYS, dtype=torch.bool)
both = pytest.mark.parametrize("bias", [True, False])


@pytest.fixture(scope="module")
def keras(tmp_path_factory):
    """Keras on torch, on the CPU; what it reads when imported is set for this moment only, its home is a new folder."""
    settings = {"BACKEND": "torch", "TORCH_DEVICE": "cpu", "HOME": str(tmp_path_factory.mktemp("keras"))}
    with pytest.MonkeyPatch.context() as environment:
        for name, value in settings.items():
            environment.setenv(f"KERAS_{name}", value)
        keras = pytest.importorskip("keras", reason="keras is not installed")
    absl = pytest.importorskip("absl.logging")
    absl.get_absl_handler().python_handler.stream = sys.__stderr__  # or it closes pytest's stream
    return keras


def keras_layer(keras, bias=True):
    """Keras' layer, its weights drawn: its biases would be zero."""
    layer = keras.layers.MultiHeadAttention(HEADS, MODEL_SIZE // HEADS, use_bias=bias)
    layer.build(x.shape, memory.shape)
    layer.set_weights([draw(*w.shape).numpy() / MODEL_SIZE**0.5 for w in layer.get_weights()])
    return layer


def ours(theirs, bias=True):
    """Our layer with the weights of theirs."""
    layer = MultiHeadAttention(MODEL_SIZE, HEADS, bias)
    load_keras(layer, theirs.get_weights())
    return layer


def assert_same(one, other):
    assert_close(one, other, rtol=0, atol=1e-5)


@both
@pytest.mark.parametrize("key", [x, memory], ids=["self", "cross"])
def test_weights_come_from_keras(keras, key, bias):
    """The same output and the same weights of every head, of one sequence or of two."""
    theirs = keras_layer(keras, bias)
    layer = ours(theirs, bias)
    assert_same(layer(x, key), theirs(x, key))
    assert_same(layer(x, key, return_weights=True), theirs(x, key, return_attention_scores=True))


@both
def test_weights_go_to_keras(keras, bias):
    """Its layer, given ours, has our output, and gives back the same numbers to the last digit."""
    theirs, layer = keras_layer(keras, bias), drawn(MultiHeadAttention(MODEL_SIZE, HEADS, bias)).float()
    theirs.set_weights(to_keras(layer))
    assert_same(layer(x, memory), theirs(x, memory))
    for given, back in zip(to_keras(layer), theirs.get_weights(), strict=True):
        np.testing.assert_array_equal(given, back, strict=True)


def test_keras_takes_the_value_before_the_key(keras):
    """Its order is query, value, key; names keep one from mixing them up."""
    theirs = keras_layer(keras)
    assert_same(ours(theirs)(x, memory, other), theirs(x, other, memory))
    assert_same(ours(theirs)(x, memory, other), theirs(query=x, key=memory, value=other))


@pytest.mark.parametrize(
    "mask, allowed",
    [
        pytest.param({"attention_mask": some}, some[:, None], id="B_T_S"),
        pytest.param({"attention_mask": some.int()}, some[:, None], id="numbers"),
        pytest.param({"key_mask": padding[:, 0, 0]}, padding, id="B_S"),
        pytest.param({"attention_mask": some, "key_mask": padding[:, 0, 0]}, some[:, None] & padding, id="both"),
    ],
)
def test_masks_of_keras(keras, mask, allowed):
    """True or 1 may look, as here, for all heads the same."""
    theirs = keras_layer(keras)
    assert_same(ours(theirs)(x, memory, mask=allowed), theirs(x, memory, **mask))


def test_keras_where_nothing_is_allowed(keras):
    """Zeros, as ours, if it returns its weights; by torch's fused function, if it does not, the mean of all values."""
    theirs = keras_layer(keras)
    layer = ours(theirs)
    told = theirs(x, memory, attention_mask=nothing, return_attention_scores=True)
    assert_same(layer(x, memory, mask=nothing, return_weights=True), told)
    evenly = layer(x, memory.mean(dim=1, keepdim=True))
    assert_same(evenly, theirs(x, memory, attention_mask=nothing))


def test_keras_is_causal_from_the_top_left(keras):
    """As is torch's fused function: our triangle for as many queries as keys only."""
    theirs = keras_layer(keras)
    square, top_left = causal_mask(QUERIES, QUERIES, like=x), torch.ones(QUERIES, KEYS).tril().bool()
    assert_same(ours(theirs)(x, mask=square), theirs(x, x, use_causal_mask=True))
    assert_same(ours(theirs)(x, memory, mask=top_left), theirs(x, memory, use_causal_mask=True))


def article(keras):
    """The layer that articles write in Keras: it takes value, key, query; 1.0 in a mask blocks."""
    ops, head_size = keras.ops, MODEL_SIZE // HEADS

    def split(x):
        return ops.transpose(ops.reshape(x, (len(x), -1, HEADS, head_size)), (0, 2, 1, 3))

    class Attention(keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.wq, self.wk, self.wv, self.dense = (keras.layers.Dense(MODEL_SIZE) for _ in range(4))

        def call(self, v, k, q, mask):
            q, k, v = split(self.wq(q)), split(self.wk(k)), split(self.wv(v))
            scores = ops.matmul(q, ops.swapaxes(k, -1, -2)) / head_size**0.5
            weights = ops.softmax(scores if mask is None else scores + mask * -1e9)
            merged = ops.transpose(ops.matmul(weights, v), (0, 2, 1, 3))
            return self.dense(ops.reshape(merged, (len(q), -1, MODEL_SIZE))), weights

    return Attention()


@pytest.fixture
def pair(keras):
    """The articles' layer and ours, with the same weights: those of a Dense multiply from the right."""
    theirs, layer = article(keras), drawn(MultiHeadAttention(MODEL_SIZE, HEADS)).float()
    theirs(memory, memory, x, None)  # now it has weights
    theirs.set_weights([w.reshape(old.shape) for w, old in zip(to_keras(layer), theirs.get_weights(), strict=True)])
    return theirs, layer


@pytest.mark.parametrize("allowed", [None, some[:, None], padding], ids=["none", "B_1_T_S", "B_1_1_S"])
def test_the_layer_of_articles(pair, allowed):
    """Output and every head's weights, between two sequences, its mask translated."""
    theirs, layer = pair
    mask = allowed if allowed is None else 1.0 - allowed.float()
    same = allowed if allowed is None else to_allowed(mask, "blocked_float")
    assert_same(layer(x, memory, other, same, return_weights=True), theirs(other, memory, x, mask))


def test_its_order_is_value_key_query(pair):
    """Called with the query first, it is silent: its values ask, and there are as many outputs as values."""
    theirs, layer = pair
    wrong, _ = theirs(x, x, memory, None)
    assert_same(layer(memory, x), wrong)
    assert wrong.shape == memory.shape != x.shape


def test_its_queries_that_may_look_at_nothing_look_at_everything(pair):
    """-1e9 swallows the digits of a float32 score: evenly, where our weights are zero."""
    theirs, layer = pair
    _, weights = theirs(memory, memory, x, torch.ones(1, 1, 1, KEYS))
    assert_same(weights, torch.full_like(weights, 1 / KEYS))
    assert not layer(x, memory, mask=nothing, return_weights=True)[1].any()
