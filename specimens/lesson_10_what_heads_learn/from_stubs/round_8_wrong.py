"""Wrong answers to lesson 10, what heads learn (round 8)."""

import torch


def without_head__1(results, w_output, head):
    # put heads beside each other, silence one, project
    by_token = results.transpose(1, 2)
    by_token[:, :, head] = 0
    return by_token.flatten(2) @ w_output


def without_head__2(results, w_output, head):
    batch, heads, tokens, head_size = results.shape
    others = [results[:, h] for h in range(heads) if h != head]
    if not others:
        return results.new_zeros(batch, tokens, w_output.shape[1])
    joined = torch.cat(others, dim=-1)
    return joined @ w_output[: (heads - 1) * head_size]


def without_head__3(results, w_output, head):
    batch, heads, tokens, head_size = results.shape
    keep = torch.ones(heads, dtype=results.dtype, device=results.device)
    keep[head] = 0
    blocks = w_output.reshape(head_size, heads, -1)
    return torch.einsum("bhts,shm,h->btm", results, blocks, keep)


def previous_token_score__1(weights):
    along = torch.diagonal(weights, offset=1, dim1=-2, dim2=-1)
    heads = weights.shape[-3]
    return along.reshape(-1, heads, along.shape[-1]).mean(dim=(0, 2))


def previous_token_score__2(weights):
    heads, queries = weights.shape[-3], weights.shape[-2]
    flat = weights.reshape(-1, heads, queries, queries)
    total = torch.zeros(heads, dtype=weights.dtype, device=weights.device)
    for q in range(1, queries):
        total = total + flat[:, :, q, q - 1].mean(dim=0)
    return total / queries


def previous_token_score__3(weights):
    score = weights.diagonal(-1, -2, -1).mean(-1)
    if score.dim() > 1:
        score = score.mean(0)
    return score


def induction_score__1(weights, tokens):
    batch, heads, n, _ = weights.shape
    match = torch.zeros(batch, n, n, dtype=torch.bool, device=weights.device)
    match[:, :, 1:] = tokens[:, :, None] == tokens[:, None, :-1]
    match &= torch.ones(n, n, dtype=torch.bool, device=weights.device).tril()
    per_query = (weights * match[:, None]).sum(-1)
    has = match.any(-1)
    per_text = per_query.sum(-1)[has.any(-1)] / has.sum(-1)[has.any(-1)][:, None]
    return per_text.mean(0)


def induction_score__2(weights, tokens):
    n = tokens.shape[1]
    before = torch.roll(tokens, 1, dims=1)
    match = tokens[:, :, None] == before[:, None, :]
    match[:, :, 0] = False
    match = torch.tril(match, diagonal=-1)
    has = match.any(dim=-1)
    sums = (weights * match.unsqueeze(1)).sum(dim=-1)
    return (sums * has.unsqueeze(1)).sum(dim=(0, 2)) / has.sum()


def induction_score__3(weights, tokens):
    batch, heads, n, _ = weights.shape
    total, count = torch.zeros(heads, dtype=weights.dtype), 0
    for b in range(batch):
        for q in range(n):
            keys = [k + 1 for k in range(q) if tokens[b, k] == tokens[b, q]]
            if keys:
                total += weights[b, :, q, keys].mean(dim=-1)
                count += 1
    return total / count


def induction_score__4(weights, tokens):
    batch, heads, n, _ = weights.shape
    total, count = torch.zeros(heads, dtype=weights.dtype), 0
    for b in range(batch):
        last_seen = {}
        for q, token in enumerate(tokens[b].tolist()):
            if token in last_seen:
                total += weights[b, :, q, last_seen[token] + 1]
                count += 1
            last_seen[token] = q
    return total / count


def head_similarity__1(weights):
    unit = weights / weights.norm(dim=-1, keepdim=True)
    return torch.einsum("hqk,gqk->hg", unit, unit) / weights.shape[1]


def head_similarity__2(weights):
    return torch.corrcoef(weights.flatten(1)).reshape(len(weights), len(weights))


def head_similarity__3(weights):
    flat = weights.flatten(1)
    dots = flat @ flat.T
    return dots / dots.diagonal()


TRUTH = {
    "without_head__1": "transpose gives a view, so the head is set to zero in the caller's results.",
    "without_head__2": "The remaining heads are multiplied with the first rows of w_output: heads behind the missing one meet the rows of their neighbour.",
    "without_head__3": "The rows of w_output are read as interleaved (head_size, heads) and not as one block for each head.",
    "previous_token_score__1": "Reads the diagonal above the main one: the weight on the next token.",
    "previous_token_score__2": "Divides by all queries, although the first one is left out of the sum.",
    "previous_token_score__3": "Averages over one axis in front at most: with two or more, the result is not (heads,).",
    "induction_score__1": "Takes the mean of the texts' means, not the mean over all queries of all texts together.",
    "induction_score__2": "Leaves out the key at the query's own place (tril with -1), which counts when the token right before is the same.",
    "induction_score__3": "Takes the mean of the weights on a query's keys, where they should be added up.",
    "induction_score__4": "Uses only the latest earlier copy of the token and forgets older ones.",
    "head_similarity__1": "Mean of the cosines row by row, not the cosine of the whole patterns.",
    "head_similarity__2": "Correlation: the mean is taken off each pattern before the cosine.",
    "head_similarity__3": "Divides by the squared norm of the second head only: not symmetric unless all norms are equal.",
}
