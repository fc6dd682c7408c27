import math

import torch
import torch.nn.functional as F

from mha_ref import attention_head, masked_attention


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    heads, model_size, head_size = w_query.shape
    scale = 1.0 / math.sqrt(model_size)
    outputs = []
    for h in range(heads):
        q = x @ w_query[h]
        k = x @ w_key[h]
        v = x @ w_value[h]
        scores = (q @ k.transpose(-2, -1)) * scale
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        outputs.append(weights @ v)
    return torch.cat(outputs, dim=-1) @ w_output


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    per_head = [
        attention_head(x, wq, wk, wv, mask)
        for wq, wk, wv in zip(w_query, w_key, w_value)
    ]
    together = torch.stack(per_head, dim=-1)      # (..., tokens, head_size, heads)
    together = together.flatten(-2)
    return together @ w_output


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    model_size = x.shape[-1]
    head_size = w_query.shape[-1]
    n_heads = model_size // head_size
    result = 0
    for i in range(n_heads):
        head = masked_attention(x @ w_query[i], x @ w_key[i], x @ w_value[i], mask)
        rows = slice(i * head_size, (i + 1) * head_size)
        result = result + head @ w_output[rows]
    return result


def multi_head_by_loop__4(x, w_query, w_key, w_value, w_output, mask=None):
    heads = []
    for i in range(len(w_query)):
        heads.append(attention_head(x, w_query[i], w_key[i], w_value[i], mask))
    concat = torch.cat(heads, dim=2)
    return torch.matmul(concat, w_output)


def multi_head_by_loop__5(x, w_query, w_key, w_value, w_output, mask=None):
    n, _, size = w_query.shape
    buffer = torch.zeros(*x.shape[:-1], n * size)
    for i in range(n):
        buffer[..., i * size:(i + 1) * size] = attention_head(
            x, w_query[i], w_key[i], w_value[i], mask
        )
    return buffer @ w_output


def multi_head_by_loop__6(x, w_query, w_key, w_value, w_output, mask=None):
    def one_head(wq, wk, wv):
        q, k, v = x @ wq, x @ wk, x @ wv
        s = q @ k.mT / wq.shape[-1] ** 0.5
        if mask is not None:
            s = torch.where(mask, s, torch.finfo(s.dtype).min)
        return s.softmax(-1) @ v

    return torch.cat([one_head(*w) for w in zip(w_query, w_key, w_value)], -1) @ w_output


def _positive_share(scores, mask):
    e = torch.exp(scores)
    if mask is not None:
        e = e * mask
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)


def multi_head_by_loop__7(x, w_query, w_key, w_value, w_output, mask=None):
    head_size = w_query.size(-1)
    collected = []
    for i in range(w_query.size(0)):
        query = x @ w_query[i]
        key = x @ w_key[i]
        value = x @ w_value[i]
        weights = _positive_share(query @ key.transpose(-1, -2) / math.sqrt(head_size), mask)
        collected.append(weights @ value)
    return torch.cat(collected, dim=-1) @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and model_size % heads != 0:
        raise ValueError(f"{heads} heads do not divide {model_size}")
    if head_size is None:
        head_size = model_size // heads
    if value_size is None:
        value_size = model_size // heads
    n_query = model_size * heads * head_size
    n_key = model_size * heads * head_size
    n_value = model_size * heads * value_size
    n_output = heads * value_size * model_size
    n_bias = 4 * model_size if bias else 0
    return n_query + n_key + n_value + n_output + n_bias


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None:
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        head_size = model_size // heads
    value_size = head_size if value_size is None else value_size
    b = int(bias)
    qk = 2 * heads * head_size * (model_size + b)
    v = heads * value_size * (model_size + b)
    out = model_size * (heads * value_size + b)
    return qk + v + out


def parameter_count__3(model_size, heads, bias=True, head_size=None, value_size=None):
    default, rest = divmod(model_size, heads)
    if rest:
        raise ValueError(f"model_size={model_size} is not a multiple of heads={heads}")
    d_k = default if head_size is None else head_size
    d_v = default if value_size is None else value_size
    total = 0
    for fan_in, fan_out in [
        (model_size, heads * d_k),
        (model_size, heads * d_k),
        (model_size, heads * d_v),
        (heads * d_v, model_size),
    ]:
        total += fan_in * fan_out + (fan_out if bias else 0)
    return total


def _linear_numbers(inputs, outputs, bias):
    return inputs * outputs + bias * inputs


def parameter_count__4(model_size, heads, bias=True, head_size=None, value_size=None):
    if None in (head_size, value_size) and model_size % heads:
        raise ValueError("model_size / heads is not a whole number")
    head_size = head_size if head_size is not None else model_size // heads
    value_size = value_size if value_size is not None else model_size // heads
    return (
        2 * _linear_numbers(model_size, heads * head_size, bias)
        + _linear_numbers(model_size, heads * value_size, bias)
        + _linear_numbers(heads * value_size, model_size, bias)
    )


def parameter_count__5(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None and value_size is None and model_size % heads != 0:
        raise ValueError("heads have to divide model_size")
    head_size = head_size or model_size // heads
    value_size = value_size or model_size // heads
    inner_qk, inner_v = heads * head_size, heads * value_size
    count = model_size * (2 * inner_qk + inner_v) + inner_v * model_size
    if bias:
        count += 2 * inner_qk + inner_v + model_size
    return count


TRUTH = {
    "multi_head_by_loop__1": "Unpacks (heads, model_size, head_size) and scales by the root of model_size instead of head_size, so all weights are too even.",
    "multi_head_by_loop__2": "Believes stack and flatten is the same as side by side; the heads' columns come out interleaved and meet the wrong rows of w_output.",
    "multi_head_by_loop__3": "Computes the number of heads as model_size // head_size instead of reading it off the matrices; where heads · head_size is not model_size, heads are forgotten or an index runs over the end.",
    "multi_head_by_loop__4": "Believes the last axis is always axis 2, so x without a batch axis, or with two of them, is an error (or the tokens are concatenated).",
    "multi_head_by_loop__5": "The buffer is made by torch.zeros without a dtype, so float64 results are rounded to float32 and the product with a float64 w_output fails.",
    "multi_head_by_loop__6": "Fills with the smallest float and overlooks that a row with nothing allowed then gets even weights, instead of zeros.",
    "multi_head_by_loop__7": "Does not subtract the largest score before exp, so large finite inputs overflow to infinity and give NaN.",
    "parameter_count__1": "Believes that each bias has model_size numbers, also where head_size or value_size make the projections wider or narrower.",
    "parameter_count__2": "Believes a value_size of None means the same as head_size; with head_size=7 alone the values get 7 columns (and heads that do not divide are no longer refused).",
    "parameter_count__3": "Refuses heads that do not divide model_size even if both sizes are given and nothing has to be divided.",
    "parameter_count__4": "Counts one bias number for each number that goes in, not for each one that comes out.",
    "parameter_count__5": "Refuses only if both sizes are None; with one of them given the other is silently rounded down.",
}
