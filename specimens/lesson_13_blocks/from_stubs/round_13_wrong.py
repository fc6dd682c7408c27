"""Wrong answers to lesson 13 (round 13)."""

import torch


def log_sum_exp__1(scores, axis=-1):
    low = scores.clamp(min=-1e4)
    top = low.amax(axis, keepdim=True)
    return ((low - top).exp().sum(axis, keepdim=True).log() + top).squeeze(axis)


def log_sum_exp__2(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    result = top + (scores - top).exp().sum(dim=axis, keepdim=True).log()
    return torch.nan_to_num(result).squeeze(axis)


def log_sum_exp__3(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    safe = torch.where(top.isneginf(), 0.0, top)
    return (scores - safe).exp().sum(dim=axis, keepdim=True).log() + safe


TRUTH = {
    "log_sum_exp__1": "scores below -10000 all count as -10000, -inf too",
    "log_sum_exp__2": "a row of -inf alone gives NaN, which becomes 0, not -inf",
    "log_sum_exp__3": "the axis is kept, with length 1",
}
