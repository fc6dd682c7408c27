"""Slips in answers to lesson 06 (round 19)."""

from torch import nn

from mha_ref import attention_scores, masked_softmax, merge_heads, softmax, split_heads


def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads != 0:
        raise ValueError(f"{heads} heads do not divide {model_size}")
    return x.reshape(batch, heads, tokens, model_size // heads)


def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    return x.transpose(1, 2).view(batch, tokens, heads * head_size)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = split_heads(query @ w_query, heads)
    k = split_heads(key @ w_key, heads)
    v = split_heads(key @ w_value, heads)
    scores = attention_scores(q, k)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    return merge_heads(weights @ v) @ w_output


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("model_size must be a multiple of heads")
        self.head = heads
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
        scores = attention_scores(q, k)
        weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ v))
        return (output, weights) if return_weights else output


TRUTH = {
    "split_heads__1": 'One reshape goes straight to the final shape instead of reshaping to (batch, tokens, heads, head_size) and exchanging two axes, so a head gets whole tokens.',
    "merge_heads__1": 'view is called on a transposed tensor, whose numbers are not in that order in memory, so it raises a RuntimeError where reshape would copy.',
    "multi_head_attention__1": 'The values are computed from key instead of value, which is never used.',
    "MultiHeadAttention__1": 'The number of heads is stored as self.head but read as self.heads, so forward raises an AttributeError.',
}
