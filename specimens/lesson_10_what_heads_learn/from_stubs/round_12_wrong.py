"""Wrong answers to lesson 10 (round 12)."""

import torch


def previous_token_score__1(weights):
    queries = weights.shape[-2]
    before = torch.diagonal(weights, offset=-1, dim1=-2, dim2=-1).sum(-1) / queries
    return before.reshape(-1, weights.shape[-3]).mean(0)


def previous_token_score__2(weights):
    after = torch.diagonal(weights, offset=1, dim1=-2, dim2=-1)
    return after.mean(-1).reshape(-1, weights.shape[-3]).mean(dim=0)


def previous_token_score__3(weights):
    queries = weights.shape[-2]
    best = weights.argmax(dim=-1)[..., 1:]
    hit = (best == torch.arange(queries - 1)).to(weights.dtype)
    return hit.mean(-1).reshape(-1, weights.shape[-3]).mean(0)


def previous_token_score__4(weights):
    # everything that lies before the query
    before = torch.tril(weights, diagonal=-1).sum(-1)[..., 1:]
    return before.mean(-1).flatten(0, -2).mean(0) if weights.dim() > 3 else before.mean(-1)


TRUTH = {
    "previous_token_score__1": "divided by all queries, the first one included, which has no token before it",
    "previous_token_score__2": "the weight on the token after the query",
    "previous_token_score__3": "how often the previous token gets the largest weight, not how much it gets",
    "previous_token_score__4": "all earlier tokens together, not the one right before",
}
