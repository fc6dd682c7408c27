"""Wrong answers to lesson 00 (round 11)."""

import numpy as np


def weighted_mean__1(weights, values):
    # a mean: multiply, then divide by how many there are
    products = weights[..., :, :, None] * values[..., None, :, :]
    return products.mean(axis=-2)


def weighted_mean__2(weights, values):
    # every key's weight times its row of values, added up over the keys
    return np.sum(weights[..., None] * values, axis=-2)


TRUTH = {
    "weighted_mean__1": "the weights sum to 1 already: the mean of the products divides by the number of keys once more",
    "weighted_mean__2": "right for two axes only: with a batch, values (batch, keys, features) line up with the queries' axis: the shapes clash, or if batch equals queries, each query takes the values of the item with its number",
}
