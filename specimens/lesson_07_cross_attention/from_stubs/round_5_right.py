import copy
import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import causal_mask, combine_masks, log_softmax, multi_head_attention, padding_mask
from mha_ref.layer import MultiHeadAttention
from functools import reduce


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    d = x.shape[-1]
    wq, wk, wv = (w.reshape(d, heads, d // heads) for w in (w_query, w_key, w_value))
    q = torch.einsum("bqm,mhe->bhqe", x, wq) * (heads / d) ** 0.5
    scores = torch.einsum("bhqe,bkm,mhe->bhqk", q, memory, wk)
    if mask is None:
        mask = scores.new_ones(scores.shape, dtype=torch.bool)
    else:
        mask = mask.broadcast_to(scores.shape)
    # keys beyond the last one: a sink that is always allowed, used by dead rows only
    sink = torch.where(mask.any(-1, keepdim=True), -math.inf, 0.0).to(scores.dtype)
    padded = torch.cat((scores.masked_fill(~mask, -math.inf), sink), dim=-1)
    weights = padded.softmax(dim=-1)[..., :-1]
    return torch.einsum("bhqk,bkm,mhe,hed->bqd", weights, memory, wv, w_output.reshape(heads, d // heads, d))


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    def real_words(lengths, size):
        # a one at the place of the first padding; everything from there on is padding
        end = F.one_hot(lengths.long(), size + 1).cumsum(dim=-1)
        return (end[:, :size] == 0).reshape(len(lengths), 1, 1, size)

    source = real_words(source_lengths, sources)
    past = torch.eye(targets, device=target_lengths.device).cumsum(dim=0) > 0
    target = real_words(target_lengths, targets) * past
    return source, target, source.clone()


class _Branch(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.drop = nn.Dropout(dropout)

    def forward(self, stream, part):
        return stream + self.drop(part(self.norm(stream)))


class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} does not divide {model_size}")
        self.self_attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.widen = nn.Linear(model_size, hidden_size)
        self.narrow = nn.Linear(hidden_size, model_size)
        self.branches = nn.ModuleList(_Branch(model_size, dropout) for _ in "abc")

    def _look_back(self, mask):
        return lambda h: self.self_attention(h, h, h, mask=mask)

    def _look_over(self, memory, mask):
        return lambda h: self.cross_attention(h, key=memory, mask=mask)

    def _think(self, h):
        wide = self.widen(h)
        return self.narrow(torch.where(wide > 0, wide, torch.zeros_like(wide)))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        stream = x
        for branch, part in zip(self.branches, (self._look_back(self_mask), self._look_over(memory, memory_mask), self._think)):
            stream = branch(stream, part)
        return stream


def combine_masks__1(first, second):
    present = [m for m in (first, second) if m is not None]
    if len(present) == 0:
        return None
    return reduce(lambda a, b: ~(~a | ~b), present)


WHY = {
    "combine_masks__1": "reduce over the masks that are present, by De Morgan",
    "cross_attention__1": "einsum with weights cut into three axes; an extra sink column takes the dead rows' weight",
    "encoder_decoder_masks__1": "cumulative sum of one-hot lengths, cumulative sum of the identity for the triangle, * for and",
    "DecoderLayer__1": "three branch modules (norm, dropout, add) over a list of parts; ReLU by where; names of the feed-forward of its own",
}
