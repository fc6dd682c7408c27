import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import causal_mask, combine_masks, log_softmax, multi_head_attention, padding_mask
from mha_ref.layer import MultiHeadAttention
from functools import reduce

WHY = {}


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Heads as a batch of matrices: nothing is ever split, the matrices are."""
    size = x.shape[-1] // heads
    wq, wk, wv = (w.unflatten(1, (heads, size)).transpose(0, 1) for w in (w_query, w_key, w_value))
    wo = w_output.unflatten(0, (heads, size))
    # (x wq)(m wk)^T = x (wq wk^T) m^T
    q = torch.einsum("bqm,hmd->bhqd", x, wq)
    k = torch.einsum("bkm,hmd->bhkd", memory, wk)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(size)
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(float("-inf"), dtype=scores.dtype))
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    else:
        weights = torch.softmax(scores, dim=-1)
    values = torch.einsum("bkm,hmd,hdn->bhkn", memory, wv, wo)
    return (weights @ values).sum(dim=1)


WHY["cross_attention__1"] = "cuts the matrices instead of the tokens, mixes values already sent through w_output, and sums over heads; dead rows by nan_to_num"


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    source_lengths = torch.as_tensor(source_lengths)
    target_lengths = torch.as_tensor(target_lengths)
    source = torch.arange(1, sources + 1).le(source_lengths.reshape(-1, 1, 1, 1))
    row = torch.arange(1, targets + 1).reshape(1, 1, -1, 1)
    last = torch.minimum(row, target_lengths.reshape(-1, 1, 1, 1))
    target = torch.arange(1, targets + 1) <= last
    return source, target, source.clone()


WHY["encoder_decoder_masks__1"] = "the last position that a row may see is the smaller of the row's own number and the length: one comparison for both rules"


class DecoderLayer__1(nn.Module):
    class _FeedForward(nn.Module):
        def __init__(self, size, hidden):
            super().__init__()
            self.widen = nn.Linear(size, hidden)
            self.narrow = nn.Linear(hidden, size)

        def forward(self, t):
            return self.narrow(self.widen(t).clamp(min=0))

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        attention = {"model_size": model_size, "heads": heads, "bias": True, "dropout": dropout}
        self.self_attention = MultiHeadAttention(**attention)
        self.cross_attention = MultiHeadAttention(**attention)
        self.feed_forward = self._FeedForward(model_size, hidden_size)
        self.norms = nn.ModuleList()
        while len(self.norms) < 3:
            self.norms.append(nn.LayerNorm(model_size))
        self.rate = dropout

    def _residual(self, x, norm, part):
        change = part(norm(x))
        return torch.add(x, F.dropout(change, p=self.rate, training=self.training))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self._residual(x, self.norms[0], lambda t: self.self_attention(t, t, t, mask=self_mask))
        x = self._residual(x, self.norms[1], lambda t: self.cross_attention(t, memory, memory, mask=memory_mask))
        return self._residual(x, self.norms[2], self.feed_forward)


WHY["DecoderLayer__1"] = "a helper for the residual step, an inner class for the feed-forward, clamp for ReLU, F.dropout with self.training"


def combine_masks__1(first, second):
    present = list(filter(lambda m: m is not None, [first, second]))
    if not present:
        return None
    return reduce(lambda a, b: ~(~a | ~b), present)


WHY = {
    "combine_masks__1": "filter and reduce with De Morgan's rule",
}
