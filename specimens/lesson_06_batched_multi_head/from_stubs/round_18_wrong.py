"""Wrong answers to lesson 06 (round 18)."""

from torch import nn

from mha_ref import attention_scores, masked_softmax, merge_heads, softmax, split_heads


def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads:
        raise ValueError(f"{model_size} is not a multiple of {heads}")
    return x.reshape(batch, tokens, model_size // heads, heads).permute(0, 3, 1, 2)


def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    x = x.permute(0, 2, 3, 1)
    return x.reshape(batch, tokens, heads * head_size)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = split_heads(query @ w_query, heads)
    k = split_heads(key @ w_key, heads)
    v = split_heads(value @ w_value, heads)
    scores = attention_scores(q, k)
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)  # the same for every head
        weights = masked_softmax(scores, mask)
    else:
        weights = softmax(scores)
    return merge_heads(weights @ v) @ w_output


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("model_size must be a multiple of heads")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = query
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = attention_scores(q, k)
        weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
        out = self.output(merge_heads(self.dropout(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.heads = heads
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(model_size, model_size, bias=bias))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = attention_scores(q, k)
        if mask is None:
            weights = softmax(scores)
        else:
            weights = masked_softmax(scores, mask)
        weights = self.dropout(weights)
        result = self.output(merge_heads(weights @ v))
        if return_weights:
            return result, weights
        return result


TRUTH = {
    "split_heads__1": 'Deals the columns out in turn: column c goes to head c % heads, instead of consecutive blocks of columns for each head.',
    "merge_heads__1": "The heads' axis is moved to the very end before flattening, so the columns of the heads alternate instead of standing in blocks.",
    "multi_head_attention__1": 'A mask with three axes is taken for (batch, queries, keys) and gets an axis for the heads, while the docstring says it is (heads, queries, keys).',
    "MultiHeadAttention__1": 'A value of None becomes the query instead of the key, so a layer called with query and key alone mixes the wrong sequence.',
    "MultiHeadAttention__2": 'The weights that are returned have gone through dropout, while the docstring asks for the weights before it; in train mode with dropout they differ.',
}
