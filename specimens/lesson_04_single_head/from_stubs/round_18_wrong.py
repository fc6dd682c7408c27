"""Wrong answers to lesson 04 (round 18)."""

import math

import torch.nn.functional as F
from torch import nn

from mha_ref import masked_softmax, softmax


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    model_size = x.shape[-1]
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-1, -2) / math.sqrt(model_size)
    if mask is None:
        weights = softmax(scores)
    else:
        weights = masked_softmax(scores, mask)
    return weights @ value


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        q = self.query(x)
        k = self.key(x)
        v = self.value(x)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return F.softmax(scores, dim=-1) @ v


TRUTH = {
    "attention_head__1": 'Divides the scores by the root of model_size instead of the root of head_size.',
    "AttentionHead__1": 'A query with no allowed key gets NaN instead of zeros, because the softmax of a row of minus infinity is not taken care of.',
}
