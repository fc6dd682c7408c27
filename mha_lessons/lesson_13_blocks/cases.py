"""Scores, parts and blocks: what the functions of lesson 13 are tried on."""

import numpy as np

from autograder.cases import case, double, edge, lengths, tidy
from mha_lessons.lesson_02_scaled_dot_product.fills import FAR
from mha_lessons.lesson_04_single_head.cases import single

TABLE = 1000  # so many scores, and an answer is asked not to hold them all
MANY = 40  # so many blocks are more than what attention to all keys takes in tensors
GAP = 64  # between scores far from zero, so that single precision, too, has digits for their differences


def scores_axis(rng):
    """Scores, with an axis or none; far from zero, and minus infinity."""
    batch, rows, columns = lengths(rng, 3, least=3)

    def drawn(*shape, far=0.0, spread=1.5):
        return single(dict(scores=far + spread * rng.normal(size=shape)))

    yield case(**single(dict(scores=tidy(rng, 2, 3))))
    yield case(**drawn(columns))
    yield case(**drawn(rows, columns))
    yield case(**drawn(rows, columns), axis=0)
    yield case(**drawn(batch, rows, columns))
    yield case(**drawn(batch, rows, columns), axis=1)
    yield case(**drawn(batch, rows, columns), axis=-2)
    yield case(**drawn(3, 3))
    yield edge("one_query", **drawn(rows, 1, columns))
    yield edge("large", **drawn(2, 5, far=300))
    yield edge("low", **drawn(2, 5, far=-300))
    yield edge("spread", **single(dict(scores=rng.normal(size=(3, 4)) + np.array([[-400.0], [0.0], [400.0]]))))
    yield edge("large", **double(drawn(2, 3, far=FAR)))
    yield edge("low", **double(drawn(2, 3, far=-FAR)))
    yield edge("some_minus_infinity", scores=np.array([[1.0, -np.inf, 2.0], [-np.inf, -np.inf, -0.5]]))
    yield edge("all_minus_infinity", scores=np.array([[1.0, -np.inf, 2.0], [-np.inf] * 3]))


def two_parts(rng):
    """Two outputs with their log-sum-exp; in edge cases one part or both are empty."""
    batch, heads, queries, features = lengths(rng, 4, least=2)
    features += 3

    def parts(*lead, features=features, far=0.0):
        outputs = {f"output_{name}": rng.normal(size=(*lead, features)) for name in "ab"}
        lses = {f"lse_{name}": far + rng.normal(size=lead) for name in "ab"}
        given = outputs | lses
        return single({name: given[name] for name in ("output_a", "lse_a", "output_b", "lse_b")})

    small = dict(output_a=tidy(rng, 2, 3), lse_a=np.array([0.5, -1.0]), output_b=tidy(rng, 2, 3))
    yield case(**single(small | dict(lse_b=np.array([1.5, 0.25]))))
    yield case(**parts(queries))
    yield case(**parts(batch, queries))
    yield case(**parts(batch, heads, queries))
    yield case(**parts(3, features=3))
    yield edge("one_query", **parts(1))
    yield edge("large", **parts(3, far=300))
    yield edge("low", **parts(3, far=-300))
    yield edge("spread", **apart(parts(3), np.array([-300.0, 0.0, 300.0])))
    yield edge("large", **far_from_zero(parts(3), FAR))
    yield edge("low", **far_from_zero(parts(3), -FAR))
    first, second, both = parts(3), parts(3), parts(2, 3)
    yield edge("one_empty", **emptied(first, ("a",), 1))
    yield edge("one_empty", **emptied(second, ("b",), 0))
    yield edge("both_empty", **emptied(both, ("a", "b"), 2))
    yield edge("nan_in_empty", **emptied(parts(3), ("a",), 1, np.nan))
    yield edge("nan_in_empty", **emptied(parts(3), ("b",), 2, np.nan))
    yield edge("both_empty", **emptied(emptied(parts(3), ("a",), 1, 1.5), ("b",), 1, 2.5))
    yield edge("both_empty", **emptied(parts(3), ("a", "b"), 0, np.nan))


def apart(inputs, far):
    """The same parts, with scores that are far from those of other queries."""
    return single(inputs | {name: inputs[name] + far for name in ("lse_a", "lse_b")})


def far_from_zero(inputs, far):
    """The same parts, with scores that are all far from zero; in turns one part is far above the other."""
    above = GAP * (-1) ** np.arange(len(inputs["lse_a"]))
    return double(inputs | dict(lse_a=far + above, lse_b=far - above))


def emptied(inputs, names, query, output=0.0):
    """The same parts, some of them empty for one query."""
    inputs = {name: x.copy() for name, x in inputs.items()}
    for name in names:
        inputs[f"lse_{name}"][..., query] = -np.inf
        inputs[f"output_{name}"][..., query, :] = output
    return inputs


def sequences_block(rng):
    """Queries, keys and values, never more queries than keys, and blocks that fit or leave a rest."""
    batch, heads, queries, features, carried = lengths(rng, 5, least=3)
    features, keys = features + 3, queries + 3

    def drawn(*lead, queries=queries, keys=keys, features=features, carried=carried, size=1.0):
        shapes = dict(query=(*lead, queries, features), key=(*lead, keys, features), value=(*lead, keys, carried))
        return single({name: size * rng.normal(size=shape) for name, shape in shapes.items()})

    yield case(**single(dict(query=tidy(rng, 2, 5), key=tidy(rng, 4, 5), value=tidy(rng, 4, 3))), block=2)
    yield case(**drawn(), block=2)
    yield case(**drawn(keys=10), block=4)
    yield case(**drawn(queries=7, keys=7), block=3, causal=True)  # some blocks are hidden from some queries
    yield case(**drawn(keys=11), block=4, causal=True)
    yield case(**drawn(batch, features=7), block=3)
    yield case(**drawn(batch, heads, keys=queries + 5, features=13), block=3, causal=True)
    yield case(**drawn(queries=6, keys=6, features=6, carried=6), block=4)
    yield case(**drawn(queries=62, keys=64, features=5, carried=6), block=9)
    yield case(**drawn(queries=64, keys=64, features=5, carried=6), block=9, causal=True)
    yield edge("one_block", **drawn(), block=keys)
    yield edge("one_block", **drawn(), block=keys + 9, causal=True)
    yield edge("single_keys", **drawn(), block=1)
    yield edge("single_keys", **drawn(), block=1, causal=True)
    yield edge("one_query", **drawn(queries=1), block=3, causal=True)
    yield edge("one_query", **drawn(queries=1, keys=MANY), block=1)
    yield edge("batch_of_one", **drawn(1), block=3)
    yield edge("large", **drawn(size=16), block=3)
    low = -FAR - GAP * rng.permutation(keys)
    yield edge("low", **shifted(drawn(), low), block=3)
    yield edge("low", **shifted(drawn(), low), block=2, causal=True)
    last_is_large = FAR * (np.arange(keys) == keys - 1)
    yield edge("gap", **shifted(drawn(), last_is_large), block=3)
    yield edge("hidden_large", **shifted(drawn(), last_is_large), block=3, causal=True)


def shifted(inputs, by):
    """The same sequences, with scores that are shifted by so much, key by key."""
    query, key, value = (x.copy() for x in double(inputs).values())
    query[..., 0], key[..., 0] = 1, by * query.shape[-1] ** 0.5
    return dict(query=query, key=key, value=value)


def table_of_all_scores(query, key, **others):
    """Return the number of all scores, for one sequence that is long enough; else None."""
    scores = query.shape[-2] * key.shape[-2]
    return scores if query.ndim == 2 and scores >= TABLE else None


def blocks_of_single_keys(query, key, block, **others):
    """Return the number of blocks for a single query, if each holds one key and there are many; else None."""
    keys = key.shape[-2]
    return keys if query.shape[-2] == block == 1 and keys >= MANY else None
