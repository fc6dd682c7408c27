"""Right answers to lesson 13, as learners write them: exercise, style."""

import math

import torch

# log_sum_exp


def log_sum_exp__where(scores, axis=-1):
    largest = scores.max(dim=axis, keepdim=True).values
    safe = torch.where(torch.isinf(largest), torch.zeros_like(largest), largest)
    return torch.log(torch.sum(torch.exp(scores - safe), dim=axis)) + safe.squeeze(axis)


def log_sum_exp__one_score_after_the_other(scores, axis=-1):
    total = None
    for score in scores.unbind(dim=axis):
        total = score if total is None else torch.logaddexp(total, score)
    return total


def log_sum_exp__clamped_maximum(scores, axis=-1):
    top = scores.amax(axis, keepdim=True).clamp(min=-1e30)
    return ((scores - top).exp().sum(axis, keepdim=True).log() + top).squeeze(axis)


def log_sum_exp__moves_the_axis_to_the_end(scores, axis=-1):
    rows = scores.movedim(axis, -1)
    top = rows.amax(-1).nan_to_num(neginf=0.0)
    return top + (rows - top.unsqueeze(-1)).exp().sum(-1).log()


def log_sum_exp__minimum_of_minus(scores, axis=-1):
    top = -torch.amin(-scores, dim=axis, keepdim=True).detach()
    top[top == -math.inf] = 0
    powers = torch.exp(scores - top)
    return torch.log(torch.sum(powers, dim=axis)) + torch.squeeze(top, dim=axis)


def log_sum_exp__in_float64(scores, axis=-1):
    exact = scores.double()
    top = exact.amax(dim=axis, keepdim=True).nan_to_num(neginf=0.0)
    return torch.log(torch.exp(exact - top).sum(dim=axis)) + top.squeeze(dim=axis)


# merge_attention


def merge_attention__logaddexp(output_a, lse_a, output_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = lse.masked_fill(lse == -math.inf, 0.0)
    a = torch.where(lse_a[..., None] == -math.inf, 0.0, output_a) * torch.exp(lse_a - safe).unsqueeze(-1)
    b = torch.where(lse_b[..., None] == -math.inf, 0.0, output_b) * torch.exp(lse_b - safe).unsqueeze(-1)
    return a + b, lse


def merge_attention__maximum_and_division(output_a, lse_a, output_b, lse_b):
    top = torch.maximum(lse_a, lse_b)
    top = torch.where(top == -math.inf, torch.zeros_like(top), top)
    weight_a, weight_b = (lse_a - top).exp(), (lse_b - top).exp()
    whole = weight_a + weight_b
    clean_a = output_a.masked_fill((weight_a == 0)[..., None], 0.0)
    clean_b = output_b.masked_fill((weight_b == 0)[..., None], 0.0)
    above = clean_a * weight_a[..., None] + clean_b * weight_b[..., None]
    return above / whole.masked_fill(whole == 0, 1.0)[..., None], whole.log() + top


def merge_attention__softmax_of_two(output_a, lse_a, output_b, lse_b):
    both = torch.stack([lse_a, lse_b], dim=-1)
    empty = both == -math.inf
    shares = both.masked_fill(empty.all(-1, keepdim=True), 0.0).softmax(dim=-1).masked_fill(empty, 0.0)
    outputs = torch.stack([output_a, output_b], dim=-2).masked_fill(empty[..., None], 0.0)
    return (shares[..., None] * outputs).sum(dim=-2), torch.logsumexp(both, dim=-1)


def merge_attention__sigmoid(output_a, lse_a, output_b, lse_b):
    """The share of the second is a sigmoid of the difference."""
    empty_a, empty_b = lse_a == -math.inf, lse_b == -math.inf
    share_b = torch.sigmoid(lse_b - torch.where(empty_a & empty_b, 0.0, lse_a))
    share_b = torch.where(empty_b, 0.0, torch.where(empty_a, 1.0, share_b))[..., None]
    a = torch.where(empty_a[..., None], 0.0, output_a)
    b = torch.where(empty_b[..., None], 0.0, output_b)
    return (1 - share_b) * a + share_b * b, torch.logaddexp(lse_a, lse_b)


def merge_attention__larger_and_smaller(output_a, lse_a, output_b, lse_b):
    """The log-sum-exp is the larger one, and a log1p of the difference."""
    large, small = torch.maximum(lse_a, lse_b), torch.minimum(lse_a, lse_b)
    step = torch.where(large == -math.inf, large, small - large)
    lse = large + torch.log1p(step.exp())
    shares = [(x - lse).exp().nan_to_num(0.0) for x in (lse_a, lse_b)]
    parts = [torch.where((x > -math.inf)[..., None], o, 0.0) for x, o in ((lse_a, output_a), (lse_b, output_b))]
    return sum(share[..., None] * part for share, part in zip(shares, parts)), lse


def merge_attention__returns_a_list(output_a, lse_a, output_b, lse_b):
    return list(merge_attention__logaddexp(output_a, lse_a, output_b, lse_b))


# attention_in_blocks


def attention_in_blocks__running_maximum(query, key, value, block, causal=False):
    """As in the paper on online softmax: numerator, denominator and the largest score so far."""
    n, m = query.shape[-2], key.shape[-2]
    places = torch.arange(n)[:, None] + (m - n)
    top = torch.full((*query.shape[:-1], 1), -1e30, dtype=query.dtype)
    below = torch.zeros_like(top)
    above = torch.zeros(*query.shape[:-1], value.shape[-1], dtype=query.dtype)
    for start in range(0, m, block):
        k, v = key[..., start : start + block, :], value[..., start : start + block, :]
        scores = torch.matmul(query, k.transpose(-2, -1)) / query.shape[-1] ** 0.5
        if causal:
            scores = scores.masked_fill(torch.arange(start, start + k.shape[-2]) > places, -1e30)
        new = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        powers, keep = (scores - new).exp() * (scores > -1e29), (top - new).exp()
        above, below, top = above * keep + powers @ v, below * keep + powers.sum(-1, keepdim=True), new
    return above / below


def attention_in_blocks__split(query, key, value, block, causal=False):
    """torch.split makes the blocks."""
    place = key.shape[-2] - query.shape[-2] + torch.arange(query.shape[-2])
    output, lse, start = 0, None, 0
    for k, v in zip(key.split(block, dim=-2), value.split(block, dim=-2)):
        scores = query @ k.mT * query.shape[-1] ** -0.5
        if causal:
            allowed = torch.arange(start, start + k.shape[-2])[None] <= place[:, None]
            scores = torch.where(allowed, scores, -torch.inf)
        start += k.shape[-2]
        part = scores.logsumexp(-1, keepdim=True)
        here = torch.exp(scores - part.nan_to_num(neginf=0)) @ v
        if lse is None:
            output, lse = here, part
            continue
        whole = torch.logaddexp(lse, part)
        safe = whole.nan_to_num(neginf=0)
        output, lse = output * (lse - safe).exp() + here * (part - safe).exp(), whole
    return output


def attention_in_blocks__tiles(query, key, value, block, causal=False):
    """Blocks of queries as well, each with a loop over the keys."""
    n, m = query.shape[-2], key.shape[-2]
    rows = []
    for first in range(0, n, block):
        q = query[..., first : first + block, :] / math.sqrt(query.shape[-1])
        place = torch.arange(first, first + q.shape[-2]) + m - n
        output, lse = q.new_zeros(*q.shape[:-1], value.shape[-1]), q.new_full(q.shape[:-1], -math.inf)
        for start in range(0, m, block):
            if causal and start > place[-1]:
                break
            scores = q @ key[..., start : start + block, :].mT
            if causal:
                scores = scores.masked_fill(torch.arange(start, start + scores.shape[-1]) > place[:, None], -math.inf)
            part = log_sum_exp__where(scores)
            weights = (scores - part.nan_to_num(neginf=0)[..., None]).exp()
            output, lse = merge_attention__logaddexp(output, lse, weights @ value[..., start : start + block, :], part)
        rows.append(output)
    return torch.cat(rows, dim=-2)


def attention_in_blocks__recursive(query, key, value, block, causal=False):
    """Halves of the blocks, merged like a tree."""

    def attend(start, stop):
        if stop - start > block:
            middle = start + block * max(1, (stop - start) // block // 2)
            return merge_attention__logaddexp(*attend(start, middle), *attend(middle, stop))
        scores = query @ key[..., start:stop, :].mT / query.shape[-1] ** 0.5
        if causal:
            rows = torch.arange(query.shape[-2]).unsqueeze(1) + key.shape[-2] - query.shape[-2]
            scores = scores.masked_fill(torch.arange(start, stop) > rows, -math.inf)
        part = log_sum_exp__where(scores)
        return (scores - part.nan_to_num(neginf=0).unsqueeze(-1)).exp() @ value[..., start:stop, :], part

    return attend(0, key.shape[-2])[0]


def attention_in_blocks__einsum_in_float64(query, key, value, block, causal=False):
    q, k, v = (x.double() for x in (query, key, value))
    q = q / math.sqrt(q.shape[-1])
    rows = torch.arange(k.shape[-2] - q.shape[-2], k.shape[-2])
    output, lse = torch.zeros(*q.shape[:-1], v.shape[-1]).double(), torch.full(q.shape[:-1], -math.inf).double()
    for start in range(0, k.shape[-2], block):
        columns = torch.arange(start, min(start + block, k.shape[-2]))
        scores = torch.einsum("...qd,...kd->...qk", q, k[..., columns, :])
        if causal:
            scores = scores.masked_fill(columns > rows[:, None], -math.inf)
        part = torch.logsumexp(scores, dim=-1)
        weights = torch.exp(scores - part.clamp(min=-1e300)[..., None])
        mixed = torch.einsum("...qk,...kv->...qv", weights, v[..., columns, :])
        output, lse = merge_attention__logaddexp(output, lse, mixed, part)
    return output


def attention_in_blocks__hides_with_minus_a_million(query, key, value, block, causal=False):
    """A number in place of minus infinity, and a running maximum that begins with it: below every score."""
    n, m = query.shape[-2], key.shape[-2]
    places = torch.arange(n)[:, None] + (m - n)
    top, above, below = torch.full((*query.shape[:-1], 1), -1e6, dtype=query.dtype), 0, 0
    for start in range(0, m, block):
        k, v = key[..., start : start + block, :], value[..., start : start + block, :]
        scores = query @ k.mT / math.sqrt(query.shape[-1])
        if causal:
            scores = scores.masked_fill(torch.arange(start, start + k.shape[-2]) > places, -1e6)
        new = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        powers, keep = (scores - new).exp(), (top - new).exp()
        above, below, top = above * keep + powers @ v, below * keep + powers.sum(-1, keepdim=True), new
    return above / below


def attention_in_blocks__in_float32(query, key, value, block, causal=False):
    """Whatever comes in: there are digits enough."""
    query, key, value = query.float(), key.float(), value.float()
    return attention_in_blocks__split(query, key, value, block, causal)


def merge_attention__in_float32(output_a, lse_a, output_b, lse_b):
    return merge_attention__logaddexp(output_a.float(), lse_a.float(), output_b.float(), lse_b.float())
