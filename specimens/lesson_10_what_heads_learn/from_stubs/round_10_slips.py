"""Slips in answers to lesson 10 (round 10)."""

import torch
import torch.nn.functional as F


def without_head__1(results, w_output, head):
    batch, heads, tokens, head_size = results.shape
    results = results.clone()
    results[:, head] = 0
    joined = results.transpose(1, 2).view(batch, tokens, heads * head_size)
    return joined @ w_output


def previous_token_score__1(weights):
    before = torch.diagonal(weights, -1)
    scores = before.mean(dim=-1)
    return scores.reshape(-1, weights.shape[-3]).mean(dim=0)


def head_similarity__1(weights):
    flat = weights.reshape(weights.shape[0], -1)
    return F.cosine_similarity(flat, flat, dim=-1)


TRUTH = {
    "without_head__1": "view after transpose: RuntimeError: view size is not compatible with input tensor's size and stride (use reshape); only with one head, one token or the like it runs.",
    "previous_token_score__1": "diagonal without dim1 and dim2 takes the first two axes (heads and queries, or batch and heads) instead of queries and keys, so the numbers are wrong, and mostly the shape, or reshape raises a RuntimeError.",
    "head_similarity__1": "The same two tensors are compared row by row without broadcasting, so the result is (heads,) and all ones instead of (heads, heads).",
}
