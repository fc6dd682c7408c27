"""Wrong answers to lesson 05 (round 13)."""

import torch
from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    heads = len(w_query)
    outs = [
        attention_head(x, w_query[h], w_key[h], w_value[h], mask if mask is None else mask[h]) for h in range(heads)
    ]
    return torch.cat(outs, dim=-1) @ w_output


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    size = w_value.shape[-1]
    result = 0
    for i, matrices in enumerate(zip(w_query, w_key, w_value)):
        result = result + attention_head(x, *matrices, mask) @ w_output[i * size : (i + 1) * size]
    return result / len(w_query)  # a mean over the heads


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if model_size % heads:
        raise ValueError("heads must divide model_size")
    head_size = model_size // heads if head_size is None else head_size
    value_size = model_size // heads if value_size is None else value_size
    weights = model_size * heads * (2 * head_size + 2 * value_size)
    return weights + bias * (heads * (2 * head_size + value_size) + model_size)


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and model_size % heads:
        raise ValueError
    head_size = head_size or model_size // heads
    value_size = value_size or model_size // heads
    inner = heads * (2 * head_size + value_size)
    count = model_size * inner + model_size * model_size
    if bias:
        count += inner + model_size
    return count


TRUTH = {
    "multi_head_by_loop__1": "one mask for each head is taken, but the mask is the same for every head",
    "multi_head_by_loop__2": "the sum over the heads is divided by their number",
    "parameter_count__1": "heads that do not divide are refused even where both sizes are given",
    "parameter_count__2": "the output projection is counted as model_size squared, whatever the values' width is",
}
