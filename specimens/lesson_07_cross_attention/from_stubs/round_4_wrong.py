import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import causal_mask, combine_masks, log_softmax, multi_head_attention, padding_mask
from mha_ref.layer import MultiHeadAttention
from functools import reduce
import numpy as np

TRUTH = {}


# ---------------------------------------------------------------- cross_attention
def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    head_size = x.shape[-1] // heads
    lowest = torch.finfo(x.dtype).min
    shape = (x.shape[0], heads, x.shape[1], memory.shape[1])
    allowed = None if mask is None else mask.expand(shape)
    items = []
    for b in range(x.shape[0]):
        parts = []
        for h in range(heads):
            cut = slice(h * head_size, (h + 1) * head_size)
            scores = (x[b] @ w_query[:, cut]) @ (memory[b] @ w_key[:, cut]).T / math.sqrt(head_size)
            if allowed is not None:
                scores = scores.masked_fill(~allowed[b, h], lowest)
            parts.append(scores.softmax(dim=-1) @ (memory[b] @ w_value[:, cut]))
        items.append(torch.hstack(parts) @ w_output)
    return torch.stack(items)


TRUTH["cross_attention__1"] = ("one", "fills blocked scores with the smallest number and leaves it at that: a query that may look at nothing gets the mean of all values instead of zeros")


def cross_attention__2(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    split = lambda t: t.unflatten(-1, (heads, -1)).movedim(-2, 1)
    q = split(torch.einsum("bti,ij->btj", x, w_query))
    k = split(torch.einsum("bti,ij->btj", memory, w_query))
    v = split(torch.einsum("bti,ij->btj", memory, w_value))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** -0.5
    ok = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    dead = ~ok.any(-1, keepdim=True)
    a = scores.masked_fill(~ok & ~dead, -torch.inf).softmax(-1).masked_fill(dead, 0)
    return (a @ v).movedim(1, -2).flatten(-2) @ w_output


TRUTH["cross_attention__2"] = ("slip", "keys are made with w_query instead of w_key, so w_key has no effect and no gradient")


def cross_attention__3(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, queries, size = x.shape
    keys = memory.shape[1]
    d = size // heads
    q = x.matmul(w_query).reshape(batch, queries, heads, d).transpose(1, 2)
    kv = memory.matmul(torch.cat([w_key, w_value], dim=1)).reshape(batch, keys, 2, heads, d)
    k, v = kv.permute(2, 0, 3, 1, 4)
    e = torch.exp(q @ k.transpose(2, 3) / d ** 0.5)
    if mask is not None:
        e = e * mask
    total = e.sum(-1, keepdim=True)
    a = e / torch.where(total > 0, total, torch.ones_like(total))
    out = (a @ v).transpose(1, 2).reshape(batch, queries, size)
    return F.linear(out, w_output)


TRUTH["cross_attention__3"] = ("two", "exp without subtracting the maximum, so that large scores give inf / inf = nan; and F.linear multiplies by the transpose of w_output")


# ---------------------------------------------------------------- encoder_decoder_masks
def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    src = torch.arange(sources)[None, :] < torch.as_tensor(source_lengths)[:, None]
    tgt = torch.arange(targets)[None, :] < torch.as_tensor(target_lengths)[:, None]
    both = torch.einsum("bi,bj->bij", tgt.float(), tgt.float()).bool()
    target = torch.tril(both)
    return src[:, None, None], target[:, None], src[:, None, None].clone()


TRUTH["encoder_decoder_masks__1"] = ("one", "hides the rows of padded target queries too (outer product of the real words with themselves), where a padded query keeps its row")


def encoder_decoder_masks__2(source_lengths, target_lengths, sources, targets):
    def real(lengths, size):
        rows = [[j < int(n) for j in range(size)] for n in lengths]
        return torch.tensor(rows, dtype=torch.bool).reshape(len(rows), 1, 1, size)

    past = torch.tensor([[j <= i for j in range(targets)] for i in range(targets)], dtype=torch.bool).reshape(1, 1, targets, targets)
    source = real(source_lengths, sources)
    target = torch.logical_or(past, real(target_lengths, targets))
    return source, target, source


TRUTH["encoder_decoder_masks__2"] = ("one", "joins past and real words with or, so that a query sees the future's real words and padding in its past")


def encoder_decoder_masks__3(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    future = torch.ones(targets, targets).triu(diagonal=1).bool()
    target = padding_mask(source_lengths, targets) & ~future
    return (source, target, padding_mask(source_lengths, sources))


TRUTH["encoder_decoder_masks__3"] = ("slip", "the target's padding is taken from source_lengths instead of target_lengths")


# ---------------------------------------------------------------- DecoderLayer
class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        def ask_memory(t):
            return self.cross_attention(t, self.norms[1](memory), mask=memory_mask)

        steps = (lambda t: self.self_attention(t, mask=self_mask), ask_memory, self.feed_forward)
        for norm, step in zip(self.norms, steps):
            x = x + self.dropout(step(norm(x)))
        return x


TRUTH["DecoderLayer__1"] = ("one", "sends the memory through the second norm as well; only what goes into a part from x is normalised")


class DecoderLayer__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.up = nn.Linear(model_size, hidden_size)
        self.down = nn.Linear(hidden_size, model_size)
        self.norm1 = nn.LayerNorm(model_size)
        self.norm2 = nn.LayerNorm(model_size)
        self.norm3 = nn.LayerNorm(model_size)
        self.p = dropout

    @property
    def norms(self):
        return [self.norm1, self.norm2, self.norm3]

    def feed_forward(self, t):
        return self.down(F.relu(self.up(t)))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        a = self.self_attention(self.norm1(x), mask=self_mask)
        x = x + F.dropout(a, self.p, self.training)
        b = self.cross_attention(self.norm2(x), memory, mask=memory_mask)
        x = x + F.dropout(b, self.p, self.training)
        c = self.feed_forward(self.norm2(x))
        return x + F.dropout(c, self.p, self.training)


TRUTH["DecoderLayer__2"] = ("slip", "norm2 stands in front of the feed-forward too: norm3 is never used and gets no gradient")


class DecoderLayer__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.self_attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.feed_forward = nn.Sequential()
        self.feed_forward.add_module("in", nn.Linear(model_size, hidden_size))
        self.feed_forward.add_module("relu", nn.ReLU())
        self.feed_forward.add_module("out", nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.drops = nn.ModuleList([nn.Dropout(dropout), nn.Dropout(dropout), nn.Dropout(dropout)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        first, second, third = self.norms
        d1, d2, d3 = self.drops
        x = first(x)
        x = x + d1(self.self_attention(x, x, x, self_mask))
        x = second(x)
        x = x + d2(self.cross_attention(x, memory, memory, memory_mask))
        x = third(x)
        return x + d3(self.feed_forward(x))


TRUTH["DecoderLayer__3"] = ("one", "overwrites x with its norm before each step, so what is added to is the normalised x instead of what was there")


class DecoderLayer__4(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        make = lambda: MultiHeadAttention(model_size, heads, dropout=dropout)
        self.self_attention, self.cross_attention = make(), make()
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden_size, model_size),
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in "abc"])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        residual = x
        x = residual + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        residual = x
        x = residual + self.cross_attention(self.norms[1](x), memory, mask=memory_mask)
        residual = x
        x = residual + self.dropout(self.feed_forward(self.norms[2](x)))
        return x


TRUTH["DecoderLayer__4"] = ("two", "an extra dropout falls on the hidden values after the ReLU; and the result of cross-attention is added without dropout")


def combine_masks__1(first, second):
    given = (m for m in (first, second) if m is not None)
    return reduce(np.logical_and, given, np.True_)


def combine_masks__2(first, second):
    def forbids_nothing(m):
        return m is None or bool(np.all(m))

    if forbids_nothing(first) and second is not None:
        return second
    if forbids_nothing(second) and first is not None:
        return first
    if first is None:
        return None
    return np.minimum(first, second)


TRUTH = {
    "combine_masks__1": ("one", "starts its reduction from True: both None gives True instead of None"),
    "combine_masks__2": ("one", "treats a mask that is all True like None and returns the other one as is: the common broadcast shape is lost"),
}
