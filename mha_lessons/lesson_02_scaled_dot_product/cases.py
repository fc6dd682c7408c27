"""Queries, keys and values: what the functions of lesson 02 are tried on."""

import numpy as np

from autograder.cases import Case, case, edge, lengths, tidy
from mha_lessons.lesson_00_start_here.cases import LONG

from .fills import FAR

VERY_LONG = 1033  # more keys than there are in most tables of masks that are made once, for all calls


def query_key(rng):
    """Queries and keys, features at least 5 (so that a rounded root differs)."""
    for c in query_key_value(rng):
        yield Case({name: c.inputs[name] for name in ("query", "key")}, c.tag)


def query_key_value(rng, causal=False):
    """Queries, keys and values, all lengths different; causal: at least as many keys as queries."""
    queries, keys, carried, batch = lengths(rng, 4, least=3)
    features = 7 + int(rng.integers(3))
    if causal:
        queries, keys = sorted((queries, keys))

    def triple(*batch, queries=queries, keys=keys, features=features, carried=carried):
        return dict(
            query=rng.normal(size=(*batch, queries, features)),
            key=rng.normal(size=(*batch, keys, features)),
            value=rng.normal(size=(*batch, keys, carried)),
        )

    small = dict(query=tidy(rng, 2, 5), key=tidy(rng, 3, 5), value=tidy(rng, 3, 4))
    yield case(**small)
    yield case(**triple(2, queries=1, keys=3, features=5, carried=4))
    yield case(**triple())
    yield case(**triple(keys=queries, features=features + 5))
    yield case(**triple(batch))
    yield case(**triple(3, queries=3, keys=3, features=3, carried=3))
    yield case(**triple(2, 3))
    scores = rng.permuted([[0, 0, -8, -10.5]] * 4, axis=1)  # two best keys, and weights that are not quite 0
    yield edge("tie", query=2 * np.eye(4), key=scores.T, value=rng.normal(size=(4, 4)))
    yield edge("large", **small | dict(query=60 * small["query"], key=60 * small["key"]))
    yield edge("large", **loud(triple(batch)))
    yield edge("one_query", **triple(batch, queries=1))
    yield edge("long", **triple(queries=3, keys=VERY_LONG if causal else LONG))
    yield edge("one_token", **triple(batch, queries=1, keys=1, features=2, carried=1))


def loud(inputs):
    """Scores of a large size, larger from item to item: exp overflows in some places of the first."""
    factors = np.linspace(600, 3600, len(inputs["query"]))[:, None, None]
    return inputs | dict(query=factors * inputs["query"])


def causal(rng):
    """What causal attention is tried on: as many keys as queries, or more."""
    cases = list(query_key_value(rng, causal=True))
    yield from cases
    query, key, value = cases[0].inputs.values()
    yield edge("hidden_large", **a_tower(cases[0].inputs))
    yield edge("low", query=abs(query), key=-1e5 * abs(key), value=value)
    yield edge("low", **very_low(cases[0].inputs))
    yield edge("zero", **a_key_of_zeros(cases[0].inputs))


def a_tower(inputs):
    """The score of the future key is by far the largest, for every query."""
    query, key, value = inputs.values()
    first = np.arange(query.shape[-1]) == 0
    query = np.where(first, 1, query[:1] * [[0.5], [1], [1.5], [2]])
    tower = FAR * len(first) ** 0.5 * first[None]
    return dict(query=query, key=np.concatenate([key, tower]), value=np.concatenate([value, -value[:1]]))


def very_low(inputs):
    """All scores are equal, and far below zero."""
    features = inputs["key"].shape[-1]
    first = np.arange(features) == 0
    lowered = np.where(first, -FAR * features**0.5, 0 * inputs["key"])
    return inputs | dict(query=np.where(first, 1, inputs["query"]), key=lowered)


def a_key_of_zeros(inputs):
    """The first key is nothing but zeros, so its score is exactly 0, and still a score."""
    key = inputs["key"].copy()
    key[..., 0, :] = 0
    return inputs | dict(key=key)
