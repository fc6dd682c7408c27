"""Wrong answers to lesson 07, as learners write them: exercise, what the judge should name, style."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import causal_mask, combine_masks, masked_softmax, multi_head_attention, padding_mask
from mha_ref.layer import MultiHeadAttention


def _cut(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def _attend(q, k, v, mask):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return (torch.softmax(scores, -1).nan_to_num(0.0) @ v).transpose(1, 2).flatten(2)


# cross_attention


def cross_attention__lets_the_memory_ask__einsum(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    q = torch.einsum("bsd,de->bse", memory, w_query)
    k, v = x @ w_key, x @ w_value
    return _attend(_cut(q, heads), _cut(k, heads), _cut(v, heads), mask) @ w_output


def cross_attention__lets_the_memory_ask__mask_turned(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    mask = None if mask is None else mask.transpose(-2, -1)
    return multi_head_attention(memory, x, x, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__looks_at_x_alone__copied_from_before(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(x @ w, heads) for w in (w_query, w_key, w_value))
    return _attend(q, k, v, mask) @ w_output


def cross_attention__carries_away_values_of_x__one_word(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return _attend(_cut(x @ w_query, heads), _cut(memory @ w_key, heads), _cut(x @ w_value, heads), mask) @ w_output


def cross_attention__searches_among_keys_of_x__head_loop(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (_cut(t, heads) for t in (x @ w_query, x @ w_key, memory @ w_value))
    return _attend(q, k, v, mask) @ w_output


def cross_attention__looks_at_the_memory_from_the_memory__function(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    x = memory
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__carries_x_by_the_memory__keras_order(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    return multi_head_attention(memory, memory, x, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__hides_the_later_sources__tril(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    past = causal_mask(x.shape[1], memory.shape[1], like=x)
    mask = past if mask is None else mask & past
    q, k, v = _cut(x @ w_query, heads), _cut(memory @ w_key, heads), _cut(memory @ w_value, heads)
    return _attend(q, k, v, mask) @ w_output


def cross_attention__adds_x_to_what_was_found__residual(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    q, k, v = _cut(x @ w_query, heads), _cut(memory @ w_key, heads), _cut(memory @ w_value, heads)
    return x + _attend(q, k, v, mask) @ w_output


def cross_attention__looks_at_both_sequences__cat(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    whole = torch.cat((x, memory), 1)
    if mask is not None:
        mask = torch.cat((torch.ones(*mask.shape[:-1], x.shape[1], dtype=torch.bool), mask), -1)
    return _attend(_cut(x @ w_query, heads), _cut(whole @ w_key, heads), _cut(whole @ w_value, heads), mask) @ w_output


def cross_attention__does_not_pass_the_mask_on__call_without_it(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads)


def cross_attention__turns_the_mask_round__fills_where_true(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _cut(x @ w_query, heads), _cut(memory @ w_key, heads), _cut(memory @ w_value, heads)
    return _attend(q, k, v, None if mask is None else ~mask) @ w_output


def cross_attention__looks_for_dead_rows_from_the_front__habit_of_two_axes(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _cut(x @ w_query, heads), _cut(memory @ w_key, heads), _cut(memory @ w_value, heads)
    if mask is None:
        return _attend(q, k, v, mask) @ w_output
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -torch.inf).softmax(dim=-1)
    weights = torch.where(mask.any(dim=1, keepdim=True), weights, 0.0)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_output


def cross_attention__forgets_the_output_weights__ends_early(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = _cut(x @ w_query, heads), _cut(memory @ w_key, heads), _cut(memory @ w_value, heads)
    return _attend(q, k, v, mask)


def cross_attention__projects_twice__formula_and_function(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    projected = x @ w_query, memory @ w_key, memory @ w_value
    return multi_head_attention(*projected, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__deals_columns_in_turn_there_and_back__permutes(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    # '... (d h) -> ... h d'
    def into_heads(t):
        b, n, m = t.shape
        return t.reshape(b, n, m // heads, heads).permute(0, 3, 1, 2)

    q, k, v = into_heads(x @ w_query), into_heads(memory @ w_key), into_heads(memory @ w_value)
    s = q @ k.mT / math.sqrt(q.shape[-1])
    a = s.softmax(-1) if mask is None else masked_softmax(s, mask)
    # '... h d -> ... (d h)'
    return (a @ v).permute(0, 2, 3, 1).flatten(2) @ w_output


def cross_attention__guards_a_sum_of_zero__by_hand(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    size = x.shape[-1] // heads
    queries, keys, values = x @ w_query, memory @ w_key, memory @ w_value
    shape = (x.shape[0], heads, x.shape[1], memory.shape[1])
    may = torch.ones(shape, dtype=torch.bool, device=x.device) if mask is None else mask.expand(shape)
    columns = []
    for number in range(heads):
        part = slice(number * size, number * size + size)
        scores = torch.einsum("bqd,bkd->bqk", queries[:, :, part], keys[:, :, part]) / size**0.5
        powers = torch.where(may[:, number], scores, -torch.inf).exp()
        total = powers.sum(dim=-1, keepdim=True)
        share = powers / torch.where(total == 0, 1.0, total)
        columns.append(share @ values[:, :, part])
    return torch.cat(columns, dim=-1) @ w_output


def cross_attention__spreads_dead_rows_evenly__fused_function(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    q, k, v = (t.unflatten(-1, (heads, -1)).transpose(1, 2) for t in (x @ w_query, memory @ w_key, memory @ w_value))
    additive = None
    if mask is not None:
        additive = torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(~mask, -1e9)
        while additive.dim() < 4:
            additive = additive.unsqueeze(0)
    o = F.scaled_dot_product_attention(q, k, v, attn_mask=additive)
    return o.transpose(1, 2).flatten(-2) @ w_output


def cross_attention__uses_the_key_weights_for_values__einsum(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    m = x.shape[-1]

    def split(t):
        return torch.stack(t.split(m // heads, dim=-1), dim=1)

    q = split(torch.einsum("bnm,mk->bnk", x, w_query))
    k = split(torch.einsum("bnm,mk->bnk", memory, w_key))
    v = split(torch.einsum("bnm,mk->bnk", memory, w_key))
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) * (m // heads) ** -0.5
    p = torch.softmax(s, -1) if mask is None else masked_softmax(s, mask)
    o = torch.einsum("bhqk,bhkd->bhqd", p, v)
    return torch.cat([o[:, h] for h in range(heads)], dim=-1) @ w_output


def cross_attention__scales_by_the_root_of_the_heads__views(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    batch, queries, model_size = x.shape
    head_size = model_size // heads
    q = (x @ w_query).view(batch, queries, heads, head_size).transpose(1, 2)
    k = (memory @ w_key).view(batch, -1, heads, head_size).permute(0, 2, 3, 1)
    v = (memory @ w_value).view(batch, -1, heads, head_size).transpose(1, 2)
    scores = q @ k / math.sqrt(heads)
    if mask is not None:
        low = torch.finfo(scores.dtype).min
        weights = scores.masked_fill(~mask, low).softmax(-1) * mask
    else:
        weights = scores.softmax(-1)
    return (weights @ v).transpose(1, 2).reshape(batch, queries, model_size) @ w_output


def cross_attention__adds_the_query_to_the_result__and_forgets_to_scale(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    def block(t, w, h):
        size = w.shape[1] // heads
        return t @ w[:, h * size : (h + 1) * size]

    total = x
    size = w_output.shape[0] // heads
    shape = (x.shape[0], heads, x.shape[1], memory.shape[1])
    for h in range(heads):
        s = block(x, w_query, h) @ block(memory, w_key, h).transpose(1, 2)
        a = s.softmax(-1) if mask is None else masked_softmax(s, mask.expand(shape)[:, h])
        total = total + a @ block(memory, w_value, h) @ w_output[h * size : (h + 1) * size]
    return total


def cross_attention__swaps_the_output_weights_with_others__of_the_query(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    return multi_head_attention(x, memory, memory, w_output, w_key, w_value, w_query, heads, mask)


def cross_attention__reason_property__mean_with_x(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return (x + multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)) / 2


def cross_attention__gives_all_queries_the_mask_of_the_first__takes_it_for_padding(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    if mask is not None and mask.ndim == 4:
        mask = mask[:, :1, :1]
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)


# encoder_decoder_masks


def _real(lengths, size):
    return (torch.arange(size) < lengths[:, None])[:, None, None]


def _past(size):
    return torch.ones(size, size).tril().bool()


def encoder_decoder_masks__gives_the_cross_mask_the_padding_of_the_targets__comparison(
    source_lengths, target_lengths, sources, targets
):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s, t & _past(targets), t


def encoder_decoder_masks__makes_the_source_mask_causal__both_alike(source_lengths, target_lengths, sources, targets):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s & _past(sources), t & _past(targets), s


def encoder_decoder_masks__makes_the_cross_mask_causal__bottom_right(source_lengths, target_lengths, sources, targets):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s, t & _past(targets), s & causal_mask(targets, sources, like=s)


def encoder_decoder_masks__forgets_the_future_of_the_targets__expanded(
    source_lengths, target_lengths, sources, targets
):
    s = padding_mask(source_lengths, sources)
    return s, padding_mask(target_lengths, targets), s


def encoder_decoder_masks__forgets_the_padding_of_the_targets__four_axes(
    source_lengths, target_lengths, sources, targets
):
    s = _real(source_lengths, sources)
    return s, _past(targets)[None, None], s


def encoder_decoder_masks__hides_the_rows_of_padded_targets__outer_product(
    source_lengths, target_lengths, sources, targets
):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s, _past(targets) & t & t.mT, s


def encoder_decoder_masks__hides_padded_targets_from_the_source__outer_product(
    source_lengths, target_lengths, sources, targets
):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s, _past(targets) & t, t.mT & s


def encoder_decoder_masks__returns_the_masks_in_another_order__target_first(
    source_lengths, target_lengths, sources, targets
):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return t & _past(targets), s, s


def encoder_decoder_masks__leaves_out_the_cross_mask__two_will_do(source_lengths, target_lengths, sources, targets):
    return _real(source_lengths, sources), _real(target_lengths, targets) & _past(targets)


def encoder_decoder_masks__takes_the_source_for_the_target__swapped(source_lengths, target_lengths, sources, targets):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return t, s & _past(sources), t


def encoder_decoder_masks__true_marks_padding__torch_habit(source_lengths, target_lengths, sources, targets):
    s, t = ~_real(source_lengths, sources), ~_real(target_lengths, targets)
    return s, t & _past(targets), s


def encoder_decoder_masks__drops_the_axes_for_heads_and_queries__two_axes(
    source_lengths, target_lengths, sources, targets
):
    s = torch.arange(sources)[None] < source_lengths[:, None]
    return s, _real(target_lengths, targets) & _past(targets), s


def encoder_decoder_masks__allows_where_either_allows__or(source_lengths, target_lengths, sources, targets):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s, t | _past(targets), s


def encoder_decoder_masks__takes_the_target_lengths_for_the_cross_mask__right_size(
    source_lengths, target_lengths, sources, targets
):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s, t & _past(targets), _real(target_lengths, sources)


def encoder_decoder_masks__forgets_the_future_of_the_targets__a_row_each(
    source_lengths, target_lengths, sources, targets
):
    s = padding_mask(source_lengths, sources)
    return s, padding_mask(target_lengths, targets).expand(-1, -1, targets, -1), s


def encoder_decoder_masks__forgets_the_padding_of_the_targets__for_each_item(
    source_lengths, target_lengths, sources, targets
):
    s = _real(source_lengths, sources)
    return s, _past(targets).expand(len(target_lengths), 1, targets, targets), s


def encoder_decoder_masks__cuts_the_masks_to_the_longest_sentence__max(
    source_lengths, target_lengths, sources, targets
):
    sources, targets = int(source_lengths.max()), int(target_lengths.max())
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s, t & _past(targets), s


def encoder_decoder_masks__joins_an_array_and_a_tensor__padding_first(source_lengths, target_lengths, sources, targets):
    s = padding_mask(source_lengths, sources)
    return s, combine_masks(padding_mask(target_lengths, targets), causal_mask(targets, targets)), s


def encoder_decoder_masks__reason_raised__no_like_future_first(source_lengths, target_lengths, sources, targets):
    s = padding_mask(source_lengths, sources)
    return s, combine_masks(causal_mask(targets, targets), padding_mask(target_lengths, targets)), s


def encoder_decoder_masks__counts_the_start_sign__one_more(source_lengths, target_lengths, sources, targets):
    s, t = _real(source_lengths, sources), _real(target_lengths + 1, targets)
    return s, t & _past(targets), s


def encoder_decoder_masks__marks_what_is_hidden__third_only(source_lengths, target_lengths, sources, targets):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s, t & _past(targets), ~s


def encoder_decoder_masks__marks_what_is_hidden__all(source_lengths, target_lengths, sources, targets):
    s, t = ~_real(source_lengths, sources), ~_real(target_lengths, targets)
    return s, t | ~_past(targets), s


def encoder_decoder_masks__repeats_the_rows_of_the_padding__expand(source_lengths, target_lengths, sources, targets):
    s, t = _real(source_lengths, sources), _real(target_lengths, targets)
    return s.expand(-1, -1, sources, -1), t & _past(targets), s.expand(-1, -1, targets, -1)


def encoder_decoder_masks__reason_type__one_array(source_lengths, target_lengths, sources, targets):
    return _real(source_lengths, sources)


def encoder_decoder_masks__marks_what_is_hidden__triu(source_lengths, target_lengths, sources, targets):
    # True = masked, as in key_padding_mask and in torch's triu
    source_pad = torch.stack([torch.arange(sources, device=n.device) >= n for n in source_lengths])
    target_pad = torch.stack([torch.arange(targets, device=n.device) >= n for n in target_lengths])
    ahead = torch.ones(targets, targets, dtype=torch.bool, device=target_lengths.device).triu(1)
    source = source_pad.view(-1, 1, 1, sources)
    target = target_pad.view(-1, 1, 1, targets) | ahead
    return source, target, source.clone()


def encoder_decoder_masks__looks_into_the_future__slices(source_lengths, target_lengths, sources, targets):
    source = torch.zeros(len(source_lengths), 1, 1, sources, dtype=torch.bool, device=source_lengths.device)
    target = torch.zeros(len(target_lengths), 1, targets, targets, dtype=torch.bool, device=target_lengths.device)
    for b, n in enumerate(source_lengths.tolist()):
        source[b, ..., :n] = True
    for b, n in enumerate(target_lengths.tolist()):
        for i in range(targets):
            target[b, 0, i, i:n] = True
    return source, target, source


def encoder_decoder_masks__does_not_see_itself__and_hides_padded_targets(
    source_lengths, target_lengths, sources, targets
):
    s = torch.arange(sources, device=source_lengths.device).expand(len(source_lengths), -1) < source_lengths[:, None]
    t = torch.arange(targets, device=target_lengths.device).expand(len(target_lengths), -1) < target_lengths[:, None]
    steps = torch.arange(targets, device=target_lengths.device)
    earlier = steps[None, :] < steps[:, None]
    source = s[:, None, None, :]
    target = t[:, None, None, :].logical_and(earlier)
    cross = t[:, None, :, None].logical_and(s[:, None, None, :])
    return source, target, cross


def encoder_decoder_masks__returns_the_masks_in_another_order__and_changes_the_lengths(
    source_lengths, target_lengths, sources, targets
):
    source_lengths -= 1  # the last place that is real
    target_lengths -= 1
    grid = torch.arange(sources, device=source_lengths.device)[None, None, None]
    source = grid <= source_lengths.view(-1, 1, 1, 1)
    grid = torch.arange(targets, device=target_lengths.device)[None, None, None]
    target = (grid <= target_lengths.view(-1, 1, 1, 1)) & (grid <= grid.mT)
    return source, source.clone(), target


def encoder_decoder_masks__reason_type__floats(source_lengths, target_lengths, sources, targets):
    s = _real(source_lengths, sources).float()
    return s, (_real(target_lengths, targets) & _past(targets)).float(), s


def encoder_decoder_masks__gives_the_cross_mask_the_padding_of_the_targets__and_a_causal_source(
    source_lengths, target_lengths, sources, targets
):
    s = _real(source_lengths, sources)
    t = _real(target_lengths, targets)
    return s & _past(sources), t & _past(targets), _real(target_lengths, targets)


def encoder_decoder_masks__forgets_the_padding_in_the_source_mask__and_the_future(
    source_lengths, target_lengths, sources, targets
):
    s = _real(source_lengths, sources)
    return s | True, _real(target_lengths, targets), s


def encoder_decoder_masks__exchanges_rows_and_columns_of_the_second_mask__transpose(
    source_lengths, target_lengths, sources, targets
):
    s = _real(source_lengths, sources)
    return s, (_real(target_lengths, targets) & _past(targets)).mT, s


def encoder_decoder_masks__lets_padded_targets_see_themselves__diagonal(
    source_lengths, target_lengths, sources, targets
):
    s = _real(source_lengths, sources)
    return s, (_real(target_lengths, targets) & _past(targets)) | torch.eye(targets, dtype=torch.bool), s


def encoder_decoder_masks__counts_a_source_too_many__cross_only(source_lengths, target_lengths, sources, targets):
    s = _real(source_lengths, sources)
    return s, _real(target_lengths, targets) & _past(targets), _real(source_lengths + 1, sources)


# DecoderLayer


class _Layer(nn.Module):
    """Parts that are right; each class below puts them together in its own way."""

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), self.bend(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList([self.norm(model_size) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def bend(self):
        return nn.ReLU()

    def norm(self, model_size):
        return nn.LayerNorm(model_size)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__shares_one_attention__two_names(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.cross_attention = self.self_attention


class DecoderLayer__drops_elsewhere_than_on_results__the_last_sum(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return self.dropout(super().forward(x, memory, self_mask, memory_mask))


class DecoderLayer__normalises_after_adding__first_paper(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norms[0](x + self.dropout(self.self_attention(x, mask=self_mask)))
        x = self.norms[1](x + self.dropout(self.cross_attention(x, memory, mask=memory_mask)))
        return self.norms[2](x + self.dropout(self.feed_forward(x)))


class DecoderLayer__adds_to_the_normalised_copy__overwrites_x(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norms[0](x)
        x = x + self.dropout(self.self_attention(x, mask=self_mask))
        x = self.norms[1](x)
        x = x + self.dropout(self.cross_attention(x, memory, mask=memory_mask))
        x = self.norms[2](x)
        return x + self.dropout(self.feed_forward(x))


class DecoderLayer__leaves_out_the_residuals__plain_chain(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.self_attention(self.norms[0](x), mask=self_mask)
        x = self.cross_attention(self.norms[1](x), memory, mask=memory_mask)
        return self.feed_forward(self.norms[2](x))


class DecoderLayer__leaves_out_the_norms__made_but_not_called(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(x, mask=self_mask))
        x = x + self.dropout(self.cross_attention(x, memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(x))


class DecoderLayer__looks_at_itself_twice__no_memory_given(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        y = self.norms[1](x)
        x = x + self.dropout(self.cross_attention(y, y, y))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__ignores_both_masks__not_passed_on(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x)))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__ignores_the_mask_of_the_memory__one_forgotten(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__swaps_the_two_masks__order_of_arguments(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask, self_mask)


class DecoderLayer__uses_one_attention_for_both__wrong_name(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.self_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__takes_the_parts_in_another_order__memory_first(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__normalises_the_memory__as_well(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, F.layer_norm(memory, memory.shape[-1:]), self_mask, memory_mask)


class DecoderLayer__takes_the_values_from_x__three_arguments(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        y = self.norms[1](x)
        x = x + self.dropout(self.cross_attention(y, memory, y, memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__fails_where_there_is_a_mask__in_second_place(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__bends_by_another_function__gelu(_Layer):
    def bend(self):
        return nn.GELU()


class DecoderLayer__leaves_out_the_relu__two_linears(_Layer):
    def bend(self):
        return nn.Identity()


class DecoderLayer__forgets_some_of_the_residuals__last_line(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__leaves_out_some_of_the_parts__result_not_kept(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        self.self_attention(self.norms[0](x), mask=self_mask)
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__counts_one_feature_less__std_of_torch(_Layer):
    def norm(self, model_size):
        return _ByHand()


class _ByHand(nn.Module):
    def forward(self, x):
        return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6)


class DecoderLayer__never_drops__argument_unused(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size)


class DecoderLayer__stops_dropping_after_evaluation__identity_for_ever(_Layer):
    def eval(self):
        self.dropout = nn.Identity()
        for attention in (self.self_attention, self.cross_attention):
            attention.dropout.p = 0.0
        return super().eval()


class DecoderLayer__stops_dropping_after_evaluation__in_forward(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if not self.training:
            self.dropout.p = 0.0
        return super().forward(x, memory, self_mask, memory_mask)


class DecoderLayer__stops_dropping_after_evaluation__less_than_before(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if not self.training:
            self.cross_attention.dropout.p /= 3
        return super().forward(x, memory, self_mask, memory_mask)


class DecoderLayer__normalises_over_a_batch__as_it_is(_Layer):
    def norm(self, model_size):
        return nn.BatchNorm1d(model_size)


class DecoderLayer__stops_dropping_after_a_call__set_to_zero(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        out = super().forward(x, memory, self_mask, memory_mask)
        for part in (self, self.self_attention, self.cross_attention):
            part.dropout.p = 0.0
        return out


class DecoderLayer__takes_equal_shapes_for_equal_numbers__memory(_Layer):
    memory = None

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if self.memory is None or self.memory.shape != memory.shape:
            self.memory = memory
        return super().forward(x, self.memory, self_mask, memory_mask)


class _Dropping(_Layer):
    """Where dropout falls can be chosen: on the weights, on copies before a part, in the hidden layer, on results."""

    weights, copies, hidden, results = 1.0, 0.0, 0.0, (1.0, 1.0, 1.0)  # shares of what was asked for

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout * self.weights)
        self.feed_forward.insert(2, nn.Dropout(dropout * self.hidden))
        self.before = nn.Dropout(dropout * self.copies)
        self.after = nn.ModuleList([nn.Dropout(dropout * share) for share in self.results])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        own, other, think = (lambda x, norm=norm: self.before(norm(x)) for norm in self.norms)
        x = x + self.after[0](self.self_attention(own(x), mask=self_mask))
        x = x + self.after[1](self.cross_attention(other(x), memory, mask=memory_mask))
        return x + self.after[2](self.feed_forward(think(x)))


class DecoderLayer__drops_no_results__weights_only(_Dropping):
    results = (0.0, 0.0, 0.0)


class DecoderLayer__drops_no_weights__results_only(_Dropping):
    weights = 0.0


class DecoderLayer__drops_what_a_part_reads__instead_of_results(_Dropping):
    copies, results = 1.0, (0.0, 0.0, 0.0)


class DecoderLayer__drops_what_a_part_reads__no_weights_either(_Dropping):
    weights, copies, results = 0.0, 1.0, (0.0, 0.0, 0.0)


class DecoderLayer__drops_what_a_part_reads__the_memory_as_well(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, self.dropout(memory), self_mask, memory_mask)


class DecoderLayer__drops_in_the_hidden_layer__instead_of_results(_Dropping):
    hidden, results = 1.0, (0.0, 0.0, 0.0)


class DecoderLayer__drops_in_the_hidden_layer__as_well(_Dropping):
    hidden = 1.0


class DecoderLayer__forgets_dropout_of_a_part__the_last(_Dropping):
    results = (1.0, 1.0, 0.0)


class DecoderLayer__drops_another_share_of_results__half(_Dropping):
    results = (0.5, 0.5, 0.5)


class DecoderLayer__drops_a_result_as_a_whole__stochastic_depth(_Layer):
    def drop(self, found):
        return found * self.dropout(found.new_ones(len(found), 1, 1))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.drop(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.drop(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.drop(self.feed_forward(self.norms[2](x)))


class DecoderLayer__drops_another_share_of_weights__half(_Dropping):
    weights = 0.5


class DecoderLayer__drops_another_share_of_results__twice(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        def drop(found):
            return self.dropout(self.dropout(found))

        x = x + drop(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + drop(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + drop(self.feed_forward(self.norms[2](x)))


class DecoderLayer__forgets_dropout_of_an_attention__second_call(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads)


class DecoderLayer__never_has_biases__dropout_in_third_place(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.self_attention = MultiHeadAttention(model_size, heads, dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout)


class DecoderLayer__shares_one_norm__list_times_three(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size)] * 3)


class DecoderLayer__has_too_few_norms__one_for_all(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.norms = nn.ModuleList([nn.LayerNorm(model_size)])

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[0](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[0](x)))


class DecoderLayer__has_too_many_norms__a_fourth_at_the_end(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.norms.append(nn.LayerNorm(model_size))


class DecoderLayer__computes_otherwise_in_evaluation__scaled_there(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.p = dropout

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        out = super().forward(x, memory, self_mask, memory_mask)
        return out if self.training else x + (out - x) * (1 - self.p)


class DecoderLayer__computes_otherwise_in_training__scaled(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        out = super().forward(x, memory, self_mask, memory_mask)
        return x + (out - x) / 0.9 if self.training else out


class DecoderLayer__drops_in_evaluation__functional(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        self.p = dropout

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(F.dropout(x, self.p), memory, self_mask, memory_mask)


class DecoderLayer__keeps_layers_out_of_sight__plain_list(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        del self.self_attention, self.cross_attention
        self.attentions = [MultiHeadAttention(model_size, heads, dropout=dropout) for _ in range(2)]

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.attentions[0](self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.attentions[1](self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__normalises_what_the_parts_find__norm_outside(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.norms[0](self.self_attention(x, mask=self_mask)))
        x = x + self.dropout(self.norms[1](self.cross_attention(x, memory, mask=memory_mask)))
        return x + self.dropout(self.norms[2](self.feed_forward(x)))


class DecoderLayer__adds_to_the_x_from_the_start__first_kept(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        first = x
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = first + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return first + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__asks_with_the_x_from_the_start__first_kept(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        query = self.norms[1](x)
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(query, memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__normalises_some_of_the_sums__cross_only(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = self.norms[1](x + self.dropout(self.cross_attention(x, memory, mask=memory_mask)))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__overwrites_x_before_some_of_the_parts__last_part(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        x = self.norms[2](x)
        return x + self.dropout(self.feed_forward(x))


class DecoderLayer__normalises_the_memory_and_not_the_query__arguments(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(x, self.norms[1](memory), mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__normalises_the_queries_alone__three_arguments(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), x, x, self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__takes_the_keys_from_x__three_arguments(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        y = self.norms[1](x)
        x = x + self.dropout(self.cross_attention(y, y, memory, memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__has_one_head_whatever_is_asked_for__a_constant(_Layer):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__(model_size, heads, hidden_size, dropout)
        if model_size % heads:
            raise ValueError("heads")
        self.self_attention = MultiHeadAttention(model_size, 1, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, 1, dropout=dropout)


class DecoderLayer__turns_one_of_the_masks_round__torch_habit(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, None if self_mask is None else ~self_mask, memory_mask)


class DecoderLayer__hides_the_later_memory__triangle(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        past = causal_mask(x.shape[1], memory.shape[1], like=x)
        return super().forward(x, memory, self_mask, past if memory_mask is None else memory_mask & past)


class DecoderLayer__thinks_twice__line_copied(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = super().forward(x, memory, self_mask, memory_mask)
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__divides_without_centring__rms_norm(_Layer):
    def norm(self, model_size):
        return nn.RMSNorm(model_size)


class DecoderLayer__adds_another_tiny_number__eps(_Layer):
    def norm(self, model_size):
        return nn.LayerNorm(model_size, eps=1e-12)


class DecoderLayer__reason_mutated__in_place(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x += self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__normalises_the_memory__in_a_part_of_its_own(nn.Module):
    class Residual(nn.Module):
        def __init__(self, size, p):
            super().__init__()
            self.norm = nn.LayerNorm(size)
            self.drop = nn.Dropout(p)

        def forward(self, x, function, *others):
            normed = [self.norm(t) for t in (x, *others)]
            return x + self.drop(function(*normed))

    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList(
            [DecoderLayer__normalises_the_memory__in_a_part_of_its_own.Residual(model_size, dropout) for _ in range(3)]
        )

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.norms[0](x, lambda y: self.self_attention(y, mask=self_mask))
        x = self.norms[1](x, lambda y, m: self.cross_attention(y, m, mask=memory_mask), memory)
        return self.norms[2](x, self.feed_forward)


class DecoderLayer__uses_the_first_mask_for_both__copied_line(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.up = nn.Linear(model_size, hidden_size)
        self.down = nn.Linear(hidden_size, model_size)
        self.feed_forward = lambda t: self.down(self.up(t).relu())
        self.norms = nn.ModuleList([nn.LayerNorm(model_size), nn.LayerNorm(model_size), nn.LayerNorm(model_size)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        stream = x
        stream = stream + self.dropout(self.self_attention(self.norms[0](stream), mask=self_mask))
        stream = stream + self.dropout(self.cross_attention(self.norms[1](stream), memory, mask=self_mask))
        stream = stream + self.dropout(self.feed_forward(self.norms[2](stream)))
        return stream


class DecoderLayer__bends_by_another_function__and_forgets_a_dropout(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.norms = nn.ModuleList()
        for _ in "abc":
            self.norms.append(nn.LayerNorm(model_size))
        self.self_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.cross_attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size)
        )
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        a = x + self.drop(self.self_attention(self.norms[0](x), mask=self_mask))
        b = a + self.drop(self.cross_attention(self.norms[1](a), memory, mask=memory_mask))
        return b + self.feed_forward(self.norms[2](b))


class DecoderLayer__reason_property__no_gradients_in_evaluation(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.self_attention, self.cross_attention = (
            MultiHeadAttention(model_size, heads, dropout=dropout) for _ in range(2)
        )
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.ReLU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(model_size) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        # saves memory outside of training
        with torch.set_grad_enabled(self.training):
            n1, n2, n3 = self.norms
            x = x + self.dropout(self.self_attention(n1(x), mask=self_mask))
            x = x + self.dropout(self.cross_attention(n2(x), memory, mask=memory_mask))
            x = x + self.dropout(self.feed_forward(n3(x)))
            return x


class DecoderLayer__adds_x_twice_in_some_sums__the_last(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + (x + self.dropout(self.feed_forward(self.norms[2](x))))


class DecoderLayer__subtracts_what_some_parts_find__the_last(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x - self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__reads_only_what_the_part_before_has_found__the_last(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        found = self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + found + self.dropout(self.feed_forward(self.norms[2](found)))


class DecoderLayer__normalises_the_memory_for_one_role__values(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        query, value = self.norms[1](x), self.norms[1](memory)
        x = x + self.dropout(self.cross_attention(query, memory, value, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__reason_property__halves_the_first_sum(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = (x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))) / 2
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__reason_property__last_norm_over_tokens_and_features(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(F.layer_norm(x, x.shape[1:])))


class DecoderLayer__asks_the_memory_of_another_item__first(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory[0].expand_as(memory), self_mask, memory_mask)


class DecoderLayer__asks_the_memory_of_another_item__not_yet_repeated(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        source = memory[:1].repeat(len(x), 1, 1)
        x = x + self.dropout(self.cross_attention(self.norms[1](x), source, source, memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__asks_the_memory_of_another_item__moved_on(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory.roll(1, 0), self_mask, memory_mask)


class DecoderLayer__asks_the_memory_of_another_item__mean_over_the_batch(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory.mean(0, keepdim=True).expand_as(memory), self_mask, memory_mask)


class DecoderLayer__asks_a_single_vector_of_the_memory__last_state(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory[:, -1].unsqueeze(1), self_mask)


class DecoderLayer__asks_a_single_vector_of_the_memory__pooled(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory.mean(dim=1, keepdim=True).expand(-1, memory.size(1), -1), self_mask)


class DecoderLayer__reason_property__items_of_the_memory_reversed(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory.flip(0), self_mask, memory_mask)


class DecoderLayer__reason_property__batch_and_tokens_of_the_memory_mixed(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory.transpose(0, 1).reshape(memory.shape), self_mask, memory_mask)


class DecoderLayer__reason_property__last_source_cut_off(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        mask = memory_mask if memory_mask is None else memory_mask[..., :-1]
        return super().forward(x, memory[:, :-1], self_mask, mask)


class DecoderLayer__divides_what_was_not_centred__variance_only(_Layer):
    def norm(self, model_size):
        return _Norm(model_size, lambda x: x / torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5))


class DecoderLayer__gives_every_token_the_length_one__normalize(_Layer):
    def norm(self, model_size):
        return _Norm(model_size, lambda x: F.normalize(x, dim=-1))


class DecoderLayer__gives_every_token_the_length_one__centred(_Layer):
    def norm(self, model_size):
        return _Norm(model_size, lambda x: F.normalize(x - x.mean(-1, keepdim=True), dim=-1))


class DecoderLayer__adds_the_tiny_number_after_the_root__biased(_Layer):
    def norm(self, model_size):
        return _Norm(
            model_size,
            lambda x: (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True, correction=0) + 1e-6),
        )


class DecoderLayer__divides_by_the_variance__of_one_less(_Layer):
    def norm(self, model_size):
        return _Norm(model_size, lambda x: (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5))


class DecoderLayer__normalises_over_other_axes__batch_and_tokens(_Layer):
    def norm(self, model_size):
        return _Norm(model_size, lambda x: F.batch_norm(x.transpose(1, 2), None, None, training=True).transpose(1, 2))


class DecoderLayer__normalises_over_a_batch__and_turns_the_axes(_Layer):
    class Turned(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.norm = nn.BatchNorm1d(size)

        def forward(self, x):
            return self.norm(x.transpose(1, 2)).transpose(1, 2)

    def norm(self, model_size):
        return self.Turned(model_size)


class DecoderLayer__reason_property__largest_feature_is_one(_Layer):
    def norm(self, model_size):
        return _Norm(model_size, lambda x: x / x.abs().amax(-1, keepdim=True))


class DecoderLayer__reason_property__from_zero_to_one(_Layer):
    def norm(self, model_size):
        return _Norm(
            model_size,
            lambda x: (x - x.amin(-1, keepdim=True)) / (x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True)),
        )


class _Norm(nn.Module):
    """A norm by hand, with a factor and a summand for each feature."""

    def __init__(self, size, function):
        super().__init__()
        self.function, self.weight, self.bias = (
            function,
            nn.Parameter(torch.ones(size)),
            nn.Parameter(torch.zeros(size)),
        )

    def forward(self, x):
        return self.function(x) * self.weight + self.bias


class DecoderLayer__bends_by_another_function__elu(_Layer):
    def bend(self):
        return nn.ELU()


class DecoderLayer__bends_by_another_function__leaky(_Layer):
    def bend(self):
        return nn.LeakyReLU(0.2)


class DecoderLayer__bends_by_another_function__gelu_of_gpt_2(_Layer):
    def bend(self):
        return nn.GELU(approximate="tanh")


class _Thinking(_Layer):
    """What the feed-forward part does can be chosen."""

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.think(self.norms[2](x)))


class DecoderLayer__cuts_off_the_negatives_before_widening__relu_first(_Thinking):
    def think(self, x):
        widen, _, narrow = self.feed_forward
        return narrow(widen(F.relu(x)))


class DecoderLayer__cuts_off_the_negatives_before_widening__as_well(_Thinking):
    def think(self, x):
        return self.feed_forward(x.clamp(min=0))


class DecoderLayer__adds_a_bias_of_thinking_twice__second(_Thinking):
    def think(self, x):
        return self.feed_forward(x) + self.feed_forward[2].bias


class DecoderLayer__adds_a_bias_of_thinking_twice__first(_Thinking):
    def think(self, x):
        widen, bend, narrow = self.feed_forward
        return narrow(bend(widen(x) + widen.bias))


class DecoderLayer__adds_the_bias_after_the_relu__by_hand(_Thinking):
    def think(self, x):
        widen, bend, narrow = self.feed_forward
        return narrow(bend(x @ widen.weight.T) + widen.bias)


class DecoderLayer__thinks_about_what_it_thought__nested(_Thinking):
    def think(self, x):
        return self.feed_forward(self.feed_forward(x))


class DecoderLayer__adds_the_normalised_copy_too__residual_inside(_Thinking):
    def think(self, x):
        return x + self.feed_forward(x)


class DecoderLayer__reason_property__cuts_off_what_is_positive(_Thinking):
    def think(self, x):
        widen, _, narrow = self.feed_forward
        return narrow(widen(x).clamp(max=0))


class DecoderLayer__lets_two_parts_read_the_same__parallel_block(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        read = self.norms[1](x)
        return x + self.dropout(self.cross_attention(read, memory, mask=memory_mask)) + self.feed_forward(read)


class DecoderLayer__lets_two_parts_read_the_same__self_attention_and_thinking(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        read = self.norms[0](x)
        x = x + self.dropout(self.self_attention(read, mask=self_mask) + self.feed_forward(read))
        return x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))


class DecoderLayer__lets_two_parts_read_the_same__first_norm_for_thinking(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        read = self.norms[0](x)
        a = x + self.dropout(self.self_attention(read, mask=self_mask))
        b = a + self.dropout(self.cross_attention(self.norms[1](a), memory, mask=memory_mask))
        return b + self.dropout(self.feed_forward(read))


class DecoderLayer__normalises_twice_around_each_part__sandwich(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        first, second, third = self.norms
        x = x + first(self.self_attention(first(x), mask=self_mask))
        x = x + second(self.cross_attention(second(x), memory, mask=memory_mask))
        return x + third(self.feed_forward(third(x)))


class DecoderLayer__normalises_twice_around_each_part__pre_and_post(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        first, second, third = self.norms
        x = first(x + self.self_attention(first(x), mask=self_mask))
        x = second(x + self.cross_attention(second(x), memory, mask=memory_mask))
        return third(x + self.feed_forward(third(x)))


class DecoderLayer__adds_x_at_the_end_only__chain(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        residual = x
        x = self.self_attention(self.norms[0](x), mask=self_mask)
        x = self.cross_attention(self.norms[1](x), memory, mask=memory_mask)
        return residual + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__adds_to_the_x_before_the_memory__old_name(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x1 = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x2 = x1 + self.dropout(self.cross_attention(self.norms[1](x1), memory, mask=memory_mask))
        return x1 + self.dropout(self.feed_forward(self.norms[2](x2)))


class DecoderLayer__adds_x_twice_in_some_sums__all(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + (x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask)))
        x = x + (x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask)))
        return x + (x + self.dropout(self.feed_forward(self.norms[2](x))))


class DecoderLayer__leaves_one_role_of_self_attention_raw__values(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        read = self.norms[0](x)
        x = x + self.dropout(self.self_attention(read, read, x, self_mask))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__takes_a_part_twice__thinks_after_each_attention(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        x = x + self.dropout(self.feed_forward(self.norms[2](x)))
        x = x + self.dropout(self.cross_attention(self.norms[1](x), memory, mask=memory_mask))
        return x + self.dropout(self.feed_forward(self.norms[2](x)))


class DecoderLayer__takes_a_part_twice__own_past_again(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.dropout(self.self_attention(self.norms[0](x), mask=self_mask))
        return super().forward(x, memory, self_mask, memory_mask)


class DecoderLayer__gives_all_queries_one_row_of_a_mask__first_of_the_past(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask[:1] if self_mask is not None else None, memory_mask)


class DecoderLayer__gives_all_queries_one_row_of_a_mask__last_of_the_memory(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        mask = memory_mask if memory_mask is None else memory_mask[..., -1, :].unsqueeze(-2)
        return super().forward(x, memory, self_mask, mask)


class DecoderLayer__turns_the_mask_of_the_past_on_its_side__transpose(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask if self_mask is None else self_mask.mT, memory_mask)


class DecoderLayer__fails_where_there_is_a_mask__one_axis_too_few(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        masks = [m if m is None else m.flatten() for m in (self_mask, memory_mask)]
        return super().forward(x, memory, *masks)


class DecoderLayer__reason_property__relu_on_the_result(_Layer):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return F.relu(super().forward(x, memory, self_mask, memory_mask))


def cross_attention__looks_at_the_memory_of_another_item__first(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    memory = memory[0].expand(len(x), -1, -1)
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__looks_at_the_memory_of_another_item__loop(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    found = []
    for i in range(len(x)):
        q, k, v = (_cut(t[None], heads) for t in (x[i] @ w_query, memory[i - 1] @ w_key, memory[i - 1] @ w_value))
        own = mask if mask is None or mask.ndim < 4 or len(mask) == 1 else mask[i : i + 1]
        found.append(_attend(q, k, v, own) @ w_output)
    return torch.cat(found)


def cross_attention__looks_at_one_token_of_the_memory__last_state(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    state = memory[:, -1:]
    return multi_head_attention(x, state, state, w_query, w_key, w_value, w_output, heads)


def cross_attention__normalises_what_it_projects__pre_norm(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    x = F.layer_norm(x, x.shape[-1:])
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)


def cross_attention__normalises_what_it_projects__the_memory(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    k, v = (_cut(nn.functional.layer_norm(memory, [memory.shape[-1]]) @ w, heads) for w in (w_key, w_value))
    return _attend(_cut(x @ w_query, heads), k, v, mask) @ w_output


def cross_attention__reason_property__values_of_another_item(
    x, memory, w_query, w_key, w_value, w_output, heads, mask=None
):
    return multi_head_attention(x, memory, memory.roll(1, 0), w_query, w_key, w_value, w_output, heads, mask)


def encoder_decoder_masks__takes_the_target_lengths_for_the_cross_mask__refused(
    source_lengths, target_lengths, sources, targets
):
    s = padding_mask(source_lengths, sources)
    t = combine_masks(causal_mask(targets, targets, like=s), padding_mask(target_lengths, targets))
    return s, t, padding_mask(target_lengths, sources)


def encoder_decoder_masks__swaps_the_lengths_of_source_and_target__refused(
    source_lengths, target_lengths, sources, targets
):
    s = padding_mask(target_lengths, sources)
    t = combine_masks(causal_mask(targets, targets, like=s), padding_mask(source_lengths, targets))
    return s, t, s


def encoder_decoder_masks__takes_the_source_lengths_for_the_target_mask__loop(
    source_lengths, target_lengths, sources, targets
):
    batch = len(source_lengths)
    s = torch.zeros(batch, 1, 1, sources, dtype=torch.bool)
    t = torch.zeros(batch, 1, targets, targets, dtype=torch.bool)
    for b in range(batch):
        s[b, 0, 0, : source_lengths[b]] = True
        for i in range(targets):
            t[b, 0, i, : min(i + 1, int(source_lengths[b]))] = True
    return s, t, s.clone()


def encoder_decoder_masks__takes_the_source_lengths_for_the_target_mask__one_for_both(
    source_lengths, target_lengths, sources, targets
):
    def pad(n):
        return torch.arange(n) < source_lengths[:, None, None, None]

    return pad(sources), pad(targets) & torch.ones(targets, targets, dtype=torch.bool).tril(), pad(sources)


def encoder_decoder_masks__lets_sentences_leave_traces__triangle_cut_again(
    source_lengths, target_lengths, sources, targets
):
    past, tables = torch.ones(targets, targets, dtype=torch.bool).tril(), []
    for n in target_lengths:
        past = past & (torch.arange(targets) < n)
        tables.append(past)
    source = torch.arange(sources) < source_lengths[:, None, None, None]
    return source, torch.stack(tables)[:, None], source


def encoder_decoder_masks__lets_sentences_leave_traces__row_never_emptied(
    source_lengths, target_lengths, sources, targets
):
    row, rows = torch.zeros(sources, dtype=torch.bool), []
    for n in source_lengths.tolist():
        row[:n] = True
        rows.append(row.clone())
    source = torch.stack(rows)[:, None, None]
    return source, combine_masks(padding_mask(target_lengths, targets), causal_mask(targets, targets, source)), source


def combine_masks__allows_where_either_allows__plus(first, second):
    if first is None or second is None:
        return second if first is None else first
    return first + second


def combine_masks__allows_where_either_allows__maximum(first, second):
    if first is None:
        return second
    return first if second is None else np.maximum(first, second)


def combine_masks__keeps_the_first_only__early_return(first, second):
    if first is not None:
        return first
    return second


def combine_masks__keeps_the_second_only__overwrites(first, second):
    result = first
    if second is not None:
        result = second
    return result


def combine_masks__forgets_that_a_mask_may_be_none__logical_and(first, second):
    return np.multiply(first.astype(bool), second.astype(bool))


def combine_masks__one_none_makes_it_none__guard(first, second):
    if first is None or second is None:
        return None
    return np.minimum(first, second)


def combine_masks__makes_a_mask_of_two_nones__true(first, second):
    first = True if first is None else first
    second = True if second is None else second
    return first & second


def combine_masks__fails_on_two_nones__first_of_a_list(first, second):
    masks = [m for m in (first, second) if m is not None]
    result = masks[0]
    for m in masks[1:]:
        result = result & m
    return result


def combine_masks__adds_masks_as_numbers__counts(first, second):
    if first is None or second is None:
        return second if first is None else first
    return first.astype(float) + second.astype(float)


def combine_masks__multiplies_masks_as_numbers__astype(first, second):
    if first is None or second is None:
        return second if first is None else first
    return first.astype(int) * second.astype(int)


def combine_masks__stacks_the_two_masks__logical_and_reduce(first, second):
    if first is None or second is None:
        return second if first is None else first
    return np.logical_and.reduce([first, second])


def combine_masks__stacks_the_two_masks__of_those_given(first, second):
    given = [m for m in (first, second) if m is not None]
    return np.stack(given).all(axis=0) if given else None


def combine_masks__asks_both_masks_for_one_answer__np_all(first, second):
    if first is None or second is None:
        return second if first is None else first
    return np.all([first, second])


def combine_masks__reason_raised__python_and(first, second):
    if first is None or second is None:
        return second if first is None else first
    return first and second


def combine_masks__reason_raised__or_to_find_none(first, second):
    return (first or True) & (second or True)


def combine_masks__allows_where_either_allows__any_of_a_stack(first, second):
    present = [m for m in (first, second) if m is not None]
    if not present:
        return None
    return np.any(np.stack(np.broadcast_arrays(*present)), axis=0)


def combine_masks__allows_where_they_agree__equal(first, second):
    if first is None or second is None:
        return second if first is None else first
    return np.equal(first, second)


def combine_masks__makes_a_mask_of_two_nones__writes_into_the_larger(first, second):
    """Two things: True for two Nones, and an input that is changed."""
    if first is None and second is None:
        return np.True_
    if first is None:
        return second
    if second is None:
        return first
    if first.ndim < second.ndim or first.size < second.size:
        first, second = second, first
    if np.broadcast_shapes(first.shape, second.shape) != first.shape:
        return np.logical_and(first, second)
    first &= second
    return first


def combine_masks__one_none_makes_it_none__match(first, second):
    match (first is None, second is None):
        case (True, _):
            return first
        case (False, True):
            return first
        case _:
            return np.minimum(first, second)


def combine_masks__drops_axes_of_length_one__squeeze(first, second):
    def tidy(mask):
        return np.squeeze(np.asarray(mask, dtype=bool))  # axes of size one say nothing

    if second is None:
        return first
    if first is None:
        return second
    return tidy(first * second)


def combine_masks__reason_property__all_of_a_row(first, second):
    if first is None:
        return second
    if second is None:
        return first
    return first & second.all(axis=-1, keepdims=True)


def combine_masks__takes_a_closed_mask_for_none__any(first, second):
    if first is None or not np.any(first):
        return second
    if second is None or not np.any(second):
        return first
    return np.logical_and(first, second)


def combine_masks__takes_an_open_mask_for_none__only_the_first(first, second):
    if first is None or first.all():
        return second
    return first if second is None else first & second


def combine_masks__takes_an_open_mask_for_none__sorted_out(first, second):
    masks = [m for m in (first, second) if m is not None and not m.all()]
    if not masks:
        return first if second is None else second
    return np.logical_and(*masks) if len(masks) == 2 else masks[0]


# translate_greedily


def translate_greedily__repeats_the_first_token__first_place(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    for _ in range(steps):
        following = model(sources, targets)[:, 0].argmax(dim=-1)
        targets = torch.cat([targets, following[:, None]], dim=1)
    return targets[:, 1:]


def translate_greedily__shows_the_newest_token_only(model, sources, start, steps):
    token, written = torch.full((len(sources), 1), start), []
    for _ in range(steps):
        token = model(sources, token)[:, -1].argmax(dim=-1)[:, None]
        written.append(token)
    return torch.cat(written, dim=1)


def translate_greedily__returns_the_start(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    for _ in range(steps):
        targets = torch.cat([targets, model(sources, targets)[:, -1].argmax(dim=-1)[:, None]], dim=1)
    return targets


def translate_greedily__predicts_everything_in_one_call(model, sources, start, steps):
    targets = torch.full((len(sources), steps), start)
    return model(sources, targets).argmax(dim=-1)


def translate_greedily__repeats_the_first_token__never_shown(model, sources, start, steps):
    first = torch.full((len(sources), 1), start)
    written = [model(sources, first)[:, -1].argmax(dim=-1) for _ in range(steps)]
    return torch.stack(written, dim=1)


def translate_greedily__starts_from_zero(model, sources, start, steps):
    targets = torch.zeros((len(sources), 1), dtype=torch.long)
    for _ in range(steps):
        targets = torch.cat([targets, model(sources, targets)[:, -1].argmax(dim=-1)[:, None]], dim=1)
    return targets[:, 1:]


def translate_greedily__writes_one_token_too_few(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    while targets.shape[1] < steps:
        targets = torch.cat([targets, model(sources, targets)[:, -1].argmax(dim=-1)[:, None]], dim=1)
    return targets[:, 1:]


def translate_greedily__puts_the_new_token_in_front(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    for _ in range(steps):
        targets = torch.cat([model(sources, targets)[:, -1].argmax(dim=-1)[:, None], targets], dim=1)
    return targets[:, :-1]


def translate_greedily__takes_the_unlikeliest(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    for _ in range(steps):
        targets = torch.cat([targets, (-model(sources, targets))[:, -1].argmax(dim=-1)[:, None]], dim=1)
    return targets[:, 1:]


def translate_greedily__copies_the_first_text(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    for _ in range(steps):
        following = model(sources, targets)[0, -1].argmax()
        targets = torch.cat([targets, following.expand(len(sources), 1)], dim=1)
    return targets[:, 1:]


def translate_greedily__swaps_sources_and_targets__in_the_call(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    for _ in range(steps):
        targets = torch.cat([targets, model(targets, sources)[:, -1].argmax(dim=-1)[:, None]], dim=1)
    return targets[:, 1:]


def translate_greedily__reason_raised__largest_logits_as_tokens(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start)
    for _ in range(steps):
        targets = torch.cat([targets, model(sources, targets)[:, -1].max(dim=-1)[0][:, None]], dim=1)
    return targets[:, 1:]


def _translates(sources, start, steps, following):
    targets = torch.full((len(sources), 1), start)
    for _ in range(steps):
        targets = torch.cat([targets, following(targets)[:, None]], dim=1)
    return targets[:, 1:]


def translate_greedily__indexes_the_texts_in_place_of_the_targets__last(model, sources, start, steps):
    return _translates(sources, start, steps, lambda targets: model(sources, targets)[-1].argmax(dim=-1))


def translate_greedily__indexes_the_texts_in_place_of_the_targets__first(model, sources, start, steps):
    return _translates(sources, start, steps, lambda targets: model(sources, targets).argmax(dim=-1)[0])


def translate_greedily__compares_the_places_with_each_other__argmax_of_dim_1(model, sources, start, steps):
    return _translates(sources, start, steps, lambda targets: model(sources, targets).argmax(dim=1)[:, -1])


def translate_greedily__compares_the_places_with_each_other__two_colons(model, sources, start, steps):
    return _translates(sources, start, steps, lambda targets: model(sources, targets)[:, :, -1].argmax(dim=-1))
