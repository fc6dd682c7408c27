"""Wrong answers to lesson 06 (round 9)."""
import torch
from torch import nn
from mha_ref import masked_softmax, merge_heads, split_heads


def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads != 0:
        raise ValueError(f"{heads} heads do not divide {model_size}")
    x.reshape(batch, tokens, heads, model_size // heads)
    return x.transpose(1, 2)


def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    return x.transpose(1, 2).view(batch, tokens, heads * head_size)


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            weights = masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ v))
        if return_weights:
            return output, weights


TRUTH = {
    "split_heads__1": "The result of reshape is not kept, so only tokens and columns are swapped: the result has the shape (batch, model_size, tokens), for example (2, 6, 5) instead of (2, 3, 5, 2); no error.",
    "merge_heads__1": "view after transpose needs neighbouring memory: RuntimeError: view size is not compatible with input tensor's size and stride, for a contiguous input with more than one head and more than one token; right for what split_heads by view and transpose hands on, for one head or for one token.",
    "MultiHeadAttention__1": "The second return is missing: with return_weights=True all is right, without it forward gives None.",
}
