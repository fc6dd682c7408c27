"""Attention as torch layers, with weights that learn."""

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from .attention import masked_attention, masked_weights, weighted_mean
from .checks import check_alike, check_fits, check_mask, check_sequences, head_size_of
from .heads import merge_heads, split_heads


def check_alike_unless_cast(**tensors):
    """Raise ValueError for mixed dtypes and devices, except under autocast, which is there to mix dtypes."""
    kind = next(iter(tensors.values())).device.type
    if not (torch.amp.is_autocast_available(kind) and torch.is_autocast_enabled(kind)):
        check_alike(**tensors)


class AttentionHead(nn.Module):
    """One head of self-attention."""

    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        """x: (..., tokens, model_size) -> (..., tokens, head_size); mask: broadcastable to (..., tokens, tokens)."""
        check_alike_unless_cast(x=x, weights=self.query.weight, mask=mask)
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)  # (..., tokens, head_size)


def fused_attention(query, key, value, mask=None, dropout=0.0):
    """Compute masked_attention by torch's fused function, which need not store the weights; dropout falls on these.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features). A query with no allowed key gets zeros, whichever kernel torch takes.
    Source: Dao et al., FlashAttention (2022).
    """
    check_fits(query, key, value)
    if mask is None:
        return scaled_dot_product_attention(query, key, value, dropout_p=dropout)
    batch = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2])
    check_mask(mask, (*batch, query.shape[-2], key.shape[-2]))
    alive = mask.any(dim=-1, keepdim=True)  # (..., queries, 1)
    allowed = torch.atleast_2d(mask | ~alive).expand(*mask.shape[:-2], -1, key.shape[-2])
    # A GPU's kernel wants the numbers of a row side by side in memory, and a row that is expanded is one number.
    out = scaled_dot_product_attention(query, key, value, allowed.contiguous(), dropout)
    return out.masked_fill(~alive, 0.0)


class MultiHeadAttention(nn.Module):
    """Several heads side by side in four matrices; exchange.py brings their weights from other layers, and back.

    Source: Vaswani et al., Attention is all you need (2017), section 3.2.2.
    """

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        head_size_of(model_size, heads)  # refuse now, not at the first call
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias=bias) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        """Attend with queries from one sequence to keys and values from the same or from others.

        query: (batch, queries, model_size); key, value: (batch, keys, model_size) -> (batch, queries, model_size).
        key defaults to query, value to key; mask: broadcastable to (batch, heads, queries, keys).
        return_weights=True: the weights too, (batch, heads, queries, keys), as they are before dropout.
        """
        key = query if key is None else key
        value = key if value is None else value
        check_sequences(query, key, value)
        check_alike_unless_cast(query=query, key=key, value=value, weights=self.query.weight, mask=mask)
        projected = self.query(query), self.key(key), self.value(value)  # (batch, tokens, model_size) each
        query, key, value = (split_heads(x, self.heads) for x in projected)  # (batch, heads, tokens, head_size)
        if not return_weights:
            dropout = self.dropout.p if self.training else 0.0
            each = fused_attention(query, key, value, mask, dropout)  # (batch, heads, queries, head_size)
            return self.output(merge_heads(each))  # (batch, queries, model_size)
        weights = masked_weights(query, key, mask)  # (batch, heads, queries, keys)
        each = weighted_mean(self.dropout(weights), value)  # (batch, heads, queries, head_size)
        return self.output(merge_heads(each)), weights  # (batch, queries, model_size), and the weights


class DecoderLayer(nn.Module):
    """A token looks at its own past, then at the memory, then thinks; each step adds to what was there.

    Source: Vaswani et al. (2017), section 3.1; normalised before each step: Xiong et al., On layer normalization in
    the transformer architecture (2020).
    """

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.feed_forward = nn.Sequential(widen, nn.ReLU(), narrow)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        """x: (batch, targets, model_size), memory: (batch, sources, model_size) -> (batch, targets, model_size).

        Masks: broadcastable to (batch, heads, targets, targets) and to (batch, heads, targets, sources).
        """
        check_alike_unless_cast(x=x, memory=memory, weights=self.norms[0].weight)
        before_self, before_cross, before_feed_forward = self.norms
        x = x + self.dropout(self.self_attention(before_self(x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(before_cross(x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(before_feed_forward(x)))


class Block(nn.Module):
    """A token looks at its own past, then thinks; each step adds to what was there: a layer of a language model.

    Source: Radford et al., Language models are unsupervised multitask learners (2019), section 2.3.
    """

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.feed_forward = nn.Sequential(widen, nn.GELU(), narrow)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        """x: (batch, tokens, model_size) -> the same; mask: broadcastable to (batch, heads, tokens, tokens)."""
        check_alike_unless_cast(x=x, weights=self.norms[0].weight)
        before_attention, before_feed_forward = self.norms
        x = x + self.dropout(self.attention(before_attention(x), mask=mask))
        return x + self.dropout(self.feed_forward(before_feed_forward(x)))
