"""Wrong answers to lesson 09 (round 9)."""
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import softmax_with_temperature
from mha_ref.layer import MultiHeadAttention


def log_softmax__1(scores, axis=-1):
    # any constant may be subtracted, so the largest number of all is the safest one
    shifted = scores - scores.max()
    return shifted - shifted.exp().sum(dim=axis, keepdim=True).log()


def next_token_loss__1(model, tokens):
    logits = model(tokens[:, :-1])
    # token 0 is the filler at the end of short rows; guessing it is not counted
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten().long(), ignore_index=0)


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
        # the token that asks is normalised; what it looks at stays as it is
        x = x + self.dropout(self.attention(self.norms[0](x), x, x, mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


class Block__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.dropout = dropout
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(2))

    def drop(self, result):
        # the result of a part is dropped, or it is kept: one coin for each text
        coin = torch.ones(len(result), 1, 1, dtype=result.dtype, device=result.device)
        return result * F.dropout(coin, self.dropout, self.training)

    def forward(self, x, mask=None):
        x = x + self.drop(self.attention(self.norms[0](x), mask=mask))
        x = x + self.drop(self.feed_forward(self.norms[1](x)))
        return x


def softmax_with_temperature__1(scores, temperature, axis=-1):
    # exp(s / T) is exp(s) ** (1 / T): soften the finished weights, and make them sum to 1 again
    weights = torch.softmax(scores, dim=axis) ** (1 / temperature)
    return weights / weights.sum(dim=axis, keepdim=True)


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    # best token first, then add up
    probabilities, order = torch.softmax(logits / temperature, dim=-1).sort(dim=-1, descending=True)
    exceeds = probabilities.cumsum(dim=-1) > uniform[:, None]
    last = (probabilities > 0).sum(dim=-1) - 1
    place = torch.where(exceeds.any(dim=-1), exceeds.int().argmax(dim=-1), last)
    return order.gather(-1, place[:, None])[:, 0]


def sample__2(logits, temperature, uniform):
    # 0 is only the limit of ever colder sampling, so a very small temperature does the same without a division by 0
    probabilities = softmax_with_temperature(logits, max(temperature, 1e-6))
    chosen = []
    for row, u in zip(probabilities, uniform):
        total, token = 0.0, None
        for i, p in enumerate(row):
            total = total + p
            if total > u:
                token = i
                break
        if token is None:
            token = int(row.nonzero()[-1])
        chosen.append(token)
    return torch.tensor(chosen)


def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        # always a full window: cut on the left what is too long, fill up on the left what is too short
        window = F.pad(tokens, (context - tokens.shape[1], 0))
        new = choose(model(window)[:, -1])
        tokens = torch.cat([tokens, new[:, None]], dim=1)
    return tokens


TRUTH = {
    "log_softmax__1": "One maximum is taken from the whole tensor, not one along the axis: a row that lies more than about 104 (float32) below the largest score anywhere, as in [[0., 1.], [-200., -201.]], has a sum of exponentials of 0 and becomes inf instead of finite logarithms.",
    "next_token_loss__1": "Targets equal to 0 are left out of the mean as if token 0 were padding; the docstring wants every position of every row, so the loss is another one as soon as a 0 is among tokens[:, 1:] (and NaN where all of them are 0).",
    "Block__1": "Only the queries are normalised, keys and values come from the raw x; the first norm has to stand in front of the whole part, so the output differs for nearly every x (clearly for x of a scale or mean unlike 0 and 1).",
    "Block__2": "Dropout leaves out the whole result of a part for a text, or keeps all of it (stochastic depth), instead of single numbers of the result; it shows in train mode with dropout above 0: what is added is zero for all numbers of a text or for none.",
    "softmax_with_temperature__1": "Weights too small for a floating-point number are 0 before the temperature could raise them: float32 scores [0., -200.] at temperature 100 give [1, 0] instead of [0.881, 0.119], and gradients become NaN there; ordinary small scores come out right.",
    "sample__1": "Probabilities are added up from the most to the least probable token, not in the order of the vocabulary; wherever a row's probabilities are not already in falling order, as for logits [[0., 2.]] with uniform 0.05, another token than the promised one is drawn.",
    "sample__2": "Temperature 0 is replaced by 0.000001: two logits that differ by about a millionth or less still share the probability (logits [[1., 1.0000002]], uniform 0.1 give token 0, not the largest), and huge logits overflow to inf and NaN ([[1e35, 1.]] gives token 1).",
    "generate__1": "As long as the text is shorter than the context, the model is shown made-up zeros in front of it and a full window of `context` tokens; it shows with a prompt shorter than `context` and a model that looks at all its tokens or their number or places.",
}
