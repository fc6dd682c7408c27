"""Mistakes in layers that hold their projections in their own ways: each is found, and nothing is said of the ways."""

import torch
from torch import nn

from mha_ref import masked_softmax


class _Linear(nn.Module):
    """As many write it before they know that there is one: (out, in)."""

    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / inputs**0.5)
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


class _Convolution(nn.Conv1d):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__(inputs, outputs, kernel_size=1, bias=bias)

    def forward(self, x):
        return super().forward(x.transpose(1, 2)).transpose(1, 2)


class _Layer(nn.Module):
    """What a good layer has; the wrong ones change a part."""

    linear, names = _Linear, ("query", "key", "value", "output")

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        for name in self.names:
            self.add_module(name, self.linear(model_size, model_size, bias))

    def projected(self, *sequences):
        return [self.get_submodule(name)(x) for name, x in zip(self.names, sequences)]

    def last(self, x):
        return self.get_submodule(self.names[3])(x)

    def weights(self, q, k, mask):
        scores = q @ k.mT / q.shape[-1] ** 0.5
        return scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (x.unflatten(-1, (self.heads, -1)).transpose(1, 2) for x in self.projected(query, key, value))
        weights = self.weights(q, k, mask)
        out = self.last((self.dropout(weights) @ v).transpose(1, 2).flatten(2))
        return (out, weights) if return_weights else out


class MultiHeadAttention__leaves_the_mask_unread__own_linear(_Layer):
    def weights(self, q, k, mask):
        return super().weights(q, k, None)


class MultiHeadAttention__scales_by_the_root_of_the_model_size__own_linear(_Layer):
    def weights(self, q, k, mask):
        return super().weights(q / self.heads**0.5, k, mask)


class MultiHeadAttention__scales_by_the_root_of_the_model_size__convolutions(_Layer):
    linear = _Convolution

    def weights(self, q, k, mask):
        return super().weights(q / self.heads**0.5, k, mask)


class MultiHeadAttention__exchanges_two_projections__own_linear(_Layer):
    def projected(self, query, key, value):
        return self.key(query), self.query(key), self.value(value)


class MultiHeadAttention__calls_one_projection_in_place_of_another__own_linear(_Layer):
    def projected(self, query, key, value):
        return self.query(query), self.key(key), self.key(value)


class MultiHeadAttention__never_calls_the_output_projection__own_linear(_Layer):
    def last(self, x):
        return x


class MultiHeadAttention__looks_at_the_query_alone__named_by_elimination(_Layer):
    names = "w_qs", "w_ks", "w_vs", "fc"

    def projected(self, query, key, value):
        return super().projected(query, query, query)


class MultiHeadAttention__turns_the_mask_round__w_concat(_Layer):
    names = "w_q", "w_k", "w_v", "w_concat"

    def weights(self, q, k, mask):
        return super().weights(q, k, None if mask is None else ~mask)


class MultiHeadAttention__leaves_out_the_biases_of_the_projections__own_linear(_Layer):
    def projected(self, *sequences):
        return [x @ self.get_submodule(name).weight.T for name, x in zip(self.names, sequences)]


class MultiHeadAttention__takes_the_matrix_of_the_output_on_its_side__beside_own_ones(_Layer):
    """nn.Linear is (out, in), whatever the others are."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        self.output = nn.Linear(model_size, model_size, bias)

    def last(self, x):
        return x @ self.output.weight


class MultiHeadAttention__reason_type__four_numbers_in_another_order(_Layer):
    names = "fc2", "fc1", "fc3", "fc4"


class MultiHeadAttention__reason_type__two_names_say_nothing(_Layer):
    names = "query", "key", "first", "second"


class MultiHeadAttention__reason_type__a_weight_that_is_computed(_Layer):
    def linear(self, inputs, outputs, bias):
        return nn.utils.parametrizations.spectral_norm(nn.Linear(inputs, outputs, bias))


class MultiHeadAttention__reason_type__of_two_inputs(_Layer):
    def linear(self, inputs, outputs, bias):
        return nn.Bilinear(inputs, inputs, outputs, bias)

    def projected(self, *sequences):
        return [self.get_submodule(name)(x, x) for name, x in zip(self.names, sequences)]


class _Decoder(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention, self.cross_attention = (_Layer(model_size, heads, True, dropout) for _ in range(2))
        self.widen, self.narrow = _Linear(model_size, hidden_size), _Linear(hidden_size, model_size)
        self.a, self.b, self.c = (nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def think(self, x):
        return self.narrow(self.widen(x).relu())

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.a(x), mask=self_mask))
        x = x + self.dropout(self.look(self.b(x), memory, memory_mask))
        return x + self.dropout(self.think(self.c(x)))

    def look(self, x, memory, mask):
        return self.cross_attention(x, memory, mask=mask)


class DecoderLayer__leaves_out_the_relu__own_linear(_Decoder):
    def think(self, x):
        return self.narrow(self.widen(x))


class DecoderLayer__takes_the_keys_from_x__own_linear(_Decoder):
    def look(self, x, memory, mask):
        return self.cross_attention(x, x, memory, mask)


class DecoderLayer__normalises_after_adding__own_linear(_Decoder):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.a(x + self.dropout(self.self_attention(x, mask=self_mask)))
        x = self.b(x + self.dropout(self.look(x, memory, memory_mask)))
        return self.c(x + self.dropout(self.think(x)))
