"""Slips in answers to lesson 07 (round 16)."""

import torch
from torch import nn
from autograder.outline import ours
from mha_ref import multi_head_attention
from mha_ref.layer import MultiHeadAttention

causal_mask = ours("causal_mask")  # as in the notebook: a tensor
padding_mask = ours("padding_mask")  # as in the notebook: a tensor



def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, mask, heads)


def combine_masks__1(first, second):
    if first is None:
        return second
    if second is None:
        return second
    return first & second


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    future = causal_mask(targets, targets).to(target_lengths.device)
    target = padding_mask(target_lengths, targets) & future
    cross = padding_mask(target_lengths, sources)
    return source, target, cross


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
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=self_mask))
        x = x + self.dropout(self.feed_forward(self.norms[2](x)))
        return x


def translate_greedily__1(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start, dtype=torch.long, device=sources.device)
    for _ in range(steps):
        logits = model(sources, targets)
        best = logits[:, -1].argmax(dim=-1, keepdim=True)
        targets = torch.cat([targets, best], dim=1)
    return targets[:, :-1]


TRUTH = {
    "cross_attention__1": 'Hands on mask and heads in the wrong order, so the mask is taken for the number of heads.',
    "combine_masks__1": 'The second branch was copied and returns `second` where it has just been found to be None, so the first mask is lost.',
    "encoder_decoder_masks__1": 'The mask for cross-attention is made of target_lengths instead of source_lengths, so it hides the wrong number of source words.',
    "DecoderLayer__1": 'The call of cross_attention still has mask=self_mask from the line it was copied from, so memory_mask is never used, and self_mask does not fit where the sizes differ.',
    "translate_greedily__1": 'Returns [:, :-1] instead of [:, 1:], so the start is kept and the last written token is lost.',
}
