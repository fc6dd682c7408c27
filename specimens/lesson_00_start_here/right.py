"""Right answers to lesson 00 in other styles: exercise, two underscores, style."""

import math

import numpy as np


def weighted_mean__by_matmul(weights, values):
    return np.matmul(weights, values)


def weighted_mean__by_einsum(w, v):
    return np.einsum("...qk,...kf->...qf", w, v)


def weighted_mean__by_loops(weights, values):
    *batch, queries, keys = weights.shape
    features = values.shape[-1]
    result = np.zeros((*batch, queries, features))
    for place in np.ndindex(*batch):
        for q in range(queries):
            for k in range(keys):
                result[place][q] += weights[place][q, k] * values[place][k]
    return result


def weighted_mean__one_key_after_the_other(weights, values):
    mean = 0.0
    for k in range(values.shape[-2]):
        mean = mean + weights[..., k : k + 1] * values[..., k : k + 1, :]
    return mean


def weighted_mean__multiply_and_sum(weights, values):
    return (weights[..., None] * values[..., None, :, :]).sum(axis=-2)


def weighted_mean__one_item_at_a_time(weights, values):
    if weights.ndim == 2:
        return np.array([sum(w * v for w, v in zip(row, values)) for row in weights])
    return np.stack([weighted_mean__one_item_at_a_time(w, v) for w, v in zip(weights, values)])


def weighted_mean__turned_and_turned_back(weights, values):
    return (values.mT @ weights.mT).mT


def weighted_mean__divided_by_what_is_one_anyway(weights, values):
    return (weights @ values) / weights.sum(axis=-1, keepdims=True)


def weighted_mean__by_average(weights, values):
    """np.average, one row of weights at a time."""
    flat = [
        [np.average(v, axis=0, weights=row) for row in w]
        for w, v in zip(weights.reshape(-1, *weights.shape[-2:]), values.reshape(-1, *values.shape[-2:]))
    ]
    return np.array(flat).reshape(*weights.shape[:-1], values.shape[-1])


def weighted_mean__vectorized(weights, values):
    return np.vectorize(np.dot, signature="(q,k),(k,f)->(q,f)")(weights, values)


def weighted_mean__scalars_and_fsum(weights, values):
    kind = np.result_type(weights, values)
    lead = weights.shape[:-2]
    number_of_queries, number_of_keys = weights.shape[-2:]
    number_of_features = values.shape[-1]
    answer = np.zeros(lead + (number_of_queries, number_of_features), dtype=kind)
    for item in np.ndindex(*lead):
        w, v = weights[item], values[item]
        for q in range(number_of_queries):
            for f in range(number_of_features):
                answer[item + (q, f)] = math.fsum(float(w[q, k]) * float(v[k, f]) for k in range(number_of_keys))
    return answer
