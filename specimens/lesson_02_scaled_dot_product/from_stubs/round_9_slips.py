"""Wrong answers to lesson 02 (round 9)."""
import numpy as np
from mha_ref import attention_weights, weighted_mean


def attention_scores__1(query, key):
    features = query.shape[-1]
    return query @ key.T / np.sqrt(features)


def scaled_dot_product_attention__1(query, key, value):
    attention_weights = attention_weights(query, key)
    return weighted_mean(attention_weights, value)


TRUTH = {
    "attention_scores__1": ".T turns round all axes, not just the last two: right for two axes, with axes in front mostly ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, and for shapes such as (4, 4, 4) wrong numbers without an error, because the batch is mixed up.",
    "scaled_dot_product_attention__1": "A local variable has the name of the function that it calls: UnboundLocalError: cannot access local variable 'attention_weights' where it is not associated with a value, for every input.",
}
