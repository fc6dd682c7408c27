"""Masks: what the functions of lesson 03 are tried on."""

import numpy as np

from autograder.cases import case, edge, lengths, tidy
from mha_lessons.lesson_01_softmax.cases import too_large_for_half
from mha_lessons.lesson_02_scaled_dot_product.cases import a_key_of_zeros, a_tower, loud, query_key_value, very_low
from mha_lessons.lesson_02_scaled_dot_product.fills import FAR

MANY = 300  # more than one byte can count; half of it, more than one byte with a sign can


def scores_mask(rng):
    """Scores and a mask that broadcasts to them."""
    queries, keys, batch, heads, _ = lengths(rng, 5, least=3)
    yield case(scores=tidy(rng, 2, 3), mask=some_allowed(rng, 2, 3))
    yield case(scores=rng.normal(size=(2, 2, 3)), mask=some_allowed(rng, 2, 3))
    mask = some_allowed(rng, queries, keys)
    mask[-1] = True
    yield case(scores=rng.normal(size=(queries, keys)), mask=mask)
    yield case(scores=rng.normal(size=(batch, queries, keys)), mask=some_allowed(rng, queries, keys))
    yield case(scores=rng.normal(size=(batch, heads, queries, keys)), mask=some_allowed(rng, batch, 1, 1, keys))
    lopsided = ~np.roll(np.eye(3, dtype=bool), 1, axis=1)  # another one than its transpose
    yield case(scores=rng.normal(size=(3, 3)), mask=lopsided)
    small_weights = rng.permuted([[1, -7, -9.5]] * 2, axis=1)
    all_alike = np.full((1, 3), 0.5)
    yield edge("open_row", scores=np.concatenate([small_weights, all_alike]), mask=np.ones((3, 3), bool))
    yield edge("half", scores=too_large_for_half(rng), mask=some_allowed(rng, 2, 3))
    yield edge("pit", scores=rng.normal(size=(2, 3)) - [0, 1000, 0], mask=np.ones((2, 3), bool))
    padding = np.arange(3) < np.array([2, 3])[:, None, None]  # a key that no query sees, and rows without any False
    yield case(scores=rng.normal(size=(2, 3, 3)), mask=padding)
    yield edge("large", scores=tidy(rng, 2, 3) + 1000, mask=some_allowed(rng, 2, 3))
    yield edge(
        "low", scores=tidy(rng, 3, 3) - FAR, mask=np.concatenate([some_allowed(rng, 2, 3), np.ones((1, 3), bool)])
    )
    yield edge("zero", scores=np.array([[0.0, 1.5, -0.5], [-1.0, 0.0, 0.5]]), mask=np.arange(3) < [[2], [3]])
    apart = rng.normal(size=(2, 4)) + np.array([[0.0], [2000.0]])
    yield edge("spread", scores=apart, mask=some_allowed(rng, 2, 4))
    towers = rng.normal(size=(3, 4)) + np.array([0, 0, 0, FAR])
    yield edge("hidden_large", scores=towers, mask=np.arange(4) < [[3], [2], [3]])
    zeros = np.array([[1.0, 0.0, -0.5], [0.0, 0.5, 0.0]])  # some allowed, and one hidden
    yield edge("zero", scores=zeros, mask=np.array([[True, True, False], [False, True, True]]))
    mask = some_allowed(rng, 2, 3)
    mask[0] = False
    yield edge("dead_row", scores=tidy(rng, 2, 3), mask=mask)
    yield edge("dead_row", scores=tidy(rng, 2, 3), mask=np.zeros((2, 3), bool))
    mask = some_allowed(rng, 2, 3, 4)
    mask[0, 1] = mask[0, :, 0] = False  # a key that no query sees, too: rows and columns differ
    yield edge("dead_row", scores=rng.normal(size=(2, 3, 4)), mask=mask)
    yield edge("one_key", scores=tidy(rng, 2, 3), mask=np.array([[False, True, False], [True, True, False]]))


def sizes(rng):
    """Two sizes, never more queries than keys first, then the other way round."""
    few, some, many = sorted(lengths(rng, 3))
    yield case(queries=3, keys=3)
    yield case(queries=few, keys=many)
    yield case(queries=some, keys=many)
    yield case(queries=1, keys=some)
    queries, more = (int(n) for n in rng.integers(5, 40, size=2))  # from so many that no table of masks holds them all
    yield case(queries=queries, keys=queries + more)
    yield edge("more_queries", queries=many + 2, keys=some)
    yield edge("long", queries=3, keys=MANY // 2)
    yield edge("long", queries=3, keys=MANY)


def lengths_keys(rng):
    """The lengths of a batch of sequences, and the number of keys they are padded to."""
    yield case(lengths=np.array([2, 1, 3]), keys=4)
    yield case(lengths=np.array([5, 1]), keys=5)
    yield case(lengths=rng.integers(1, 4, size=3), keys=3)
    yield case(lengths=rng.integers(1, 10, size=4), keys=9)
    yield edge("empty", lengths=np.array([0, 2]), keys=3)
    yield edge("too_long", lengths=np.array([1, 4]), keys=3)
    yield edge("too_long", lengths=np.array([5, 2]), keys=3)
    yield edge("long", lengths=np.array([MANY // 2, 5, MANY]), keys=MANY)


def query_key_value_mask(rng):
    """Attention with and without a mask."""
    unmasked = list(query_key_value(rng))
    plain = [c.inputs for c in unmasked if not c.tag]
    small, one_query, some, square, several, equal, batched = plain
    for x in plain:
        yield case(**x, mask=some_allowed(rng, x["query"].shape[-2], x["key"].shape[-2]))
    for x in (one_query, some, square, several, equal, batched):
        yield case(**x)
    yield case(**batched, mask=some_allowed(rng, 2, 1, 1, batched["key"].shape[-2]))
    for c in unmasked:
        if c.tag == "tie":
            yield edge("open_row", **c.inputs, mask=np.tri(4, dtype=bool))
        if c.tag in ("one_token", "long"):
            yield c
    for x in (small | dict(query=3600 * small["query"]), loud(several)):
        yield edge("large", **x, mask=np.array([[True]]))
    yield edge("hidden_large", **a_tower(small), mask=np.tri(4, dtype=bool))
    opposed = dict(query=np.abs(small["query"]), key=-1e5 * np.abs(small["key"]))
    yield edge("low", **small | opposed, mask=some_allowed(rng, 2, 3))
    yield edge("low", **very_low(small), mask=np.array([[False, True, True], [True, True, True]]))
    yield edge("zero", **a_key_of_zeros(small), mask=np.array([[True, True, False]]))
    for x in (small, batched):
        mask = some_allowed(rng, x["query"].shape[-2], x["key"].shape[-2])
        mask[-1] = mask[:, 0] = False  # and a key that no query sees
        yield edge("dead_row", **x, mask=mask)
    yield edge("dead_row", **small, mask=np.zeros((2, 3), bool))
    mask = some_allowed(rng, *several["query"].shape[:-1], several["key"].shape[-2])
    mask[0, 1] = mask[1] = False  # in one item a query, in the next all of them
    yield edge("dead_row", **several, mask=mask)
    yield edge("one_key", **small, mask=np.array([[False, True, False], [True, True, False]]))


def some_allowed(rng, *shape):
    """A random mask: in every row one key is hidden and two are not, and neighbours hide different ones.

    (One allowed key alone would have weight 1 whatever its score.)
    """
    mask = rng.random(shape) < 0.5
    hidden = (sum(np.indices(shape)[:-1]) + rng.integers(shape[-1]))[..., :1] % shape[-1]
    for step, allowed in enumerate((False, True, True)[: shape[-1]]):
        np.put_along_axis(mask, (hidden + step) % shape[-1], allowed, axis=-1)
    return mask
