"""Right answers to lesson 10, as learners write them: exercise, style."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange

# without_head


def without_head__empty_rows(results, w_output, head):
    size = results.shape[-1]
    w_output = w_output.clone()
    w_output[head * size : (head + 1) * size] = 0
    return results.transpose(1, 2).reshape(results.shape[0], results.shape[2], -1) @ w_output


def without_head__subtracts_its_part(results, w_output, head):
    batch, heads, tokens, size = results.shape
    merged = results.permute(0, 2, 1, 3).reshape(batch, tokens, heads * size)
    return merged @ w_output - results[:, head] @ w_output[head * size : (head + 1) * size]


def without_head__sum_over_the_others(results, w_output, head):
    blocks = w_output.chunk(results.shape[1])
    out = torch.zeros(results.shape[0], results.shape[2], w_output.shape[1], dtype=results.dtype)
    for h, block in enumerate(blocks):
        if h != head:
            out = out + results[:, h] @ block
    return out


def without_head__leaves_head_and_rows_out(results, w_output, head):
    heads = results.shape[1]
    others = [h for h in range(heads) if h != head]
    blocks = w_output.unflatten(0, (heads, -1))[others]
    return results[:, others].transpose(1, 2).flatten(2) @ blocks.flatten(0, 1)


def without_head__a_mask_of_ones(results, w_output, head):
    mask = torch.ones(results.shape[1], dtype=results.dtype)
    mask[head] = 0
    return (results * mask[None, :, None, None]).transpose(1, 2).flatten(-2) @ w_output


def without_head__einsum(results, w_output, head):
    blocks = rearrange(w_output, "(h s) m -> h s m", h=results.shape[1])
    keep = (torch.arange(results.shape[1]) != head).to(results.dtype)
    return einsum(results, blocks, keep, "b h t s, h s m, h -> b t m")


def without_head__masked_fill(results, w_output, head):
    gone = F.one_hot(torch.tensor(head), results.shape[1]).bool().view(1, -1, 1, 1)
    return torch.einsum(
        "bthm->btm",
        torch.einsum(
            "bhts,hsm->bthm", results.masked_fill(gone, 0.0), w_output.reshape(results.shape[1], results.shape[3], -1)
        ),
    )


def without_head__columns_of_the_merged(results, w_output, head):
    merged = rearrange(results, "b h t s -> b t (h s)").clone()
    size = results.size(-1)
    merged[..., size * head : size * head + size] = 0.0
    return F.linear(merged, w_output.T)


# previous_token_score


def previous_token_score__loops(weights):
    *_, heads, queries, keys = weights.shape
    flat = weights.reshape(-1, heads, queries, keys)
    scores = []
    for h in range(heads):
        found = [flat[n, h, q, q - 1].item() for n in range(len(flat)) for q in range(1, queries)]
        scores.append(sum(found) / len(found))
    return torch.tensor(scores, dtype=weights.dtype)


def previous_token_score__fancy_index(weights):
    queries = torch.arange(1, weights.shape[-1])
    before = weights[..., queries, queries - 1]
    return before.flatten(0, -3).mean(dim=(0, 2)) if weights.ndim > 3 else before.mean(dim=-1)


def previous_token_score__a_mask(weights):
    tokens = weights.shape[-1]
    mask = torch.diag(torch.ones(tokens - 1, dtype=weights.dtype), -1)
    share = (weights * mask).sum(dim=(-2, -1)) / (tokens - 1)
    while share.ndim > 1:
        share = share.mean(dim=0)
    return share


def previous_token_score__a_slice_first(weights):
    return (
        weights[..., 1:, :]
        .diagonal(dim1=-2, dim2=-1)
        .reshape(-1, *weights.shape[-3:-2], weights.shape[-1] - 1)
        .mean((0, 2))
    )


def previous_token_score__einsum(weights):
    flat = weights.reshape(-1, *weights.shape[-3:])
    return torch.einsum("nhqq->h", flat[:, :, 1:, :-1]) / (len(flat) * (weights.shape[-1] - 1))


def previous_token_score__numpy(weights):
    w = weights.numpy()
    before = np.diagonal(w, offset=-1, axis1=-2, axis2=-1)
    axes = tuple(a for a in range(before.ndim) if a != before.ndim - 2)
    return torch.from_numpy(np.asarray(before.mean(axis=axes)))


def previous_token_score__gather(weights):
    before = torch.arange(weights.shape[-1] - 1).expand(*weights.shape[:-2], -1)[..., None]
    found = weights[..., 1:, :].gather(-1, before)[..., 0]
    return found.movedim(-2, 0).reshape(weights.shape[-3], -1).mean(1)


# induction_score


def induction_score__loops(weights, tokens):
    batch, heads, queries, _ = weights.shape
    total, asked = torch.zeros(heads, dtype=weights.dtype), 0
    for b in range(batch):
        for q in range(queries):
            behind = [j + 1 for j in range(q) if tokens[b, j] == tokens[b, q]]
            if behind:
                asked += 1
                total += weights[b, :, q, behind].sum(dim=-1)
    return total / asked


def induction_score__roll(weights, tokens):
    n = tokens.shape[1]
    equal = tokens.unsqueeze(2) == tokens.unsqueeze(1)
    earlier = torch.logical_and(equal, torch.ones(n, n, dtype=torch.bool).tril(diagonal=-1))
    behind = earlier.roll(1, dims=-1)
    behind[..., 0] = False
    has = behind.any(dim=-1)
    found = torch.einsum("bhqk,bqk->bhq", weights, behind.to(weights.dtype))
    return found.transpose(0, 1)[:, has].mean(dim=-1)


def induction_score__previous_tokens(weights, tokens):
    before = torch.cat([torch.full_like(tokens[:, :1], -1), tokens[:, :-1]], dim=1)
    places = torch.arange(tokens.shape[1])
    behind = (before[:, None, :] == tokens[:, :, None]) & (places <= places[:, None])
    found = weights.masked_fill(~behind[:, None], 0).sum(-1)
    return found.sum((0, 2)) / behind.any(-1).sum()


def induction_score__slices(weights, tokens):
    copies = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)[:, :, :-1]
    found = (weights[..., 1:] * copies[:, None]).sum(-1)
    return torch.stack([found[:, h][copies.any(-1)].mean() for h in range(weights.shape[1])])


def induction_score__where(weights, tokens):
    n = tokens.size(1)
    i, j = torch.meshgrid(torch.arange(n), torch.arange(n), indexing="ij")
    hit = torch.zeros(len(tokens), n, n, dtype=torch.bool)
    for b, row in enumerate(tokens):
        hit[b] = (row[i] == row[(j - 1).clamp(min=0)]) & (j > 0) & (j - 1 < i)
    per_query = torch.where(hit[:, None], weights, torch.zeros_like(weights)).sum(3)
    counts = hit.any(2).unsqueeze(1).expand_as(per_query)
    return (per_query * counts).sum((0, 2)) / counts.sum((0, 2))


def induction_score__one_head_at_a_time(weights, tokens):
    scores = []
    for head in weights.unbind(1):
        found = []
        for pattern, row in zip(head, tokens.tolist()):
            for q, token in enumerate(row):
                keys = [k for k in range(1, q + 1) if row[k - 1] == token]
                if keys:
                    found.append(math.fsum(pattern[q, k].item() for k in keys))
        scores.append(sum(found) / len(found))
    return torch.tensor(scores)


# head_similarity


def head_similarity__torch_function(weights):
    flat = weights.flatten(1)
    return torch.cosine_similarity(flat[:, None], flat[None], dim=-1)


def head_similarity__normalize(weights):
    units = F.normalize(weights.reshape(len(weights), -1), dim=1)
    return units @ units.T


def head_similarity__loops(weights):
    heads = len(weights)
    table = torch.empty(heads, heads, dtype=weights.dtype)
    for a in range(heads):
        for b in range(heads):
            table[a, b] = (weights[a] * weights[b]).sum() / (weights[a].norm() * weights[b].norm())
    return table


def head_similarity__frobenius(weights):
    products = torch.einsum("aqk,bqk->ab", weights, weights)
    lengths = torch.linalg.matrix_norm(weights)
    return products / torch.outer(lengths, lengths)


def head_similarity__from_its_diagonal(weights):
    flat = rearrange(weights, "h q k -> h (q k)")
    gram = flat @ flat.mT
    scale = gram.diagonal().rsqrt()
    return scale[:, None] * gram * scale


def head_similarity__tensordot(weights):
    units = weights / weights.pow(2).sum(dim=(1, 2), keepdim=True).sqrt()
    return torch.tensordot(units, units, dims=([1, 2], [1, 2]))
