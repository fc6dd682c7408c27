"""Slips in answers to lesson 05 (round 10)."""

import torch
from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for i in range(len(w_query)):
        results.append(attention_head(x, w_query[i], w_key[i], w_value[i], mask))
    return torch.cat(results) @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None or value_size is None:
        if model_size % heads:
            raise ValueError("heads do not divide model_size")
    head_size = model_size // heads if head_size is None else head_size
    value_size = model_size // heads if value_size is None else value_size
    inner = 2 * heads * head_size + heads * value_size
    return model_size * inner + heads * value_size * model_size + inner + model_size if bias else 0


TRUTH = {
    "multi_head_by_loop__1": "torch.cat without dim puts the heads below each other: the result has heads · tokens rows of head_size columns, and @ w_output stops with RuntimeError 'mat1 and mat2 shapes cannot be multiplied'; right for one head",
    "parameter_count__1": "`... if bias else 0` takes in the whole sum: without biases the result is 0; with biases it is right",
}
