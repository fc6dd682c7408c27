"""The layer and the snippet that articles write in torch: with their weights, ours says the same."""

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from mha_ref import causal_mask, masked_attention, multi_head_attention, padding_mask, split_heads, to_allowed
from mha_ref.layer import MultiHeadAttention

from .test_layer import BATCH, HEADS, MODEL_SIZE, QUERIES, draw, drawn, x

HEAD_SIZE = MODEL_SIZE // HEADS
causal, padding = causal_mask(QUERIES, QUERIES, like=x), padding_mask(torch.tensor([2, QUERIES]), QUERIES)
some = draw(BATCH, HEADS, QUERIES, QUERIES) > 0
some[..., 0] = True  # where nothing is allowed, theirs is NaN


class SelfAttention(nn.Module):
    """The layer that articles write: four projections, `view` and `transpose`, 0 in a mask of any type blocks."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads, self.head_dim = num_heads, embed_dim // num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(embed_dim, embed_dim))

    def split(self, projected):
        return projected.view(*projected.shape[:2], self.heads, self.head_dim).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = (self.split(layer(x)) for layer in (self.q_proj, self.k_proj, self.v_proj))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(x.shape)), weights


def pair():
    """An article's layer, and ours with its weights."""
    theirs, layer = drawn(SelfAttention(MODEL_SIZE, HEADS)), MultiHeadAttention(MODEL_SIZE, HEADS).double()
    layer.load_state_dict(dict(zip(layer.state_dict(), theirs.state_dict().values(), strict=True)))
    return theirs, layer


@pytest.mark.parametrize(
    "mask",
    [
        pytest.param(None, id="none"),
        pytest.param(causal, id="T_T"),
        pytest.param(causal[None, None], id="1_1_T_T"),
        pytest.param(padding, id="B_1_1_T"),
        pytest.param(causal & padding, id="B_1_T_T"),
        pytest.param(some, id="B_H_T_T"),
        pytest.param(causal.double(), id="numbers"),
    ],
)
def test_the_layer_of_articles(mask):
    """Output and every head's weights, to 1e-12, for masks of every shape; numbers mean: not 0 may look."""
    theirs, layer = pair()
    allowed = mask if mask is None else to_allowed(mask != 0, "allowed")
    assert_close(layer(x, mask=allowed, return_weights=True), theirs(x, mask), rtol=0, atol=1e-12)


def test_the_layer_of_articles_where_nothing_is_allowed():
    """Theirs is NaN; ours is the bias of the output layer."""
    theirs, layer = pair()
    nothing = torch.zeros(1, 1, dtype=torch.bool)
    assert theirs(x, nothing)[0].isnan().all()
    assert_close(layer(x, mask=nothing), layer.output.bias.expand_as(x))


def test_the_snippet_without_a_batch():
    """`view(n, h, d_k).transpose(0, 1)`, then one product for all heads: to 1e-12 the batched function on one item."""
    tokens, (w_q, w_k, w_v, w_o) = x[0], draw(4, MODEL_SIZE, MODEL_SIZE)
    q, k, v = ((tokens @ w).view(QUERIES, HEADS, HEAD_SIZE).transpose(0, 1) for w in (w_q, w_k, w_v))
    weights = torch.softmax(q @ k.transpose(-2, -1) / HEAD_SIZE**0.5, dim=-1)
    out = (weights @ v).transpose(0, 1).reshape(QUERIES, MODEL_SIZE) @ w_o
    one = x[:1]
    assert_close(multi_head_attention(one, one, one, w_q, w_k, w_v, w_o, HEADS)[0], out, rtol=1e-12, atol=1e-12)


def test_a_view_without_transpose_is_silent_and_wrong():
    """`view(B, H, T, d_k)` has the shape of heads, but mixes tokens; with heads before the batch nothing is wrong."""
    right = split_heads(x, HEADS)
    wrong = x.view(BATCH, HEADS, QUERIES, HEAD_SIZE)
    assert wrong.shape == right.shape and not torch.allclose(wrong, right)
    heads_first = right.transpose(0, 1)
    assert_close(masked_attention(*[heads_first] * 3).transpose(0, 1), masked_attention(*[right] * 3))
