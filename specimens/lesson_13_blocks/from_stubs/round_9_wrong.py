"""Wrong answers to lesson 13 (round 9)."""
import math
import torch


def log_sum_exp__1(scores, axis=-1):
    # one maximum for everything: it is the same shift on both sides, so it cancels
    highest = scores.detach().max()
    if highest == -math.inf:
        highest = torch.zeros_like(highest)
    return highest + (scores - highest).exp().sum(dim=axis).log()


def log_sum_exp__2(scores, axis=-1):
    # -inf - -inf would be NaN, so -inf becomes the lowest number there is
    lowest = torch.finfo(scores.dtype).min
    finite = torch.where(scores == -math.inf, torch.full_like(scores, lowest), scores)
    top = torch.amax(finite, dim=axis, keepdim=True)
    total = torch.exp(finite - top).sum(dim=axis, keepdim=True)
    return (top + torch.log(total)).squeeze(axis)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    # two shares that make one whole: a sigmoid of the difference
    share_a = torch.nan_to_num(torch.sigmoid(lse_a - lse_b), nan=0.0)[..., None]
    share_b = 1 - share_a
    part_a = torch.where(share_a > 0, output_a, torch.zeros_like(output_a))
    part_b = torch.where(share_b > 0, output_b, torch.zeros_like(output_b))
    return share_a * part_a + share_b * part_b, torch.logaddexp(lse_a, lse_b)


def merge_attention__2(output_a, lse_a, output_b, lse_b):
    # a part without keys is without keys for every query
    empty_a = bool((lse_a == -math.inf).all())
    empty_b = bool((lse_b == -math.inf).all())
    if empty_a and empty_b:
        return torch.zeros_like(output_a), lse_a.clone()
    if empty_a:
        return output_b.clone(), lse_b.clone()
    if empty_b:
        return output_a.clone(), lse_a.clone()
    top = torch.maximum(lse_a, lse_b).detach()
    a, b = torch.exp(lse_a - top), torch.exp(lse_b - top)
    output = (a.unsqueeze(-1) * output_a + b.unsqueeze(-1) * output_b) / (a + b).unsqueeze(-1)
    return output, top + torch.log(a + b)


def attention_in_blocks__1(query, key, value, block, causal=False):
    # each block of queries is finished before the next begins, so the big matrix never exists
    scale = 1 / math.sqrt(query.shape[-1])
    queries, keys = query.shape[-2], key.shape[-2]
    pieces = []
    for start in range(0, queries, block):
        some = query[..., start:start + block, :]
        scores = torch.einsum("...qf,...kf->...qk", some, key) * scale
        if causal:
            own = torch.arange(start, start + some.shape[-2])[:, None] + keys - queries
            scores = scores.masked_fill(torch.arange(keys)[None, :] > own, -math.inf)
        pieces.append(torch.softmax(scores, dim=-1) @ value)
    return torch.cat(pieces, dim=-2)


def attention_in_blocks__2(query, key, value, block, causal=False):
    queries, features = query.shape[-2:]
    keys = key.shape[-2]
    # the running state: the highest score so far, the sum, and the weighted values, all begin at nothing
    highest = torch.zeros_like(query[..., :1])
    total = torch.zeros_like(query[..., :1])
    mixed = query.new_zeros(query.shape[:-1] + value.shape[-1:])
    own = torch.arange(queries)[:, None] + (keys - queries)
    for start in range(0, keys, block):
        k = key[..., start:start + block, :]
        v = value[..., start:start + block, :]
        scores = query @ k.transpose(-2, -1) / features ** 0.5
        if causal:
            scores = scores.masked_fill(torch.arange(start, start + k.shape[-2]) > own, float("-inf"))
        new = torch.maximum(highest, scores.amax(-1, keepdim=True))
        weights = (scores - new).exp()
        shrink = (highest - new).exp()
        total = total * shrink + weights.sum(-1, keepdim=True)
        mixed = mixed * shrink + weights @ v
        highest = new
    return mixed / total


def attention_in_blocks__3(query, key, value, block, causal=False):
    # a block's attention is an average over its keys; averages are joined by how many went into each
    queries, keys = query.shape[-2], key.shape[-2]
    position = torch.arange(queries) + keys - queries
    result, seen = 0, torch.zeros(queries, 1, dtype=query.dtype)
    for k, v, place in zip(key.split(block, -2), value.split(block, -2), torch.arange(keys).split(block)):
        look = place <= position[:, None] if causal else torch.ones(queries, len(place), dtype=torch.bool)
        scores = (query / query.shape[-1] ** 0.5) @ k.mT
        weights = scores.masked_fill(~look, -math.inf).softmax(-1)
        weights = torch.where(look.any(-1, keepdim=True), weights, torch.zeros_like(weights))
        count = look.sum(-1, keepdim=True).to(query.dtype)
        result = result + count * (weights @ v)
        seen = seen + count
    return result / seen


TRUTH = {
    "log_sum_exp__1": "The maximum is that of the whole tensor, not of each row: with [[1000, 1000], [-1000, -1000]] the second row vanishes and gives -inf instead of -999.3.",
    "log_sum_exp__2": "A score of -inf becomes the lowest finite number: a row with all scores -inf gives about -3.4e38 instead of -inf (and rows of -inf count as if they had keys).",
    "merge_attention__1": "Where both lse are -inf, the share of a is made 0 and so that of b is 1: two empty parts give output_b (NaN, if that is NaN) instead of zeros.",
    "merge_attention__2": "A part counts as empty only when all of its lse are -inf: with lse_a = [0, -inf] and NaN in output_a's second row, or with both -inf in one row only, the row comes out NaN.",
    "attention_in_blocks__1": "It goes through the queries in blocks and looks at all keys at once: with 4 queries, 64 keys and block 8 the scores are made whole, 4 x 64; the numbers are right.",
    "attention_in_blocks__2": "The running maximum begins at 0 instead of -inf: where all scores of a query are far below 0 (query 100s against key -100s), every weight is exp(-large) = 0 and the result 0 / 0 = NaN.",
    "attention_in_blocks__3": "The blocks are joined by the number of their keys instead of by the sum of the exponentials: wrong for any random input with more than one block, right only when all keys are in one.",
}
