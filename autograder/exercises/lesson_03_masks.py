import numpy as np

import mha_ref
from autograder import inputs
from autograder.exercise import Exercise
from autograder.properties import (
    batch_items_do_not_touch_each_other, blocked_keys_have_no_influence, blocked_keys_have_no_weight,
    earlier_keys_stay_visible, keys_with_their_values_may_be_shuffled, lengths_are_kept, nothing_forbidden_gets_allowed,
    order_of_masks_does_not_matter, outputs_lie_between_the_values, rows_do_not_touch_each_other,
    the_future_has_no_influence, the_last_query_sees_every_key, the_past_has_influence,
    twice_the_values_twice_the_output, weights_are_not_negative, weights_sum_to_one)

masked_softmax = Exercise(mha_ref.masked_softmax, inputs.scores_mask, properties=(
    blocked_keys_have_no_weight, blocked_keys_have_no_influence, weights_are_not_negative, weights_sum_to_one,
    rows_do_not_touch_each_other, batch_items_do_not_touch_each_other))
causal_mask = Exercise(mha_ref.causal_mask, inputs.sizes, properties=(the_last_query_sees_every_key, earlier_keys_stay_visible))
padding_mask = Exercise(mha_ref.padding_mask, inputs.lengths_keys, properties=(lengths_are_kept,))
combine_masks = Exercise(mha_ref.combine_masks, inputs.two_masks, properties=(nothing_forbidden_gets_allowed, order_of_masks_does_not_matter))
masked_attention = Exercise(mha_ref.masked_attention, inputs.query_key_value_mask, properties=(
    blocked_keys_have_no_influence, batch_items_do_not_touch_each_other, rows_do_not_touch_each_other,
    twice_the_values_twice_the_output, keys_with_their_values_may_be_shuffled))
causal_attention = Exercise(mha_ref.causal_attention, inputs.causal, properties=(
    the_future_has_no_influence, the_past_has_influence, batch_items_do_not_touch_each_other,
    twice_the_values_twice_the_output, outputs_lie_between_the_values))


# masked_softmax

@masked_softmax.misconception
def turns_the_mask_round(scores, mask):
    """Weight went to exactly the blocked keys. Here True means "may look": fill where the mask is False (~mask)."""
    return masked_softmax(scores, ~mask)


@masked_softmax.misconception
def ignores_the_mask(scores, mask):
    """The mask changes nothing in your result. np.where and masked_fill return a new array: keep what they return."""
    return softmax(scores)


@masked_softmax.misconception
def fills_with_zero(scores, mask):
    """A blocked key still gets weight: a score of 0 means exp(0) = 1, not nothing. Fill with -inf, before softmax."""
    return softmax(np.where(mask, scores, 0))


@masked_softmax.misconception
def zeroes_after_softmax(scores, mask):
    """Your rows sum to less than 1: blocked keys took their share before you removed them. Mask before softmax."""
    return softmax(scores) * mask


@masked_softmax.misconception
def adds_the_mask_as_numbers(scores, mask):
    """You added True and False as 1 and 0. Allowed keys got a bonus, blocked ones still take part. Use np.where."""
    return softmax(scores + mask)


@masked_softmax.misconception
def subtracts_the_mask_as_numbers(scores, mask):
    """You subtracted the mask as 1 and 0. Use np.where(mask, scores, -np.inf)."""
    return softmax(scores - mask)


@masked_softmax.misconception
def fills_with_minus_one(scores, mask):
    """A blocked key still gets weight: -1 is a score like any other. Fill with -inf."""
    return softmax(np.where(mask, scores, -1.0))


@masked_softmax.misconception
def fills_with_plus_infinity(scores, mask):
    """Your result is nan: the fill has the wrong sign. A blocked key needs -inf."""
    return softmax(np.where(mask, scores, np.inf))


@masked_softmax.misconception
def fills_with_a_large_positive_number(scores, mask):
    """All weight goes to blocked keys: the fill has the wrong sign. A blocked key needs -inf."""
    return softmax(np.where(mask, scores, 1e9))


@masked_softmax.misconception
def keeps_minus_infinity_after_softmax(scores, mask):
    """Your blocked weights are -inf: you filled after softmax. Fill the scores, before it."""
    return np.where(mask, softmax(scores), -np.inf)


@masked_softmax.misconception
def forgets_the_softmax_of_masked_scores(scores, mask):
    """You returned masked scores; softmax is missing."""
    return np.where(mask, scores, -np.inf)


@masked_softmax.misconception
def exponentials_without_the_sum(scores, mask):
    """Your rows do not sum to 1: divide by the sum of what the mask leaves."""
    return np.exp(scores) * mask


@masked_softmax.misconception
def applies_the_mask_to_queries(scores, mask):
    """Your mask acts on rows. Each row of the mask belongs to one query; do not transpose it."""
    return masked_softmax(scores, mask.mT)


@masked_softmax.misconception
def drops_whole_rows(scores, mask):
    """One blocked key empties a whole row in your result. A row is dead only if nothing at all is allowed."""
    return masked_softmax(scores, mask) * mask.all(axis=-1, keepdims=True)


@masked_softmax.misconception(on="dead_row")
def leaves_dead_rows_nan(scores, mask):
    """A row with nothing allowed becomes nan: 0 / 0. Nothing to look at means weights of zero: find rows without
    any True, and give them zeros."""
    return softmax(np.where(mask, scores, -np.inf))


@masked_softmax.misconception(on="dead_row")
def spreads_dead_rows_evenly(scores, mask):
    """A row with nothing allowed looks at every key alike: all its scores became the same large negative number.
    Nothing to look at means weights of zero."""
    return softmax(np.where(mask, scores, -1e9))


@masked_softmax.misconception(on="dead_row")
def unmasks_dead_rows(scores, mask):
    """A row with nothing allowed is as if it had no mask: the same number added to every score changes nothing.
    Nothing to look at means weights of zero."""
    alive = mask.any(axis=-1, keepdims=True)
    return softmax(np.where(mask | ~alive, scores, -np.inf))


@masked_softmax.misconception(on="hidden_large")
def takes_the_maximum_of_blocked_scores(scores, mask):
    """A blocked key with a very large score makes the rest of the row vanish. Mask first, then take the maximum."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    return np.where(mask.any(axis=-1, keepdims=True), weights / weights.sum(axis=-1, keepdims=True), 0)


@masked_softmax.misconception(on="hidden_large")
def blocks_with_too_small_a_number(scores, mask):
    """A blocked key with a very large score shows through: your negative number is not large enough. -inf always is."""
    return np.where(mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, scores - 1000)), 0)


# causal_mask

@causal_mask.misconception
def true_means_blocked(queries, keys):
    """Your mask is exactly the other way round: True marks what is blocked. Here True means "may look"."""
    return ~causal_mask(queries, keys)


@causal_mask.misconception
def starts_at_the_top_left(queries, keys):
    """With more keys than queries your last query cannot see the last keys. The last query stands at the last key:
    shift the diagonal by keys - queries."""
    return np.tri(queries, keys, dtype=bool)


@causal_mask.misconception
def does_not_see_itself(queries, keys):
    """A token may look at itself: the diagonal is allowed."""
    return np.tri(queries, keys, keys - queries - 1, dtype=bool)


@causal_mask.misconception
def sees_one_token_ahead(queries, keys):
    """Each query sees one key too many, the next token. Check the offset of the diagonal."""
    return np.tri(queries, keys, keys - queries + 1, dtype=bool)


@causal_mask.misconception
def shifts_the_diagonal_the_wrong_way(queries, keys):
    """The diagonal is shifted by queries - keys; it must be keys - queries."""
    return np.tri(queries, keys, queries - keys, dtype=bool)


@causal_mask.misconception
def looks_into_the_future(queries, keys):
    """Your queries see themselves and the future, not the past: the triangle is the upper one (triu). Use the lower."""
    return np.arange(keys) >= np.arange(queries)[:, None] + (keys - queries)


@causal_mask.misconception
def looks_into_the_future_from_the_top_left(queries, keys):
    """Your queries see themselves and the future, not the past: the triangle is the upper one (triu). Use the lower."""
    return np.triu(np.ones((queries, keys), bool))


@causal_mask.misconception
def blocked_above_the_diagonal_from_the_top_left(queries, keys):
    """True marks what is blocked in your mask, and the diagonal starts at the top left. True means "may look"."""
    return np.triu(np.ones((queries, keys), bool), k=1)


@causal_mask.misconception
def sees_only_the_past_from_the_top_left(queries, keys):
    """A token may look at itself; and the last query stands at the last key, so the diagonal is shifted."""
    return np.tri(queries, keys, -1, dtype=bool)


@causal_mask.misconception
def sees_only_itself(queries, keys):
    """Only the diagonal is allowed in your mask. Every earlier key is allowed too."""
    return np.arange(keys) == np.arange(queries)[:, None] + (keys - queries)


@causal_mask.misconception
def allows_everything(queries, keys):
    """Everything is allowed in your mask."""
    return np.ones((queries, keys), bool)


@causal_mask.misconception
def swaps_rows_and_columns(queries, keys):
    """Your rows are keys. Rows are queries: shape (queries, keys)."""
    return causal_mask(keys, queries)


@causal_mask.misconception
def transposes_the_causal_mask(queries, keys):
    """Your mask is transposed. Rows are queries, columns are keys."""
    return causal_mask(queries, keys).T


@causal_mask.misconception
def is_square_of_queries(queries, keys):
    """Your mask has as many columns as rows. Queries and keys may differ in number."""
    return causal_mask(queries, queries)


@causal_mask.misconception
def is_square_of_keys(queries, keys):
    """Your mask has as many rows as columns. Queries and keys may differ in number."""
    return causal_mask(keys, keys)


@causal_mask.misconception
def holds_ones_and_zeros(queries, keys):
    """The places are right, but your mask holds numbers. A mask is boolean: add dtype=bool or compare."""
    return causal_mask(queries, keys) * 1.0


@causal_mask.misconception
def holds_integer_ones_and_zeros(queries, keys):
    """The places are right, but your mask holds integers. A mask is boolean: add dtype=bool or compare."""
    return causal_mask(queries, keys) * 1


@causal_mask.misconception
def holds_minus_infinity(queries, keys):
    """Your mask holds 0 and -inf, to be added to scores. Here a mask is boolean, True = may look."""
    return np.where(causal_mask(queries, keys), 0.0, -np.inf)


@causal_mask.misconception
def holds_minus_a_billion(queries, keys):
    """Your mask holds 0 and -1e9, to be added to scores. Here a mask is boolean, True = may look."""
    return np.where(causal_mask(queries, keys), 0.0, -1e9)


@causal_mask.misconception
def has_batch_and_head_axes(queries, keys):
    """Your mask has extra axes in front. This exercise asks for (queries, keys); broadcasting adds the others."""
    return causal_mask(queries, keys)[None, None]


# padding_mask

@padding_mask.misconception
def true_marks_padding(lengths, keys):
    """True marks the padding in your mask. Here True means "may look", so it marks the real tokens."""
    return ~padding_mask(lengths, keys)


@padding_mask.misconception
def allows_one_too_many(lengths, keys):
    """Each row allows one key too many. Positions count from 0: position < length."""
    return padding_mask(lengths + 1, keys + 1)[..., :keys]


@padding_mask.misconception
def allows_one_too_few(lengths, keys):
    """Each row allows one key too few. Positions count from 0: position < length."""
    return padding_mask(lengths - 1, keys)


@padding_mask.misconception
def pads_on_the_left(lengths, keys):
    """Your real tokens stand at the end of each row. Padding comes after them here."""
    return padding_mask(lengths, keys)[..., ::-1]


@padding_mask.misconception
def has_no_axes_for_heads_and_queries(lengths, keys):
    """Your mask is (batch, keys). Against scores (batch, heads, queries, keys) NumPy would line batch up with
    queries - silently, if they are equal. Add two axes of length 1: (batch, 1, 1, keys)."""
    return padding_mask(lengths, keys)[:, 0, 0]


@padding_mask.misconception
def has_no_axis_for_heads(lengths, keys):
    """Your mask is (batch, 1, keys); batch would line up with heads. The shape is (batch, 1, 1, keys)."""
    return padding_mask(lengths, keys)[:, 0]


@padding_mask.misconception
def masks_queries_instead_of_keys(lengths, keys):
    """Your mask is (batch, 1, keys, 1): it blocks queries. Padding is blocked as keys: (batch, 1, 1, keys)."""
    return padding_mask(lengths, keys).mT


@padding_mask.misconception
def masks_queries_and_keys(lengths, keys):
    """Your mask is (batch, 1, keys, keys) and blocks queries too, which makes dead rows. Block padded keys only."""
    return padding_mask(lengths, keys) & padding_mask(lengths, keys).mT


@padding_mask.misconception
def repeats_the_mask_for_every_query(lengths, keys):
    """Your mask is repeated for every query. Broadcasting does that: keep (batch, 1, 1, keys)."""
    return np.repeat(padding_mask(lengths, keys), keys, axis=-2)


@padding_mask.misconception
def puts_the_batch_last(lengths, keys):
    """Your batch axis is not the first. The shape is (batch, 1, 1, keys)."""
    return padding_mask(lengths, keys).T


@padding_mask.misconception
def uses_the_longest_length(lengths, keys):
    """Every row allows as many keys as the longest. Each row has its own length: lengths[:, None]."""
    return padding_mask(lengths * 0 + lengths.max(), keys)


@padding_mask.misconception
def stops_at_the_longest_length(lengths, keys):
    """Your mask has as many columns as the longest length. It needs one for each of `keys`."""
    return padding_mask(lengths, lengths.max())


@padding_mask.misconception
def marks_one_position_only(lengths, keys):
    """One position is marked in each row. All positions before the length are allowed: <, not ==."""
    return (np.arange(keys) == lengths[:, None])[:, None, None]


@padding_mask.misconception
def padding_as_ones_and_zeros(lengths, keys):
    """The places are right, but your mask holds numbers. A mask is boolean."""
    return padding_mask(lengths, keys) * 1.0


@padding_mask.misconception
def padding_as_integers(lengths, keys):
    """The places are right, but your mask holds integers. A mask is boolean."""
    return padding_mask(lengths, keys) * 1


@padding_mask.misconception
def padding_as_minus_infinity(lengths, keys):
    """Your mask holds 0 and -inf, to be added to scores. Here a mask is boolean, True = may look."""
    return np.where(padding_mask(lengths, keys), 0.0, -np.inf)


@padding_mask.misconception(on="too_long")
def accepts_lengths_that_do_not_fit(lengths, keys):
    """A length above `keys` must be an error; your code cuts it off silently."""
    return padding_mask(np.minimum(lengths, keys), keys)


# combine_masks

@combine_masks.misconception
def allows_where_either_allows(first, second):
    """You allow where either mask allows (or, +). A key must be allowed by both: &."""
    return first | second


@combine_masks.misconception
def allows_where_they_differ(first, second):
    """You allow where the masks differ (xor). A key must be allowed by both: &."""
    return first ^ second


@combine_masks.misconception
def allows_where_they_agree(first, second):
    """You allow where the masks agree, also where both forbid. A key must be allowed by both: &."""
    return first == second


@combine_masks.misconception
def keeps_the_first_only(first, second):
    """Your result is the first mask. In Python `a and b` does not work element by element: use &."""
    return second if first is None else first


@combine_masks.misconception
def keeps_the_second_only(first, second):
    """Your result is the second mask. In Python `a and b` does not work element by element: use &."""
    return first if second is None else second


@combine_masks.misconception
def combines_the_other_way_round(first, second):
    """Your result is the opposite: True where something forbids."""
    return ~combine_masks(first, second)


@combine_masks.misconception
def blocked_only_if_both_block(first, second):
    """You block only what both masks block, and mark it True. Allowed is where both allow: first & second."""
    return ~first & ~second


@combine_masks.misconception
def multiplies_masks_as_numbers(first, second):
    """The places are right, but your result holds numbers. Keep masks boolean: &."""
    return (first * 1) * (second * 1) if first is not None and second is not None else combine_masks(first, second)


@combine_masks.misconception
def adds_masks_as_numbers(first, second):
    """Your result counts the masks. Keep masks boolean: &."""
    return first * 1 + second * 1


@combine_masks.misconception(on="none")
def forgets_that_a_mask_may_be_none(first, second):
    """One of the masks may be None, which forbids nothing. Return the other one then."""
    return first & second


@combine_masks.misconception(on="none")
def one_none_makes_it_none(first, second):
    """If one mask is None you return None and lose the other. None forbids nothing: return the other mask."""
    return None if first is None or second is None else first & second


@combine_masks.misconception(on="none")
def none_forbids_everything(first, second):
    """You read None as "nothing allowed". None means that there is no mask: everything is allowed."""
    if first is None or second is None:
        return np.zeros_like(first if second is None else second) if (first is None) != (second is None) else None
    return first & second


@combine_masks.misconception(on="none")
def handles_only_the_second_none(first, second):
    """The first mask may be None too."""
    return first if second is None else first & second


@combine_masks.misconception(on="none")
def handles_only_the_first_none(first, second):
    """The second mask may be None too."""
    return second if first is None else first & second


@combine_masks.misconception(on="none")
def makes_a_mask_of_two_nones(first, second):
    """Two times None stays None: there is no mask at all."""
    return np.True_ if first is None and second is None else combine_masks(first, second)


# masked_attention

@masked_attention.misconception
def mixes_the_keys(query, key, value, mask=None):
    """You mixed the keys. Keys are what is compared; what is handed on is the value."""
    return masked_attention(query, key, key, mask)


@masked_attention.misconception
def mixes_the_queries(query, key, value, mask=None):
    """You mixed the queries. Queries ask; what is handed on is the value."""
    return masked_attention(query, key, query, mask)


@masked_attention.misconception
def compares_with_the_values(query, key, value, mask=None):
    """You compared queries with values. They are compared with keys; the values are only mixed."""
    return masked_attention(query, value, value, mask)


@masked_attention.misconception
def swaps_key_and_value(query, key, value, mask=None):
    """Key and value changed places. Keys are compared, values are mixed."""
    return masked_attention(query, value, key, mask)


@masked_attention.misconception
def takes_arguments_as_value_key_query(query, key, value, mask=None):
    """You took the arguments in the order value, key, query. Here it is query, key, value."""
    return masked_attention(value, key, query, mask)


@masked_attention.misconception
def masks_the_output(query, key, value, mask=None):
    """You masked after mixing. A mask acts on scores, before softmax."""
    return masked_attention(query, key, value) if mask is None else masked_attention(query, key, value) * mask


@masked_attention.misconception
def adds_the_query_back(query, key, value, mask=None):
    """You added the query to the result (a residual). That comes later, outside attention."""
    return masked_attention(query, key, value, mask) + query


@masked_attention.misconception
def adds_the_value_back(query, key, value, mask=None):
    """You added the values to the result. The weighted mean is all."""
    return masked_attention(query, key, value, mask) + value


@masked_attention.misconception
def scales_by_the_value_size(query, key, value, mask=None):
    """You took the root of the value's size. What is summed in the dot product is the query's features."""
    return masked_attention(query * np.sqrt(query.shape[-1] / value.shape[-1]), key, value, mask)


@masked_attention.misconception
def needs_a_mask(query, key, value, mask=None):
    """Without a mask your code fails. None means: everything is allowed."""
    if mask is None:
        raise TypeError
    return masked_attention(query, key, value, mask)


@masked_attention.misconception
def is_always_causal(query, key, value, mask=None):
    """You hide later tokens though nobody asked for it. Hide only what the mask hides."""
    causal = mha_ref.causal_mask(query.shape[-2], key.shape[-2])
    return masked_attention(query, key, value, causal if mask is None else mask & causal)


@masked_attention.misconception
def uses_the_mask_of_the_first_item(query, key, value, mask=None):
    """Every item of the batch gets the first item's mask."""
    return masked_attention(query, key, value, mask if mask is None or mask.ndim < 3 else mask[:1])


# causal_attention

@causal_attention.misconception
def forgets_the_causal_mask(query, key, value):
    """Changing a later token changes an earlier output: there is no causal mask in your code."""
    return masked_attention(query, key, value)


@causal_attention.misconception
def masks_only_the_last_key(query, key, value):
    """Only the last key is hidden. Each query has its own future."""
    mask = np.ones((query.shape[-2], key.shape[-2]), bool)
    mask[:-1, -1] = False
    return masked_attention(query, key, value, mask)
