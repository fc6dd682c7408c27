import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, causal_mask, masked_attention, masked_softmax, multi_head_by_loop, padding_mask, parameter_count

TRUTH = {}

# ---------------------------------------------------------------- split_heads

TRUTH["split_heads__1"] = ("one", "deals the columns out like cards (column c goes to head c mod heads) instead of cutting consecutive blocks")


def split_heads__1(x, heads):
    if x.size(-1) % heads:
        raise ValueError(f"{heads} heads do not divide {x.size(-1)} columns")
    return torch.stack([x[:, :, h::heads] for h in range(heads)], dim=1)


TRUTH["split_heads__2"] = ("one", "relies on torch.chunk and torch.stack to complain where heads do not divide model_size: for 4 heads of 6 columns chunk gives 3 equal pieces, and no error comes")


def split_heads__2(x, heads):
    # chunk cuts into `heads` pieces; if they are not of the same size stack raises an error by itself
    pieces = torch.chunk(x, heads, dim=-1)
    return torch.stack(pieces, dim=1)


TRUTH["split_heads__3"] = ("slip", "the divisibility check looks at the number of tokens (shape[1]) instead of model_size: refuses good inputs, and the error is missing or another one for bad ones")


def split_heads__3(x, heads):
    batch, tokens, model_size = x.shape
    if x.shape[1] % heads != 0:
        raise ValueError("heads must divide model_size")
    head_size = model_size // heads
    blocks = []
    for h in range(heads):
        blocks.append(x[..., h * head_size:(h + 1) * head_size].unsqueeze(1))
    return torch.cat(blocks, dim=1)


TRUTH["split_heads__4"] = ("two", "reshapes straight to (batch, heads, tokens, head_size) without a transpose, so tokens and heads are mixed up; and drops left-over columns silently instead of raising an error")


def split_heads__4(x, heads):
    batch, tokens, model_size = x.shape
    size = model_size // heads
    usable = x[..., :size * heads]
    return usable.reshape(batch, heads, tokens, size)


# ---------------------------------------------------------------- merge_heads

TRUTH["merge_heads__1"] = ("one", "weaves the heads: head h gets columns h, h + heads, ... of the result instead of a block of neighbouring columns")


def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    merged = torch.zeros(batch, tokens, heads * head_size, dtype=x.dtype)
    for h in range(heads):
        merged[:, :, h::heads] = x[:, h]
    return merged


TRUTH["merge_heads__2"] = ("slip", "the loop over heads runs to the batch size: right only where batch == heads, otherwise columns are missing or an IndexError comes")


def merge_heads__2(x):
    batch, heads, tokens, head_size = x.shape
    sentences = []
    for b in range(batch):
        sentences.append(torch.cat([x[b, h] for h in range(batch)], dim=-1))
    return torch.stack(sentences)


TRUTH["merge_heads__3"] = ("odd", "transpose_ with an underscore turns the caller's own tensor round: the result is right, but the input has another shape afterwards (and a leaf that wants gradients raises)")


def merge_heads__3(x):
    return x.transpose_(1, 2).flatten(start_dim=2)


TRUTH["merge_heads__4"] = ("two", "reshapes without moving the head axis behind the tokens, so tokens and heads are mixed; and squeeze() takes away the batch axis where batch is one")


def merge_heads__4(x):
    b, h, t, d = x.size()
    joined = x.contiguous().view(b, t, h * d)
    return joined.squeeze()


# ---------------------------------------------------------------- multi_head_attention

TRUTH["multi_head_attention__1"] = ("one", "'narrow' attention: the inputs are cut into heads before the projection, so that head h sees only its own columns of the input and the diagonal block of each matrix")


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    size = query.shape[-1] // heads
    seen = None
    if mask is not None:
        seen = mask.broadcast_to(query.shape[0], heads, query.shape[1], key.shape[1])
    results = []
    for h in range(heads):
        block = slice(h * size, (h + 1) * size)
        q = query[..., block] @ w_query[block, block]
        k = key[..., block] @ w_key[block, block]
        v = value[..., block] @ w_value[block, block]
        results.append(masked_attention(q, k, v, None if seen is None else seen[:, h]))
    return torch.cat(results, dim=-1) @ w_output


TRUTH["multi_head_attention__2"] = ("one", "hands the boolean mask to scaled_dot_product_attention as floats: 1 or 0 is added to the scores, so blocked keys are looked at with a weight that is only e times smaller")


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    def project(sequence, matrix):
        return (sequence @ matrix).unflatten(-1, (heads, -1)).transpose(1, 2)

    q, k, v = project(query, w_query), project(key, w_key), project(value, w_value)
    if mask is not None:
        # the function wants a mask of the same dtype as the query
        mask = mask.to(q.dtype).expand(q.shape[0], heads, q.shape[2], k.shape[2])
    mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return mixed.transpose(1, 2).flatten(2) @ w_output


TRUTH["multi_head_attention__3"] = ("slip", "the values are made of `key` instead of `value`: right only where both are the same sequence")


def multi_head_attention__3(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    B, Q, M = query.shape
    K = key.shape[1]
    S = M // heads
    q = (query @ w_query).reshape(B, Q, heads, S)
    k = (key @ w_key).reshape(B, K, heads, S)
    v = (key @ w_value).reshape(B, K, heads, S)
    scores = torch.einsum("bqhs,bkhs->bhqk", q, k) / math.sqrt(S)
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        weights = masked_softmax(scores, mask)
    return torch.einsum("bhqk,bkhs->bqhs", weights, v).reshape(B, Q, M) @ w_output


TRUTH["multi_head_attention__4"] = ("two", "blocked scores become -1e9, so that a query that may look at nothing gets the mean of all values instead of zeros; and a mask of three axes is read as (batch, queries, keys) instead of (heads, queries, keys)")


def multi_head_attention__4(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    def heads_first(t):
        b, n, m = t.shape
        return t.view(b, n, heads, m // heads).permute(0, 2, 1, 3)

    q = heads_first(torch.matmul(query, w_query))
    k = heads_first(torch.matmul(key, w_key))
    v = heads_first(torch.matmul(value, w_value))
    logits = torch.matmul(q, k.transpose(-2, -1)) * q.size(-1) ** -0.5
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        logits = logits.masked_fill(mask.logical_not(), -1e9)
    out = torch.matmul(logits.softmax(-1), v)
    b, h, n, s = out.shape
    return torch.matmul(out.permute(0, 2, 1, 3).reshape(b, n, h * s), w_output)


# ---------------------------------------------------------------- MultiHeadAttention

TRUTH["MultiHeadAttention__1"] = ("one", "one throw of dropout for each query and key is shared by all heads, instead of a throw of its own for each weight")


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("model_size must be a multiple of heads")
        self.heads = heads
        self.size = model_size // heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.p = dropout

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        b, n, _ = query.shape
        m = key.shape[1]
        q = self.query(query).view(b, n, self.heads, self.size)
        k = self.key(key).view(b, m, self.heads, self.size)
        v = self.value(value).view(b, m, self.heads, self.size)
        scores = torch.einsum("bqhs,bkhs->bhqk", q, k) / math.sqrt(self.size)
        weights = scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)
        keep = F.dropout(torch.ones(b, 1, n, m, dtype=weights.dtype), self.p, self.training)
        out = torch.einsum("bhqk,bkhs->bqhs", weights * keep, v).reshape(b, n, -1)
        out = self.output(out)
        return (out, weights) if return_weights else out


TRUTH["MultiHeadAttention__2"] = ("one", "DropKey: dropped keys are hidden before the softmax, so that the others are normalised again to sum 1 instead of being divided by 1 - dropout")


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{model_size} cannot be divided by {heads}")
        self.h, self.dropout = heads, dropout
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(model_size, model_size, bias))

    def _cut(self, x):
        return torch.stack(x.chunk(self.h, dim=-1), dim=1)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = self._cut(self.query(query)), self._cut(self.key(key)), self._cut(self.value(value))
        scores = attention_scores(q, k)
        if mask is None:
            weights = torch.softmax(scores, -1)
        else:
            weights = masked_softmax(scores, mask)
        used = weights
        if self.training and self.dropout > 0:
            kept = torch.rand_like(scores) >= self.dropout
            used = masked_softmax(scores, kept if mask is None else kept & mask)
        heads_out = used @ v
        out = self.output(torch.cat(heads_out.unbind(1), dim=-1))
        if return_weights:
            return out, weights
        return out


TRUTH["MultiHeadAttention__3"] = ("two", "value None means the query instead of the key; and the returned weights are the mean over the heads, (batch, queries, keys), as nn.MultiheadAttention gives them")


class MultiHeadAttention__3(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        head_size, rest = divmod(model_size, heads)
        if rest:
            raise ValueError("bad number of heads")
        self.num_heads = heads
        self.head_dim = head_size
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key, value = (query if t is None else t for t in (key, value))

        def shape(t):
            return t.unflatten(2, (self.num_heads, self.head_dim)).movedim(2, 1)

        q, k, v = shape(self.query(query)), shape(self.key(key)), shape(self.value(value))
        logits = q.matmul(k.mT).div(self.head_dim ** 0.5)
        if mask is None:
            attn = torch.softmax(logits, dim=-1)
        else:
            attn = masked_softmax(logits, mask)
        context = self.attn_drop(attn).matmul(v)
        result = self.output(context.movedim(1, 2).flatten(2))
        if return_weights:
            return result, attn.mean(dim=1)
        return result


TRUTH["MultiHeadAttention__4"] = ("odd", "the layer remembers the last mask and uses it again in later calls that come without a mask")


class MultiHeadAttention__4(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0, "heads must divide model_size"
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.drop = nn.Dropout(dropout)
        self.mask = None

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        if mask is not None:
            self.mask = mask
        q, k, v = self.query(query), self.key(key), self.value(value)
        size = q.shape[-1] // self.heads
        outs, all_weights = [], []
        for i in range(self.heads):
            cols = slice(i * size, i * size + size)
            scores = attention_scores(q[:, :, cols], k[:, :, cols])
            all_weights.append(scores)
        scores = torch.stack(all_weights, dim=1)
        if self.mask is not None:
            weights = masked_softmax(scores, self.mask)
        else:
            weights = torch.softmax(scores, dim=-1)
        dropped = self.drop(weights)
        for i in range(self.heads):
            outs.append(dropped[:, i] @ v[:, :, i * size:i * size + size])
        out = self.output(torch.cat(outs, dim=2))
        return (out, weights) if return_weights else out
