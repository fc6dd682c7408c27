import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from mha_ref.layer import MultiHeadAttention


# ---------------------------------------------------------------- log_softmax

def log_softmax__1(scores, axis=-1):
    # the smallest number keeps the logarithm from getting a zero
    tiny = torch.finfo(scores.dtype).tiny
    return torch.log(torch.softmax(scores, dim=axis) + tiny)


def log_softmax__2(scores, axis=-1):
    shifted = scores - scores.max()
    return shifted - torch.log(torch.exp(shifted).sum(dim=axis, keepdim=True))


def log_softmax__3(scores, axis=-1):
    # the normaliser is only a number that makes the sum come out as one
    with torch.no_grad():
        top = scores.amax(dim=axis, keepdim=True)
        normaliser = top + (scores - top).exp().sum(dim=axis, keepdim=True).log()
    return scores - normaliser


def log_softmax__4(scores, axis=-1):
    rows = scores.movedim(axis, -1)
    rows = rows - rows.amax(dim=-1, keepdim=True)
    return rows - rows.exp().sum(dim=-1, keepdim=True).log()


def log_softmax__5(scores, axis=-1):
    scores -= scores.amax(dim=axis, keepdim=True)
    return scores - scores.exp().sum(dim=axis, keepdim=True).log()


def log_softmax__6(scores, axis=-1):
    columns = axis == 0 or axis == -2
    rows = scores.T if columns else scores
    out = []
    for row in rows:
        row = row - row.max()
        out.append(row - row.exp().sum().log())
    out = torch.stack(out)
    return out.T if columns else out


# ---------------------------------------------------------------- next_token_loss

def next_token_loss__1(model, tokens):
    logits = model(tokens)[:, :-1]
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten().long())


def next_token_loss__2(model, tokens):
    probabilities = torch.softmax(model(tokens[:, :-1]), dim=-1)
    return F.cross_entropy(probabilities.flatten(0, 1), tokens[:, 1:].flatten().long())


def next_token_loss__3(model, tokens):
    logits = model(tokens[:, :-1])
    batch, context, vocabulary = logits.shape
    # cross_entropy wants the vocabulary as the second axis
    return F.cross_entropy(logits.reshape(batch, vocabulary, context), tokens[:, 1:].long())


def next_token_loss__4(model, tokens):
    logits = model(tokens[:, :-1])
    # token 0 is the padding
    return F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:].long(), ignore_index=0)


def next_token_loss__5(model, tokens):
    probabilities = model(tokens[:, :-1]).softmax(dim=-1)
    right = probabilities.gather(-1, tokens[:, 1:].long().unsqueeze(-1))
    return -right.log().mean()


def next_token_loss__6(model, tokens):
    logits = model(tokens[:, :-1])
    targets = tokens[:, 1:].long()
    total = 0.0
    for row, wanted in zip(logits, targets):
        total += F.cross_entropy(row, wanted).item()
    return torch.tensor(total / len(targets), dtype=logits.dtype, requires_grad=True)


# ---------------------------------------------------------------- softmax_with_temperature

def softmax_with_temperature__1(scores, temperature, axis=-1):
    weights = torch.softmax(scores, dim=axis) ** (1 / temperature)
    return weights / weights.sum(dim=axis, keepdim=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    e = torch.exp(scores / temperature - top)
    return e / e.sum(dim=axis, keepdim=True)


def softmax_with_temperature__3(scores, temperature, axis=-1):
    temperature = max(temperature, 0.1)      # never divide by almost nothing
    return torch.softmax(scores / temperature, dim=axis)


def softmax_with_temperature__4(scores, temperature, axis=-1):
    z = scores.detach().clone()
    z /= temperature
    z -= z.amax(dim=axis, keepdim=True)
    z.exp_()
    z /= z.sum(dim=axis, keepdim=True)
    return z


def softmax_with_temperature__5(scores, temperature, axis=-1):
    weights = torch.softmax(scores, dim=axis)
    return torch.softmax(weights / temperature, dim=axis)


def softmax_with_temperature__6(scores, temperature, axis=-1):
    rows = (scores / temperature).reshape(-1, scores.shape[axis])
    rows = (rows - rows.max(dim=1, keepdim=True).values).exp()
    rows = rows / rows.sum(dim=1, keepdim=True)
    return rows.reshape(scores.shape)


# ---------------------------------------------------------------- sample

def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    weights = torch.softmax(logits / temperature, dim=-1)
    vocabulary = logits.shape[-1]
    place = torch.arange(vocabulary, device=logits.device)
    reached = weights.cumsum(dim=-1) >= uniform[:, None]
    first = torch.where(reached, place, vocabulary).amin(dim=-1)
    last = torch.where(weights > 0, place, -1).amax(dim=-1)
    return torch.where(reached.any(dim=-1), first, last)


def sample__2(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    cumulative = torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1)
    # argmax of a 0/1 row is the first 1
    return (cumulative > uniform[:, None]).int().argmax(dim=-1)


def sample__3(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    cumulative = torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1)
    below = (cumulative <= uniform[:, None]).sum(dim=-1)
    return below.clamp(max=logits.shape[-1] - 1)


def sample__4(logits, temperature, uniform):
    weights = torch.softmax(logits / max(temperature, 1e-6), dim=-1)
    place = torch.arange(logits.shape[-1], device=logits.device)
    exceeds = weights.cumsum(dim=-1) > uniform[:, None]
    first = torch.where(exceeds, place, logits.shape[-1]).amin(dim=-1)
    last = torch.where(weights > 0, place, -1).amax(dim=-1)
    return torch.minimum(first, last)


def sample__5(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    weights, order = torch.softmax(logits / temperature, dim=-1).sort(dim=-1, descending=True)
    below = (weights.cumsum(dim=-1) <= uniform[:, None]).sum(dim=-1, keepdim=True)
    last = (weights > 0).sum(dim=-1, keepdim=True) - 1
    return order.gather(-1, torch.minimum(below, last)).squeeze(-1)


def sample__6(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    logits /= temperature
    weights = torch.softmax(logits, dim=-1)
    place = torch.arange(logits.shape[-1], device=logits.device)
    exceeds = weights.cumsum(dim=-1) > uniform[:, None]
    first = torch.where(exceeds, place, logits.shape[-1]).amin(dim=-1)
    last = torch.where(weights > 0, place, -1).amax(dim=-1)
    return torch.minimum(first, last)


# ---------------------------------------------------------------- generate

def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = tokens[:, -context:]
        new = choose(model(tokens)[:, -1])
        tokens = torch.cat([tokens, new[:, None].to(tokens.dtype)], dim=1)
    return tokens.clone()


def generate__2(model, tokens, steps, context, choose):
    for _ in range(steps):
        logits = model(tokens[:, -context:])
        probabilities = torch.softmax(logits[:, -1], dim=-1)
        new = choose(probabilities)
        tokens = torch.cat([tokens, new[:, None].to(tokens.dtype)], dim=1)
    return tokens.clone()


def generate__3(model, tokens, steps, context, choose):
    written = [tokens.clone()]
    window = tokens[:, -context:]
    for _ in range(steps):
        new = choose(model(window)[:, -1]).to(tokens.dtype)[:, None]
        written.append(new)
        if window.shape[1] < context:
            window = torch.cat([window, new], dim=1)
        else:
            # full: everything moves one place to the left
            window[:, :-1] = window[:, 1:].clone()
            window[:, -1:] = new
    return torch.cat(written, dim=1)


def generate__4(model, tokens, steps, context, choose):
    texts = []
    for row in tokens:
        row = row[None]
        for _ in range(steps):
            new = choose(model(row[:, -context:])[:, -1])
            row = torch.cat([row, new.to(row.dtype).reshape(1, -1)[:, :1]], dim=1)
        texts.append(row)
    return torch.cat(texts)


def generate__5(model, tokens, steps, context, choose):
    batch, prompt = tokens.shape
    text = torch.zeros(batch, prompt + steps, dtype=tokens.dtype, device=tokens.device)
    text[:, :prompt] = tokens
    for i in range(prompt, prompt + steps):
        seen = text[:, max(0, i + 1 - context):i + 1]
        text[:, i] = choose(model(seen)[:, -1])
    return text


def generate__6(model, tokens, steps, context, choose):
    for _ in range(steps):
        seen = tokens
        if seen.shape[1] >= context:
            seen = seen[:, -context + 1:]        # leave room for the new one
        new = choose(model(seen)[:, -1])
        tokens = torch.cat([tokens, new[:, None].to(tokens.dtype)], dim=1)
    return tokens.clone()


# ---------------------------------------------------------------- Block

def _feed_forward(model_size, hidden_size):
    return nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _feed_forward(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), x, x, mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _feed_forward(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        looked = self.dropout(self.attention(self.norms[0](x), mask=mask))
        thought = self.dropout(self.feed_forward(self.norms[1](x)))
        return x + looked + thought


class Block__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _feed_forward(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size)] * 2)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__4(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.attention = MultiHeadAttention(model_size, heads)
        self.feed_forward = _feed_forward(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__5(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.dropout = dropout
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _feed_forward(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(2)])

    def forward(self, x, mask=None):
        x = x + F.dropout(self.attention(self.norms[0](x), mask=mask), self.dropout)
        return x + F.dropout(self.feed_forward(self.norms[1](x)), self.dropout)


class Block__6(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0, "heads must divide model_size"
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = _feed_forward(model_size, hidden_size)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


TRUTH = {
    "log_softmax__1": "The logarithm of a weight that underflows becomes log(tiny), about -87 in float32, instead of the true value.",
    "log_softmax__2": "The shift is the largest score of the whole tensor, so a slice far below it gets log(0) and is infinite or NaN.",
    "log_softmax__3": "The normaliser is outside the graph, so the gradient lacks its softmax term.",
    "log_softmax__4": "The axis is moved to the end and not moved back, so with any axis but the last the result has the wrong layout.",
    "log_softmax__5": "The scores themselves are changed in place (and a leaf that needs gradients is refused).",
    "log_softmax__6": "It works for matrices only: with three axes each matrix is normalised as a whole, with one axis each number by itself.",
    "next_token_loss__1": "The model is shown the last token too, one more than its context.",
    "next_token_loss__2": "Softmax is applied twice, once by hand and once inside cross_entropy.",
    "next_token_loss__3": "reshape instead of transpose brings the vocabulary to the second axis, which mixes places and scores.",
    "next_token_loss__4": "Places whose right token is 0 are left out of the mean (NaN if all are).",
    "next_token_loss__5": "The logarithm of a probability that underflows is infinite although the logits are finite.",
    "next_token_loss__6": "item() cuts the graph: the result is a new leaf, and no gradient reaches the model.",
    "softmax_with_temperature__1": "A weight that underflows at temperature 1 is lost before the power is taken: at high temperature it stays 0 (and low temperatures can make 0/0).",
    "softmax_with_temperature__2": "The largest score is subtracted undivided, so at a low temperature exp overflows and the result is NaN.",
    "softmax_with_temperature__3": "Temperatures below 0.1 are treated as 0.1.",
    "softmax_with_temperature__4": "The scores are detached, so no gradient reaches them.",
    "softmax_with_temperature__5": "The temperature divides the probabilities, and softmax is taken of them a second time.",
    "softmax_with_temperature__6": "reshape does not move the axis to the end, so with any axis but the last wrong numbers are normalised together.",
    "sample__1": ">= instead of >: at an exact boundary the token before is drawn, and with uniform 0 even one of probability 0.",
    "sample__2": "Where rounding leaves no token, argmax of a row of zeros is token 0 instead of the last possible one.",
    "sample__3": "Where rounding leaves no token, the last token is drawn even if its probability is 0.",
    "sample__4": "Temperature 0 is replaced by 0.000001, so between almost equal logits the draw decides instead of the largest.",
    "sample__5": "The probabilities are summed from the most probable down, not in the order of the tokens.",
    "sample__6": "The caller's logits are divided in place.",
    "generate__1": "The text itself is cut to the context, so the beginning is missing from the result where it is longer.",
    "generate__2": "choose gets probabilities instead of the logits.",
    "generate__3": "The sliding window is a view of the prompt and is written to, so a prompt at least as long as the context is changed.",
    "generate__4": "Text by text instead of all at once: model and choose get one row, so a choose that belongs to the whole batch draws wrongly.",
    "generate__5": "The model also sees the place that is still to be written, a 0, and its logits are taken from there.",
    "generate__6": "A text that fills the context is cut to context - 1 tokens (and with context 1 is not cut at all).",
    "Block__1": "Only the query is normed, key and value come from the raw x.",
    "Block__2": "Both parts see the same x: feed-forward does not see what attention added.",
    "Block__3": "Both norms are one and the same LayerNorm, not two of their own.",
    "Block__4": "No dropout on the attention weights, because the rate is not passed on.",
    "Block__5": "The functional dropout is not told the mode, so it also falls in eval mode.",
    "Block__6": "Heads that do not fit are an AssertionError instead of a ValueError.",
}
