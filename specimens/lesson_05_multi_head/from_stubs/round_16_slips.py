"""Slips in answers to lesson 05 (round 16)."""

import torch
from mha_ref import attention_head



def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for i in range(len(w_query)):
        result = attention_head(x, w_query[i], w_key[i], w_value[i], mask)
    results.append(result)
    return torch.cat(results, dim=-1) @ w_output


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    results = [
        attention_head(x, q, k, v, mask) for q, k, v in zip(w_query, w_key, w_value)
    ]
    together = torch.cat(results, dim=-2)
    return together @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and model_size % heads:
        raise ValueError("heads do not divide model_size")
    if head_size is None:
        head_size = model_size // heads
    if value_size is None:
        head_size = model_size // heads
    outs = heads * (2 * head_size + value_size)
    count = model_size * outs + heads * value_size * model_size
    if bias:
        count += outs + model_size
    return count


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None or value_size is None:
        if heads % model_size != 0:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        size = model_size // heads
        head_size = size if head_size is None else head_size
        value_size = size if value_size is None else value_size
    one = int(bias)
    into = (model_size + one) * heads * (head_size + head_size + value_size)
    out = (heads * value_size + one) * model_size
    return into + out


TRUTH = {
    "multi_head_by_loop__1": 'The append is one level too far left, so only the last head is kept.',
    "multi_head_by_loop__2": "The axis of cat is typed -2, so the heads' results lie one below the other as further tokens instead of side by side.",
    "parameter_count__1": 'The second `if` was copied and still sets head_size, so value_size stays None and the arithmetic stops with a TypeError.',
    "parameter_count__2": 'Checks heads % model_size instead of model_size % heads, so fitting sizes raise an error (unless heads is a multiple of model_size).',
}
