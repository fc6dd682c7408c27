"""Wrong answers to lesson 08, as people write them."""

import math

import numpy as np


def attention_flops__counts_multiply_and_add_as_one__list_of_products(n, d):
    return sum(a * b * c for a, b, c in [(n, d, d)] * 4 + [(n, d, n), (n, n, d)])


def attention_flops__counts_some_projections_and_pairs_as_one__as_the_article(tokens, model_size):
    projections = tokens * model_size**2
    scores = tokens**2 * model_size
    mix = tokens**2 * model_size
    return projections + scores + mix


def attention_flops__leaves_out_the_factors__big_o(n, d):
    return n * d * (n + d)


def attention_flops__forgets_the_output_projection__fused_qkv(tokens, model_size):
    qkv = 2 * tokens * model_size * (3 * model_size)
    return qkv + 2 * tokens * tokens * model_size + 2 * tokens * tokens * model_size


def attention_flops__forgets_scores_and_mix__two_per_parameter(tokens, model_size):
    parameters = 4 * model_size * model_size
    return 2 * parameters * tokens


def attention_flops__counts_half_of_the_mixing__scores_only(n, d):
    flops = 0
    for _ in range(4):
        flops += 2 * n * d * d
    return flops + 2 * n * d * n


def attention_flops__counts_half_of_the_mixing__causal(tokens, model_size):
    return 8 * tokens * model_size**2 + 4 * tokens * model_size * tokens // 2


def attention_flops__swaps_tokens_and_model_size__parameters_mixed_up(model_size, tokens):
    return 8 * tokens * model_size**2 + 4 * tokens**2 * model_size


def attention_flops__counts_full_width_for_each_head__loop(tokens, model_size):
    mixing = 0.0
    for _ in range(8):
        mixing += 4 * tokens**2 * model_size
    return 8 * tokens * model_size**2 + mixing


def attention_flops__adds_the_softmax__exp_sum_divide(n, d):
    softmax = n * n + n * n + n * n
    return 8 * n * d * d + 4 * n * n * d + softmax


def attention_flops__counts_one_addition_less_in_each_sum__exactly(n, d):
    def product(a, b, c):
        return a * c * (b + b - 1)

    return 4 * product(n, d, d) + product(n, d, n) + product(n, n, d)


def attention_flops__projects_one_token_only__parameters(tokens, model_size):
    return 2 * (4 * model_size**2) + 4 * tokens**2 * model_size


def attention_flops__forgets_the_square_of_tokens__times_two(tokens, model_size):
    return 4 * tokens * (2 * model_size**2) + 4 * tokens * model_size


def attention_flops__counts_half_of_the_mixing__and_three_projections(n, d):
    """Two at once: three projections, and the scores without the mix."""
    return 6 * n * d**2 + 2 * n**2 * d


def attention_flops__gives_another_unit__gflop(n, d):
    return (8 * n * d**2 + 4 * n**2 * d) * 1e-9


def attention_flops__adds_the_feed_forward_network__whole_layer(n, d):
    hidden = 4 * d
    return 8 * n * d * d + 4 * n * n * d + 2 * n * d * hidden + 2 * n * hidden * d


def attention_flops__reason_property__seven_projections(n, d):
    return 7 * 2 * n * d * d + 4 * n * n * d


def attention_flops__reason_raised__undefined_heads(tokens, model_size):
    return 8 * tokens * model_size**2 + heads * tokens**2  # noqa: F821


def attention_flops__doubles_tokens_in_the_mixing__slip(n, d):
    return 8 * n * d**2 + 4 * n * 2 * d


def attention_flops__doubles_the_model_size_in_the_projections__slip(n, d):
    return 4 * (2 * n * d * 2) + 2 * (2 * n * n * d)


def attention_flops__doubles_both_in_place_of_squaring__slip(tokens, model_size):
    projections = 8 * tokens * model_size * 2
    return projections + 4 * tokens * 2 * model_size


def attention_flops__takes_the_caret_for_a_power__two_lines(tokens, model_size):
    projections = 4 * 2 * tokens * model_size ^ 2
    scores_and_mix = 2 * 2 * tokens ^ 2 * model_size
    return projections + scores_and_mix


def attention_flops__takes_the_caret_for_a_power__tokens_by_hand(n, d):
    return 8 * n * (d ^ 2) + 2 * n * d * n + 2 * n * n * d


def attention_flops__reason_property__caret_in_one_product(n, d):
    return 4 * (2 * n * d ^ 2) + 2 * n * d * n + 2 * n * n * d


def attention_flops__forgets_the_features_in_one_product__scores(n, d):
    scores, mix = 2 * n * n, 2 * n * n * d
    return 8 * n * d * d + scores + mix


def attention_flops__counts_pairs_up_to_the_diagonal__mix_forgets_a_size(n, d):
    scores, mix = 2 * n * d * n, 2 * n * d
    return 8 * n * d * d + scores + mix


def attention_flops__counts_a_single_product_of_mixing__overwritten(n, d):
    flops = 4 * (2 * n * d * d)
    flops = 2 * n * d * n
    flops = 2 * n * n * d
    return flops


def attention_flops__counts_a_product_of_mixing_like_a_projection__keys_first(n, d):
    return sum(2 * a * b * c for a, b, c in [(n, d, d)] * 4 + [(d, n, d), (n, n, d)])


def attention_flops__takes_tokens_for_features__mix_only(n, d):
    return sum(2 * a * b * c for a, b, c in [(n, d, d)] * 4 + [(n, d, n), (n, n, n)])


def attention_flops__takes_tokens_for_features__both(n, d):
    return 8 * n * d * d + 4 * n**3


def attention_flops__counts_the_parameters__four_matrices(tokens, model_size):
    matrices = 3 * model_size**2 + model_size**2
    return matrices


def attention_flops__counts_for_a_fixed_text__notebook_variable(tokens, model_size, n=2048):
    return 8 * n * model_size**2 + 4 * n**2 * model_size


def attention_flops__gives_the_number_of_the_example__as_printed(tokens, model_size):
    return 343_597_383_680


def attention_flops__adds_the_sizes_of_a_product__all(n, d):
    def product(a, b, c):
        return 2 * (a + b + c)

    return 4 * product(n, d, d) + product(n, d, n) + product(n, n, d)


def attention_flops__adds_the_sizes_of_a_product__the_last(n, d):
    return sum(2 * (a * b + c) for a, b, c in [(n, d, d)] * 4 + [(n, d, n), (n, n, d)])


def attention_flops__projects_the_output_of_one_token_only__matrix_alone(n, d):
    qkv, output = 3 * 2 * n * d * d, 2 * d * d
    return qkv + 2 * n * d * n + 2 * n * n * d + output


def attention_flops__multiplies_the_two_parts__star(n, d):
    return (4 * 2 * n * d**2) * (2 * 2 * n**2 * d)


def attention_flops__counts_results_in_place_of_work__inner_size_forgotten(n, d):
    return sum(2 * a * c for a, _, c in [(n, d, d)] * 4 + [(n, d, n), (n, n, d)])


def attention_flops__gives_another_unit__whole_thousands(n, d):
    return (8 * n * d**2 + 4 * n**2 * d) // 1000


def attention_flops__gives_another_unit__millions(n, d):
    return (8 * n * d**2 + 4 * n**2 * d) / 1e6


def attention_flops__comes_out_as_zero__tera(n, d):
    return (8 * n * d**2 + 4 * n**2 * d) / 1e12


def attention_flops__comes_out_as_zero__whole_gflop(n, d):
    return (8 * n * d**2 + 4 * n**2 * d) // 10**9


def attention_flops__mixes_with_the_width_of_one_head__eight_heads(n, d):
    head_size = d // 8
    return 8 * n * d * d + 2 * n * n * head_size + 2 * n * n * head_size


def attention_flops__rounds_the_width_of_a_head__eight_heads(n, d, heads=8):
    head_size = d // heads
    return 8 * n * d * d + sum(2 * n * head_size * n + 2 * n * n * head_size for _ in range(heads))


def attention_flops__rounds_the_number_of_heads__of_64(n, d, head_size=64):
    return 8 * n * d * d + (d // head_size) * 4 * n * n * head_size


def attention_flops__multiplies_the_whole_by_the_heads__eight(n, d):
    return sum(8 * n * d * d + 4 * n * n * d for _ in range(8))


def attention_flops__refuses_what_heads_do_not_divide__assert(n, d, heads=8):
    assert d % heads == 0, "model_size must be divisible by heads"
    return 8 * n * d * d + 4 * n * n * d


def attention_flops__reason_property__mix_adds_the_features(n, d):
    return 8 * n * d * d + 4 * n**2 + d


def crossover_length__crosses_at_the_model_size__from_big_o(model_size):
    n = 1
    while n**2 * model_size < n * model_size**2:
        n += 1
    return n


def crossover_length__turns_the_ratio_round__four_eighths(model_size):
    return 4 / 8 * model_size


def crossover_length__forgets_half_of_the_mixing_at_the_crossing__scores_only(d):
    return 8 * d * d / (2 * d)


def crossover_length__crosses_without_the_output_projection__six_fourths(model_size):
    return 6 * model_size**2 / (4 * model_size)


def crossover_length__forgets_the_factor_of_the_mixing__eight(model_size):
    return 8 * model_size**2 // model_size


def crossover_length__gives_a_fixed_length__the_example(model_size):
    return 8192


def crossover_length__takes_the_root_at_the_crossing__two_d(model_size):
    return np.sqrt(2 * model_size)


def crossover_length__steps_beside_the_crossing__search(model_size):
    """Stops at the first length where mixing costs more."""
    n = 1
    while 4 * n**2 * model_size <= 8 * n * model_size**2:
        n += 1
    return n


def crossover_length__ends_its_search_at_once__wrong_way_round(d):
    """Goes on while mixing costs more, and that is false for one token."""
    n = 1
    while 4 * n**2 * d > 8 * n * d**2:
        n += 1
    return n


def crossover_length__squares_the_model_size_at_the_crossing__forgets_to_cancel(model_size):
    return 8 * model_size**2 / 4


def crossover_length__crosses_at_another_multiple__ten(model_size):
    return sum(model_size for _ in range(10))


def crossover_length__keeps_a_root_at_the_crossing__square_on_one_side(d):
    return math.sqrt(8 * d * d / 4)


def crossover_length__tries_powers_of_two_only__doubling(d):
    n = 1
    while 4 * n**2 * d < 8 * n * d**2:
        n *= 2
    return n


def crossover_length__tries_multiples_only__of_64(d):
    n = 64
    while 4 * n**2 * d < 8 * n * d**2:
        n += 64
    return n


def crossover_length__reason_property__lengths_of_the_picture(d):
    lengths = [2**power for power in range(5, 18)]
    return min(lengths, key=lambda n: abs(8 * n * d**2 - 4 * n**2 * d))


def crossover_length__stops_searching_too_soon__first_thousand(d):
    for n in range(1, 1000):
        if 4 * n**2 * d >= 8 * n * d**2:
            return n


def crossover_length__reason_property__minus_one_where_nothing_is_found(d):
    return next((n for n in range(1, 2000) if 4 * n**2 * d == 8 * n * d**2), -1)


def crossover_length__gives_a_length_of_zero__first_solution(d):
    n = 0
    while 4 * n**2 * d != 8 * n * d**2:
        n += 1
    return n


def crossover_length__gives_a_negative_length__sign(d):
    return 8 * d**2 / (-4 * d)


def crossover_length__takes_the_caret_for_a_power_at_the_crossing__two_to_d(d):
    return 2 ^ d


def crossover_length__crosses_at_another_multiple__share(d):
    return 0.8 * d


def crossover_length__steps_beside_the_crossing__one_less(d):
    return len(range(1, 2 * d))


def score_bytes__takes_the_caret_for_a_power_of_tokens__in_a_row(batch, heads, tokens, bytes_per_number=4):
    return batch * heads * tokens ^ 2 * bytes_per_number


def score_bytes__takes_the_caret_for_a_power_of_tokens__map_first(batch, heads, tokens, bytes_per_number=4):
    size = tokens ^ 2
    return batch * heads * size * bytes_per_number


def score_bytes__gives_the_bytes_of_keys_and_values__cache(batch, heads, tokens, bytes_per_number=4):
    keys = values = batch * heads * tokens * 64
    return (keys + values) * bytes_per_number


def score_bytes__forgets_the_heads__shared_map(batch, heads, tokens, bytes_per_number=4):
    return math.prod((batch, tokens, tokens, bytes_per_number))


def score_bytes__forgets_the_batch__one_text(batch, heads, tokens, bytes_per_number=4):
    total = 0
    for _ in range(heads):
        total += tokens * tokens * bytes_per_number
    return total


def score_bytes__forgets_the_keys__one_per_token(b, h, n, bytes_per_number=4):
    return b * h * n * bytes_per_number


def score_bytes__assumes_the_size_of_a_number__nbytes(batch, heads, tokens, bytes_per_number=4):
    return np.broadcast_to(np.float32(0), (batch, heads, tokens, tokens)).size * 4


def score_bytes__counts_numbers_in_place_of_bytes__size(batch, heads, tokens, bytes_per_number=4):
    return np.broadcast_to(np.float32(0), (batch, heads, tokens, tokens)).size


def score_bytes__counts_bits__thirty_two(batch, heads, tokens, bytes_per_number=4):
    bits = bytes_per_number * 8
    return batch * heads * tokens**2 * bits


def score_bytes__counts_in_decimal_units__megabytes(batch, heads, tokens, bytes_per_number=4):
    return batch * heads * tokens**2 * bytes_per_number / 1_000_000


def score_bytes__counts_in_binary_units__mebibytes(batch, heads, tokens, bytes_per_number=4):
    return batch * heads * tokens**2 * bytes_per_number / 1024 / 1024


def score_bytes__doubles_tokens_instead_of_squaring__sum(batch, heads, tokens, bytes_per_number=4):
    return batch * heads * (tokens + tokens) * bytes_per_number


def score_bytes__stores_a_triangle__causal(batch, heads, tokens, bytes_per_number=4):
    allowed = sum(query + 1 for query in range(tokens))
    return batch * heads * allowed * bytes_per_number


def score_bytes__stores_several_copies__scores_and_weights(batch, heads, tokens, bytes_per_number=4):
    scores = weights = batch * heads * tokens**2 * bytes_per_number
    return scores + weights


def score_bytes__forgets_the_batch__and_the_bytes(batch, heads, tokens, bytes_per_number=4):
    """Two at once."""
    return heads * tokens**2


def score_bytes__reason_property__every_size_squared_but_the_tokens(batch, heads, tokens, bytes_per_number=4):
    return batch**2 * heads**2 * tokens * bytes_per_number**2
