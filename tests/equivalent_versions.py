"""Versions of an exercise that do the same on every input that its contract allows, with the reason.

A name stands for a misconception, or for all of a family; RIGHT for the reference: what is like it changes nothing.
Within one entry, families agree number by number: two decimals of the output are two digits of the means.
"""

from dataclasses import dataclass

from separation import RIGHT

from autograder import EXERCISES


@dataclass(frozen=True)
class Alike:
    """In these exercises, versions of these names may be the same function."""

    why: str
    names: tuple
    exercises: tuple

    def is_about(self, label):
        return label in self.names or label.partition("(")[0] in self.names


def all_of(step):
    """The names of all misconceptions about a step of the decoder layer, which is made of most."""
    return tuple({m.name: None for m in EXERCISES["DecoderLayer"].mistakes if m.step == step})


WITHOUT_MASK = ("attention_weights", "scaled_dot_product_attention")
ONE_SEQUENCE = ("attention_head", "AttentionHead", "multi_head_by_loop")
OF_PARTS = ("DecoderLayer", "Block")
LAYERS = ("MultiHeadAttention", *OF_PARTS)
FUNCTIONS_OF_HEADS = ("multi_head_attention", "cross_attention")
SPLIT = (*FUNCTIONS_OF_HEADS, *LAYERS)
FOUR_AXES = (*SPLIT, "grouped_query_attention")
CAUSAL = ("causal_attention", "attend_with_cache")
MASKED = ("masked_attention", "grouped_query_attention", *CAUSAL, *ONE_SEQUENCE, *SPLIT)
MIXING = ("scaled_dot_product_attention", *MASKED)
SCORING = (*WITHOUT_MASK, *MASKED, "attention_backward")
WITH_SOFTMAX = ("masked_softmax", *SCORING)

NOTHING_CHANGES = [
    Alike(
        "Softmax is only asked for the last axis, and there all of these are right.",
        (
            RIGHT,
            "sums_along_a_fixed_axis",
            "puts_the_axis_back_at_the_end",
            "ignores_the_axis",
            "ignores_the_axis_in_the_maximum",
            "leaves_the_axis_at_the_end",
            "reshapes_in_place_of_moving_back",
        ),
        WITH_SOFTMAX,
    ),
    Alike(
        "Softmax is always told its axis, so its default is never used.",
        (RIGHT, "changes_the_default_axis"),
        ("softmax_with_temperature",),
    ),
    Alike(
        "Softmax takes away the same number from a whole row, whatever that is.",
        (RIGHT, "subtracts_the_maximum_too_early"),
        SCORING,
    ),
    Alike("There is no mask to misread.", (RIGHT, *all_of("masked_softmax")), WITHOUT_MASK),
    Alike(
        "There is no mask to misuse.",
        (
            RIGHT,
            "masks_the_output",
            "uses_the_mask_of_the_first_item",
            "uses_masks_of_two_axes_only",
            "hands_the_masks_out_in_turn",
        ),
        ("scaled_dot_product_attention",),
    ),
    Alike(
        "There always is a mask: what happens without one never happens.",
        (
            RIGHT,
            "needs_a_mask",
            "reads_no_mask_as_nothing_allowed",
            "counts_tokens_from_the_front",
            "makes_a_square_mask_of_none",
            "is_causal_without_a_mask",
        ),
        CAUSAL,
    ),
    Alike(
        "The mask is causal already, and the same for all items.",
        (
            RIGHT,
            "is_always_causal",
            "uses_the_mask_of_the_first_item",
            "uses_masks_of_two_axes_only",
            "hands_the_masks_out_in_turn",
        ),
        CAUSAL,
    ),
    Alike(
        "In each row the allowed keys come first, and the mask has all its rows and columns.",
        (
            RIGHT,
            "moves_the_weights_to_the_front",
            "empties_rows_by_one_of_their_keys(place=0)",
            "stops_at_the_first_blocked_key",
            "takes_as_many_keys_from_the_front",
            "stretches_the_mask_in_memory_order",
        ),
        CAUSAL,
    ),
    Alike(
        "Of a causal mask, the rows with a blocked key are those whose last key is blocked.",
        ("drops_whole_rows", "empties_rows_by_one_of_their_keys(place=-1)"),
        CAUSAL,
    ),
    Alike(
        "Never more queries than keys, as the docstring asks: every query sees a key, and no shift goes below zero.",
        (
            RIGHT,
            "leaves_dead_rows_nan",
            "spreads_dead_rows_evenly",
            "unmasks_dead_rows",
            "looks_for_dead_rows_from_the_front",
            "looks_for_dead_columns",
            "never_shifts_to_the_left",
            "shifts_to_the_right_only",
            "ends_a_slice_below_zero",
            "stops_with_more_queries_than_keys",
            "shows_the_first_key_to_everybody",
            "shows_everything_to_early_queries",
        ),
        CAUSAL,
    ),
    Alike(
        "Where a mask is a condition, the integers 1 and 0 are True and False.",
        (RIGHT, "holds_ones_and_zeros(number=1)"),
        CAUSAL,
    ),
    Alike(
        "Query, key and value are one sequence.",
        (
            RIGHT,
            "makes_everything_from_the_query",
            "makes_values_from_the_query",
            "makes_keys_from_the_query",
            "makes_queries_from_the_keys",
            "makes_values_from_the_keys",
            "makes_keys_from_the_values",
            "swaps_key_and_value_sequences",
            "swaps_query_and_key_sequences",
            "takes_sequences_as_value_key_query",
        ),
        (*ONE_SEQUENCE, "Block"),
    ),
    Alike(
        "There are as many keys as queries, so a square mask fits, and so does a result in the shape of the values.",
        (RIGHT, "makes_a_square_mask_of_none", "counts_the_keys_like_the_queries", "makes_room_like(name=values)"),
        (*ONE_SEQUENCE, "Block"),
    ),
    Alike(
        "Values are as wide as keys.",
        (RIGHT, "scales_by_the_value_size"),
        ("AttentionHead", "multi_head_by_loop", *SPLIT),
    ),
    Alike(
        "Keys and values are one sequence, the memory or `x`.",
        (RIGHT, "makes_values_from_the_keys", "makes_keys_from_the_values", "swaps_key_and_value_sequences"),
        ("cross_attention", *OF_PARTS),
    ),
    Alike(
        "Heads divide the model size, or the layer is not even made: no column is left over.",
        (RIGHT, "drops_the_columns_left_over", "makes_fewer_heads_than_asked_for"),
        SPLIT,
    ),
    Alike(
        "With a batch, the pairs that it makes are items and not rows, and these belong together.",
        (RIGHT, "pairs_each_query_with_one_key"),
        FOUR_AXES,
    ),
    *(
        Alike(
            "With more than a thousand keys either kind of byte counts round and round.",
            tuple(f"keeps_places_in_one_byte(kind={kind}, narrow={narrow})" for kind in ("int8", "uint8")),
            CAUSAL,
        )
        for narrow in ("queries", "keys")
    ),
    Alike(
        "One byte without a sign counts as far as 255, and there are fewer targets.",
        (RIGHT, *(f"keeps_places_in_one_byte(kind=uint8, narrow={narrow})" for narrow in ("queries", "keys", "both"))),
        ("encoder_decoder_masks",),
    ),
    Alike(
        "Lengths fit, as the docstring asks.",
        (RIGHT, "accepts_lengths_that_do_not_fit"),
        ("encoder_decoder_masks",),
    ),
    Alike(
        "The causal mask is square: ends of both sides meet, sizes may change places, nothing is shifted.",
        (
            RIGHT,
            "starts_at_the_top_left",
            "shifts_the_diagonal_the_wrong_way",
            "swaps_rows_and_columns",
            "hands_the_sizes_over_in_exchanged_order",
            "is_square_of_queries",
            "is_square_of_keys",
            "never_shifts_to_the_left",
            "shifts_to_the_right_only",
            "ends_a_slice_below_zero",
            "stops_with_more_queries_than_keys",
            "shows_the_first_key_to_everybody",
            "shows_everything_to_early_queries",
            "hides_the_oldest_keys",
            "puts_the_oldest_keys_last",
        ),
        ("encoder_decoder_masks",),
    ),
    Alike(
        "The padding mask has axes for batch and heads, so their join has them anyway.",
        (RIGHT, "has_axes_for_batch_and_heads", "has_an_axis_for_the_batch"),
        ("encoder_decoder_masks",),
    ),
    Alike(
        "Both masks that are joined are there: none is None.",
        (
            RIGHT,
            "forgets_that_a_mask_may_be_none",
            "one_none_makes_it_none",
            "none_forbids_everything",
            "none_allows_everything_alone",
            "handles_only_the_second_none",
            "handles_only_the_first_none",
            "fails_on_two_nones",
            "makes_a_mask_of_two_nones",
        ),
        ("encoder_decoder_masks",),
    ),
    Alike(
        "A layer of parts gives no value of its own to its attentions, and asks for no weights.",
        (
            RIGHT,
            "forgets_that_value_may_be_given",
            "replaces_a_value_that_comes_without_a_key",
            "takes_a_missing_key_from_the_value",
            *all_of("give_weights"),
            *all_of("returned_weights"),
        ),
        OF_PARTS,
    ),
]

ONE_CHANGE = [
    *(
        Alike(
            "One query's weights for all of them, where they are made, or where they are used.",
            (f"gives_all_queries_the_weights_of_one(which={which})", used),
            tuple(name for name in MIXING if name != "MultiHeadAttention"),
        )
        for which, used in (
            ("first", "uses_the_weights_of_the_first_query"),
            ("last", "gives_all_queries_the_last_result"),
        )
    ),
    Alike(
        "Right with as many keys as queries; one query is repeated for each key; else both stop.",
        ("hands_the_sizes_over_in_exchanged_order", "gives_rows_the_answers_of_columns"),
        CAUSAL,
    ),
    Alike(
        "A running sum that is not rescaled, with a mask or without.",
        (
            "forgets_to_rescale_what_was_summed_up",
            "forgets_to_rescale_the_running_sum",
            "forgets_to_rescale_the_masked_sum",
        ),
        CAUSAL,
    ),
    Alike(
        "A running sum that is not rescaled, in softmax or around it.",
        ("forgets_to_rescale_what_was_summed_up", "forgets_to_rescale_the_running_sum"),
        ("scaled_dot_product_attention",),
    ),
    Alike(
        "Without a mask all keys are allowed.",
        ("averages_over_the_allowed_keys", "divides_the_mean_by_the_number_of_keys"),
        ("scaled_dot_product_attention",),
    ),
    Alike(
        "The first query's row of a causal mask is what all rows have in common.",
        ("uses_one_row_of_the_mask_for_all", "joins_the_rows_of_the_mask(joined=all)"),
        CAUSAL,
    ),
    Alike(
        "The oldest keys are blocked, or not even there.",
        ("forgets_the_oldest_keys", "hides_the_oldest_keys"),
        CAUSAL,
    ),
    Alike(
        "Along the last axis both put the axis back in one place, which fits matrices alone.",
        ("serves_matrices_only", "serves_rows_and_columns_only"),
        WITH_SOFTMAX,
    ),
    Alike(
        "Scores divided by what measures them, however they were scaled before.",
        ("stretches_the_row_before_the_exponential", "divides_by_the_standard_deviation"),
        WITHOUT_MASK,
    ),
    Alike(
        "Small weights are dropped where they are made, or where they are used.",
        ("sets_small_weights_to_zero", "drops_small_weights"),
        tuple(name for name in MIXING if name != "MultiHeadAttention"),
    ),
    Alike(
        "With more axes in front both stop, in one step or the next.",
        ("serves_one_axis_in_front(stops=True)", "serves_one_batch_axis"),
        MIXING,
    ),
    Alike(
        "With no axis in front, or with two, both stop, in one step or the next.",
        ("expects_one_axis_in_front", "expects_exactly_one_batch_axis"),
        MIXING,
    ),
    Alike(
        "No query has a number that is not also that of a key, and the last sees the last.",
        ("takes_the_value_of_its_own_number", "sees_only_itself_from_the_top_left"),
        CAUSAL,
    ),
    Alike("The output is the weighted mean, rounded or not.", ("rounds_the_output", "rounds_the_means"), MIXING),
    Alike(
        "What is called without an axis is called with the default one, and that is -1, of which they make 1.",
        (
            "normalises_over_the_first_axis",
            "normalises_over_the_second_axis",
            "changes_the_default_axis",
            "loses_the_sign_of_the_axis",
        ),
        WITH_SOFTMAX,
    ),
    Alike(
        "A default of None is all axes at once.",
        ("normalises_everything_at_once", "changes_the_default_axis"),
        WITH_SOFTMAX,
    ),
    Alike(
        "Without a mask, sharing out over an axis is softmax along it.",
        (
            "shares_out_over_the_queries",
            "normalises_over_the_first_axis",
            "normalises_over_the_second_axis",
            "normalises_over_the_last_but_one_axis",
        ),
        WITHOUT_MASK,
    ),
    Alike(
        "The axis goes by on its way to softmax, or is dropped there.",
        ("forgets_to_hand_the_axis_on", "ignores_the_axis"),
        ("softmax_with_temperature",),
    ),
    Alike(
        "The mask, the scores before it and the weights after it meet in one line: softmax runs twice.",
        ("applies_softmax_too_early", "softmax_twice"),
        WITHOUT_MASK,
    ),
    Alike(
        "Softmax of the weights is softmax run twice, where every query sees a key.",
        ("softmaxes_the_weights_again", "softmax_twice"),
        ("scaled_dot_product_attention", *CAUSAL),
    ),
    Alike(
        "No mask is ever given, so the output is always zeros.",
        ("reads_no_mask_as_nothing_allowed", "returns_only_zeros"),
        ("scaled_dot_product_attention",),
    ),
    Alike(
        "Weights turned where they are made, or where they are used.",
        ("turns_the_weights_on_their_side", "mixes_over_queries"),
        tuple(name for name in MIXING if name != "MultiHeadAttention"),
    ),
    Alike(
        "The mask is not made, or not read, or allows everything, as its last row does.",
        (
            "forgets_the_causal_mask",
            "allows_everything",
            "ignores_the_mask",
            "joins_the_rows_of_the_mask(joined=any)",
        ),
        CAUSAL,
    ),
    Alike(
        "The mask is turned where it is made, or where it is used.",
        ("transposes_the_causal_mask", "applies_the_mask_to_queries"),
        CAUSAL,
    ),
    Alike(
        "The mask is negated where it is made, or where it is used.",
        ("true_means_blocked", "turns_the_mask_round"),
        CAUSAL,
    ),
    Alike(
        "Blocked scores are zero, and no softmax follows.",
        ("forgets_the_softmax", "forgets_the_softmax_of_masked_scores"),
        CAUSAL,
    ),
    Alike(
        "The last query sees every key, so where queries compete, nothing changes with the place of the mask.",
        (
            "shares_out_over_the_queries",
            "shares_masked_scores_over_the_queries",
            "normalises_over_the_last_but_one_axis",
        ),
        CAUSAL,
    ),
    Alike(
        "Floating numbers are no condition: both stop.",
        ("holds_numbers_to_add", "holds_ones_and_zeros"),
        CAUSAL,
    ),
    Alike(
        "A square mask, or a mask without its axis of keys: right with one query, or as many keys, and else it stops.",
        ("makes_a_square_mask", "is_square_of_queries", "loses_the_axis_of_the_answer"),
        CAUSAL,
    ),
    Alike(
        "Where several tokens are new and there is a past, all of these stop.",
        ("fits_the_new_tokens_alone", "makes_a_square_mask(size=queries)", "loses_the_axis_of_the_answer"),
        ("attend_with_cache",),
    ),
    Alike("A square mask of keys.", ("makes_a_square_mask", "is_square_of_keys"), CAUSAL),
]

ONE_SEQUENCE_ALIKE = [
    Alike(
        "Of one sequence, another projection's weights make another projection.",
        names,
        ONE_SEQUENCE,
    )
    for names in (
        ("uses_the_query_weights_for_keys", "compares_queries_with_themselves"),
        ("uses_the_key_weights_for_queries", "compares_keys_with_themselves"),
        ("uses_the_query_weights_for_values", "mixes_the_queries"),
        ("swaps_query_and_key_weights", "swaps_query_and_key"),
        ("swaps_query_and_value_weights", "takes_arguments_as_value_key_query"),
    )
] + [
    Alike(
        "Keys and values are of one sequence: of the other's weights, one becomes the other.",
        names,
        (*ONE_SEQUENCE, "cross_attention"),
    )
    for names in (
        ("uses_the_key_weights_for_values", "mixes_the_keys"),
        ("uses_the_value_weights_for_keys", "compares_with_the_values"),
        ("swaps_key_and_value_weights", "swaps_key_and_value"),
    )
]

HEADS = [
    Alike(
        "Each token gets its own value.",
        ("takes_the_value_of_its_own_number", "forgets_the_weights"),
        (*ONE_SEQUENCE, "Block"),
    ),
    Alike(
        "The head's output is the weighted mean.",
        ("averages_the_tokens_of_the_output", "averages_the_means"),
        ONE_SEQUENCE,
    ),
    Alike(
        "Divided by a root twice is divided by the number.",
        ("scales_twice", "divides_by_features_without_root"),
        ONE_SEQUENCE,
    ),
    Alike("The mask is not handed on, or not read.", ("forgets_to_pass_the_mask", "ignores_the_mask"), ONE_SEQUENCE),
    Alike(
        "One NaN among a row's weights makes NaN of the row's whole output.",
        ("looks_for_dead_rows_from_the_front",),
        ONE_SEQUENCE,
    ),
    Alike(
        "Query and key have one shape.",
        ("scales_by_the_number_of_keys", "scales_by_the_number_of_queries"),
        (*ONE_SEQUENCE, "Block"),
    ),
    Alike("Query and key have one shape.", ("scales_by_the_size_of_the_whole_array",), (*ONE_SEQUENCE, "Block")),
    Alike(
        "Query and key have one shape, or else the product stops.",
        ("divides_by_the_roots_of_a_whole_shape",),
        (*ONE_SEQUENCE, *OF_PARTS, "grouped_query_attention"),
    ),
    Alike(
        "Query and key have one first axis: the batch.",
        ("scales_by_the_first_axis",),
        (*ONE_SEQUENCE, *SPLIT, "grouped_query_attention"),
    ),
    Alike(
        "Query and key have one second axis: the tokens of one sequence, or the heads.",
        ("scales_by_the_second_axis",),
        (*ONE_SEQUENCE, *FOUR_AXES),
    ),
    Alike(
        "The second axis is that of the heads.",
        ("scales_by_the_second_axis", "scales_by_the_root_of_the_heads"),
        (*FUNCTIONS_OF_HEADS, *OF_PARTS),
    ),
    Alike(
        "Queries, keys and values have the same number of columns, and the weighted mean is linear.",
        ("scales_before_and_after_softmax", "scales_the_output"),
        ("AttentionHead", "multi_head_by_loop", *FUNCTIONS_OF_HEADS, *OF_PARTS),
    ),
    Alike(
        "Both stop on every input.",
        ("joins_one_head_too_few", "averages_with_one_weight_for_each_number"),
        ("multi_head_by_loop",),
    ),
    Alike(
        "Right with one head; with more, what meets the output weights is too narrow, and both stop.",
        ("brings_one_head_to_the_output_weights", "joins_the_heads_as_rows"),
        ("multi_head_by_loop",),
    ),
    Alike(
        "An infinity among the weights makes NaN at the latest where heads are mixed.",
        ("makes_nan_of_infinity", "fills_after_softmax"),
        ("multi_head_by_loop", "multi_head_attention", *OF_PARTS),
    ),
    Alike(
        "Right with one head; with more, what meets the output weights is too wide or too narrow, and all stop.",
        (
            "cuts_the_tokens",
            "copies_x_for_each_head",
            "averages_the_heads",
            "adds_the_heads",
            "keeps_the_first_head_only",
            "keeps_the_last_head_only",
            "puts_heads_below_each_other",
        ),
        SPLIT,
    ),
    Alike(
        "Split into heads there are four axes, and all of these stop.",
        (
            "averages_with_one_weight_for_each_number",
            "works_for_two_axes_only",
            "expects_exactly_one_batch_axis",
            "expects_one_axis_in_front",
            "serves_one_axis_in_front(stops=True)",
            "serves_one_batch_axis",
            "takes_a_view_of_the_turned_heads",
        ),
        SPLIT,
    ),
    Alike(
        "Heads are an axis of four, and as many for the keys as for the queries: all of these stop.",
        (
            "repeats_everything",
            "adds_so_many_copies",
            "works_for_two_axes_only",
            "expects_exactly_one_batch_axis",
            "expects_one_axis_in_front",
            "serves_one_axis_in_front(stops=True)",
            "serves_one_batch_axis",
        ),
        ("grouped_query_attention",),
    ),
    Alike(
        "There are always four axes, so that the second one is that of the heads.",
        (RIGHT, "repeats_the_second_axis"),
        ("grouped_query_attention",),
    ),
    Alike(
        "There are always four axes, so that none is put in front.",
        ("repeats_all_heads_by_turns", "repeats_by_turns_along_the_second_axis_of_four"),
        ("grouped_query_attention",),
    ),
    Alike(
        "Fewer repeats than there are heads leave each head once.",
        ("relies_on_broadcasting", "takes_repeats_for_all_heads"),
        ("grouped_query_attention",),
    ),
    Alike(
        "Split into heads there are four axes, and NumPy's arrays have no such view: all of these stop.",
        ("works_for_two_axes_only", "takes_a_view_of_the_turned_heads"),
        SPLIT,
    ),
    Alike(
        "Split into heads there are four axes, and the root of four is 2.",
        ("scales_by_the_number_of_axes", "divides_by_a_fixed_number(constant=2.0)"),
        FOUR_AXES,
    ),
    Alike(
        "With a large number for a blocked score nothing becomes NaN, so nothing is put in its place.",
        ("shares_out_over_the_heads",),
        SPLIT,
    ),
    Alike(
        "The second axis is that of the heads.",
        ("shares_out_over_the_heads", "shares_out_over_the_queries"),
        (*FUNCTIONS_OF_HEADS, *OF_PARTS),
    ),
    Alike(
        "With one text the order is the same; with more, both stop.",
        ("folds_heads_into_the_batch",),
        SPLIT,
    ),
    Alike(
        "Every item gets what the first one found.",
        ("computes_the_first_item_only", "merges_the_first_item_only"),
        SPLIT,
    ),
    Alike(
        "A head's block of weights makes its block of columns.",
        ("shares_the_first_block_of_weights", "gives_every_head_the_first_columns"),
        FUNCTIONS_OF_HEADS,
    ),
    Alike(
        "All weights are square.",
        ("transposes_the_weights", "turns_square_weights_only"),
        SPLIT,
    ),
    Alike(
        "The mask is not handed on, or not read.",
        ("looks_everywhere_in_spite_of_the_mask", "ignores_the_mask"),
        (*FUNCTIONS_OF_HEADS, *OF_PARTS),
    ),
]

LAYERS_ALIKE = [
    Alike(
        "The matrix of one projection in another's place, in the layer or where it projects.",
        ("calls_one_projection_in_place_of_another", "uses_the_query_weights_for_keys"),
        LAYERS,
    ),
    Alike(
        "The matrix of one projection in another's place, in the layer or where it projects.",
        ("calls_one_projection_in_place_of_another", "uses_the_value_weights_for_keys"),
        LAYERS,
    ),
    Alike(
        "Keys and values are of one sequence, so their projections can be exchanged where they are used.",
        (
            "calls_one_projection_in_place_of_another",
            "exchanges_two_projections",
            "swaps_key_and_value",
            "mixes_the_keys",
            "compares_with_the_values",
        ),
        OF_PARTS,
    ),
    Alike(
        "A matrix turned in the layer is turned where it projects.",
        ("takes_the_matrices_of_linear_on_their_side", "transposes_the_weights"),
        LAYERS,
    ),
    Alike(
        "A matrix turned in the layer is turned where it projects.",
        ("takes_the_matrix_of_the_output_on_its_side", "transposes_the_output_weights"),
        LAYERS,
    ),
    Alike("The mask is not read.", ("leaves_the_mask_unread", "ignores_the_mask"), LAYERS),
    Alike("Neither mask is read.", ("ignores_both_masks", "ignores_the_mask"), ("DecoderLayer",)),
    Alike(
        "In both attentions the query is the normalised copy.",
        ("adds_the_normalised_copy_too", "adds_the_query_to_the_output_of_the_layer"),
        ("DecoderLayer",),
    ),
    Alike(
        "All is made of the query's sequence.",
        ("looks_at_the_query_alone", "makes_everything_from_the_query"),
        LAYERS,
    ),
    Alike(
        "A value that is not given counts as given.",
        ("forgets_that_value_may_be_given", "makes_values_from_the_keys"),
        ("MultiHeadAttention",),
    ),
    Alike(
        "All is made of `x`.",
        ("looks_at_itself_twice", "makes_everything_from_the_query"),
        ("DecoderLayer",),
    ),
    Alike(
        "In self-attention it changes nothing; in cross-attention `x` is the query.",
        ("takes_the_values_from_x", "takes_values_from_the_query_by_default", "makes_values_from_the_query"),
        ("DecoderLayer",),
    ),
    Alike(
        "In self-attention it changes nothing; in cross-attention `x` is the query.",
        ("takes_the_keys_from_x", "makes_keys_from_the_query"),
        ("DecoderLayer",),
    ),
    Alike(
        "What a head has found is what its attention gives back.",
        ("bends_the_heads", "bends_the_mean_of_the_values(by=ReLU)"),
        ("multi_head_by_loop",),
    ),
    Alike(
        "Number of heads 1, in the layer or where it attends.",
        ("has_one_head_whatever_is_asked_for", "attends_with_one_big_head"),
        ("DecoderLayer",),
    ),
    Alike(
        "What was found for the first item is added to every item, repeated or not.",
        ("answers_the_first_item_only", "computes_the_first_item_only", "merges_the_first_item_only"),
        OF_PARTS,
    ),
    Alike(
        "What was found for the first item is added to every item, repeated or not.",
        ("splits_the_first_item_only",),
        OF_PARTS,
    ),
    Alike(
        "With one text, what lost its batch is added all the same; with more, all stop.",
        ("folds_heads_into_the_batch", "expects_a_batch_of_one", "merges_the_batch_too"),
        OF_PARTS,
    ),
]

BLOCK = [
    Alike(
        "Query, key and value are one sequence, and no value is given.",
        (RIGHT, "looks_at_the_query_alone", "takes_values_from_the_query_by_default"),
        ("Block",),
    ),
    Alike(
        "Queries, keys and values are of one sequence, so their projections can be exchanged where they are used.",
        (
            "calls_one_projection_in_place_of_another",
            "exchanges_two_projections",
            "swaps_query_and_key",
            "takes_arguments_as_value_key_query",
            "mixes_the_queries",
            "compares_keys_with_themselves",
            "compares_queries_with_themselves",
        ),
        ("Block",),
    ),
    Alike("The mask is not handed on, or not read.", ("keeps_the_mask_to_itself", "ignores_the_mask"), ("Block",)),
    Alike(
        "The mask is negated before attention, or inside.",
        ("hands_on_the_opposite_mask", "turns_the_mask_round"),
        ("Block",),
    ),
    Alike(
        "A causal mask is added by the block, by its attention, or inside.",
        ("always_hides_what_follows", "hides_the_future_besides_the_mask", "is_always_causal"),
        ("Block",),
    ),
    Alike(
        "Where there is no mask, a causal one is made by the attention, or inside.",
        ("hides_the_future_where_no_mask_is_given", "is_causal_without_a_mask"),
        ("Block",),
    ),
    Alike(
        "Number of heads 1, in the block or where it attends.",
        ("gives_its_attention_one_head", "attends_with_one_big_head"),
        ("Block",),
    ),
]

CROSS = [
    Alike("`x` is the query, and the memory is key and value.", names, ("cross_attention",))
    for names in (
        ("looks_at_x_alone", "makes_everything_from_the_query"),
        ("normalises_what_it_projects(which=x)", "normalises_the_sequences_first(which=query)"),
        ("looks_at_the_memory_from_the_memory", "makes_queries_from_the_keys"),
        ("carries_away_values_of_x", "makes_values_from_the_query"),
        ("searches_among_keys_of_x", "makes_keys_from_the_query"),
        ("carries_x_by_the_memory", "takes_sequences_as_value_key_query"),
        ("adds_x_to_what_was_found", "adds_the_query_to_the_result"),
        ("hides_the_later_sources", "is_always_causal"),
        ("does_not_pass_the_mask_on", "ignores_the_mask"),
    )
]

PAIRS_OF_MASKS = (
    [
        Alike("The causal mask is square: top left and bottom right are the same.", names, ("encoder_decoder_masks",))
        for names in (
            ("sees_one_token_ahead", "sees_one_token_ahead_from_the_top_left"),
            ("does_not_see_itself", "sees_only_the_past_from_the_top_left"),
            ("sees_only_itself", "sees_only_itself_from_the_top_left"),
            ("true_means_blocked", "blocked_above_the_diagonal_from_the_top_left"),
            (
                "looks_into_the_future",
                "looks_into_the_future_from_the_top_left",
                "transposes_the_causal_mask",
                "turns_a_table_of_exchanged_sizes",
            ),
        )
    ]
    + [
        Alike("The target's mask is two masks joined: the past and the padding.", names, ("encoder_decoder_masks",))
        for names in (
            ("forgets_the_future_of_the_targets", "keeps_the_second_only"),
            ("forgets_the_future_of_the_targets", "allows_everything"),
            ("forgets_the_padding_of_the_targets", "keeps_the_first_only"),
            ("marks_what_is_hidden", "combines_the_other_way_round"),
            ("joins_an_array_and_a_tensor", "holds_ones_and_zeros(number=1)", "multiplies_masks_as_numbers"),
            ("drops_the_axis_for_heads", "has_no_axis_for_heads"),
        )
    ]
    + [
        Alike(
            "Numbers with a point cannot be joined by `&`, and two masks give no single answer: all stop.",
            (
                "padding_as_numbers",
                "padding_as_numbers_to_add",
                "holds_ones_and_zeros",
                "holds_numbers_to_add",
                "stacks_the_two_masks",
                "asks_both_masks_for_one_answer",
            ),
            ("encoder_decoder_masks",),
        ),
    ]
)

IN_BLOCKS = [
    Alike(
        "Merging sums along the last axis, and nothing else.",
        (RIGHT, "always_sums_along_the_last_axis"),
        ("merge_attention", "attention_in_blocks"),
    ),
    Alike(
        "The first block is never empty, no empty part holds NaN, and a very low log-sum-exp has no share either.",
        (
            RIGHT,
            "makes_nan_of_two_empty_parts",
            "lets_one_of_two_empty_outputs_through",
            "lets_an_empty_part_poison_the_other",
            "replaces_nan_after_the_sum",
            "halves_two_empty_parts",
            "gives_a_finite_number_for_an_empty_row(constant=-1000000000.0)",
        ),
        ("attention_in_blocks",),
    ),
    Alike(
        "A hidden block gets a share of 0, or next to nothing, beside ordinary scores, and all of it beside low ones.",
        ("adds_a_small_number_before_the_logarithm",),
        ("attention_in_blocks",),
    ),
    Alike(
        "Whether bare exponentials are summed or merged, they overflow, or all become 0.",
        ("takes_exponentials_without_a_maximum", "merges_bare_exponentials"),
        ("attention_in_blocks",),
    ),
    Alike(
        "On an edge, NaN and infinities are one symptom; which it is decides only between two that fit.",
        ("makes_nan_of_a_row_of_minus_infinity", "gives_plus_infinity_for_an_empty_row"),
        ("log_sum_exp", "merge_attention"),
    ),
    Alike(
        "A block whose log-sum-exp is lost as minus infinity counts as empty, and a query of such blocks gets 0.",
        ("loses_queries_whose_scores_are_low", "holds_the_maximum_above_a_number"),
        ("attention_in_blocks",),
    ),
    Alike(
        "A block that is hidden as a whole makes NaN of the output, whichever step begins it.",
        (
            "makes_nan_of_a_hidden_block",
            "makes_nan_of_a_row_of_minus_infinity",
            "gives_plus_infinity_for_an_empty_row",
        ),
        ("attention_in_blocks",),
    ),
    Alike(
        "Merging begins with an empty part: a log-sum-exp that stays -inf leaves the next block alone.",
        ("keeps_the_last_block_only", "adds_the_logarithms", "averages_the_logarithms", "returns_the_old_lse"),
        ("attention_in_blocks",),
    ),
    Alike("Blocks are added by merging.", ("adds_the_blocks", "adds_the_two_outputs"), ("attention_in_blocks",)),
    Alike(
        "The best block is the larger of two parts, again and again.",
        ("keeps_the_block_with_the_best_score", "keeps_the_larger_part_alone"),
        ("attention_in_blocks",),
    ),
    Alike(
        "With a log-sum-exp of another shape, blocks cannot be merged.",
        ("returns_logarithms_of_weights", "keeps_an_axis_of_length_one", "sums_over_everything"),
        ("attention_in_blocks",),
    ),
]

COUNTS = [
    Alike(
        "What meets the output weights is too wide or too narrow, and all stop.",
        (
            "averages_the_heads",
            "adds_the_heads",
            "keeps_the_first_head_only",
            "keeps_the_last_head_only",
            "puts_heads_below_each_other",
        ),
        ("without_head",),
    ),
    Alike("`2 ^ n` is `n ^ 2`.", ("takes_the_caret_for_a_power_at_the_crossing",), ("crossover_length",)),
]

EQUIVALENT = [
    *NOTHING_CHANGES,
    *ONE_CHANGE,
    *ONE_SEQUENCE_ALIKE,
    *HEADS,
    *LAYERS_ALIKE,
    *BLOCK,
    *CROSS,
    *PAIRS_OF_MASKS,
    *IN_BLOCKS,
    *COUNTS,
]
