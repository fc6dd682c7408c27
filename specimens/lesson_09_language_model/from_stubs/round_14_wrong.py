"""Wrong answers to lesson 09 (round 14)."""

import torch
import torch.nn.functional as F
from mha_ref import log_softmax, softmax_with_temperature
from mha_ref.layer import MultiHeadAttention
from torch import nn


def log_softmax__1(scores, axis=-1):
    highest = scores.max(dim=axis, keepdim=True).values
    total = scores.exp().sum(dim=axis, keepdim=True)
    return scores - highest - total.log()


def log_softmax__2(scores, axis=-1):
    shifted = scores - scores.amax(dim=axis, keepdim=True)
    weights = shifted.exp() / shifted.exp().sum(dim=axis, keepdim=True)
    return weights.clamp(min=torch.finfo(weights.dtype).tiny).log()


def next_token_loss__1(model, tokens):
    shown = tokens[:, :-1]
    logp = log_softmax(model(shown))
    rows = torch.arange(shown.shape[0])[:, None]
    columns = torch.arange(shown.shape[1])[None, :]
    return -logp[rows, columns, shown].mean()


def next_token_loss__2(model, tokens):
    logits = model(tokens[:, :-1])
    losses = F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:], reduction="none")
    return losses.sum(dim=1).mean()


def next_token_loss__3(model, tokens):
    logits = model(tokens[:, :-1])
    batch, context, vocabulary = logits.shape
    return F.cross_entropy(logits.reshape(batch, vocabulary, context), tokens[:, 1:])


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norms[0](x)
        x = x + self.dropout(self.attention(x, mask=mask))
        x = self.norms[1](x)
        return x + self.dropout(self.feed_forward(x))


class Block__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        widen, gelu, narrow = self.feed_forward
        hidden = self.dropout(gelu(widen(self.norms[1](x))))
        return x + self.dropout(narrow(hidden))


class Block__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size)] * 2)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.drop(self.attention(self.norms[0](x), mask=mask))
        x = x + self.drop(self.feed_forward(self.norms[1](x)))
        return x


def softmax_with_temperature__1(scores, temperature, axis=-1):
    weights = log_softmax(scores, axis).exp()
    return weights ** (1 / temperature)


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    probabilities = softmax_with_temperature(logits, temperature)
    cumulative = probabilities.cumsum(dim=-1)
    index = torch.searchsorted(cumulative, uniform[:, None]).squeeze(-1)
    positive = probabilities > 0
    last = positive.shape[-1] - 1 - positive.flip(-1).int().argmax(dim=-1)
    return torch.minimum(index, last)


def sample__2(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    probabilities = softmax_with_temperature(logits, temperature)
    chosen = []
    for row, u in zip(probabilities, uniform):
        above = torch.nonzero(row > u).flatten()
        chosen.append(above[0] if len(above) else row.argmax())
    return torch.stack(chosen)


def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = tokens[:, -context:]
        new = choose(model(tokens)[:, -1])
        tokens = torch.cat((tokens, new.unsqueeze(1)), dim=1)
    return tokens


def generate__2(model, tokens, steps, context, choose):
    text = tokens
    for _ in range(steps):
        weights = model(text[:, -context:])[:, -1, :].softmax(dim=-1)
        text = torch.hstack([text, choose(weights)[:, None]])
    return text


TRUTH = {
    "log_softmax__1": "The maximum is subtracted from the scores, but not inside the sum of exponentials (which overflows too).",
    "log_softmax__2": "Weights too small for a float are raised to the smallest float before the logarithm, so far-off results are all about -87.",
    "next_token_loss__1": "The right tokens are those that the model was shown, not the ones after them.",
    "next_token_loss__2": "It adds up the losses of a row and takes the mean over the rows only: too large by the number of positions.",
    "next_token_loss__3": "It reshapes (batch, context, vocabulary) to (batch, vocabulary, context) where it should exchange the axes: numbers of different positions get mixed.",
    "Block__1": "Each step's result is added to the normalised x, not to what was there.",
    "Block__2": "Dropout is also applied inside feed-forward, to the hidden numbers.",
    "Block__3": "[norm] * 2 holds the same LayerNorm twice: both parts share its weights.",
    "softmax_with_temperature__1": "The weights are raised to 1/temperature, but not divided by their new sum.",
    "sample__1": "searchsorted finds the first cumulative probability that is at least the number; it has to exceed it (right=True). At uniform = 0 it can draw a token of probability 0.",
    "sample__2": "It compares the number with each probability, not with the cumulative ones.",
    "generate__1": "The window is cut off from the text itself, so that what is older than the context is missing in the result.",
    "generate__2": "choose gets probabilities, where it expects logits.",
}
