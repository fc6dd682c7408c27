"""Right answers to lesson 10, what heads learn (round 8)."""

import torch


def without_head__1(results, w_output, head):
    batch, heads, tokens, size = results.shape
    total = results.new_zeros(batch, tokens, w_output.shape[1])
    for h in range(heads):
        if h == head:
            continue
        total = total + results[:, h] @ w_output[h * size:(h + 1) * size]
    return total


def previous_token_score__1(weights):
    heads, n = weights.shape[-3], weights.shape[-1]
    below = torch.diag(torch.ones(n - 1, dtype=weights.dtype, device=weights.device), -1)
    flat = weights.reshape(-1, heads, n, n)
    return torch.einsum("bhqk,qk->h", flat, below) / (flat.shape[0] * (n - 1))


def induction_score__1(weights, tokens):
    batch, heads, n, _ = weights.shape
    found = [[] for _ in range(heads)]
    texts = tokens.tolist()
    for b, text in enumerate(texts):
        for q in range(n):
            keys = [k for k in range(1, q + 1) if text[k - 1] == text[q]]
            if not keys:
                continue
            for h in range(heads):
                found[h].append(sum(weights[b, h, q, k].item() for k in keys))
    return torch.tensor([sum(f) / len(f) for f in found], dtype=weights.dtype)


def head_similarity__1(weights):
    unit = weights.to(torch.float64, copy=True).flatten(1)
    unit /= unit.square().sum(1, keepdim=True).sqrt()
    plus = (unit[:, None] + unit[None]).square().sum(-1)
    minus = (unit[:, None] - unit[None]).square().sum(-1)
    return ((plus - minus) / 4).to(weights.dtype)


WHY = {
    "without_head__1": "Adds up head by head, each with its own block of rows, and skips one; nothing is concatenated.",
    "previous_token_score__1": "einsum with a matrix of ones below the diagonal, instead of diagonal().",
    "induction_score__1": "Lists and plain Python numbers, in loops.",
    "head_similarity__1": "In float64 on a copy, the dot product from lengths of sum and difference.",
}
