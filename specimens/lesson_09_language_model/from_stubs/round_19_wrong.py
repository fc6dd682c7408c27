"""Wrong answers to lesson 09 (round 19)."""

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import log_softmax, softmax_with_temperature
from mha_ref.layer import MultiHeadAttention


def log_softmax__1(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    total = torch.exp(scores - top).sum(dim=axis, keepdim=True)
    return scores - torch.log(total)


def log_softmax__2(scores, axis=-1):
    weights = torch.softmax(scores, dim=axis)
    epsilon = 1e-9  # never the logarithm of 0
    return torch.log(weights + epsilon)


def next_token_loss__1(model, tokens):
    shown, right = tokens[:, :-1], tokens[:, 1:]
    log_p = log_softmax(model(shown))
    losses = -log_p.gather(-1, right.unsqueeze(-1)).squeeze(-1)
    return losses.sum(dim=1).mean()


def next_token_loss__2(model, tokens):
    inputs = tokens[:, :-1]
    targets = tokens[:, 1:]
    probabilities = model(inputs).softmax(dim=-1)
    return F.cross_entropy(probabilities.flatten(0, 1), targets.flatten())


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended = self.dropout(self.attention(self.norms[0](x), mask=mask))
        processed = self.dropout(self.feed_forward(self.norms[1](x)))
        return x + attended + processed


class Block__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.GELU(),
            nn.Linear(hidden_size, model_size),
        )
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norms[0](x)
        x = x + self.drop(self.attention(x, mask=mask))
        x = self.norms[1](x)
        x = x + self.drop(self.feed_forward(x))
        return x


def softmax_with_temperature__1(scores, temperature, axis=-1):
    top = scores.max(dim=axis, keepdim=True).values
    exps = torch.exp(scores - top) / temperature
    return exps / exps.sum(dim=axis, keepdim=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    p = torch.softmax(scores, dim=axis) ** temperature
    return p / p.sum(dim=axis, keepdim=True)


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    p = softmax_with_temperature(logits, temperature)
    p, order = p.sort(dim=-1, descending=True)
    found = (p.cumsum(dim=-1) <= uniform[:, None]).sum(dim=-1)
    last = (p > 0).sum(dim=-1) - 1
    place = torch.minimum(found, last)
    return order.gather(1, place[:, None])[:, 0]


def sample__2(logits, temperature, uniform):
    if temperature == 0:
        return torch.argmax(logits, dim=1)
    probabilities = softmax_with_temperature(logits, temperature, axis=1)
    return torch.multinomial(probabilities, num_samples=1).squeeze(1)


def sample__3(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    p = softmax_with_temperature(logits, temperature)
    passed = p.cumsum(-1) <= uniform.unsqueeze(-1)
    return passed.sum(-1).clamp(max=logits.shape[-1] - 1)


def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        seen = tokens[:, :context]
        logits = model(seen)[:, -1]
        tokens = torch.cat([tokens, choose(logits)[:, None]], dim=1)
    return tokens


def generate__2(model, tokens, steps, context, choose):
    logits = model(tokens[:, -context:])[:, -1, :]
    for step in range(steps):
        new = choose(logits)
        tokens = torch.cat((tokens, new.unsqueeze(1)), dim=1)
    return tokens


def generate__3(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = tokens[:, -context:]
        logits = model(tokens)
        next_token = choose(logits[:, -1])
        tokens = torch.cat([tokens, next_token.view(-1, 1)], dim=1)
    return tokens


TRUTH = {
    "log_softmax__1": 'The maximum is subtracted only inside the sum and never added back, so every result is too large by the maximum of its row.',
    "log_softmax__2": 'A small constant is added to the weights before the logarithm, so no result is ever below about -20.7, where the true logarithm can be far lower.',
    "next_token_loss__1": 'The losses of all positions of a row are added up and only the rows are averaged, so the loss is too large by a factor of context.',
    "next_token_loss__2": 'The logits go through softmax before F.cross_entropy, which takes a softmax of its own, so softmax is applied twice.',
    "Block__1": 'Both parts read the same x side by side, so feed-forward never sees what attention has added.',
    "Block__2": 'The result of each part is added to the normalized x instead of to x itself, so what was there is lost.',
    "softmax_with_temperature__1": 'The temperature divides the exponentials instead of the scores and cancels when they are normalized, so it has no effect.',
    "softmax_with_temperature__2": 'The weights are raised to the power temperature instead of 1 / temperature, so a temperature above 1 makes them sharper instead of more even.',
    "sample__1": 'The probabilities are cumulated from the likeliest token to the unlikeliest instead of in the order of the vocabulary, so often another token is drawn for the same uniform number.',
    "sample__2": 'The token is drawn by torch.multinomial with chance of its own, so the numbers in uniform have no influence on it.',
    "sample__3": 'Where rounding leaves no cumulative probability above the uniform number, the very last token of the vocabulary is taken, even if its probability is 0.',
    "generate__1": 'The model is shown the first `context` tokens of the text instead of the last ones, so in a long text it never sees what was written.',
    "generate__2": 'The model is asked only once, before the loop, so every token is chosen by the logits for the first one.',
    "generate__3": 'The text itself is cut to its last `context` tokens at each step, so the beginning of a long text is missing from the result.',
}
