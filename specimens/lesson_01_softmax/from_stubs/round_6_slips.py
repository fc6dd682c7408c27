import math
import numpy as np


def softmax(scores, axis=-1):
    # the learner's own softmax, from the cell above
    e = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax__1(scores, axis=-1):
    biggest = np.max(scores, axis=axis, keepdims=True)
    e = math.exp(scores - biggest)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__2(scores, axis=-1):
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    e = np.exp(shifted)
    total = np.sum(e, axis=axis)
    return e / total


def softmax__3(scores, axis=-1):
    max_score = scores.max(axis=axis, keepdims=True),
    e = np.exp(scores - max_score)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__4(scores, axis=-1):
    scores = np.moveaxis(scores, axis, -1)
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
    rows.reshape(scores.shape)
    return np.moveaxis(rows, -1, axis)


TRUTH = {
    'softmax__1': 'math.exp of an array -> TypeError "only 0-dimensional arrays can be converted to Python scalars", line `e = math.exp(scores - biggest)`, for every array of more than one number',
    'softmax__2': 'keepdims forgotten in the sum -> ValueError "operands could not be broadcast together", line `return e / total`; runs with square scores and divides by the wrong row\'s total (columns swapped for rows); right for 1 axis and for axis=0 of 2 axes',
    'softmax__3': 'a comma at the end of the line makes max_score a tuple -> runs, result has one extra axis of 1 in front; numbers are right',
    'softmax__4': 'rows collected in a list and never made an array: list has no reshape -> AttributeError "\'list\' object has no attribute \'reshape\'", line `rows.reshape(scores.shape)` (whose result is not kept either), always',
}
