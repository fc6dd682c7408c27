"""Wrong answers to lesson 10 (round 19)."""

import torch
import torch.nn.functional as F

from mha_ref import cosines, merge_heads


def without_head__1(results, w_output, head):
    heads = results.shape[1]
    keep = torch.ones(heads, dtype=results.dtype, device=results.device)
    keep[head] = 0
    kept = results * keep.view(1, heads, 1, 1)
    if heads > 1:
        kept = kept * heads / (heads - 1)
    return merge_heads(kept) @ w_output


def without_head__2(results, w_output, head):
    heads = results.shape[1]
    w = w_output.clone()
    w[head::heads] = 0
    return merge_heads(results) @ w


def previous_token_score__1(weights):
    favourite = weights[..., 1:, :].argmax(dim=-1)
    before = torch.arange(weights.shape[-2] - 1, device=weights.device)
    hits = (favourite == before).to(weights.dtype)
    return hits.movedim(-2, 0).flatten(1).mean(dim=1)


def previous_token_score__2(weights):
    queries = weights.shape[-1]
    on_previous = weights.diagonal(offset=-1, dim1=-2, dim2=-1).sum(-1) / queries
    heads = on_previous.shape[-1]
    return on_previous.reshape(-1, heads).mean(0)


def induction_score__1(weights, tokens):
    n = tokens.shape[1]
    same = tokens[:, :, None] == tokens[:, None, :]
    counts = torch.zeros_like(same)
    counts[:, :, 1:] = same[:, :, :-1]
    counts &= torch.ones(n, n, dtype=torch.bool, device=tokens.device).tril()
    number = counts.sum(-1)
    total = (weights * counts[:, None]).sum(-1)
    per_query = total / number.clamp(min=1)[:, None]
    has_one = (number > 0)[:, None]
    return (per_query * has_one).sum((0, 2)) / has_one.sum()


def induction_score__2(weights, tokens):
    scores = []
    for pattern, text in zip(weights, tokens):
        n = len(text)
        counts = torch.zeros(n, n, dtype=torch.bool, device=weights.device)
        counts[:, 1:] = text[:, None] == text[None, :-1]
        counts = counts.tril()
        rows = counts.any(dim=-1)
        if rows.any():
            scores.append((pattern * counts).sum(dim=-1)[:, rows].mean(dim=-1))
    return torch.stack(scores).mean(dim=0)


def induction_score__3(weights, tokens):
    batch, n = tokens.shape
    position = torch.arange(n, device=tokens.device)
    before = torch.roll(tokens, 1, dims=1)
    counts = tokens[:, :, None] == before[:, None, :]
    counts = counts & (position[None, :] > 0) & (position[None, :] < position[:, None])
    total = torch.einsum("bhqk,bqk->h", weights, counts.to(weights.dtype))
    return total / counts.any(dim=-1).sum()


def head_similarity__1(weights):
    rows = F.normalize(weights, dim=-1)
    cosines = torch.einsum("aqk,bqk->abq", rows, rows)
    return cosines.mean(dim=-1)


def head_similarity__2(weights):
    flat = weights.flatten(start_dim=1)
    centred = flat - flat.mean(dim=1, keepdim=True)
    unit = centred / centred.norm(dim=1, keepdim=True)
    return unit @ unit.T


TRUTH = {
    "without_head__1": 'The other heads are scaled up by heads / (heads - 1), as dropout would do it, although they should contribute what they did before.',
    "without_head__2": 'Every heads-th row of w_output is set to 0, beginning with row `head`, although the rows of a head are one block of neighbouring rows.',
    "previous_token_score__1": 'It gives the share of queries whose largest weight is on the token before, instead of the mean weight on that token.',
    "previous_token_score__2": 'The sum is divided by the number of all queries, so the first query, which has no token before it, counts as a 0.',
    "induction_score__1": 'The weights on the keys that count are averaged for each query instead of added up, so a query with several such keys scores too low.',
    "induction_score__2": 'The mean is taken in each text first and then over the texts, so queries in texts with few copies weigh more than the others.',
    "induction_score__3": "A key at the query's own position is left out, although it counts where the token right before the query is a copy of it.",
    "head_similarity__1": 'The cosine is computed for each row by itself and then averaged, instead of once for the whole patterns as one long vector.',
    "head_similarity__2": 'The mean of each pattern is subtracted first, so the result is a correlation and not a cosine.',
}
