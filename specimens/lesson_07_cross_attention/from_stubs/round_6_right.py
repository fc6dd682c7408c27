import math
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F

from mha_ref import masked_softmax
from mha_ref.layer import MultiHeadAttention
import functools
import numpy as np


def _linear(matrix):
    """An nn.Linear-like function: F.linear wants the transposed matrix."""
    return lambda x: F.linear(x, matrix.t())


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    to_q, to_out = _linear(w_query), _linear(w_output)
    to_kv = _linear(torch.cat([w_key, w_value], dim=1))
    q = to_q(x)
    k, v = to_kv(memory).chunk(2, dim=-1)
    b, n, inner = q.shape
    d = inner // heads
    q, k, v = (t.view(b, -1, heads, d).transpose(1, 2) for t in (q, k, v))
    dots = q @ k.transpose(-1, -2) * d ** -0.5
    attn = dots.softmax(dim=-1) if mask is None else masked_softmax(dots, mask)
    return to_out((attn @ v).transpose(1, 2).reshape(b, n, inner))


def cross_attention__2(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Never makes keys: the queries are carried over to the memory's side, and the values are mixed before projection."""
    wq, wk, wv = (w.unflatten(1, (heads, -1)) for w in (w_query, w_key, w_value))   # (model, heads, size)
    wo = w_output.unflatten(0, (heads, -1))                                         # (heads, size, model)
    size = wq.shape[-1]
    ask = torch.einsum("bqm,mhs,nhs->bhqn", x, wq, wk) / math.sqrt(size)
    scores = torch.einsum("bhqn,bkn->bhqk", ask, memory)
    if mask is not None:
        blocked = torch.logical_not(mask)
        weights = scores.masked_fill(blocked, -math.inf).softmax(-1).masked_fill(blocked, 0.0)
    else:
        weights = scores.softmax(-1)
    found = torch.einsum("bhqk,bkm->bhqm", weights, memory)
    return torch.einsum("bhqm,mhs,hsn->bqn", found, wv, wo)


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    batch = len(source_lengths)
    source = torch.zeros(batch, 1, 1, sources, dtype=torch.bool)
    target = torch.zeros(batch, 1, targets, targets, dtype=torch.bool)
    for b, (s, t) in enumerate(zip(source_lengths.tolist(), target_lengths.tolist())):
        source[b, ..., :s] = True
        for q in range(targets):
            target[b, 0, q, :min(q + 1, t)] = True
    return source, target, source.clone()


class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.ReLU(),
            nn.Linear(hidden_size, model_size),
            nn.Dropout(dropout),
        )
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in "123")
        self.drop_self = nn.Dropout(dropout)
        self.drop_cross = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        first, second, third = self.norms
        x = x + self.drop_self(self.self_attention(first(x), mask=self_mask))
        x = x + self.drop_cross(self.cross_attention(second(x), memory, mask=memory_mask))
        return x + self.feed_forward(third(x))


class DecoderLayer__2(nn.Module):
    """whisper / BART names."""

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.dropout = dropout
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.self_attn_layer_norm = nn.LayerNorm(model_size)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.encoder_attn_layer_norm = nn.LayerNorm(model_size)
        self.fc1 = nn.Linear(model_size, hidden_size)
        self.fc2 = nn.Linear(hidden_size, model_size)
        self.final_layer_norm = nn.LayerNorm(model_size)
        self.activation_fn = F.relu

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        residual = x
        hidden = self.self_attn_layer_norm(x)
        hidden, _ = self.self_attention(hidden, hidden, hidden, self_mask, return_weights=True)
        hidden = residual + F.dropout(hidden, p=self.dropout, training=self.training)

        residual = hidden
        hidden = self.encoder_attn_layer_norm(hidden)
        hidden, _ = self.cross_attention(hidden, memory, memory, memory_mask, return_weights=True)
        hidden = residual + F.dropout(hidden, p=self.dropout, training=self.training)

        residual = hidden
        hidden = self.fc2(self.activation_fn(self.fc1(self.final_layer_norm(hidden))))
        return residual + F.dropout(hidden, p=self.dropout, training=self.training)


class _PreNorm(nn.Module):
    """x + dropout(part(norm(x))); the part is handed in with the call."""

    def __init__(self, model_size, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(model_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, part):
        return x + self.dropout(part(self.norm(x)))


class DecoderLayer__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        attention = partial(MultiHeadAttention, model_size, heads, bias=True, dropout=dropout)
        self.self_attention, self.cross_attention = attention(), attention()
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size)
        )
        self.steps = nn.ModuleList([_PreNorm(model_size, dropout) for _ in range(3)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        parts = [
            partial(self.self_attention, mask=self_mask),
            partial(self.cross_attention, key=memory, mask=memory_mask),
            self.feed_forward,
        ]
        for step, part in zip(self.steps, parts):
            x = step(x, part)
        return x


class _FeedForward(nn.Module):
    def __init__(self, model_size, hidden_size):
        super().__init__()
        self.w_1 = nn.Linear(model_size, hidden_size)
        self.w_2 = nn.Linear(hidden_size, model_size)

    def forward(self, x):
        return self.w_2(self.w_1(x).clamp(min=0))


class DecoderLayer__4(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError(f"model_size {model_size} is not a multiple of heads {heads}")
        self.norms = nn.ModuleDict({name: nn.LayerNorm(model_size) for name in ("self", "cross", "think")})
        self.feed_forward = _FeedForward(model_size, hidden_size)
        self.cross_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.self_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.dropout = nn.Dropout(dropout, inplace=True)

    def _add(self, x, result):
        return torch.add(x, self.dropout(result))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norms["self"](x)
        x = self._add(x, self.self_attention(y, y, y, mask=self_mask))
        y = self.norms["cross"](x)
        x = self._add(x, self.cross_attention(y, memory, memory, mask=memory_mask))
        return self._add(x, self.feed_forward(self.norms["think"](x)))


class DecoderLayer__5(nn.Module):
    """Terse; keeps a running sum in a clone of x, and its own dropout."""

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.p = dropout
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.wide, self.narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.n1, self.n2, self.n3 = [nn.LayerNorm([model_size]) for _ in range(3)]

    def drop(self, x):
        if not self.training or self.p == 0:
            return x
        return x * torch.rand_like(x).ge(self.p) / max(1 - self.p, 1e-9)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        total = x.clone()
        total = total.add(self.drop(self.self_attention(self.n1(total), mask=self_mask)))
        total = total.add(self.drop(self.cross_attention(self.n2(total), memory, mask=memory_mask)))
        return total.add(self.drop(self.narrow(torch.relu(self.wide(self.n3(total))))))


def combine_masks__1(first, second):
    given = [m for m in (first, second) if m is not None]
    return functools.reduce(np.logical_and, given) if given else None


WHY = {
    "combine_masks__1": "A fold of logical_and over the masks that are not None.",
    "cross_attention__1": "Keys and values come from one product with the two matrices side by side; F.linear with transposed matrices.",
    "cross_attention__2": "Makes no keys and values at all: w_query and w_key, and w_value and w_output, are joined per head by einsum of three tensors.",
    "encoder_decoder_masks__1": "Loops fill tensors of False; the cross mask is a copy of the source mask.",
    "DecoderLayer__1": "The third dropout stands at the end of the feed-forward's Sequential, which is the same as on its result.",
    "DecoderLayer__2": "Whisper and BART names for norms and linear layers, F.dropout with training=self.training, asks for the weights and throws them away.",
    "DecoderLayer__3": "A helper module holds norm and dropout of each step; parts are given by functools.partial, and value is left None in cross-attention.",
    "DecoderLayer__4": "Norms in a ModuleDict, clamp for ReLU, parts made in another order, an inplace dropout on the parts' fresh results.",
    "DecoderLayer__5": "A clone of x as running sum, an own dropout, own names.",
}
