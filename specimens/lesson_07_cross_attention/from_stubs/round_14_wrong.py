"""Wrong answers to lesson 07 (round 14)."""

import torch
from mha_ref.layer import MultiHeadAttention
from torch import nn


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
        n1, n2, n3 = self.norms
        x = x + self.dropout(self.self_attention(n1(x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(n2(x), n2(memory), mask=memory_mask))
        return x + self.dropout(self.feed_forward(n3(x)))


def translate_greedily__1(model, sources, start, steps):
    token = torch.full((len(sources), 1), start, device=sources.device)
    written = []
    for _ in range(steps):
        token = model(sources, token)[:, -1].argmax(dim=-1, keepdim=True)
        written.append(token)
    return torch.cat(written, dim=1)


TRUTH = {
    "DecoderLayer__1": "It also sends memory through the norm in front of cross-attention; the norm is for x.",
    "translate_greedily__1": "The model is shown only the newest token at each step, not all that was written.",
}
