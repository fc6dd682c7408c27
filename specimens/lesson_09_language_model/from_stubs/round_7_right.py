import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from mha_ref.layer import MultiHeadAttention


# ---------------------------------------------------------------- log_softmax

def log_softmax__1(scores, axis=-1):
    shifted = scores - scores.amax(dim=axis, keepdim=True).detach()
    return shifted - shifted.exp().sum(dim=axis, keepdim=True).log()


def log_softmax__2(scores, axis=-1):
    return nn.LogSoftmax(dim=axis)(scores)


# ---------------------------------------------------------------- next_token_loss

def next_token_loss__1(model, tokens):
    seen, wanted = tokens[:, :-1], tokens[:, 1:]
    logits = model(seen)
    return F.cross_entropy(logits.flatten(0, 1), wanted.flatten().long())


def next_token_loss__2(model, tokens):
    batch, length = tokens.shape
    logits = model(tokens[:, :length - 1])
    total = 0.0
    for place in range(length - 1):
        here = logits[:, place]                                  # (batch, vocabulary)
        here = here - here.max(dim=-1, keepdim=True).values
        rows = torch.arange(batch, device=here.device)
        right = here[rows, tokens[:, place + 1].long()]
        total = total + (torch.logsumexp(here, dim=-1) - right).sum()
    return total / (batch * (length - 1))


# ---------------------------------------------------------------- softmax_with_temperature

def softmax_with_temperature__1(scores, temperature, axis=-1):
    return torch.softmax(scores / temperature, dim=axis)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    rows = scores.transpose(axis, -1)
    best, _ = torch.max(rows.detach(), -1, keepdim=True)
    e = torch.exp((rows - best) / temperature)
    return torch.transpose(e / torch.sum(e, -1, keepdim=True), axis, -1)


# ---------------------------------------------------------------- sample

def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    weights = torch.softmax(logits / temperature, dim=-1)
    exceeds = weights.cumsum(dim=-1) > uniform[:, None]
    place = torch.arange(logits.shape[-1], device=logits.device)
    first = torch.where(exceeds, place, logits.shape[-1]).amin(dim=-1)
    last = torch.where(weights > 0, place, -1).amax(dim=-1)
    return torch.minimum(first, last)


def sample__2(logits, temperature, uniform):
    drawn = []
    for row, number in zip(logits.detach().double(), uniform.tolist()):
        if temperature == 0:
            drawn.append(int(row.argmax()))
            continue
        weights = ((row - row.max()) / temperature).exp()
        weights = (weights / weights.sum()).tolist()
        reached, token = 0.0, None
        for k, weight in enumerate(weights):
            if weight == 0.0:
                continue                    # cannot lift the sum, so it cannot be the first above the number
            token = k                       # where none exceeds: the last one that got here
            reached += weight
            if reached > number:
                break
        drawn.append(token)
    return torch.tensor(drawn, dtype=torch.long, device=logits.device)


# ---------------------------------------------------------------- generate

def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        logits = model(tokens[:, -context:])[:, -1]
        new = choose(logits).to(tokens.dtype)
        tokens = torch.cat([tokens, new[:, None]], dim=1)
    return tokens.clone()


def generate__2(model, tokens, steps, context, choose):
    batch, prompt = tokens.shape
    text = tokens.new_zeros(batch, prompt + steps)
    text[:, :prompt] = tokens
    for end in range(prompt, prompt + steps):
        start = max(0, end - context)
        seen = text[:, start:end].clone()
        logits = model(seen)
        text[:, end] = choose(logits[:, end - start - 1, :])
    return text


# ---------------------------------------------------------------- Block

class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError(f"{heads} heads do not divide {model_size} columns")
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.GELU(),
            nn.Linear(hidden_size, model_size),
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        x = x + self.dropout(self.feed_forward(self.norms[1](x)))
        return x


class Block__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        head_size, rest = divmod(model_size, heads)
        if rest:
            raise ValueError("heads must divide model_size")
        self.rate = dropout
        # Sequential is only used as a list here, its own forward is never called
        self.norms = nn.Sequential(*(nn.LayerNorm(model_size) for _ in range(2)))
        self.feed_forward = nn.Sequential()
        self.feed_forward.append(nn.Linear(model_size, hidden_size))
        self.feed_forward.append(nn.GELU())
        self.feed_forward.append(nn.Linear(hidden_size, model_size))
        self.attention = MultiHeadAttention(heads * head_size, heads, dropout=dropout)

    def forward(self, x, mask=None):
        def look(h):
            return self.attention(h, h, h, mask)

        for norm, part in zip(self.norms, (look, self.feed_forward)):
            step = part(norm(x))
            x = torch.add(x, F.dropout(step, self.rate, self.training))
        return x


WHY = {
    "log_softmax__1": "Shift by the largest score of the slice, then subtract the logarithm of the sum; the shift is a constant for the gradient, which it does not change.",
    "log_softmax__2": "The layer of torch, along the given axis.",
    "next_token_loss__1": "All places of all rows in one cross entropy, whose default is the mean.",
    "next_token_loss__2": "Place by place: log of the sum of the shifted exponentials minus the right score; the sum over all is divided by the number of places in all rows.",
    "softmax_with_temperature__1": "Softmax of torch, of the divided scores.",
    "softmax_with_temperature__2": "The axis goes to the end and back; the largest score is subtracted before the division, which softmax does not notice.",
    "sample__1": "Smallest index that exceeds, at most the last index with a weight above 0.",
    "sample__2": "A loop over rows and tokens in double precision; tokens of weight 0 are skipped, the last other one stays where none exceeds.",
    "generate__1": "A growing tensor, of which the model sees the last columns; cat never writes into the prompt.",
    "generate__2": "A tensor of the final size, filled place by place; the model only sees what is written already.",
    "Block__1": "The usual pre-norm block with one dropout layer, which has no state.",
    "Block__2": "A loop over the two norms and the two parts, with the functional dropout that is told whether it is training.",
}
