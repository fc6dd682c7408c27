import math
import torch
import torch.nn as nn
from mha_ref import masked_softmax

# left over from a cell further up in the notebook
model_size = 8


# the learner's own functions, from earlier cells of the lesson

def split_heads(x, heads):
    batch, tokens, size = x.shape
    if size % heads != 0:
        raise ValueError("heads must divide model_size")
    return x.reshape(batch, tokens, heads, size // heads).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads != 0:
        raise ValueError("heads must divide model_size")
    x = x.view(batch, tokens, heads, model_size / heads)
    return x.transpose(1, 2)


def split_heads__2(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads != 0:
        ValueError("heads must divide model_size")
    head_size = model_size // heads
    blocks = []
    for h in range(heads):
        blocks.append(x[:, :, h * head_size:(h + 1) * head_size])
    return torch.stack(blocks, dim=1)


def merge_heads__1(x):
    batch, tokens, heads, head_size = x.shape
    x = x.transpose(1, 2)
    return x.reshape(batch, tokens, heads * head_size)


def merge_heads__2(x):
    batch, heads, tokens, head_size = x.shape
    return x.transpose(1, 2).reshape(batch, tokens, model_size)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = split_heads(query @ w_query, heads)
    k = split_heads(key @ w_key, heads)
    v = split_heads(value @ w_value, heads)
    scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        weights = masked_softmax(scores, mask)
    return merge_heads(weights @ v) @ w_output


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = split_heads(query @ w_query, heads)
    k = split_heads(key @ w_key, heads)
    v = split_heads(value @ w_value, heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    e = torch.exp(scores - torch.max(scores, dim=-1, keepdim=True))
    weights = e / e.sum(dim=-1, keepdim=True)
    if mask is not None:
        weights = weights * mask
    return merge_heads(weights @ v) @ w_output


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if value is None:
            value = key
        if key is None:
            key = query
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ v))
        if return_weights:
            return output, weights
        return output


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.dropout = dropout
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            weights = masked_softmax(scores, mask)
        dropped = self.dropout(weights)
        output = self.output(merge_heads(dropped @ v))
        if return_weights:
            return output, weights
        return output


class MultiHeadAttention__3(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias)
        self.key = nn.Linear(model_size, model_size, bias)
        self.value = nn.Linear(model_size, model_size, bias)
        self.output = nn.Linear(model_size, model_size, bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = torch.softmax(scores, -1) if mask is None else masked_softmax(scores, mask)
        out = self.output(merge_heads(self.drop(weights) @ v))
        return out, weights if return_weights else out


class MultiHeadAttention__4(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.head_size = model_size // heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = key or query
        value = value or key
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = q @ k.transpose(2, 3) / math.sqrt(self.head_size)
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            weights = masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ v))
        return (output, weights) if return_weights else output


TRUTH = {
    'split_heads__1': '/ where a whole number is wanted -> TypeError "view(): argument \'size\' failed to unpack the object at pos 4 ... but got float", line `x = x.view(...)`, always',
    'split_heads__2': 'ValueError(...) made but not raised: heads that do not divide are not refused, the columns left over are dropped, (2, 3, 8) with 3 heads gives (2, 3, 3, 2); right otherwise',
    'merge_heads__1': 'heads and tokens unpacked in the wrong order: result is (batch, heads, tokens * head_size) instead of (batch, tokens, heads * head_size); runs, right only if heads == tokens',
    'merge_heads__2': 'uses the notebook\'s global model_size (8) -> RuntimeError "shape \'[2, 4, 8]\' is invalid for input of size 48", line `return x.transpose(1, 2).reshape(...)`; right if heads * head_size is 8',
    'multi_head_attention__1': 'NumPy\'s transpose with four axes in torch (permute is meant) -> TypeError "transpose() takes 2 positional arguments but 4 were given", line `scores = q @ k.transpose(0, 1, 3, 2) / ...`, always',
    'multi_head_attention__2': 'torch.max with dim returns a pair (values, indices) -> TypeError "unsupported operand type(s) for -: \'Tensor\' and \'torch.return_types.max\'", line `e = torch.exp(scores - torch.max(...))`, always',
    'MultiHeadAttention__1': 'value None is replaced by key before key None is replaced by query: with query alone value stays None -> TypeError "linear(): argument \'input\' (position 1) must be Tensor, not NoneType", line `v = split_heads(self.value(value), self.heads)`; right if key is given',
    'MultiHeadAttention__2': 'self.dropout is the number, not nn.Dropout(dropout) -> TypeError "\'float\' object is not callable", line `dropped = self.dropout(weights)`, always',
    'MultiHeadAttention__3': 'precedence: `return out, weights if return_weights else out` is a tuple always, without return_weights (out, out); runs; right with return_weights=True',
    'MultiHeadAttention__4': '`key or query` asks a tensor for its truth -> RuntimeError "Boolean value of Tensor with more than one value is ambiguous", line `key = key or query` if a key is given (and line `value = value or key` if a value is given without key, where key is then query); right with query alone',
}
