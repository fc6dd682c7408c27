"""Wrong answers to lesson 10 (round 14)."""

import torch


def without_head__1(results, w_output, head):
    weights = w_output.clone()
    weights[head] = 0
    batch, heads, tokens, size = results.shape
    return results.transpose(1, 2).reshape(batch, tokens, heads * size) @ weights


def without_head__2(results, w_output, head):
    batch, heads, tokens, size = results.shape
    keep = torch.ones(heads, dtype=results.dtype, device=results.device)
    keep[head] = 0
    kept = results * keep[:, None, None] * heads / max(heads - 1, 1)
    return kept.transpose(1, 2).flatten(2) @ w_output


def previous_token_score__1(weights):
    queries = weights.shape[-1]
    total = sum(weights[..., i, i - 1] for i in range(1, queries)) / queries
    return total.reshape(-1, weights.shape[-3]).mean(dim=0)


def previous_token_score__2(weights):
    before = weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean(dim=-1)
    return before.mean(dim=0)


def induction_score__1(weights, tokens):
    n = tokens.shape[1]
    same = tokens[:, :, None] == tokens[:, None, :]
    counts = same & torch.ones(n, n, dtype=torch.bool, device=tokens.device).tril(-1)
    sums = (weights * counts[:, None]).sum(dim=-1)
    has = counts.any(dim=-1)
    return sums.transpose(0, 1)[:, has].mean(dim=-1)


def induction_score__2(weights, tokens):
    scores = []
    for pattern, text in zip(weights, tokens):
        n = len(text)
        found = []
        for q in range(n):
            keys = [k for k in range(1, q + 1) if text[k - 1] == text[q]]
            if keys:
                found.append(pattern[:, q, keys].sum(dim=-1))
        if found:
            scores.append(torch.stack(found).mean(dim=0))
    return torch.stack(scores).mean(dim=0)


def head_similarity__1(weights):
    unit = weights / weights.norm(dim=-1, keepdim=True)
    return torch.einsum("iqk,jqk->ij", unit, unit) / weights.shape[1]


def head_similarity__2(weights):
    return torch.corrcoef(weights.flatten(start_dim=1))


TRUTH = {
    "without_head__1": "It sets one row of w_output to zero, number `head`; a head owns head_size rows.",
    "without_head__2": "It scales the other heads up by heads / (heads - 1), as dropout does.",
    "previous_token_score__1": "The sum is divided by all queries, though the first has no token before it.",
    "previous_token_score__2": "It takes the mean over exactly one axis in front of the heads; without one it averages the heads themselves.",
    "induction_score__1": "It adds the weights on the earlier copies themselves, not on the keys right behind them.",
    "induction_score__2": "It takes the mean within each text and then over the texts; the mean is over all such queries together.",
    "head_similarity__1": "It takes the cosine of each row and then the mean; the whole pattern is one vector.",
    "head_similarity__2": "corrcoef subtracts the mean first: a correlation, not a cosine.",
}
