"""Answers that break one clause of a docstring, and little else: lesson_04_single_head.toml says which."""

import torch
import torch.nn.functional as F
from torch import nn

import mha_ref.layer
from mha_ref import masked_attention


def attention_head__makes_a_tensor_of_its_own_type(x, w_query, w_key, w_value, mask=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    out = masked_attention(query, key, value, mask)
    return out @ torch.eye(out.shape[-1])


def attention_head__loses_every_axis_of_length_1(x, w_query, w_key, w_value, mask=None):
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, mask).squeeze()


def attention_head__wants_a_mask_of_two_axes(x, w_query, w_key, w_value, mask=None):
    assert mask is None or mask.ndim == 2
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, mask)


def attention_head__cuts_the_gradient_of_the_keys(x, w_query, w_key, w_value, mask=None):
    return masked_attention(x @ w_query, (x @ w_key).detach(), x @ w_value, mask)


class _Right(nn.Module):
    """An AttentionHead that is right: the others are made from it."""

    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


class AttentionHead__makes_values_of_the_model_size(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.value = nn.Linear(model_size, model_size, bias=False)


class AttentionHead__is_no_module:
    def __init__(self, model_size, head_size):
        self.query, self.key, self.value = (torch.randn(model_size, head_size) for _ in range(3))

    def forward(self, x, mask=None):
        return masked_attention(x @ self.query, x @ self.key, x @ self.value, mask)


class AttentionHead__loses_every_axis_of_length_1(_Right):
    def forward(self, x, mask=None):
        return super().forward(x, mask).squeeze()


class AttentionHead__drops_without_being_asked(_Right):
    def forward(self, x, mask=None):
        return F.dropout(super().forward(x, mask), 0.1, self.training)


class AttentionHead__freezes_its_weights(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.key.requires_grad_(False)


class AttentionHead__starts_in_evaluation_mode(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.eval()


class AttentionHead__wraps_the_layer_of_torch(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.attention = nn.MultiheadAttention(head_size, 1, bias=False)


class AttentionHead__wraps_our_layer(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.head = mha_ref.layer.AttentionHead(model_size, head_size)

    def forward(self, x, mask=None):
        return self.head(x, mask)


class AttentionHead__registers_a_weight_twice(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.keys = self.key


_KEYS = {}


class AttentionHead__shares_weights_among_layers(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.key = _KEYS.setdefault((model_size, head_size), self.key)


class AttentionHead__has_weights_without_effect(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.value_again = nn.Linear(model_size, head_size, bias=False)


class AttentionHead__loses_something_when_saved(_Right):
    """What is lost is so little that results are right; with more of it they would not be."""

    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.shift = torch.randn(head_size) / 30_000

    def forward(self, x, mask=None):
        return (super().forward(x, mask) + self.shift).float()


class AttentionHead__remembers_an_earlier_call(_Right):
    mask = None

    def forward(self, x, mask=None):
        if mask is not None and mask.ndim == 2:
            self.mask = mask
        fits = mask is None and self.mask is not None and self.mask.shape[-1] == x.shape[-2]
        return super().forward(x, self.mask if fits else mask)
