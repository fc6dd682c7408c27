"""Right answers to lesson 06, in styles that are not ours."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def _cut(x, heads):
    batch, tokens, model_size = x.shape
    assert model_size % heads == 0
    return x.view(batch, tokens, heads, model_size // heads).transpose(1, 2)


def _join(x):
    batch, heads, tokens, size = x.shape
    return x.transpose(1, 2).contiguous().view(batch, tokens, heads * size)


def _weights(query, key, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.nan_to_num(torch.softmax(scores, dim=-1))


# fuse_heads


def fuse_heads__permutes(weights):
    heads, model_size, head_size = weights.shape
    return weights.permute(1, 0, 2).reshape(model_size, heads * head_size)


def fuse_heads__horizontal_stack(weights):
    return torch.hstack(list(weights))


def fuse_heads__einsum(weights):
    return torch.einsum("hms->mhs", weights).flatten(1)


def fuse_heads__grows_in_a_loop(weights):
    fused = weights[0]
    for matrix in weights[1:]:
        fused = torch.cat((fused, matrix), 1)
    return fused


def fuse_heads__column_by_column(weights):
    columns = []
    for head in range(weights.shape[0]):
        for column in range(weights.shape[2]):
            columns.append(weights[head, :, column])
    return torch.stack(columns, dim=1)


def fuse_heads__transposed_twice(weights):
    return weights.mT.reshape(-1, weights.shape[1]).T


# split_heads


def split_heads__view_and_transpose(x, heads):
    b, t, d = x.shape
    if d % heads:
        raise ValueError(f"{d} columns, {heads} heads")
    return x.view(b, t, heads, d // heads).transpose(1, 2)


def split_heads__chunks(x, heads):
    if x.size(-1) % heads != 0:
        raise ValueError("heads do not divide")
    return torch.stack(torch.chunk(x, heads, dim=-1), dim=1)


def split_heads__unflatten(x, heads):
    assert x.shape[-1] % heads == 0, "heads do not divide"
    return x.unflatten(-1, (heads, -1)).movedim(-2, -3)


def split_heads__permute_with_minus_one(x, heads):
    size, rest = divmod(x.shape[2], heads)
    if rest:
        raise ValueError(f"{rest} columns are left over")
    return x.reshape(*x.shape[:2], -1, size).permute(0, 2, 1, 3)


def split_heads__fills_by_loops(x, heads):
    batch, tokens, model_size = x.shape
    if model_size / heads != model_size // heads:
        raise ValueError("no whole number of columns")
    size = model_size // heads
    out = torch.zeros(batch, heads, tokens, size, dtype=x.dtype)
    for b in range(batch):
        for h in range(heads):
            for t in range(tokens):
                out[b, h, t] = x[b, t, h * size : h * size + size]
    return out


def split_heads__lets_torch_refuse(x, heads):
    return torch.einsum("bths->bhts", x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads))


# merge_heads


def merge_heads__contiguous_view(x):
    b, h, t, s = x.size()
    return x.transpose(1, 2).contiguous().view(b, t, h * s)


def merge_heads__cat_of_unbound(x):
    return torch.cat(x.unbind(dim=1), dim=-1)


def merge_heads__permute_reshape(x):
    return x.permute(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def merge_heads__einsum_flatten(x):
    return torch.einsum("...hts->...ths", x).flatten(-2)


def merge_heads__loop_over_tokens(x):
    rows = [torch.cat([x[:, head, token] for head in range(x.shape[1])], dim=-1) for token in range(x.shape[2])]
    return torch.stack(rows, dim=1)


def merge_heads__double_inside(x):
    return x.double().movedim(1, 2).flatten(2)


# multi_head_attention


def multi_head_attention__fused_function(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)) @ w_output


def multi_head_attention__loop_over_heads(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    size = w_query.shape[1] // heads
    if mask is not None:
        mask = mask.broadcast_to(query.shape[0], heads, query.shape[1], key.shape[1])
    out = 0
    for h in range(heads):
        block = slice(h * size, (h + 1) * size)
        q, k, v = query @ w_query[:, block], key @ w_key[:, block], value @ w_value[:, block]
        weights = _weights(q, k, None if mask is None else mask[:, h])
        out = out + weights @ v @ w_output[block]
    return out


def multi_head_attention__einsum_with_heads_in_the_weights(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    d = w_query.shape[0]
    wq, wk, wv = (w.reshape(d, heads, -1) for w in (w_query, w_key, w_value))
    q, k, v = (torch.einsum("btd,dhs->bhts", x, w) for x, w in ((query, wq), (key, wk), (value, wv)))
    mixed = torch.einsum("bhqk,bhks->bqhs", _weights(q, k, mask), v)
    return torch.einsum("bqhs,hsd->bqd", mixed, w_output.reshape(heads, -1, d))


def multi_head_attention__scales_the_query_first(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    head_dim = query.size(-1) // heads
    q = _cut(query @ w_query * head_dim**-0.5, heads)
    scores = torch.matmul(q, _cut(key @ w_key, heads).transpose(-2, -1))
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(-1e30, dtype=scores.dtype))
    attn = scores.softmax(-1)
    if mask is not None:
        attn = attn * mask
    return _join(attn @ _cut(value @ w_value, heads)) @ w_output


def multi_head_attention__item_by_item(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    if mask is not None:
        mask = mask.expand(query.shape[0], heads, query.shape[1], key.shape[1])
    outs = []
    for b in range(query.shape[0]):
        q, k, v = (_cut((x[b : b + 1]) @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
        outs.append(_join(_weights(q, k, None if mask is None else mask[b : b + 1]) @ v) @ w_output)
    return torch.cat(outs)


def multi_head_attention__heads_folded_into_the_batch(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    b, s = query.shape[0], query.shape[2] // heads
    q, k, v = (
        _cut(x @ w, heads).reshape(b * heads, -1, s) for x, w in ((query, w_query), (key, w_key), (value, w_value))
    )
    scores = torch.bmm(q, k.transpose(1, 2)) / s**0.5
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, -torch.inf).expand(b, heads, *scores.shape[1:]).flatten(0, 1)
    mixed = torch.nan_to_num(scores.softmax(2)) @ v
    return _join(mixed.view(b, heads, -1, s)) @ w_output


# to_allowed


def to_allowed__dictionary_of_functions(mask, convention):
    readers = {
        "allowed": lambda m: m,
        "blocked": torch.logical_not,
        "additive": lambda m: m > -1,
        "blocked_float": lambda m: m < 0.5,
    }
    if convention not in readers:
        raise ValueError(f"{convention}: none of {', '.join(readers)}")
    return readers[convention](mask)


def to_allowed__match(mask, convention):
    match convention:
        case "allowed":
            return mask.clone()
        case "blocked":
            return mask == False  # noqa: E712
        case "additive":
            return torch.exp(mask) > 0
        case "blocked_float":
            return ~mask.bool()
    raise ValueError('one of "allowed", "blocked", "additive", "blocked_float"')


def to_allowed__key_error(mask, convention):
    turn = {"allowed": False, "blocked": True, "additive": True, "blocked_float": True}[convention]
    return mask.to(torch.bool) ^ turn


def to_allowed__in_numpy(mask, convention):
    if convention not in ("allowed", "blocked", "additive", "blocked_float"):
        raise ValueError("allowed, blocked, additive, blocked_float")
    m = np.asarray(mask)
    return torch.from_numpy(m.copy() if convention == "allowed" else np.logical_not(m))


def to_allowed__is_it_low(mask, convention):
    assert convention in {"allowed", "blocked", "additive", "blocked_float"}
    if mask.dtype == torch.bool:
        return mask if convention == "allowed" else torch.bitwise_not(mask)
    return torch.isclose(mask, torch.zeros_like(mask))


# MultiHeadAttention


class MultiHeadAttention__fused_projection(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads, self.size = heads, model_size
        self.in_proj = nn.Linear(model_size, 3 * model_size, bias=bias)
        self.out_proj = nn.Linear(model_size, model_size, bias=bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        d = self.size
        q = self.in_proj(query)[..., :d]
        k = self.in_proj(key)[..., d : 2 * d]
        v = self.in_proj(value)[..., 2 * d :]
        weights = _weights(_cut(q, self.heads), _cut(k, self.heads), mask)
        out = self.out_proj(_join(self.drop(weights) @ _cut(v, self.heads)))
        if return_weights:
            return out, weights
        return out


class MultiHeadAttention__other_names(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError(f"{model_size} / {heads}")
        self.num_heads = heads
        self.q_proj = nn.Linear(model_size, model_size, bias)
        self.k_proj = nn.Linear(model_size, model_size, bias)
        self.v_proj = nn.Linear(model_size, model_size, bias)
        self.out_proj = nn.Linear(model_size, model_size, bias)
        self.p = dropout

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = key if key is not None else query
        value = value if value is not None else key
        q, k, v = self.q_proj(query), self.k_proj(key), self.v_proj(value)
        q, k, v = (_cut(x, self.num_heads) for x in (q, k, v))
        weights = _weights(q, k, mask)
        dropped = F.dropout(weights, self.p, training=self.training)
        out = self.out_proj(_join(dropped @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__fused_function_where_no_weights_are_wanted(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads, self.dropout = heads, dropout
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (_cut(f(x), self.heads) for f, x in ((self.query, query), (self.key, key), (self.value, value)))
        p = self.dropout if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        out = self.output(_join(out))
        return (out, _weights(q, k, mask)) if return_weights else out


class MultiHeadAttention__parameters_by_hand(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads = heads
        for name in ("query", "key", "value", "output"):
            setattr(self, f"w_{name}", nn.Parameter(torch.randn(model_size, model_size) / model_size**0.5))
            setattr(self, f"b_{name}", nn.Parameter(torch.zeros(model_size)) if bias else None)
        self.dropout = nn.Dropout(dropout)

    def _project(self, name, x):
        bias = getattr(self, f"b_{name}")
        out = x @ getattr(self, f"w_{name}")
        return out if bias is None else out + bias

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (_cut(self._project(n, x), self.heads) for n, x in (("query", query), ("key", key), ("value", value)))
        weights = _weights(q, k, mask)
        out = self._project("output", _join(self.dropout(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__one_head_after_another(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads, self.size = heads, model_size // heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = self.query(query), self.key(key), self.value(value)
        if mask is not None:
            mask = mask.broadcast_to(q.shape[0], self.heads, q.shape[1], k.shape[1])
        maps, found = [], []
        for h in range(self.heads):
            block = slice(h * self.size, (h + 1) * self.size)
            w = _weights(q[..., block], k[..., block], None if mask is None else mask[:, h])
            maps.append(w)
            found.append(self.dropout(w) @ v[..., block])
        out = self.output(torch.cat(found, dim=-1))
        return (out, torch.stack(maps, dim=1)) if return_weights else out
