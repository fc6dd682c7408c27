"""Wrong answers to lesson 05 (round 18)."""

import torch

from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for wq, wk, wv in zip(w_query, w_key, w_value):
        results.append(attention_head(x, wq, wk, wv, mask))
    together = torch.stack(results, dim=-1)  # (..., tokens, head_size, heads)
    return together.flatten(-2) @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None or value_size is None:
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        head_size = model_size // heads if head_size is None else head_size
        value_size = model_size // heads if value_size is None else value_size
    total = 2 * model_size * heads * head_size
    total += 2 * model_size * heads * value_size
    if bias:
        total += 2 * heads * head_size + 2 * heads * value_size
    return total


TRUTH = {
    "multi_head_by_loop__1": "The heads' results are interleaved (column 0 of every head, then column 1 of every head) instead of standing side by side, so they meet the wrong rows of w_output.",
    "parameter_count__1": 'The output projection gets a bias of heads * value_size numbers instead of model_size numbers, which is wrong whenever value_size is not model_size / heads.',
}
