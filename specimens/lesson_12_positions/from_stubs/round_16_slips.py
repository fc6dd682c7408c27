"""Slips in answers to lesson 12 (round 16)."""

import torch



def alibi_bias__1(heads, queries, keys):
    h = torch.arange(1, heads + 1)
    slopes = 2.0 ** -8 * h / heads
    own = torch.arange(queries) + keys - queries
    distance = own[:, None] - torch.arange(keys)
    return -slopes[:, None, None] * distance


TRUTH = {
    "alibi_bias__1": 'Brackets are missing around the exponent: 2 ** -8 * h / heads is (2 ** -8) * h / heads, so the slopes are wrong (for more than one head) and grow instead of fall.',
}
