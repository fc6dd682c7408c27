"""Inputs that do not fit: whoever brings them is told so, in one sentence with the sizes, dtypes or devices brought."""

import re
from functools import partial

import pytest
import torch

from mha_ref import (
    alibi_slopes,
    attention_head,
    attention_in_blocks,
    cross_attention,
    masked_attention,
    multi_head_attention,
    multi_head_by_loop,
    parameter_count,
    split_heads,
)
from mha_ref.layer import AttentionHead, DecoderLayer, MultiHeadAttention, fused_attention

BATCH, HEADS, QUERIES, KEYS, MODEL_SIZE, HEAD_SIZE = 2, 3, 4, 5, 18, 6
x, memory = torch.ones(BATCH, QUERIES, MODEL_SIZE), torch.ones(BATCH, KEYS, MODEL_SIZE)
weights = torch.ones(4, MODEL_SIZE, MODEL_SIZE).unbind()
each_head = torch.ones(3, HEADS, MODEL_SIZE, HEAD_SIZE).unbind()
layer = MultiHeadAttention(MODEL_SIZE, HEADS)
multi_head, cross = partial(multi_head_attention, heads=HEADS), partial(cross_attention, heads=HEADS)

ALIKE = {
    "multi_head_attention": (multi_head, x, memory, memory, *weights),
    "cross_attention": (cross, x, memory, *weights),
    "multi_head_by_loop": (multi_head_by_loop, x, *each_head, weights[3]),
    "attention_head": (attention_head, x, *weights[:3]),
    "MultiHeadAttention": (layer, x, memory, memory),
    "its_weights": (partial(layer, return_weights=True), x, memory, memory),
    "AttentionHead": (AttentionHead(MODEL_SIZE, HEAD_SIZE), x),
    "DecoderLayer": (DecoderLayer(MODEL_SIZE, HEADS, 7), x, memory),
}
each = pytest.mark.parametrize("name", ALIKE)
each_masked = pytest.mark.parametrize("name", [name for name in ALIKE if name != "DecoderLayer"])


def refused(message):
    return pytest.raises(ValueError, match=message)


def each_odd_one_is_refused(name, message, **other):
    """Call it with one input after the other that is of another dtype or on another device than the rest."""
    function, *inputs = ALIKE[name]
    for place, odd_one in enumerate(inputs):
        with refused(message):
            function(*inputs[:place], odd_one.to(**other), *inputs[place + 1 :])


@each
def test_dtypes_are_named(name):
    """Torch multiplies no float32 with float64: the message names both."""
    each_odd_one_is_refused(name, "(?=.*float32)(?=.*float64)", dtype=torch.float64)


def test_numpy_is_told_the_same():
    """It would multiply them, and give float64 to someone who brought float32."""
    for place in range(7):
        inputs = [i.numpy() for i in (x, memory, memory, *weights)]
        inputs[place] = inputs[place].astype("float64")
        with refused("(?=.*float32)(?=.*float64)"):
            multi_head(*inputs)


def test_sizes_that_nobody_can_use_are_told():
    """Where wrong numbers would come out otherwise."""
    for block in (0, -1):
        with refused(f"a block of {block} keys holds none"):
            attention_in_blocks(x, memory, memory, block)
    with refused("12 heads are no power of two"):
        alibi_slopes(12)
    with refused("batches of 1 queries, 2 keys and 3 values do not fit"):
        multi_head(x[:1], memory, torch.ones(3, KEYS, MODEL_SIZE), *weights)


def test_libraries_are_named():
    """An array of NumPy among tensors of torch is on the CPU, too; what differs is the library."""
    for place in range(4):
        inputs = [x, *weights[:3]]
        inputs[place] = inputs[place].numpy()
        with refused("(?=.*numpy)(?=.*torch)"):
            attention_head(*inputs)


@each
def test_devices_are_named(name):
    """Both; torch itself says nothing of most products with its device `meta`."""
    each_odd_one_is_refused(name, "(?=.*cpu)(?=.*meta)", device="meta")


@each_masked
def test_devices_of_masks_are_named(name):
    """A mask must be where the sequences are; of a dtype of its own it is anyway."""
    function, *inputs = ALIKE[name]
    with refused("(?=.*cpu)(?=.*meta)"):
        function(*inputs, mask=torch.ones(1, 1, dtype=torch.bool, device="meta"))


@each_masked
def test_masks_must_broadcast(name):
    """The message has the mask's shape, and the shape that it should stretch to."""
    function, *inputs = ALIKE[name]
    for shape in ((3, 7), (7, 1), (2, 2, 1, 1), (2, 3, 1, 1, 1)):
        with refused(rf"a mask of {re.escape(str(shape))} does not broadcast to \(2, .*4, [45]\)"):
            function(*inputs, mask=torch.ones(shape, dtype=torch.bool))


def test_masks_of_the_decoder_layer_must_broadcast():
    """Its own to (queries, queries), that of the memory to (queries, keys)."""
    decode, mask = DecoderLayer(MODEL_SIZE, HEADS, 7), torch.ones(KEYS, KEYS, dtype=torch.bool)
    with refused(r"a mask of \(5, 5\) does not broadcast to \(2, 3, 4, 4\)"):
        decode(x, memory, self_mask=mask)
    with refused(r"a mask of \(5, 5\) does not broadcast to \(2, 3, 4, 5\)"):
        decode(x, memory, memory_mask=mask)


@each_masked
def test_masks_must_be_boolean(name):
    """Ones and zeros could mean either."""
    function, *inputs = ALIKE[name]
    with refused("a mask of torch.float32 is not boolean: True = may look"):
        function(*inputs, mask=torch.ones(1, 1))


@pytest.mark.parametrize(
    "splits",
    [
        lambda heads: split_heads(x, heads),
        lambda heads: multi_head_attention(x, memory, memory, *weights, heads),
        lambda heads: cross_attention(x, memory, *weights, heads),
        lambda heads: parameter_count(MODEL_SIZE, heads),
        lambda heads: MultiHeadAttention(MODEL_SIZE, heads),
        lambda heads: DecoderLayer(MODEL_SIZE, heads, 7),
    ],
)
def test_heads_must_divide(splits):
    """Four heads do not, nor do none."""
    for heads in (4, 0, -3, 36):
        with refused(f"model size 18 does not divide into {heads} heads"):
            splits(heads)


def test_no_heads_is_said():
    """Heads of a size of their own need not divide, but there must be one."""
    with refused("model size 18 does not divide into 0 heads"):
        multi_head_by_loop(x, *(w[:0] for w in each_head), weights[3])
    with refused("model size 18 does not divide into 0 heads"):
        parameter_count(MODEL_SIZE, 0, head_size=4)


each_in_batches = pytest.mark.parametrize("name", ["multi_head_attention", "MultiHeadAttention", "its_weights"])


@each_in_batches
@pytest.mark.parametrize("place, word", [(0, "query"), (1, "key"), (2, "value")])
def test_sequences_come_in_batches(name, place, word):
    """One sequence without a batch, or with heads already, is named with the number of its axes."""
    attend, *inputs = ALIKE[name]
    for odd_one, axes in ((x[0], 2), (x[None], 4)):
        inputs[place] = odd_one
        with refused(rf"{word} has {axes} axes, not the three of \(batch, tokens, model_size\)"):
            attend(*inputs)


@each_in_batches
def test_each_key_has_a_value(name):
    """5 keys want 5 values."""
    attend, query, key, _, *others = ALIKE[name]
    with refused("5 keys do not fit 4 values"):
        attend(query, key, x, *others)


@pytest.mark.parametrize(
    "attend, inputs, sizes",
    [
        pytest.param(masked_attention, (x, memory, x), (5, 4), id="keys_and_values"),
        pytest.param(fused_attention, (x[None], memory[None], x[None]), (5, 4), id="keys_and_values_fused"),
        pytest.param(masked_attention, (x, memory[..., 1:], memory), (18, 17), id="features"),
        pytest.param(masked_attention, (x, memory[0, 0], memory), (1,), id="axes"),
        pytest.param(multi_head, (x, memory[..., 1:], memory, *weights), (18, 17), id="model_sizes"),
        pytest.param(multi_head, (x[[0, 0, 0]], memory, memory, *weights), (3, 2), id="batches"),
    ],
)
def test_sizes_are_named(attend, inputs, sizes):
    """Torch would compute something with 5 keys and 4 values, and no library says which sizes are of what."""
    with refused("".join(rf"(?=.*\b{size} )" for size in sizes)):
        attend(*inputs)
