"""Wrong answers to lesson 09 (round 11)."""

import torch
import torch.nn.functional as F
from mha_ref.layer import MultiHeadAttention
from torch import nn


def log_softmax__1(scores, axis=-1):
    weights = torch.softmax(scores, dim=axis)
    return torch.log(torch.clamp(weights, min=1e-12))


def log_softmax__2(scores, axis=-1):
    total = torch.exp(scores).sum(dim=axis, keepdim=True)
    return scores - torch.log(total)


def next_token_loss__1(model, tokens):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    probabilities = F.softmax(model(inputs), dim=-1)
    return F.cross_entropy(probabilities.transpose(1, 2), targets)


def next_token_loss__2(model, tokens):
    logits = model(tokens[:, :-1])[:, -1]
    target = tokens[:, -1]
    logs = torch.log_softmax(logits, dim=-1)
    return -logs[torch.arange(len(target)), target].mean()


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norms[0](x + self.dropout(self.attention(x, mask=mask)))
        return self.norms[1](x + self.dropout(self.feed_forward(x)))


class Block__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        widen, narrow = nn.Linear(model_size, hidden_size), nn.Linear(hidden_size, model_size)
        self.feed_forward = nn.Sequential(widen, nn.GELU(), narrow)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        for norm, part in zip(self.norms, (lambda t: self.attention(t, mask=mask), self.feed_forward)):
            x = norm(x)
            x = x + self.drop(part(x))
        return x


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    shares = torch.softmax(logits * temperature, dim=-1)
    ends = shares.cumsum(dim=-1)
    found = ends > uniform.unsqueeze(-1)
    last = logits.shape[-1] - 1 - (shares > 0).flip(-1).int().argmax(-1)
    return torch.where(found.any(-1), found.int().argmax(-1), last)


def sample__2(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    # the likeliest token first
    shares = torch.softmax(logits / temperature, -1).sort(dim=-1, descending=True).values
    drawn = []
    for row, u in zip(shares, uniform):
        total, token = 0.0, 0
        for token, share in enumerate(row):
            total = total + share
            if total > u:
                break
        drawn.append(token)
    return torch.tensor(drawn)


TRUTH = {
    "log_softmax__1": "the logarithm of a clamped softmax: nothing falls below log(1e-12), about -27.6, though the true value would fit",
    "log_softmax__2": "exp overflows for large scores, and vanishes for scores far below zero: infinite results",
    "next_token_loss__1": "softmax twice: cross_entropy takes logits, and gets probabilities",
    "next_token_loss__2": "the last position alone counts, not every one",
    "Block__1": "post-norm: the sums are normed, not what goes into the parts",
    "Block__2": "the residual branch carries the normed x, not x itself",
    "sample__1": "multiplies by the temperature where it should divide",
    "sample__2": "the place in the sorted row is returned, not the token that stands there",
}
