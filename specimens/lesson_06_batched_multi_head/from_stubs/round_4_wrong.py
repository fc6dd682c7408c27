import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, causal_mask, masked_attention, masked_softmax, multi_head_by_loop, padding_mask, parameter_count

TRUTH = {}


# ---------------------------------------------------------------- split_heads
def split_heads__1(x, heads):
    return torch.stack(torch.chunk(x, heads, dim=-1), dim=1)


TRUTH["split_heads__1"] = ("one", "relies on torch.chunk to complain: with 6 columns and 4 heads chunk gives 3 blocks of 2, so 3 heads come back instead of an error")


def split_heads__2(x, heads):
    model_size = x.size(-1)
    if model_size % heads:
        raise ValueError("heads must divide model_size")
    head_size = model_size // heads
    blocks = [x[..., i * heads:i * heads + head_size] for i in range(heads)]
    return torch.stack(blocks, dim=1)


TRUTH["split_heads__2"] = ("slip", "block i starts at column i * heads instead of i * head_size: right only where heads equals head_size")


# ---------------------------------------------------------------- merge_heads
def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    stacked = x.reshape(batch * heads, tokens, head_size)      # as in the well-known TensorFlow code
    return torch.cat(torch.split(stacked, batch, dim=0), dim=2)


TRUTH["merge_heads__1"] = ("one", "the folded axis runs batch-major but is split as though it ran head-major, so batch items and heads get mixed whenever batch and heads are both larger than one")


def merge_heads__2(x):
    pieces = [piece.squeeze() for piece in x.split(1, dim=1)]
    return torch.cat(pieces, dim=-1)


TRUTH["merge_heads__2"] = ("odd", "squeeze() without an axis also drops a batch axis of one, a single token or a head_size of one: the result then lacks an axis (or is too short)")


# ---------------------------------------------------------------- multi_head_attention
def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    def cut(t):
        return t.unflatten(-1, (heads, -1))

    q, k, v = cut(query @ w_query), cut(key @ w_key), cut(value @ w_value)
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = scores.softmax(-1)
    else:
        if mask.dim() == 3:
            mask = mask[:, None]
        weights = masked_softmax(scores, mask.expand(scores.shape))
    return torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2) @ w_output


TRUTH["multi_head_attention__1"] = ("one", "takes a mask of three axes for (batch, queries, keys) and inserts the heads' axis, where the contract says (heads, queries, keys)")


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    b, n, m = query.shape
    d = m // heads
    q = (query @ w_query).view(b, n, heads, d).permute(0, 2, 1, 3)
    k = (key @ w_key).view(b, -1, heads, d).permute(0, 2, 3, 1)
    v = (value @ w_value).view(b, -1, heads, d).permute(0, 2, 1, 3)
    logits = q.matmul(k) * d ** -0.5
    alive = torch.ones((), dtype=torch.bool)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=logits.dtype).masked_fill(~mask, -1e4)
        logits = logits + bias
        alive = mask.any(dim=-1, keepdim=True)
    w = torch.softmax(logits, dim=-1) * alive
    return w.matmul(v).permute(0, 2, 1, 3).reshape(b, n, m) @ w_output


TRUTH["multi_head_attention__2"] = ("one", "adds -1e4 to blocked scores: where scores differ by more than ten thousand a blocked key still wins the softmax")


def multi_head_attention__3(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = torch.stack((query @ w_query).chunk(heads, -1), 1)
    k = torch.stack((key @ w_key).chunk(heads, -1), 1)
    v = torch.stack((key @ w_value).chunk(heads, -1), 1)
    if mask is None:
        mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool)
    scores = q @ k.mT / query.shape[-1] ** 0.5
    blocked = ~mask.expand_as(scores)
    a = scores.masked_fill(blocked, float("-inf"))
    a = torch.where(blocked.all(-1, keepdim=True), torch.zeros_like(a), a)
    a = torch.softmax(a, -1).masked_fill(blocked, 0.0)
    return torch.cat((a @ v).unbind(1), -1) @ w_output


TRUTH["multi_head_attention__3"] = ("two", "makes the values of key instead of value; and divides the scores by the root of model_size instead of head_size")


def multi_head_attention__4(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    head_size = query.shape[-1] // heads
    shape = (query.shape[0], heads, query.shape[1], key.shape[1])
    if mask is None:
        allowed = torch.ones(shape, dtype=torch.bool)
    else:
        allowed = torch.broadcast_to(mask, shape)
    total = 0
    for i in range(heads):
        cols = slice(i * head_size, i * head_size + head_size)
        q = query @ w_query[:, cols]
        k = key @ w_key[:, cols]
        v = value @ w_value[:, cols]
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(head_size)
        weights = masked_softmax(scores, allowed[:, 0])
        total = total + torch.bmm(weights, v) @ w_output[cols]
    return total


TRUTH["multi_head_attention__4"] = ("slip", "allowed[:, 0] instead of allowed[:, i]: all heads get the first head's mask")


# ---------------------------------------------------------------- MultiHeadAttention
class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.heads = heads
        self.p = dropout
        for name in ("query", "key", "value", "output"):
            self.add_module(name, nn.Linear(model_size, model_size, bias=bias))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (
            layer(t).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for layer, t in ((self.query, query), (self.key, key), (self.value, value))
        )
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
        weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask.expand(scores.shape))
        used = weights
        if self.training and self.p > 0:
            # one throw for each pair of query and key
            noise = F.dropout(torch.ones_like(weights[:, :1]), self.p)
            used = weights * noise
        out = self.output((used @ v).transpose(1, 2).flatten(2))
        return (out, weights) if return_weights else out


TRUTH["MultiHeadAttention__1"] = ("one", "in train mode one throw is shared by all heads of a pair (query, key), so every head drops the same weights")


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0, "heads must divide model_size"
        self.h, self.d = heads, model_size // heads
        self.query = nn.Linear(model_size, model_size, bias)
        self.key = nn.Linear(model_size, model_size, bias)
        self.value = nn.Linear(model_size, model_size, bias)
        self.output = nn.Linear(model_size, model_size, bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        B, Q, M = query.shape
        K = key.shape[1]
        q = self.query(query).reshape(B, Q, self.h, self.d)
        k = self.key(key).reshape(B, K, self.h, self.d)
        v = self.value(value).reshape(B, K, self.h, self.d)
        s = torch.einsum("bqhd,bkhd->bhqk", q, k) * self.d ** -0.5
        if mask is not None:
            m = torch.broadcast_to(mask, s.shape)
            a = masked_softmax(s, m)
        else:
            a = torch.softmax(s, dim=-1)
        a = self.drop(a)
        y = self.output(torch.einsum("bhqk,bkhd->bqhd", a, v).reshape(B, Q, M))
        if mask is not None:
            sees = m.any(dim=-1).any(dim=1)
            y = y * sees[:, :, None]
        if return_weights:
            return y, a
        return y


TRUTH["MultiHeadAttention__2"] = ("two", "a query that may look at nothing gets zeros instead of the output's bias; and the returned weights are those after dropout")


class MultiHeadAttention__3(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("model_size must be a multiple of heads")
        self.heads = heads
        self.mask = None
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def _heads(self, t):
        return torch.stack(t.chunk(self.heads, dim=-1), dim=1)

    def _weights(self, q, k):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        full = (scores.shape[0], self.heads, scores.shape[2], scores.shape[3])
        if self.mask is None or self.mask.shape[-1:] not in ((), (1,), full[-1:]):
            return torch.softmax(scores, dim=-1)
        return masked_softmax(scores, self.mask.expand(full))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = key if key is not None else query
        value = value if value is not None else key
        if mask is not None:
            self.mask = mask
        q, k, v = self._heads(self.query(query)), self._heads(self.key(key)), self._heads(self.value(value))
        weights = self._weights(q, k)
        mixed = torch.cat(list((self.dropout(weights) @ v).unbind(dim=1)), dim=-1)
        output = self.output(mixed)
        return (output, weights) if return_weights else output


TRUTH["MultiHeadAttention__3"] = ("odd", "keeps the mask on self and never clears it: a later call without a mask still uses the mask of the call before")


class MultiHeadAttention__4(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("no")
        self.heads = heads
        self.dropout = dropout
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias=bias) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None: key = query
        if value is None: value = key
        Q = self.query(query).tensor_split(self.heads, dim=-1)
        K = self.key(key).tensor_split(self.heads, dim=-1)
        V = self.key(value).tensor_split(self.heads, dim=-1)
        n_b, n_q, n_k = len(query), query.size(1), key.size(1)
        allowed = None if mask is None else mask.broadcast_to(n_b, self.heads, n_q, n_k)
        seen, outs = [], []
        for h, (q, k, v) in enumerate(zip(Q, K, V)):
            s = torch.baddbmm(torch.zeros(n_b, n_q, n_k, dtype=q.dtype), q, k.transpose(1, 2), alpha=1 / math.sqrt(q.size(-1)))
            w = torch.softmax(s, -1) if allowed is None else masked_softmax(s, allowed[:, h])
            seen.append(w)
            outs.append(F.dropout(w, self.dropout, self.training) @ v)
        out = self.output(torch.cat(outs, -1))
        if return_weights:
            return out, torch.stack(seen, 1)
        return out


TRUTH["MultiHeadAttention__4"] = ("slip", "values go through self.key instead of self.value: the value projection is never used and gets no gradient")
