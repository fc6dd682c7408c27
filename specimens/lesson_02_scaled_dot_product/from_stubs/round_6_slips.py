import numpy as np
from mha_ref import softmax


def attention_scores(query, key):
    # the learner's own, from the cell above
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])


def attention_scores__1(query, key):
    d = query.shape[-1]
    return query @ key.transpose(-2, -1) / np.sqrt(d)


def attention_scores__2(query, key):
    root = np.sqrt(query.shape[-1])
    return query @ key.transpose / root


def attention_scores__3(query, key):
    dots = np.einsum("...qf,...kf->...qk", query, key)
    return dots / query.shape[-1] ^ 0.5


def attention_scores__4(query, key):
    features = query.shape()[-1]
    key_t = np.swapaxes(key, -2, -1)
    return np.matmul(query, key_t) / np.sqrt(features)


def attention_weights__1(query, key):
    scores = attention_scores
    weights = softmax(scores, axis=-1)
    return weights


def attention_weights__2(query, key):
    scores = attention_scores(query, key)
    weights = np.zeros_like(query)
    for i in range(scores.shape[-2]):
        weights[..., i, :] = softmax(scores[..., i, :])
    return weights


def attention_weights__3(query, key):
    key_t = np.swapaxes(key, -1, -2)
    scores = attention_scores(query, key_t)
    return softmax(scores)


def scaled_dot_product_attention__1(query, key, value):
    key = np.swapaxes(key, -1, -2)
    d = key.shape[-1]
    scores = query @ key / np.sqrt(d)
    return softmax(scores) @ value


def scaled_dot_product_attention__2(query, key, value):
    scores = attention_scores(query, key)
    weights = softmax(scores)
    output = weights @ value
    print(output)


TRUTH = {
    'attention_scores__1': 'torch\'s transpose(-2, -1) in NumPy: for 3 or more axes ValueError "axes don\'t match array"; for 2 axes it is a permutation that changes nothing: ValueError of matmul, or silently query @ key (wrong numbers) if keys == features; line `return query @ key.transpose(-2, -1) / np.sqrt(d)`',
    'attention_scores__2': 'parentheses of transpose forgotten, so that a method is multiplied -> ValueError "matmul: Input operand 1 does not have enough dimensions", line `return query @ key.transpose / root`, always (with (), it would still reverse all axes for 3 or more)',
    'attention_scores__3': '^ for power (and it binds weaker than /) -> TypeError "ufunc \'bitwise_xor\' not supported for the input types", line `return dots / query.shape[-1] ^ 0.5`, always',
    'attention_scores__4': 'shape called as a function -> TypeError "\'tuple\' object is not callable", line `features = query.shape()[-1]`, always',
    'attention_weights__1': 'attention_scores not called: scores is the function itself -> TypeError "function is not a supported array type" (from inside mha_ref\'s softmax), line `weights = softmax(scores, axis=-1)`, always',
    'attention_weights__2': 'result is zeros_like(query), (queries, features) instead of (queries, keys) -> ValueError "could not broadcast input array from shape (5,) into shape (4,)", line `weights[..., i, :] = softmax(...)`; right if keys == features',
    'attention_weights__3': 'keys transposed twice: here and in attention_scores -> ValueError of matmul (mismatch in its core dimension), raised in the helper `attention_scores`, called on line `scores = attention_scores(query, key_t)`; silently wrong if keys == features',
    'scaled_dot_product_attention__1': 'key is overwritten by its transposition before d is read from it: d is the number of keys, so scores are divided by the root of keys; runs, wrong numbers unless keys == features',
    'scaled_dot_product_attention__2': 'print instead of return -> runs, prints, gives None',
}
