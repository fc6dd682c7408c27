"""Wrong answers to lesson 09 (round 15)."""

import torch
import torch.nn.functional as F
from torch import nn
from mha_ref.layer import MultiHeadAttention



def log_softmax__1(scores, axis=-1):
    shifted = scores - scores.amax(dim=axis, keepdim=True)
    powers = shifted.exp()
    weights = powers / powers.sum(dim=axis, keepdim=True)
    return torch.log(weights)


def log_softmax__2(scores, axis=-1):
    shifted = scores - scores.max()
    return shifted - shifted.exp().sum(dim=axis, keepdim=True).log()


def next_token_loss__1(model, tokens):
    seen = tokens[:, :-1]
    logits = model(seen)
    log_probabilities = F.log_softmax(logits, dim=-1)
    right = log_probabilities.gather(-1, seen.unsqueeze(-1))
    return -right.mean()


def next_token_loss__2(model, tokens):
    logits = model(tokens)[:, :-1]
    targets = tokens[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


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
        x = self.norms[0](x)
        x = x + self.dropout(self.attention(x, mask=mask))
        x = self.norms[1](x)
        x = x + self.dropout(self.feed_forward(x))
        return x


class Block__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size)] * 2)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        before_attention, before_feed_forward = self.norms
        x = x + self.drop(self.attention(before_attention(x), mask=mask))
        return x + self.drop(self.feed_forward(before_feed_forward(x)))


class Block__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.p = dropout
        self.attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))

    def forward(self, x, mask=None):
        looked_up = self.attention(self.norms[0](x), mask=mask)
        x = x + F.dropout(looked_up, self.p)
        thought = self.feed_forward(self.norms[1](x))
        return x + F.dropout(thought, self.p)


def softmax_with_temperature__1(scores, temperature, axis=-1):
    weights = torch.softmax(scores, dim=axis)
    weights = weights / temperature
    return weights / weights.sum(dim=axis, keepdim=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    weights = torch.softmax(scores, dim=axis)
    powers = weights ** (1 / temperature)
    return powers / powers.sum(dim=axis, keepdim=True)


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    probabilities = torch.softmax(logits / temperature, dim=-1)
    cumulative = probabilities.cumsum(dim=-1)
    drawn = torch.searchsorted(cumulative, uniform[:, None].to(cumulative.dtype)).squeeze(-1)
    numbers = torch.arange(logits.shape[-1], device=logits.device)
    last_possible = torch.where(probabilities > 0, numbers, 0).amax(dim=-1)
    return torch.minimum(drawn, last_possible)


def sample__2(logits, temperature, uniform):
    if temperature == 0:
        return torch.argmax(logits, dim=1)
    p = F.softmax(logits / temperature, dim=1)
    exceeds = p.cumsum(dim=1) > uniform.unsqueeze(1)
    return exceeds.long().argmax(dim=1)


def sample__3(logits, temperature, uniform):
    temperature = max(temperature, 1e-3)
    probabilities = ((logits - logits.amax(dim=-1, keepdim=True)) / temperature).softmax(dim=-1)
    cumulative = torch.cumsum(probabilities, dim=-1)
    chosen = []
    for row in range(logits.shape[0]):
        above = (cumulative[row] > uniform[row]).nonzero().flatten()
        possible = (probabilities[row] > 0).nonzero().flatten()
        chosen.append(above[0] if len(above) > 0 else possible[-1])
    return torch.stack(chosen)


def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = tokens[:, -context:]
        logits = model(tokens)[:, -1]
        tokens = torch.cat([tokens, choose(logits)[:, None]], dim=1)
    return tokens


def generate__2(model, tokens, steps, context, choose):
    text = tokens.clone()
    while text.shape[1] < steps:
        shown = text[:, max(0, text.shape[1] - context):]
        newest = choose(model(shown)[:, -1, :])
        text = torch.cat((text, newest.unsqueeze(1)), dim=1)
    return text


TRUTH = {
    "log_softmax__1": 'The logarithm is taken of the finished weights, so a weight too small for a float becomes 0 and its logarithm -inf, although the result itself (say -200) would fit.',
    "log_softmax__2": 'The largest score of the whole tensor is subtracted instead of the largest along `axis`, so a row that lies far below another one sums to 0 and the result is infinite.',
    "next_token_loss__1": 'The targets are the very tokens that the model was shown, not the ones after them, so the loss measures copying instead of predicting.',
    "next_token_loss__2": 'The model is shown all context + 1 tokens and the last logits are thrown away, although it must be shown all but the last of each row; a model made for `context` tokens breaks, and one that looks ahead sees the last answer.',
    "Block__1": 'x is overwritten by its normed version before each part, so each step adds to the normed vectors and not to what was there; the residual path is lost.',
    "Block__2": 'The list holds the same LayerNorm twice, so the two parts share one scale and one shift instead of having norms of their own; before training the results are the same, afterwards they are not.',
    "Block__3": "F.dropout is called without training=self.training, and its default is True, so the two parts' results are dropped in eval mode too.",
    "softmax_with_temperature__1": 'The finished weights are divided by the temperature and made to sum to 1 again, which cancels, so the temperature has no effect at all.',
    "softmax_with_temperature__2": 'Raising the finished weights to 1 / temperature is the same on paper only: weights that underflowed to 0 stay 0 at a high temperature, and at a low one all powers may vanish and give 0 / 0 = NaN.',
    "sample__1": 'searchsorted without right=True finds the first cumulative probability that is at least the number, not one that exceeds it, so at uniform = 0 a first token of probability 0 is drawn, and ties go to the token before.',
    "sample__2": 'Where rounding leaves no cumulative probability above the number, argmax of a row of False is 0, so the first token is drawn instead of the last one that is possible.',
    "sample__3": 'Temperature 0 is replaced by 0.001 instead of taking the largest logit, so where two logits are nearly equal the second best is drawn now and then.',
    "generate__1": 'The text itself is cut to the last `context` tokens, not only what the model is shown, so the result loses its beginning and has the wrong length.',
    "generate__2": 'steps is taken for the length of the finished text, so with a prompt of p tokens only steps - p are written, or none.',
}
