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


def crossover_length__squares_the_model_size_at_the_crossing__forgets_to_cancel(model_size):
    return 8 * model_size**2 / 4


def crossover_length__crosses_at_another_multiple__ten(model_size):
    return sum(model_size for _ in range(10))


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
