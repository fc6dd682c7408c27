"""Slips in answers to lesson 06 (round 18)."""

from torch import nn

from mha_ref import attention_scores, masked_softmax, merge_heads, softmax, split_heads


def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads != 0:
        raise ValueError("model_size is not a multiple of heads")
    head_size = model_size // heads
    return x.view(batch, tokens, heads, head_size)


def merge_heads__1(x):
    batch, heads, tokens, head_size = x.size()
    return x.transpose(1, 2).view(batch, tokens, heads * head_size)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = query @ w_query
    k = key @ w_key
    v = value @ w_value
    q_heads, k_heads, v_heads = split_heads(query, heads), split_heads(k, heads), split_heads(v, heads)
    scores = attention_scores(q_heads, k_heads)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    return merge_heads(weights @ v_heads) @ w_output


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("model_size must be a multiple of heads")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias)
        self.key = nn.Linear(model_size, model_size, bias)
        self.value = nn.Linear(model_size, model_size, bias)
        self.output = nn.Linear(model_size, model_size, bias)
        self.dropout = dropout

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = (split_heads(t, self.heads) for t in (self.query(query), self.key(key), self.value(value)))
        scores = attention_scores(q, k)
        weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ v))
        return (output, weights) if return_weights else output


TRUTH = {
    "split_heads__1": 'The transpose of tokens and heads is missing, so the shape is (batch, tokens, heads, head_size).',
    "merge_heads__1": 'view right after transpose raises a RuntimeError, because the numbers no longer lie in order in memory; it needs reshape or contiguous.',
    "multi_head_attention__1": 'The projected queries q are computed, but the raw query is split and used.',
    "MultiHeadAttention__1": 'self.dropout holds the number instead of an nn.Dropout, so calling it in forward raises a TypeError.',
}
