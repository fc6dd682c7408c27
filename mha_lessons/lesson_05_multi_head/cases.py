"""Several heads: what the functions of lesson 05 are tried on, and sizes to count parameters with."""

import numpy as np

from autograder.cases import case, edge, lengths
from mha_lessons.lesson_03_masks.cases import some_allowed
from mha_lessons.lesson_04_single_head.cases import OPEN_ROW, at_the_edges, single, weights, with_a_zero


def model_heads(rng):
    """Model sizes and heads, with and without biases, and head sizes that are no equal share."""
    heads, share = int(rng.integers(2, 5)), int(rng.integers(5, 9))
    yield case(model_size=6, heads=2)
    yield case(model_size=6, heads=2, bias=False)
    yield case(model_size=heads * share, heads=heads)
    yield case(model_size=10, heads=2, bias=False, head_size=3, value_size=4)
    yield case(model_size=10, heads=2, head_size=7, value_size=4)
    yield case(model_size=10, heads=2, head_size=3, value_size=3)
    yield case(model_size=20, heads=2, head_size=3)
    yield case(model_size=20, heads=2, value_size=3)
    yield case(model_size=heads * share, heads=heads, bias=False, head_size=share + 2)
    yield case(model_size=heads * share, heads=heads, bias=False, value_size=share + 2)
    yield case(model_size=512, heads=8)
    heads, share, head_size, value_size = (int(n) for n in rng.integers(5, 60, size=4))
    yield case(model_size=heads * share, heads=heads, head_size=head_size, value_size=value_size)
    yield case(model_size=heads * share, heads=heads, bias=False)
    yield edge("one_head", model_size=7, heads=1)
    yield edge("indivisible", model_size=10, heads=3)
    yield edge("indivisible", model_size=10, heads=4, bias=False)
    yield edge("indivisible", model_size=10, heads=3, head_size=4)
    yield edge("indivisible", model_size=10, heads=3, value_size=4)
    yield edge("indivisible", model_size=10, heads=3, head_size=5, value_size=4)


PROJECTIONS = ("query", "key", "value", "output")


def per_head(rng):
    """Self-attention with weights stacked head by head; three heads, so that two are not all."""
    tokens, model, size, batch = lengths(rng, 4, least=3)
    size, model = size + 3, model + 4

    def several(*batch, tokens=tokens, model=model, heads=3, size=size):
        each = {f"w_{name}": weights(rng, heads, model, size) for name in PROJECTIONS[:3]}
        return single(
            dict(x=rng.normal(size=(*batch, tokens, model))) | each | dict(w_output=weights(rng, heads * size, model))
        )

    yield case(**several(tokens=3, model=4, heads=2, size=2))
    yield case(**several(), mask=some_allowed(rng, tokens, tokens))
    yield case(**several(batch))
    yield case(**several(batch, heads=2, size=size - 1), mask=some_allowed(rng, tokens, tokens))
    yield case(**several(batch), mask=some_allowed(rng, batch, 1, tokens))
    yield case(**several(3, tokens=3, model=9, heads=3, size=3))
    yield case(**several(3), mask=some_allowed(rng, 3, tokens, tokens))  # as many texts as heads
    yield edge("open_row", **with_a_zero(several(tokens=3, model=3, heads=2, size=3), "x"), mask=OPEN_ROW)
    yield edge("one_head", **several(batch, heads=1))
    yield edge("batch_of_one", **several(1))
    yield from at_the_edges(rng, several(batch), "x", (batch, tokens, tokens))
    yield edge("dead_row", **several(), mask=np.tri(tokens, k=-1, dtype=bool))
    yield case(**several(2, batch), mask=some_allowed(rng, 2, 1, tokens, tokens))
