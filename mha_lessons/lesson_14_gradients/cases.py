"""Weights and gradients: what the functions of lesson 14 are tried on."""

import numpy as np

from autograder.cases import Case, case, edge, lengths, tidy
from mha_lessons.lesson_03_masks.cases import query_key_value_mask, some_allowed
from mha_ref import masked_softmax, softmax


def weights_grad(rng):
    """Rows of weights, as softmax makes them, and a gradient that arrives at each weight."""
    queries, keys, batch, heads = lengths(rng, 4, least=3)

    def arriving(weights):
        return dict(weights=weights, grad_output=rng.normal(size=weights.shape))

    def drawn(*shape):
        return arriving(softmax(rng.normal(size=shape)))

    small = softmax(tidy(rng, 2, 3))
    yield case(weights=small, grad_output=4 * tidy(rng, 2, 3))
    yield case(**drawn(queries, keys))
    yield case(**drawn(4, 4))
    yield case(**drawn(batch, queries, keys))
    yield case(**drawn(batch, heads, queries, keys))
    yield case(**arriving(masked_softmax(rng.normal(size=(2, 3, 4)), some_allowed(rng, 2, 3, 4))))
    yield edge("saturated", **arriving(softmax(1000 * tidy(rng, 3, 4))))
    yield edge("saturated", **arriving(softmax(rng.permuted([[0, -12, -15.0]] * 3, axis=1))))
    mask = some_allowed(rng, 2, 3, 4)
    mask[0, 1] = mask[1] = False
    yield edge("dead_row", **arriving(masked_softmax(rng.normal(size=(2, 3, 4)), mask)))
    yield edge("one_key", **drawn(3, 1))
    yield edge("one_query", **drawn(1, 5))


def attention_grad(rng):
    """What attention is tried on, with and without a mask, and a gradient that arrives at each number of its output."""
    for given in query_key_value_mask(rng):
        query, value = given.inputs["query"], given.inputs["value"]
        shape = *query.shape[:-1], value.shape[-1]
        grad_output = tidy(rng, *shape) if shape == (2, 4) else rng.normal(size=shape)
        mask = {name: x for name, x in given.inputs.items() if name == "mask"}
        three = {name: x for name, x in given.inputs.items() if name != "mask"}
        if given.tag == "low":
            three |= balanced(**three)
        yield Case(three | dict(grad_output=grad_output) | mask, given.tag)


def balanced(query, key, value):
    """Return queries and keys of one size with the same scores: huge keys would make huge rounding errors."""
    factor = np.sqrt(np.abs(key).max() / np.abs(query).max())
    return dict(query=query * factor, key=key / factor)
