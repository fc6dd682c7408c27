import math
import torch
import torch.nn as nn
from mha_ref import masked_softmax, merge_heads, multi_head_attention, padding_mask, split_heads
from mha_ref.layer import MultiHeadAttention


def cross_attention__1(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    x = x @ w_query
    memory = memory @ w_key
    value = memory @ w_value
    q = split_heads(x, heads)
    k = split_heads(memory, heads)
    v = split_heads(value, heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        weights = masked_softmax(scores, mask)
    return merge_heads(weights @ v) @ w_output


def cross_attention__2(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return multi_head_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__3(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask=None)


def encoder_decoder_masks__1(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    causal = torch.trill(torch.ones(targets, targets, dtype=torch.bool))
    target = padding_mask(target_lengths, targets) & causal
    return source, target, source


def encoder_decoder_masks__2(source_lengths, target_lengths, sources, targets):
    source = torch.arange(sources) < source_lengths[:, None, None, None]
    target = torch.arange(targets) < target_lengths[:, None, None, None]
    target = target & torch.ones(targets, targets).tril()
    cross = source.clone()
    return source, target, cross


def encoder_decoder_masks__3(source_lengths, target_lengths, sources, targets):
    source = padding_mask(source_lengths, sources)
    causal = torch.ones(targets, targets, dtype=torch.bool).tril()
    target = padding_mask(target_lengths, targets) & causal
    cross = source.clone()
    return source
    return target
    return cross


class DecoderLayer__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size))
        self.norms = [nn.LayerNorm(model_size) for _ in range(3)]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        x = x + self.dropout(self.feed_forward(self.norms[2](x)))
        return x


class DecoderLayer__2(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size))
        self.norm1 = nn.LayerNorm(model_size)
        self.norm2 = nn.LayerNorm(model_size)
        self.norm3 = nn.LayerNorm(model_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x += self.dropout(self.self_attention(self.norm1(x), mask=self_mask))
        x += self.dropout(self.cross_attention(self.norm2(x), memory, mask=memory_mask))
        x += self.dropout(self.feed_forward(self.norm3(x)))
        return x


class DecoderLayer__3(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size),
            nn.ReLU,
            nn.Linear(hidden_size, model_size),
        )
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        h = self.norms[0](x)
        x = x + self.dropout(self.self_attention(h, mask=self_mask))
        h = self.norms[1](x)
        x = x + self.dropout(self.cross_attention(h, memory, mask=memory_mask))
        h = self.norms[2](x)
        return x + self.dropout(self.feed_forward(h))


class DecoderLayer__4(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.linear1 = nn.Linear(model_size, hidden_size)
        self.linear2 = nn.Linear(hidden_size, model_size)
        self.norm1 = nn.LayerNorm(model_size)
        self.norm2 = nn.LayerNorm(model_size)
        self.norm3 = nn.LayerNorm(model_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        h = self.norm1(x)
        x = x + self.dropout(self.self_attention(h, h, h, self_mask))
        h = self.norm2(x)
        x = x + self.dropout(self.cross_attention(h, memory, memory_mask))
        h = self.norm3(x)
        x = x + self.dropout(self.linear2(torch.relu(self.linear1(h))))
        return x


def combine_masks__1(first, second):
    if first is None:
        return second
    if second is None:
        return first
    return first and second


def combine_masks__2(first, second):
    if first is None:
        return second
    if second is not None:
        first &= second
    return first


TRUTH = {
    'combine_masks__1': '`and` of two arrays -> ValueError "truth value of an array with more than one element is ambiguous", line `return first and second`, whenever both are given (right if one is None, and for single entries)',
    'combine_masks__2': '&= changes the caller\'s first mask; if first must be broadcast, ValueError "non-broadcastable output operand", line `first &= second`; values right otherwise',
    'cross_attention__1': 'memory overwritten by the keys before values are made of it (memory @ w_key @ w_value); runs, wrong numbers',
    'cross_attention__2': 'memory passed once instead of twice, all later arguments slip one place -> ValueError "value has 2 axes, not the three of (batch, tokens, model_size)" from mha_ref, line `return multi_head_attention(...)`, always',
    'cross_attention__3': 'mask=None copied from the signature into the call: the mask has no effect; runs, right without a mask',
    'encoder_decoder_masks__1': 'typo torch.trill -> AttributeError "module \'torch\' has no attribute \'trill\'", line `causal = torch.trill(...)`, always',
    'encoder_decoder_masks__2': 'torch.ones without dtype=torch.bool: boolean & float -> NotImplementedError \'"bitwise_and_cpu" not implemented for \'Float\'\' (looks like an unfinished stub), line `target = target & torch.ones(...)`, always',
    'encoder_decoder_masks__3': 'three returns one after the other: only the first mask comes back, a tensor instead of a tuple of three; runs',
    'DecoderLayer__1': 'norms in a plain list: not registered, 48 parameters are missing from parameters() and state_dict(), .to() and .double() miss them; forward runs with right numbers',
    'DecoderLayer__2': '+= on the input: the caller\'s x is changed, and with gradients RuntimeError "a leaf Variable that requires grad is being used in an in-place operation", line `x += self.dropout(self.self_attention(...))`',
    'DecoderLayer__3': 'nn.ReLU without parentheses -> TypeError "torch.nn.modules.activation.ReLU is not a Module subclass", line `self.feed_forward = nn.Sequential(`, when the layer is built',
    'DecoderLayer__4': 'memory_mask passed by place lands in value -> ValueError "value has 2 axes, not the three of (batch, tokens, model_size)" from MultiHeadAttention, line `x = x + self.dropout(self.cross_attention(h, memory, memory_mask))`; right if memory_mask is None',
}
