"""Slips in answers to lesson 07 (round 19)."""

import torch
from torch import nn

from mha_ref import multi_head_attention
from mha_ref.layer import MultiHeadAttention


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return multi_head_attention(x, memory, memory, w_query, w_value, w_key, w_output, heads, mask)


def combine_masks__1(first, second):
    if first is None:
        return second
    if second is None:
        return first
    return first and second


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    device = source_lengths.device
    source = torch.arange(1, sources + 1, device=device) < source_lengths[:, None, None, None]
    real = torch.arange(targets, device=device) < target_lengths[:, None, None, None]
    target = real & torch.ones(targets, targets, dtype=torch.bool, device=device).tril()
    return source, target, source.clone()


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
        x = x + self.dropout(self.self_attention(self.norms[0](x), self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, memory_mask))
        x = x + self.dropout(self.feed_forward(self.norms[2](x)))
        return x


def translate_greedily__1(model, sources, start, steps):
    batch = sources.shape[0]
    targets = torch.full((batch, 1), start, dtype=torch.long, device=sources.device)
    for _ in range(steps):
        logits = model(sources, targets)
        best = logits[-1].argmax(dim=-1)
        targets = torch.cat([targets, best[:, None]], dim=1)
    return targets[:, 1:]


TRUTH = {
    "cross_attention__1": 'w_value and w_key are handed on in the wrong order, so the keys are made with w_value and the values with w_key.',
    "combine_masks__1": "Python's `and` is used instead of &, which fails with a RuntimeError for a tensor of more than one entry.",
    "encoder_decoder_masks__1": 'The positions of the source are counted from 1 instead of 0 but compared with <, so the last real word of each source is hidden too.',
    "DecoderLayer__1": 'The masks are handed over by position instead of by name, so self_mask arrives as the key and memory_mask as the value.',
    "translate_greedily__1": 'logits[-1] takes the last text of the batch instead of the last position of each text, which would be logits[:, -1].',
}
