"""Right answers to `Block` of lesson 09, in styles that the reference does not have."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import masked_softmax, merge_heads, split_heads
from mha_ref.layer import MultiHeadAttention


class Block__a_name_for_each_module(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.norm1 = nn.LayerNorm(model_size)
        self.self_attn = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.dropout1 = nn.Dropout(dropout)
        self.norm2 = nn.LayerNorm(model_size)
        self.linear1 = nn.Linear(model_size, hidden_size)
        self.linear2 = nn.Linear(hidden_size, model_size)
        self.dropout2 = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        y = self.norm1(x)
        x = x + self.dropout1(self.self_attn(y, y, y, mask))
        y = self.norm2(x)
        return x + self.dropout2(self.linear2(F.gelu(self.linear1(y))))


class _Feeding(nn.Module):
    def __init__(self, model_size, hidden_size, dropout):
        super().__init__()
        self.c_fc = nn.Linear(model_size, hidden_size)
        self.gelu = nn.GELU()
        self.c_proj = nn.Linear(hidden_size, model_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.c_proj(self.gelu(self.c_fc(x))))


class Block__with_an_mlp_of_its_own(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(model_size), nn.LayerNorm(model_size)
        self.attn = MultiHeadAttention(model_size, heads, True, dropout)
        self.resid_dropout = nn.Dropout(dropout)
        self.mlp = _Feeding(model_size, hidden_size, dropout)

    def forward(self, x, mask=None):
        x = x + self.resid_dropout(self.attn(self.ln_1(x), mask=mask))
        x = x + self.mlp(self.ln_2(x))
        return x


class Block__in_a_loop(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        parts = lambda y: self.attention(y, mask=mask), self.feed_forward
        for norm, part in zip(self.norms, parts, strict=True):
            x = x + self.dropout(part(norm(x)))
        return x


class Block__norms_by_hand(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.ModuleDict(
            {"widen": nn.Linear(model_size, hidden_size), "narrow": nn.Linear(hidden_size, model_size)}
        )
        self.dropout = dropout

    def norm(self, x):
        return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, correction=0) + 1e-5).sqrt()

    def add(self, x, change):
        return x + F.dropout(change, self.dropout, self.training)

    def forward(self, x, mask=None):
        x = self.add(x, self.attention(self.norm(x), mask=mask))
        wide = self.feed_forward["widen"](self.norm(x))
        return self.add(x, self.feed_forward["narrow"](wide * (1 + torch.erf(wide / math.sqrt(2))) / 2))


class Block__norms_as_parameters(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.widen, self.narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.norm1_gain, self.norm1_bias = nn.Parameter(torch.ones(model_size)), nn.Parameter(torch.zeros(model_size))
        self.norm2_gain, self.norm2_bias = nn.Parameter(torch.ones(model_size)), nn.Parameter(torch.zeros(model_size))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        normed = F.layer_norm(x, x.shape[-1:], self.norm1_gain, self.norm1_bias)
        x = x + self.dropout(self.attention(normed, mask=mask))
        normed = F.layer_norm(x, x.shape[-1:], self.norm2_gain, self.norm2_bias)
        return x + self.dropout(self.narrow(F.gelu(self.widen(normed))))


class Block__functional(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.fc1, self.fc2 = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.p = dropout

    def forward(self, x, mask=None):
        residual, size = x, x.shape[-1:]
        x, _weights = self.attention(F.layer_norm(x, size), mask=mask, return_weights=True)
        x = residual + F.dropout(x, self.p, training=self.training)
        residual = x
        x = self.fc2(F.gelu(self.fc1(F.layer_norm(x, size))))
        return residual + F.dropout(x, self.p, training=self.training)


class Block__in_another_order(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide a model size of {model_size}")
        self.think_in = nn.Linear(model_size, hidden_size)
        self.think_out = nn.Linear(hidden_size, model_size)
        self.norm_think = nn.LayerNorm(model_size)
        self.norm_look = nn.LayerNorm(model_size)
        self.look = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        seen = x + self.drop(self.look(query=self.norm_look(x), mask=mask))
        thought = self.think_out(nn.GELU()(self.think_in(self.norm_think(seen))))
        return self.drop(thought) + seen


class _Residual(nn.Module):
    def __init__(self, size, part, dropout):
        super().__init__()
        self.norm, self.part, self.dropout = nn.LayerNorm(size), part, nn.Dropout(dropout)

    def forward(self, x, **options):
        return x + self.dropout(self.part(self.norm(x), **options))


class Block__two_residual_modules(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        feed = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.attention = _Residual(model_size, MultiHeadAttention(model_size, heads, dropout=dropout), dropout)
        self.feed_forward = _Residual(model_size, feed, dropout)

    def forward(self, x, mask=None):
        return self.feed_forward(self.attention(x, mask=mask))


class Block__adds_in_place(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(model_size),
            nn.Linear(model_size, hidden_size),
            nn.GELU(approximate="none"),
            nn.Linear(hidden_size, model_size),
            nn.Dropout(dropout),
        )
        self.norm = nn.LayerNorm(model_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        stream = x.clone()
        stream += self.dropout(self.attention(self.norm(x), mask=mask))
        return stream + self.feed_forward(stream)


class _Attention(nn.Module):
    def __init__(self, model_size, heads, dropout):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads")
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        self.qkv, self.out = nn.Linear(model_size, 3 * model_size), nn.Linear(model_size, model_size)

    def forward(self, x, mask):
        query, key, value = (split_heads(part, self.heads) for part in self.qkv(x).chunk(3, dim=-1))
        scores = query @ key.mT / key.shape[-1] ** 0.5
        weights = masked_softmax(scores, torch.ones_like(scores, dtype=torch.bool) if mask is None else mask)
        return self.out(merge_heads(self.dropout(weights) @ value))


class Block__attention_written_anew(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = _Attention(model_size, heads, dropout)
        self.widen, self.narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.norms = nn.ModuleDict({name: nn.LayerNorm(model_size) for name in ("look", "think")})
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms["look"](x), mask))
        return x + self.dropout(self.narrow(F.gelu(self.widen(self.norms["think"](x)))))


class Block__weights_as_parameters(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.norm1, self.norm2 = nn.LayerNorm(model_size), nn.LayerNorm(model_size)
        self.w_widen = nn.Parameter(torch.randn(model_size, hidden_size) / model_size**0.5)
        self.b_widen = nn.Parameter(torch.zeros(hidden_size))
        self.w_narrow = nn.Parameter(torch.randn(hidden_size, model_size) / hidden_size**0.5)
        self.b_narrow = nn.Parameter(torch.zeros(model_size))
        self.drop = nn.Dropout(dropout)

    def feed_forward(self, x):
        return F.gelu(x @ self.w_widen + self.b_widen) @ self.w_narrow + self.b_narrow

    def forward(self, x, mask=None):
        x = x + self.drop(self.attention(self.norm1(x), mask=mask))
        return torch.add(x, self.drop(self.feed_forward(self.norm2(x))))
