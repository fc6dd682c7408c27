"""Wrong answers to lesson 05 (round 11)."""

import torch
from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for q, k, v in zip(w_query, w_key, w_value):
        results.append(attention_head(x, q, k, v, mask))
    side_by_side = torch.stack(results, dim=-1)
    return side_by_side.flatten(start_dim=-2) @ w_output


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    # all heads' matrices side by side make one wide matrix
    wide = [torch.cat([*w], dim=-1) for w in (w_query, w_key, w_value)]
    return attention_head(x, *wide, mask) @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None:
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        head_size = model_size // heads
    if value_size is None:
        value_size = head_size  # a value is as wide as its key
    columns = heads * (head_size + head_size + value_size)
    total = model_size * columns + heads * value_size * model_size
    return total + (columns + model_size if bias else 0)


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    def size(given):
        if given is not None:
            return given
        if model_size % heads:
            raise ValueError
        return model_size // heads

    h, v = size(head_size), size(value_size)
    matrices = sum(model_size * heads * s for s in (h, h, v, v))
    biases = 4 * model_size if bias else 0
    return matrices + biases


TRUTH = {
    "multi_head_by_loop__1": "stack on a new last axis and flatten interleaves the heads: column 0 of every head comes first",
    "multi_head_by_loop__2": "one head that is as wide as all: a single softmax over the sum of all heads' scores, scaled by the root of heads times head_size",
    "parameter_count__1": "a value_size of None is taken for head_size, not for model_size / heads; and nothing is refused if head_size alone is given",
    "parameter_count__2": "each of the biases is counted as model_size, though a bias has one number per output: heads times head_size",
}
