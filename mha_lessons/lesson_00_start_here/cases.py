"""What the weighted mean is tried on."""

import numpy as np

from autograder.cases import case, edge, lengths, tidy

LONG = 37  # a row of more numbers than one writes down; a prime number, so that no block size divides it


def means(rng):
    """Weights whose rows sum to 1, and values."""
    queries, keys, features, batch, _ = lengths(rng, 5)

    def pair(*batch, queries=queries, keys=keys, features=features):
        weights = rng.random((*batch, queries, keys)) + 0.1
        return dict(
            weights=weights / weights.sum(axis=-1, keepdims=True),
            values=rng.normal(size=(*batch, keys, features)),
        )

    shares = np.array([[0.5, 0.375, 0.125], [0.125, 0.25, 0.625]])
    yield case(weights=rng.permutation(shares.T).T, values=tidy(rng, 3, 4))
    yield case(**pair())
    yield case(**pair(queries=3, keys=3, features=3))
    yield case(**pair(2, queries=1, keys=3, features=2))
    yield case(**pair(3, queries=3, keys=3, features=3))
    yield case(**pair(batch))
    yield case(**pair(2, 3, queries=5, keys=4))
    yield case(**pair(queries=4, keys=7))  # whatever the seed draws, more keys than two blocks of three hold
    yield edge("one_query", **pair(batch, queries=1))
    spread = rng.random((3, LONG)) ** 6 + 1e-4  # most of the weights are small
    yield edge("long", weights=spread / spread.sum(axis=-1, keepdims=True), values=rng.normal(size=(LONG, 2)))
