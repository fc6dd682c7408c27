"""Wrong answers to lesson 07, as learners write them: exercise, what the judge should name, style."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import causal_mask, combine_masks, multi_head_attention, padding_mask
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
