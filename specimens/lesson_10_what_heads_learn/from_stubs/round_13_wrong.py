"""Wrong answers to lesson 10 (round 13)."""

import torch


def without_head__1(results, w_output, head):
    size = results.shape[-1]
    joined = results.transpose(1, 2).flatten(2)
    weights = w_output.clone()
    weights[:, head * size : (head + 1) * size] = 0
    return joined @ weights


def without_head__2(results, w_output, head):
    mean = results.mean(dim=1)
    changed = results.clone()
    changed[:, head] = mean  # as good as nothing
    return changed.transpose(1, 2).reshape(*mean.shape[:2], -1) @ w_output


def induction_score__1(weights, tokens):
    batch, heads, n, _ = weights.shape
    found = []
    for b in range(batch):
        for q in range(n):
            earlier = [k for k in range(q) if tokens[b, k] == tokens[b, q]]
            if earlier:
                found.append(weights[b, :, q, earlier[-1] + 1])  # the newest copy
    return torch.stack(found).mean(0)


def induction_score__2(weights, tokens):
    n = tokens.shape[1]
    copy = (tokens[:, :, None] == tokens[:, None, :]) & torch.ones(n, n).tril(-1).bool()
    behind = copy.roll(1, dims=-1)
    per_key = (weights * behind[:, None]).sum((0, 2, 3)) / behind.sum()
    return per_key


def head_similarity__1(weights):
    # what each head looks at, on average
    mean = weights.mean(dim=1)
    mean = mean / mean.norm(dim=-1, keepdim=True)
    return mean @ mean.T


def head_similarity__2(weights):
    flat = weights.flatten(1)
    flat = flat / flat.sum(dim=1, keepdim=True)
    return flat @ flat.T


TRUTH = {
    "without_head__1": "columns of w_output become 0, not the head's rows",
    "without_head__2": "the head is replaced by the mean of all, not left out",
    "induction_score__1": "only the token behind the newest copy counts, not those behind all",
    "induction_score__2": "the mean goes over all such keys, not over queries",
    "head_similarity__1": "patterns are averaged over the queries before they are compared",
    "head_similarity__2": "divided by their sums, not by their lengths",
}
