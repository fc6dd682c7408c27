"""Wrong answers to lesson 05, as learners write them: exercise, what the judge should name, style."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def _head(x, q, k, v, mask=None, divisor=None):
    q, k, v = x @ q, x @ k, x @ v
    scores = q @ k.transpose(-2, -1) / (divisor or math.sqrt(q.shape[-1]))
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return F.softmax(scores, dim=-1).nan_to_num(0.0) @ v


# multi_head_by_loop


def multi_head_by_loop__stacks_the_heads_and_reshapes__stack_view(x, w_query, w_key, w_value, w_output, mask=None):
    results = torch.stack([_head(x, w_query[h], w_key[h], w_value[h], mask) for h in range(len(w_query))])
    return results.reshape(*x.shape[:-1], -1) @ w_output


def multi_head_by_loop__stacks_the_heads_and_reshapes__cat_tokens(x, w_query, w_key, w_value, w_output, mask=None):
    results = [_head(x, *w, mask) for w in zip(w_query, w_key, w_value)]
    return torch.cat(results, dim=-2).reshape(*x.shape[:-1], w_output.shape[0]) @ w_output


def multi_head_by_loop__interleaves_the_heads__stack_last(x, w_query, w_key, w_value, w_output, mask=None):
    results = [_head(x, *w, mask) for w in zip(w_query, w_key, w_value)]
    return torch.stack(results, dim=-1).flatten(start_dim=-2) @ w_output


def multi_head_by_loop__interleaves_the_heads__every_other_row(x, w_query, w_key, w_value, w_output, mask=None):
    heads = len(w_query)
    return sum(_head(x, w_query[h], w_key[h], w_value[h], mask) @ w_output[h::heads] for h in range(heads))


def multi_head_by_loop__joins_the_heads_in_reverse__puts_in_front(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for q, k, v in zip(w_query, w_key, w_value):
        results.insert(0, _head(x, q, k, v, mask))
    return torch.cat(results, -1) @ w_output


def multi_head_by_loop__divides_by_the_number_of_heads__mean(x, w_query, w_key, w_value, w_output, mask=None):
    size = w_query.shape[-1]
    pieces = [
        _head(x, *w, mask) @ w_output[i * size : (i + 1) * size] for i, w in enumerate(zip(w_query, w_key, w_value))
    ]
    return torch.stack(pieces).mean(dim=0)


def multi_head_by_loop__forgets_the_output_weights__einsum(x, w_query, w_key, w_value, w_output, mask=None):
    q, k, v = (torch.einsum("...td,hds->...hts", x, w) for w in (w_query, w_key, w_value))
    scores = torch.einsum("...qs,...ks->...qk", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(-3), -torch.inf)
    return torch.einsum("...hqk,...hks->...qhs", scores.softmax(-1).nan_to_num(), v).flatten(-2)


def multi_head_by_loop__transposes_the_output_weights__linear(x, w_query, w_key, w_value, w_output, mask=None):
    return F.linear(torch.cat([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)], -1), w_output)


def multi_head_by_loop__shares_the_weights_of_head_0__index(x, w_query, w_key, w_value, w_output, mask=None):
    out = []
    for _ in range(len(w_query)):
        out.append(_head(x, w_query[0], w_key[0], w_value[0], mask))
    return torch.cat(out, dim=-1) @ w_output


def multi_head_by_loop__repeats_the_last_head__late_lookup(x, w_query, w_key, w_value, w_output, mask=None):
    later = []
    for h in range(len(w_query)):
        later.append(lambda: _head(x, w_query[h], w_key[h], w_value[h], mask))
    return torch.cat([head() for head in later], dim=-1) @ w_output


def multi_head_by_loop__gives_every_head_the_same_map__one_map(x, w_query, w_key, w_value, w_output, mask=None):
    scores = (x @ w_query[0]) @ (x @ w_key[0]).mT / w_query.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    shares = torch.nan_to_num(torch.softmax(scores, -1))
    return torch.cat([shares @ x @ w for w in w_value], -1) @ w_output


def multi_head_by_loop__shares_one_of_the_matrices__keys(x, w_query, w_key, w_value, w_output, mask=None):
    return torch.cat([_head(x, w_query[h], w_key[0], w_value[h], mask) for h in range(len(w_query))], -1) @ w_output


def multi_head_by_loop__attends_once_for_all_heads__fuses(x, w_query, w_key, w_value, w_output, mask=None):
    fused = [w.permute(1, 0, 2).reshape(x.shape[-1], -1) for w in (w_query, w_key, w_value)]
    return _head(x, *fused, mask) @ w_output


def multi_head_by_loop__averages_the_maps__mean(x, w_query, w_key, w_value, w_output, mask=None):
    s = torch.stack([(x @ q) @ (x @ k).mT / q.shape[-1] ** 0.5 for q, k in zip(w_query, w_key)])
    if mask is not None:
        s = s.masked_fill(~mask, -1e30)
    shares = s.softmax(-1).mean(0)
    if mask is not None:
        shares = shares * mask
    return torch.cat([shares @ (x @ v) for v in w_value], -1) @ w_output


def multi_head_by_loop__lets_the_heads_compete__dim_0(x, w_query, w_key, w_value, w_output, mask=None):
    s = torch.stack([(x @ q) @ (x @ k).mT / math.sqrt(q.shape[-1]) for q, k in zip(w_query, w_key)])
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    s = s.softmax(dim=0).nan_to_num(0)
    return torch.cat([m @ (x @ v) for m, v in zip(s, w_value)], -1) @ w_output


def multi_head_by_loop__scales_by_all_heads_together__rows_of_w_o(x, w_query, w_key, w_value, w_output, mask=None):
    root = w_output.shape[0] ** 0.5
    return torch.cat([_head(x, *w, mask, root) for w in zip(w_query, w_key, w_value)], -1) @ w_output


def multi_head_by_loop__scales_by_the_count_of_heads__len(x, w_query, w_key, w_value, w_output, mask=None):
    root = math.sqrt(len(w_query))
    return torch.cat([_head(x, *w, mask, root) for w in zip(w_query, w_key, w_value)], -1) @ w_output


def multi_head_by_loop__adds_the_heads_before_mixing__slice(x, w_query, w_key, w_value, w_output, mask=None):
    total = sum(_head(x, *w, mask) for w in zip(w_query, w_key, w_value))
    return total @ w_output[: total.shape[-1]]


def multi_head_by_loop__returns_one_head_unmixed__indented(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for q, k, v in zip(w_query, w_key, w_value):
        results.append(_head(x, q, k, v, mask))
        return torch.cat(results, dim=-1)


def multi_head_by_loop__mixes_one_head_only__assigns(x, w_query, w_key, w_value, w_output, mask=None):
    size = w_query.shape[-1]
    for h in range(len(w_query)):
        out = _head(x, w_query[h], w_key[h], w_value[h], mask) @ w_output[h * size : (h + 1) * size]
    return out


def multi_head_by_loop__leaves_one_head_out__range(x, w_query, w_key, w_value, w_output, mask=None):
    size = w_query.shape[-1]
    merged = torch.zeros(*x.shape[:-1], w_output.shape[0])
    for h in range(len(w_query) - 1 or 1):
        merged[..., h * size : (h + 1) * size] = _head(x, w_query[h], w_key[h], w_value[h], mask)
    return merged.to(w_output.dtype) @ w_output


def multi_head_by_loop__loops_over_two_heads__two_lines(x, w_query, w_key, w_value, w_output, mask=None):
    size = w_query.shape[-1]
    first = _head(x, w_query[0], w_key[0], w_value[0], mask) @ w_output[:size]
    if len(w_query) == 1:
        return first
    return first + _head(x, w_query[1], w_key[1], w_value[1], mask) @ w_output[size : 2 * size]


def multi_head_by_loop__reason_raised__two_lines(x, w_query, w_key, w_value, w_output, mask=None):
    first = _head(x, w_query[0], w_key[0], w_value[0], mask)
    second = _head(x, w_query[1], w_key[1], w_value[1], mask)
    return torch.cat([first, second], dim=-1) @ w_output


def multi_head_by_loop__reason_raised__hstack(x, w_query, w_key, w_value, w_output, mask=None):
    return torch.hstack([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)]) @ w_output


def multi_head_by_loop__reason_raised__unpacks_two_axes(x, w_query, w_key, w_value, w_output, mask=None):
    tokens, _ = x.shape
    result = torch.zeros(tokens, len(w_output))
    size = w_query.shape[-1]
    for h, weights in enumerate(zip(w_query, w_key, w_value)):
        result[:, h * size : (h + 1) * size] = _head(x, *weights, mask)
    return result.to(x.dtype) @ w_output


def multi_head_by_loop__joins_the_heads_as_rows__no_dim(x, w_query, w_key, w_value, w_output, mask=None):
    return torch.cat([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)]) @ w_output


def multi_head_by_loop__brings_one_head_to_the_output_weights__a_new_list_every_time(
    x, w_query, w_key, w_value, w_output, mask=None
):
    for h in range(len(w_query)):
        results = []
        results.append(_head(x, w_query[h], w_key[h], w_value[h], mask))
    return torch.cat(results, dim=-1) @ w_output


def multi_head_by_loop__gives_every_head_a_piece_of_x__slices(x, w_query, w_key, w_value, w_output, mask=None):
    heads, out = len(w_query), []
    width = x.shape[-1] // heads
    for i in range(heads):
        s = slice(i * width, (i + 1) * width)
        out.append(_head(x[..., s], w_query[i, s], w_key[i, s], w_value[i, s], mask))
    return torch.cat(out, dim=-1) @ w_output


def multi_head_by_loop__reason_property__chunks(x, w_query, w_key, w_value, w_output, mask=None):
    out = []
    for i, part in enumerate(x.chunk(len(w_query), dim=-1)):
        top = part.shape[-1]
        out.append(_head(part, w_query[i][:top], w_key[i][:top], w_value[i][:top], mask))
    return torch.cat(out, dim=-1) @ w_output


def multi_head_by_loop__cuts_the_values_out_of_x__slices(x, w_query, w_key, w_value, w_output, mask=None):
    size, out = w_query.shape[-1], []
    for i in range(len(w_query)):
        scores = (x @ w_query[i]) @ (x @ w_key[i]).mT / size**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        out.append(scores.softmax(-1).nan_to_num() @ x[..., i * size : (i + 1) * size])
    return torch.cat(out, dim=-1) @ w_output


def multi_head_by_loop__chains_the_heads__overwrites_x(x, w_query, w_key, w_value, w_output, mask=None):
    out = []
    for weights in zip(w_query, w_key, w_value):
        x = _head(x, *weights, mask)
        out.append(x)
    return torch.cat(out, dim=-1) @ w_output


def multi_head_by_loop__overlaps_the_columns_of_the_heads__filled(x, w_query, w_key, w_value, w_output, mask=None):
    heads, _, size = w_query.shape
    filled = torch.zeros(*x.shape[:-1], heads * size, dtype=x.dtype)
    for i in range(heads):
        filled[..., i * heads : i * heads + size] = _head(x, w_query[i], w_key[i], w_value[i], mask)
    return filled @ w_output


def multi_head_by_loop__bends_the_heads__relu(x, w_query, w_key, w_value, w_output, mask=None):
    return F.relu(torch.cat([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)], -1)) @ w_output


def multi_head_by_loop__keeps_every_head_in_its_own_columns__blocks(x, w_query, w_key, w_value, w_output, mask=None):
    s, pieces = w_query.shape[-1], []
    for h in range(len(w_query)):
        pieces.append(_head(x, w_query[h], w_key[h], w_value[h], mask) @ w_output[h * s :, h * s :][:s, :s])
    return torch.cat(pieces, -1)


def multi_head_by_loop__reads_the_stacked_weights_on__one_product(x, w_query, w_key, w_value, w_output, mask=None):
    heads, model_size, size = w_query.shape
    big = [x @ w.reshape(model_size, heads * size) for w in (w_query, w_key, w_value)]
    q, k, v = (t.unflatten(-1, (heads, size)).transpose(-2, -3) for t in big)
    scores = q @ k.mT / size**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask.unsqueeze(-3), -torch.inf)
    return (scores.softmax(-1).nan_to_num(0) @ v).transpose(-2, -3).flatten(-2) @ w_output


def multi_head_by_loop__masks_the_first_head_only__if(x, w_query, w_key, w_value, w_output, mask=None):
    heads = range(len(w_query))
    each = [_head(x, w_query[h], w_key[h], w_value[h], mask if h == 0 else None) for h in heads]
    return torch.cat(each, -1) @ w_output


def multi_head_by_loop__adds_x_to_the_mixture__residual(x, w_query, w_key, w_value, w_output, mask=None):
    return x + torch.cat([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)], -1) @ w_output


def multi_head_by_loop__joins_the_heads_as_rows__vstack(x, w_query, w_key, w_value, w_output, mask=None):
    return F.linear(torch.vstack([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)]), w_output.T)


def multi_head_by_loop__stacks_the_heads_without_joining__front(x, w_query, w_key, w_value, w_output, mask=None):
    return torch.stack([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)]) @ w_output


def multi_head_by_loop__stacks_the_heads_without_joining__columns(x, w_query, w_key, w_value, w_output, mask=None):
    return torch.stack([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)], dim=-2) @ w_output


def multi_head_by_loop__brings_one_head_to_the_output_weights__sum(x, w_query, w_key, w_value, w_output, mask=None):
    return sum(_head(x, *w, mask) for w in zip(w_query, w_key, w_value)) @ w_output


def multi_head_by_loop__brings_one_head_to_the_output_weights__inside(x, w_query, w_key, w_value, w_output, mask=None):
    return torch.cat([_head(x, *w, mask) @ w_output for w in zip(w_query, w_key, w_value)], dim=-1)


def multi_head_by_loop__joins_one_head_too_few__range(x, w_query, w_key, w_value, w_output, mask=None):
    results = [_head(x, w_query[h], w_key[h], w_value[h], mask) for h in range(len(w_query) - 1)]
    return torch.cat(results, dim=-1) @ w_output


def multi_head_by_loop__reason_raised__a_stack_in_attention(x, w_query, w_key, w_value, w_output, mask=None):
    return _head(x, w_query, w_key, w_value, mask) @ w_output


def multi_head_by_loop__multiplies_the_output_weights_from_the_left__at(
    x, w_query, w_key, w_value, w_output, mask=None
):
    return w_output @ torch.cat([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)], -1)


def multi_head_by_loop__reason_raised__forgets_the_mask_may_be_none(x, w_query, w_key, w_value, w_output, mask=None):
    each = [_head(x, *w) for w in zip(w_query, w_key, w_value)]
    return torch.cat(each, -1)[..., mask.shape[-1]] @ w_output


def multi_head_by_loop__reason_type__returns_the_list(x, w_query, w_key, w_value, w_output, mask=None):
    return [_head(x, *w, mask) for w in zip(w_query, w_key, w_value)]


def multi_head_by_loop__reason_property__detaches(x, w_query, w_key, w_value, w_output, mask=None):
    each = [_head(x, *w, mask).detach() for w in zip(w_query, w_key, w_value)]
    return torch.cat(each, -1) @ w_output


def multi_head_by_loop__stacks_the_heads_and_reshapes__einsum(x, w_query, w_key, w_value, w_output, mask=None):
    heads, _, size = w_query.shape
    q, k, v = (torch.einsum("...td,hdk->...htk", x, w) for w in (w_query, w_key, w_value))
    scores = torch.einsum("...qk,...sk->...qs", q, k) / size**0.5
    weights = scores.softmax(-1)
    if mask is not None:
        tokens = x.shape[-2]
        allowed = torch.broadcast_to(mask, x.shape[:-2] + (tokens, tokens)).unsqueeze(-3)
        weights = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return (weights @ v).reshape(x.shape[:-1] + (heads * size,)) @ w_output


def multi_head_by_loop__spreads_dead_rows_evenly__smallest_float(x, w_query, w_key, w_value, w_output, mask=None):
    def one_head(wq, wk, wv):
        scores = (x @ wq) @ (x @ wk).mT / math.sqrt(wq.shape[1])
        if mask is not None:
            scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        return torch.softmax(scores, dim=-1) @ (x @ wv)

    return torch.cat([one_head(*ws) for ws in zip(w_query, w_key, w_value)], dim=-1) @ w_output


def multi_head_by_loop__scales_by_all_heads_together__chunks_of_rows(x, w_query, w_key, w_value, w_output, mask=None):
    width, total = w_output.size(0), 0
    for rows, wq, wk, wv in zip(w_output.chunk(len(w_query)), w_query, w_key, w_value):
        scores = torch.einsum("...id,...jd->...ij", x @ wq, x @ wk) * width**-0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        total = total + torch.einsum("...ij,...jd,dm->...im", scores.softmax(-1).nan_to_num(0), x @ wv, rows)
    return total


def multi_head_by_loop__takes_the_matrix_of_another_head__minus(x, w_query, w_key, w_value, w_output, mask=None):
    results = []
    for i in range(w_query.shape[0]):
        results.append(_head(x, w_query[i], w_key[i], w_value[-i], mask))
    return torch.cat(results, dim=-1) @ w_output


def multi_head_by_loop__takes_the_matrix_of_another_head__before(x, w_query, w_key, w_value, w_output, mask=None):
    each = [_head(x, w_query[i], w_key[i - 1], w_value[i], mask) for i in range(len(w_query))]
    return torch.cat(each, dim=-1) @ w_output


def multi_head_by_loop__takes_the_matrix_of_another_head__flipped(x, w_query, w_key, w_value, w_output, mask=None):
    each = [_head(x, *w, mask) for w in zip(w_query, w_key, w_value.flip(0))]
    return torch.cat(each, dim=-1) @ w_output


def multi_head_by_loop__joins_the_heads_one_place_off__next_rows(x, w_query, w_key, w_value, w_output, mask=None):
    rows = w_output.split(w_query.shape[-1])
    heads = enumerate(zip(w_query, w_key, w_value))
    return sum(_head(x, *w, mask) @ rows[(i + 1) % len(rows)] for i, w in heads)


def multi_head_by_loop__interleaves_the_heads__and_turns_the_mask_round(
    x, w_query, w_key, w_value, w_output, mask=None
):
    """Two at once: columns that alternate, and a mask whose True means blocked."""
    blocked = None if mask is None else ~mask
    outs = [_head(x, *w, blocked) for w in zip(w_query, w_key, w_value)]
    return torch.matmul(torch.stack(outs, dim=-1).flatten(start_dim=-2), w_output)


def multi_head_by_loop__lines_up_the_texts_of_a_mask_with_the_heads__einsum(
    x, w_query, w_key, w_value, w_output, mask=None
):
    q, k, v = (torch.einsum("...td,hds->...hts", x, w) for w in (w_query, w_key, w_value))
    s = q @ k.transpose(-1, -2) / math.sqrt(w_query.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    return (s.softmax(-1).nan_to_num(0) @ v).transpose(-2, -3).flatten(-2) @ w_output


def multi_head_by_loop__forgets_to_rescale_what_was_summed_up__key_by_key(
    x, w_query, w_key, w_value, w_output, mask=None
):
    """Softmax key by key: where the maximum grows, the sum of the weights shrinks, and that of the values does not."""
    tokens = x.shape[-2]
    mask = torch.ones(tokens, tokens, dtype=torch.bool) if mask is None else mask
    mask = mask.expand(x.shape[:-1] + (tokens,))
    heads = []
    for wq, wk, wv in zip(w_query, w_key, w_value):
        q, k, v = x @ wq, x @ wk, x @ wv
        best = torch.full(x.shape[:-1] + (1,), torch.finfo(x.dtype).min, dtype=x.dtype)
        above, below = torch.zeros_like(v), torch.zeros_like(best)
        for j in range(tokens):
            s = (q * k[..., j : j + 1, :]).sum(-1, keepdim=True) / q.shape[-1] ** 0.5
            new = torch.where(mask[..., j : j + 1], torch.maximum(best, s), best)
            e = torch.exp(s - new).masked_fill(~mask[..., j : j + 1], 0)
            below = below * torch.exp(best - new) + e
            above = above + e * v[..., j : j + 1, :]
            best = new
        heads.append(above / torch.where(below > 0, below, 1))
    return torch.cat(heads, -1) @ w_output


def multi_head_by_loop__reason_property__rows_of_other_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """The rows of a head begin after model_size / heads rows, and not after head_size."""
    step, size = w_query.shape[1] // len(w_query), w_query.shape[-1]
    heads = enumerate(zip(w_query, w_key, w_value))
    return sum(_head(x, *w, mask) @ w_output[i * step : i * step + size] for i, w in heads)


def multi_head_by_loop__reason_property__layer_norm(x, w_query, w_key, w_value, w_output, mask=None):
    joined = torch.cat([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)], -1)
    return F.layer_norm(joined, joined.shape[-1:]) @ w_output


def multi_head_by_loop__reason_property__positions(x, w_query, w_key, w_value, w_output, mask=None):
    x = x + torch.arange(x.shape[-2], dtype=x.dtype).unsqueeze(-1) / 10
    return torch.cat([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)], -1) @ w_output


def multi_head_by_loop__reason_property__one_long_text(x, w_query, w_key, w_value, w_output, mask=None):
    """All texts of the batch become one, so that they look at each other."""
    flat, tokens = x.reshape(-1, x.shape[-1]), x.shape[-2]
    if mask is not None:
        mask = mask.expand(*x.shape[:-1], tokens).reshape(-1, tokens).repeat(1, len(flat) // tokens)
    return (torch.cat([_head(flat, *w, mask) for w in zip(w_query, w_key, w_value)], -1) @ w_output).reshape(x.shape)


def multi_head_by_loop__reason_property__half_precision(x, w_query, w_key, w_value, w_output, mask=None):
    each = [_head(x, *w, mask).half().to(x.dtype) for w in zip(w_query, w_key, w_value)]
    return torch.cat(each, -1) @ w_output


def multi_head_by_loop__reason_property__fills_with_data(x, w_query, w_key, w_value, w_output, mask=None):
    size = w_query.size(2)
    side_by_side = torch.empty(*x.shape[:-1], w_output.shape[0], dtype=x.dtype)
    for h, weights in enumerate(zip(w_query, w_key, w_value)):
        side_by_side[..., h * size : (h + 1) * size] = _head(x, *weights, mask).data
    return side_by_side @ w_output


# parameter_count


def _sizes(model_size, heads, head_size, value_size):
    if (head_size is None or value_size is None) and model_size % heads:
        raise ValueError("heads do not divide")
    share = model_size // heads
    return share if head_size is None else head_size, share if value_size is None else value_size


def parameter_count__forgets_the_biases__per_head(model_size, heads, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(model_size, heads, head_size, value_size)
    total = 0
    for _ in range(heads):
        total += model_size * hs + model_size * hs + model_size * vs
    return total + heads * vs * model_size


def parameter_count__counts_squares_of_the_model_size__four(m, heads, bias=True, head_size=None, value_size=None):
    return float(4 * m * m)


def parameter_count__counts_squares_and_their_biases__times(m, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and m % heads:
        raise ValueError
    return 4 * m * (m + 1) if bias else 4 * m * m


def parameter_count__forgets_a_projection__no_output(model_size, heads, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(model_size, heads, head_size, value_size)
    per_head = (2 * hs + vs) * (model_size + (1 if bias else 0))
    return heads * per_head


def parameter_count__counts_only_the_bias_of_the_queries_or_keys__sum(
    m, heads, bias=True, head_size=None, value_size=None
):
    hs, vs = _sizes(m, heads, head_size, value_size)
    return heads * (m * hs + 2 * m * vs) + bias * (heads * (2 * hs + vs) + m)


def parameter_count__makes_the_biases_of_every_head_as_long_as_the_model__loop(
    m, heads, bias=True, head_size=None, value_size=None
):
    hs, vs = _sizes(m, heads, head_size, value_size)
    total = heads * vs * m + bias * m
    for _ in range(heads):
        total += m * (2 * hs + vs) + 3 * m * bias
    return total


def parameter_count__has_defaults_only_if_both_sizes_are_missing__and(
    m, heads, bias=True, head_size=None, value_size=None
):
    if head_size is None and value_size is None:
        if m % heads:
            raise ValueError
        head_size = value_size = m // heads
    return 2 * m * heads * (head_size + value_size) + bias * (heads * (2 * head_size + value_size) + m)


def parameter_count__counts_a_single_bias__at_the_end(model_size, heads, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(model_size, heads, head_size, value_size)
    return heads * (2 * model_size * hs + 2 * model_size * vs) + model_size * bias


def parameter_count__counts_a_bias_as_one_number__four(model_size, heads, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(model_size, heads, head_size, value_size)
    return 2 * heads * model_size * (hs + vs) + (4 if bias else 0)


def parameter_count__makes_the_output_bias_as_wide_as_the_heads__sum(m, h, bias=True, head_size=None, value_size=None):
    k, v = _sizes(m, h, head_size, value_size)
    return 2 * m * h * (k + v) + (h * (2 * k + 2 * v) if bias else 0)


def parameter_count__counts_keys_as_wide_as_values__sum(m, h, bias=True, head_size=None, value_size=None):
    k, v = _sizes(m, h, head_size, value_size)
    return m * h * k + 2 * m * h * v + h * v * m + (h * (k + 2 * v) + m if bias else 0)


def parameter_count__makes_all_biases_of_the_model_size__four(m, h, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(m, h, head_size, value_size)
    matrices = [m * h * hs, m * h * hs, m * h * vs, h * vs * m]
    return sum(matrices) + (4 * m if bias else 0)


def parameter_count__gives_every_head_the_whole_width__loop(m, h, bias=True, head_size=None, value_size=None):
    hs = head_size if head_size is not None else m
    vs = value_size if value_size is not None else m
    total = sum(2 * (m + bias) * hs + (m + bias) * vs for _ in range(h))
    return total + (h * vs + bias) * m


def parameter_count__counts_one_head__formula(m, h, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(m, h, head_size, value_size)
    return 2 * m * hs + 2 * m * vs + (2 * hs + vs + m if bias else 0)


def parameter_count__counts_everything_for_every_head__twice(m, h, bias=True, head_size=None, value_size=None):
    hs, vs = (h * s for s in _sizes(m, h, head_size, value_size))
    per_head = 2 * (m + bias) * hs + (m + bias) * vs + (vs + bias) * m
    return per_head * h


def parameter_count__counts_the_output_and_its_bias_for_every_head__loop(
    m, h, bias=True, head_size=None, value_size=None
):
    hs, vs = _sizes(m, h, head_size, value_size)
    total = 0
    for _ in range(h):
        total += 2 * (m + bias) * hs + (m + bias) * vs
        total += (h * vs + bias) * m
    return total


def parameter_count__cuts_the_input_before_projecting__loop(m, h, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(m, h, head_size, value_size)
    piece = m // h
    heads = h * (2 * piece * hs + piece * vs + bias * (2 * hs + vs))
    return heads + h * vs * m + bias * m


def parameter_count__values_default_to_the_head_size__or(m, h, bias=True, head_size=None, value_size=None):
    if head_size is None:
        if m % h:
            raise ValueError
        head_size = m // h
    if value_size is None:
        value_size = head_size if m % h == 0 else _sizes(m, h, None, None)
    return h * 2 * m * (head_size + value_size) + bias * (h * (2 * head_size + value_size) + m)


def parameter_count__output_takes_the_model_size__square(m, h, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(m, h, head_size, value_size)
    b = 1 if bias else 0
    return 2 * (m + b) * h * hs + (m + b) * h * vs + (m + b) * m


def parameter_count__takes_the_sizes_of_all_heads_together__d(m, h, bias=True, head_size=None, value_size=None):
    _sizes(m, h, head_size, value_size)
    k, v = head_size or m, value_size or m
    return np.sum([m * k, m * k, m * v, v * m]) + (k + k + v + m) * int(bias)


def parameter_count__rounds_the_head_size_down__floor(m, h, bias=True, head_size=None, value_size=None):
    hs = m // h if head_size is None else head_size
    vs = m // h if value_size is None else value_size
    return 2 * h * m * (hs + vs) + (2 * h * hs + h * vs + m) * bias


def parameter_count__counts_parts_of_columns__true_division(m, h, bias=True, head_size=None, value_size=None):
    hs = m / h if head_size is None else head_size
    vs = m / h if value_size is None else value_size
    return 2 * h * m * (hs + vs) + (2 * h * hs + h * vs + m) * bias


def parameter_count__refuses_where_nothing_is_divided__assert(m, h, bias=True, head_size=None, value_size=None):
    assert m % h == 0
    hs, vs = _sizes(m, h, head_size, value_size)
    return 2 * h * m * (hs + vs) + (2 * h * hs + h * vs + m) * bias


def parameter_count__reason_type__a_text(m, h, bias=True, head_size=None, value_size=None):
    return f"{4 * m * m:,}"


def parameter_count__makes_the_output_bias_as_wide_as_the_heads__widths(
    m, heads, bias=True, head_size=None, value_size=None
):
    k, v = (heads * size for size in _sizes(m, heads, head_size, value_size))
    return sum(m * width for width in (k, k, v, v)) + sum((k, k, v, v)) * bool(bias)


def parameter_count__values_default_to_the_head_size__divmod(m, heads, bias=True, head_size=None, value_size=None):
    if head_size is None:
        head_size, rest = divmod(m, heads)
        assert rest == 0
    if value_size is None:
        value_size = head_size
    return 2 * (m + bias) * head_size * heads + (m + bias) * value_size * heads + (value_size * heads + bias) * m


def parameter_count__rounds_the_head_size_down__torch_layers(m, heads, bias=True, head_size=None, value_size=None):
    k = heads * (m // heads if head_size is None else head_size)
    v = heads * (m // heads if value_size is None else value_size)
    layers = [nn.Linear(a, b, bias=bias, device="meta") for a, b in ((m, k), (m, k), (m, v), (v, m))]
    return sum(p.numel() for layer in layers for p in layer.parameters())


def parameter_count__refuses_where_nothing_is_divided__loop_over_sizes(
    m, heads, bias=True, head_size=None, value_size=None
):
    if m % heads != 0:
        raise ValueError(f"{heads} heads do not divide {m}")
    total = 0
    for size in (head_size, head_size, value_size):
        columns = heads * (m // heads if size is None else size)
        total += m * columns + (columns if bias else 0)
    return total + columns * m + (m if bias else 0)


def parameter_count__output_takes_the_width_of_the_keys__slip(m, heads, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(m, heads, head_size, value_size)
    n = 2 * m * heads * hs + m * heads * vs
    n += heads * hs * m
    return n + (2 * heads * hs + heads * vs + m if bias else 0)


def parameter_count__reason_property__one_head_and_no_output_bias(m, heads, bias=True, head_size=None, value_size=None):
    """Two at once: queries, keys and values of a single head, and no bias for the output."""
    k, v = _sizes(m, heads, head_size, value_size)
    return sum([m * k, m * k, m * v, heads * v * m] + ([k, k, v] if bias else []))


def parameter_count__reason_property__a_set(m, heads, bias=True, head_size=None, value_size=None):
    """Matrices of equal size are counted once."""
    k, v = (heads * size for size in _sizes(m, heads, head_size, value_size))
    return sum({m * k, m * v, v * m} | ({k, v, m} if bias else set()))


def parameter_count__reason_property__the_larger_size(m, heads, bias=True, head_size=None, value_size=None):
    inner = heads * max(_sizes(m, heads, head_size, value_size))
    return 4 * m * inner + bias * (3 * inner + m)


def parameter_count__reason_property__plus_in_a_matrix(m, heads, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(m, heads, head_size, value_size)
    values = m + heads * vs
    return 2 * m * heads * hs + values + heads * vs * m + bias * (2 * heads * hs + heads * vs + m)


def parameter_count__reason_property__output_bias_if_there_are_none(
    m, heads, bias=True, head_size=None, value_size=None
):
    hs, vs = _sizes(m, heads, head_size, value_size)
    weights = 2 * m * heads * (hs + vs)
    return weights + (heads * (2 * hs + vs) if bias else m)


def parameter_count__always_gives_the_output_a_bias__torch(m, heads, bias=True, head_size=None, value_size=None):
    k, v = (heads * size for size in _sizes(m, heads, head_size, value_size))
    layers = [nn.Linear(m, k, bias), nn.Linear(m, k, bias), nn.Linear(m, v, bias), nn.Linear(v, m)]
    return sum(p.numel() for layer in layers for p in layer.parameters())


def parameter_count__counts_one_projection_only__equals(m, heads, bias=True, head_size=None, value_size=None):
    k, v = (heads * size for size in _sizes(m, heads, head_size, value_size))
    for rows, columns in ((m, k), (m, k), (m, v), (v, m)):
        count = rows * columns + (columns if bias else 0)
    return count


def parameter_count__rounds_the_head_size_up__ceil(m, heads, bias=True, head_size=None, value_size=None):
    hs, vs = head_size or math.ceil(m / heads), value_size or math.ceil(m / heads)
    return 2 * m * heads * (hs + vs) + bias * (heads * (2 * hs + vs) + m)


def parameter_count__counts_the_layer_norm__scale_and_shift(m, heads, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(m, heads, head_size, value_size)
    norm = m + m
    return norm + 2 * m * heads * (hs + vs) + bias * (heads * (2 * hs + vs) + m)


def parameter_count__multiplies_the_whole_count__bytes(m, heads, bias=True, head_size=None, value_size=None):
    hs, vs = _sizes(m, heads, head_size, value_size)
    return 4 * (2 * m * heads * (hs + vs) + bias * (heads * (2 * hs + vs) + m))


def parameter_count__reason_property__gives_back_none(m, heads, bias=True, head_size=None, value_size=None):
    """Where heads do not divide, there is no error and no number."""
    try:
        hs, vs = _sizes(m, heads, head_size, value_size)
    except ValueError:
        return None
    return 2 * m * heads * (hs + vs) + bias * (heads * (2 * hs + vs) + m)


def parameter_count__reason_property__one_matrix_where_sizes_are_equal(
    model_size, heads, bias=True, head_size=None, value_size=None
):
    """It forgets two of the three biases there."""
    if (head_size is None or value_size is None) and model_size % heads:
        raise ValueError
    k = heads * (model_size // heads if head_size is None else head_size)
    v = heads * (model_size // heads if value_size is None else value_size)
    biases = k if k == v else 2 * k + v
    total = model_size * (2 * k + v) + bias * biases
    return total + v * model_size + bias * model_size


def multi_head_by_loop__adds_what_a_head_found_to_x__residual_stream(x, w_query, w_key, w_value, w_output, mask=None):
    stream = x.clone()
    for w_q, w_k, w_v, rows in zip(w_query, w_key, w_value, w_output.chunk(len(w_query))):
        stream = torch.add(stream, _head(stream, w_q, w_k, w_v, mask) @ rows)
    return stream.sub(x)


def multi_head_by_loop__turns_the_mask_round_for_some_heads__from_the_first(
    x, w_query, w_key, w_value, w_output, mask=None
):
    found = []
    for w in zip(w_query, w_key, w_value):
        if mask is not None:
            mask = mask.logical_not()
        found.append(_head(x, *w, mask))
    return torch.cat(found, dim=-1) @ w_output


def multi_head_by_loop__turns_the_mask_round_for_some_heads__odd_ones(x, w_query, w_key, w_value, w_output, mask=None):
    total = 0
    for h, rows in enumerate(w_output.split(w_query.shape[-1])):
        seen = mask if mask is None or h % 2 == 0 else ~mask
        total = total + _head(x, w_query[h], w_key[h], w_value[h], seen) @ rows
    return total


def multi_head_by_loop__repeats_one_result_of_all_heads__mean(x, w_query, w_key, w_value, w_output, mask=None):
    found = torch.stack([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)])
    return torch.cat([found.mean(0)] * len(w_query), dim=-1) @ w_output


def multi_head_by_loop__repeats_one_result_of_all_heads__largest(x, w_query, w_key, w_value, w_output, mask=None):
    found = torch.stack([_head(x, *w, mask) for w in zip(w_query, w_key, w_value)])
    best = found.amax(dim=0)
    return best.repeat(*[1] * (best.ndim - 1), len(w_query)) @ w_output


def multi_head_by_loop__bends_the_mixture__gelu(x, w_query, w_key, w_value, w_output, mask=None):
    found = [_head(x, *w, mask) for w in zip(w_query, w_key, w_value)]
    return F.gelu(torch.cat(found, -1) @ w_output)


def multi_head_by_loop__normalises_the_mixture__functional(x, w_query, w_key, w_value, w_output, mask=None):
    found = [_head(x, *w, mask) for w in zip(w_query, w_key, w_value)]
    return F.layer_norm(torch.cat(found, -1) @ w_output, x.shape[-1:])


def multi_head_by_loop__reason_property__elu_on_each_head(x, w_query, w_key, w_value, w_output, mask=None):
    found = [F.elu(_head(x, *w, mask)) for w in zip(w_query, w_key, w_value)]
    return torch.cat(found, -1) @ w_output


def parameter_count__gives_every_head_squares_of_the_model_size__and_one_for_the_output(
    model_size, heads, bias=True, head_size=None, value_size=None
):
    total = heads * 3 * model_size * model_size + model_size * model_size
    if bias:
        total += heads * 3 * model_size + model_size
    return total


def parameter_count__gives_every_head_squares_of_the_model_size__four_for_each(
    model_size, heads, bias=True, head_size=None, value_size=None
):
    return heads * 4 * model_size**2


def parameter_count__counts_squares_and_one_bias__in_one_line(
    model_size, heads, bias=True, head_size=None, value_size=None
):
    return 4 * model_size**2 + bias * model_size


def parameter_count__ignores_the_value_size_beside_a_square__of_the_output(
    model_size, heads, bias=True, head_size=None, value_size=None
):
    head_size = head_size or model_size // heads
    projections = 3 * (model_size * heads * head_size + (heads * head_size if bias else 0))
    return projections + model_size * model_size + (model_size if bias else 0)


def parameter_count__forgets_the_biases__and_squares_the_output(
    model_size, heads, bias=True, head_size=None, value_size=None
):
    keys, values = (heads * (size or model_size // heads) for size in (head_size, value_size))
    return model_size * (2 * keys + values) + model_size * model_size


def parameter_count__forgets_the_biases__of_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    head_size, value_size = (size or model_size // heads for size in (head_size, value_size))
    return 2 * model_size * head_size + 2 * model_size * value_size
