"""Patterns, texts and results of heads: what the functions of lesson 10 are tried on."""

import numpy as np

from autograder.cases import case, edge, lengths
from mha_ref import causal_mask, masked_softmax, softmax


def pattern(rng, *shape, causal=True):
    """Draw what heads look at: every row sums to 1."""
    scores = 1.5 * rng.normal(size=shape)
    return masked_softmax(scores, causal_mask(*shape[-2:])) if causal else softmax(scores)


def patterns(rng):
    """Patterns of several heads, alone, for a batch of texts, and for a batch in each of several layers."""
    heads, batch, layers = lengths(rng, 3, least=2)
    tokens = 6
    yield case(weights=pattern(rng, 2, 3, 3))
    yield case(weights=pattern(rng, heads, tokens, tokens))
    yield case(weights=pattern(rng, batch, heads, tokens, tokens))
    yield case(weights=pattern(rng, batch, heads, tokens + 2, tokens + 2, causal=False))
    yield case(weights=pattern(rng, layers, batch, heads, 5, 5))
    yield case(weights=pattern(rng, 5, 5, 5, 5))
    yield edge("one_head", weights=pattern(rng, batch, 1, 5, 5))
    yield edge("batch_of_one", weights=pattern(rng, 1, heads, 5, 5))
    yield edge("two_tokens", weights=pattern(rng, batch, heads, 2, 2))
    yield edge("long", weights=pattern(rng, 2, 2, 150, 150))


def texts(rng, batch, tokens, kinds):
    """Draw texts of a few kinds of tokens, so that many come twice or more often."""
    return rng.integers(kinds, size=(batch, tokens))


def patterns_tokens(rng):
    """Patterns, and the texts that they are about: in each some token comes twice."""
    heads, batch, kinds = lengths(rng, 3, least=3)

    def drawn(batch, heads, tokens, kinds=4, causal=True):
        said = texts(rng, batch, tokens, kinds)
        said[:, tokens // 2] = said[:, 0]
        return dict(weights=pattern(rng, batch, heads, tokens, tokens, causal=causal), tokens=said)

    yield case(weights=pattern(rng, 1, 2, 4, 4), tokens=np.array([[5, 8, 5, 8]]))
    yield case(weights=pattern(rng, 2, 3, 5, 5), tokens=np.array([[4, 4, 9, 4, 9], [1, 7, 3, 1, 2]]))
    yield case(**drawn(batch, heads, 9, kinds))
    yield case(**drawn(heads, batch, 8, kinds + 2))
    yield case(**drawn(batch, 2, 7))
    yield case(**drawn(7, 7, 7))
    yield case(**drawn(batch, heads, 10, causal=False))
    yield edge("one_head", **drawn(batch, 1, 8))
    yield edge("batch_of_one", **drawn(1, heads, 8))
    single = drawn(batch, heads, 6)
    single["tokens"][0] = np.arange(10, 16)
    yield edge("no_twins", **single)
    yield edge("long", **drawn(2, 2, 150, kinds=90))


def results_of_heads(rng):
    """What heads hand on, an output matrix, and the head to take out."""
    heads, batch, size = lengths(rng, 3, least=3)

    def layer(batch, heads, tokens, size, head, model_size=None):
        rows = heads * size
        return dict(
            results=rng.normal(size=(batch, heads, tokens, size)),
            w_output=rng.normal(size=(rows, model_size or rows)) / rows**0.5,
            head=head,
        )

    yield case(**layer(1, 2, 3, 2, 1))
    yield case(**layer(batch, heads, 6, size, 1))
    yield case(**layer(batch, heads, 7, size, 2, model_size=11))
    yield case(**layer(2, 6, 4, 5, 3))
    yield case(**layer(4, 4, 4, 4, 1))
    yield case(**layer(3, 5, 6, 4, 2, model_size=7))
    yield edge("first_head", **layer(batch, heads, 6, size, 0))
    yield edge("last_head", **layer(batch, heads, 6, size, heads - 1))
    yield edge("one_head", **layer(batch, 1, 5, size, 0))
    yield edge("one_token", **layer(batch, heads, 1, size, 1))
    yield edge("batch_of_one", **layer(1, heads, 5, size, 1))


def patterns_of_one_text(rng):
    """Patterns of several heads for one text; queries and keys may be of two texts."""
    heads, queries, keys = lengths(rng, 3, least=3)
    yield case(weights=pattern(rng, 2, 3, 3))
    yield case(weights=pattern(rng, heads, queries + 3, queries + 3))
    yield case(weights=pattern(rng, heads, queries + 4, keys, causal=False))
    yield case(weights=pattern(rng, 5, 5, 5))
    yield case(weights=pattern(rng, 6, 4, 7, causal=False))
    yield edge("one_head", weights=pattern(rng, 1, 4, 5))
    yield edge("one_query", weights=pattern(rng, heads, 1, 6))
    yield edge("long", weights=pattern(rng, 3, 101, 20, causal=False))
