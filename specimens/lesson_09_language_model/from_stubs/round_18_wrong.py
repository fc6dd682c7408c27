"""Wrong answers to lesson 09 (round 18)."""

import math

import torch
from torch import nn

from mha_ref import log_softmax, softmax, softmax_with_temperature
from mha_ref.layer import MultiHeadAttention


def log_softmax__1(scores, axis=-1):
    weights = torch.softmax(scores, dim=axis)
    return torch.log(weights + 1e-12)


def next_token_loss__1(model, tokens):
    logits = model(tokens[:, :-1])
    log_probabilities = log_softmax(logits, axis=-1)
    right = log_probabilities.gather(-1, tokens[:, 1:].unsqueeze(-1)).flatten()
    return math.log(right.numel()) - torch.logsumexp(right, dim=0)


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.GELU(),
            nn.Linear(hidden_size, model_size),
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        from_attention = self.dropout(self.attention(self.norms[0](x), mask=mask))
        from_feed_forward = self.dropout(self.feed_forward(self.norms[1](x)))
        return x + from_attention + from_feed_forward


def softmax_with_temperature__1(scores, temperature, axis=-1):
    weights = softmax(scores, axis)
    weights = weights / temperature
    return weights / weights.sum(dim=axis, keepdim=True)


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    probabilities = softmax_with_temperature(logits, temperature)
    probabilities, order = probabilities.sort(dim=-1, descending=True)
    exceeds = probabilities.cumsum(dim=-1) > uniform[:, None]
    first = exceeds.int().argmax(dim=-1)
    last = (probabilities > 0).sum(dim=-1) - 1
    place = torch.where(exceeds.any(dim=-1), first, last)
    return order.gather(1, place[:, None]).squeeze(1)


def generate__1(model, tokens, steps, context, choose):
    written = tokens
    seen = tokens[:, -context:]
    for _ in range(steps):
        logits = model(seen)[:, -1, :]
        new = choose(logits).unsqueeze(1)
        seen = torch.cat((seen, new), dim=1)
        written = torch.cat((written, new), dim=1)
    return written


TRUTH = {
    "log_softmax__1": 'Adds 1e-12 before the logarithm to avoid log(0), so no result is below about -27.6, however small the weight is.',
    "next_token_loss__1": 'Takes minus the log of the mean probability instead of the mean of minus the log of the probabilities.',
    "Block__1": 'Feed-forward reads the x from before the attention, so both parts run side by side instead of one after the other.',
    "softmax_with_temperature__1": 'The weights are divided by the temperature after the softmax and then normalised again, so the temperature cancels and has no effect.',
    "sample__1": 'The probabilities are sorted before they are added up, so the cumulative sum runs from the likeliest token to the least likely instead of in the order of the vocabulary.',
    "generate__1": 'The text is cut to the context only once, before the loop, so the model sees more than `context` tokens as soon as the text grows beyond it.',
}
