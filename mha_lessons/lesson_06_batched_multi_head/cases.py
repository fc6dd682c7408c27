"""Batches of heads: what the functions and the layer of lesson 06 are tried on."""

import numpy as np

from autograder.cases import Case, case, edge, is_floating, lengths, tidy
from mha_lessons.lesson_03_masks.cases import some_allowed
from mha_lessons.lesson_04_single_head.cases import OPEN_ROW, at_the_edges, single, weights, with_a_zero
from mha_lessons.lesson_05_multi_head.cases import PROJECTIONS


def together(rng):
    """Tokens whose columns are to be split into heads."""
    tokens, heads, size, batch = lengths(rng, 4)

    def x(*shape):
        return rng.normal(size=shape).astype(np.float32)

    yield case(x=tidy(rng, 1, 2, 6).astype(np.float32), heads=3)
    yield case(x=x(batch, tokens, heads * size), heads=heads)
    yield case(x=x(3, 3, 9), heads=3)
    yield case(x=x(batch, heads, heads * size), heads=heads)
    yield case(x=x(1, tokens + 1, heads * size), heads=heads)
    yield edge("one_head", x=x(batch, tokens, size), heads=1)
    yield edge("batch_of_one", x=x(1, tokens, heads * size), heads=heads)
    yield edge("indivisible", x=x(2, tokens, 10), heads=3)
    yield edge("indivisible", x=x(2, 3, 10), heads=4)
    yield edge("indivisible", x=x(2, 3, 6), heads=4)  # three equal blocks would fit
    yield case(x=x(2, 3, 8), heads=2)  # fewer heads than columns of a head


def apart(rng):
    """Heads that are to be merged."""
    for c in (c for c in together(rng) if c.tag != "indivisible"):
        x, heads = c.inputs["x"], c.inputs["heads"]
        yield Case(dict(x=np.moveaxis(x.reshape(*x.shape[:-1], heads, -1), -2, -3).copy()), c.tag)


def several_heads(rng):
    """Queries, keys and values of three sequences, or of one."""
    yield from batches(rng)


def batches(rng):
    queries, keys, heads, size, batch = lengths(rng, 5, least=3)
    heads, size = 3 + heads % 2, size + 3

    def several(batch=batch, queries=queries, keys=keys, heads=heads, size=size):
        model = heads * size
        sequences = dict(zip(PROJECTIONS, (rng.normal(size=(batch, n, model)) for n in (queries, keys, keys))))
        return single(sequences | {f"w_{name}": weights(rng, model, model) for name in PROJECTIONS} | dict(heads=heads))

    def alone(inputs):
        return inputs | dict(key=inputs["query"], value=inputs["query"])

    small = several(batch=1, queries=2, keys=4, heads=2, size=2)
    rounded = {n: np.round(2 * x) / 2 + 0.0 if is_floating(x) else x for n, x in small.items()}
    yield case(**rounded)
    yield case(**several())
    yield case(**several(), mask=some_allowed(rng, queries, keys))
    yield case(**several(queries=keys, keys=queries), mask=some_allowed(rng, batch, 1, 1, queries))
    yield case(**several(), mask=some_allowed(rng, batch, heads, queries, keys))
    yield case(**several(batch=heads), mask=some_allowed(rng, heads, queries, keys))  # as many texts as heads
    yield case(**alone(several()), mask=some_allowed(rng, batch, 1, queries, queries))
    yield case(**several(keys=queries))
    yield case(**several(batch=3, queries=3, keys=3, heads=3, size=3))
    level = several(batch=3, queries=3, keys=3, heads=1, size=3)
    yield edge("one_head", **with_a_zero(level, "key"), mask=OPEN_ROW)
    yield edge("batch_of_one", **several(batch=1, queries=1))
    yield from at_the_edges(rng, several(keys=queries), "query", (batch, heads, queries, queries))


def layer(rng):
    """A layer with its biases, and without; with all sequences given, two, or one; once asked for its weights."""
    for c in batches(rng):
        model = c.inputs["query"].shape[-1]
        dtype = c.inputs["query"].dtype
        biases = {f"b_{name}": rng.normal(size=model).astype(dtype) for name in PROJECTIONS}
        yield Case(c.inputs | ({} if "mask" in c.inputs else biases), c.tag)
        if c.tag == "dead_row":  # once without biases, where its row is zeros
            yield Case(c.inputs | biases, c.tag)
            yield edge("weights", **c.inputs, return_weights=True)
        if not c.tag and "mask" in c.inputs and c.inputs["mask"].ndim == 2:
            yield case(**c.inputs | biases)
            two = {n: x for n, x in c.inputs.items() if n != "value"}
            yield case(**two | biases)
            yield edge("weights", **c.inputs, return_weights=True)
        if "mask" in c.inputs and c.inputs["key"] is c.inputs["query"]:
            yield case(**{n: x for n, x in c.inputs.items() if n not in ("key", "value")})
    one = {n: x for n, x in c.inputs.items() if n not in ("key", "value", "mask")}
    yield case(**single(one | biases))
    yield edge("weights", **single(one | biases), return_weights=True)
    level = next(c.inputs for c in batches(rng) if two_of_one_length(**c.inputs))
    two = {n: x for n, x in level.items() if n != "value"}
    yield case(**two)  # its values come from the key, though the query's would fit
    yield edge("value_alone", **{n: x for n, x in level.items() if n != "key"})


def two_of_one_length(query, key, mask=None, **_):
    return mask is None and query is not key and query.shape == key.shape
