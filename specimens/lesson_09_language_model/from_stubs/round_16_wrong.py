"""Wrong answers to lesson 09 (round 16)."""

import torch
from torch import nn
from mha_ref import log_softmax, softmax_with_temperature
from mha_ref.layer import MultiHeadAttention



def last_that_can_come(weights):
    """The last token of each row whose weight is above 0: (batch, vocabulary) -> (batch,)."""
    places = torch.arange(weights.shape[-1], device=weights.device)
    return torch.where(weights > 0, places, 0).amax(dim=-1)


def log_softmax__1(scores, axis=-1):
    weights = torch.softmax(scores, dim=axis)
    return weights.log()


def log_softmax__2(scores, axis=-1):
    shifted = scores - scores.max()
    total = torch.exp(shifted).sum(dim=axis, keepdim=True)
    return shifted - torch.log(total)


def next_token_loss__1(model, tokens):
    shown = tokens[:, :-1]
    logits = model(shown)
    log_p = log_softmax(logits)
    right = log_p.gather(-1, shown.unsqueeze(-1)).squeeze(-1)
    return -right.mean()


def next_token_loss__2(model, tokens):
    probabilities = torch.exp(log_softmax(model(tokens[:, :-1])))
    targets = tokens[:, 1:]
    right = torch.take_along_dim(probabilities, targets[..., None], dim=-1)
    return -torch.log(right.mean())


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
        x = self.norms[1](x + self.dropout(self.feed_forward(x)))
        return x


class Block__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        layers = [nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size)]
        self.feed_forward = nn.Sequential(*layers)
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norms[0](x)
        x = x + self.drop(self.attention(x, mask=mask))
        x = self.norms[1](x)
        x = x + self.drop(self.feed_forward(x))
        return x


class Block__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, bias=True, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.GELU(),
            nn.Linear(hidden_size, model_size),
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended = self.attention(self.norms[0](x), mask=mask)
        x = self.dropout(x + attended)
        thought = self.feed_forward(self.norms[1](x))
        return self.dropout(x + thought)


def softmax_with_temperature__1(scores, temperature, axis=-1):
    scaled = scores * temperature
    scaled = scaled - scaled.amax(dim=axis, keepdim=True)
    powers = scaled.exp()
    return powers / powers.sum(dim=axis, keepdim=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    weights = torch.softmax(scores, dim=axis)
    powered = weights ** (1 / temperature)
    return powered / powered.sum(dim=axis, keepdim=True)


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    weights = softmax_with_temperature(logits, temperature)
    cumulative = weights.cumsum(dim=-1)
    drawn = (cumulative < uniform[:, None]).sum(dim=-1)
    return torch.minimum(drawn, last_that_can_come(weights))


def sample__2(logits, temperature, uniform):
    if temperature == 0:
        return torch.argmax(logits, dim=-1)
    weights = softmax_with_temperature(logits, temperature)
    ordered, order = weights.sort(dim=-1, descending=True)
    exceeded = ordered.cumsum(dim=-1) > uniform.unsqueeze(-1)
    none = ~exceeded.any(dim=-1)
    first = exceeded.int().argmax(dim=-1)
    drawn = order.gather(-1, first.unsqueeze(-1)).squeeze(-1)
    return torch.where(none, last_that_can_come(weights), drawn)


def sample__3(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    p = softmax_with_temperature(logits, temperature)
    above = p.cumsum(-1) > uniform[:, None]
    return above.to(torch.int64).argmax(-1)


def generate__1(model, tokens, steps, context, choose):
    text = tokens
    for _ in range(steps):
        logits = model(text[:, :context])
        new = choose(logits[:, -1])
        text = torch.cat([text, new[:, None]], dim=1)
    return text


def generate__2(model, tokens, steps, context, choose):
    written = [tokens]
    for _ in range(steps):
        seen = tokens[:, -context:]
        logits = model(seen)[:, -1, :]
        written.append(choose(logits).unsqueeze(1))
    return torch.cat(written, dim=1)


TRUTH = {
    "log_softmax__1": 'Takes the logarithm after softmax, so a weight that underflows to 0 gives -inf where the true result is a finite number such as -200.',
    "log_softmax__2": 'Subtracts the largest score of the whole tensor instead of the largest along the axis, so a row far below it has only exponentials of 0 and gets log(0), an infinite result.',
    "next_token_loss__1": 'The targets are the tokens that the model was shown, not the ones after them, so the loss measures copying and not the guess of the next token.',
    "next_token_loss__2": 'Averages the probabilities of the right tokens and then takes -log, which is not the mean of -log (it is smaller, and hardly notices single bad guesses).',
    "Block__1": 'Normalises after each addition (post-norm) instead of in front of each part, so the parts get other inputs and the residual path is normalised away.',
    "Block__2": 'Replaces x by its normalised version before adding, so each step adds to norm(x) and not to what was there.',
    "Block__3": 'Applies dropout to the sum instead of to the result of the part before it is added, so in train mode the residual stream itself is zeroed and rescaled.',
    "softmax_with_temperature__1": 'Multiplies the scores by the temperature instead of dividing, so hot becomes sharp and cold becomes even.',
    "softmax_with_temperature__2": 'Raises finished weights to the power 1 / temperature: weights that already underflowed stay 0 at high temperatures, and at low ones all powers can underflow, so that the row is 0 / 0 = NaN.',
    "sample__1": 'Takes the first token whose cumulative probability reaches the number (>=) instead of exceeding it, so at uniform 0 a first token of probability 0 can be drawn, and ties go to the wrong token.',
    "sample__2": 'Sorts the probabilities before cumulating them, so the cumulative sum runs from the likeliest token down and not in the order of the vocabulary, and other tokens are drawn for the same numbers.',
    "sample__3": 'Ignores the case where rounding leaves no cumulative probability above the number: argmax of a row of False is 0, so token 0 is drawn instead of the last one that can come.',
    "generate__1": 'Shows the model the first tokens of the text instead of the last ones, so as soon as the text is longer than the context the guess no longer depends on what was written last.',
    "generate__2": 'Calls the model on the prompt in every step instead of on the text so far, so no written token influences the next one.',
}
