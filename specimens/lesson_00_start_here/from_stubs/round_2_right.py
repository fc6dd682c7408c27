import numpy as np


def weighted_mean__1(weights, values):
    """One query at a time, one feature at a time."""
    lead = np.broadcast_shapes(weights.shape[:-2], values.shape[:-2])
    W = np.broadcast_to(weights, lead + weights.shape[-2:])
    V = np.broadcast_to(values, lead + values.shape[-2:])
    result = np.empty(lead + (W.shape[-2], V.shape[-1]), dtype=np.result_type(weights, values))
    for where in np.ndindex(*lead):
        for q, row in enumerate(W[where]):
            for f in range(V.shape[-1]):
                result[where + (q, f)] = sum(float(w) * float(x) for w, x in zip(row, V[where][:, f]))
    return result


def weighted_mean__2(weights, values):
    kind = np.promote_types(weights.dtype, values.dtype)
    w = weights.astype(np.float64)
    v = values.astype(np.float64)

    def halves(lo, hi):
        # divide and conquer over the keys
        if hi - lo == 1:
            return w[..., :, lo:hi] * v[..., lo:hi, :]
        mid = (lo + hi) // 2
        return halves(lo, mid) + halves(mid, hi)

    return halves(0, w.shape[-1]).astype(kind)


WHY = {
    "weighted_mean__1": "explicit loops over items, queries, features with python floats, values broadcast to the items",
    "weighted_mean__2": "recursive sum over halves of the keys, float64 inside and cast back",
}
