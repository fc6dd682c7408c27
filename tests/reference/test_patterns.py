"""What is claimed of heads: scores of made-up heads, a layer without one by torch's own pruning, texts that repeat."""

import numpy as np
import torch
from numpy.testing import assert_allclose
from oracles import previous_token_score as by_loops
from torch.nn.utils import prune

from mha_ref import (
    behind_copies,
    causal_mask,
    head_similarity,
    induction_score,
    merge_heads,
    previous_token_score,
    without_head,
)
from mha_ref.induction import SHORTEST, TOKENS, AttentionOnly, repeat_loss, repeated_rows

rng = np.random.default_rng(0)


def test_a_previous_token_head_scores_one():
    """Whatever the first query does; a head that looks at itself scores 0."""
    back, own = np.eye(5, k=-1), np.eye(5)
    back[0, 0] = 1
    assert_allclose(previous_token_score(np.stack([back, own])), [1, 0])


def test_the_mean_goes_over_all_leading_axes():
    """Layers and texts alike."""
    weights = rng.dirichlet(np.ones(4), size=(3, 5, 2, 4))
    assert_allclose(previous_token_score(weights), by_loops(weights))


def test_an_induction_head_scores_one():
    """It looks right behind the last copy, and at the first token where there is none."""
    tokens = np.array([[7, 2, 5, 7, 2, 2, 9]])
    weights = np.zeros((1, 1, 7, 7))
    for query, key in enumerate([0, 0, 0, 1, 2, 5, 0]):
        weights[0, 0, query, key] = 1
    assert_allclose(induction_score(weights, tokens), [1])


def test_a_key_behind_a_copy_is_never_in_the_future():
    """It may be the query's own."""
    tokens = rng.integers(3, size=(4, 9))
    assert not (behind_copies(tokens) & ~causal_mask(9, 9)).any()


def test_torch_prunes_the_same():
    """Zeros in the columns of an output layer, which lie in its rows here."""
    results, layer = torch.randn(2, 3, 5, 4), torch.nn.Linear(12, 7, bias=False)
    whole = layer.weight.detach().mT.clone()
    prune.custom_from_mask(layer, "weight", (torch.arange(12) // 4 != 1).expand(7, -1))
    with torch.no_grad():
        assert_allclose(without_head(results, whole, 1), layer(merge_heads(results)), atol=1e-6)


def test_torch_has_the_same_cosines():
    """Of flat patterns."""
    weights = torch.rand(4, 3, 5)
    flat = weights.flatten(1)
    theirs = torch.cosine_similarity(flat[:, None], flat[None], dim=-1)
    assert_allclose(head_similarity(weights), theirs, atol=1e-6)


def test_texts_repeat_at_a_distance_of_their_own():
    """What is known has a copy before it, whose successor is the same."""
    rows, known = repeated_rows(50, torch.Generator().manual_seed(0))
    assert rows.shape == known.shape == (50, TOKENS + 1)
    distances = set()
    for row, places in zip(rows.tolist(), known.tolist()):
        first = places.index(True) - 1  # the first token that is a copy, and so the length of the text
        distances.add(first)
        assert row[first:] == row[: TOKENS + 1 - first] and len(set(row[:first])) == first >= SHORTEST
    assert len(distances) > 5


def test_the_small_model_never_looks_ahead():
    """A later token changes no earlier logits."""
    torch.manual_seed(0)
    model, (rows, known) = AttentionOnly(), repeated_rows(2, torch.Generator().manual_seed(0))
    other = rows.clone()
    other[:, 20:] = 0
    with torch.no_grad():
        assert_allclose(model(rows[:, :-1])[:, :20], model(other[:, :-1])[:, :20], atol=1e-5)
        assert repeat_loss(model, rows, known) > 2
