"""The worked examples that the course was asked for: two C++ programs, made portable."""

import math

import numpy as np
from numpy.testing import assert_allclose

from mha_ref import (
    causal_attention,
    causal_mask,
    fuse_heads,
    masked_weights,
    multi_head_attention,
    multi_head_by_loop,
    scaled_dot_product_attention,
)

QUERY = np.array([[0.2, 0.1, 0.4], [0, 0.5, 0.3], [0.1, 0, 0.2], [0.3, 0.2, 0.1]])
KEY = np.array([[0.2, 0, 0.1], [0.1, 0.4, 0.3], [0.3, 0.1, 0.2], [0, 0.2, 0.2]])
VALUE = np.array([[0.5, 0], [-0.2, 0.1], [0.3, -0.1], [0, 0.2]])


def test_one_head_over_four_tokens():
    """To six digits, with its causal mask, and the first row without."""
    weights = masked_weights(QUERY, KEY, causal_mask(4, 4))
    assert_allclose(weights[1, :2], [0.462543, 0.537457], atol=5e-7)
    assert_allclose(weights[2, :3], [0.329496, 0.335252, 0.335252], atol=5e-7)
    assert_allclose(weights[3], [0.245656, 0.255787, 0.254315, 0.244242], atol=5e-7)
    out = causal_attention(QUERY, KEY, VALUE)
    assert_allclose(out, [[0.5, 0], [0.123780, 0.053746], [0.198273, 0], [0.147965, 0.048996]], atol=5e-7)
    assert_allclose(scaled_dot_product_attention(QUERY, KEY, VALUE)[0], [0.146022, 0.049642], atol=5e-7)


TOKENS, MODEL_SIZE, HEADS, HEAD_SIZE = 5, 8, 2, 4


def numbers(seed=42):
    """The same in every language: Lehmer's generator, between -0.5 and 0.5."""
    while True:
        seed = seed * 48271 % 2147483647
        yield seed / 2147483647 - 0.5


def matrix(rows, columns, source):
    return [[next(source) for _ in range(columns)] for _ in range(rows)]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def program():
    """The second program, a list at a time: X of full rank, per-head weights, output weights, and its result."""
    source = numbers()
    x = matrix(TOKENS, MODEL_SIZE, source)
    heads = [[matrix(MODEL_SIZE, HEAD_SIZE, source) for _ in range(3)] for _ in range(HEADS)]
    w_output = matrix(HEADS * HEAD_SIZE, MODEL_SIZE, source)
    merged = [[] for _ in x]
    for w_query, w_key, w_value in heads:
        query, key, value = product(x, w_query), product(x, w_key), product(x, w_value)
        for t in range(TOKENS):  # the past and itself
            scores = [sum(q * k for q, k in zip(query[t], key[s])) / math.sqrt(HEAD_SIZE) for s in range(t + 1)]
            shares = [math.exp(score - max(scores)) for score in scores]
            merged[t] += [sum(w * v for w, v in zip(shares, column)) / sum(shares) for column in zip(*value[: t + 1])]
    return x, heads, w_output, product(merged, w_output)


def test_two_heads_over_five_tokens():
    """The program's loops, our loop over heads and the batched function agree; one item of a batch is one sequence."""
    x, heads, w_output, expected = map(np.array, program())
    assert np.linalg.matrix_rank(x) == TOKENS
    stacked, allowed = heads.swapaxes(0, 1), causal_mask(TOKENS, TOKENS)
    assert_allclose(multi_head_by_loop(x, *stacked, w_output, allowed), expected, rtol=1e-12)
    batch = [x[None]] * 3
    out = multi_head_attention(*batch, *map(fuse_heads, stacked), w_output, HEADS, allowed)
    assert_allclose(out[0], expected, rtol=1e-12)
