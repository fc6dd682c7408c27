"""Wrong answers to lesson 04 (round 9)."""
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import masked_attention


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / w_query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ value


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        query = nn.Linear(model_size, head_size, bias=False)
        key = nn.Linear(model_size, head_size, bias=False)
        value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


TRUTH = {
    "attention_head__1": "F.softmax without dim picks an axis by itself (a warning: Implicit dimension choice for softmax has been deprecated): the last for two axes, which is right, but the first for three axes and the second for four, so batches give wrong numbers.",
    "AttentionHead__1": "The three layers are local variables, without `self.`: the module has no parameters, and forward stops with AttributeError: 'AttentionHead__1' object has no attribute 'query'.",
}
