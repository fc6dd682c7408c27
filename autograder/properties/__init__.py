"""What holds whatever the numbers are: property(run, inputs) -> what went wrong in the answer, or None.

`run(**inputs)` is the answer, as NumPy. The docstring is the second sentence that a learner reads.
Properties explain a wrong answer that no misconception explains.
"""

from .attention import (
    a_blocked_source_has_no_influence,
    blocked_keys_have_no_weight,
    blocked_keys_lose_to_every_score,
    blocked_tokens_have_no_influence,
    every_key_counts,
    every_target_is_computed_by_itself,
    features_may_change_places,
    keys_with_their_values_may_be_shuffled,
    numbers_in_blocked_keys_change_nothing,
    rows_with_nothing_allowed_are_zero,
    sources_may_be_shuffled,
    the_future_has_no_influence,
    the_past_has_influence,
    the_past_may_be_shuffled,
    twice_the_query_squares_the_proportions,
    twice_the_query_twice_the_scores,
)
from .counts import (
    a_count_is_a_sum_of_products,
    all_else_is_the_bias_of_the_output,
    both_parts_cost_the_same,
    each_term_is_a_product_of_the_layer,
    equal_sizes_are_counted_like_others,
    every_size_counts,
    heads_share_one_budget,
    projections_grow_with_the_tokens,
    queries_and_keys_grow_with_head_size,
    scores_and_mix_grow_with_their_square,
    the_crossing_is_found_for_every_size,
    twice_the_model_twice_the_crossing,
    twice_the_size_four_times_the_weights,
    values_and_output_grow_with_value_size,
)
from .decoder import (
    each_part_alone_finds_what_it_should,
    each_part_reads_one_normalised_copy,
    every_item_has_its_own_memory,
    every_source_has_influence,
    nothing_found_leaves_x_as_it_came,
    targets_meet_in_self_attention_only,
)
from .heads import (
    a_head_is_its_own_matrices_and_rows,
    equal_values_come_out_as_they_are,
    every_column_stands_in_its_place,
    every_number_is_there_once,
    every_row_of_every_matrix_counts,
    heads_may_change_places,
    tokens_may_change_places,
    tokens_stay_apart,
    twice_the_output_weights_twice_the_output,
)
from .masks import (
    each_query_sees_one_key_more,
    earlier_keys_stay_visible,
    no_key_is_skipped,
    nothing_forbidden_gets_allowed,
    order_of_masks_does_not_matter,
    rows_allow_as_many_keys_as_lengths_say,
    the_last_query_sees_every_key,
    what_both_allow_stays_allowed,
)
from .projections import (
    a_head_is_its_own_columns_and_rows,
    each_head_obeys_its_own_mask,
    every_block_of_every_matrix_counts,
    scores_are_products_of_queries_and_keys,
    values_are_only_mixed,
)
from .weights import (
    batch_items_do_not_touch_each_other,
    differences_of_scores_stay,
    every_score_gets_something,
    keys_may_change_places,
    larger_scores_get_larger_weights,
    log_weights_sum_to_one,
    only_differences_count,
    outputs_lie_between_the_values,
    rows_do_not_touch_each_other,
    the_mean_of_two_rows_gives_the_mean_of_two_results,
    twice_the_temperature_is_half_the_scores,
    twice_the_values_twice_the_output,
    weights_are_not_negative,
    weights_sum_to_one,
)
