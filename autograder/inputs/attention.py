"""Lesson 02: queries, keys and values."""

from .cases import Case, case, edge, lengths, tidy
from .weights import LONG


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
    for x in (small, triple(batch)):
        yield edge("large", **x | dict(query=60 * x["query"], key=60 * x["key"]))
    yield edge("one_query", **triple(batch, queries=1))
    yield edge("long", **triple(queries=3, keys=LONG))


def causal(rng):
    """What causal attention is tried on."""
    yield from query_key_value(rng, causal=True)
