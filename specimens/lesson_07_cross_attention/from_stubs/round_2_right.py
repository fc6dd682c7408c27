import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref.layer import MultiHeadAttention
from functools import reduce
import numpy as np

WHY = {}

WHY["cross_attention__1"] = "list comprehension over sentences and heads, index lists of allowed keys for each query, softmax over these alone"


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, queries, model_size = x.shape
    keys = memory.shape[1]
    size = model_size // heads
    allowed = torch.ones(batch, heads, queries, keys, dtype=torch.bool)
    if mask is not None:
        allowed = allowed & mask

    def answer(q, k, v, look):
        """One query vector, of one head."""
        if not look.any():
            return (q + k.sum(dim=0) + v.sum(dim=0)) * 0          # zeros that stay in the graph
        return torch.softmax(k[look] @ q / math.sqrt(size), dim=0) @ v[look]

    sentences = []
    for b in range(batch):
        blocks = []
        for h in range(heads):
            mine = slice(h * size, (h + 1) * size)
            q, k, v = x[b] @ w_query[:, mine], memory[b] @ w_key[:, mine], memory[b] @ w_value[:, mine]
            blocks.append(torch.stack([answer(q[i], k, v, allowed[b, h, i]) for i in range(queries)]))
        sentences.append(torch.hstack(blocks) @ w_output)
    return torch.stack(sentences)


WHY["encoder_decoder_masks__1"] = "one Python rule for each entry in nested lists, made into tensors at the end"


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    def tensor(nested, *shape):
        return torch.tensor(nested, dtype=torch.bool).reshape(*shape)

    source_reals = [int(n) for n in source_lengths]
    target_reals = [int(n) for n in target_lengths]
    source = tensor([[j < n for j in range(sources)] for n in source_reals], len(source_reals), 1, 1, sources)
    target = tensor(
        [[[j <= i and j < n for j in range(targets)] for i in range(targets)] for n in target_reals],
        len(target_reals), 1, targets, targets,
    )
    return source, target, source.clone()


WHY["DecoderLayer__1"] = "a little helper class for 'norm, part, dropout, add', used three times"


class _Step(nn.Module):
    def __init__(self, model_size, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(model_size)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, part):
        return torch.add(self.drop(part(self.norm(x))), x)


class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.expand = nn.Linear(model_size, hidden_size)
        self.shrink = nn.Linear(hidden_size, model_size)
        self.look_back = _Step(model_size, dropout)
        self.look_over = _Step(model_size, dropout)
        self.think = _Step(model_size, dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.look_back(x, lambda t: self.self_attention(t, mask=self_mask))
        x = self.look_over(x, lambda t: self.cross_attention(t, memory, mask=memory_mask))
        return self.think(x, lambda t: self.shrink(self.expand(t).clamp(min=0)))


WHY["DecoderLayer__2"] = "everything spelt out: layer norm computed by hand with the LayerNorm's weights, ReLU by torch.where, sum of all three steps at the end"


class DecoderLayer__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        parts = dict(bias=True, dropout=dropout)
        self.self_attention = MultiHeadAttention(model_size, heads, **parts)
        self.cross_attention = MultiHeadAttention(model_size, heads, **parts)
        self.norms = nn.ModuleList()
        for _ in range(3):
            self.norms.append(nn.LayerNorm(model_size))
        self.feed_forward = nn.ModuleList([nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)])
        self.probability = dropout

    def _norm(self, number, x):
        norm = self.norms[number]
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = (centred ** 2).mean(dim=-1, keepdim=True)
        return centred * torch.rsqrt(variance + norm.eps) * norm.weight + norm.bias

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        own = self._norm(0, x)
        change_1 = F.dropout(self.self_attention(own, own, own, self_mask), self.probability, self.training)
        asked = self._norm(1, x + change_1)
        change_2 = F.dropout(self.cross_attention(asked, memory, memory, memory_mask), self.probability, self.training)
        hidden = self.feed_forward[0](self._norm(2, x + change_1 + change_2))
        hidden = torch.where(hidden > 0, hidden, torch.zeros_like(hidden))
        change_3 = F.dropout(self.feed_forward[1](hidden), self.probability, self.training)
        return x + change_1 + change_2 + change_3


def combine_masks__1(first, second):
    given = [m for m in (first, second) if m is not None]
    if not given:
        return None
    # blocked where anybody blocks (de Morgan)
    return ~reduce(np.logical_or, [np.logical_not(m) for m in given])


WHY = {
    "combine_masks__1": "de Morgan with reduce over the masks that are given",
}
