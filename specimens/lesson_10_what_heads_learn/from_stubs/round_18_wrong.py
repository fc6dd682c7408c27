"""Wrong answers to lesson 10 (round 18)."""

import torch

from mha_ref import scale


def without_head__1(results, w_output, head):
    batch, heads, tokens, head_size = results.shape
    keep = torch.ones(heads, dtype=results.dtype, device=results.device)
    keep[head] = 0
    scale = heads / max(heads - 1, 1)
    kept = results * keep[None, :, None, None] * scale
    return kept.transpose(1, 2).reshape(batch, tokens, heads * head_size) @ w_output


def previous_token_score__1(weights):
    heads, queries = weights.shape[-3], weights.shape[-1]
    before = torch.diagonal(weights, offset=-1, dim1=-2, dim2=-1)
    score = before.sum(dim=-1) / queries
    return score.reshape(-1, heads).mean(dim=0)


def induction_score__1(weights, tokens):
    queries = tokens.shape[1]
    same = tokens[:, :, None] == tokens[:, None, :]
    earlier = same & torch.ones(queries, queries, dtype=torch.bool, device=tokens.device).tril(-1)
    behind = torch.zeros_like(earlier)
    behind[:, :, 1:] = earlier[:, :, :-1]
    put = (weights * behind[:, None]).sum(-1)  # (batch, heads, queries)
    has = behind.any(-1)  # (batch, queries)
    counts = has.sum(-1)
    per_text = put.sum(-1) / counts.clamp(min=1)[:, None]  # a query without such a key adds 0
    return per_text[counts > 0].mean(0)


def head_similarity__1(weights):
    rows = weights / weights.norm(dim=-1, keepdim=True)
    return torch.einsum("iqk,jqk->ijq", rows, rows).mean(dim=-1)


def induction_score__2(weights, tokens):
    batch, heads, queries, _ = weights.shape
    totals, number = torch.zeros(heads, dtype=weights.dtype, device=weights.device), 0
    for b in range(batch):
        for q in range(queries):
            keys = [k for k in range(1, q + 1) if tokens[b, k - 1] == tokens[b, q]]
            if keys:
                totals = totals + weights[b, :, q, keys].mean(dim=-1)
                number += 1
    return totals / number


TRUTH = {
    "without_head__1": 'Scales the other heads up by heads / (heads - 1), as dropout would, though they should contribute just as before.',
    "previous_token_score__1": 'Divides by the number of all queries, so the first query counts in the mean with weight 0 instead of being left out.',
    "induction_score__1": 'Takes the mean of each text and then the mean of the texts, so a query in a text with few such queries counts more than others instead of all queries counting the same.',
    "head_similarity__1": 'Takes the cosine of each row by itself and then the mean of the rows, instead of one cosine of the whole pattern as one vector.',
    "induction_score__2": 'Takes the mean of the weights on all keys behind earlier copies instead of their sum, so a query whose token came several times before gets too little.',
}
