"""Right answers to lesson 09 (round 19)."""

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import softmax_with_temperature
from mha_ref.layer import MultiHeadAttention


def log_softmax__1(scores, axis=-1):
    shifted = scores - scores.amax(dim=axis, keepdim=True).detach()
    return shifted - shifted.logsumexp(dim=axis, keepdim=True)


def next_token_loss__1(model, tokens):
    log_p = torch.log_softmax(model(tokens[:, :-1]), dim=-1)
    right = tokens[:, 1:].long().unsqueeze(-1)
    return log_p.take_along_dim(right, dim=-1).mean().neg()


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.rate = dropout
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in "ab"])
        self.attention = MultiHeadAttention(model_size, heads, True, dropout)
        layers = [nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size)]
        self.feed_forward = nn.Sequential(*layers)

    def forward(self, x, mask=None):
        parts = (lambda h: self.attention(h, mask=mask), self.feed_forward)
        for norm, part in zip(self.norms, parts):
            x = x + F.dropout(part(norm(x)), p=self.rate, training=self.training)
        return x


def softmax_with_temperature__1(scores, temperature, axis=-1):
    return (scores / temperature).log_softmax(dim=axis).exp()


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.max(dim=-1).indices
    p = softmax_with_temperature(logits, temperature)
    kind = torch.promote_types(p.dtype, uniform.dtype)
    cumulative = p.cumsum(dim=-1).to(kind)
    found = torch.searchsorted(cumulative, uniform.to(kind).unsqueeze(-1), right=True).squeeze(-1)
    number = torch.arange(p.shape[-1], device=p.device)
    last = torch.where(p > 0, number, -1).amax(dim=-1)
    return torch.minimum(found, last)


def generate__1(model, tokens, steps, context, choose):
    batch, prompt = tokens.shape
    text = tokens.new_zeros(batch, prompt + steps)
    text[:, :prompt] = tokens
    for n in range(prompt, prompt + steps):
        seen = text[:, max(0, n - context) : n].clone()
        text[:, n] = choose(model(seen)[:, -1])
    return text


WHY = {
    "log_softmax__1": 'Right: the scores minus their maximum, minus torch.logsumexp of that.',
    "next_token_loss__1": 'Right: the log-probabilities of the right tokens are picked with take_along_dim, and their mean is negated.',
    "Block__1": 'Right: a loop over both parts, with F.dropout that asks self.training.',
    "softmax_with_temperature__1": 'Right: the exponential of the log-softmax of the divided scores.',
    "sample__1": 'Right: searchsorted finds the first cumulative probability above the number, and the last token with a probability above 0 is the limit.',
    "generate__1": 'Right: one tensor of the final size is filled from left to right.',
}
