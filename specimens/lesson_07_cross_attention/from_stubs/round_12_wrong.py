"""Wrong answers to lesson 07 (round 12)."""

import torch
from mha_ref import masked_softmax, merge_heads, multi_head_attention, split_heads
from mha_ref.layer import MultiHeadAttention
from torch import nn


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return multi_head_attention(memory, x, x, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__2(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    # the decoder may look at what it wrote, and at the memory
    everything = torch.cat([memory, x], dim=1)
    if mask is not None:
        own = torch.ones(*mask.shape[:-1], x.shape[1], dtype=torch.bool)
        mask = torch.cat([mask.expand(*mask.shape[:-1], memory.shape[1]), own], dim=-1)
    return multi_head_attention(x, everything, everything, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__3(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    q, k, v = split_heads(x @ w_query, heads), split_heads(memory @ w_key, heads), split_heads(memory @ w_value, heads)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / x.shape[-1] ** 0.5
    weights = torch.softmax(scores, -1) if mask is None else masked_softmax(scores, mask)
    return merge_heads(torch.einsum("bhqk,bhkd->bhqd", weights, v)) @ w_output


def cross_attention__4(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    q = split_heads(x @ w_query, heads)
    k = split_heads(memory @ w_key, heads)
    v = split_heads(memory, heads) @ torch.stack([part.T @ part for part in w_value.split(w_value.shape[1] // heads, dim=1)])
    scores = q @ k.mT / q.shape[-1] ** 0.5
    weights = torch.softmax(scores, -1) if mask is None else masked_softmax(scores, mask)
    return merge_heads(weights @ v) @ w_output


class _Decoder(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size, bias=True), nn.Linear(hidden_size, model_size, bias=True)
        feed_forward = nn.Sequential(widen, nn.ReLU(), narrow)
        self.feed_forward, self.dropout = feed_forward, nn.Dropout(dropout)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])


class DecoderLayer__1(_Decoder):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        memory = self.norms[1](memory)
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__2(_Decoder):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        # look at both, then add what was found to x
        own = self.self_attention(self.norms[0](x), mask=self_mask)
        other = self.cross_attention(self.norms[1](x), memory, mask=memory_mask)
        x = x + self.dropout(own) + self.dropout(other)
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__3(_Decoder):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__4(_Decoder):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, self.norms[1](x), mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


TRUTH = {
    "cross_attention__1": "the memory asks and x is asked: exchanged",
    "cross_attention__2": "keys and values are memory and x together; they should be the memory alone",
    "cross_attention__3": "scaled by the root of model_size, not of head_size",
    "cross_attention__4": "the values are cut into heads before the projection, and multiplied by a square of the weights: a misunderstanding of what w_value does",
    "DecoderLayer__1": "the memory is normalised too; it should come as it is",
    "DecoderLayer__2": "both attentions read the same x: cross-attention should read what self-attention has added",
    "DecoderLayer__3": "the last part does not add to x",
    "DecoderLayer__4": "the values of cross-attention are x, not the memory: the lengths clash where they differ",
}
