import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref.layer import MultiHeadAttention
import functools
import operator
import numpy as np


# ---------------------------------------------------------------- cross_attention
def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, queries, model_size = x.shape
    size = model_size // heads

    def cut(t):
        return t.reshape(batch, heads, -1, size)

    q, k, v = cut(x @ w_query), cut(memory @ w_key), cut(memory @ w_value)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(size)
    if mask is None:
        weights = scores.softmax(-1)
    else:
        weights = scores.masked_fill(~mask, -1e30).softmax(-1) * mask
    context = torch.einsum("bhqk,bhkd->bhqd", weights, v)
    return context.reshape(batch, queries, model_size) @ w_output


def cross_attention__2(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    q = (x @ w_query).chunk(heads, dim=-1)
    k = (memory @ w_key).chunk(heads, dim=-1)
    v = (memory @ w_value).chunk(heads, dim=-1)
    if mask is not None:
        mask = mask.expand(x.shape[0], heads, x.shape[1], memory.shape[1])
    out = []
    for i, (qi, ki, vi) in enumerate(zip(q, k, v)):
        w = torch.softmax(qi @ ki.transpose(1, 2), dim=-1)
        if mask is not None:
            w = w * mask[:, i]
        out.append(w @ vi)
    return torch.cat(out, -1) @ w_output


def cross_attention__3(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    B, Q, M = x.shape
    K = memory.shape[1]
    D = M // heads
    q = (x @ w_query).view(B, Q, heads, D).transpose(1, 2)
    both = memory @ torch.cat((w_key, w_value), dim=1)      # one product instead of two
    v, k = both.view(B, K, 2, heads, D).permute(2, 0, 3, 1, 4)
    if mask is None:
        mask = torch.ones(1, 1, 1, 1, dtype=torch.bool, device=x.device)
    s = (q @ k.mT / D ** 0.5).masked_fill(~mask, -1e30)
    s = s - s.amax(-1, keepdim=True).detach()
    e = s.exp() * mask
    p = e / e.sum(-1, keepdim=True).clamp(min=1e-9)
    return (p @ v).transpose(1, 2).reshape(B, Q, M) @ w_output


# ---------------------------------------------------------------- encoder_decoder_masks
def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    def real(lengths, size):
        return torch.arange(size, device=lengths.device)[None] < lengths[:, None]

    s, t = real(source_lengths, sources), real(target_lengths, targets)
    past = torch.ones(targets, targets, dtype=torch.bool, device=t.device).tril()
    target = torch.einsum("bq,bk->bqk", t.int(), t.int()).bool() & past
    source = s[:, None, None, :]
    return source, target[:, None], source.clone()


def encoder_decoder_masks__2(source_lengths, target_lengths, sources, targets):
    source = torch.stack([torch.arange(sources) < n for n in source_lengths])
    target = torch.stack([torch.arange(targets) <= n for n in target_lengths])
    source = source.reshape(-1, 1, 1, sources)
    target = target.reshape(-1, 1, 1, targets)
    i = torch.arange(targets)
    causal = i[:, None] >= i[None, :]
    return source, target & causal, source


def encoder_decoder_masks__3(source_lengths, target_lengths, sources, targets):
    S = int(source_lengths.max())
    batch = len(source_lengths)
    source = torch.zeros(batch, 1, 1, S, dtype=torch.bool)
    target = torch.zeros(batch, 1, targets, targets, dtype=torch.bool)
    for b in range(batch):
        source[b, 0, 0, :int(source_lengths[b])] = True
        for row in range(targets):
            for col in range(row):
                target[b, 0, row, col] = col < int(target_lengths[b])
    return source, target, source.clone()


# ---------------------------------------------------------------- DecoderLayer
class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        steps = (
            lambda t: self.self_attention(t, mask=self_mask),
            lambda t: self.cross_attention(t, memory, mask=memory_mask),
            self.feed_forward,
        )
        for norm, step in zip(self.norms, steps):
            x = norm(x + self.dropout(step(x)))
        return x


class DecoderLayer__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        attention = dict(model_size=model_size, heads=heads, dropout=dropout)
        self.self_attention = MultiHeadAttention(**attention)
        self.cross_attention = MultiHeadAttention(**attention)
        self.feed_forward = nn.Sequential()
        self.feed_forward.append(nn.Linear(model_size, hidden_size))
        self.feed_forward.append(nn.ReLU())
        self.feed_forward.append(nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList()
        while len(self.norms) < 3:
            self.norms.append(nn.LayerNorm(model_size))
        self.rate = dropout

    def drop(self, t):
        return F.dropout(t, self.rate, self.training)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        n1, n2, n3 = self.norms
        normed = n1(x)
        x = x + self.drop(self.self_attention(normed, normed, normed, self_mask))
        normed, normed_memory = n2(x), n2(memory)
        x = x + self.drop(self.cross_attention(normed, normed_memory, normed_memory, memory_mask))
        return x + self.drop(self.feed_forward(n3(x)))


class DecoderLayer__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.drop = nn.Dropout(dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.ReLU(), self.drop,
                                          nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size), nn.LayerNorm(model_size)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norms[0](x)
        x = x + self.drop(self.self_attention(x, mask=self_mask))
        x = self.norms[1](x)
        x = x + self.drop(self.cross_attention(x, memory, mask=memory_mask))
        x = self.norms[2](x)
        x = x + self.drop(self.feed_forward(x))
        return x


class DecoderLayer__4(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout)
        self.up = nn.Linear(model_size, hidden_size)
        self.down = nn.Linear(hidden_size, model_size)
        self.norm_self = nn.LayerNorm(model_size)
        self.norm_cross = nn.LayerNorm(model_size)
        self.norm_ff = nn.LayerNorm(model_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        looked = self.self_attention(self.norm_self(x), mask=self_mask)
        x = x + self.dropout(looked)
        asked = self.cross_attention(self.norm_cross(x), memory, mask=memory_mask)
        x = x + self.dropout(asked)
        thought = self.down(torch.relu(self.up(self.norm_ff(x))))
        return x + self.dropout(thought)


# ---------------------------------------------------------------- combine_masks
def combine_masks__1(first, second):
    if first is None:
        return second
    if second is None:
        return second
    return np.minimum(first, second)


def combine_masks__2(first, second):
    masks = [m for m in (first, second) if m is not None]
    if not masks:
        return None
    masks.sort(key=np.size, reverse=True)
    return functools.reduce(operator.iand, masks)


def combine_masks__3(first, second):
    if first is None or second is None:
        return first if second is None else second
    other = np.broadcast_to(second, first.shape)
    flat = [bool(a) and bool(b) for a, b in zip(first.flat, other.flat)]
    return np.array(flat, dtype=bool).reshape(first.shape)


TRUTH = {
    "combine_masks__1": ("slip", "when second is None it returns second (None) instead of first"),
    "combine_masks__2": ("one", "combines with &= in place: the larger input mask (the first, when the sizes are equal) is changed; raises if neither shape contains the other"),
    "combine_masks__3": ("one", "the second is broadcast to the first's shape alone: raises when the common shape is larger than first's"),
    "cross_attention__1": ("one", "cuts into heads by reshape(batch, heads, tokens, size) with no transpose (and back the same way): mixes tokens, a head is not a block of neighbouring columns"),
    "cross_attention__2": ("two", "scores are not divided by sqrt(head_size); and the mask is multiplied after softmax without dividing by the sum again"),
    "cross_attention__3": ("slip", "unpacks the fused product in the wrong order: keys are made with w_value and values with w_key"),
    "encoder_decoder_masks__1": ("one", "the target mask also blanks the rows of padded queries, which must keep their rows"),
    "encoder_decoder_masks__2": ("slip", "<= instead of < for the target lengths: one padded column of the target may be looked at"),
    "encoder_decoder_masks__3": ("two", "range(row) leaves out the diagonal, so that a word may not look at itself; and the width of source and cross is the longest length in the batch instead of sources"),
    "DecoderLayer__1": ("one", "post-norm: normalises after adding instead of in front of each part"),
    "DecoderLayer__2": ("one", "normalises the memory too (with the second norm) before cross-attention"),
    "DecoderLayer__3": ("two", "adds to the normalised x instead of to x (the residual is lost); and a dropout falls on the hidden layer of feed_forward as well"),
    "DecoderLayer__4": ("slip", "passes dropout in the third place, which is bias: with dropout 0 the attentions have no biases, with another the attention weights are never dropped"),
}
