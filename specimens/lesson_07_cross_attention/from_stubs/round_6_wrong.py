import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from autograder.outline import ours
from mha_ref import masked_softmax, merge_heads, multi_head_attention, padding_mask, split_heads
from mha_ref.layer import MultiHeadAttention
import numpy as np

causal_mask = ours("causal_mask")  # as in the notebook: a tensor


# ---------------------------------------------------------------- cross_attention

def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    if mask is None:
        mask = torch.ones(1, 1, dtype=torch.bool)
    q = split_heads(memory @ w_query, heads)      # we query the memory ...
    k = split_heads(x @ w_key, heads)             # ... with the key x
    v = split_heads(memory @ w_value, heads)
    scores = k @ q.transpose(-2, -1) / math.sqrt(k.shape[-1])
    return merge_heads(masked_softmax(scores, mask) @ v) @ w_output


def cross_attention__2(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, queries, model_size = x.shape
    d = model_size // heads

    def to_heads(t):
        return t.reshape(batch, -1, d, heads).permute(0, 3, 1, 2)

    q, k, v = to_heads(x @ w_query), to_heads(memory @ w_key), to_heads(memory @ w_value)
    scores = q @ k.mT / d ** 0.5
    w = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
    out = (w @ v).permute(0, 2, 3, 1).reshape(batch, queries, model_size)
    return out @ w_output


def cross_attention__3(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    if mask is not None and mask.dim() == 2:
        # padding of the memory: (batch, keys) -> (batch, 1, 1, keys)
        mask = mask[:, None, None, :]
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__4(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    q = split_heads(x @ w_query, heads)
    k = split_heads(memory @ w_key, heads)
    v = split_heads(memory @ w_value, heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask.any(-1, keepdim=True)
    return merge_heads(weights @ v) @ w_output


def cross_attention__5(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    memory = memory.detach()      # the encoder is done, the decoder only reads it
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask=mask)


def cross_attention__6(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    q = split_heads(x @ w_query, heads)
    k = split_heads(memory @ w_key, heads).transpose(-2, -1)
    v = split_heads(memory @ w_value, heads)
    scores = torch.matmul(q, k) / math.sqrt(k.size(-1))
    if mask is None:
        attention = F.softmax(scores, dim=-1)
    else:
        attention = masked_softmax(scores, mask)
    return merge_heads(torch.matmul(attention, v)) @ w_output


def cross_attention__7(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    q = (x @ w_query).unflatten(-1, (heads, -1))
    k = (memory @ w_key).unflatten(-1, (heads, -1))
    v = (memory @ w_value).unflatten(-1, (heads, -1))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(dim=2)
    weights = weights.nan_to_num(0.0)
    return torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2) @ w_output


# ---------------------------------------------------------------- encoder_decoder_masks

def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    words = torch.arange(targets) < target_lengths[:, None]
    padding = words[:, None, :, None] & words[:, None, None, :]
    target = padding & causal_mask(targets, targets)
    return source, target, source


def encoder_decoder_masks__2(source_lengths, target_lengths, sources, targets):
    def real(lengths):
        steps = torch.arange(int(lengths.max()))
        return (steps[None, :] < lengths[:, None])[:, None, None, :]

    source = real(source_lengths)
    target = real(target_lengths)
    size = target.shape[-1]
    target = target & torch.ones(size, size, dtype=torch.bool).tril()
    return source, target, source.clone()


def encoder_decoder_masks__3(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    future = torch.triu(torch.ones(targets, targets, dtype=torch.bool), diagonal=1)
    target = padding_mask(target_lengths, targets) | ~future
    return source, target, source


def encoder_decoder_masks__4(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    target = padding_mask(target_lengths, targets) & causal_mask(targets, targets)
    asking = torch.arange(targets) < target_lengths[:, None]
    cross = source & asking[:, None, :, None]
    return source, target, cross


# ---------------------------------------------------------------- DecoderLayer

def _mlp(model_size, hidden_size):
    return nn.Sequential(
        nn.Linear(model_size, hidden_size),
        nn.ReLU(),
        nn.Linear(hidden_size, model_size),
    )


class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norms[0](x + self.dropout(self.self_attention(x, mask=self_mask)))
        x = self.norms[1](x + self.dropout(self.cross_attention(x, memory, mask=memory_mask)))
        return self.norms[2](x + self.dropout(self.feed_forward(x)))


class DecoderLayer__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size)] * 3)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        parts = (
            lambda h: self.self_attention(h, mask=self_mask),
            lambda h: self.cross_attention(h, memory, mask=memory_mask),
            self.feed_forward,
        )
        for norm, part in zip(self.norms, parts):
            x = x + self.dropout(part(norm(x)))
        return x


class DecoderLayer__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        h = self.norms[0](x)
        x = x + self.dropout(self.self_attention(h, mask=self_mask))
        h, m = self.norms[1](x), self.norms[1](memory)
        x = x + self.dropout(self.cross_attention(h, m, mask=memory_mask))
        h = self.norms[2](x)
        return x + self.dropout(self.feed_forward(h))


class DecoderLayer__4(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norms[0](x)
        x = x + self.dropout(self.self_attention(x, mask=self_mask))
        x = self.norms[1](x)
        x = x + self.dropout(self.cross_attention(x, memory, mask=memory_mask))
        x = self.norms[2](x)
        x = x + self.dropout(self.feed_forward(x))
        return x


class DecoderLayer__5(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        normed = self.norms[0](x)
        x = x + self.dropout(self.self_attention(normed, mask=self_mask))
        normed = self.norms[1](x)
        x = x + self.dropout(self.cross_attention(normed, memory, memory_mask))
        normed = self.norms[2](x)
        return x + self.dropout(self.feed_forward(normed))


class DecoderLayer__6(nn.Module):
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
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout1(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout2(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.feed_forward(self.norms[2](x))


class DecoderLayer__7(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads)
        self.cross_attention = MultiHeadAttention(model_size, heads)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        x = x + self.dropout(self.feed_forward(self.norms[2](x)))
        return x


class DecoderLayer__8(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__9(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.self_attention = attention
        self.cross_attention = attention
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norm1(x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norm2(x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norm3(x)))


class DecoderLayer__10(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0, "model_size must be divisible by heads"
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__11(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x += self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x += self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        x += self.dropout(self.feed_forward(self.norms[2](x)))
        return x


class DecoderLayer__12(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.p = dropout
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.fc1 = nn.Linear(model_size, hidden_size)
        self.fc2 = nn.Linear(hidden_size, model_size)
        self.self_norm = nn.LayerNorm(model_size)
        self.cross_norm = nn.LayerNorm(model_size)
        self.ff_norm = nn.LayerNorm(model_size)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        h = self.self_attention(self.self_norm(x), mask=self_mask)
        x = x + F.dropout(h, self.p)
        h = self.cross_attention(self.cross_norm(x), memory, mask=memory_mask)
        x = x + F.dropout(h, self.p)
        h = self.fc2(F.relu(self.fc1(self.ff_norm(x))))
        return x + F.dropout(h, self.p)


class DecoderLayer__13(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        past = self.self_attention(self.norms[0](x), mask=self_mask)
        looked_up = self.cross_attention(self.norms[1](x), memory, mask=memory_mask)
        thought = self.feed_forward(self.norms[2](x))
        return x + self.dropout(past) + self.dropout(looked_up) + self.dropout(thought)


class _Residual(nn.Module):
    def __init__(self, model_size, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(model_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, part):
        return self.dropout(x + part(self.norm(x)))


class DecoderLayer__14(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _mlp(model_size, hidden_size)
        self.residuals = nn.ModuleList([_Residual(model_size, dropout) for _ in range(3)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.residuals[0](x, lambda h: self.self_attention(h, mask=self_mask))
        x = self.residuals[1](x, lambda h: self.cross_attention(h, memory, mask=memory_mask))
        return self.residuals[2](x, self.feed_forward)


def combine_masks__1(first, second):
    if first is None:
        return second
    if second is None:
        return first
    return np.logical_or(first, second)


def combine_masks__2(first, second):
    masks = [m for m in (first, second) if m is not None]
    if not masks:
        return None
    return sum(masks[1:], masks[0]) == len(masks)


def combine_masks__3(first, second):
    if first is not None and second is not None:
        first &= second
    return second if first is None else first


TRUTH = {
    "combine_masks__1": "Its author thinks of True as blocked, and joins the masks by `or`, so that what just one of them allows is allowed.",
    "combine_masks__2": "Its author adds the masks and looks for 2, overlooking that the sum of two booleans is a boolean in NumPy, so nothing is ever allowed.",
    "combine_masks__3": "Its author combines in place, so that the first mask is changed, and a first mask that is smaller than the common shape fails.",
    "cross_attention__1": "Believes the keys belong to the asking sequence: x gets the keys' matrix and memory the queries' matrix, so w_query and w_key change sides.",
    "cross_attention__2": "Cuts heads as (head_size, heads) and puts them back the same way; a head then is every heads-th column, not a block of neighbours.",
    "cross_attention__3": "Takes a mask of two axes for (batch, keys), while it is (queries, keys).",
    "cross_attention__4": "Multiplies scores by the mask; a blocked score becomes 0 and keeps a weight.",
    "cross_attention__5": "Believes the memory is fixed and detaches it, so no gradient reaches memory.",
    "cross_attention__6": "Reads the head size off the transposed keys, and so divides by the root of the number of keys.",
    "cross_attention__7": "Softmax runs over the queries (axis 2), so each key shares itself out among the queries.",
    "encoder_decoder_masks__1": "Hides padded queries as well in the target mask, although a padded query keeps its row.",
    "encoder_decoder_masks__2": "Makes the masks as wide as the longest sentence instead of `sources` and `targets`.",
    "encoder_decoder_masks__3": "Joins padding and future by `or`, as one does with masks of what is blocked; the future of real words and padding in the past become visible.",
    "encoder_decoder_masks__4": "Hides the padded target queries in the cross mask, which then has the shape (batch, 1, targets, sources) and empty rows.",
    "DecoderLayer__1": "Post-norm: normalises after adding, not in front of each part.",
    "DecoderLayer__2": "Multiplies a list by 3, so all three norms are one and the same LayerNorm.",
    "DecoderLayer__3": "Normalises the memory too, with the cross-attention's norm, before it is looked at.",
    "DecoderLayer__4": "Overwrites x by its norm, so what is added to is the normalised x, not what was there.",
    "DecoderLayer__5": "Passes memory_mask in the third place, where value stands; without a mask all is well, with one the mask is taken for the values.",
    "DecoderLayer__6": "A second dropout falls inside the feed-forward, between ReLU and the second Linear.",
    "DecoderLayer__7": "Does not hand dropout on to the attentions, so no attention weight is ever dropped.",
    "DecoderLayer__8": "Uses GELU where a ReLU is asked for.",
    "DecoderLayer__9": "Self-attention and cross-attention are one and the same module.",
    "DecoderLayer__10": "An own assert comes before the ValueError that MultiHeadAttention would raise, so heads that do not divide are an AssertionError.",
    "DecoderLayer__11": "Uses += on the input, which changes the caller's x.",
    "DecoderLayer__12": "Calls F.dropout without training=self.training, so it drops in eval mode too.",
    "DecoderLayer__13": "All three parts read the same x side by side; none sees what the part before it has added.",
    "DecoderLayer__14": "Dropout falls on the sum, so also on what was there, instead of on the part's result alone.",
}
