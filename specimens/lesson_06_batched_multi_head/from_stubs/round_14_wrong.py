"""Wrong answers to lesson 06 (round 14)."""

import torch
from mha_ref import masked_weights, merge_heads, split_heads
from torch import nn


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = query if value is None else value
        q, k, v = (split_heads(layer(x), self.heads) for layer, x in ((self.query, query), (self.key, key), (self.value, value)))
        weights = masked_weights(q, k, mask)
        output = self.output(merge_heads(self.dropout(weights) @ v))
        return (output, weights) if return_weights else output


def test_split_heads__1(split_heads):
    x = torch.rand(3, 5, 8)
    for heads in (1, 2, 4, 8):
        size = 8 // heads
        out = split_heads(x, heads)
        assert out.shape == (3, heads, 5, size)
        for h in range(heads):
            assert torch.equal(out[:, h], x[:, :, h * size:(h + 1) * size])


TRUTH = {
    "MultiHeadAttention__1": "With a key and no value, the values come from the query, not from the key.",
    "test_split_heads__1": "It never asks for an error where heads do not divide model_size, so \"drops the leftover columns\" passes.",
}
