"""Right layers that hold their projections in ways of their own: other classes, other names, other shapes."""

import torch
from torch import nn

from mha_ref import masked_attention, masked_softmax
from mha_ref.layer import MultiHeadAttention


class _Linear(nn.Module):
    """As many write it before they know that there is one: (out, in)."""

    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / inputs**0.5)
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


class _InputsFirst(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weights = nn.Parameter(torch.randn(inputs, outputs))
        self.b = nn.Parameter(torch.randn(outputs)) if bias else None

    def forward(self, x):
        y = torch.einsum("...i,io->...o", x, self.weights)
        return y if self.b is None else y + self.b


class _Convolution(nn.Conv1d):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__(inputs, outputs, kernel_size=1, bias=bias)

    def forward(self, x):
        return super().forward(x.transpose(1, 2)).transpose(1, 2)


class _Layer(nn.Module):
    """What all have in common; `make`, `projected` and `mixed` say how the projections are held."""

    names = "query", "key", "value", "output"
    linear = nn.Linear

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        self.make(model_size, bias)

    def make(self, size, bias):
        for name in self.names:
            self.add_module(name, self.linear(size, size, bias))

    def projected(self, *sequences):
        return [self.get_submodule(name)(x) for name, x in zip(self.names, sequences)]

    def mixed(self, x):
        return self.get_submodule(self.names[-1])(x)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (x.unflatten(-1, (self.heads, -1)).transpose(1, 2) for x in self.projected(query, key, value))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        weights = scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)
        out = self.mixed((self.dropout(weights) @ v).transpose(1, 2).flatten(2))
        return (out, weights) if return_weights else out


# of a class of their own


class MultiHeadAttention__own_linear(_Layer):
    linear = _Linear


class MultiHeadAttention__own_linear_with_inputs_first(_Layer):
    linear = _InputsFirst


class MultiHeadAttention__convolutions_of_one_token(_Layer):
    linear = _Convolution


class MultiHeadAttention__each_of_another_class(_Layer):
    def make(self, size, bias):
        for name, linear in zip(self.names, (_Linear, _InputsFirst, nn.Linear, _Convolution)):
            self.add_module(name, linear(size, size, bias))


class MultiHeadAttention__weights_with_lengths_of_their_own(_Layer):
    def make(self, size, bias):
        for name in self.names:
            self.add_module(name, nn.utils.parametrizations.weight_norm(nn.Linear(size, size, bias)))


class MultiHeadAttention__lazy(_Layer):
    """As in newer editions of d2l."""

    names = "W_q", "W_k", "W_v", "W_o"

    def linear(self, inputs, outputs, bias):
        return nn.LazyLinear(outputs, bias=bias)


class AttentionHead__parameters_with_outputs_first(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Parameter(torch.randn(head_size, model_size)) for _ in range(3))

    def forward(self, x, mask=None):
        return masked_attention(*(nn.functional.linear(x, w) for w in (self.query, self.key, self.value)), mask)


class AttentionHead__own_linear(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.tokeys, self.toqueries, self.tovalues = (_Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        return masked_attention(self.toqueries(x), self.tokeys(x), self.tovalues(x), mask)


class AttentionHead__keys_and_values_in_one(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.dense, self.kv = nn.Linear(model_size, head_size, False), nn.Linear(model_size, 2 * head_size, False)

    def forward(self, x, mask=None):
        return masked_attention(self.dense(x), *self.kv(x).chunk(2, dim=-1), mask)


# under names of their own


class MultiHeadAttention__the_last_one_is_dense(_Layer):
    names, linear = ("query_layer", "keys_linear", "proj_v", "dense"), _Linear


class MultiHeadAttention__w_concat(_Layer):
    names = "w_q", "w_k", "w_v", "w_concat"


class MultiHeadAttention__fc_after_plurals(_Layer):
    names = "w_qs", "w_ks", "w_vs", "fc"


class MultiHeadAttention__capital_letters(_Layer):
    names, linear = ("WQ", "WK", "WV", "W_0"), _InputsFirst


class MultiHeadAttention__a_typing_slip(_Layer):
    names = "querry", "keyProj", "valueProj", "outProj"


class MultiHeadAttention__four_in_a_list(_Layer):
    names = "linears.0", "linears.1", "linears.2", "linears.3"

    def make(self, size, bias):
        self.linears = nn.ModuleList([nn.Linear(size, size, bias) for _ in range(4)])


class MultiHeadAttention__four_with_numbers(_Layer):
    names, linear = ("fc1", "fc2", "fc3", "fc4"), _Linear


class MultiHeadAttention__a_dictionary_of_sequences(_Layer):
    names = "parts.q.0", "parts.k.0", "parts.v.0", "parts.o.0"

    def make(self, size, bias):
        self.parts = nn.ModuleDict({name: nn.Sequential(_Linear(size, size, bias)) for name in "qkvo"})


class MultiHeadAttention__a_list_for_each_head(_Layer):
    def make(self, size, bias):
        self.head = nn.ModuleList(
            nn.ModuleDict({name: _Linear(size, size // self.heads, bias) for name in ("key", "query", "value")})
            for _ in range(self.heads)
        )
        self.unifyheads = nn.Linear(size, size, bias)

    def projected(self, *sequences):
        names = "query", "key", "value"
        return [torch.cat([head[name](x) for head in self.head], dim=-1) for name, x in zip(names, sequences)]

    def mixed(self, x):
        return self.unifyheads(x)


# several in one


class MultiHeadAttention__keys_and_values_in_one(_Layer):
    def make(self, size, bias):
        self.to_q, self.to_kv = nn.Linear(size, size, bias), nn.Linear(size, 2 * size, bias)
        self.to_out = nn.Sequential(nn.Linear(size, size, bias), nn.Dropout(0.0))

    def projected(self, query, key, value):
        return self.to_q(query), self.to_kv(key).chunk(2, -1)[0], self.to_kv(value).chunk(2, -1)[1]

    def mixed(self, x):
        return self.to_out(x)


class MultiHeadAttention__keys_first(_Layer):
    def make(self, size, bias):
        self.kqv, self.dense = _Linear(size, 3 * size, bias), nn.Linear(size, size, bias)

    def projected(self, *sequences):
        return [self.kqv(x).chunk(3, dim=-1)[part] for part, x in zip((1, 0, 2), sequences)]

    def mixed(self, x):
        return self.dense(x)


class MultiHeadAttention__all_named_in_full(_Layer):
    def make(self, size, bias):
        self.query_key_value, self.dense = nn.Linear(size, 3 * size, bias), nn.Linear(size, size, bias)

    def projected(self, *sequences):
        return [self.query_key_value(x).chunk(3, dim=-1)[part] for part, x in enumerate(sequences)]

    def mixed(self, x):
        return self.dense(x)


class MultiHeadAttention__three_behind_each_other(_Layer):
    def make(self, size, bias):
        self.qkv = nn.Parameter(torch.randn(3, size, size))
        self.qkv_bias = nn.Parameter(torch.zeros(3, size)) if bias else None
        self.proj = _Linear(size, size, bias)

    def projected(self, *sequences):
        biases = (0, 0, 0) if self.qkv_bias is None else self.qkv_bias
        return [x @ w.T + b for x, w, b in zip(sequences, self.qkv, biases)]

    def mixed(self, x):
        return self.proj(x)


# with an axis for the heads


class _ByHead(_Layer):
    """Letters for the axes: model, heads, size."""

    into, out_of = "hms", "hsm"

    def make(self, size, bias):
        sizes = dict(m=size, h=self.heads, s=size // self.heads)
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            axes = self.out_of if name == "W_O" else self.into
            self.register_parameter(name, nn.Parameter(torch.randn([sizes[axis] for axis in axes])))
        for name in ("b_Q", "b_K", "b_V") if bias else ():
            self.register_parameter(name, nn.Parameter(torch.zeros(self.heads, size // self.heads)))
        self.b_O = nn.Parameter(torch.zeros(size)) if bias else None

    def projected(self, *sequences):
        for name, x in zip("QKV", sequences):
            y = torch.einsum(f"btm,{self.into}->bths", x, getattr(self, f"W_{name}"))
            yield (y if self.b_O is None else y + getattr(self, f"b_{name}")).flatten(2)

    def mixed(self, x):
        y = torch.einsum(f"bths,{self.out_of}->btm", x.unflatten(-1, (self.heads, -1)), self.W_O)
        return y if self.b_O is None else y + self.b_O


class MultiHeadAttention__heads_first(_ByHead):
    pass


class MultiHeadAttention__heads_in_the_middle(_ByHead):
    into, out_of = "mhs", "mhs"


class MultiHeadAttention__heads_first_and_inputs_last(_ByHead):
    into, out_of = "hsm", "hms"


# in a decoder layer


class _Decoder(nn.Module):
    """Attentions and feed-forward part as `attention` and `linear` make them; norms as `norm` does."""

    attention, linear, norm = MultiHeadAttention, nn.Linear, nn.LayerNorm

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attn1, self.attn2 = (self.attention(model_size, heads, True, dropout) for _ in range(2))
        self.first, self.second = self.linear(model_size, hidden_size), self.linear(hidden_size, model_size)
        self.a, self.b, self.c = (self.norm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.attn1(self.a(x), mask=self_mask))
        x = x + self.dropout(self.attn2(self.b(x), memory, mask=memory_mask))
        return x + self.dropout(self.second(self.first(self.c(x)).relu()))


class DecoderLayer__own_linear(_Decoder):
    attention, linear = MultiHeadAttention__own_linear, _Linear


class DecoderLayer__inputs_first(_Decoder):
    attention, linear = MultiHeadAttention__own_linear_with_inputs_first, _InputsFirst


class DecoderLayer__convolutions_of_one_token(_Decoder):
    attention, linear = MultiHeadAttention__the_last_one_is_dense, _Convolution


class _Norm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.gain, self.shift = nn.Parameter(torch.ones(size)), nn.Parameter(torch.zeros(size))

    def forward(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        return self.gain * centred / (centred.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt() + self.shift


class DecoderLayer__own_norm(_Decoder):
    norm = _Norm
