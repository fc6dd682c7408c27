"""What is claimed of positions: turns know distance alone, two conventions differ by a permutation, models use them."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from mha_ref import alibi_bias, apply_rotary, causal_mask, sinusoidal_positions, window_mask
from mha_ref.layer import MultiHeadAttention
from mha_ref.positions_model import PlacedModel, loss_by_place

VOCABULARY = 11
tokens = torch.randint(VOCABULARY, (600,), generator=torch.Generator().manual_seed(0))


def vectors(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


def test_scores_of_turned_vectors_depend_on_distance_alone():
    """Far from the start as well, in float64."""
    query, key = vectors(2, 1, 16)
    for distance in (0, 3, -7):
        here, there = (
            apply_rotary(query, torch.tensor([place])) @ apply_rotary(key, torch.tensor([place - distance])).T
            for place in (10, 1000)
        )
        assert_allclose(here, there, atol=1e-9)


def test_the_vector_of_a_later_place_is_turned():
    """From each place to three places on it is one and the same turn, whatever the place."""
    points = sinusoidal_positions(20, 8).reshape(20, 4, 2)[..., ::-1].reshape(20, 8)  # cosine first: points on circles
    assert_allclose(apply_rotary(points, np.full(20, 3))[:-3], points[3:], atol=1e-12)


def test_the_library_transformers_pairs_halves():
    """The permutation of the lesson turns one convention into the other."""
    llama = pytest.importorskip("transformers.models.llama.modeling_llama")
    x, places = vectors(2, 4, 10, 6).float(), torch.arange(10)
    rotary = llama.LlamaRotaryEmbedding(llama.LlamaConfig(hidden_size=24, num_attention_heads=4))
    theirs, _ = llama.apply_rotary_pos_emb(x, x, *rotary(x, places[None]))
    order = torch.arange(6).view(2, 3).T.flatten()
    assert_allclose(theirs[..., order], apply_rotary(x[..., order], places), atol=1e-6)


def test_attention_is_equivariant_without_a_causal_mask():
    """Shuffled in, shuffled out; under the mask, not."""
    torch.manual_seed(0)
    layer, x, order = MultiHeadAttention(6, heads=2), vectors(1, 6, 6).float(), [3, 0, 5, 1, 4, 2]
    mask = causal_mask(6, 6, like=x)
    with torch.no_grad():
        assert_allclose(layer(x)[:, order], layer(x[:, order]), atol=1e-6)
        assert (layer(x, mask=mask)[:, order] - layer(x[:, order], mask=mask)).abs().max() > 0.1


WAYS = {
    "none": {},
    "learned": dict(learned=True),
    "added": dict(vectors=lambda tokens, size: sinusoidal_positions(tokens, size, like=torch.empty(0))),
    "turned": dict(turn=apply_rotary),
    "biased": dict(bias=lambda *sizes: alibi_bias(*sizes, like=torch.empty(0))),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_model_never_looks_ahead(way):
    """Whatever it knows of places: a later token changes no earlier logits, and some later ones."""
    torch.manual_seed(0)
    model, text = PlacedModel(VOCABULARY, **WAYS[way]), tokens[None, :20]
    other = text.clone()
    other[0, 12] = (other[0, 12] + 1) % VOCABULARY
    with torch.no_grad():
        moved = (model(text) - model(other)).abs().amax(dim=-1)[0]
    assert moved[:12].max() < 1e-5 < moved[12:].min()


def test_a_window_hides_what_is_far():
    """In two layers the reach of both adds up: two windows of 4 reach six places back, and no farther."""
    torch.manual_seed(0)
    model, text = PlacedModel(VOCABULARY, turn=apply_rotary), tokens[None, :20]
    model.sees = lambda queries, keys: window_mask(queries, keys, 4, like=torch.empty(0))
    other = text.clone()
    other[0, 5] = (other[0, 5] + 1) % VOCABULARY
    with torch.no_grad():
        moved = (model(text) - model(other)).abs().amax(dim=-1)[0]
    assert moved[5:12].min() > 1e-7 and moved[12:].max() < 1e-6


def test_the_loss_at_each_place_is_the_mean_over_texts():
    """Cut into texts of a length, whatever is left over."""
    torch.manual_seed(0)
    model = PlacedModel(VOCABULARY)
    losses = loss_by_place(model, tokens, 64, rows=2)
    with torch.no_grad():
        logs = [model(tokens[None, start : start + 64]).log_softmax(-1)[0] for start in range(0, 585, 65)]
    answers = [tokens[start + 1 : start + 65] for start in range(0, 585, 65)]
    expected = -torch.stack([row[range(64), answer] for row, answer in zip(logs, answers, strict=True)]).mean(dim=0)
    assert_allclose(losses, expected, atol=1e-5)
