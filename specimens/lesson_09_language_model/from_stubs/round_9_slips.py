"""Wrong answers to lesson 09 (round 9)."""
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref.layer import MultiHeadAttention


def log_softmax__1(scores, axis=-1):
    shifted = scores - scores.max(axis, keepdim=True)
    return shifted - torch.log(torch.exp(shifted).sum(axis, keepdim=True))


def next_token_loss__1(model, tokens):
    shown, right = tokens[:-1], tokens[1:]
    logits = model(shown)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), right.reshape(-1))


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = [nn.LayerNorm(model_size), nn.LayerNorm(model_size)]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        logits = model(tokens[:, -context])
        chosen = choose(logits[:, -1])
        tokens = torch.cat([tokens, chosen[:, None]], dim=1)
    return tokens


TRUTH = {
    "log_softmax__1": "torch's max along an axis gives a pair of values and indices, and .values is missing: TypeError: unsupported operand type(s) for -: 'Tensor' and 'torch.return_types.max', for every input.",
    "next_token_loss__1": "The slices lack `:, `, and cut off rows in place of columns: each row is taken for the answer to the row above it; another loss without an error (2.634 instead of 2.556 in a trial with 4 rows of 6), NaN for a single row.",
    "Block__1": "A plain list in place of nn.ModuleList hides the norms: the block runs, but parameters() and state_dict() lack the four tensors of the norms (12 instead of 16), so they never learn, and do not follow .double() or .to().",
    "generate__1": "The colon after -context is missing, so the model gets one column, shape (batch,), and not (batch, context): an error in the model or after it (IndexError: too many indices for tensor of dimension 0; a model that unpacks the shape: ValueError: not enough values to unpack); with a prompt shorter than context IndexError: index -3 is out of bounds for dimension 1 with size 1; only steps=0 works.",
}
