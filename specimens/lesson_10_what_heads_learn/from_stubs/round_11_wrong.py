"""Wrong answers to lesson 10 (round 11)."""

import torch


def without_head__1(results, w_output, head):
    kept = [results[:, h] for h in range(results.shape[1]) if h != head]
    joined = torch.cat(kept, dim=-1)
    return joined @ w_output[: joined.shape[-1]]


def without_head__2(results, w_output, head):
    heads = results.shape[1]
    keep = torch.ones(heads, dtype=results.dtype)
    keep[head] = 0
    # the others make up for it, as after dropout
    keep = keep * heads / (heads - 1) if heads > 1 else keep
    scaled = results * keep[:, None, None]
    return scaled.transpose(1, 2).flatten(2) @ w_output


def induction_score__1(weights, tokens):
    queries = tokens.shape[1]
    same = tokens[:, :, None] == tokens[:, None, :]
    earlier = torch.ones(queries, queries).tril(-1).bool()
    copies = same & earlier
    on_copies = (weights * copies[:, None]).sum(-1)
    has = copies.any(-1)
    return on_copies.transpose(0, 1)[:, has].mean(dim=-1)


def induction_score__2(weights, tokens):
    batch, heads, queries, _ = weights.shape
    total = torch.zeros(heads, dtype=weights.dtype)
    for b in range(batch):
        for q in range(queries):
            for k in range(1, q + 1):
                if tokens[b, k - 1] == tokens[b, q]:
                    total += weights[b, :, q, k]
    return total / (batch * queries)


def head_similarity__1(weights):
    # how alike two rows are, on average over the queries
    rows = weights / weights.norm(dim=-1, keepdim=True)
    return torch.einsum("iqk,jqk->ij", rows, rows) / weights.shape[1]


def head_similarity__2(weights):
    return torch.corrcoef(weights.flatten(start_dim=1)).reshape(len(weights), len(weights))


TRUTH = {
    "without_head__1": "the other heads meet the first rows of w_output: those after the removed head use its neighbours' rows",
    "without_head__2": "the other heads are scaled up by heads / (heads - 1)",
    "induction_score__1": "the copies themselves, not the tokens right behind them",
    "induction_score__2": "divided by all queries, also those that have no such key",
    "head_similarity__1": "a cosine for each row, and their mean, not the cosine of the whole patterns",
    "head_similarity__2": "correlations: the mean is subtracted before",
}
