"""Cases: what an answer is tried on.

Each function takes a NumPy Generator and yields cases, smallest first.
Ordinary cases give every axis a different length, so that no mix-up of axes goes unseen;
one has all lengths equal, so that code which mixes up axes runs there and can be recognised.
Edge cases carry a tag.
"""

from dataclasses import dataclass

import numpy as np

EDGES = {  # tag -> where that is, in the learner's words
    "large": "only with scores of a very large size",
    "low": "only with scores far below zero",
    "spread": "only when one row's scores are far from another's",
    "gap": "only when one score is far above the others of its row",
    "pit": "only when one score is far below the others of its row",
    "half": "only in float16",
    "dead_row": "only where a query may look at nothing",
    "hidden_large": "only when a hidden key has the largest score",
    "one_query": "only with a single query",
    "more_queries": "only with more queries than keys",
    "empty": "only with a length of zero",
    "too_long": "only when a length does not fit",
    "none": "only where a mask is None",
    "cold": "only at a low temperature",
    "hot": "only at a high temperature",
}


@dataclass(frozen=True, eq=False)
class Case:
    """Keyword inputs of one try; tag: which edge it is, "" for an ordinary one."""

    inputs: dict
    tag: str = ""


def case(**inputs):
    return Case(inputs)


def edge(tag, **inputs):
    return Case(inputs, tag)


def lengths(rng, count, least=2):
    """So many different lengths."""
    return [int(n) for n in rng.permutation(count) + least]


def tidy(rng, *shape):
    """Numbers for the smallest cases, easy to follow by head: all different, of both signs, none of them 0."""
    count = int(np.prod(shape))
    steps = (np.arange(count) // 2 + 1) * (-1) ** np.arange(count)
    spacing = 0.5 if count <= 8 else 0.25 if count <= 16 else 0.125
    return rng.permutation(steps).reshape(shape) * spacing


def some_allowed(rng, *shape):
    """A random mask: in every row one key is hidden and two are not, and neighbours hide different ones.

    (One allowed key alone would have weight 1 whatever its score.)
    """
    mask = rng.random(shape) < 0.5
    hidden = (sum(np.indices(shape)[:-1]) + rng.integers(shape[-1]))[..., :1] % shape[-1]
    for step, allowed in enumerate((False, True, True)[: shape[-1]]):
        np.put_along_axis(mask, (hidden + step) % shape[-1], allowed, axis=-1)
    return mask


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
    yield case(**pair(2, 3))
    yield edge("one_query", **pair(batch, queries=1))


def scores(rng, **more):
    """Scores with an axis to sum over."""
    rows, columns, batch = lengths(rng, 3)
    yield case(scores=tidy(rng, 3), **more)
    yield case(scores=tidy(rng, 2, 3), **more)
    yield case(scores=tidy(rng, 2, 3), axis=0, **more)
    yield case(scores=rng.normal(size=columns), **more)
    yield case(scores=-3.0 * rng.permutation(4), **more)
    yield case(scores=rng.normal(size=(rows, columns)), **more)
    yield case(scores=rng.normal(size=(rows, columns)), axis=0, **more)
    yield case(scores=rng.normal(size=(batch, rows, columns)), **more)
    yield case(scores=rng.normal(size=(batch, rows, columns)), axis=1, **more)
    yield case(scores=rng.normal(size=(3, 3)), **more)
    yield edge("large", scores=tidy(rng, 2, 3) + 1000, **more)
    yield edge("low", scores=tidy(rng, 2, 3) - 1000, **more)
    yield edge("spread", scores=rng.normal(size=(2, columns)) + np.array([[0.0], [2000.0]]), **more)
    yield edge("gap", scores=rng.normal(size=(2, columns)) + 2000.0 * (np.arange(columns) == 1), **more)
    yield edge("pit", scores=rng.normal(size=(2, columns)) - 1000.0 * (np.arange(columns) == 1), **more)
    yield edge("half", scores=(tidy(rng, 2, 3) + 12).astype(np.float16), **more)


def scores_temperature(rng):
    """Scores and a temperature: each ordinary case its own, edges with a low and a high one."""
    for n, c in enumerate(scores(rng)):
        for temperature in (0.25, 3.0) if c.tag else ((0.5, 3.0, 1.7, 0.25)[n % 4],):
            yield Case(c.inputs | dict(temperature=temperature), c.tag)
    yield edge("cold", scores=tidy(rng, 2, 3), temperature=1e-4)
    yield edge("hot", scores=tidy(rng, 2, 3), temperature=1e3)


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
    yield case(**triple(keys=queries))
    yield case(**triple(batch))
    yield case(**triple(3, queries=3, keys=3, features=3, carried=3))
    yield case(**triple(2, 3))
    for x in (small, triple(batch)):
        yield edge("large", **x | dict(query=60 * x["query"], key=60 * x["key"]))
    yield edge("one_query", **triple(batch, queries=1))


def causal(rng):
    """What causal attention is tried on."""
    yield from query_key_value(rng, causal=True)


def scores_mask(rng):
    """Scores and a mask that broadcasts to them."""
    queries, keys, batch, heads, _ = lengths(rng, 5, least=3)
    yield case(scores=tidy(rng, 2, 3), mask=some_allowed(rng, 2, 3))
    yield case(scores=rng.normal(size=(2, 2, 3)), mask=some_allowed(rng, 2, 3))
    yield case(scores=rng.normal(size=(queries, keys)), mask=some_allowed(rng, queries, keys))
    yield case(scores=rng.normal(size=(batch, queries, keys)), mask=some_allowed(rng, queries, keys))
    yield case(scores=rng.normal(size=(batch, heads, queries, keys)), mask=some_allowed(rng, batch, 1, 1, keys))
    yield case(scores=rng.normal(size=(3, 3)), mask=some_allowed(rng, 3, 3))
    for tag, amount in (("large", 1000), ("low", -100_000)):
        yield edge(tag, scores=tidy(rng, 2, 3) + amount, mask=some_allowed(rng, 2, 3))
    apart = rng.normal(size=(2, 4)) + np.array([[0.0], [2000.0]])
    yield edge("spread", scores=apart, mask=some_allowed(rng, 2, 4))
    yield edge("hidden_large", scores=rng.normal(size=(2, 4)) + [0, 0, 0, 3e5], mask=np.arange(4) < [[3], [2]])
    mask = some_allowed(rng, 2, 3)
    mask[0] = False
    yield edge("dead_row", scores=tidy(rng, 2, 3), mask=mask)


def sizes(rng):
    """Two sizes, never more queries than keys first, then the other way round."""
    few, some, many = sorted(lengths(rng, 3))
    yield case(queries=3, keys=3)
    yield case(queries=few, keys=many)
    yield case(queries=some, keys=many)
    yield case(queries=1, keys=some)
    yield edge("more_queries", queries=many + 2, keys=some)


def lengths_keys(rng):
    """The lengths of a batch of sequences, and the number of keys they are padded to."""
    yield case(lengths=np.array([2, 1, 3]), keys=4)
    yield case(lengths=np.array([1, 5]), keys=5)
    yield case(lengths=rng.integers(1, 4, size=3), keys=3)
    yield edge("empty", lengths=np.array([0, 2]), keys=3)
    yield edge("too_long", lengths=np.array([1, 4]), keys=3)
    yield edge("too_long", lengths=np.array([5, 2]), keys=3)


def two_masks(rng):
    """Two masks that broadcast to each other, either of which may be None."""
    queries, keys, batch = lengths(rng, 3, least=3)
    first, second = some_allowed(rng, queries, keys), rng.random((queries, keys)) < 0.5
    second[0], first[0] = [True] + [False] * (keys - 1), [True] * (keys - 1) + [False]
    second[1], first[1] = [False] * keys, [True] * (keys - 1) + [False]
    padding = some_allowed(rng, batch, 1, 1, keys)
    yield case(first=first, second=second)
    yield case(first=first, second=padding)
    yield case(first=padding, second=first)
    yield edge("none", first=None, second=padding)
    yield edge("none", first=first, second=None)
    yield edge("none", first=None, second=None)


def query_key_value_mask(rng):
    """Attention with and without a mask."""
    plain = [c.inputs for c in query_key_value(rng) if not c.tag]
    small, _, some, square, _, equal, batched = plain
    for x in plain:
        yield case(**x, mask=some_allowed(rng, x["query"].shape[-2], x["key"].shape[-2]))
    for x in (some, square, equal):
        yield case(**x)
    yield case(**batched, mask=some_allowed(rng, 2, 1, 1, batched["key"].shape[-2]))
    for x in (small, batched):
        yield edge("large", **x | dict(query=60 * x["query"], key=60 * x["key"]), mask=np.array([[True]]))
    towering = np.where(np.arange(3)[:, None] == 0, 1e4 * small["query"][:1], small["key"])
    yield edge("hidden_large", **small | dict(key=towering), mask=np.array([[False, True, True]]))
    opposed = dict(query=np.abs(small["query"]), key=-1e5 * np.abs(small["key"]))
    yield edge("low", **small | opposed, mask=some_allowed(rng, 2, 3))
    for x in (small, batched):
        mask = some_allowed(rng, x["query"].shape[-2], x["key"].shape[-2])
        mask[-1] = False
        yield edge("dead_row", **x, mask=mask)
