"""Right answers to lesson 09 (round 16)."""

import torch
import torch.nn.functional as F
from torch import nn
from mha_ref.layer import MultiHeadAttention



def last_that_can_come(weights):
    """The last token of each row whose weight is above 0: (batch, vocabulary) -> (batch,)."""
    places = torch.arange(weights.shape[-1], device=weights.device)
    return torch.where(weights > 0, places, 0).amax(dim=-1)


def log_softmax__1(scores, axis=-1):
    last = scores.movedim(axis, -1)
    shifted = last - last.amax(dim=-1, keepdim=True)
    totals = torch.einsum("...v->...", shifted.exp())
    return (shifted - totals.log()[..., None]).movedim(-1, axis)


def next_token_loss__1(model, tokens):
    shown, wanted = tokens[:, :-1], tokens[:, 1:]
    return F.cross_entropy(model(shown).transpose(1, 2), wanted.long())


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential()
        self.feed_forward.append(nn.Linear(model_size, hidden_size))
        self.feed_forward.append(nn.GELU())
        self.feed_forward.append(nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList(map(nn.LayerNorm, [model_size] * 2))
        self.rate = dropout

    def forward(self, x, mask=None):
        parts = (lambda y: self.attention(y, mask=mask), self.feed_forward)
        for norm, part in zip(self.norms, parts):
            x = x + F.dropout(part(norm(x)), self.rate, self.training)
        return x


def softmax_with_temperature__1(scores, temperature, axis=-1):
    return torch.log_softmax(scores.div(temperature), dim=axis).exp()


def sample__1(logits, temperature, uniform):
    best = logits.argmax(dim=-1)
    if not temperature:
        return best
    behind = logits - logits.amax(dim=-1, keepdim=True)
    weights = torch.softmax(behind / temperature, dim=-1)
    passed = weights.cumsum(dim=-1) <= uniform.unsqueeze(-1)
    return passed.sum(dim=-1).minimum(last_that_can_come(weights))


def generate__1(model, tokens, steps, context, choose):
    batch, prompt = tokens.shape
    page = tokens.new_zeros(batch, prompt + steps)
    page[:, :prompt] = tokens
    for end in range(prompt, prompt + steps):
        seen = page[:, max(0, end - context) : end].clone()
        page[:, end] = choose(model(seen)[:, -1])
    return page


WHY = {
    "log_softmax__1": 'Sums with einsum over an axis that is moved to the end and back again.',
    "next_token_loss__1": 'Lets F.cross_entropy do everything, with the vocabulary transposed to the second axis instead of flattening.',
    "Block__1": 'Both steps are one loop over norms and parts, the attention wrapped in a lambda, and dropout is called as a function with self.training.',
    "softmax_with_temperature__1": "The exponential of torch's log_softmax, in one line, instead of softmax.",
    "sample__1": 'Counts the tokens whose cumulative probability does not exceed the number, and caps the count at the last possible token, without any search or branch for rounding.',
    "generate__1": 'Makes the whole result in advance and fills it in column by column instead of concatenating.',
}
