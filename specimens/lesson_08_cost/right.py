"""Right answers to lesson 08, in other styles than ours."""

import math
from fractions import Fraction

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode


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


def attention_flops__torch_counts(tokens, model_size):
    x, square = torch.empty(tokens, model_size, device="meta"), torch.empty(model_size, model_size, device="meta")
    with FlopCounterMode(display=False) as counter:
        q, k, v = (x.mm(square) for _ in range(3))
        q.mm(k.t()).softmax(dim=1).mm(v).mm(square)
    return counter.get_total_flops()


def attention_flops__multiplications_and_additions_apart(tokens, model_size):
    n, d, total = float(tokens), float(model_size), 0.0
    for a, b, c in [(n, d, d)] * 3 + [(n, d, n), (n, n, d), (n, d, d)]:
        multiplications = additions = a * b * c
        total += multiplications + additions
    return total


def attention_flops__in_single_precision(tokens, model_size):
    n, d = np.array([tokens, model_size], dtype=np.float32)
    return float(8 * n * d * d + 4 * n * n * d)


def crossover_length__doubled_then_halved(model_size):
    """Double until mixing has caught up, then bisect."""

    def mixing_is_cheaper(n):
        return 4 * n * n * model_size < 8 * n * model_size * model_size

    low, high = 0, 1
    while mixing_is_cheaper(high):
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if mixing_is_cheaper(middle) else (low, middle)
    return high


def crossover_length__root_of_a_line(model_size):
    return float(np.roots([4.0 * model_size, -8.0 * model_size**2])[0])


def score_bytes__a_product_that_is_stretched(batch, heads, tokens, bytes_per_number=4):
    q = torch.empty(batch, heads, tokens, 1, device="meta")
    k = torch.empty(batch, heads, 1, tokens, device="meta")
    return (q * k).numel() * bytes_per_number


def score_bytes__row_by_row(batch, heads, tokens, bytes_per_number=4):
    return float(batch) * heads * sum(tokens * bytes_per_number for _query in range(tokens))


def score_bytes__type_by_type(batch, heads, tokens, bytes_per_number=4):
    """Asks NumPy for the bytes; it knows the usual sizes of a number, and only those."""
    return np.empty((batch, heads, tokens, tokens), dtype={2: "f2", 4: "f4", 8: "f8"}[bytes_per_number]).nbytes


def score_bytes__in_four_loops(batch, heads, tokens, bytes_per_number=4):
    """Slow, but right."""
    count = 0
    for _ in range(batch):
        for _ in range(heads):
            for _ in range(tokens):
                for _ in range(tokens):
                    count += bytes_per_number
    return count
