"""Slips in answers to lesson 05 (round 15)."""

import torch
from mha_ref import attention_head



def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    for i in range(len(w_query)):
        results = []
        results.append(attention_head(x, w_query[i], w_key[i], w_value[i], mask))
    return torch.cat(results, dim=-1) @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and model_size % heads != 0:
        ValueError("heads must divide model_size")
    if head_size is None:
        head_size = model_size // heads
    if value_size is None:
        value_size = model_size // heads
    weights = model_size * heads * (2 * head_size + value_size) + heads * value_size * model_size
    biases = heads * (2 * head_size + value_size) + model_size
    return weights + biases if bias else weights


TRUTH = {
    "multi_head_by_loop__1": 'The empty list stands inside the loop, so only the last head is left at the end, and with more than one head the product with w_output fails.',
    "parameter_count__1": 'The word raise is missing: the ValueError is made and thrown away, and the count goes on with a size that was rounded down.',
}
