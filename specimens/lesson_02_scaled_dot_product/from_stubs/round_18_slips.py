"""Slips in answers to lesson 02 (round 18)."""

from mha_ref import attention_scores, attention_weights, softmax


def attention_scores__1(query, key):
    d = query.shape[-1]
    scores = query @ key.T
    return scores / d ** 0.5


def attention_weights__1(query, key):
    scores = attention_scores(query, key)
    return softmax(scores, axis=1)


def scaled_dot_product_attention__1(query, key, value):
    weights = attention_weights(query, key)
    output = weights @ value


TRUTH = {
    "attention_scores__1": 'key.T turns all axes around, not only the last two, so with axes in front the product fails or mixes up the items.',
    "attention_weights__1": 'axis=1 instead of axis=-1: with an axis in front the weights sum to 1 along the queries.',
    "scaled_dot_product_attention__1": 'There is no return, so the result is None.',
}
