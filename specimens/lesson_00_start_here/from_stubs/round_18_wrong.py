"""Wrong answers to lesson 00 (round 18)."""




def weighted_mean__1(weights, values):
    contributions = weights[..., :, :, None] * values[..., None, :, :]  # (..., queries, keys, features)
    return contributions.mean(axis=-2)


TRUTH = {
    "weighted_mean__1": 'The weights already sum to 1, but the weighted values are averaged over the keys, so the result is divided by the number of keys once more.',
}
