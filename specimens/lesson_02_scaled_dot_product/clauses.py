"""Answers that break one clause of a docstring, and little else: lesson_02_scaled_dot_product.toml says which."""

import numpy as np


def _scores(query, key):
    return query @ key.mT / np.sqrt(query.shape[-1])


def _weights(query, key):
    scores = _scores(query, key)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _without_a_single_query(result):
    return result.squeeze(-2) if result.shape[-2] == 1 else result


def attention_scores__cuts_off_large_scores(query, key):
    return np.clip(_scores(query, key), -50, 50)


def attention_scores__loses_the_axis_of_a_single_query(query, key):
    return _without_a_single_query(_scores(query, key))


def attention_weights__loses_the_axis_of_a_single_query(query, key):
    return _without_a_single_query(_weights(query, key))


def scaled_dot_product_attention__loses_the_axis_of_a_single_query(query, key, value):
    return _without_a_single_query(_weights(query, key) @ value)


def scaled_dot_product_attention__returns_the_weights_too(query, key, value):
    weights = _weights(query, key)
    return weights @ value, weights


def _inputs():
    return np.eye(2, 3), np.eye(4, 3), np.ones((4, 5))
