"""Right answers in the idiom of well-known public implementations, written anew from understanding.

Each keeps the shapes of its model's code; what our contract asks besides (a row of zeros where nothing may be looked
at, queries that stand at the last keys, heads that divide) is added in a line.
"""

import math

import torch
from einops import einsum, rearrange, repeat
from einops.layers.torch import Rearrange
from torch import nn
from torch.nn import functional as F


def _zeros_for_nan(weights):
    return torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)


def split_heads__as_in_nanogpt(x, heads):
    B, T, C = x.size()
    return x.view(B, T, heads, C // heads).transpose(1, 2)


def split_heads__as_in_x_transformers(x, heads):
    return rearrange(x, "b n (h d) -> b h n d", h=heads)


def split_heads__as_in_d2l(x, heads):
    x = x.reshape(x.shape[0], x.shape[1], heads, -1)
    x = x.permute(0, 2, 1, 3)
    return x.reshape(-1, heads, x.shape[2], x.shape[3])


def merge_heads__as_in_nanogpt(y):
    B, nh, T, hs = y.size()
    return y.transpose(1, 2).contiguous().view(B, T, nh * hs)


def merge_heads__as_in_x_transformers(x):
    return rearrange(x, "b h n d -> b n (h d)")


def merge_heads__as_in_vision_transformers(x):
    return Rearrange("b h n d -> b n (h d)")(x)


def multi_head_attention__as_in_x_transformers(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q, k, v = (
        rearrange(x @ w, "b n (h d) -> b h n d", h=heads) for x, w in ((query, w_query), (key, w_key), (value, w_value))
    )
    sim = einsum(q, k, "b h i d, b h j d -> b h i j") * q.shape[-1] ** -0.5
    attn = sim.softmax(dim=-1)
    if mask is not None:
        attn = _zeros_for_nan(sim.masked_fill(~mask, -torch.inf).softmax(dim=-1))
    out = einsum(attn, v, "b h i j, b h j d -> b h i d")
    return rearrange(out, "b h n d -> b n (h d)") @ w_output


class MultiHeadAttention__as_in_nanogpt(nn.Module):
    """One projection for three, and the parts' names of that model."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0
        self.c_attn = nn.Linear(model_size, 3 * model_size, bias=bias)
        self.c_proj = nn.Linear(model_size, model_size, bias=bias)
        self.attn_dropout = nn.Dropout(dropout)
        self.n_head = heads
        self.n_embd = model_size

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, _, _ = self.c_attn(query).split(self.n_embd, dim=2)
        _, k, _ = self.c_attn(key).split(self.n_embd, dim=2)
        _, _, v = self.c_attn(value).split(self.n_embd, dim=2)
        q, k, v = (t.view(*t.shape[:2], self.n_head, -1).transpose(1, 2) for t in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if mask is not None:
            att = att.masked_fill(~mask, float("-inf"))
        att = _zeros_for_nan(F.softmax(att, dim=-1))
        y = self.attn_dropout(att) @ v
        y = self.c_proj(y.transpose(1, 2).contiguous().view(*query.shape))
        return (y, att) if return_weights else y


class MultiHeadAttention__as_in_vision_transformers(nn.Module):
    def __init__(self, dim, num_heads, bias=True, dropout=0.0):
        super().__init__()
        assert dim % num_heads == 0, "dim should be divisible by num_heads"
        self.num_heads, self.scale = num_heads, (dim // num_heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=bias)
        self.attn_drop = nn.Dropout(dropout)
        self.proj = nn.Linear(dim, dim, bias=bias)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        parts = (rearrange(self.qkv(x), "b n (p h d) -> p b h n d", p=3, h=self.num_heads) for x in (query, key, value))
        q, k, v = (three[number] for number, three in enumerate(parts))
        attn = (q * self.scale) @ k.transpose(-2, -1)
        attn = attn.softmax(dim=-1) if mask is None else _zeros_for_nan(attn.where(mask, -torch.inf).softmax(dim=-1))
        x = self.proj((self.attn_drop(attn) @ v).transpose(1, 2).reshape(query.shape))
        return (x, attn) if return_weights else x


class MultiHeadAttention__as_in_the_annotated_transformer(nn.Module):
    """The same line for three projections, and the weights kept for later."""

    def __init__(self, d_model, h, bias=True, dropout=0.0):
        super().__init__()
        assert d_model % h == 0
        self.d_k = d_model // h
        self.h = h
        self.query, self.key, self.value, self.output = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.attn = None
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip((self.query, self.key, self.value), (query, key, value))
        ]
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        self.attn = scores.softmax(dim=-1)
        if mask is not None:
            self.attn = self.attn * mask
        x = torch.matmul(self.dropout(self.attn), value)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return (self.output(x), self.attn) if return_weights else self.output(x)


class MultiHeadAttention__as_in_d2l(nn.Module):
    """Heads are folded into the batch."""

    def __init__(self, num_hiddens, num_heads, bias=True, dropout=0.0):
        super().__init__()
        if num_hiddens % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {num_hiddens}")
        self.num_heads = num_heads
        self.dropout = nn.Dropout(dropout)
        self.W_q = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.W_k = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.W_v = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)

    def transpose_qkv(self, X):
        X = X.reshape(X.shape[0], X.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)
        return X.reshape(-1, X.shape[2], X.shape[3])

    def transpose_output(self, X):
        X = X.reshape(-1, self.num_heads, X.shape[1], X.shape[2]).permute(0, 2, 1, 3)
        return X.reshape(X.shape[0], X.shape[1], -1)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        queries = self.transpose_qkv(self.W_q(query))
        keys = self.transpose_qkv(self.W_k(key))
        values = self.transpose_qkv(self.W_v(value))
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(queries.shape[-1])
        if mask is not None:
            allowed = mask.expand(len(query), self.num_heads, *scores.shape[1:]).flatten(0, 1)
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = _zeros_for_nan(nn.functional.softmax(scores, dim=-1))
        output = self.W_o(self.transpose_output(torch.bmm(self.dropout(weights), values)))
        return (output, weights.unflatten(0, (-1, self.num_heads))) if return_weights else output


class MultiHeadAttention__as_in_llms_from_scratch(nn.Module):
    """Weight splits: one matrix for each of three, cut by a view."""

    def __init__(self, d_out, num_heads, bias=True, dropout=0.0):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_out, d_out, bias=bias)
        self.W_key = nn.Linear(d_out, d_out, bias=bias)
        self.W_value = nn.Linear(d_out, d_out, bias=bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, key=None, value=None, mask=None, return_weights=False):
        key = x if key is None else key
        value = key if value is None else value
        b, num_tokens, _ = x.shape
        queries = self.W_query(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        keys = self.W_key(key).view(b, -1, self.num_heads, self.head_dim).transpose(1, 2)
        values = self.W_value(value).view(b, -1, self.num_heads, self.head_dim).transpose(1, 2)
        attn_scores = queries @ keys.transpose(2, 3)
        if mask is not None:
            attn_scores.masked_fill_(~mask, -torch.inf)
        attn_weights = _zeros_for_nan(torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1))
        context_vec = (self.dropout(attn_weights) @ values).transpose(1, 2)
        context_vec = context_vec.contiguous().view(b, num_tokens, self.d_out)
        return (self.out_proj(context_vec), attn_weights) if return_weights else self.out_proj(context_vec)


class MultiHeadAttention__as_in_x_transformers(nn.Module):
    def __init__(self, dim, heads, bias=True, dropout=0.0):
        super().__init__()
        if dim % heads:
            raise ValueError("heads must divide dim")
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.to_q = nn.Linear(dim, dim, bias=bias)
        self.to_k = nn.Linear(dim, dim, bias=bias)
        self.to_v = nn.Linear(dim, dim, bias=bias)
        self.to_out = nn.Linear(dim, dim, bias=bias)
        self.attn_dropout = nn.Dropout(dropout)

    def forward(self, x, key=None, value=None, mask=None, return_weights=False):
        context = x if key is None else key
        value = context if value is None else value
        q, k, v = self.to_q(x), self.to_k(context), self.to_v(value)
        q, k, v = (rearrange(t, "b n (h d) -> b h n d", h=self.heads) for t in (q, k, v))
        sim = einsum(q, k, "b h i d, b h j d -> b h i j") * self.scale
        attn = sim.softmax(dim=-1)
        if mask is not None:
            mask = repeat(mask, "i j -> b h i j", b=sim.shape[0], h=self.heads) if mask.ndim == 2 else mask
            attn = sim.masked_fill(~mask, -torch.finfo(sim.dtype).max).softmax(dim=-1) * mask
        out = self.to_out(rearrange(self.attn_dropout(attn) @ v, "b h n d -> b n (h d)"))
        return (out, attn) if return_weights else out
