"""Slips in answers to lesson 10 (round 18)."""

from mha_ref import merge_heads


def without_head__1(results, w_output, head):
    results[:, head] = 0
    return merge_heads(results) @ w_output


def previous_token_score__1(weights):
    before = weights.diagonal(offset=-1)
    heads = weights.shape[-3]
    return before.mean(dim=-1).reshape(-1, heads).mean(dim=0)


TRUTH = {
    "without_head__1": 'results[:, head] = 0 works in place, so the tensor of the caller is changed.',
    "previous_token_score__1": 'diagonal lacks dim1 and dim2, so it goes over the first two axes instead of queries and keys.',
}
