"""Blocks that break one clause of the docstring, and little else: clauses.toml says which."""

import torch
from torch import nn

from mha_ref.layer import Block as Right


class Block__drops_without_being_asked(Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.dropout.p = max(dropout, 0.1)


class Block__computes_otherwise_in_training(Right):
    def forward(self, x, mask=None):
        out = super().forward(x, mask)
        return x + (out - x) / 0.9 if self.training else out


class Block__makes_the_hidden_layer_twice_as_wide(Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, 2 * hidden_size, dropout)


class Block__accepts_heads_that_do_not_divide(Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads if model_size % heads == 0 else 1, hidden_size, dropout)


class Block__keeps_layers_out_of_sight(Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.hidden = [self.feed_forward]
        del self.feed_forward

    def feed_forward(self, x):
        return self.hidden[0](x)


class Block__thinks_without_biases(Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        sizes = model_size, hidden_size
        self.feed_forward = nn.Sequential(nn.Linear(*sizes, bias=False), nn.GELU(), nn.Linear(*sizes[::-1], bias=False))


class Block__freezes_its_weights(Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.feed_forward.requires_grad_(False)


class Block__drops_another_share_of_weights(Right):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.attention.dropout.p = dropout / 2


class Block__computes_otherwise_in_evaluation(Right):
    def forward(self, x, mask=None):
        out = super().forward(x, mask)
        return out if self.training else x + (out - x) * (1 - self.dropout.p)


class Block__throws_the_dice_once(Right):
    def forward(self, x, mask=None):
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(1)
            return super().forward(x, mask)


class Block__wants_a_batch_of_several(Right):
    def forward(self, x, mask=None):
        assert len(x) > 1
        return super().forward(x, mask)


class Block__loses_every_axis_of_length_1(Right):
    def forward(self, x, mask=None):
        return super().forward(x, mask).squeeze()


class Block__wants_a_mask_of_two_axes(Right):
    def forward(self, x, mask=None):
        assert mask is None or mask.ndim == 2
        return super().forward(x, mask)
