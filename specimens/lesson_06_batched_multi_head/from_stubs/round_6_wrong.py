import copy
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from mha_ref import masked_softmax


# ---------------------------------------------------------------- split_heads

def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads != 0:
        raise ValueError("heads must divide model_size")
    return x.reshape(batch, heads, tokens, model_size // heads)


def split_heads__2(x, heads):
    b, t, d = x.size()
    if d % heads:
        raise ValueError(f"{d} is not divisible by {heads}")
    return x.reshape(b, t, d // heads, heads).permute(0, 3, 1, 2)


def split_heads__3(x, heads):
    # stack complains by itself if the chunks are not of the same size
    return torch.stack(x.chunk(heads, dim=-1), dim=1)


def split_heads__4(x, heads):
    size = x.shape[-1] // heads
    if size == 0:
        raise ValueError("more heads than columns")
    return x.unfold(-1, size, size).transpose(1, 2)


# ---------------------------------------------------------------- merge_heads

def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    return x.contiguous().view(batch, tokens, heads * head_size)


def merge_heads__2(x):
    return x.permute(0, 2, 3, 1).reshape(x.size(0), x.size(2), -1)


def merge_heads__3(x):
    b, h, t, s = x.shape
    return x.transpose_(1, 2).reshape(b, t, h * s)


# ---------------------------------------------------------------- multi_head_attention

def _cut(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def _paste(x):
    return x.transpose(1, 2).flatten(2)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    head_size = query.shape[-1] // heads
    # scale both sides before the product, that is safer numerically
    q = _cut(query @ w_query, heads) / math.sqrt(head_size)
    k = _cut(key @ w_key, heads) / math.sqrt(head_size)
    v = _cut(value @ w_value, heads)
    scores = q @ k.transpose(-2, -1)
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        weights = masked_softmax(scores, mask)
    return _paste(weights @ v) @ w_output


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    if mask is not None and mask.dim() == 3:
        mask = mask.unsqueeze(1)          # the same mask for every head
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5
    weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
    mixed = torch.einsum("bhqk,bhkd->bqhd", weights, v)
    return mixed.flatten(2) @ w_output


def multi_head_attention__3(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    B, Tq, C = query.shape
    Tk = key.shape[1]
    d = C // heads
    q = F.linear(query, w_query).view(B, Tq, heads, d).transpose(1, 2)
    k = F.linear(key, w_key).view(B, Tk, heads, d).transpose(1, 2)
    v = F.linear(value, w_value).view(B, Tk, heads, d).transpose(1, 2)
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(d))
    if mask is not None:
        att = att.masked_fill(mask == 0, float("-inf"))
    att = F.softmax(att, dim=-1)
    if mask is not None:
        att = att.masked_fill(mask == 0, 0.0)
    y = (att @ v).transpose(1, 2).contiguous().view(B, Tq, C)
    return F.linear(y, w_output)


def multi_head_attention__4(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q, k, v = _cut(query @ w_query, heads), _cut(key @ w_key, heads), _cut(value @ w_value, heads)
    scores = q @ k.mT / math.sqrt(q.size(-1))
    if mask is not None:
        mask = mask.expand(scores.shape)
        scores = scores.masked_fill(~mask, -1e9)
    out = _paste(scores.softmax(dim=-1) @ v) @ w_output
    if mask is not None:
        blind = (~mask).all(dim=-1).any(dim=1)      # (batch, queries)
        out = out.masked_fill(blind.unsqueeze(-1), 0.0)
    return out


def multi_head_attention__5(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = _cut(query @ w_query, heads)
    k = _cut(key @ w_key, heads)
    v = _cut(value @ w_value, heads)
    logits = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(q.shape[-1])
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=logits.dtype).masked_fill(~mask, float("-inf"))
        logits = logits + bias
    attn = torch.nan_to_num(logits.softmax(dim=-1), nan=0.0)
    return _paste(torch.matmul(attn, v)) @ w_output


def multi_head_attention__6(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, queries, model_size = query.shape
    q = _cut(query @ w_query, heads)
    k = _cut(key @ w_key, heads)
    v = _cut(value @ w_value, heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(model_size // heads)
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    context = masked_softmax(scores, allowed) @ v
    return context.reshape(batch, queries, model_size) @ w_output


def multi_head_attention__7(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    b, nq, m = query.shape
    nk = key.shape[1]
    size = m // heads
    q = (query @ w_query).reshape(b, heads, nq, size)
    k = (key @ w_key).reshape(b, heads, nk, size)
    v = (value @ w_value).reshape(b, heads, nk, size)
    scores = q @ k.transpose(2, 3) / size ** 0.5
    w = masked_softmax(scores, mask) if mask is not None else torch.softmax(scores, -1)
    # undo the same reshape
    return (w @ v).reshape(b, nq, m) @ w_output


def multi_head_attention__8(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = _cut(query @ w_query, heads)
    k = _cut(key @ w_key, heads)
    v = _cut(value @ w_value, heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e4)
    weights = F.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask.any(dim=-1, keepdim=True)
    return _paste(weights @ v) @ w_output


def multi_head_attention__9(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = _cut(query @ w_query, heads)
    k = _cut(key @ w_key, heads)
    v = _cut(value @ w_value, heads)
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
    return _paste(weights @ v) @ w_output


def multi_head_attention__10(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = _cut(query @ w_query, heads)
    k, v = (_cut(key @ w, heads) for w in (w_key, w_value))
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
    if mask is None:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool)
    return _paste(masked_softmax(scores, mask) @ v) @ w_output


def multi_head_attention__11(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = _cut(query @ w_query, heads)
    k = _cut(key @ w_key, heads)
    v = _cut(value @ w_value, heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        blocked = mask.logical_not_()
        scores = scores.masked_fill(blocked, float("-inf"))
        weights = F.softmax(scores, dim=-1).masked_fill(blocked, 0.0)
    else:
        weights = F.softmax(scores, dim=-1)
    return _paste(weights @ v) @ w_output


def multi_head_attention__12(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = _cut(query @ w_query, heads)
    k = _cut(key @ w_key, heads)
    v = _cut(value @ w_value, heads)
    s = q @ k.mT * q.shape[-1] ** -0.5
    e = torch.exp(s - s.amax(dim=-1, keepdim=True))
    if mask is not None:
        e = e * mask
    norm = e.sum(dim=-1, keepdim=True)
    norm = norm.masked_fill(norm == 0, 1.0)        # rows with nothing allowed
    return _paste((e / norm) @ v) @ w_output


# ---------------------------------------------------------------- MultiHeadAttention

def _check(model_size, heads):
    if model_size % heads != 0:
        raise ValueError(f"model_size {model_size} cannot be cut into {heads} heads")


def _attend(q, k, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (_cut(p(x), self.heads) for p, x in
                   ((self.query, query), (self.key, key), (self.value, value)))
        weights = _attend(q, k, mask)
        out = self.dropout(self.output(_paste(weights @ v)))
        return (out, weights) if return_weights else out


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.h, self.d_k = heads, model_size // heads
        self.query, self.key, self.value, self.output = (
            nn.Linear(model_size, model_size, bias) for _ in range(4)
        )
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        n = query.size(0)
        q, k, v = [
            lin(x).view(n, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip((self.query, self.key, self.value), (query, key, value))
        ]
        p_attn = _attend(q, k, mask)
        p_attn = self.dropout(p_attn)
        x = torch.matmul(p_attn, v).transpose(1, 2).contiguous().view(n, -1, self.h * self.d_k)
        x = self.output(x)
        if return_weights:
            return x, p_attn
        return x


class MultiHeadAttention__3(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.num_heads = heads
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(model_size, model_size, bias=bias))
        self.p = dropout

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = key if key is not None else query
        value = value if value is not None else key
        q = _cut(self.query(query), self.num_heads)
        k = _cut(self.key(key), self.num_heads)
        v = _cut(self.value(value), self.num_heads)
        weights = _attend(q, k, mask)
        dropped = F.dropout(weights, self.p, training=self.training)
        out = self.output(_paste(dropped @ v))
        if return_weights:
            return out, weights.mean(dim=1)
        return out


class MultiHeadAttention__4(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = query if value is None else value
        q = _cut(self.query(query), self.heads)
        k = _cut(self.key(key), self.heads)
        v = _cut(self.value(value), self.heads)
        weights = _attend(q, k, mask)
        out = self.output(_paste(self.drop(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__5(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.n_head = heads
        self.p_drop = dropout
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        q = _cut(self.query(query), self.n_head)
        k = _cut(self.key(key), self.n_head)
        v = _cut(self.value(value), self.n_head)
        att = _attend(q, k, mask)
        kept = F.dropout(att, p=self.p_drop) if self.train else att
        y = self.output(_paste(kept @ v))
        return (y, att) if return_weights else y


class MultiHeadAttention__6(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.head_size = model_size // heads
        # bias=False concerns queries, keys and values; the output keeps its own
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size)
        self.attn_dropout = nn.Dropout(dropout)

    def _heads(self, x):
        return x.view(*x.shape[:2], self.heads, self.head_size).permute(0, 2, 1, 3)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = self._heads(self.query(query)), self._heads(self.key(key)), self._heads(self.value(value))
        weights = _attend(q, k, mask)
        out = self.output(_paste(self.attn_dropout(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__7(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        self.heads = heads
        self.head_size = model_size // heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def split(self, x):
        batch, tokens, model_size = x.shape
        if model_size != self.heads * self.head_size:
            raise ValueError(f"{self.heads} heads do not divide {model_size}")
        return x.reshape(batch, tokens, self.heads, self.head_size).transpose(1, 2)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = self.split(self.query(query)), self.split(self.key(key)), self.split(self.value(value))
        weights = _attend(q, k, mask)
        mixed = _paste(self.dropout(weights) @ v)
        if return_weights:
            return self.output(mixed), weights
        return self.output(mixed)


class MultiHeadAttention__8(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = _cut(self.query(query), self.heads)
        k = _cut(self.key(key), self.heads)
        v = _cut(self.value(value), self.heads)
        weights = _attend(q, k, mask)
        out = self.output(_paste(self.dropout(weights) @ v))
        if mask is not None:
            # queries without any key, in every head, get zeros
            sees = mask.expand(weights.shape).any(dim=-1).any(dim=1)
            out = out * sees[..., None]
        return (out, weights) if return_weights else out


class MultiHeadAttention__9(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("attention_map", None)     # to look at afterwards

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = _cut(self.query(query), self.heads)
        k = _cut(self.key(key), self.heads)
        v = _cut(self.value(value), self.heads)
        weights = _attend(q, k, mask)
        self.attention_map = weights.detach()
        out = self.output(_paste(self.dropout(weights) @ v))
        if return_weights:
            return out, weights
        return out


class MultiHeadAttention__10(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)
        self.mask = None

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        if mask is not None:
            self.mask = mask
        q = _cut(self.query(query), self.heads)
        k = _cut(self.key(key), self.heads)
        v = _cut(self.value(value), self.heads)
        weights = _attend(q, k, self.mask)
        out = self.output(_paste(self.dropout(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__11(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:                 # self-attention
            key, value = query, query
        elif value is None:
            value = key
        q = _cut(self.query(query), self.heads)
        k = _cut(self.key(key), self.heads)
        v = _cut(self.value(value), self.heads)
        weights = _attend(q, k, mask)
        out = self.output(_paste(self.dropout(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__12(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout2d(dropout)      # the weights are matrices

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = _cut(self.query(query), self.heads)
        k = _cut(self.key(key), self.heads)
        v = _cut(self.value(value), self.heads)
        weights = _attend(q, k, mask)
        out = self.output(_paste(self.dropout(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__13(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = _cut(self.query(query), self.heads)
        k = _cut(self.key(key), self.heads)
        v = _cut(self.value(value), self.heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is None:
            mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device)
        weights = masked_softmax(scores, mask)
        out = self.output(_paste(masked_softmax(self.dropout(scores), mask) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__14(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.rate = dropout

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = _cut(self.query(query), self.heads)
        k = _cut(self.key(key), self.heads)
        v = _cut(self.value(value), self.heads)
        weights = _attend(q, k, mask)
        used = weights
        if self.training and self.rate > 0:
            keep = torch.rand_like(weights) >= self.rate
            used = weights * keep
            # the remaining weights have to sum to 1 again
            used = used / used.sum(dim=-1, keepdim=True).clamp(min=1e-12)
        out = self.output(_paste(used @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__15(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = dropout

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = _cut(self.query(query), self.heads)
        k = _cut(self.key(key), self.heads)
        v = _cut(self.value(value), self.heads)
        weights = _attend(q, k, mask)
        kept = weights
        if self.training and self.dropout > 0:
            generator = torch.Generator(device=weights.device).manual_seed(0)   # reproducible
            noise = torch.rand(weights.shape, generator=generator, device=weights.device)
            kept = weights * (noise >= self.dropout) / (1 - self.dropout)
        out = self.output(_paste(kept @ v))
        return (out, weights) if return_weights else out


def _clones(module, n):
    return [module for _ in range(n)]


class MultiHeadAttention__16(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.h = heads
        self.query, self.key, self.value, self.output = _clones(
            nn.Linear(model_size, model_size, bias=bias), 4
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (_cut(p(x), self.h) for p, x in
                   zip((self.query, self.key, self.value), (query, key, value)))
        weights = _attend(q, k, mask)
        out = self.output(_paste(self.dropout(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__17(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.heads = heads
        self.head_size = model_size // heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def _fold(self, x):
        b, t, _ = x.shape
        x = x.reshape(b, t, self.heads, self.head_size).transpose(1, 2)
        return x.reshape(b * self.heads, t, self.head_size)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        b, nq, m = query.shape
        nk = key.shape[1]
        q, k, v = self._fold(self.query(query)), self._fold(self.key(key)), self._fold(self.value(value))
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.head_size)
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            while mask.dim() < 4:
                mask = mask.unsqueeze(0)
            if mask.shape[1] == 1:
                mask = mask.expand(b, 1, nq, nk)[:, 0].repeat(self.heads, 1, 1)
            else:
                mask = mask.expand(b, self.heads, nq, nk).reshape(b * self.heads, nq, nk)
            weights = masked_softmax(scores, mask)
        mixed = torch.bmm(self.dropout(weights), v)
        mixed = mixed.view(b, self.heads, nq, self.head_size).transpose(1, 2).reshape(b, nq, m)
        out = self.output(mixed)
        if return_weights:
            return out, weights.view(b, self.heads, nq, nk)
        return out


class MultiHeadAttention__18(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        _check(model_size, heads)
        self.n_head = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        # a bias on the keys shifts all scores of a query alike, softmax does not notice
        self.key = nn.Linear(model_size, model_size, bias=False)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = dropout

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = _cut(self.query(query), self.n_head)
        k = _cut(self.key(key), self.n_head)
        v = _cut(self.value(value), self.n_head)
        qk = _attend(q, k, mask)
        wv = F.dropout(qk, self.dropout, self.training) @ v
        out = self.output(_paste(wv))
        return (out, qk) if return_weights else out


TRUTH = {
    "split_heads__1": "Reshapes straight to (batch, heads, tokens, head_size); a head then gets whole tokens' stretches instead of a block of columns of every token.",
    "split_heads__2": "Reshapes to (..., head_size, heads), so head i gets every heads-th column instead of a block of neighbours.",
    "split_heads__3": "Believes chunk always gives `heads` chunks and stack refuses uneven ones; for 6 columns and 4 heads chunk gives 3 even chunks, and there is no error.",
    "split_heads__4": "Believes only more heads than columns are a problem; unfold silently drops the columns that are left over where heads do not divide model_size.",
    "merge_heads__1": "Forgets to bring the tokens in front of the heads before the view, so tokens and heads are mixed up.",
    "merge_heads__2": "Moves the heads behind the head_size columns, so the heads' columns come out interleaved.",
    "merge_heads__3": "Uses transpose_ with the underscore, which turns the caller's tensor around too.",
    "multi_head_attention__1": "Divides both queries and keys by the root of head_size, so scores are divided by head_size itself.",
    "multi_head_attention__2": "Takes a mask of three axes for (batch, queries, keys), while it is (heads, queries, keys).",
    "multi_head_attention__3": "Uses F.linear, which multiplies by the transposed matrix, while weights multiply from the right.",
    "multi_head_attention__4": "Sets the whole output to zero where any head sees nothing, although other heads of that query see something.",
    "multi_head_attention__5": "Adds minus infinity and repairs NaN afterwards with nan_to_num; forward is right, but a query without keys makes the gradients NaN.",
    "multi_head_attention__6": "Reshapes the heads' results without swapping heads and tokens back.",
    "multi_head_attention__7": "Believes reshaping to (batch, heads, tokens, size) and back is consistent; in fact each head attends over fragments of tokens, and columns of other tokens are mixed in.",
    "multi_head_attention__8": "Fills blocked scores with -1e4, which is not low enough: scores below that let blocked keys win.",
    "multi_head_attention__9": "Zeroes blocked weights after softmax and does not divide again, so the remaining ones do not sum to 1.",
    "multi_head_attention__10": "Makes the values of `key` and overlooks that `value` may be another sequence.",
    "multi_head_attention__11": "Negates the mask in place, so the caller's mask is changed after the call.",
    "multi_head_attention__12": "Subtracts the largest score of all keys, blocked ones included; a very large blocked score lets all allowed weights underflow, and the query gets zeros.",
    "MultiHeadAttention__1": "Puts dropout on the result of the layer instead of on the attention weights.",
    "MultiHeadAttention__2": "Overwrites the weights with the dropped ones, so return_weights gives them after dropout in train mode.",
    "MultiHeadAttention__3": "Believes the returned weights are the mean over heads, so the head axis is missing.",
    "MultiHeadAttention__4": "With a key and no value, takes the values from query instead of from key.",
    "MultiHeadAttention__5": "Asks self.train, a method and so always true, instead of self.training: dropout falls in eval mode as well.",
    "MultiHeadAttention__6": "With bias=False the output projection keeps a bias.",
    "MultiHeadAttention__7": "Making the layer with heads that do not divide is no error; only forward refuses.",
    "MultiHeadAttention__8": "Zeroes the output of a query that sees nothing after the output projection, although it gets the output's bias.",
    "MultiHeadAttention__9": "Keeps the last weights in a buffer, so a call leaves a new entry in state_dict().",
    "MultiHeadAttention__10": "Remembers the last mask, and uses it again in later calls without a mask.",
    "MultiHeadAttention__11": "Treats key=None as self-attention as a whole and throws away a value that was given.",
    "MultiHeadAttention__12": "Believes Dropout2d is dropout for matrices; it drops whole heads at once, not single weights.",
    "MultiHeadAttention__13": "Drops scores before softmax (a dropped score of 0 still gets weight) instead of weights.",
    "MultiHeadAttention__14": "Divides the remaining weights by their sum instead of by 1 - dropout.",
    "MultiHeadAttention__15": "Seeds a generator with 0 in every call, so each call drops the same weights.",
    "MultiHeadAttention__16": "The four clones are one and the same Linear, so the four projections share their weights.",
    "MultiHeadAttention__17": "Folds batch and heads with the batch in front, but repeats the mask with the heads in front: items get each other's masks.",
    "MultiHeadAttention__18": "Leaves out the keys' bias since softmax does not notice it; but all four projections are to have one, so a parameter is missing.",
}
