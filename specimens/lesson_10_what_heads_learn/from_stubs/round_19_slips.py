"""Slips in answers to lesson 10 (round 19)."""

import torch

from mha_ref import merge_heads


def without_head__1(results, w_output, head):
    results[:, head] = 0
    return merge_heads(results) @ w_output


def induction_score__1(weights, tokens):
    n = tokens.shape[1]
    counts = torch.zeros(len(tokens), n, n, dtype=torch.bool, device=tokens.device)
    counts[:, :, 1:] = tokens[:, :, None] == tokens[:, None, :-1]
    counts = counts.tril()
    total = (weights * counts[:, None]).sum(dim=(0, 2, 3))
    number = counts.any(dim=-1).sum()
    return total // number


def head_similarity__1(weights):
    flat = weights.flatten(1)
    flat = flat / flat.norm(dim=1, keepdim=True)
    return flat @ flat


TRUTH = {
    "without_head__1": 'The head is set to 0 in `results` itself and not in a copy, so the input is changed.',
    "induction_score__1": '// divides and rounds down, so a mean weight below 1 becomes 0.',
    "head_similarity__1": 'The second factor of the product is not transposed, so (heads, n) @ (heads, n) does not fit and fails.',
}
