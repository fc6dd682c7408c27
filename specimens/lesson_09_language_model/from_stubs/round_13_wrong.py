"""Wrong answers to lesson 09 (round 13)."""

import torch
import torch.nn.functional as F
from mha_ref.layer import MultiHeadAttention
from torch import nn


def log_softmax__1(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    return scores - top - torch.log(torch.exp(scores).sum(dim=axis, keepdim=True))


def log_softmax__2(scores, axis=-1):
    shifted = scores - scores.amax(dim=axis, keepdim=True)
    return shifted - shifted.exp().sum().log()


def next_token_loss__1(model, tokens):
    logits = model(tokens)[:, :-1]
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def next_token_loss__2(model, tokens):
    logits = model(tokens[:, :-1])
    logs = logits.log_softmax(-1)
    right = logs.gather(-1, tokens[:, 1:].unsqueeze(-1)).squeeze(-1)
    return -right.sum(dim=1).mean()


def next_token_loss__3(model, tokens):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    probabilities = model(inputs).softmax(-1)
    right = probabilities.gather(-1, targets[..., None])
    return -right.mean().log()


class _Block(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.feed_forward = nn.Sequential(widen, nn.GELU(), narrow)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))
        self.dropout = nn.Dropout(dropout)


class Block__1(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.norms[0](self.attention(x, mask=mask)))
        return x + self.dropout(self.norms[1](self.feed_forward(x)))


class Block__2(_Block):
    def forward(self, x, mask=None):
        looked = self.dropout(self.attention(self.norms[0](x), mask=mask))
        thought = self.dropout(self.feed_forward(self.norms[1](x)))
        return x + looked + thought


class Block__3(_Block):
    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), x, x, mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    ends = torch.softmax(logits / temperature, -1).cumsum(-1)
    # the token whose end is nearest
    return (ends - uniform[:, None]).abs().argmin(-1)


def sample__2(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    shares = torch.softmax(logits / temperature, -1)
    return (shares > uniform[:, None]).int().argmax(-1)


TRUTH = {
    "log_softmax__1": "the maximum is subtracted from the scores but not in the sum: the result is too low by the maximum",
    "log_softmax__2": "the sum goes over everything, not along the axis",
    "next_token_loss__1": "the model is shown the whole row, the last token too; what it says then may differ, and its context may be too short",
    "next_token_loss__2": "the sum over positions, and the mean over rows alone",
    "next_token_loss__3": "minus the logarithm of the mean probability, not the mean of minus the logarithms",
    "Block__1": "the norms come after the parts, before the sum",
    "Block__2": "both parts read the same x: feed-forward should read what attention has added",
    "Block__3": "queries come from the normed x, keys and values from x itself",
    "sample__1": "the nearest end, not the first that exceeds",
    "sample__2": "the first token whose own probability exceeds the number: not cumulative",
}
