import numpy as np

WHY = {
    "weighted_mean__1": "A loop over the keys adds up outer products instead of one matrix product.",
}


def weighted_mean__1(weights, values):
    *front, n_queries, n_keys = weights.shape
    total = np.zeros((*front, n_queries, values.shape[-1]), dtype=np.result_type(weights, values))
    for k in range(n_keys):
        share = weights[..., :, k : k + 1]
        row = values[..., k : k + 1, :]
        total += share * row
    return total
