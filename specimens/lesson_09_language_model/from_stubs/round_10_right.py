"""Right answers to lesson 09 (round 10)."""

import bisect
import itertools
import math

import torch
import torch.nn.functional as F
from torch import nn
from mha_ref.layer import MultiHeadAttention


def log_softmax__1(scores, axis=-1):
    def log_of_sum(pieces):
        # a tournament: halve the axis until one slice is left
        if pieces.shape[0] == 1:
            return pieces[0]
        middle = pieces.shape[0] // 2
        a, b = log_of_sum(pieces[:middle]), log_of_sum(pieces[middle:])
        high, low = torch.maximum(a, b), torch.minimum(a, b)
        gap = torch.where(low == high, torch.zeros_like(low), low - high)
        return high + torch.log1p(torch.exp(gap))

    if scores.dim() == 0:
        return scores - scores
    wide = scores.double()
    # log p_i = -(log of the sum of exp(s_j - s_i)); the difference to the highest first, so that nothing is lost
    wide = wide - wide.detach().amax(axis, keepdim=True)
    total = log_of_sum(wide.movedim(axis, 0))
    return (wide - total.unsqueeze(axis)).to(scores.dtype)


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.dropout_share = dropout
        self.norms = nn.ModuleDict({"attention": nn.LayerNorm(model_size), "feed_forward": nn.LayerNorm(model_size)})
        self.norms = nn.ModuleList(self.norms.values())
        self.feed_forward = nn.Sequential()
        self.feed_forward.append(nn.Linear(model_size, hidden_size))
        self.feed_forward.append(nn.GELU())
        self.feed_forward.append(nn.Linear(hidden_size, model_size))
        self.attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)

    def thin_out(self, change):
        if not self.training or self.dropout_share == 0:
            return change
        if self.dropout_share == 1:
            return change * 0
        kept = torch.rand_like(change) >= self.dropout_share
        return torch.where(kept, change / (1 - self.dropout_share), torch.zeros_like(change))

    def steps(self, mask):
        first, second = self.norms
        yield lambda x: self.attention(first(x), mask=mask)
        yield lambda x: self.feed_forward(second(x))

    def forward(self, x, mask=None):
        for step in self.steps(mask):
            x = torch.add(x, self.thin_out(step(x)))
        return x


def sample__1(logits, temperature, uniform):
    chosen = []
    for row, number in zip(logits.tolist(), uniform.tolist()):
        best = max(row)
        if temperature == 0:
            chosen.append(row.index(best))
            continue
        masses = [math.exp((logit - best) / temperature) for logit in row]
        total = math.fsum(masses)
        stairs = list(itertools.accumulate(mass / total for mass in masses))
        place = bisect.bisect_right(stairs, number)
        if place == len(row):
            place = max(i for i, mass in enumerate(masses) if mass / total > 0)
        chosen.append(place)
    return torch.tensor(chosen, dtype=torch.long, device=logits.device)


def generate__1(model, tokens, steps, context, choose):
    # one sheet of paper for everything, filled from left to right
    sheet = torch.empty(tokens.shape[0], tokens.shape[1] + steps, dtype=tokens.dtype, device=tokens.device)
    sheet.narrow(1, 0, tokens.shape[1]).copy_(tokens)
    end = tokens.shape[1]
    while end < sheet.shape[1]:
        seen = min(end, context)
        logits = model(sheet.narrow(1, end - seen, seen))
        sheet.select(1, end).copy_(choose(logits.select(1, seen - 1)))
        end += 1
    return sheet


WHY = {
    "log_softmax__1": "a tournament: the log of the sum comes from halving the axis again and again, in float64, with log1p of exp of the gap",
    "Block__1": "a generator of two steps in a loop, its own dropout from torch.rand_like, parts made in another order, feed_forward grown by append",
    "sample__1": "plain Python: lists, math.exp, itertools.accumulate and bisect_right, row by row in float64",
    "generate__1": "one sheet of the final size is filled in place; the model sees narrow() views of it, never a concatenation",
}
