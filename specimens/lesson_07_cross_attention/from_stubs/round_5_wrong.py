import copy
import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import causal_mask, combine_masks, log_softmax, multi_head_attention, padding_mask
from mha_ref.layer import MultiHeadAttention
import numpy as np


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    B, Q, D = x.shape
    to_heads = lambda t: t.unflatten(2, (heads, D // heads)).permute(0, 2, 1, 3)
    q, k, v = to_heads(x @ w_query), to_heads(memory @ w_key), to_heads(memory @ w_value)
    scores = q @ k.transpose(2, 3) / math.sqrt(D / heads)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(mask.logical_not(), -torch.inf)
        scores = scores + bias
    probs = torch.nan_to_num(scores.softmax(dim=-1), nan=0.0)     # dead rows: 0/0
    return (probs @ v).permute(0, 2, 1, 3).flatten(2) @ w_output


def cross_attention__2(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, queries, model_size = x.shape
    keys = memory.shape[1]
    size = model_size // heads
    if mask is None:
        mask = torch.ones(batch, heads, queries, keys, dtype=torch.bool)
    mask = mask.expand(batch, heads, queries, keys)
    result = 0
    for head in range(heads):
        start, stop = head * size, (head + 1) * size
        q = x @ w_query[:, start:stop]
        k = memory @ w_key[:, start:stop]
        v = memory @ w_key[:, start:stop]
        s = (q @ k.mT / math.sqrt(size)).masked_fill(~mask[:, head], -math.inf)
        top = s.amax(-1, keepdim=True).detach().clamp_min(torch.finfo(s.dtype).min)
        e = (s - top).exp()
        total = e.sum(-1, keepdim=True)
        a = e / torch.where(total == 0, 1.0, total)
        result = result + a @ v @ w_output[start:stop]
    return result


def cross_attention__3(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    D = x.shape[-1]
    b, q, k = x.shape[0], x.shape[1], memory.shape[1]
    attn_mask, dead = None, None
    if mask is not None:
        full = mask.expand(b, heads, q, k)
        attn_mask = full.reshape(b * heads, q, k)
    mem = memory.transpose(0, 1)
    out, _ = F.multi_head_attention_forward(
        x.transpose(0, 1), mem, mem, D, heads,
        in_proj_weight=None, in_proj_bias=torch.zeros(3 * D, dtype=x.dtype), bias_k=None, bias_v=None,
        add_zero_attn=False, dropout_p=0.0, out_proj_weight=w_output, out_proj_bias=None, training=False,
        attn_mask=attn_mask, need_weights=False, use_separate_proj_weight=True,
        q_proj_weight=w_query, k_proj_weight=w_key, v_proj_weight=w_value)
    return torch.nan_to_num(out.transpose(0, 1))


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    batch = len(source_lengths)
    source = torch.zeros(batch, 1, 1, sources, dtype=torch.bool)
    target = torch.zeros(batch, 1, targets, targets, dtype=torch.bool)
    triangle = torch.ones(targets, targets, dtype=torch.bool).tril()
    for b, (s, t) in enumerate(zip(source_lengths.tolist(), target_lengths.tolist())):
        source[b, ..., :s] = True
        triangle[:, t:] = False
        target[b, 0] = triangle
    return source, target, source.clone()


def encoder_decoder_masks__2(source_lengths, target_lengths, sources, targets):
    def real(lengths, n):
        return torch.lt(torch.arange(n).reshape(1, 1, 1, n), lengths.reshape(-1, 1, 1, 1))

    steps = torch.arange(targets)
    past = steps[:, None] >= steps[None, :]
    source = real(source_lengths, sources)
    target = real(target_lengths, targets) & past
    cross = real(target_lengths, sources)
    return source, target, cross


def encoder_decoder_masks__3(source_lengths, target_lengths, sources, targets):
    src_pad = torch.stack([torch.arange(sources) < n for n in source_lengths])
    tgt_pad = torch.stack([torch.arange(targets) < n for n in target_lengths])
    # a padded word neither looks nor is looked at
    pairs = torch.einsum("bi,bj->bij", tgt_pad.float(), tgt_pad.float())
    target = torch.tril(pairs) > 0
    return src_pad[:, None, None], target[:, None], src_pad[:, None, None]


class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.drop = nn.Dropout(dropout)

    def step(self, i, x, part):
        x = self.norms[i](x)
        return x + self.drop(part(x))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.step(0, x, lambda h: self.self_attention(h, mask=self_mask))
        x = self.step(1, x, lambda h: self.cross_attention(h, memory, mask=memory_mask))
        return self.step(2, x, self.feed_forward)


class DecoderLayer__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, True, dropout)
        self.up = nn.Linear(model_size, hidden_size)
        self.down = nn.Linear(hidden_size, model_size)
        self.norm_self = nn.LayerNorm(model_size)
        self.norm_cross = nn.LayerNorm(model_size)
        self.norm_ff = nn.LayerNorm(model_size)
        self.p = dropout

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        h = self.norm_self(x)
        x = torch.add(x, F.dropout(self.self_attention(h, h, h, self_mask), self.p, self.training))
        h = self.norm_self(x)
        x = torch.add(x, F.dropout(self.cross_attention(h, memory, memory, memory_mask), self.p, self.training))
        h = self.norm_ff(x)
        x = torch.add(x, F.dropout(self.down(self.up(h).clamp(min=0)), self.p, self.training))
        return x


class DecoderLayer__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.dropout = dropout
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden_size, model_size),
        )
        self.norms = nn.ModuleDict({k: nn.LayerNorm(model_size) for k in ("self", "cross", "ff")})

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        y = self.norms["self"](x)
        x = x + nn.Dropout(self.dropout)(self.self_attention(y, mask=self_mask))
        y = self.norms["cross"](x)
        x = x + nn.Dropout(self.dropout)(self.cross_attention(y, memory, mask=memory_mask))
        y = self.norms["ff"](x)
        return x + nn.Dropout(self.dropout)(self.feed_forward(y))


class _PreNorm(nn.Module):
    def __init__(self, size, part, dropout):
        super().__init__()
        self.norm, self.part, self.dropout = nn.LayerNorm(size), part, nn.Dropout(dropout)

    def forward(self, x, *others, **kw):
        # pre-norm: everything that goes into the part is normed first
        return x + self.dropout(self.part(self.norm(x), *[self.norm(o) for o in others], **kw))


class DecoderLayer__4(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size))
        self.a = _PreNorm(model_size, self.self_attention, dropout)
        self.b = _PreNorm(model_size, self.cross_attention, dropout)
        self.c = _PreNorm(model_size, self.feed_forward, dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.a(x, mask=self_mask)
        x = self.b(x, memory, mask=memory_mask)
        return self.c(x)


def combine_masks__1(first, second):
    if first is None or second is None:
        return second if first is None else first
    if first.size < second.size:
        first, second = second, first
    if np.broadcast_shapes(first.shape, second.shape) == first.shape:
        return np.logical_and(first, second, out=first)
    return np.logical_and(first, second)


def combine_masks__2(first, second):
    if first is None:
        return second
    elif second is None:
        return second
    return np.all(np.stack(np.broadcast_arrays(first, second)), axis=0)


TRUTH = {
    "combine_masks__1": ("one", "writes the result into one of the two masks (out=first): changes its input"),
    "combine_masks__2": ("slip", "if only the second mask is None it returns the second (None) instead of the first"),
    "cross_attention__1": ("one", "adds minus infinity and replaces NaN after the softmax: values are right, but a query that may look at nothing makes NaN gradients for x, memory, w_query and w_key"),
    "cross_attention__2": ("slip", "copied the keys' line: the values are made with w_key, w_value is never used"),
    "cross_attention__3": ("two", "torch's built-in wants True for blocked, so the mask is upside down; and it wants weights that multiply from the left (out, in), so all four matrices are transposed"),
    "encoder_decoder_masks__1": ("odd", "hides the padding in one and the same triangle for all sentences: a sentence after a shorter one loses the words beyond the shorter one's length"),
    "encoder_decoder_masks__2": ("slip", "the cross mask hides by target_lengths instead of by source_lengths"),
    "encoder_decoder_masks__3": ("one", "empties the rows of padded queries in the target mask too, where a padded query should keep its row"),
    "DecoderLayer__1": ("one", "adds each part's result to the normed x instead of to what was there: the residual path goes through the norms"),
    "DecoderLayer__2": ("slip", "norms with norm_self in front of the cross-attention too: norm_cross is never used and gets no gradient"),
    "DecoderLayer__3": ("two", "makes a new nn.Dropout in every forward, which is always in train mode, so it drops in eval mode too; and drops inside the feed-forward, after the ReLU, where nothing may fall"),
    "DecoderLayer__4": ("one", "the norm in front of the cross-attention is put over the memory as well"),
}
