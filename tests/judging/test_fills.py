"""A large number in place of minus infinity is judged alike in every exercise with a mask, as docs/contract.md says."""

from itertools import product

import pytest
import torch
from array_api_compat import array_namespace
from helpers import accepts, at_night
from test_contract import PAGE
from torch import nn

from autograder import judge
from mha_ref import attention_scores, causal_mask, merge_heads, softmax, split_heads

SMALLEST = "the type's smallest number"
TOO_NEAR = (-1e3, -1e4, -65504.0, -1e5)
FAR_ENOUGH = (-1e6, -1e7, -1e8, -1e9, -1e10, -1e12, -1e20, -1e30, SMALLEST)


def weights_of(scores, mask, fill, added, cares):
    """Softmax of masked scores: the fill is put in for blocked ones or added to them; dead rows get zeros, or not."""
    xp = array_namespace(scores)
    fill = float(xp.finfo(scores.dtype).min) if fill == SMALLEST else fill
    blocked = xp.zeros_like(scores) + fill
    lowered = scores + xp.where(mask, 0 * scores, blocked) if added else xp.where(mask, scores, blocked)
    weights = softmax(lowered)
    return xp.where(xp.any(mask, axis=-1, keepdims=True), weights, 0 * weights) if cares else weights


def attention_with(choice):
    """Attention whose mask is done with this fill."""

    def attend(query, key, value, mask=None):
        scores = attention_scores(query, key)
        return (softmax(scores) if mask is None else weights_of(scores, mask, *choice)) @ value

    return attend


def functions_with(choice):
    """An answer to every exercise that is a function with a mask."""
    attend = attention_with(choice)

    def masked_softmax(scores, mask):
        return weights_of(scores, mask, *choice)

    def causal_attention(query, key, value):
        return attend(query, key, value, causal_mask(query.shape[-2], key.shape[-2]))

    def attention_head(x, w_query, w_key, w_value, mask=None):
        return attend(x @ w_query, x @ w_key, x @ w_value, mask)

    def multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask=None):
        heads = [attention_head(x, *matrices, mask) for matrices in zip(w_query, w_key, w_value)]
        return torch.cat(heads, dim=-1) @ w_output

    def multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
        each = (split_heads(x, heads) for x in (query @ w_query, key @ w_key, value @ w_value))
        return merge_heads(attend(*each, mask)) @ w_output

    def cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
        return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)

    return dict(locals(), masked_attention=attend)


def classes_with(choice):
    """An answer to every exercise that is a layer with a mask."""
    attend = attention_with(choice)

    class AttentionHead(nn.Module):
        def __init__(self, model_size, head_size):
            super().__init__()
            self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

        def forward(self, x, mask=None):
            return attend(self.query(x), self.key(x), self.value(x), mask)

    class MultiHeadAttention(nn.Module):
        def __init__(self, model_size, heads, bias=True, dropout=0.0):
            super().__init__()
            if model_size % heads:
                raise ValueError(f"model size {model_size} does not divide into {heads} heads")
            self.heads, self.dropout = heads, nn.Dropout(dropout)
            self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias) for _ in range(4))

        def forward(self, query, key=None, value=None, mask=None, return_weights=False):
            key = query if key is None else key
            value = key if value is None else value
            projected = self.query(query), self.key(key), self.value(value)
            query, key, value = (split_heads(x, self.heads) for x in projected)
            scores = attention_scores(query, key)
            weights = torch.softmax(scores, -1) if mask is None else weights_of(scores, mask, *choice)
            out = self.output(merge_heads(self.dropout(weights) @ value))
            return (out, weights) if return_weights else out

    class DecoderLayer(nn.Module):
        def __init__(self, model_size, heads, hidden_size, dropout=0.0):
            super().__init__()
            self.looks, self.reads = (MultiHeadAttention(model_size, heads, dropout=dropout) for _ in range(2))
            self.thinks = nn.Sequential(
                nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size)
            )
            self.norms, self.dropout = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3)), nn.Dropout(dropout)

        def forward(self, x, memory, self_mask=None, memory_mask=None):
            x = x + self.dropout(self.looks(self.norms[0](x), mask=self_mask))
            x = x + self.dropout(self.reads(self.norms[1](x), memory, mask=memory_mask))
            return x + self.dropout(self.thinks(self.norms[2](x)))

    return dict(AttentionHead=AttentionHead, MultiHeadAttention=MultiHeadAttention, DecoderLayer=DecoderLayer)


EXERCISES = (
    *("masked_softmax", "masked_attention", "causal_attention", "attention_head", "multi_head_by_loop"),
    *("multi_head_attention", "cross_attention", "AttentionHead", "MultiHeadAttention", "DecoderLayer"),
)
each_exercise = pytest.mark.parametrize("exercise", EXERCISES)


def answer(exercise, *choice):
    return (functions_with(choice) | classes_with(choice))[exercise]


def accepted(exercise, fills):
    """Return the ways in which such an answer is accepted: the fill, whether it is added, and care for dead rows."""
    ways = product(fills, (False, True), (True, False))
    return [way for way in ways if accepts(answer(exercise, *way), exercise)]


@each_exercise
def test_a_number_that_is_not_low_enough_is_rejected(exercise):
    """Put in or added, with or without care for rows whose keys are all blocked."""
    assert accepted(exercise, TOO_NEAR) == []


@pytest.mark.slow
@each_exercise
@pytest.mark.parametrize("fills", [FAR_ENOUGH[::4], *at_night([FAR_ENOUGH])], ids=["three", "all"])
def test_a_number_that_is_low_enough_is_right_if_dead_rows_get_zeros(exercise, fills):
    """The highest, the lowest, one between; causal attention has no dead rows: nothing has to be done for them."""
    care = (True, False) if exercise == "causal_attention" else (True,)
    assert accepted(exercise, fills) == list(product(fills, (False, True), care))


@pytest.mark.slow
@pytest.mark.parametrize("exercise", [EXERCISES[0], *at_night(EXERCISES[1:])])
@pytest.mark.parametrize("seed", [1, *at_night([2, 3])])
def test_the_line_is_the_same_for_every_seed(exercise, seed):
    """Just above it, and just below, put in and added."""
    for added in (False, True):
        assert not accepts(answer(exercise, -1e5, added, True), exercise, seed)
        assert accepts(answer(exercise, -1e6, added, True), exercise, seed)


def test_a_number_that_is_put_in_earns_a_remark_and_costs_nothing():
    """Scores of minus four billion would reach -1e9, and no number that is added."""
    verdict = judge(answer("masked_softmax", -1e9, False, True), "masked_softmax")
    assert verdict.right and verdict.score == 1 and "One thing for later" in verdict.message
    for other in ((-1e9, True, True), (-1e30, False, True)):
        assert judge(answer("masked_softmax", *other), "masked_softmax").message == "Right."


def test_the_page_says_where_the_line_is():
    """In the numbers that are tried here."""
    assert "| -1e5, or nearer to zero |" in PAGE and "| -1e6 or lower, such as -1e9 |" in PAGE


def blocks_with(fill, added):
    """An answer to `attention_in_blocks`: every query has a key to look at, though a whole block may be hidden."""

    def attention_in_blocks(query, key, value, block, causal=False):
        output, lse = torch.zeros(()), torch.full(query.shape[:-1], -torch.inf)
        places = torch.arange(key.shape[-2] - query.shape[-2], key.shape[-2])[:, None]
        number = torch.finfo(query.dtype).min if fill == SMALLEST else fill
        for start in range(0, key.shape[-2], block):
            scores = attention_scores(query, key[..., start : start + block, :])
            hidden = causal & (torch.arange(start, start + scores.shape[-1]) > places)
            scores = torch.where(hidden, scores + number if added else number, scores)
            part, old = scores.logsumexp(dim=-1), lse
            lse = torch.logaddexp(old, part)
            here = scores.softmax(dim=-1) @ value[..., start : start + block, :]
            output = (old - lse).exp()[..., None] * output + (part - lse).exp()[..., None] * here
        return output

    return attention_in_blocks


@pytest.mark.slow
@pytest.mark.parametrize("added", [False, True])
def test_blocks_have_the_same_line(added):
    """Where keys are read block by block, too."""
    fills = *TOO_NEAR, *FAR_ENOUGH
    right = [fill for fill in fills if accepts(blocks_with(fill, added), "attention_in_blocks")]
    assert right == list(FAR_ENOUGH)
