"""Slips in answers to lesson 06 (round 16)."""

import torch
from torch import nn
from mha_ref import attention_scores, masked_attention, masked_softmax, merge_heads, split_heads



def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads != 0:
        raise ValueError(f"{heads} heads do not divide {model_size}")
    head_size = model_size // heads
    return x.reshape(batch, tokens, head_size, heads).permute(0, 3, 1, 2)


def merge_heads__1(x):
    batch, tokens, heads, head_size = x.shape
    return x.transpose(1, 2).reshape(batch, tokens, heads * head_size)


def test_split_heads__1(split_heads):
    x = torch.arange(2 * 3 * 8.0).reshape(2, 3, 8)
    result = split_heads(x, 4)
    assert result.shape == (2, 4, 3, 2)
    for b in range(2):
        for h in range(4):
            for t in range(3):
                assert torch.equal(result[b, h, t], x[b, t, 2 * h : 2 * h + 2])
    try:
        split_heads(x, 3)
        assert False, "3 heads do not divide 8"
    except Exception:
        pass


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = split_heads(query @ w_query, heads)
    k = split_heads(query @ w_key, heads)
    v = split_heads(value @ w_value, heads)
    return merge_heads(masked_attention(q, k, v, mask)) @ w_output


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = query if value is None else value
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = attention_scores(q, k)
        weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ v))
        return (output, weights) if return_weights else output


TRUTH = {
    "split_heads__1": 'Reshapes to (head_size, heads) instead of (heads, head_size), so the axes are swapped and a head gets every heads-th column.',
    "merge_heads__1": 'Unpacks the shape as (batch, tokens, heads, head_size), so the final reshape uses the number of heads as the number of tokens.',
    "test_split_heads__1": '`assert False` is inside the try and AssertionError is an Exception too, so a version that accepts heads that do not divide model_size passes.',
    "multi_head_attention__1": 'The line for the keys was copied and still projects `query`, so the keys come from the wrong sequence.',
    "MultiHeadAttention__1": 'A missing value is set to the query instead of the key, so cross-attention called with query and key alone mixes the wrong sequence.',
}
