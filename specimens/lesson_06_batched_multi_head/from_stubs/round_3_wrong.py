import math
import torch
import torch.nn.functional as F
from torch import nn


# ---------------------------------------------------------------- split_heads
def split_heads__1(x, heads):
    # chunk complains if it does not fit
    return torch.stack(x.chunk(heads, dim=-1), dim=1)


def split_heads__2(x, heads):
    if x.shape[-1] % heads:
        raise ValueError("heads must divide model_size")
    picked = [x[:, :, h::heads] for h in range(heads)]
    return torch.stack(picked, 1)


def split_heads__3(x, heads):
    batch, tokens, model_size = x.size()
    if model_size % heads != 0:
        raise ValueError(f"{heads} heads do not divide {model_size}")
    head_size = model_size // heads
    blocks = []
    for h in range(heads):
        begin = h * heads
        blocks.append(x[:, :, begin:begin + head_size])
    return torch.stack(blocks, dim=1)


def split_heads__4(x, heads):
    b, t, m = x.shape
    assert m % heads == 0, "heads must divide model_size"
    d = m // heads
    # no copy: only other strides
    return torch.as_strided(x, size=(b, heads, t, d), stride=(t * m, d, m, 1))


# ---------------------------------------------------------------- merge_heads
def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    items = [item.reshape(tokens, heads * head_size) for item in x]
    return torch.stack(items)


def merge_heads__2(x):
    B, H, T, D = x.shape
    parts = [x[:, h] for h in range(T)]
    return torch.cat(parts, dim=-1)


def merge_heads__3(x):
    batch, heads, tokens, head_size = x.shape
    out = torch.empty(batch, tokens, heads * head_size)
    for b in range(batch):
        for t in range(tokens):
            tile = x[b, :, t]                     # (heads, head_size)
            out[b, t] = tile.T.reshape(-1)
    return out


# ---------------------------------------------------------------- multi_head_attention
def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    d_model = query.shape[-1]

    def to_heads(x, w):
        return torch.einsum("btm,mhd->bhtd", x, w.reshape(d_model, heads, -1))

    q, k, v = to_heads(query, w_query), to_heads(key, w_key), to_heads(value, w_value)
    logits = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(d_model)
    if mask is not None:
        dead = ~mask.any(-1, keepdim=True)
        logits = logits.masked_fill(~mask & ~dead, float("-inf"))
        probs = torch.softmax(logits, -1).masked_fill(dead, 0.0)
    else:
        probs = torch.softmax(logits, -1)
    out = torch.einsum("bhqk,bhkd->bqhd", probs, v)
    return out.flatten(2) @ w_output


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    def shape(x):
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)

    q, k, v = shape(query @ w_query), shape(key @ w_key), shape(value @ w_value)
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        if mask.dim() == 3:                       # one mask for each batch item
            mask = mask.unsqueeze(1)
        mask = mask.expand(scores.shape)
        alive = mask.any(-1, keepdim=True)
        scores = torch.where(mask | ~alive, scores, torch.full_like(scores, float("-inf")))
        weights = torch.where(alive, scores.softmax(-1), torch.zeros_like(scores))
    else:
        weights = scores.softmax(-1)
    return (weights @ v).transpose(1, 2).flatten(-2) @ w_output


def multi_head_attention__3(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    size = query.shape[-1] // heads
    Q = query @ w_query
    K = key @ w_key
    V = key @ w_value
    full = None
    if mask is not None:
        full = mask.expand(query.shape[0], heads, query.shape[1], key.shape[1])
    results = []
    for h in range(heads):
        c = slice(h * size, (h + 1) * size)
        s = torch.bmm(Q[..., c], K[..., c].transpose(1, 2)) / size ** 0.5
        if full is not None:
            s = s.masked_fill(full[:, h].logical_not(), -1e9)
        results.append(torch.bmm(F.softmax(s, dim=2), V[..., c]))
    return torch.cat(results, dim=2) @ w_output


def multi_head_attention__4(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    projected = []
    for sequence, matrix in ((query, w_query), (key, w_query), (value, w_value)):
        p = torch.matmul(sequence, matrix)
        projected.append(torch.stack(p.split(p.shape[-1] // heads, dim=-1), dim=1))
    q, k, v = projected
    scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    mixed = torch.matmul(weights, v)
    return torch.cat(mixed.unbind(1), dim=-1) @ w_output


# ---------------------------------------------------------------- MultiHeadAttention
class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads, self.p = heads, dropout
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(model_size, model_size, bias=bias))

    def _heads(self, x):
        return torch.stack(x.chunk(self.heads, -1), 1)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = self._heads(self.query(query)), self._heads(self.key(key)), self._heads(self.value(value))
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(q.size(-1))
        if mask is None:
            weights = torch.softmax(scores, -1)
        else:
            weights = torch.softmax(scores.masked_fill(~mask, -1e30), -1) * mask
        used = F.dropout(weights, self.p)
        out = self.output(torch.einsum("bhij,bhjd->bihd", used, v).flatten(2))
        if return_weights:
            return out, weights
        return out


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0
        self.h = heads
        self.d = model_size // heads
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
        b, n, m = key.shape
        q = self.query(query).view(b, -1, self.h, self.d).permute(0, 2, 1, 3)
        k = self.key(key).view(b, n, self.h, self.d).permute(0, 2, 3, 1)
        v = self.value(value).view(b, n, self.h, self.d).permute(0, 2, 1, 3)
        a = q @ k / self.d ** 0.5
        if mask is not None:
            a = a.masked_fill(mask == False, torch.finfo(a.dtype).min)
        a = a.softmax(-1)
        if mask is not None:
            a = a.masked_fill(mask == False, 0)
        a = self.drop(a)
        y = (a @ v).permute(0, 2, 1, 3).reshape(b, -1, m)
        y = self.output(y)
        return (y, a) if return_weights else y


class MultiHeadAttention__3(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        self.head_size, rest = divmod(model_size, heads)
        if rest:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.heads = heads
        self.query, self.key, self.value, self.output = (
            nn.Linear(model_size, model_size, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = query if value is None else value
        q, k, v = self.query(query), self.key(key), self.value(value)
        all_weights, outs = [], []
        if mask is not None:
            mask = mask.expand(q.shape[0], self.heads, q.shape[1], k.shape[1])
        for i in range(self.heads):
            cols = slice(i * self.head_size, (i + 1) * self.head_size)
            s = q[:, :, cols] @ k[:, :, cols].mT / math.sqrt(self.head_size)
            if mask is not None:
                m = mask[:, i]
                w = torch.softmax(s.masked_fill(~m, -1e30), -1).masked_fill(~m, 0.0)
            else:
                w = torch.softmax(s, -1)
            all_weights.append(w)
            outs.append(self.dropout(w) @ v[:, :, cols])
        result = self.output(torch.cat(outs, -1))
        return (result, torch.stack(all_weights, 1)) if return_weights else result


class MultiHeadAttention__4(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("model_size must be a multiple of heads")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)
        self.mask = None

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        if mask is not None:
            self.mask = mask
        q, k, v = (f(t).unflatten(-1, (self.heads, -1)).transpose(1, 2)
                   for f, t in ((self.query, query), (self.key, key), (self.value, value)))
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1])
        if self.mask is not None:
            scores = scores.masked_fill(~self.mask, -1e30)
            weights = torch.softmax(scores, -1) * self.mask
        else:
            weights = torch.softmax(scores, -1)
        out = self.output((self.dropout(weights) @ v).transpose(1, 2).flatten(2))
        return (out, weights) if return_weights else out


TRUTH = {
    "split_heads__1": ("one", "relies on chunk to refuse sizes that do not fit: with model_size 6 and 4 heads it quietly gives 3 heads of 2"),
    "split_heads__2": ("one", "takes every heads-th column for a head (interleaved) instead of a block of neighbouring columns"),
    "split_heads__3": ("slip", "block h begins at h*heads instead of h*head_size: right only where heads == head_size (or heads == 1)"),
    "split_heads__4": ("odd", "as_strided with the strides of a contiguous tensor: wrong values (or an error) for an input that is a transposed or sliced view"),
    "merge_heads__1": ("one", "reshapes (heads, tokens, head_size) to (tokens, heads*head_size) without swapping heads and tokens: mixes tokens"),
    "merge_heads__2": ("slip", "loops over the number of tokens instead of the number of heads: drops heads or raises unless tokens == heads"),
    "merge_heads__3": ("two", "transposes the (heads, head_size) tile before flattening, so that columns of the heads are interleaved; and the result is always float32"),
    "multi_head_attention__1": ("one", "divides scores by sqrt(model_size) instead of sqrt(head_size)"),
    "multi_head_attention__2": ("one", "reads a mask of three axes as (batch, queries, keys) instead of (heads, queries, keys)"),
    "multi_head_attention__3": ("two", "values are made of key instead of value; and -1e9 lets a query that may look at nothing get an average instead of zeros"),
    "multi_head_attention__4": ("slip", "keys are projected with w_query instead of w_key"),
    "MultiHeadAttention__1": ("one", "F.dropout without training=self.training: drops weights in eval mode too"),
    "MultiHeadAttention__2": ("one", "returns the weights after dropout instead of before"),
    "MultiHeadAttention__3": ("slip", "value None becomes query instead of key: wrong (or raises) when a key is given without a value"),
    "MultiHeadAttention__4": ("odd", "remembers the last mask in self.mask and uses it in later calls without a mask"),
}
