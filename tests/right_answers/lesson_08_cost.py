"""Right answers to lesson 08, in other styles than ours."""

import math
from fractions import Fraction

import numpy as np
import torch


def attention_flops__factored(tokens, model_size):
    return 4 * tokens * model_size * (2 * model_size + tokens)


def attention_flops__product_by_product(n, d):
    """A list of the six products."""
    products = [(n, d, d)] * 3 + [(n, d, n), (n, n, d), (n, d, d)]
    return sum(2 * a * b * c for a, b, c in products)


def attention_flops__as_a_float(tokens, model_size):
    return 8.0 * tokens * model_size**2.0 + 4.0 * tokens**2.0 * model_size


def attention_flops__by_heads(tokens, model_size):
    """Heads of one feature each: the sum is the same."""
    projections, each_head = 8 * tokens * model_size**2, 2 * (2 * tokens * tokens)
    for _ in range(model_size):
        projections += each_head
    return projections


def attention_flops__in_torch(tokens, model_size):
    n, d = torch.tensor([tokens, model_size], dtype=torch.float64)
    return (8 * n * d * d + 4 * n * n * d).item()


def attention_flops__from_parameters(tokens, model_size):
    """Two for each parameter and token, and the meetings."""
    parameters = 4 * model_size**2
    return 2 * parameters * tokens + sum(4 * model_size * tokens for _ in range(tokens))


def crossover_length__two_times(model_size):
    return model_size + model_size


def crossover_length__solved_by_division(model_size):
    return 8 * model_size**2 / (4 * model_size)


def crossover_length__by_search(model_size):
    """Go on until mixing has caught up."""
    n = 1
    while 4 * n * n * model_size < 8 * n * model_size**2:
        n += 1
    return n


def crossover_length__shifted(model_size):
    return model_size << 1


def crossover_length__exact_root(model_size):
    return math.isqrt(4 * model_size**2)


def crossover_length__by_fractions(model_size):
    return int(Fraction(8, 4) * model_size)


def score_bytes__from_a_shape(batch, heads, tokens, bytes_per_number=4):
    return math.prod((batch, heads, tokens, tokens)) * bytes_per_number


def score_bytes__counted(batch, heads, tokens, bytes_per_number=4):
    """A number for each pair, one after the other."""
    pairs = sum(1 for _ in range(tokens) for _ in range(tokens))
    return sum(pairs * bytes_per_number for _ in range(batch) for _ in range(heads))


def score_bytes__as_a_float(batch, heads, tokens, bytes_per_number=4):
    return float(batch) * heads * tokens**2 * bytes_per_number


def score_bytes__through_bits(batch, heads, tokens, bytes_per_number=4):
    bits = 8 * bytes_per_number
    return batch * heads * tokens**2 * bits // 8


def score_bytes__asks_numpy(batch, heads, tokens, bytes_per_number=4):
    """The size of an array that takes no memory."""
    return np.broadcast_to(np.int8(0), (batch, heads, tokens, tokens)).size * bytes_per_number


def score_bytes__asks_torch(b, h, n, bytes_per_number=4):
    return torch.empty(b, h, n, n, device="meta").numel() * bytes_per_number


def test_attention_flops__by_known_numbers(attention_flops):
    """Worked out by hand."""
    assert math.isclose(attention_flops(1, 1), 12)
    assert math.isclose(attention_flops(2, 3), 192)
    assert math.isclose(attention_flops(3, 2), 168)


def test_attention_flops__at_full_size(attention_flops):
    assert round(attention_flops(2048, 4096) / 1e9, 4) == 343.5974
    assert attention_flops(10, 64) == 353_280


def attention_flops__one_by_one(tokens, model_size):
    """Counts each multiplication and each addition."""
    products = [(tokens, model_size, model_size)] * 4
    products += [(tokens, model_size, tokens), (tokens, tokens, model_size)]
    count = 0
    for rows, inner, columns in products:
        for _ in range(rows):
            for _ in range(columns):
                for _ in range(inner):
                    count += 2
    return count
