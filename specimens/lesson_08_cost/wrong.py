"""Wrong answers to lesson 08, as people write them."""

import math

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode


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


def crossover_length__multiplies_where_it_should_divide__from_the_left(model_size):
    return 8 * model_size**2 / 4 * model_size


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


def attention_flops__counts_pairs_up_to_the_diagonal__causal(n, d):
    pairs = n * (n + 1) // 2
    return 4 * (2 * n * d * d) + 2 * pairs * d + 2 * pairs * d


def attention_flops__counts_pairs_below_the_diagonal__loops(tokens, model_size):
    flops = 0
    for query in range(tokens):
        flops += 8 * model_size * model_size
        for _ in range(query):
            flops += 4 * model_size
    return flops


def attention_flops__counts_the_training_step__torch_counts(n, d):
    x, *w = (torch.empty(size, d, device="meta", requires_grad=True) for size in (n, d, d, d, d))
    with FlopCounterMode(display=False) as counter:
        q, k, v = x @ w[0], x @ w[1], x @ w[2]
        (torch.softmax(q @ k.T, -1) @ v @ w[3]).sum().backward()
    return counter.get_total_flops()


def attention_flops__reason_property__softmax_in_place_of_the_mix(n, d):
    qkv, scores, softmax, out = 6 * n * d**2, 2 * n * n * d, 3 * n * n, 2 * n * d**2
    return float(qkv + scores + softmax + out)


def attention_flops__reason_property__feed_forward_in_place_of_the_output(n, d):
    hidden = 4 * d
    return sum([2 * n * d * 3 * d, 2 * n * d * n, 2 * n * n * d, 2 * n * d * hidden, 2 * n * hidden * d])


def attention_flops__reason_property__one_addition_less_in_the_projections(n, d):
    return 4 * n * (2 * d - 1) * d + 4 * n**2 * d


def attention_flops__reason_property__brackets_too_wide(n, d):
    return (8 * n * d) ** 2 + (4 * n) ** 2 * d


def attention_flops__reason_property__all_with_64_features(n, d):
    return 8 * n * d * 64 + 4 * n**2 * 64


def attention_flops__reason_property__half_precision(n, d):
    return np.float16(8 * n * d * d + 4 * n * n * d)


def attention_flops__reason_property__neighbours_only(n, d):
    """Every token looks at 32 others at most."""
    return 8 * n * d**2 + 4 * min(n, 32) * n * d


def attention_flops__counts_in_32_bits__an_array(tokens, model_size):
    n, d = np.array([tokens, model_size], dtype=np.int32)
    return int(8 * n * d * d + 4 * n * n * d)


def attention_flops__counts_in_32_bits__without_a_sign(tokens, model_size):
    n, d = np.array([tokens, model_size], dtype=np.uint32)
    return int(8 * n * d * d + 4 * n * n * d)


def crossover_length__crosses_without_the_output_projection__roots(d):
    """Three projections on the left, scores and mix on the right."""
    left, right = np.polynomial.Polynomial([0, 6 * d**2]), np.polynomial.Polynomial([0, 0, 4 * d])
    return float(max((right - left).roots().real))


def crossover_length__takes_the_root_at_the_crossing__projections_of_one_token(d):
    return math.sqrt(8 * d * d / (4 * d))


def crossover_length__steps_beside_the_crossing__bisection(d):
    low, high = 1, 100 * d
    while low < high:
        n = (low + high) // 2
        low, high = (n + 1, high) if 4 * n * n * d <= 8 * n * d * d else (low, n)
    return low


def crossover_length__counts_three_projections_against_one_product__sum(d):
    qkv = sum(2 * d * d for _ in ("query", "key", "value"))
    return qkv // (2 * d)


def crossover_length__crosses_at_another_multiple__feed_forward(d):
    """Two at once: with the feed-forward network, and without the two of mixing."""
    return 2 * sum([d**2] * 4 + [4 * d**2] * 2) / (d + d)


def crossover_length__lets_the_softmax_into_the_crossing__five_steps(d):
    return 8 * d**2 / (4 * d + 5)


def crossover_length__stays_within_its_search__bisection(d):
    low, high = 1, 10_000
    while low < high:
        n = (low + high) // 2
        low, high = (n + 1, high) if 4 * n * d < 8 * d**2 else (low, n)
    return low


def crossover_length__finds_the_crossing_in_32_bits__an_array(model_size):
    (d,) = np.array([model_size], dtype=np.int32)
    return int(8 * d * d // (4 * d))


def crossover_length__reason_property__adds_two(d):
    return 2 + d


def crossover_length__reason_property__two_more(d):
    """On some numbers that is what `2 * d ^ 2` gives."""
    return 2 * d + 2


def crossover_length__reason_property__steps_of_a_tenth(d):
    n = 1
    while 4 * n * n * d < 8 * n * d**2:
        n *= 1.1
    return n


def crossover_length__reason_property__lengths_of_a_grid(d):
    n = np.linspace(1, 20_000, 500)
    return float(n[np.argmin(np.abs(4 * n - 8 * d))])


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


def score_bytes__stores_a_triangle__unordered_pairs(batch, heads, tokens, bytes_per_number=4):
    return batch * heads * (math.comb(tokens, 2) + tokens) * bytes_per_number


def score_bytes__forgets_the_batch__heads_twice(batch, heads, tokens, bytes_per_number=4):
    """A slip, and two findings: the batch is missing, the heads stand twice."""
    return torch.empty((heads, heads, tokens, tokens), device="meta").numel() * bytes_per_number


def score_bytes__forgets_the_heads__and_the_size_of_a_number(batch, heads, tokens, bytes_per_number=4):
    """Two at once."""
    scores = torch.empty(batch, tokens, tokens, dtype=torch.float32, device="meta")
    return scores.numel() * scores.element_size()


def score_bytes__measures_in_too_few_bits__an_array(batch, heads, tokens, bytes_per_number=4):
    sizes = np.array([batch, heads, tokens, tokens, bytes_per_number], dtype=np.int32)
    return int(np.prod(sizes, dtype=np.int32))


def score_bytes__measures_in_too_few_bits__sixteen(batch, heads, tokens, bytes_per_number=4):
    sizes = torch.tensor([batch, heads, tokens, tokens, bytes_per_number])
    return sizes.prod(dtype=torch.int16).item()


def score_bytes__adds_a_row_to_the_map__sum_of_each_row(batch, heads, tokens, bytes_per_number=4):
    scores, sums = batch * heads * tokens * tokens, batch * heads * tokens
    return (scores + sums) * bytes_per_number


def score_bytes__counts_in_decimal_units__whole_megabytes(batch, heads, tokens, bytes_per_number=4):
    return int(batch * heads * tokens**2 * bytes_per_number / 1e6)


def score_bytes__reason_property__plus_batch(batch, heads, tokens, bytes_per_number=4):
    return batch + heads * tokens**2 * bytes_per_number


def score_bytes__reason_property__the_queries_as_well(batch, heads, tokens, bytes_per_number=4):
    scores, queries = batch * heads * tokens**2, batch * heads * tokens * 64
    return (scores + queries) * bytes_per_number


def score_bytes__reason_property__the_object_around_the_numbers(batch, heads, tokens, bytes_per_number=4):
    header = 128
    return (header + batch * heads * tokens**2) * bytes_per_number


def score_bytes__measures_in_too_few_bits__shape_of_int32(batch, heads, tokens, bytes_per_number=4):
    shape = np.array([batch, heads, tokens, tokens], dtype=np.int32)
    return int(np.prod(shape, dtype=np.int32)) * bytes_per_number
