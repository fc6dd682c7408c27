"""Slips in answers to lesson 07 (round 18)."""

import torch
from torch import nn

from autograder.outline import ours
from mha_ref import combine_masks, multi_head_attention
from mha_ref.layer import MultiHeadAttention

causal_mask = ours("causal_mask")  # in a lesson in torch: a tensor


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return multi_head_attention(x, memory, memory, w_query, w_value, w_key, w_output, heads, mask=mask)


def combine_masks__1(first, second):
    if first is None:
        return second
    if second is None:
        return first
    return first and second


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    dev = source_lengths.device
    source = (torch.arange(sources, device=dev) < source_lengths[:, None])[:, None, None]
    padding = (torch.arange(targets, device=dev) < target_lengths[:, None])[:, None, None]
    target = combine_masks(causal_mask(targets, sources).to(dev), padding)
    return source, target, source


class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size, bias=True), nn.Linear(hidden_size, model_size, bias=True)
        feed_forward = nn.Sequential(widen, nn.ReLU(), narrow)
        self.feed_forward, self.dropout = feed_forward, nn.Dropout(dropout)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        first, second, third = self.norms
        x = x + self.dropout(self.self_attention(first(x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(second(x), memory, mask=memory_mask))
        x + self.dropout(self.feed_forward(third(x)))
        return x


def translate_greedily__1(model, sources, start, steps):
    batch = len(sources)
    targets = torch.full((batch, 1), start, dtype=torch.long, device=sources.device)
    for step in range(steps):
        logits = model(sources, targets)
        best = logits[:, -1, :].argmax(dim=-1)
        targets = torch.cat([targets, best[:, None]])
    return targets[:, 1:]


TRUTH = {
    "cross_attention__1": 'w_value and w_key are swapped in the call.',
    "combine_masks__1": '`and` instead of `&`: the truth of a tensor with several entries is asked for, which raises a RuntimeError.',
    "encoder_decoder_masks__1": 'The causal mask is made of (targets, sources) instead of (targets, targets), so it does not fit where the sizes differ.',
    "DecoderLayer__1": 'The last sum is computed but not assigned to x, so feed-forward has no effect.',
    "translate_greedily__1": 'torch.cat without dim=1 puts the new tokens below the old ones as further rows instead of beside them.',
}
