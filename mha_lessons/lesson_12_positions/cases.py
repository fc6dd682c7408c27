"""Places, turns, biases and windows: what the functions of lesson 12 are tried on."""

import numpy as np

from autograder.cases import Case, case, double, edge, lengths, tidy
from mha_lessons.lesson_04_single_head.cases import single


def tokens_size(rng):
    """A number of places, and an even number of columns.

    Ordinary cases have few: there even wrong angles are so small that single precision has digits for them.
    """
    yield case(tokens=3, model_size=4)
    yield case(tokens=5, model_size=8)
    yield case(tokens=10, model_size=4)
    yield case(tokens=2, model_size=6)
    yield case(tokens=8, model_size=8)
    yield case(tokens=2, model_size=2)
    places, pairs = from_many(rng)
    yield edge("many_columns", tokens=places, model_size=10 + 2 * pairs)
    yield edge("one_token", tokens=1, model_size=6)
    yield edge("long", tokens=300, model_size=6)
    yield edge("very_long", tokens=5100, model_size=2)  # many tables end at 5,000 rows


def from_many(rng):
    """Draw two sizes from so many that no table of results holds them all."""
    return (int(n) for n in rng.integers(5, 40, size=2))


def turned(rng):
    """Tokens with an even number of columns, the places they have, and a base or none; in float32, as in a model."""
    tokens, pairs, batch, heads = lengths(rng, 4, least=2)

    def rotary(*shape, positions=None, **options):
        positions = np.arange(shape[-2]) if positions is None else np.array(positions)
        return single(dict(x=rng.normal(size=shape), positions=positions)) | options

    yield Case(single(dict(x=tidy(rng, 3, 4), positions=np.arange(3))))
    yield case(**rotary(tokens, 8))
    yield case(**rotary(batch, heads, tokens, 8))
    yield case(**rotary(8, 8, positions=[2, 3, 4, 5, 6, 7, 8, 9]))
    yield case(**rotary(2, 7, 8, positions=[7, 0, 11, 2, 5, 1, 1]))
    yield case(**rotary(3, 6, 4, positions=[5, 1, 1, 3, 0, 2]), base=100.0)
    yield case(**rotary(heads, tokens, 4), base=20.0)
    yield case(**rotary(2, 6, 2, positions=[1, 2, 6, 4, 3, 9]))
    yield edge("one_token", **rotary(2, 1, 6, positions=[9]))
    yield edge("origin", **rotary(2, 3, 4, positions=[0, 0, 0]))
    yield edge("far", **rotary(2, 3, 4, positions=[400, 250, 100]))
    one_pair = rotary(2, 3, 2, positions=[100_000, 5000, 2500])  # its angles are the places themselves
    yield edge("far", **double(one_pair))
    yield edge("many_columns", **rotary(tokens, 6 + 2 * pairs))


def heads_queries_keys(rng):
    """A power of two, and two sizes, never more queries than keys."""
    few, some, many = sorted(lengths(rng, 3))
    yield case(heads=2, queries=3, keys=3)
    yield case(heads=4, queries=few, keys=many)
    yield case(heads=8, queries=some, keys=many)
    yield case(heads=4, queries=4, keys=4)
    yield case(heads=2, queries=1, keys=many)
    queries, more = from_many(rng)
    yield case(heads=4, queries=queries, keys=queries + more)
    yield edge("one_head", heads=1, queries=2, keys=3)
    yield edge("many_heads", heads=16, queries=3, keys=4)


def without_the_future(result, heads, queries, keys):
    """Return zeros where the key comes after the query: anything may stand there."""
    if result.shape != (heads, queries, keys):
        return result
    return np.where(np.tri(queries, keys, keys - queries, dtype=bool), result, np.zeros((), result.dtype))


def in_single_precision(result, **sizes):
    """Return no more digits than single precision has, since no input says how many are wanted."""
    return result.astype(np.float32) if result.dtype == np.float64 else result


def sizes_window(rng):
    """Two sizes, never more queries than keys, and a window."""
    few, some, many = sorted(lengths(rng, 3, least=3))
    yield case(queries=4, keys=4, window=2)
    yield case(queries=few, keys=many, window=2)
    yield case(queries=some, keys=many + 3, window=3)
    yield case(queries=many + 2, keys=many + 2, window=4)
    yield case(queries=1, keys=many, window=3)
    queries, more = from_many(rng)
    yield case(queries=queries, keys=queries + more, window=4)
    yield edge("narrow", queries=3, keys=4, window=1)
    yield edge("wide", queries=3, keys=5, window=5)
    yield edge("wide", queries=4, keys=4, window=9)
    yield edge("long", queries=300, keys=300, window=200)
