"""Wrong answers to lesson 07 (round 18)."""

import torch
from torch import nn

from autograder.outline import ours
from mha_ref import multi_head_attention
from mha_ref.layer import MultiHeadAttention

causal_mask = ours("causal_mask")  # in a lesson in torch: a tensor


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    looked_up = multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)
    return x + looked_up


def combine_masks__1(first, second):
    if first is None or second is None:
        return None
    return first & second


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    device = source_lengths.device
    source_real = torch.arange(sources, device=device)[None, :] < source_lengths[:, None]
    target_real = torch.arange(targets, device=device)[None, :] < target_lengths[:, None]
    source = source_real[:, None, None, :]
    causal = causal_mask(targets, targets).to(device)
    target = causal & target_real[:, None, None, :] & target_real[:, None, :, None]
    cross = source.clone()
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
        x = self.norms[0](x)
        x = x + self.dropout(self.self_attention(x, mask=self_mask))
        x = self.norms[1](x)
        x = x + self.dropout(self.cross_attention(x, memory, mask=memory_mask))
        x = self.norms[2](x)
        x = x + self.dropout(self.feed_forward(x))
        return x


def translate_greedily__1(model, sources, start, steps):
    token = torch.full((sources.shape[0], 1), start, dtype=torch.long, device=sources.device)
    written = []
    for _ in range(steps):
        logits = model(sources, token)
        token = logits[:, -1].argmax(dim=-1, keepdim=True)
        written.append(token)
    return torch.cat(written, dim=1)


TRUTH = {
    "cross_attention__1": "Adds x to the result, as a decoder layer does around its attention, but the function should return the attention's output alone.",
    "combine_masks__1": 'If only one of the masks is None the result is None, so the other mask is lost.',
    "encoder_decoder_masks__1": 'The target mask also empties the rows of padded queries, while the docstring says that a padded query keeps its row.',
    "DecoderLayer__1": 'Each step adds its result to the normalised x instead of to x itself, so what was there before does not go through untouched.',
    "translate_greedily__1": 'The model is shown only the token written last instead of the start and everything written so far.',
}
