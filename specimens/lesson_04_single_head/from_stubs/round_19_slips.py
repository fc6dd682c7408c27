"""Slips in answers to lesson 04 (round 19)."""

import torch
from torch import nn

from mha_ref import attention_scores, masked_softmax, softmax


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    query = x @ w_query
    key = x @ w_query
    value = x @ w_value
    scores = attention_scores(query, key)
    if mask is None:
        return softmax(scores) @ value
    return masked_softmax(scores, mask) @ value


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(head_size, model_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        scores = attention_scores(self.query(x), self.key(x))
        if mask is None:
            mask = torch.ones_like(scores, dtype=torch.bool)
        return masked_softmax(scores, mask) @ self.value(x)


TRUTH = {
    "attention_head__1": 'The keys are computed with w_query instead of w_key, which is never used.',
    "AttentionHead__1": 'The sizes of nn.Linear are exchanged for the key, so it takes head_size features and fails on x, which has model_size.',
}
