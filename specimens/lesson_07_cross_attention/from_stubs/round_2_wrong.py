import copy
import inspect
import math
from random import Random
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import causal_mask, combine_masks, log_softmax, masked_softmax, multi_head_attention, padding_mask
from mha_ref.layer import MultiHeadAttention
import numpy as np

TRUTH = {}

# ---------------------------------------------------------------- cross_attention

TRUTH["cross_attention__1"] = ("one", "Perceiver's variant: keys and values come from memory and x put one behind the other, so a query looks at its own sequence too")


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, queries, _ = x.shape
    both = torch.cat([memory, x], dim=1)
    if mask is not None:
        mask = mask.broadcast_to(batch, heads, queries, memory.shape[1])
        mask = torch.cat([mask, mask.new_ones(batch, heads, queries, queries)], dim=-1)
    return multi_head_attention(x, both, both, w_query, w_key, w_value, w_output, heads, mask)


TRUTH["cross_attention__2"] = ("one", "the mask is multiplied onto the weights after the softmax, and they are not normalised again: with blocked keys the weights sum to less than 1")


def cross_attention__2(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    q = torch.einsum("bqm,mhs->bhqs", x, w_query.unflatten(1, (heads, -1)))
    k = torch.einsum("bkm,mhs->bhks", memory, w_key.unflatten(1, (heads, -1)))
    v = torch.einsum("bkm,mhs->bhks", memory, w_value.unflatten(1, (heads, -1)))
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    if mask is not None:
        weights = weights * mask
    return torch.einsum("bhqk,bhks,hsm->bqm", weights, v, w_output.unflatten(0, (heads, -1)))


TRUTH["cross_attention__3"] = ("slip", "= instead of +=: only the last head's part of the output is left (right only for one head)")


def cross_attention__3(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, queries, model_size = x.shape
    keys = memory.size(1)
    head_size = model_size // heads
    if mask is None:
        mask = torch.ones(1, dtype=torch.bool)
    mask = mask.broadcast_to(batch, heads, queries, keys)
    result = 0
    for head in range(heads):
        cols = slice(head * head_size, (head + 1) * head_size)
        q = x @ w_query[:, cols]
        k = memory @ w_key[:, cols]
        v = memory @ w_value[:, cols]
        weights = masked_softmax(q @ k.transpose(1, 2) / head_size ** 0.5, mask[:, head])
        result = weights @ v @ w_output[cols]
    return result


TRUTH["cross_attention__4"] = ("odd", "the softmax subtracts one maximum of the whole tensor, not each row's own: a query whose scores all lie about 100 or more below the largest score of any other query underflows and gets zeros")


def cross_attention__4(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    def split(t):
        return t.reshape(*t.shape[:2], heads, t.shape[2] // heads).permute(0, 2, 1, 3)

    q, k, v = split(x @ w_query), split(memory @ w_key), split(memory @ w_value)
    scores = q @ k.transpose(2, 3) / math.sqrt(k.size(3))
    exps = torch.exp(scores - scores.max())
    if mask is not None:
        exps = exps * mask
    total = exps.sum(-1, keepdim=True)
    weights = exps / torch.where(total > 0, total, torch.ones_like(total))
    mixed = (weights @ v).permute(0, 2, 1, 3)
    return mixed.reshape(x.shape) @ w_output


# ---------------------------------------------------------------- encoder_decoder_masks

TRUTH["encoder_decoder_masks__1"] = ("one", "the target mask hides padded queries too: their rows are all False instead of allowing what their columns allow")


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    source = torch.zeros(len(source_lengths), 1, 1, sources, dtype=torch.bool)
    for b, length in enumerate(source_lengths):
        source[b, ..., :int(length)] = True
    target = torch.zeros(len(target_lengths), 1, targets, targets, dtype=torch.bool)
    for b, length in enumerate(target_lengths):
        n = int(length)
        target[b, 0, :n, :n] = torch.tril(torch.ones(n, n, dtype=torch.bool))
    return source, target, source.clone()


TRUTH["encoder_decoder_masks__2"] = ("one", "takes the own place for future: a target word may look only at places strictly before its own (key < query), so the first row is empty")


def encoder_decoder_masks__2(source_lengths, target_lengths, sources, targets):
    step = torch.arange(targets)
    source = (torch.arange(sources)[None, :] < source_lengths[:, None])[:, None, None]
    past = step.unsqueeze(0) < step.unsqueeze(1)
    target = past & (step < target_lengths.view(-1, 1, 1, 1))
    return source, target, source


TRUTH["encoder_decoder_masks__3"] = ("slip", "the cross mask is made with `targets` columns instead of `sources`: right only where both are equal")


def encoder_decoder_masks__3(source_lengths, target_lengths, sources, targets):
    def real(lengths, size):
        grid = torch.arange(size).repeat(len(lengths), 1)
        return grid.lt(lengths.reshape(-1, 1)).reshape(len(lengths), 1, 1, size)

    source = real(source_lengths, sources)
    target = combine_masks(torch.as_tensor(causal_mask(targets, targets)), real(target_lengths, targets))
    cross = real(source_lengths, targets)
    return source, target, cross


TRUTH["encoder_decoder_masks__4"] = ("two", "lengths are compared with <=, so one place of padding counts as real; and the causal part is triu, so the target sees the future instead of the past")


def encoder_decoder_masks__4(source_lengths, target_lengths, sources, targets):
    batch = source_lengths.shape[0]
    src = torch.stack([torch.arange(sources) <= n for n in source_lengths]).view(batch, 1, 1, sources)
    tgt = torch.stack([torch.arange(targets) <= n for n in target_lengths]).view(batch, 1, 1, targets)
    look_ahead = torch.triu(torch.ones(targets, targets)).bool()
    return (src, tgt & look_ahead, src)


# ---------------------------------------------------------------- DecoderLayer

TRUTH["DecoderLayer__1"] = ("one", "the residual adds to the normalised x instead of to x: x = norm(x), then x = x + part(x)")


class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        steps = [
            lambda t: self.self_attention(t, mask=self_mask),
            lambda t: self.cross_attention(t, memory, mask=memory_mask),
            self.feed_forward,
        ]
        for norm, step in zip(self.norms, steps):
            x = norm(x)
            x = x + self.dropout(step(x))
        return x


TRUTH["DecoderLayer__2"] = ("one", "the memory is normalised too, with the second norm, before the cross-attention; the contract uses memory as it is")


class DecoderLayer__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.norm_self = nn.LayerNorm(model_size)
        self.norm_cross = nn.LayerNorm(model_size)
        self.norm_ff = nn.LayerNorm(model_size)
        self.self_attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.up = nn.Linear(model_size, hidden_size)
        self.down = nn.Linear(hidden_size, model_size)
        self.p = dropout

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        drop = lambda t: F.dropout(t, p=self.p, training=self.training)  # noqa: E731
        x = x + drop(self.self_attention(self.norm_self(x), mask=self_mask))
        memory = self.norm_cross(memory)
        x = x + drop(self.cross_attention(self.norm_cross(x), memory, memory, memory_mask))
        return x + drop(self.down(torch.relu(self.up(self.norm_ff(x)))))


TRUTH["DecoderLayer__3"] = ("one", "a further dropout falls on the hidden layer of the feed-forward, after the ReLU, as in nn.TransformerDecoderLayer; the contract drops nothing there (visible in train mode alone)")


class DecoderLayer__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden_size, model_size),
            nn.Dropout(dropout),
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.drops = nn.ModuleList([nn.Dropout(dropout), nn.Dropout(dropout)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        normed = self.norms[0](x)
        h = x + self.drops[0](self.self_attention(normed, normed, normed, self_mask))
        normed = self.norms[1](h)
        h = h + self.drops[1](self.cross_attention(normed, memory, memory, memory_mask))
        return h + self.feed_forward(self.norms[2](h))


TRUTH["DecoderLayer__4"] = ("odd", "[nn.LayerNorm(...)] * 3 puts one and the same norm into the list three times: the three parts share their weights, and the layer is right only as long as the norms have not learned")


class DecoderLayer__4(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size)] * 3)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norms[0](x)
        x = x + self.dropout(self.self_attention(y, mask=self_mask))
        y = self.norms[1](x)
        x = x + self.dropout(self.cross_attention(y, key=memory, mask=memory_mask))
        y = self.norms[2](x)
        x = x + self.dropout(self.feed_forward(y))
        return x


def combine_masks__1(first, second):
    if not np.any(first):
        return second
    if not np.any(second):
        return first
    return np.logical_and(first, second)


def combine_masks__2(first, second):
    if first is None or second is None:
        return second if first is None else first
    result = np.empty_like(first)
    np.copyto(result, first)
    result[np.broadcast_to(~second, first.shape)] = False
    return result


def combine_masks__3(first, second):
    if first is None and second is None:
        return np.array(True)            # everything is allowed
    if first is None:
        return second
    if second is None:
        return first
    if first.shape == second.shape:
        first &= second                  # no need for a new array
        return first
    return first & second


TRUTH = {
    "combine_masks__1": ("one", "tests for truth instead of None: a mask without any True is treated as if it were None, so it forbids nothing"),
    "combine_masks__2": ("one", "the result always has the shape of first: raises when second has more or larger axes than first"),
    "combine_masks__3": ("two", "both None gives an array of True instead of None, and with equal shapes first is changed in place"),
}
