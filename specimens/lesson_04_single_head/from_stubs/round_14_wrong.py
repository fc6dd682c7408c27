"""Wrong answers to lesson 04 (round 14)."""

import torch
from mha_ref import masked_attention, masked_softmax
from torch import nn


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    bilinear = w_query @ w_key.T
    scores = torch.einsum("...im,mn,...jn->...ij", x, bilinear, x) / w_query.size(0) ** 0.5
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    return masked_softmax(scores, mask) @ (x @ w_value)


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size)
        self.value = nn.Linear(model_size, head_size)

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


TRUTH = {
    "attention_head__1": "It divides by the root of model_size (the rows of w_query), not of head_size.",
    "AttentionHead__1": "nn.Linear has a bias unless told otherwise: key and value have biases that should not be there.",
}
