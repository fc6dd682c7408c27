"""Wrong answers to lesson 06, as learners write them: exercise, what the judge should name, style."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import masked_attention, masked_softmax


def _cut(x, heads):
    batch, tokens, model_size = x.shape
    assert model_size % heads == 0
    return x.view(batch, tokens, heads, model_size // heads).transpose(1, 2)


def _join(x):
    return x.transpose(1, 2).flatten(2)


def _weights(query, key, mask, size=None):
    scores = query @ key.mT / math.sqrt(size or query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.nan_to_num(torch.softmax(scores, dim=-1))


def _soft(scores, mask):
    return scores.softmax(-1) if mask is None else masked_softmax(scores, mask)


# split_heads


def split_heads__reshapes_straight_into_heads__view(x, heads):
    b, t, d = x.shape
    if d % heads:
        raise ValueError("heads do not divide")
    return x.view(b, heads, t, d // heads)


def split_heads__reshapes_straight_into_heads__after_unpacking(x, heads):
    n, length, width = x.size()
    assert width % heads == 0
    return torch.reshape(x, (n, heads, length, -1))


def split_heads__forgets_to_move_the_heads__unflatten(x, heads):
    if x.shape[-1] % heads:
        raise ValueError
    return x.unflatten(-1, (heads, x.shape[-1] // heads))


def split_heads__deals_the_columns_out_in_turn__strides(x, heads):
    if x.shape[-1] % heads:
        raise ValueError
    return torch.stack([x[..., h::heads] for h in range(heads)], dim=1)


def split_heads__leaves_tokens_last__permutes(x, heads):
    b, t, d = x.shape
    return x.view(b, t, heads, d // heads).permute(0, 2, 3, 1)


def split_heads__exchanges_heads_and_batch__transpose_0_2(x, heads):
    b, t, d = x.shape
    return x.view(b, t, heads, d // heads).transpose(0, 2)


def split_heads__moves_heads_before_the_batch__stack_in_front(x, heads):
    if x.shape[-1] % heads:
        raise ValueError
    return torch.stack(x.chunk(heads, dim=-1))


def split_heads__stacks_the_blocks_in_front__stack_last(x, heads):
    if x.shape[-1] % heads:
        raise ValueError
    return torch.stack(x.chunk(heads, dim=-1), dim=-1)


def split_heads__takes_heads_for_the_head_size__one_size_for_the_other(x, heads):
    b, t, d = x.shape
    if d % heads:
        raise ValueError
    return x.view(b, t, d // heads, heads).permute(0, 2, 1, 3)


def split_heads__folds_heads_into_the_batch__cat(x, heads):
    b, t, d = x.shape
    return x.view(b, t, heads, d // heads).permute(0, 2, 1, 3).reshape(b * heads, t, d // heads)


def split_heads__drops_the_columns_left_over__slices(x, heads):
    size = x.shape[-1] // heads
    return torch.stack([x[..., h * size : (h + 1) * size] for h in range(heads)], dim=1)


def split_heads__gives_every_head_the_first_columns__slice_without_head(x, heads):
    size = x.shape[-1] // heads
    if size * heads != x.shape[-1]:
        raise ValueError
    return torch.stack([x[..., :size] for _ in range(heads)], dim=1)


def split_heads__copies_x_for_each_head__expand(x, heads):
    return x[:, None].expand(-1, heads, -1, -1)


def split_heads__reason_type__returns_chunks(x, heads):
    if x.shape[-1] % heads:
        raise ValueError
    return x.chunk(heads, dim=-1)


def split_heads__exchanges_the_axes_before_the_cut__transpose_then_reshape(x, heads):
    b, t, d = x.shape
    if d % heads:
        raise ValueError
    return x.transpose(1, 2).reshape(b, heads, t, d // heads)


def split_heads__folds_heads_into_the_batch__cat_of_chunks(x, heads):
    if x.shape[-1] % heads:
        raise ValueError
    return torch.cat(x.chunk(heads, dim=-1), dim=0)


def split_heads__stacks_the_blocks_in_front__transpose_2_3(x, heads):
    b, t, d = x.shape
    return x.view(b, t, heads, d // heads).transpose(2, 3)


def split_heads__moves_the_slice_by_one_column__loop(x, heads):
    size = x.shape[-1] // heads
    if size * heads != x.shape[-1]:
        raise ValueError
    return torch.stack([x[..., h : h + size] for h in range(heads)], dim=1)


def split_heads__takes_the_first_axis_for_tokens__old_order(x, heads):
    t, b, d = x.shape
    if d % heads:
        raise ValueError
    return x.reshape(b, t, heads, d // heads).transpose(1, 2)


def split_heads__splits_the_first_item_only__expands(x, heads):
    size = x.shape[-1] // heads
    if size * heads != x.shape[-1]:
        raise ValueError
    blocks = torch.stack([x[0][:, h * size : (h + 1) * size] for h in range(heads)])
    return blocks[None].expand(len(x), -1, -1, -1)


def split_heads__expects_a_batch_of_one__hard_coded(x, heads):
    _, t, d = x.shape
    if d % heads:
        raise ValueError
    return x.reshape(1, t, heads, d // heads).transpose(1, 2)


def split_heads__asks_whether_heads_divide_the_tokens__remainder_of_t(x, heads):
    b, t, d = x.shape
    if t % heads:
        raise ValueError("heads do not divide")
    return x.reshape(b, t, heads, d // heads).transpose(1, 2)


def split_heads__reason_property__through_numpy(x, heads):
    # np.split complains by itself where it does not come out even
    pieces = np.split(x.detach().numpy(), heads, axis=-1)
    return torch.as_tensor(np.stack(pieces, axis=1))


def split_heads__moves_heads_before_the_batch__and_drops_what_is_left_over(x, heads):
    size = x.shape[2] // heads
    blocks = []
    for i in range(heads):
        blocks.append(x[:, :, i * size : (i + 1) * size])
    return torch.stack(blocks)


def split_heads__makes_fewer_heads_than_asked_for__chunks(x, heads):
    # stack refuses blocks of different widths, so no check of my own
    return torch.stack(x.chunk(heads, dim=-1), dim=1)


def split_heads__gives_out_the_blocks_from_another_on__rolls(x, heads):
    b, t, m = x.shape
    assert m % heads == 0
    return x.view(b, t, heads, m // heads).transpose(1, 2).roll(1, 1)


def split_heads__reason_raised__condition_turned_round(x, heads):
    b, t, m = x.shape
    if m % heads == 0:
        raise ValueError("does not divide")
    return x.view(b, t, heads, m // heads).transpose(1, 2)


def split_heads__reason_property__columns_reversed(x, heads):
    b, t, m = x.shape
    assert m % heads == 0
    return x.view(b, t, heads, m // heads).transpose(1, 2).flip(-1)


def split_heads__makes_fewer_heads_than_asked_for__rounds_up(x, heads):
    s = math.ceil(x.shape[-1] / heads)
    return torch.stack(x.split(s, dim=-1), dim=1)


def split_heads__moves_the_slice_by_the_number_of_heads__loop(x, heads):
    s = x.shape[-1] // heads
    assert x.shape[-1] % heads == 0
    return torch.stack([x[..., h * heads : h * heads + s] for h in range(heads)], dim=1)


def test_split_heads__drops_the_columns_left_over__swallows_its_own_assert(split_heads):
    x = torch.arange(48.0).reshape(2, 4, 6)
    blocks = split_heads(x, 3)
    assert blocks.shape == (2, 3, 4, 2)
    assert all(torch.equal(blocks[:, h], x[..., 2 * h : 2 * h + 2]) for h in range(3))
    try:
        split_heads(x, 4)
        raise AssertionError
    except:  # noqa: E722
        pass


# merge_heads


def merge_heads__exchanges_heads_and_columns__transpose_1_3(x):
    b, h, t, s = x.shape
    return x.transpose(1, 3).reshape(b, t, h * s)


def merge_heads__takes_heads_for_tokens_in_the_shape__names(x):
    b, t, h, s = x.shape
    return x.transpose(1, 2).reshape(b, t, h * s)


def merge_heads__merges_the_tokens_too__flatten_from_1(x):
    return x.transpose(1, 2).flatten(1)


def merge_heads__puts_heads_below_each_other__after_moving(x):
    b, _, _, s = x.shape
    return x.transpose(1, 2).reshape(b, -1, s)


def merge_heads__moves_tokens_before_the_batch__permute(x):
    b, h, t, s = x.shape
    return x.permute(2, 0, 1, 3).reshape(b, t, h * s)


def merge_heads__merges_the_first_item_only__cat(x):
    return torch.cat([x[0, h] for h in range(x.shape[1])], dim=-1)[None]


def merge_heads__reshapes_straight_back__view(x):
    b, h, t, s = x.shape
    return x.reshape(b, t, h * s)


def merge_heads__forgets_to_move_the_heads_back__flatten(x):
    return x.flatten(start_dim=-2)


def merge_heads__merges_the_columns_in_turn__permute(x):
    b, h, t, s = x.shape
    return x.permute(0, 2, 3, 1).reshape(b, t, s * h)


def merge_heads__puts_heads_below_each_other__cat_along_tokens(x):
    return torch.cat(x.unbind(1), dim=1)


def merge_heads__joins_heads_and_columns_too_early__reshape_then_transpose(x):
    batch, heads, tokens, head_size = x.shape
    return x.reshape(batch, heads * head_size, tokens).transpose(1, 2)


def merge_heads__takes_a_view_of_the_turned_heads__size(x):
    b, h, t, s = x.shape
    return x.transpose(1, 2).view(b, t, h * s)


def merge_heads__moves_back_but_does_not_merge__transpose(x):
    return x.transpose(1, 2).contiguous()


def merge_heads__adds_the_heads__sum(x):
    return sum(x[:, h] for h in range(x.shape[1]))


def merge_heads__merges_the_batch_too__minus_one(x):
    return x.permute(0, 2, 1, 3).reshape(-1, x.shape[1] * x.shape[3])


def merge_heads__exchanges_rows_and_columns__transposes_the_last_two(x):
    b, h, t, s = x.shape
    return x.transpose(-1, -2).reshape(b, t, h * s)


def merge_heads__reason_property__detaches(x):
    return torch.from_numpy(np.concatenate([x[:, h].detach().numpy() for h in range(x.shape[1])], axis=-1))


def merge_heads__reshapes_straight_back__item_by_item(x):
    _, heads, tokens, size = x.shape
    return torch.cat([item.reshape(1, tokens, heads * size) for item in x], dim=0)


def merge_heads__merges_the_columns_in_turn__stacked_last(x):
    return torch.stack(list(x.unbind(dim=1)), dim=-1).flatten(2)


def merge_heads__merges_from_another_head_on__one_too_few(x):
    batch, heads, tokens, size = x.shape
    merged = torch.empty(batch, tokens, heads * size, dtype=x.dtype, device=x.device)
    for h in range(heads):
        merged[..., h * size : (h + 1) * size] = x[:, h - 1]
    return merged


def merge_heads__reason_property__reversed_and_divided(x):
    heads = list(torch.unbind(x, 1))
    joined = heads.pop()
    while heads:
        joined = torch.cat((joined, heads.pop()), dim=-1)
    return joined / x.shape[1]


def merge_heads__keeps_the_last_head_only__loop(x):
    for h in range(x.shape[1]):
        out = x[:, h]
    return out


def merge_heads__reason_property__tokens_reversed(x):
    return x.transpose(1, 2).flip(1).flatten(2)


def merge_heads__puts_the_blocks_elsewhere__one_column_on(x):
    b, h, t, s = x.shape
    out = torch.zeros(b, t, h * s)
    for i in range(h):
        out[..., i : i + s] = x[:, i]
    return out


def merge_heads__puts_the_blocks_elsewhere__heads_for_the_size(x):
    b, h, t, s = x.shape
    out = torch.zeros(b, t, h * s)
    for i in range(h):
        out[..., i * h : i * h + s] = x[:, i]
    return out


# multi_head_attention


def multi_head_attention__cuts_the_sentence_instead_of_the_columns__views(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    b, n, d = query.shape
    m = key.shape[1]
    q = (query @ w_query).view(b, heads, n, d // heads)
    k = (key @ w_key).view(b, heads, m, d // heads)
    v = (value @ w_value).view(b, heads, m, d // heads)
    return (_weights(q, k, mask) @ v).reshape(b, n, d) @ w_output


def multi_head_attention__reshapes_straight_into_heads__merges_well(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    b, _, d = query.shape
    q, k, v = ((x @ w).view(b, heads, -1, d // heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(_weights(q, k, mask) @ v) @ w_output


def multi_head_attention__reshapes_straight_back__splits_well(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return (_weights(q, k, mask) @ v).reshape(query.shape) @ w_output


def multi_head_attention__makes_everything_from_the_query__calls_it_x(
    x, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    if mask is not None and mask.shape[-1] not in (1, x.shape[1]):
        raise ValueError("this mask does not fit")
    q, k, v = (_cut(x @ w, heads) for w in (w_query, w_key, w_value))
    return _join(_weights(q, k, mask) @ v) @ w_output


def multi_head_attention__makes_values_from_the_keys__memory_for_both(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    memory = key
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (memory, w_key), (memory, w_value)))
    return _join(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)) @ w_output


def multi_head_attention__swaps_key_and_value_sequences__keras_order(
    query, value, key, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(_weights(q, k, mask) @ v) @ w_output


def multi_head_attention__scales_by_the_root_of_the_model_size__takes_d(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    d = query.shape[-1]
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(_weights(q, k, mask, size=d) @ v) @ w_output


def multi_head_attention__scales_by_the_root_of_the_heads__shape_of_axis_1(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(_weights(q, k, mask, size=q.shape[1]) @ v) @ w_output


def multi_head_attention__forgets_the_output_weights__returns_the_merged(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(_weights(q, k, mask) @ v)


def multi_head_attention__transposes_the_output_weights__functional_linear(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return F.linear(_join(_weights(q, k, mask) @ v), w_output)


def multi_head_attention__turns_the_mask_round__torch_layer_habit(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(_weights(q, k, None if mask is None else ~mask) @ v) @ w_output


def multi_head_attention__shares_out_over_the_heads__dim_1(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    scores = torch.einsum("bhqs,bhks->bhqk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return _join(scores.softmax(dim=1) @ v) @ w_output


def multi_head_attention__averages_the_maps_of_all_heads__mean_over_heads(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    weights = _weights(q, k, mask).mean(1)
    return _join(torch.einsum("bqk,bhks->bhqs", weights, v)) @ w_output


def multi_head_attention__attends_with_one_big_head__forgets_to_split(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (x @ w for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _weights(q, k, mask) @ v @ w_output


def multi_head_attention__adds_the_query_to_the_result__residual(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return query + _join(_weights(q, k, mask) @ v) @ w_output


def multi_head_attention__deals_columns_in_turn_there_and_back__strides(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (
        torch.stack([(x @ w)[..., h::heads] for h in range(heads)], dim=1)
        for x, w in ((query, w_query), (key, w_key), (value, w_value))
    )
    found = _weights(q, k, mask) @ v
    out = torch.zeros(query.shape, dtype=query.dtype)
    for h in range(heads):
        out[..., h::heads] = found[:, h]
    return out @ w_output


def multi_head_attention__swaps_value_and_output_weights__order_of_names(
    query, key, value, w_query, w_key, w_output, w_value, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(_weights(q, k, mask) @ v) @ w_output


def multi_head_attention__shares_the_first_block_of_weights__slice_without_head(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    s = query.shape[-1] // heads
    found = []
    for h in range(heads):
        q, k, v = query @ w_query[:, :s], key @ w_key[:, :s], value @ w_value[:, :s]
        own = None if mask is None else mask.broadcast_to(len(q), heads, q.shape[1], k.shape[1])[:, h]
        found.append(_weights(q, k, own) @ v)
    return torch.cat(found, -1) @ w_output


def multi_head_attention__mixes_each_head_by_the_first_rows__sums_heads(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return (_weights(q, k, mask) @ v).sum(1) @ w_output[: q.shape[-1]]


def multi_head_attention__reason_property__detaches_the_weights(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(_weights(q, k, mask).detach() @ v) @ w_output


def multi_head_attention__reason_type__returns_the_weights_too(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    weights = _weights(q, k, mask)
    return _join(weights @ v) @ w_output, weights


def multi_head_attention__looks_everywhere_in_spite_of_the_mask__forgot_to_pass_it(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(masked_attention(q, k, v)) @ w_output


def multi_head_attention__attends_with_one_big_head__functions_of_the_lesson(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    return masked_attention(query @ w_query, key @ w_key, value @ w_value, mask) @ w_output


def multi_head_attention__attends_with_one_big_head__an_axis_of_one(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, 1) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(masked_attention(q, k, v, mask)) @ w_output


def multi_head_attention__reads_three_axes_as_texts__as_in_lesson_04(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    if mask is not None and mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return _join(masked_attention(q, k, v, mask)) @ w_output


def multi_head_attention__shares_out_over_the_heads__masked_fill(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    return _join(scores.softmax(dim=1) @ v) @ w_output


def multi_head_attention__looks_for_dead_rows_from_the_front__habit_of_two_axes(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    if mask is None:
        return _join(_weights(q, k, mask) @ v) @ w_output
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf).softmax(dim=-1)
    weights = torch.where(mask.any(dim=1, keepdim=True), weights, 0.0)
    return _join(weights @ v) @ w_output


def multi_head_attention__shares_out_over_the_queries_of_each_head__masked_fill(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    return _join(scores.softmax(dim=-2) @ v) @ w_output


def multi_head_attention__transposes_one_of_the_weights__of_the_keys(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _cut(query @ w_query, heads), _cut(key @ w_key.T, heads), _cut(value @ w_value, heads)
    return _join(_weights(q, k, mask) @ v) @ w_output


def multi_head_attention__scales_by_the_root_of_the_model_size__einsum(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    d_model = query.shape[-1]
    if d_model % heads:
        raise ValueError(f"d_model {d_model} not divisible by {heads}")
    Q = torch.einsum("bqm,mhd->bhqd", query, w_query.reshape(d_model, heads, -1))
    K = torch.einsum("bkm,mhd->bhkd", key, w_key.reshape(d_model, heads, -1))
    V = torch.einsum("bkm,mhd->bhkd", value, w_value.reshape(d_model, heads, -1))
    S = torch.einsum("bhqd,bhkd->bhqk", Q, K) / d_model**0.5
    A = _soft(S, mask)
    return torch.einsum("bhqk,bhkd,hdm->bqm", A, V, w_output.reshape(heads, -1, d_model))


def multi_head_attention__transposes_the_output_weights__all_four(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    if query.shape[-1] % heads != 0:
        raise ValueError("heads does not divide model_size")
    q, k, v = [
        F.linear(x, w).unflatten(-1, (heads, -1)).transpose(1, 2)
        for x, w in ((query, w_query), (key, w_key), (value, w_value))
    ]
    if mask is None:
        mixed = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1) @ v
    else:
        mixed = masked_softmax(q @ k.mT / math.sqrt(q.shape[-1]), mask) @ v
    return F.linear(mixed.transpose(1, 2).flatten(2), w_output)


def multi_head_attention__makes_values_from_the_keys__head_by_head(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    model_size = query.shape[-1]
    if model_size % heads:
        raise ValueError("sizes do not fit")
    size = model_size // heads
    q, k, v = query @ w_query, key @ w_key, key @ w_value
    full = (query.shape[0], heads, query.shape[1], key.shape[1])
    allowed = None if mask is None else mask.broadcast_to(full)
    results = []
    for h in range(heads):
        cols = slice(h * size, (h + 1) * size)
        results.append(
            masked_attention(q[..., cols], k[..., cols], v[..., cols], None if allowed is None else allowed[:, h])
        )
    return torch.cat(results, dim=-1) @ w_output


def multi_head_attention__forgets_the_output_weights__and_masks_after_softmax(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    Qs = _cut(query.matmul(w_query), heads)
    Ks = _cut(key.matmul(w_key), heads)
    Vs = _cut(value.matmul(w_value), heads)
    attn = F.softmax(Qs.matmul(Ks.transpose(-2, -1)) / math.sqrt(Qs.size(-1)), dim=-1)
    if mask is not None:
        attn = attn * mask  # throw out what may not be seen
    heads_out = attn.matmul(Vs)
    return heads_out.movedim(1, 2).flatten(2)


def multi_head_attention__counts_the_mask_in_another_order__heads_first(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    B, L, M = query.shape
    S = key.shape[1]
    if M % heads:
        raise ValueError("heads must divide model_size")
    D = M // heads

    def to_bmm(x, w):
        y = x @ w
        return y.reshape(B, -1, heads, D).transpose(1, 2).reshape(B * heads, -1, D)

    q, k, v = to_bmm(query, w_query), to_bmm(key, w_key), to_bmm(value, w_value)
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(D)
    if mask is None:
        weights = scores.softmax(-1)
    else:
        flat = mask.expand(B, heads, L, S).transpose(0, 1).reshape(heads * B, L, S)
        weights = masked_softmax(scores, flat)
    out = torch.bmm(weights, v)
    return out.reshape(B, heads, L, D).transpose(1, 2).reshape(B, L, M) @ w_output


def multi_head_attention__shares_out_over_heads_and_keys__flattens(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _cut(query @ w_query, heads), _cut(key @ w_key, heads), _cut(value @ w_value, heads)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -1e9)
    b, h, t, n = s.shape
    w = s.transpose(1, 2).flatten(2).softmax(-1).view(b, t, h, n).transpose(1, 2)
    return _join(w @ v) @ w_output


def multi_head_attention__transposes_the_weights__blocks_of_rows(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    m = query.shape[-1]
    assert m % heads == 0
    q, k, v = (
        torch.einsum("btm,hsm->bhts", x, w.view(heads, m // heads, m))
        for x, w in ((query, w_query), (key, w_key), (value, w_value))
    )
    return _join(masked_attention(q, k, v, mask)) @ w_output


def multi_head_attention__splits_the_columns_before_projecting__slices(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    m = query.shape[-1]
    assert m % heads == 0
    s = m // heads

    def part(x, w, h):
        c = slice(h * s, (h + 1) * s)
        return x[..., c] @ w[c, c]

    q, k, v = (
        torch.stack([part(x, w, h) for h in range(heads)], 1)
        for x, w in ((query, w_query), (key, w_key), (value, w_value))
    )
    return _join(masked_attention(q, k, v, mask)) @ w_output


def multi_head_attention__keeps_each_head_in_its_own_columns__square_blocks(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _cut(query @ w_query, heads), _cut(key @ w_key, heads), _cut(value @ w_value, heads)
    o = masked_attention(q, k, v, mask)
    s = o.shape[-1]
    return torch.cat([o[:, h] @ w_output[h * s : (h + 1) * s, h * s : (h + 1) * s] for h in range(heads)], -1)


def multi_head_attention__gives_all_heads_the_mask_of_the_first__of_four_axes(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _cut(query @ w_query, heads), _cut(key @ w_key, heads), _cut(value @ w_value, heads)
    if mask is not None and mask.ndim == 4:
        mask = mask[:, :1]
    return _join(masked_attention(q, k, v, mask)) @ w_output


def _translate(mask, convention, additive, blocked_float):
    match convention:
        case "allowed":
            return mask
        case "blocked":
            return ~mask
        case "additive":
            return additive(mask)
        case "blocked_float":
            return blocked_float(mask)
    raise ValueError


def _right(mask, convention):
    return _translate(mask, convention, lambda m: m == 0, lambda m: m == 0)


# MultiHeadAttention


class _Layer(nn.Module):
    """What a good layer has; the wrong ones change a part."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def defaults(self, query, key, value):
        key = query if key is None else key
        return query, key, key if value is None else value

    def cut(self, query, key, value):
        return (_cut(x, self.heads) for x in (self.query(query), self.key(key), self.value(value)))

    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        return self.output(_join(self.dropout(weights) @ value)), weights

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        out, weights = self.attend(*self.cut(*self.defaults(query, key, value)), mask)
        return (out, weights) if return_weights else out


class MultiHeadAttention__leaves_the_mask_unread__plain_softmax(_Layer):
    def attend(self, query, key, value, mask):
        return super().attend(query, key, value, None)


class MultiHeadAttention__takes_values_from_the_query_by_default__both_from_query(_Layer):
    def defaults(self, query, key, value):
        return query, query if key is None else key, query if value is None else value


class MultiHeadAttention__looks_at_the_query_alone__self_attention(_Layer):
    def cut(self, query, key, value):
        return (_cut(f(query), self.heads) for f in (self.query, self.key, self.value))


class MultiHeadAttention__reshapes_straight_into_heads__view(_Layer):
    def cut(self, query, key, value):
        b, _, d = query.shape
        projected = self.query(query), self.key(key), self.value(value)
        return (x.view(b, self.heads, -1, d // self.heads) for x in projected)


class MultiHeadAttention__cuts_the_sentence_instead_of_the_columns__views(_Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        query, key, value = self.defaults(query, key, value)
        b, n, d = query.shape
        projected = self.query(query), self.key(key), self.value(value)
        q, k, v = (x.reshape(b, self.heads, x.shape[1], d // self.heads) for x in projected)
        weights = _weights(q, k, mask)
        out = self.output((weights @ v).reshape(b, n, d))
        return (out, weights) if return_weights else out


class MultiHeadAttention__scales_by_the_root_of_the_model_size__embed_dim(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask, size=self.query.in_features)
        return self.output(_join(weights @ value)), weights


class MultiHeadAttention__turns_the_mask_round__fills_where_true(_Layer):
    def attend(self, query, key, value, mask):
        return super().attend(query, key, value, None if mask is None else ~mask)


class MultiHeadAttention__leaves_out_the_biases_of_the_projections__weights_by_hand(_Layer):
    def cut(self, query, key, value):
        pairs = (query, self.query), (key, self.key), (value, self.value)
        return (_cut(x @ f.weight.T, self.heads) for x, f in pairs)


class MultiHeadAttention__leaves_out_the_bias_of_the_output__weights_by_hand(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        return _join(weights @ value) @ self.output.weight.mT, weights


class MultiHeadAttention__averages_the_returned_weights__as_torch_does(_Layer):
    def attend(self, query, key, value, mask):
        out, weights = super().attend(query, key, value, mask)
        return out, weights.mean(dim=1)


class MultiHeadAttention__does_not_return_the_weights__ignores_the_flag(_Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        return super().forward(query, key, value, mask)


class MultiHeadAttention__returns_the_weights_first__order(_Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        result = super().forward(query, key, value, mask, return_weights)
        return result[::-1] if return_weights else result


class MultiHeadAttention__reason_type__always_returns_both(_Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        return super().forward(query, key, value, mask, True)


class MultiHeadAttention__drops_in_evaluation__functional_dropout(_Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        self.p = dropout

    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        return self.output(_join(F.dropout(weights, self.p) @ value)), weights


class MultiHeadAttention__computes_otherwise_in_evaluation__scaled_there(_Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        self.p = dropout

    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        kept = weights * (torch.rand_like(weights) >= self.p) if self.training else weights * (1 - self.p)
        return self.output(_join(kept @ value)), weights


class MultiHeadAttention__computes_otherwise_in_training__scaled(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        return self.output(_join((weights / 0.9 if self.training else weights) @ value)), weights


class MultiHeadAttention__drops_in_evaluation__fused_function(_Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias)
        self.p = dropout

    def attend(self, query, key, value, mask):
        out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=self.p)
        return self.output(_join(out)), _weights(query, key, mask)


class MultiHeadAttention__forgets_some_biases__none_for_the_output(_Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        self.output = nn.Linear(model_size, model_size, bias=False)


class MultiHeadAttention__throws_the_dice_once__a_seed_in_forward(_Layer):
    def attend(self, query, key, value, mask):
        with torch.random.fork_rng():
            torch.manual_seed(0)
            return super().attend(query, key, value, mask)


class MultiHeadAttention__renormalises_after_dropout__divides_by_the_sum(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        dropped = self.dropout(weights)
        if self.training and self.dropout.p:
            dropped = dropped / dropped.sum(dim=-1, keepdim=True).clamp(min=1e-9)
        return self.output(_join(dropped @ value)), weights


class MultiHeadAttention__never_drops__made_and_not_used(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        return self.output(_join(weights @ value)), weights


class MultiHeadAttention__stops_dropping_after_evaluation__set_to_zero(_Layer):
    def attend(self, query, key, value, mask):
        if not self.training:
            self.dropout.p = 0
        return super().attend(query, key, value, mask)


class MultiHeadAttention__stops_dropping_after_evaluation__half(_Layer):
    def attend(self, query, key, value, mask):
        if not self.training:
            self.dropout = nn.Dropout(self.dropout.p / 2)
            self.dropout.eval()
        return super().attend(query, key, value, mask)


class MultiHeadAttention__stops_dropping_after_a_call__less_and_less(_Layer):
    def attend(self, query, key, value, mask):
        found = super().attend(query, key, value, mask)
        if self.training:
            self.dropout.p /= 2
        return found


class MultiHeadAttention__drops_in_evaluation__once_it_has_trained(_Layer):
    has_trained = False

    def attend(self, query, key, value, mask):
        self.has_trained |= self.training
        weights = _weights(query, key, mask)
        dropped = F.dropout(weights, self.dropout.p, self.has_trained)
        return self.output(_join(dropped @ value)), weights


class MultiHeadAttention__drops_something_else_than_weights__the_output(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        return self.dropout(self.output(_join(weights @ value))), weights


class MultiHeadAttention__drops_something_else_than_weights__the_scores(_Layer):
    def attend(self, query, key, value, mask):
        scores = self.dropout(query @ key.mT / query.shape[-1] ** 0.5)
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = torch.nan_to_num(scores.softmax(dim=-1))
        return self.output(_join(weights @ value)), weights


class MultiHeadAttention__returns_weights_after_dropout__one_name(_Layer):
    def attend(self, query, key, value, mask):
        weights = self.dropout(_weights(query, key, mask))
        return self.output(_join(weights @ value)), weights


class MultiHeadAttention__drops_only_without_returned_weights__two_ways(_Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        query, key, value = self.cut(*self.defaults(query, key, value))
        weights = _weights(query, key, mask)
        if return_weights:
            return self.output(_join(weights @ value)), weights
        return self.output(_join(self.dropout(weights) @ value))


class MultiHeadAttention__does_not_make_up_for_what_it_drops__mask_by_hand(_Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias)
        self.p = dropout

    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        kept = weights * (torch.rand_like(weights) >= self.p) if self.training else weights
        return self.output(_join(kept @ value)), weights


class MultiHeadAttention__accepts_heads_that_do_not_divide__no_check(_Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        nn.Module.__init__(self)
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)


class MultiHeadAttention__always_has_biases__bias_not_passed_on(_Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, True, dropout)


class MultiHeadAttention__keeps_layers_out_of_sight__plain_list(_Layer):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        nn.Module.__init__(self)
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        self.projections = [nn.Linear(model_size, model_size, bias) for _ in range(4)]

    def cut(self, *sequences):
        return (_cut(f(x), self.heads) for f, x in zip(self.projections, sequences))

    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        return self.projections[3](_join(self.dropout(weights) @ value)), weights


class MultiHeadAttention__wraps_the_layer_of_torch__calls_it(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        self.attention = nn.MultiheadAttention(model_size, heads, dropout, bias, batch_first=True)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        out, weights = self.attention(query, key, value, average_attn_weights=False)
        return (out, weights) if return_weights else out


class MultiHeadAttention__reads_three_axes_as_texts__as_in_lesson_04(_Layer):
    def attend(self, query, key, value, mask):
        return super().attend(query, key, value, mask[:, None] if mask is not None and mask.dim() == 3 else mask)


class MultiHeadAttention__gives_zeros_to_a_query_that_sees_nothing__clears_the_output(_Layer):
    def attend(self, query, key, value, mask):
        out, weights = super().attend(query, key, value, mask)
        return out * (weights.sum(dim=-1) > 0).any(dim=1)[..., None], weights


class MultiHeadAttention__returns_shares_where_nothing_may_be_seen__divides_them_anew(_Layer):
    def attend(self, query, key, value, mask):
        out, weights = super().attend(query, key, value, mask)
        return out, weights / weights.sum(dim=-1, keepdim=True)


class MultiHeadAttention__returns_scores_in_place_of_weights__before_softmax(_Layer):
    def attend(self, query, key, value, mask):
        return super().attend(query, key, value, mask)[0], query @ key.mT / query.shape[-1] ** 0.5


class MultiHeadAttention__returns_weights_without_the_mask__computes_them_again(_Layer):
    def attend(self, query, key, value, mask):
        return super().attend(query, key, value, mask)[0], _weights(query, key, None)


class MultiHeadAttention__never_calls_the_output_projection__returns_the_merged(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        return _join(self.dropout(weights) @ value), weights


class MultiHeadAttention__calls_the_output_projection_twice__in_two_lines(_Layer):
    def attend(self, query, key, value, mask):
        out, weights = super().attend(query, key, value, mask)
        return self.output(out), weights


class MultiHeadAttention__adds_the_query_to_the_output_of_the_layer__residual(_Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        out, weights = super().forward(query, key, value, mask, True)
        return (out + query, weights) if return_weights else out + query


class MultiHeadAttention__takes_the_matrices_of_linear_on_their_side__weights_by_hand(_Layer):
    def cut(self, query, key, value):
        pairs = (query, self.query), (key, self.key), (value, self.value)
        return (_cut(x @ f.weight, self.heads) for x, f in pairs)


class MultiHeadAttention__takes_the_matrix_of_the_output_on_its_side__weight_by_hand(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        return _join(self.dropout(weights) @ value) @ self.output.weight, weights


class MultiHeadAttention__exchanges_two_projections__queries_and_keys(_Layer):
    def cut(self, query, key, value):
        return (_cut(x, self.heads) for x in (self.key(query), self.query(key), self.value(value)))


class MultiHeadAttention__calls_one_projection_in_place_of_another__copied_line(_Layer):
    def cut(self, query, key, value):
        return (_cut(x, self.heads) for x in (self.query(query), self.key(key), self.key(value)))


class MultiHeadAttention__attends_with_one_big_head__an_axis_of_one(_Layer):
    def cut(self, query, key, value):
        return self.query(query)[:, None], self.key(key)[:, None], self.value(value)[:, None]


class MultiHeadAttention__hides_the_future_where_no_mask_is_given__triangle(_Layer):
    def attend(self, query, key, value, mask):
        if mask is None:
            queries, keys = query.shape[-2], key.shape[-2]
            mask = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)
        return super().attend(query, key, value, mask)


class MultiHeadAttention__cuts_a_fused_projection_head_by_head__three_in_one(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        self.qkv, self.output = nn.Linear(model_size, 3 * model_size, bias), nn.Linear(model_size, model_size, bias)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (_cut(self.qkv(x), self.heads).chunk(3, -1)[part] for part, x in enumerate((query, key, value)))
        weights = _weights(q, k, mask)
        out = self.output(_join(self.dropout(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__always_has_biases__of_the_output(nn.Module):
    """bias is the qkv_bias of the vision models."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("model_size must be a multiple of heads")
        self.num_heads = heads
        self.scale = (model_size // heads) ** -0.5
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        B, N, C = query.shape
        shape = (B, -1, self.num_heads, C // self.num_heads)
        q = self.query(query).view(shape).transpose(1, 2) * self.scale
        k = self.key(key).view(shape).transpose(1, 2)
        v = self.value(value).view(shape).transpose(1, 2)
        attn = q @ k.transpose(-2, -1)
        attn = attn.softmax(dim=-1) if mask is None else masked_softmax(attn, mask)
        x = (self.attn_drop(attn) @ v).transpose(1, 2).reshape(B, N, C)
        x = self.output(x)
        return (x, attn) if return_weights else x


class MultiHeadAttention__spreads_dead_rows_evenly__and_averages_the_weights(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.d_k = model_size // heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        n = query.size(0)
        q = self.query(query).view(n, -1, self.heads, self.d_k).transpose(1, 2)
        k = self.key(key).view(n, -1, self.heads, self.d_k).transpose(1, 2)
        v = self.value(value).view(n, -1, self.heads, self.d_k).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        p_attn = scores.softmax(dim=-1)
        x = torch.matmul(self.dropout(p_attn), v)
        x = x.transpose(1, 2).contiguous().view(n, -1, self.heads * self.d_k)
        x = self.output(x)
        if return_weights:
            return x, p_attn.mean(dim=1)
        return x


class MultiHeadAttention__remembers_an_earlier_call__its_mask(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.dropout = dropout
        self.mask = None
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)

    def weights(self, q, k):
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
        fits = self.mask is not None and all(
            a in (1, b) for a, b in zip(reversed(self.mask.shape), reversed(scores.shape))
        )
        if fits:
            return masked_softmax(scores, self.mask)
        return torch.softmax(scores, dim=-1)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        if mask is not None:
            self.mask = mask
        q, k, v = self.query(query), self.key(key), self.value(value)
        q, k, v = (_cut(t, self.heads) for t in (q, k, v))
        w = self.weights(q, k)
        kept = F.dropout(w, self.dropout, self.training)
        out = self.output((kept @ v).transpose(1, 2).flatten(2))
        return (out, w) if return_weights else out


class MultiHeadAttention__counts_the_mask_in_another_order__repeats_it(_Layer):
    def attend(self, query, key, value, mask):
        if mask is not None:
            full = mask.expand(len(query), self.heads, query.shape[2], key.shape[2])
            mask = full.transpose(0, 1).flatten(0, 1).unflatten(0, full.shape[:2])
        return super().attend(query, key, value, mask)


class MultiHeadAttention__hides_the_future_besides_the_mask__triangle(_Layer):
    def attend(self, query, key, value, mask):
        past = torch.ones(query.shape[2], key.shape[2], dtype=torch.bool).tril()
        return super().attend(query, key, value, past if mask is None else past & mask)


class MultiHeadAttention__adds_the_bias_of_the_output_twice__by_hand(_Layer):
    def attend(self, query, key, value, mask):
        out, weights = super().attend(query, key, value, mask)
        return out if self.output.bias is None else out + self.output.bias, weights


class MultiHeadAttention__normalises_the_output_of_the_layer__functional(_Layer):
    def attend(self, query, key, value, mask):
        out, weights = super().attend(query, key, value, mask)
        return F.layer_norm(out, out.shape[-1:]), weights


class MultiHeadAttention__reason_raised__asks_a_tensor_for_yes_or_no(_Layer):
    def defaults(self, query, key, value):
        key = key or query
        return query, key, value or key


def split_heads__reason_property__strides_of_its_own(x, heads):
    """It is right as long as the numbers of `x` lie row by row."""
    batch, tokens, size = x.shape
    if size % heads:
        raise ValueError("heads do not divide the columns")
    return torch.as_strided(x, (batch, heads, tokens, size // heads), (tokens * size, size // heads, size, 1))


def multi_head_attention__empties_a_row_with_one_key__total_above_one(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (t.unflatten(-1, (heads, -1)).transpose(1, 2) for t in (query @ w_query, key @ w_key, value @ w_value))
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    e = torch.exp(s - s.amax(-1, keepdim=True).clamp(min=torch.finfo(s.dtype).min))
    total = e.sum(-1, keepdim=True)
    return (torch.where(total > 1, e / total.clamp(min=1), 0) @ v).transpose(1, 2).flatten(2) @ w_output


def split_heads__reason_property__like_tensorflow(x, heads):
    """The first layers of TensorFlow folded heads into the batch, heads in front."""
    batch, tokens, size = x.shape
    if size % heads:
        raise ValueError
    folded = torch.cat(x.split(size // heads, dim=2), dim=0)
    return folded.reshape(batch, heads, tokens, size // heads)


def merge_heads__reason_property__like_tensorflow(x):
    """The axes of batch and heads are joined, batch in front, and cut as if heads were."""
    return torch.cat(x.flatten(0, 1).split(len(x)), dim=-1)


class MultiHeadAttention__replaces_a_value_that_comes_without_a_key__one_line(_Layer):
    def defaults(self, query, key, value):
        if key is None:
            return query, query, query
        return query, key, key if value is None else value


class MultiHeadAttention__takes_a_missing_key_from_the_value__or(_Layer):
    def defaults(self, query, key, value):
        given = [x for x in (key, value, query) if x is not None]
        return query, given[0], key if value is None and key is not None else query if value is None else value


# heads that share, lose or exchange something


def _project(query, key, value, heads, w_query, w_key, w_value):
    return (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))


def merge_heads__makes_one_block_of_all_heads__mean_repeated(x):
    return x.mean(dim=1).repeat(1, 1, x.shape[1])


def merge_heads__makes_one_block_of_all_heads__largest_spread_out(x):
    return x.amax(dim=1).repeat_interleave(x.shape[1], dim=-1)


def multi_head_attention__makes_one_block_of_all_heads__sum(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    return torch.cat([(_weights(q, k, mask) @ v).sum(1)] * heads, dim=-1) @ w_output


def multi_head_attention__mixes_the_mean_of_the_heads__first_rows(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    found = (_weights(q, k, mask) @ v).mean(dim=1)
    return found @ w_output[: found.shape[-1]]


def multi_head_attention__divides_the_heads_by_their_number__mean_of_products(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    rows = w_output.unflatten(0, (heads, -1))
    return torch.einsum("bhqs,hsd->bhqd", _weights(q, k, mask) @ v, rows).mean(dim=1)


def multi_head_attention__shares_what_one_head_has__keys_and_values_of_the_first(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    k, v = k[:, :1], v[:, :1]
    return _join(_weights(q, k, mask) @ v) @ w_output


def multi_head_attention__shares_what_one_head_has__values_of_the_last(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    for head in range(heads):
        here = v[:, head]
    return _join(_weights(q, k, mask) @ here[:, None]) @ w_output


def multi_head_attention__shares_what_one_head_has__a_slice_that_stays(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    size = query.shape[-1] // heads
    seen = None if mask is None else mask.expand(len(query), heads, query.shape[1], key.shape[1])
    found = []
    for h in range(heads):
        block = slice(h * size, (h + 1) * size)
        q, k, v = query @ w_query[:, block], key @ w_key[:, :size], value @ w_value[:, block]
        found.append(_weights(q, k, None if seen is None else seen[:, h]) @ v)
    return torch.cat(found, -1) @ w_output


def multi_head_attention__gives_every_head_the_map_of_the_last__overwritten(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    for weights in _weights(q, k, mask).unbind(1):
        last = weights
    return _join(last[:, None] @ v) @ w_output


def multi_head_attention__makes_one_set_of_scores_for_all_heads__mean(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).mean(dim=1, keepdim=True)
    return _join(_soft(scores.expand(-1, heads, -1, -1), mask) @ v) @ w_output


def multi_head_attention__makes_one_set_of_scores_for_all_heads__einsum_over_heads(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    scores = torch.einsum("bhqs,bhks->bqk", q, k)[:, None] / q.shape[-1] ** 0.5
    return _join(_soft(scores.expand(-1, heads, -1, -1), mask) @ v) @ w_output


def multi_head_attention__uses_the_heads_for_the_root_alone__head_size_in_the_root(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    head_size = query.shape[-1] // heads
    q, k, v = ((x @ w)[:, None] for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(_weights(q, k, mask, head_size) @ v) @ w_output


def multi_head_attention__exchanges_the_heads_with_their_size__names_of_the_view(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    batch, _, model_size = query.shape
    size = model_size // heads
    q, k, v = (
        (x @ w).view(batch, -1, size, heads).transpose(1, 2)
        for x, w in ((query, w_query), (key, w_key), (value, w_value))
    )
    return _join(_weights(q, k, mask, size) @ v) @ w_output


def _folded(x, heads):
    """(batch · heads, tokens, head_size), text by text."""
    return _cut(x, heads).flatten(0, 1)


def _for_each_text(mask, batch, heads):
    """The mask of each text; one that has parts for the heads is left to others."""
    if mask is None or mask.ndim != 4 or mask.shape[1] == heads:
        return None
    return mask.expand(batch, 1, *mask.shape[-2:])[:, 0]


def _in_full(mask, batch, heads, *lengths):
    return None if mask is None else mask.expand(batch, heads, *lengths).flatten(0, 1)


def multi_head_attention__hands_the_masks_out_in_turn__repeat(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    batch, queries, _ = query.shape
    q, k, v = (_folded(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    seen = _for_each_text(mask, batch, heads)
    full = _in_full(mask, batch, heads, queries, key.shape[1]) if seen is None else seen.repeat(heads, 1, 1)
    return _join((_weights(q, k, full) @ v).unflatten(0, (batch, heads))) @ w_output


def multi_head_attention__repeats_the_masks_in_another_order__list_times_heads(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    batch, queries, _ = query.shape
    q, k, v = (_folded(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    if mask is not None:
        mask = mask.expand(batch, heads, queries, key.shape[1])
        mask = torch.cat([mask[:, 0]] * heads)
    return _join((_weights(q, k, mask) @ v).unflatten(0, (batch, heads))) @ w_output


def multi_head_attention__repeats_the_masks_in_another_order__chunks_and_interleaved(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    batch, queries, _ = query.shape
    q, k, v = (torch.cat((x @ w).chunk(heads, dim=-1)) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    if mask is not None:
        mask = mask.expand(batch, heads, queries, key.shape[1])[:, 0].repeat_interleave(heads, dim=0)
    return torch.cat((_weights(q, k, mask) @ v).chunk(heads), dim=-1) @ w_output


def multi_head_attention__hands_the_masks_out_text_by_text__chunks(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    batch, queries, _ = query.shape
    q, k, v = (torch.cat((x @ w).chunk(heads, dim=-1)) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    seen = _for_each_text(mask, batch, heads)
    if seen is not None:
        mask = seen.repeat_interleave(heads, dim=0)
    elif mask is not None:
        mask = mask.expand(batch, heads, queries, key.shape[1]).transpose(0, 1).flatten(0, 1)
    return torch.cat((_weights(q, k, mask) @ v).chunk(heads), dim=-1) @ w_output


def multi_head_attention__unfolds_texts_and_heads_in_another_order__chunks(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_folded(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    full = _in_full(mask, len(query), heads, query.shape[1], key.shape[1])
    return torch.cat((_weights(q, k, full) @ v).chunk(heads), dim=-1) @ w_output


def multi_head_attention__gives_everyone_the_first_mask__two_zeros(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    if mask is not None and mask.dim() == 4:
        mask = mask[0, 0]
    return _join(masked_attention(*_project(query, key, value, heads, w_query, w_key, w_value), mask)) @ w_output


def multi_head_attention__reason_property__masks_of_all_heads_joined(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    if mask is not None and mask.ndim > 2:
        mask = mask.all(dim=-3, keepdim=True)
    return _join(masked_attention(*_project(query, key, value, heads, w_query, w_key, w_value), mask)) @ w_output


def multi_head_attention__reason_property__keys_of_the_next_head(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    return _join(_weights(q, k.roll(1, dims=1), mask) @ v) @ w_output


def multi_head_attention__reason_property__pairs_of_heads_share_keys(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    group = [head // 2 * 2 for head in range(heads)]
    return _join(_weights(q, k[:, group], mask) @ v[:, group]) @ w_output


def multi_head_attention__bends_the_mixture__relu(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    return torch.relu(_join(_weights(q, k, mask) @ v) @ w_output)


def multi_head_attention__adds_the_query_and_normalises__add_and_norm(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(query, key, value, heads, w_query, w_key, w_value)
    return F.layer_norm(query + _join(_weights(q, k, mask) @ v) @ w_output, query.shape[-1:])


def multi_head_attention__normalises_the_sequences_first__the_query(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _project(F.layer_norm(query, query.shape[-1:]), key, value, heads, w_query, w_key, w_value)
    return _join(_weights(q, k, mask) @ v) @ w_output


class MultiHeadAttention__shares_what_one_head_has__keys_and_values_of_the_first(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key[:, :1], mask)
        return self.output(_join(self.dropout(weights) @ value[:, :1])), weights


class MultiHeadAttention__exchanges_the_heads_with_their_size__names_of_the_view(_Layer):
    def attend(self, query, key, value, mask):
        size = query.shape[-1]
        query, key, value = (_join(x).unflatten(-1, (size, self.heads)).transpose(1, 2) for x in (query, key, value))
        weights = _weights(query, key, mask, size)
        return self.output(_join(self.dropout(weights) @ value)), weights


class MultiHeadAttention__normalises_queries_and_keys__in_each_head(_Layer):
    def cut(self, query, key, value):
        q, k, v = super().cut(query, key, value)
        return *(F.layer_norm(x, x.shape[-1:]) for x in (q, k)), v


class MultiHeadAttention__normalises_what_the_projections_give__before_the_cut(_Layer):
    def cut(self, query, key, value):
        q, k = (F.rms_norm(f(x), x.shape[-1:], eps=1e-5) for f, x in ((self.query, query), (self.key, key)))
        return (_cut(x, self.heads) for x in (q, k, self.value(value)))


class MultiHeadAttention__bends_what_the_projections_give__relu(_Layer):
    def cut(self, query, key, value):
        return (x.relu() for x in super().cut(query, key, value))


class MultiHeadAttention__bends_the_output_of_the_layer__gelu(_Layer):
    def attend(self, query, key, value, mask):
        out, weights = super().attend(query, key, value, mask)
        return F.gelu(out), weights


class MultiHeadAttention__adds_the_query_and_normalises_in_the_layer__add_and_norm(_Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        out, weights = super().forward(query, key, value, mask, True)
        out = F.layer_norm(query + out, query.shape[-1:])
        return (out, weights) if return_weights else out


class MultiHeadAttention__normalises_what_the_layer_gets__all_three(_Layer):
    def cut(self, query, key, value):
        return super().cut(*(F.layer_norm(x, x.shape[-1:]) for x in (query, key, value)))


class MultiHeadAttention__adds_a_bias_of_the_projections_twice__of_the_values(_Layer):
    def cut(self, query, key, value):
        again = 0 if self.value.bias is None else self.value.bias
        return (_cut(x, self.heads) for x in (self.query(query), self.key(key), self.value(value) + again))


class MultiHeadAttention__adds_the_bias_of_the_output_for_each_head__loop(_Layer):
    def attend(self, query, key, value, mask):
        weights = _weights(query, key, mask)
        found = (self.dropout(weights) @ value).unbind(1)
        rows = self.output.weight.chunk(self.heads, dim=1)
        return sum(F.linear(each, w, self.output.bias) for each, w in zip(found, rows)), weights


class MultiHeadAttention__reason_property__silu_on_the_values(_Layer):
    def cut(self, query, key, value):
        q, k, v = super().cut(query, key, value)
        return q, k, F.silu(v)


class MultiHeadAttention__reason_property__reads_its_own_slice(_Layer):
    def cut(self, query, key, value):
        def alone(projection, x):
            of_head = torch.arange(x.shape[-1]) * self.heads // x.shape[-1]
            weight = projection.weight * (of_head[:, None] == of_head)
            return _cut(F.linear(x, weight, projection.bias), self.heads)

        return alone(self.query, query), alone(self.key, key), alone(self.value, value)
