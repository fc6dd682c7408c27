"""Right answers to lesson 07, in styles that are not ours."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import padding_mask
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


def cross_attention__dead_rows_wiped_out(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    def into_heads(sequence, matrix):
        projected = sequence @ matrix
        return projected.reshape(*projected.shape[:-1], heads, -1).transpose(1, 2)

    q, k, v = into_heads(x, w_query), into_heads(memory, w_key), into_heads(memory, w_value)
    dead = None
    if mask is not None:
        mask = mask.expand(x.shape[0], heads, x.shape[1], memory.shape[1])
        dead = ~mask.any(dim=-1, keepdim=True)
        mask = mask | dead  # dead rows look at everything, and are wiped out below
    mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    if dead is not None:
        mixed = mixed.masked_fill(dead, 0.0)
    return mixed.transpose(1, 2).flatten(2) @ w_output


def cross_attention__with_pencil_and_paper(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """One token after the other, as one would with pencil and paper; logs instead of divisions."""
    batch, queries, model_size = x.shape
    keys = memory.shape[1]
    size = model_size // heads
    wide = [t.to(torch.float64) for t in (x, memory, w_query, w_key, w_value, w_output)]
    x64, m64, wq, wk, wv, wo = wide
    if mask is None:
        mask = torch.ones(1, 1, 1, 1, dtype=torch.bool, device=x.device)
    mask = mask.expand(batch, heads, queries, keys)
    Q, K, V = x64 @ wq, m64 @ wk, m64 @ wv
    sentences = []
    for b in range(batch):
        words = []
        for i in range(queries):
            pieces = []
            for h in range(heads):
                lo, hi = h * size, (h + 1) * size
                seen = mask[b, h, i].nonzero().flatten()
                logits = K[b, seen, lo:hi] @ Q[b, i, lo:hi] / math.sqrt(size)
                weights = torch.exp(logits - torch.logsumexp(logits, dim=0))
                pieces.append(weights @ V[b, seen, lo:hi])
            words.append(torch.cat(pieces))
        sentences.append(torch.stack(words))
    return (torch.stack(sentences) @ wo).to(x.dtype)


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


def encoder_decoder_masks__nested_lists(source_lengths, target_lengths, sources, targets):
    def real(length, size):
        return [place < length for place in range(size)]

    source = [[[real(n, sources)]] for n in source_lengths.tolist()]
    target = [
        [[[ok and k <= q for k, ok in enumerate(real(n, targets))] for q in range(targets)]]
        for n in target_lengths.tolist()
    ]
    source = torch.tensor(source, dtype=torch.bool, device=source_lengths.device)
    target = torch.tensor(target, dtype=torch.bool, device=target_lengths.device)
    return source, target, source.clone()


def encoder_decoder_masks__smaller_of_place_and_length(source_lengths, target_lengths, sources, targets):
    ones = torch.ones((targets, targets), dtype=torch.int64, device=target_lengths.device)
    # query number on the rows, counted from 1; key number on the columns
    query_number, key_number = ones.cumsum(0), ones.cumsum(1)
    last = torch.minimum(query_number, target_lengths[:, None, None])
    target = torch.le(key_number, last)[:, None]
    source = padding_mask(source_lengths, sources)
    return source, target, source & True


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


class DecoderLayer__other_order(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        # other names and another order than in the text, only the two names that are needed stay
        self.think_in = nn.Linear(model_size, hidden_size)
        self.think_out = nn.Linear(hidden_size, model_size)
        self.norm_self = nn.LayerNorm(model_size)
        self.norm_cross = nn.LayerNorm(model_size)
        self.norm_think = nn.LayerNorm(model_size)
        self.cross_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.self_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.rate = dropout

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        def dropped(t):
            return F.dropout(t, p=self.rate, training=self.training)

        asked = self.norm_self(x)
        own_past = self.self_attention(asked, asked, asked, mask=self_mask)
        x = x + dropped(own_past)
        looked_up = self.cross_attention(self.norm_cross(x), memory, memory, mask=memory_mask)
        x = x + dropped(looked_up)
        thought = self.think_out(self.think_in(self.norm_think(x)).clamp(min=0))
        return x + dropped(thought)


class DecoderLayer__generator_of_parts(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        # dropout of the third part sits at the end of the Sequential
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size), nn.Dropout(dropout)
        )
        self.norms = nn.ModuleDict({name: nn.LayerNorm(model_size) for name in ("self", "cross", "think")})
        self.drop = nn.Dropout(dropout)

    def parts(self, memory, self_mask, memory_mask):
        yield "self", lambda t: self.drop(self.self_attention(t, mask=self_mask))
        yield "cross", lambda t: self.drop(self.cross_attention(t, key=memory, mask=memory_mask))
        yield "think", self.feed_forward

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        total = x.clone()
        for name, part in self.parts(memory, self_mask, memory_mask):
            total += part(self.norms[name](total.clone()))
        return total


def combine_masks__logical_and(first, second):
    if first is None and second is None:
        return None
    if first is None:
        return second.copy()
    return first.copy() if second is None else np.logical_and(first, second)


def combine_masks__products_of_booleans(first, second):
    given = [m for m in (first, second) if m is not None]
    return None if not given else math.prod(given[1:], start=given[0])


def combine_masks__minimum(first, second):
    if first is None or second is None:
        return first if second is None else second
    return np.minimum(first, second)


def combine_masks__not_either_blocked(first, second):
    blocked = [~m for m in (first, second) if m is not None]
    if not blocked:
        return None
    return ~blocked[0] if len(blocked) == 1 else ~(blocked[0] | blocked[1])


def combine_masks__where(first, second):
    if first is None:
        return second
    return first if second is None else np.where(first, second, False)


def combine_masks__none_as_true(first, second):
    if first is None and second is None:
        return None
    return np.asarray((True if first is None else first) & (True if second is None else second))


def combine_masks__reduce(first, second):
    masks = [np.asarray(m) for m in (first, second) if m is not None]
    return np.logical_and.reduce(np.broadcast_arrays(*masks), axis=0) if masks else None


def combine_masks__logical_and_of_torch(first, second):
    if first is None or second is None:
        return first if second is None else second
    return torch.logical_and(first, second)


def combine_masks__method_of_a_tensor(first, second):
    given = [mask.bool() for mask in (first, second) if mask is not None]
    return given[0].logical_and(given[-1]) if given else None


def combine_masks__de_morgan(first, second):
    """Forbidden where either forbids (De Morgan)."""
    if second is None:
        return None if first is None else first.copy()
    forbidden = np.zeros((1,) * second.ndim, dtype=bool) if first is None else ~first
    return ~(forbidden | ~second)


# translate_greedily


def translate_greedily__grows_by_cat(model, sources, start, steps):
    targets = torch.full((sources.shape[0], 1), start, dtype=torch.long, device=sources.device)
    for _ in range(steps):
        nxt = torch.argmax(model(sources, targets)[:, -1, :], dim=-1, keepdim=True)
        targets = torch.cat((targets, nxt), dim=-1)
    return targets[:, 1:]


def translate_greedily__table_made_before(model, sources, start, steps):
    table = sources.new_zeros((len(sources), steps + 1))
    table[:, 0] = start
    for step in range(steps):
        table[:, step + 1] = model(sources, table[:, : step + 1])[:, step].max(dim=-1).indices
    return table[:, 1:]


def translate_greedily__collects_columns(model, sources, start, steps):
    columns = [sources.new_full((len(sources),), start)]
    while len(columns) <= steps:
        logits = model(sources, torch.stack(columns, dim=1))
        columns.append(logits[:, -1].softmax(dim=-1).argmax(dim=-1))
    return torch.stack(columns[1:], dim=1)


def translate_greedily__one_text_after_the_other(model, sources, start, steps):
    rows = []
    for source in sources:
        written = [start]
        for _ in range(steps):
            logits = model(source[None], torch.tensor([written], device=sources.device))
            written.append(int(logits[0, -1].argmax()))
        rows.append(written[1:])
    return torch.tensor(rows, device=sources.device)


def translate_greedily__recursive(model, sources, start, steps):
    def go(targets):
        if targets.shape[1] == steps + 1:
            return targets
        best = model(sources, targets)[:, -1].topk(1, dim=-1).indices
        return go(torch.hstack([targets, best]))

    return go(torch.ones_like(sources[:, :1]) * start)[:, 1:]


def translate_greedily__without_gradients(model, sources, start, steps):
    with torch.no_grad():
        found = torch.full((len(sources), 1), start)
        for _ in range(steps):
            found = torch.cat([found, model(sources, found)[:, -1].argmax(-1).unsqueeze(1)], 1)
    return found[:, -steps:]


def translate_greedily__int32(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    for _ in range(steps):
        targets = torch.cat([targets, model(sources, targets)[:, -1].argmax(-1)[:, None]], -1)
    return targets[:, 1:].int()
