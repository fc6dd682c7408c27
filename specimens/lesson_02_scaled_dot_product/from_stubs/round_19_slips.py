"""Slips in answers to lesson 02 (round 19)."""

from mha_ref import attention_scores, softmax


def attention_weights__1(query, key):
    scores = attention_scores(query, key)
    weights = softmax(scores, axis=-1)


TRUTH = {
    "attention_weights__1": 'The function computes the weights but does not return them, so it gives None.',
}
