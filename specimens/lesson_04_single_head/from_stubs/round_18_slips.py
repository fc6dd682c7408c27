"""Slips in answers to lesson 04 (round 18)."""

from torch import nn

from mha_ref import attention_head, attention_scores, masked_softmax, softmax


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    query = x @ w_query
    key = x @ w_query
    value = x @ w_value
    scores = attention_scores(query, key)
    weights = masked_softmax(scores, mask) if mask is not None else softmax(scores)
    return weights @ value


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        return attention_head(x, self.query.weight.T, self.key.weight.T, self.value.weight.T, mask)


TRUTH = {
    "attention_head__1": 'Copied from the line above: the keys are made with w_query instead of w_key.',
    "AttentionHead__1": 'self.key is assigned twice and self.value never, so forward raises an AttributeError.',
}
