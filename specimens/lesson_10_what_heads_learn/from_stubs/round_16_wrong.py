"""Wrong answers to lesson 10 (round 16)."""

import torch
import torch.nn.functional as F



def without_head__1(results, w_output, head):
    batch, heads, tokens, head_size = results.shape
    w = w_output.clone()
    w[head::heads] = 0
    merged = results.transpose(1, 2).reshape(batch, tokens, heads * head_size)
    return merged @ w


def without_head__2(results, w_output, head):
    heads, head_size = results.shape[1], results.shape[3]
    blocks = w_output.reshape(heads, head_size, -1)
    keep = torch.ones(heads, dtype=results.dtype, device=results.device)
    keep[head] = 0
    keep = keep * heads / (heads - 1)
    return torch.einsum("bhts,hsm,h->btm", results, blocks, keep)


def previous_token_score__1(weights):
    heads, queries = weights.shape[-3], weights.shape[-2]
    on_previous = weights.diagonal(offset=-1, dim1=-2, dim2=-1).sum(dim=-1)
    return on_previous.reshape(-1, heads).mean(dim=0) / queries


def previous_token_score__2(weights):
    heads = weights.shape[-3]
    neighbours = torch.diagonal(weights, offset=1, dim1=-2, dim2=-1)
    return neighbours.mean(dim=-1).reshape(-1, heads).mean(dim=0)


def induction_score__1(weights, tokens):
    same = tokens[:, :, None] == tokens[:, None, :]
    counts = same.tril(diagonal=-1)
    has_one = counts.any(dim=-1)
    summed = (weights * counts[:, None]).sum(dim=-1)
    return summed.transpose(0, 1)[:, has_one].mean(dim=-1)


def induction_score__2(weights, tokens):
    batch, heads, queries, _ = weights.shape
    total = weights.new_zeros(heads)
    for b in range(batch):
        for q in range(queries):
            for k in range(1, q + 1):
                if tokens[b, k - 1] == tokens[b, q]:
                    total = total + weights[b, :, q, k]
    return total / (batch * queries)


def induction_score__3(weights, tokens):
    copies = tokens[:, :, None] == tokens[:, None, :]
    behind = torch.zeros_like(copies)
    behind[:, :, 1:] = copies[:, :, :-1]
    behind = behind.tril(-1)
    counted = behind.any(-1)
    per_query = torch.einsum("bhqk,bqk->bhq", weights, behind.to(weights.dtype))
    return per_query.sum(dim=(0, 2)) / counted.sum()


def head_similarity__1(weights):
    unit = F.normalize(weights, dim=-1)
    return torch.einsum("iqk,jqk->qij", unit, unit).mean(dim=0)


def head_similarity__2(weights):
    heads, queries, keys = weights.shape
    flat = weights.reshape(heads, queries * keys)
    return flat @ flat.T / queries


TRUTH = {
    "without_head__1": "Takes every heads-th row of w_output for a head's rows instead of one consecutive block, so parts of all heads are left out and the chosen head still contributes.",
    "without_head__2": 'Rescales the remaining heads by heads / (heads - 1) as dropout does, although only the contribution of one head is to be missing.',
    "previous_token_score__1": 'Divides by all queries although the first one, which has no token before it, is left out of the sum, so every score is too small by (queries - 1) / queries.',
    "previous_token_score__2": 'Takes the diagonal above the main one, that is the weight on the token after the query, which is 0 in causal patterns.',
    "induction_score__1": 'Adds up the weight on the earlier copies themselves instead of on the tokens right behind them.',
    "induction_score__2": 'The mean goes over all queries, also those without such a key, whose zeros pull the score down.',
    "induction_score__3": "Only keys strictly before the query count, although the key at the query's own position counts when the token right before it is a copy.",
    "head_similarity__1": "Computes the cosine of each query's row and averages these, instead of one cosine of the whole patterns, so rows with small norm count as much as rows with a large one.",
    "head_similarity__2": "Divides the dot products by the number of queries because each row sums to 1, but a sum of 1 is not a length of 1, so a head's similarity with itself is below 1 unless all its rows are one-hot.",
}
