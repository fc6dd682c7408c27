"""Sequences and the matrices that project them: what the head of lesson 04 is tried on."""

import numpy as np

from autograder.cases import case, double, edge, is_floating, lengths, tidy
from mha_lessons.lesson_02_scaled_dot_product.fills import far_apart
from mha_lessons.lesson_03_masks.cases import some_allowed

LOUD = dict(x=25, query=200)  # x is query and key at once, so it counts twice
OPEN_ROW = np.array([[True, True, True], [False, True, True], [True, True, False]])


def single(inputs):
    """The same inputs with their numbers in float32."""
    return {n: x.astype(np.float32) if is_floating(x) else x for n, x in inputs.items()}


def weights(rng, *shape):
    """Random weights that keep the size of what they project."""
    return 1.5 * rng.normal(size=shape) / shape[-2] ** 0.5


def one_head(rng, as_layer=False):
    """What one head is tried on; as a layer its values are as wide as its keys."""
    tokens, model, size, carried, batch = lengths(rng, 5, least=3)
    size, carried = size + 3, size + 3 if as_layer else carried

    def head(*batch, tokens=tokens, model=model, size=size, carried=carried):
        projections = dict(w_query=(model, size), w_key=(model, size), w_value=(model, carried))
        x = rng.normal(size=(*batch, tokens, model))
        return single(dict(x=x) | {name: weights(rng, *shape) for name, shape in projections.items()})

    small = dict(x=tidy(rng, 3, 4), w_query=tidy(rng, 4, 2), w_key=tidy(rng, 4, 2), w_value=tidy(rng, 4, 2))
    yield case(**single(small if as_layer else small | dict(w_value=tidy(rng, 4, 5))))
    yield case(**head(), mask=some_allowed(rng, tokens, tokens))
    yield case(**head(batch))
    yield case(**head(batch), mask=some_allowed(rng, tokens, tokens))
    yield case(**head(batch), mask=some_allowed(rng, batch, 1, tokens))
    yield case(**head(3, tokens=3, model=3, size=3, carried=3))
    yield case(**head(tokens=3, model=3, size=3, carried=3))
    yield edge("open_row", **with_a_zero(head(tokens=3, model=3, size=3, carried=3), "x"), mask=OPEN_ROW)
    yield case(**head(batch, model=size, carried=size))
    yield edge("batch_of_one", **head(1))
    yield edge("one_token", **head(batch, tokens=1))
    yield from at_the_edges(rng, head(batch), "x", (batch, tokens, tokens))
    yield edge("dead_row", **head(), mask=np.tri(tokens, k=-1, dtype=bool))
    yield case(**head(2, batch), mask=some_allowed(rng, 2, 1, tokens, tokens))
    empty = head()
    empty["x"][0] = 0  # a token of zeros: its scores are exactly 0
    yield edge("zero", **empty, mask=some_allowed(rng, tokens, tokens))


def with_a_zero(inputs, name):
    """Token 1 is zero, so that its scores are; those of the others are far from each other."""
    return double(inputs) | {name: 6 * inputs[name] * np.array([[1.0], [0.0], [1.0]])}


def at_the_edges(rng, inputs, loud, shape):
    """Large scores, larger ones behind a mask, rows with no allowed key, and double precision."""
    factors = np.linspace(LOUD[loud] / 2, LOUD[loud], len(inputs[loud]))[:, None, None]
    yield edge("large", **double(inputs) | {loud: factors * double(inputs)[loud]})
    yield from far_apart(inputs, loud, "key" if loud == "query" else "x")
    dead = some_allowed(rng, *shape[-2:])
    dead[0] = dead[:, 0] = False  # and a key that no query sees
    yield edge("dead_row", **inputs, mask=dead)
    yield edge("double", **double(inputs))
    yield edge("dead_row", **inputs, mask=dead_here_and_there(rng, *shape))
    yield edge("dead_row", **inputs, mask=np.zeros(shape[-2:], dtype=bool))
    one_key = np.ones(shape[-2:], dtype=bool)
    one_key[0] = np.arange(shape[-1]) == 1
    yield edge("one_key", **inputs, mask=one_key)


def dead_here_and_there(rng, *shape):
    """A mask in which neither one query of the first item, nor its last head, nor the last item has an allowed key."""
    mask = np.broadcast_to(some_allowed(rng, *shape[-2:]), shape).copy()
    mask[..., 1, :][(0,) * (len(shape) - 2)] = False
    mask[0, -1] = mask[-1] = False
    return mask


def self_layer(rng):
    """What a head is tried on that is a layer."""
    yield from one_head(rng, as_layer=True)
