"""Answers that break one clause of a docstring, and little else: lesson_07_cross_attention.toml says which."""

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import cross_attention, encoder_decoder_masks, translate_greedily
from mha_ref.layer import MultiHeadAttention


def cross_attention__wants_a_batch_of_several(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    assert len(x) > 1
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__wants_more_than_one_head(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    assert heads > 1
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__wants_a_mask_of_four_axes(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    assert mask is None or mask.ndim == 4
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__loses_every_axis_of_length_1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask).squeeze()


def cross_attention__cuts_the_gradient_of_the_memory(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return cross_attention(x, memory.detach(), w_query, w_key, w_value, w_output, heads, mask)


def encoder_decoder_masks__wants_a_batch_of_several(source_lengths, target_lengths, sources, targets):
    assert len(source_lengths) > 1
    return encoder_decoder_masks(source_lengths, target_lengths, sources, targets)


def _lengths():
    return torch.tensor([3, 1]), torch.tensor([1, 2])


class _Right(nn.Module):
    """A DecoderLayer that is right: the others are made from it."""

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention, self.cross_attention = (
            MultiHeadAttention(model_size, heads, dropout=dropout) for _ in range(2)
        )
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3))
        self.p = dropout

    def drop(self, x):
        return F.dropout(x, self.p, self.training)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.drop(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.drop(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.drop(self.feed_forward(self.norms[2](x)))


class DecoderLayer__drops_without_being_asked(_Right):
    def drop(self, x):
        return F.dropout(x, max(self.p, 0.1), self.training)


class DecoderLayer__makes_the_hidden_layer_twice_as_wide(_Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, 2 * hidden_size, dropout)


class DecoderLayer__accepts_heads_that_do_not_divide(_Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads if model_size % heads == 0 else 1, hidden_size, dropout)


class DecoderLayer__shares_one_attention(_Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.cross_attention = self.self_attention


class DecoderLayer__thinks_without_biases(_Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        sizes = model_size, hidden_size
        self.feed_forward = nn.Sequential(nn.Linear(*sizes, bias=False), nn.ReLU(), nn.Linear(*sizes[::-1], bias=False))


class DecoderLayer__freezes_its_weights(_Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.feed_forward.requires_grad_(False)


class DecoderLayer__throws_the_dice_once(_Right):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(1)
            return super().forward(x, memory, self_mask, memory_mask)


class DecoderLayer__drops_the_sum(_Right):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.drop(x + self.self_attention(self.norms[0](x), mask=self_mask))
        x = self.drop(x + self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return self.drop(x + self.feed_forward(self.norms[2](x)))


class DecoderLayer__wants_a_batch_of_several(_Right):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        assert len(x) > 1
        return super().forward(x, memory, self_mask, memory_mask)


class DecoderLayer__loses_every_axis_of_length_1(_Right):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask, memory_mask).squeeze()


class DecoderLayer__cuts_the_gradient_of_the_memory(_Right):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory.detach(), self_mask, memory_mask)


def combine_masks__wants_masks_of_one_shape(first, second):
    if first is None or second is None:
        return second if first is None else first
    both = first.copy()
    both[~second] = False
    return both


def translate_greedily__wants_more_than_one_text(model, sources, start, steps):
    assert len(sources) > 1
    return translate_greedily(model, sources, start, steps)


def translate_greedily__wants_more_than_one_step(model, sources, start, steps):
    assert steps > 1
    return translate_greedily(model, sources, start, steps)


def translate_greedily__answers_in_floats(model, sources, start, steps):
    return translate_greedily(model, sources, start, steps).float()


def translate_greedily__values_instead_of_places(model, sources, start, steps):
    targets, found = torch.full((len(sources), 1), start), []
    for _ in range(steps):
        values, places = model(sources, targets)[:, -1].max(dim=-1)
        found.append(values)
        targets = torch.cat([targets, places[:, None]], dim=1)
    return torch.stack(found, dim=1)
