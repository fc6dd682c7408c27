import math
import numpy as np
import torch
import torch.nn as nn
from mha_ref import masked_attention, masked_softmax, softmax


def attention_head(x, w_query, w_key, w_value, mask=None):
    # the learner's own, from the cell above
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, mask)


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    q = x @ w_query
    k = x @ w_key
    v = x @ w_value
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        weights = masked_softmax(scores, mask)
    return weights @ v


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = torch.nan_to_num(weights)
    return weights @ v


def attention_head__3(x, w_query, w_key, w_value, mask=None):
    q = x @ w_query
    k = x @ w_key
    v = x @ w_value
    scores = q @ k.transpose(-2, -1) / math.sqrt(w_query.shape[1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v


def attention_head__4(x, w_query, w_key, w_value, mask=None):
    x = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    return masked_attention(x, key, value, mask)


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        query = nn.Linear(model_size, head_size, bias=False)
        key = nn.Linear(model_size, head_size, bias=False)
        value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        q = self.query(x)
        k = self.key(x)
        v = self.value(x)
        return masked_attention(q, k, v, mask)


class AttentionHead__3(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        return attention_head(x, self.query, self.key, self.value, mask)


class AttentionHead__4(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Parameter(torch.randn(model_size, head_size) / math.sqrt(model_size))
        self.key = nn.Parameter(torch.randn(model_size, head_size) / math.sqrt(model_size))
        self.value = nn.Parameter(torch.randn(model_size, head_size) / math.sqrt(model_size))

    def forward(x, mask=None):
        return attention_head(x, self.query, self.key, self.value, mask)


class AttentionHead__5(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.head_size = head_size
        self.query = torch.randn(model_size, head_size, requires_grad=True)
        self.key = torch.randn(model_size, head_size, requires_grad=True)
        self.value = torch.randn(model_size, head_size, requires_grad=True)

    def forward(self, x, mask=None):
        q = x @ self.query
        k = x @ self.key
        v = x @ self.value
        return masked_attention(q, k, v, mask)


TRUTH = {
    'attention_head__1': 'q.size is a method in torch -> TypeError "\'builtin_function_or_method\' object is not subscriptable", line `scores = q @ ... / math.sqrt(q.size[-1])`, always',
    'attention_head__2': 'result of masked_fill not kept: the mask has no effect; runs, wrong with a mask (a query that may look at nothing gets no zeros either)',
    'attention_head__3': 'np.where on tensors -> scores is a NumPy array: TypeError "softmax(): argument \'input\' (position 1) must be Tensor, not numpy.ndarray", line `weights = torch.softmax(scores, dim=-1)`; with gradients RuntimeError "Can\'t call numpy() on Tensor that requires grad", line `scores = np.where(...)`; right without a mask',
    'attention_head__4': 'x overwritten by the queries before keys and values are made -> RuntimeError "mat1 and mat2 shapes cannot be multiplied", line `key = torch.matmul(x, w_key)`; runs with wrong numbers if head_size == model_size',
    'AttentionHead__1': 'super().__init__() deleted -> AttributeError "cannot assign module before Module.__init__() call", line `self.query = nn.Linear(...)`, when the module is built',
    'AttentionHead__2': 'self. forgotten in __init__: the module is built without any parameter, forward then AttributeError "object has no attribute \'query\'", line `q = self.query(x)`',
    'AttentionHead__3': 'nn.Linear layers handed over as if they were matrices -> TypeError "unsupported operand type(s) for @: \'Tensor\' and \'Linear\'", raised in the helper attention_head, called on the `return` line of forward, always',
    'AttentionHead__4': 'forward without self: builds; called as head(x), x is the module and mask is x: NameError "name \'self\' is not defined", line `return attention_head(...)`; with a mask TypeError "takes from 1 to 2 positional arguments but 3 were given", or "got multiple values for argument \'mask\'" if by name',
    'AttentionHead__5': 'plain tensors with requires_grad instead of nn.Parameter: parameters() and state_dict() are empty, an optimizer finds nothing; forward runs with right numbers (float32)',
}
