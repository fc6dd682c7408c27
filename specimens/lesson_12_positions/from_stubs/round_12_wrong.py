"""Wrong answers to lesson 12 (round 12)."""

import torch


def window_mask__1(queries, keys, window):
    distance = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return distance.abs() < window


def window_mask__2(queries, keys, window):
    mask = torch.zeros(queries, keys, dtype=torch.bool)
    for q in range(queries):
        own = q + keys - queries
        mask[q, max(0, own - window) : own + 1] = True
    return mask


def window_mask__3(queries, keys, window):
    all_ones = torch.ones(queries, keys, dtype=torch.bool)
    return torch.tril(all_ones) & ~torch.tril(all_ones, diagonal=-window)


def window_mask__4(queries, keys, window):
    # pieces of `window` keys each
    q = torch.arange(keys - queries, keys).unsqueeze(1)
    k = torch.arange(keys).unsqueeze(0)
    return (q // window == k // window) & (k <= q)


TRUTH = {
    "window_mask__1": "looks to both sides: keys after the query are seen",
    "window_mask__2": "one key too many: its own is not counted in the window",
    "window_mask__3": "the first query lines up with the first key",
    "window_mask__4": "fixed pieces in place of a window that moves with the query: the first query of a piece sees itself alone",
}
