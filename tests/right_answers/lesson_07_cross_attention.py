"""Right answers to lesson 07, in styles that are not ours."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref.layer import MultiHeadAttention

# cross_attention


def cross_attention__by_einsum(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    size = x.shape[-1] // heads
    q = torch.einsum("bqd,dhk->bhqk", x, w_query.reshape(-1, heads, size))
    k = torch.einsum("bsd,dhk->bhsk", memory, w_key.reshape(-1, heads, size))
    v = torch.einsum("bsd,dhk->bhsk", memory, w_value.reshape(-1, heads, size))
    scores = torch.einsum("bhqk,bhsk->bhqs", q, k) / size**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.nan_to_num(scores.softmax(-1))
    return torch.einsum("bhqs,bhsk,hkd->bqd", weights, v, w_output.reshape(heads, size, -1))


def cross_attention__head_by_head(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    b, n, d = x.shape
    s = d // heads
    full = torch.ones(b, heads, n, memory.shape[1], dtype=torch.bool)
    full = full if mask is None else full & mask
    total = torch.zeros_like(x)
    for h in range(heads):
        c = slice(h * s, h * s + s)
        scores = (x @ w_query[:, c]) @ (memory @ w_key[:, c]).transpose(1, 2) / math.sqrt(s)
        scores = torch.where(full[:, h], scores, torch.tensor(-1e9, dtype=scores.dtype))
        w = torch.softmax(scores, -1) * full[:, h]
        total = total + w @ (memory @ w_value[:, c]) @ w_output[c]
    return total


def cross_attention__fused(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    def cut(t):
        return t.unflatten(-1, (heads, -1)).transpose(1, 2)

    q, k, v = cut(x @ w_query), cut(memory @ w_key), cut(memory @ w_value)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    if mask is not None:
        out = out * mask.any(-1, keepdim=True)
    return out.transpose(1, 2).flatten(2) @ w_output


def cross_attention__keys_and_values_in_one_product(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    b, n, d = x.shape
    q = (x @ w_query).view(b, n, heads, d // heads).permute(0, 2, 1, 3)
    both = memory @ torch.cat([w_key, w_value], dim=1)
    k, v = (t.view(b, -1, heads, d // heads).permute(0, 2, 1, 3) for t in both.split(d, dim=-1))
    s = q @ k.permute(0, 1, 3, 2) * (d // heads) ** -0.5
    if mask is not None:
        s = s + torch.zeros_like(s).masked_fill(mask.logical_not(), float("-inf"))
    a = torch.softmax(s, dim=-1).nan_to_num(0.0)
    return (a @ v).permute(0, 2, 1, 3).reshape(b, n, d) @ w_output


def cross_attention__in_double_precision(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    wide = [t.double() for t in (x, memory, w_query, w_key, w_value, w_output)]
    return cross_attention__head_by_head(*wide, heads, mask).to(x.dtype)


# encoder_decoder_masks


def encoder_decoder_masks__comparisons(source_lengths, target_lengths, sources, targets):
    source = torch.arange(sources)[None, None, None, :] < source_lengths[:, None, None, None]
    i = torch.arange(targets)
    target = (i[None, :] <= i[:, None])[None, None] & (i < target_lengths[:, None, None, None])
    return source, target, source.clone()


def encoder_decoder_masks__loops(source_lengths, target_lengths, sources, targets):
    batch = len(source_lengths)
    source = torch.zeros(batch, 1, 1, sources, dtype=torch.bool)
    target = torch.zeros(batch, 1, targets, targets, dtype=torch.bool)
    for n in range(batch):
        source[n, ..., : source_lengths[n]] = True
        for query in range(targets):
            target[n, 0, query, : min(query + 1, int(target_lengths[n]))] = True
    return [source, target, source]


def encoder_decoder_masks__tril(source_lengths, target_lengths, sources, targets):
    s = (torch.arange(sources).expand(len(source_lengths), -1) < source_lengths.unsqueeze(1)).view(-1, 1, 1, sources)
    t = (torch.arange(targets).expand(len(target_lengths), -1) < target_lengths.unsqueeze(1)).view(-1, 1, 1, targets)
    return s, torch.tril(torch.ones(targets, targets, dtype=torch.bool)).logical_and(t), s


def encoder_decoder_masks__smaller_of_two(source_lengths, target_lengths, sources, targets):
    ends = torch.minimum(torch.arange(1, targets + 1).view(1, 1, -1, 1), target_lengths.view(-1, 1, 1, 1))
    cross = torch.stack([torch.arange(sources) < n for n in source_lengths])[:, None, None]
    return cross, torch.arange(targets) < ends, cross


def encoder_decoder_masks__cumulative_sums(source_lengths, target_lengths, sources, targets):
    def real(lengths, size):
        ones = torch.ones(len(lengths), size).cumsum(1)
        return (ones <= lengths[:, None].float())[:, None, None, :]

    future = torch.triu(torch.ones(targets, targets), diagonal=1).bool()
    return real(source_lengths, sources), real(target_lengths, targets) & ~future, real(source_lengths, sources)


# DecoderLayer


class DecoderLayer__one_norm_each(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.norm1 = nn.LayerNorm(model_size)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.norm2 = nn.LayerNorm(model_size)
        self.linear1 = nn.Linear(model_size, hidden_size)
        self.linear2 = nn.Linear(hidden_size, model_size)
        self.norm3 = nn.LayerNorm(model_size)
        self.drop1, self.drop2, self.drop3 = nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norm1(x)
        x = x + self.drop1(self.self_attention(y, y, y, self_mask))
        x = x + self.drop2(self.cross_attention(self.norm2(x), memory, memory, memory_mask))
        return x + self.drop3(self.linear2(torch.relu(self.linear1(self.norm3(x)))))


class DecoderLayer__in_a_loop(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size), nn.Dropout(dropout)
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        parts = (
            lambda y: self.dropout(self.self_attention(y, mask=self_mask)),
            lambda y: self.dropout(self.cross_attention(y, memory, mask=memory_mask)),
            self.feed_forward,
        )
        for norm, part in zip(self.norms, parts, strict=True):
            x = x + part(norm(x))
        return x


class DecoderLayer__norms_by_hand(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.ModuleDict(
            {"widen": nn.Linear(model_size, hidden_size), "narrow": nn.Linear(hidden_size, model_size)}
        )
        self.dropout = dropout

    def norm(self, x):
        return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, correction=0) + 1e-5).sqrt()

    def add(self, x, change):
        return x + F.dropout(change, self.dropout, self.training)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.add(x, self.self_attention(self.norm(x), mask=self_mask))
        x = self.add(x, self.cross_attention(self.norm(x), memory, mask=memory_mask))
        wide = self.feed_forward["widen"](self.norm(x)).clamp(min=0)
        return self.add(x, self.feed_forward["narrow"](wide))


class DecoderLayer__blocks_inside(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attn = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attn = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.mlp = nn.Sequential(nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size))
        self.ln_self, self.ln_cross, self.ln_mlp = (nn.LayerNorm(model_size) for _ in range(3))
        self.p = dropout

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        drop = nn.Dropout(self.p).train(self.training)
        x = drop(self.self_attn(self.ln_self(x), mask=self_mask)) + x
        x = drop(self.cross_attn(self.ln_cross(x), key=memory, value=memory, mask=memory_mask)) + x
        return torch.add(x, drop(self.mlp(self.ln_mlp(x))))


class DecoderLayer__functional(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.fc1, self.fc2 = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        size = x.shape[-1:]
        residual = x
        x, _weights = self.self_attention(F.layer_norm(x, size), mask=self_mask, return_weights=True)
        x = residual + self.dropout(x)
        residual = x
        x = residual + self.dropout(self.cross_attention(F.layer_norm(x, size), memory, mask=memory_mask))
        return x + self.dropout(self.fc2(F.relu(self.fc1(F.layer_norm(x, size)))))
