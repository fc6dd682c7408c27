"""Wrong answers to lesson 05 (round 9)."""
import torch
from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for i in range(len(w_query)):
        results = results.append(attention_head(x, w_query[i], w_key[i], w_value[i], mask))
    return torch.cat(results, dim=-1) @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and model_size % heads != 0:
        raise ValueError("heads must divide model_size")
    if head_size is None:
        head_size = model_size // heads
    if value_size is None:
        value_size = model_size // heads
    keys = heads * head_size
    values = heads * value_size
    weights = 2 * model_size * keys + 2 * model_size * values
    return weights + 2 * keys + values + model_size if bias else 0


TRUTH = {
    "multi_head_by_loop__1": "list.append returns None, and that is kept as results: with two heads or more AttributeError: 'NoneType' object has no attribute 'append', with one head TypeError: cat(): argument 'tensors' (position 1) must be tuple of Tensors, not NoneType.",
    "parameter_count__1": "The conditional expression lacks brackets, so `else 0` stands for the whole sum: right with bias, but bias=False gives 0 instead of the number of weights (1048576 for 512 and 8 heads).",
}
