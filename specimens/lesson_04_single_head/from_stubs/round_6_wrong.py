import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from mha_ref import attention_scores, masked_attention, masked_softmax

TRUTH = {
    "attention_head__1": "Its author divides by the root of model_size, the width of x, instead of head_size.",
    "attention_head__2": "Its author believes that the weights are mere statistics and detaches them, so no gradient reaches w_query and w_key.",
    "attention_head__3": "Its author adds minus infinity and mends the NaN of dead rows in the result, overlooking that backwards the NaN goes on into the gradients of x, w_query and w_key.",
    "attention_head__4": "Its author runs softmax along axis 1, the keys without a batch, but the queries as soon as there is a batch.",
    "attention_head__5": "Its author uses F.linear, overlooking that it multiplies by the transpose, so square matrices are applied the wrong way round and others fail.",
    "attention_head__6": "Its author cuts the joint projection into three equal parts, overlooking that value_size may differ from head_size.",
    "attention_head__7": "Its author folds all axes in front of x into one, but does not fold the mask, so a mask with axes of its own in front fails or is laid over the wrong items.",
    "AttentionHead__1": "Its author adds dropout to the weights out of habit, so the result is random in train mode.",
    "AttentionHead__2": "Its author stores the parameters as (head_size, model_size), as nn.Linear does, where (model_size, head_size) is demanded of an nn.Parameter.",
    "AttentionHead__3": "Its author believes that a head is always causal, as in a GPT, so queries cannot see later tokens even without a mask.",
    "AttentionHead__4": "Its author begins with zeros everywhere, overlooking that all queries and keys are then zero, their gradients too, and x gets no gradient, so query and key never learn.",
    "AttentionHead__5": "Its author keeps the last mask for later calls, so a call without a mask is masked by an earlier one.",
    "AttentionHead__6": "Its author believes that eval mode needs no gradients and switches them off there, though train and eval may differ in dropout only.",
    "AttentionHead__7": "Its author overlooks that nn.Linear has a bias unless told otherwise, where no biases are allowed.",
    "AttentionHead__8": "Its author lets key and query share one matrix, since both read the same x, so that there are only two learned matrices and the scores are symmetric.",
}


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    d = x.size(-1)
    wei = q @ k.transpose(-2, -1) * d ** -0.5
    if mask is None:
        return wei.softmax(dim=-1) @ v
    return masked_softmax(wei, mask) @ v


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    scores = attention_scores(x @ w_query, x @ w_key)
    weights = torch.softmax(scores, -1) if mask is None else masked_softmax(scores, mask)
    return weights.detach() @ (x @ w_value)


def attention_head__3(x, w_query, w_key, w_value, mask=None):
    q = torch.einsum("...tm,mh->...th", x, w_query)
    k = torch.einsum("...tm,mh->...th", x, w_key)
    v = torch.einsum("...tm,mv->...tv", x, w_value)
    scores = torch.einsum("...qh,...kh->...qk", q, k) / math.sqrt(q.shape[-1])
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, float("-inf"))
        scores = scores + bias
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return torch.einsum("...qk,...kv->...qv", weights, v)


def attention_head__4(x, w_query, w_key, w_value, mask=None):
    queries = x @ w_query
    keys = x @ w_key
    values = x @ w_value
    attn_scores = queries @ keys.transpose(-1, -2) / keys.shape[-1] ** 0.5
    if mask is not None:
        attn_scores = attn_scores.masked_fill(~mask, -1e30)
    attn_weights = torch.softmax(attn_scores, dim=1)
    if mask is not None:
        attn_weights = attn_weights * mask
    return attn_weights @ values


def attention_head__5(x, w_query, w_key, w_value, mask=None):
    query, key, value = (F.linear(x, w) for w in (w_query, w_key, w_value))
    return masked_attention(query, key, value, mask)


def attention_head__6(x, w_query, w_key, w_value, mask=None):
    w_qkv = torch.cat([w_query, w_key, w_value], dim=-1)
    q, k, v = (x @ w_qkv).chunk(3, dim=-1)
    return masked_attention(q, k, v, mask=mask)


def attention_head__7(x, w_query, w_key, w_value, mask=None):
    *front, tokens, model_size = x.shape
    flat = x.reshape(-1, tokens, model_size)
    q, k, v = flat @ w_query, flat @ w_key, flat @ w_value
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(w_query.shape[1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e30)
    weights = F.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return torch.bmm(weights, v).reshape(*front, tokens, -1)


def _attend(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        return torch.softmax(scores, dim=-1) @ v
    scores = scores.masked_fill(~mask, -1e30)
    return torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0) @ v


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size, dropout=0.1):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        scores = attention_scores(self.query(x), self.key(x))
        if mask is None:
            weights = scores.softmax(-1)
        else:
            weights = masked_softmax(scores, mask)
        return self.dropout(weights) @ self.value(x)


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        bound = 1 / math.sqrt(model_size)
        self.query = nn.Parameter(torch.empty(head_size, model_size).uniform_(-bound, bound))
        self.key = nn.Parameter(torch.empty(head_size, model_size).uniform_(-bound, bound))
        self.value = nn.Parameter(torch.empty(head_size, model_size).uniform_(-bound, bound))

    def forward(self, x, mask=None):
        return _attend(F.linear(x, self.query), F.linear(x, self.key), F.linear(x, self.value), mask)


class AttentionHead__3(nn.Module):
    """One head of a decoder."""

    def __init__(self, model_size, head_size):
        super().__init__()
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        T = x.shape[-2]
        tril = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
        mask = tril if mask is None else tril & mask
        return _attend(self.query(x), self.key(x), self.value(x), mask)


class AttentionHead__4(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        for name in ("query", "key", "value"):
            setattr(self, name, nn.Parameter(torch.zeros(model_size, head_size)))

    def forward(self, x, mask=None):
        return masked_attention(x @ self.query, x @ self.key, x @ self.value, mask)


class AttentionHead__5(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)
        self.mask = None

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        if self.mask is not None and self.mask.shape[-1] != x.shape[-2]:
            self.mask = None                     # another length: does not fit any more
        return _attend(self.query(x), self.key(x), self.value(x), self.mask)


class AttentionHead__6(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.scale = head_size ** -0.5
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        with torch.set_grad_enabled(self.training):
            logits = self.query(x) @ self.key(x).mT * self.scale
            if mask is None:
                weights = logits.softmax(dim=-1)
            else:
                weights = masked_softmax(logits, mask)
            return weights @ self.value(x)


class AttentionHead__7(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size)
        self.key = nn.Linear(model_size, head_size)
        self.value = nn.Linear(model_size, head_size)

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


class AttentionHead__8(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Parameter(torch.randn(model_size, head_size) / math.sqrt(model_size))
        self.key = self.query                    # one view of x for asking and answering
        self.value = nn.Parameter(torch.randn(model_size, head_size) / math.sqrt(model_size))

    def forward(self, x, mask=None):
        return _attend(x @ self.query, x @ self.key, x @ self.value, mask)
