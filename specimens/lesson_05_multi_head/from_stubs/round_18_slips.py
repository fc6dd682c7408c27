"""Slips in answers to lesson 05 (round 18)."""

import torch

from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    outputs = []
    for i in range(w_query.shape[0]):
        outputs.append(attention_head(x, w_query[i], w_key[i], w_value[i], mask))
        return torch.cat(outputs, dim=-1) @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None:
        head_size = model_size // heads
    if value_size is None:
        value_size = model_size // heads
    weights = 2 * model_size * heads * head_size + 2 * model_size * heads * value_size
    biases = 2 * heads * head_size + heads * value_size + model_size
    return weights + biases * bias


TRUTH = {
    "multi_head_by_loop__1": 'The return is indented too far and stands inside the loop, so it is reached after the first head.',
    "parameter_count__1": '// rounds down without a check, so sizes that are not whole numbers raise no error.',
}
