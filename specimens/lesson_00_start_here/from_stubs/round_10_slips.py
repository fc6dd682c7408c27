"""Slips in answers to lesson 00 (round 10)."""

import numpy as np


def weighted_mean__1(weights, values):
    return np.dot(weights, values)


def weighted_mean__2(weights, values):
    front = weights.shape[:-2]
    means = []
    for rows, table in zip(weights.reshape(-1, *weights.shape[-2:]), values.reshape(-1, *values.shape[-2:])):
        mean = np.zeros(table.shape[-1])
        for row in rows:
            for weight, value in zip(row, table):
                mean += weight * value
            means.append(mean)
    return np.array(means).reshape(*front, weights.shape[-2], values.shape[-1])


def weighted_mean__3(weights, values):
    return np.einsum("...qk,kf->...qf", weights, values)


TRUTH = {
    "weighted_mean__1": "np.dot is not @ on batches: right without axes in front, but weights (2, 3, 4) and values (2, 4, 5) give shape (2, 3, 2, 5)",
    "weighted_mean__2": "mean is made once per item, outside the loop over the rows, and the same array is appended again and again: all queries of an item get the sum of their means; right for one query only",
    "weighted_mean__3": "the dots are missing in front of the second operand: with axes in front, ValueError 'operand has more dimensions than subscripts given in einstein sum'; right without such axes",
}
