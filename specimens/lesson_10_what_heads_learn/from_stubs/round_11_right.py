"""Right answers to lesson 10 (round 11)."""

import torch


def head_similarity__1(weights):
    flat = torch.nn.functional.normalize(weights.reshape(weights.shape[0], -1), dim=1)
    return torch.stack([flat @ row for row in flat])


def induction_score__1(weights, tokens):
    n = tokens.shape[-1]
    before = torch.full_like(tokens, -1)
    before[:, 1:] = tokens[:, :-1]
    hit = (before[:, None, :] == tokens[:, :, None]) & (torch.arange(n)[None, :] <= torch.arange(n)[:, None])
    hit[:, :, 0] = False
    asked = hit.any(-1).sum()
    return (weights * hit[:, None]).sum((0, 2, 3)) / asked


WHY = {
    "head_similarity__1": "normalize, then one row of products after the other.",
    "induction_score__1": "The text is shifted by one in a copy; one sum over everything, divided by the number of queries that have such a key.",
}
