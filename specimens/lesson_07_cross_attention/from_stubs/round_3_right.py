import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref.layer import MultiHeadAttention
import numpy as np


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    floating = torch.get_default_dtype()
    x, memory, w_query, w_key, w_value, w_output = (
        t if t.is_floating_point() else t.to(floating) for t in (x, memory, w_query, w_key, w_value, w_output))
    m = x.shape[-1]
    assert m % heads == 0
    d = m // heads
    wq, wk, wv = (w.reshape(m, heads, d) for w in (w_query, w_key, w_value))
    wo = w_output.reshape(heads, d, m)
    q = torch.einsum("bqm,mhd->bhqd", x, wq)
    k = torch.einsum("bkm,mhd->bhkd", memory, wk)
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(d)
    if mask is None:
        p = F.log_softmax(s, dim=-1).exp()
    else:
        lowest = torch.finfo(s.dtype).min
        s = torch.where(mask, s, torch.full_like(s, lowest))
        p = F.log_softmax(s, dim=-1).exp()
        p = torch.where(mask, p, torch.zeros_like(p))
    # the output matrix first: every head adds its own share to the result
    shares = torch.einsum("bkm,mhd,hdn->bhkn", memory, wv, wo)
    return torch.einsum("bhqk,bhkn->bqn", p, shares)


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    source, target = [], []
    for n in source_lengths.tolist():
        source.append([[[True] * n + [False] * (sources - n)]])
    for n in target_lengths.tolist():
        target.append([[[k <= q and k < n for k in range(targets)] for q in range(targets)]])
    device = source_lengths.device
    source = torch.tensor(source, dtype=torch.bool, device=device)
    return source, torch.tensor(target, dtype=torch.bool, device=device), source.clone()


def encoder_decoder_masks__2(source_lengths, target_lengths, sources, targets):
    where = torch.arange(targets, device=target_lengths.device)
    source = torch.arange(1, sources + 1, device=source_lengths.device) <= source_lengths.reshape(-1, 1, 1, 1)
    # key k is open to query q where k <= min(q, length - 1)
    last = torch.minimum(where.view(1, 1, -1, 1), target_lengths.view(-1, 1, 1, 1) - 1)
    return source, where <= last, source


class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in "abc"])
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(inplace=True), nn.Linear(hidden_size, model_size),
            nn.Dropout(dropout))          # on the result of the part
        self.self_attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.after = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        parts = [
            lambda y: self.after(self.self_attention(y, y, y, mask=self_mask)),
            lambda y: self.after(self.cross_attention(y, memory, memory, mask=memory_mask)),
            self.feed_forward,
        ]
        for i, part in enumerate(parts):
            x = torch.add(x, part(self.norms[i](x)))
        return x


class DecoderLayer__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.widen = nn.Linear(model_size, hidden_size)
        self.narrow = nn.Linear(hidden_size, model_size)
        self.norm_past = nn.LayerNorm(model_size)
        self.norm_memory = nn.LayerNorm(model_size)
        self.norm_think = nn.LayerNorm(model_size)
        self.rate = dropout

    def _add(self, x, step):
        return x + F.dropout(step, p=self.rate, training=self.training)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        after_self = self._add(x, self.self_attention(self.norm_past(x), mask=self_mask))
        after_cross = self._add(after_self, self.cross_attention(self.norm_memory(after_self), memory, mask=memory_mask))
        return self._add(after_cross, self.narrow(self.widen(self.norm_think(after_cross)).clamp(min=0)))


def combine_masks__1(first, second):
    given = [np.asarray(m) for m in (first, second) if m is not None]
    if len(given) == 0:
        return None
    if len(given) == 1:
        return given[0].copy()
    a, b = np.broadcast_arrays(*given)
    # De Morgan: forbidden as soon as one forbids
    return ~(~a | ~b)


WHY = {
    "combine_masks__1": "De Morgan on broadcast_arrays, copies for a single mask",
    "cross_attention__1": "einsum over per-head matrices; w_output folded into the values, log_softmax().exp()",
    "encoder_decoder_masks__1": "nested Python lists",
    "encoder_decoder_masks__2": "last open key = min(q, length - 1), one comparison",
    "DecoderLayer__1": "loop over lambdas, feed_forward holds its own dropout at the end, parts made in another order",
    "DecoderLayer__2": "parts under other names (widen, narrow, norm_past ...), F.dropout, clamp for ReLU",
}
