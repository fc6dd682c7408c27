"""Wrong answers to lesson 10 (round 15)."""

import torch
import torch.nn.functional as F



def without_head__1(results, w_output, head):
    head_size = results.shape[-1]
    w = w_output.clone()
    w[:, head * head_size : (head + 1) * head_size] = 0
    merged = results.transpose(1, 2).flatten(start_dim=2)
    return merged @ w


def without_head__2(results, w_output, head):
    batch, heads, tokens, head_size = results.shape
    kept = results.clone()
    kept[:, head] = 0
    merged = kept.reshape(batch, tokens, heads * head_size)
    return merged @ w_output


def previous_token_score__1(weights):
    heads, queries = weights.shape[-3], weights.shape[-2]
    total = torch.zeros(weights.shape[:-2], dtype=weights.dtype, device=weights.device)
    for q in range(1, queries):
        total = total + weights[..., q, q - 1]
    return (total / queries).reshape(-1, heads).mean(dim=0)


def previous_token_score__2(weights):
    before = torch.diagonal(weights, offset=-1, dim1=-2, dim2=-1)
    return before.mean(dim=(0, 2))


def induction_score__1(weights, tokens):
    n = tokens.shape[1]
    same = tokens[:, :, None] == tokens[:, None, :]
    earlier = torch.ones(n, n, dtype=torch.bool, device=tokens.device).tril(-1)
    counts = same & earlier
    mass = (weights * counts[:, None]).sum(dim=-1)
    has_one = counts.any(dim=-1)
    return mass.transpose(0, 1)[:, has_one].mean(dim=1)


def induction_score__2(weights, tokens):
    scores = []
    n = tokens.shape[1]
    position = torch.arange(n, device=tokens.device)
    for pattern, text in zip(weights, tokens):
        before = text.roll(1)
        counts = (text[:, None] == before[None, :]) & (position[None, :] <= position[:, None]) & (position > 0)[None, :]
        mass = (pattern * counts).sum(dim=-1)
        fitting = counts.any(dim=-1)
        scores.append((mass * fitting).sum(dim=-1) / fitting.sum().clamp(min=1))
    return torch.stack(scores).mean(dim=0)


def induction_score__3(weights, tokens):
    batch, heads, n, _ = weights.shape
    total = torch.zeros(heads, dtype=weights.dtype, device=weights.device)
    found = 0
    for b in range(batch):
        for q in range(n):
            fitting = [k for k in range(1, q) if tokens[b, k - 1] == tokens[b, q]]
            if fitting:
                found += 1
                for k in fitting:
                    total = total + weights[b, :, q, k]
    return total / found


def head_similarity__1(weights):
    rows = F.cosine_similarity(weights[:, None], weights[None, :], dim=-1)
    return rows.mean(dim=-1)


TRUTH = {
    "without_head__1": "The head's block of columns of w_output is set to zero instead of its block of rows, which blanks some output numbers of all heads and leaves the head in the others.",
    "without_head__2": 'The heads are merged by a reshape without swapping heads and tokens first, so the numbers of different tokens end up in one row.',
    "previous_token_score__1": 'The sum is divided by the number of all queries although the first one is left out, so every score comes out too small by (queries - 1) / queries.',
    "previous_token_score__2": 'The mean is written for exactly one axis in front of the heads: without such an axis it raises an error, with two it averages over the wrong ones.',
    "induction_score__1": "The weights on the earlier copies of the query's token are added up instead of the weights on the keys right behind them, so it measures heads that look for the same token.",
    "induction_score__2": 'First a mean is taken for each text and then over the texts, instead of over all queries together, so a text with few fitting queries (or none, counted as 0) weighs as much as one with many.',
    "induction_score__3": "Only keys strictly before the query are counted, although the key may be at the query's own position, so in a doubled token (a a) the fitting key is missed.",
    "head_similarity__1": 'A cosine is computed for each row and averaged, instead of one cosine of the whole patterns taken as one vector, so rows with large norms do not count for more.',
}
