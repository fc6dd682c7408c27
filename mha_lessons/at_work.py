"""How later lessons use what an earlier one taught, at which sizes: a far slower or hungrier version is not used.

Each function runs an answer once, as a training step or a sentence to write does.
"""

import torch

from mha_ref import causal_mask

torch.set_num_threads(1)  # as the lessons do
BATCH, TOKENS, HEADS, MODEL_SIZE = 8, 128, 4, 64


def _random(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


def _seen():
    return causal_mask(TOKENS, TOKENS, like=torch.empty(0))


def _layer(*sizes, others=0, parts=()):
    """Return a function that builds a layer of these sizes, and takes it one step there and back.

    parts: names that the exercise asks for, and later lessons use; AttributeError without them.
    """

    def step(layer_class):
        layer, x = layer_class(MODEL_SIZE, HEADS, *sizes), _random(BATCH, TOKENS, MODEL_SIZE)
        for part in parts:
            layer.get_submodule(part)
        layer(x, *[x] * others).sum().backward()

    return step


def _mix(attention):
    attention(*_random(3, BATCH, HEADS, TOKENS, MODEL_SIZE // HEADS), _seen())


def _weigh(softmax):
    softmax(_random(BATCH, HEADS, TOKENS, TOKENS), _seen())


AT_WORK = {
    "MultiHeadAttention": _layer(parts=("query", "key", "value", "output")),
    "DecoderLayer": _layer(2 * MODEL_SIZE, others=1, parts=("self_attention.output", "cross_attention.output")),
    "Block": _layer(4 * MODEL_SIZE, parts=("attention.output", "feed_forward", "norms.0", "norms.1")),
    "masked_attention": _mix,
    "masked_softmax": _weigh,
    "causal_mask": lambda mask: mask(TOKENS, TOKENS).logical_not(),  # which an array does not have
    "attention_scores": lambda scores: scores(*_random(2, BATCH, HEADS, TOKENS, MODEL_SIZE // HEADS)),
    "softmax": lambda softmax: softmax(_random(BATCH, HEADS, TOKENS, TOKENS)),
    "split_heads": lambda split: split(_random(BATCH, TOKENS, MODEL_SIZE), HEADS),
    "merge_heads": lambda merge: merge(_random(BATCH, HEADS, TOKENS, MODEL_SIZE // HEADS)),
}
