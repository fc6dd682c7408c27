import numpy as np

TRUTH = {
    "weighted_mean__1": "Its author takes the word mean literally and averages the products over the keys, although the weights already sum to 1, so everything is too small by the number of keys.",
    "weighted_mean__2": "Its author believes that np.dot and @ are the same also for stacks of matrices; with axes in front np.dot pairs every item with every other one, and the shape is wrong.",
    "weighted_mean__3": "Its author makes the result with zeros_like(values), overlooking that there may be more or fewer queries than keys, so there are left-over rows of zeros or an index error.",
    "weighted_mean__4": "Its author computes the mean as the first value plus the weighted differences from it, overlooking that a difference of two large finite values can overflow although the mean fits.",
}


def weighted_mean__1(weights, values):
    products = weights[..., :, :, None] * values[..., None, :, :]
    return products.mean(axis=-2)


def weighted_mean__2(weights, values):
    # normalise once more, just to be safe
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return np.dot(weights, values)


def weighted_mean__3(weights, values):
    result = np.zeros_like(values)
    for q in range(weights.shape[-2]):
        for k in range(weights.shape[-1]):
            result[..., q, :] += weights[..., q, k, None] * values[..., k, :]
    return result


def weighted_mean__4(weights, values):
    # since each row sums to 1:  sum w_k v_k  =  v_0 + sum w_k (v_k - v_0)
    origin = values[..., :1, :]
    return origin + weights @ (values - origin)
