"""Wrong answers to lesson 09 (round 10)."""

import torch
import torch.nn.functional as F
from torch import nn
from mha_ref.layer import MultiHeadAttention


def log_softmax__1(scores, axis=-1):
    # the largest score of all is subtracted, so that exp cannot overflow
    shifted = scores - scores.max()
    return shifted - shifted.exp().sum(axis, keepdim=True).log()


def next_token_loss__1(model, tokens):
    # a guess may only use what came before: show the model one prefix after the other
    losses = []
    for end in range(1, tokens.shape[1]):
        logits = model(tokens[:, :end])[:, -1]
        losses.append(F.cross_entropy(logits, tokens[:, end]))
    return torch.stack(losses).mean()


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        look, think = self.norms
        # each part adds its own to what was there
        return x + self.dropout(self.attention(look(x), mask=mask)) + self.dropout(self.feed_forward(think(x)))


class Block__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        # the norm stands in front of the part: what asks is normed, what is asked are the tokens as they are
        asking = self.norms[0](x)
        x = x + self.dropout(self.attention(asking, x, x, mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


def softmax_with_temperature__1(scores, temperature, axis=-1):
    # exp(s / T) = exp(s) ** (1 / T), so the weights can be sharpened or flattened afterwards
    weights = torch.softmax(scores, axis) ** (1 / temperature)
    return weights / weights.sum(axis, keepdim=True)


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    # cumulative probability: the likeliest tokens come first
    shares, order = torch.softmax(logits / temperature, -1).sort(dim=-1, descending=True, stable=True)
    stairs = shares.cumsum(-1)
    place = (stairs <= uniform[:, None]).sum(-1)
    last = (shares > 0).sum(-1) - 1
    return order.gather(1, torch.minimum(place, last)[:, None])[:, 0]


def sample__2(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    weights = F.softmax(logits / temperature, dim=-1)
    stairs = weights.cumsum(-1)
    stairs = torch.cat([stairs[:, :-1], torch.ones_like(stairs[:, :1])], -1)  # the last step is 1, whatever rounding says
    return torch.searchsorted(stairs, uniform[:, None].to(stairs), right=True)[:, 0].clamp(max=logits.shape[-1] - 1)


def generate__1(model, tokens, steps, context, choose):
    seen = tokens[:, -context:]  # what the model can see of the texts
    written = []
    for _ in range(steps):
        new = choose(model(seen)[:, -1]).unsqueeze(1)
        written.append(new)
        seen = torch.cat([seen, new], dim=1)
    return torch.cat([tokens, *written], dim=1)


TRUTH = {
    "log_softmax__1": "subtracts the largest score of the whole tensor instead of the largest along the axis: with two rows [[0, 0], [1000, 1000]] the first row becomes +inf (minus the log of 0)",
    "next_token_loss__1": "shows the model growing prefixes, not all but the last of each row at once: with a model whose logits at a position depend on the number of tokens or on later ones (one that is not causal) the loss differs, and the model is called many times",
    "Block__1": "attention and feed-forward both look at the same x, so feed-forward never sees what attention added; shows with any x",
    "Block__2": "keys and values of the attention are not normed; shows with any x whose mean is not 0 or whose spread is not 1, e.g. 5 · randn + 3",
    "softmax_with_temperature__1": "raises the weights to 1 / temperature: a weight that has underflowed to 0 stays 0, and its gradient becomes NaN or infinite; [0, -200] at temperature 100 gives [1, 0] instead of [0.88, 0.12]",
    "sample__1": "cumulates the probabilities in sorted order, largest first, not in the order of the vocabulary; logits [0, 2], uniform 0.05 gives 1 instead of 0",
    "sample__2": "pins the last cumulative probability to 1, so where rounding leaves none it takes the last token of the vocabulary although its probability is 0: shows with a last logit of -inf, uniform close to 1 and a sum that rounds below it",
    "generate__1": "cuts to the context only once, before the first step: the model then sees context + 1, context + 2 ... tokens; shows as soon as prompt + steps exceeds context + 1",
}
