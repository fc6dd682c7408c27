import numpy as np


def weighted_mean__1(weights, values):
    queries = weights.shape[-2]
    features = values.shape[-1]
    result = np.zeros(queries, features)
    for q in range(queries):
        for f in range(features):
            result[q, f] = np.sum(weights[q] * values[:, f])
    return result


def weighted_mean__2(weights, values):
    result = np.zeros(weights.shape[:-1] + values.shape[-1:])
    for q in range(weights.shape[-2]):
        for k in range(weights.shape[-1]):
            result[..., q, :] += weights[..., q, k, None] * values[..., k, :]
        return result


def weighted_mean__3(weights, values):
    return np.einsum("...qk,...kf->...qf, weights, values")


def weighted_mean__4(weights, values):
    w = weights[..., :, :, None]
    v = values[..., None, :, :]
    return (w * v).sum(dim=-2)


TRUTH = {
    'weighted_mean__1': 'sizes given to np.zeros as two arguments instead of one tuple (it would also take only two axes) -> TypeError "Cannot interpret \'5\' as a data type", line `result = np.zeros(queries, features)`, always',
    'weighted_mean__2': '`return` indented into the outer loop: only the first query is filled, the other rows stay 0; runs, odd result (right with one query)',
    'weighted_mean__3': 'closing quote of the einsum text in the wrong place, so the arrays are inside the text -> ValueError "must specify the einstein sum subscripts string and at least one operand", line `return np.einsum(...)`, always',
    'weighted_mean__4': 'torch\'s `dim=` in NumPy -> TypeError "_sum() got an unexpected keyword argument \'dim\'", line `return (w * v).sum(dim=-2)`, always',
}
