"""Right answers to lesson 10 (round 19)."""

import torch
import torch.nn.functional as F


def without_head__1(results, w_output, head):
    heads, head_size = results.shape[1], results.shape[3]
    others = torch.arange(heads, device=results.device) != head
    blocks = w_output.reshape(heads, head_size, -1)
    return torch.einsum("bhtd,hdm->btm", results[:, others], blocks[others])


def previous_token_score__1(weights):
    previous = torch.einsum("...qq->...q", weights[..., 1:, :-1])
    return previous.movedim(-2, 0).flatten(1).mean(dim=1)


def induction_score__1(weights, tokens):
    sums = []
    for b, text in enumerate(tokens.tolist()):
        for q, token in enumerate(text):
            hits = [k for k in range(1, q + 1) if text[k - 1] == token]
            if hits:
                sums.append(sum(weights[b, :, q, k] for k in hits))
    return sum(sums) / len(sums)


def head_similarity__1(weights):
    flat = weights.flatten(1)
    return F.cosine_similarity(flat[:, None], flat[None, :], dim=-1)


WHY = {
    "without_head__1": 'Right: an einsum over the other heads and their blocks of rows.',
    "previous_token_score__1": 'Right: the first query and the last key are cut off, and an einsum with a doubled letter takes the main diagonal of the rest.',
    "induction_score__1": 'Right: plain loops over texts, queries and keys.',
    "head_similarity__1": 'Right: F.cosine_similarity of all pairs of flattened patterns.',
}
