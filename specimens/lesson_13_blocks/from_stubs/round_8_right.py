"""Right answers to lesson 13, attention in blocks (round 8)."""

import math

import torch


def log_sum_exp__1(scores, axis=-1):
    rows = scores.movedim(axis, -1)
    ordered = rows.sort(dim=-1, descending=True).values
    top = ordered[..., 0].detach()
    top = torch.where(top == -math.inf, torch.zeros_like(top), top)
    total = torch.exp(ordered - top[..., None]).sum(-1)
    empty = total == 0
    logs = torch.log(total.masked_fill(empty, 1.0)) + top
    return logs.masked_fill(empty, -math.inf)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    outputs = torch.stack([output_a, output_b]).double()
    lses = torch.stack([lse_a, lse_b]).double()
    outputs = torch.where(lses[..., None] == -math.inf, torch.zeros_like(outputs), outputs)
    top = lses.amax(0).nan_to_num(neginf=0.0)
    shares = (lses - top).exp()
    total = shares.sum(0)
    joined = torch.einsum("pqv,pq->qv", outputs.flatten(1, -2), shares.flatten(1))
    joined = joined.reshape(output_a.shape) / total.masked_fill(total == 0, 1.0)[..., None]
    return joined.to(output_a.dtype), (top + total.log()).to(lse_a.dtype)


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    step = max(1, min(block, (keys + 1) // 2))
    place = torch.arange(keys - queries, keys, device=query.device)[:, None]

    def scores_from(start):
        part = key[..., start:start + step, :]
        scores = torch.einsum("...qf,...kf->...qk", query, part) / math.sqrt(query.shape[-1])
        if causal:
            here = torch.arange(start, start + part.shape[-2], device=query.device)
            scores = scores.masked_fill(here > place, -math.inf)
        return scores

    with torch.no_grad():
        top = query.new_full(query.shape[:-1], -math.inf)
        for start in range(0, keys, step):
            top = torch.maximum(top, scores_from(start).amax(-1))
    above, below = 0, 0
    for start in range(0, keys, step):
        e = (scores_from(start) - top[..., None]).exp()
        above = above + e @ value[..., start:start + step, :]
        below = below + e.sum(-1, keepdim=True)
    return above / below


def attention_in_blocks__2(query, key, value, block, causal=False):
    queries, keys, features = query.shape[-2], key.shape[-2], query.shape[-1]
    rows = []
    for i in range(queries):
        stop = keys - queries + i + 1 if causal else keys
        q = query[..., i, :]
        best = total = result = None
        # from the last key it sees to the first
        while stop > 0:
            start = max(0, stop - block)
            k, v = key[..., start:stop, :], value[..., start:stop, :]
            scores = (k @ q[..., None]).squeeze(-1) / features ** 0.5
            top = scores.amax(-1, keepdim=True)
            new = top if best is None else torch.maximum(best, top)
            e = (scores - new).exp()
            add_total, add = e.sum(-1, keepdim=True), (e[..., None, :] @ v).squeeze(-2)
            if best is None:
                total, result = add_total, add
            else:
                old = (best - new).exp()
                total, result = total * old + add_total, result * old + add
            best, stop = new, start
        rows.append(result / total)
    return torch.stack(rows, dim=-2)


WHY = {
    "log_sum_exp__1": "Sorts each row to get at its maximum; rows of -inf are set apart, so that their gradient is no NaN either.",
    "merge_attention__1": "Both parts stacked on a new axis, in float64, joined with einsum.",
    "attention_in_blocks__1": "Two passes: the maximum first, then the sums, so nothing is rescaled; blocks never hold more than about half the keys.",
    "attention_in_blocks__2": "One query at a time, blocks from the last key it sees back to the first; needs no mask.",
}
