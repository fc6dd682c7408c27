"""Right answers to lesson 01, in styles that the reference does not have."""

import math

import numpy as np


def softmax__by_loops(scores, axis=-1):
    rows = np.moveaxis(scores, axis, -1)
    result = np.empty(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        row = [float(score) for score in rows[place]]
        powers = [math.exp(score - max(row)) for score in row]
        result[place] = [power / sum(powers) for power in powers]
    return np.moveaxis(result, -1, axis)


def softmax__log_sum_exp(scores, axis=-1):
    total = np.logaddexp.reduce(scores, axis=axis, keepdims=True)
    return np.exp(scores - total)


def softmax__expand_dims(scores, axis=-1):
    m = np.expand_dims(scores.max(axis), axis)
    e = np.exp(scores - m)
    return e / np.expand_dims(e.sum(axis), axis)


def log_softmax__by_loops(scores, axis=-1):
    rows = np.moveaxis(scores, axis, -1)
    result = np.empty(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        row = [float(score) for score in rows[place]]
        top = max(row)
        total = math.log(sum(math.exp(score - top) for score in row))
        result[place] = [score - top - total for score in row]
    return np.moveaxis(result, -1, axis)


def log_softmax__gives_the_maximum_back(scores, axis=-1):
    m = scores.max(axis, keepdims=True)
    return scores - (m + np.log(np.exp(scores - m).sum(axis, keepdims=True)))


def log_softmax__logaddexp(scores, axis=-1):
    return scores - np.logaddexp.reduce(scores, axis=axis, keepdims=True)


def log_softmax__softmax_inside_and_differences(scores, axis=-1):
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    weights = np.exp(shifted) / np.exp(shifted).sum(axis=axis, keepdims=True)
    return shifted + np.log(weights.max(axis=axis, keepdims=True))


def log_softmax__log1p(scores, axis=-1):
    s = np.sort(np.moveaxis(scores, axis, -1), axis=-1)
    rest = np.exp(s[..., :-1] - s[..., -1:]).sum(axis=-1)
    return scores - np.expand_dims(s[..., -1] + np.log1p(rest), axis)


def softmax_with_temperature__by_loops(scores, temperature, axis=-1):
    return softmax__by_loops(np.array(scores) / temperature, axis)


def softmax_with_temperature__moves_first(scores, temperature, axis=-1):
    assert temperature > 0, "the temperature must be positive"
    e = np.exp((scores - scores.max(axis=axis, keepdims=True)) / temperature)
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__inverse(scores, temperature, axis=-1):
    beta = 1 / temperature
    z = beta * scores - (beta * scores).max(axis, keepdims=True)
    return np.exp(z) / np.exp(z).sum(axis, keepdims=True)


def softmax_with_temperature__refuses_what_makes_no_sense(scores, temperature, axis=-1):
    if temperature <= 0:
        raise ValueError(temperature)
    return softmax__log_sum_exp(scores / temperature, axis)


def softmax_with_temperature__zero_is_the_hard_maximum(scores, temperature, axis=-1):
    return softmax__expand_dims(scores / max(temperature, 1e-6), axis)


def softmax_with_temperature__through_the_logarithm(scores, temperature, axis=-1):
    return np.exp(log_softmax__by_loops(log_softmax__by_loops(scores, axis) / temperature, axis))


def log_softmax__log1p_of_the_others(scores, axis=-1):
    def lane(row):
        row = [float(s) for s in row]
        best = row.index(max(row))
        others = math.fsum(math.exp(s - row[best]) for i, s in enumerate(row) if i != best)
        log_total = math.log1p(others)
        return np.array([(s - row[best]) - log_total for s in row])

    last = np.moveaxis(scores, axis, -1)
    answer = np.empty_like(last)
    with np.errstate(over="ignore"):
        for where in np.ndindex(*last.shape[:-1]):
            answer[where] = lane(last[where])
    return np.moveaxis(answer, -1, axis)


def softmax_with_temperature__nested_lists(scores, temperature, axis=-1):
    t = float(temperature)

    def walk(block):
        if block.ndim > 1:
            return [walk(part) for part in block]
        numbers = block.tolist()
        top = max(numbers)
        e = [math.exp((x - top) / t) for x in numbers]
        total = math.fsum(e)
        return [x / total for x in e]

    last = np.moveaxis(scores, axis, -1)
    out = np.array(walk(last), dtype=scores.dtype).reshape(last.shape)
    return np.moveaxis(out, -1, axis)
