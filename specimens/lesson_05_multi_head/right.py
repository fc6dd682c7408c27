"""Right answers to lesson 05, in styles that are not ours."""

import math
from fractions import Fraction

import numpy as np
import torch


def _attend(q, k, v, mask):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        return torch.softmax(scores, dim=-1) @ v
    return torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1).nan_to_num(0.0) @ v


# multi_head_by_loop


def multi_head_by_loop__sum_over_blocks(x, w_query, w_key, w_value, w_output, mask=None):
    size, out = w_query.shape[-1], 0
    for h in range(w_query.shape[0]):
        head = _attend(x @ w_query[h], x @ w_key[h], x @ w_value[h], mask)
        out = out + head @ w_output[h * size : (h + 1) * size]
    return out


def multi_head_by_loop__fills_a_buffer(x, w_query, w_key, w_value, w_output, mask=None):
    heads, _, size = w_query.shape
    merged = x.new_zeros(*x.shape[:-1], heads * size)
    for h in range(heads):
        merged[..., h * size : (h + 1) * size] = _attend(x @ w_query[h], x @ w_key[h], x @ w_value[h], mask)
    return merged.matmul(w_output)


def multi_head_by_loop__broadcasts(x, w_query, w_key, w_value, w_output, mask=None):
    x = x.unsqueeze(-3)
    mask = None if mask is None else mask.unsqueeze(-3)
    each = _attend(x @ w_query, x @ w_key, x @ w_value, mask)  # (..., heads, tokens, head_size)
    return each.transpose(-2, -3).flatten(-2) @ w_output


def multi_head_by_loop__einsum(x, w_query, w_key, w_value, w_output, mask=None):
    q, k, v = (torch.einsum("...td,hds->...hts", x, w) for w in (w_query, w_key, w_value))
    scores = torch.einsum("...hqs,...hks->...hqk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask.unsqueeze(-3), scores, torch.tensor(-torch.inf, dtype=x.dtype))
    shares = scores.softmax(-1).nan_to_num()
    merged = torch.einsum("...hqk,...hks->...qhs", shares, v)
    return merged.reshape(*x.shape[:-1], -1) @ w_output


def multi_head_by_loop__stack_behind_the_tokens(x, w_query, w_key, w_value, w_output, mask=None):
    each = [_attend(x @ q, x @ k, x @ v, mask) for q, k, v in zip(w_query, w_key, w_value)]
    return torch.stack(each, dim=-2).flatten(-2) @ w_output


def multi_head_by_loop__double_precision_inside(x, w_query, w_key, w_value, w_output, mask=None):
    d = x.double()
    each = [_attend(d @ q, d @ k, d @ v, mask) for q, k, v in zip(w_query.double(), w_key.double(), w_value.double())]
    return (torch.cat(each, -1) @ w_output.double()).to(x.dtype)


def multi_head_by_loop__fused_function(x, w_query, w_key, w_value, w_output, mask=None):
    from torch.nn.functional import scaled_dot_product_attention as sdpa

    collected = []
    for h in range(len(w_query)):
        q, k, v = x @ w_query[h], x @ w_key[h], x @ w_value[h]
        if mask is None:
            collected.append(sdpa(q, k, v))
        else:
            out = sdpa(q, k, v, attn_mask=mask | ~mask.any(-1, keepdim=True))
            collected.append(out * mask.any(-1, keepdim=True))
    return torch.concatenate(collected, axis=-1) @ w_output


def multi_head_by_loop__grows_by_cat(x, w_query, w_key, w_value, w_output, mask=None):
    result = None
    for h in range(w_query.size(0)):
        head = _attend(x @ w_query[h], x @ w_key[h], x @ w_value[h], mask)
        result = head if result is None else torch.cat((result, head), dim=x.dim() - 1)
    return result @ w_output


def multi_head_by_loop__heads_as_the_last_axis(x, w_query, w_key, w_value, w_output, mask=None):
    """Log-sum-exp over the keys; dead rows stay open, and become zero afterwards."""
    heads, _, size = w_query.shape
    q, k, v = (torch.einsum("...td,hdk->...thk", x.double(), w.double()) for w in (w_query, w_key, w_value))
    logits = torch.einsum("...ihk,...jhk->...ijh", q, k) / math.sqrt(size)
    allowed = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool) if mask is None else mask
    alive = allowed.any(-1, keepdim=True)
    logits = logits.masked_fill((~allowed & alive).unsqueeze(-1), -torch.inf)
    weights = (logits - torch.logsumexp(logits, dim=-2, keepdim=True)).exp() * alive.unsqueeze(-1)
    mixed = torch.einsum("...ijh,...jhk->...ihk", weights, v)
    return torch.einsum("...ihk,hkm->...im", mixed, w_output.double().unflatten(0, (heads, size))).to(x.dtype)


def multi_head_by_loop__one_head_and_the_rest(x, w_query, w_key, w_value, w_output, mask=None):
    """Recursion over the heads."""

    def heads_from(i):
        own = _attend(x @ w_query[i], x @ w_key[i], x @ w_value[i], mask)
        return own if i + 1 == len(w_query) else torch.cat((own, heads_from(i + 1)), dim=-1)

    return torch.nn.functional.linear(heads_from(0), w_output.T)


# parameter_count


def parameter_count__floats(model_size, heads, bias=True, head_size=None, value_size=None):
    hs = model_size / heads if head_size is None else head_size
    vs = model_size / heads if value_size is None else value_size
    if hs != int(hs) or vs != int(vs):
        raise ValueError(f"{model_size} / {heads} is no whole number")
    total = heads * (2 * model_size * hs + model_size * vs + vs * model_size)
    if bias:
        total += heads * (2 * hs + vs) + model_size
    return total


def parameter_count__numpy_shapes(model_size, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and model_size % heads != 0:
        raise ValueError("no")
    hs = model_size // heads if head_size is None else head_size
    vs = model_size // heads if value_size is None else value_size
    shapes = np.array([[model_size, heads * hs], [model_size, heads * hs], [model_size, heads * vs]])
    shapes = np.vstack([shapes, [heads * vs, model_size]])
    return shapes.prod(axis=1).sum() + bias * shapes[:, 1].sum()


def parameter_count__one_more_input_for_the_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    def size(given):
        if given is not None:
            return given
        share, rest = divmod(model_size, heads)
        if rest:
            raise ValueError(f"{heads} heads and {model_size} columns")
        return share

    k, v, one = heads * size(head_size), heads * size(value_size), int(bias)
    return 2 * (model_size + one) * k + (model_size + one) * v + (v + one) * model_size


def parameter_count__torch_layers(model_size, heads, bias=True, head_size=None, value_size=None):
    assert None not in (head_size, value_size) or model_size % heads == 0, "heads do not divide"
    hs = model_size // heads if head_size is None else head_size
    vs = model_size // heads if value_size is None else value_size
    layers = [torch.nn.Linear(model_size, hs * heads, bias=bias, device="meta") for _ in range(2)]
    layers.append(torch.nn.Linear(model_size, vs * heads, bias=bias, device="meta"))
    layers.append(torch.nn.Linear(vs * heads, model_size, bias=bias, device="meta"))
    return sum(p.numel() for layer in layers for p in layer.parameters())


def parameter_count__head_by_head(model_size, heads, bias=True, head_size=None, value_size=None):
    share = Fraction(model_size, heads)
    sizes = [share if s is None else s for s in (head_size, head_size, value_size)]
    if any(s != int(s) for s in sizes):
        raise ArithmeticError("a size is no whole number")
    count = model_size if bias else 0
    for _ in range(heads):
        for s in sizes:
            count += int(s) * model_size + (int(s) if bias else 0)
        count += int(sizes[-1]) * model_size
    return int(count)


def parameter_count__a_tensor(model_size, heads, bias=True, head_size=None, value_size=None):
    return torch.tensor(parameter_count__one_more_input_for_the_bias(model_size, heads, bias, head_size, value_size))


def parameter_count__a_bias_is_one_more_row(model_size, heads, bias=True, head_size=None, value_size=None):
    def columns(size):
        share = Fraction(model_size, heads)
        assert size is not None or share.denominator == 1, "heads do not divide model_size"
        return heads * (share.numerator if size is None else size)

    b, keys, values = int(bool(bias)), columns(head_size), columns(value_size)
    return 2.0 * keys * (model_size + b) + values * (model_size + b) + model_size * (values + b)
