import os
import time
import math
from bisect import bisect_left
import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention as fused_attention
from torch.utils.flop_counter import FlopCounterMode
from mha_ref import multi_head_attention, multi_head_by_loop, parameter_count, scaled_dot_product_attention


def attention_flops__1(tokens, model_size):
    def matmul(a, b, c):
        return 2 * a * b * c

    projections = sum(matmul(tokens, model_size, model_size) for _ in "qkvo")
    scores = sum(matmul(1, model_size, seen) for seen in range(1, tokens + 1))
    mix = sum(matmul(1, seen, model_size) for seen in range(1, tokens + 1))
    return projections + scores + mix


def attention_flops__2(tokens, model_size):
    def product(rows, inner, cols):
        multiplications = rows * inner * cols
        additions = rows * (inner - 1) * cols
        return multiplications + additions

    n, d = tokens, model_size
    return 4 * product(n, d, d) + product(n, d, n) + product(n, n, d)


def attention_flops__3(tokens, model_size):
    n, d = tokens, model_size
    products = [(n, d, d)] * 4
    products += [(n, d, n)]   # scores
    products += [(n, n, n)]   # mix
    return sum(2 * math.prod(shape) for shape in products)


# measures instead of calculating
def attention_flops__4(tokens, model_size):
    heads = 8
    size = model_size // heads
    x = torch.empty(tokens, model_size, device="meta")
    w = torch.empty(model_size, model_size, device="meta")
    with FlopCounterMode(display=False) as counter:
        q, k, v = (
            (x @ w)[:, : heads * size].reshape(tokens, heads, size).transpose(0, 1) for _ in range(3)
        )
        scores = torch.bmm(q, k.transpose(1, 2))
        mixed = torch.bmm(scores, v)
        x @ w
    return counter.get_total_flops()


def crossover_length__1(model_size):
    n = 1
    while 4 * n * n * model_size < 8 * n * model_size ** 2:
        n *= 2
    return n


def crossover_length__2(model_size):
    # projections 8 d^2, scores and mix 4 n^2 d; solve for n
    projection_cost = 4 * 2 * model_size ** 2
    mixing_cost_at_one = 2 * 2 * model_size
    return math.sqrt(projection_cost / mixing_cost_at_one)


def crossover_length__3(model_size):
    class Difference:
        def __len__(self):
            return 10_000

        def __getitem__(self, n):
            return 2 * (2 * n * n * model_size) - 4 * (2 * n * model_size * model_size)

    return bisect_left(Difference(), 0, lo=1)


def crossover_length__4(model_size):
    qkv = 3 * 2 * model_size * model_size      # for one token
    mixing = 2 * model_size                    # for one token, for each other token
    return qkv // mixing


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    dtype = {2: torch.float16, 4: torch.float32}.get(bytes_per_number, torch.float32)
    scores = torch.empty(batch, heads, tokens, tokens, dtype=dtype, device="meta")
    return scores.numel() * scores.element_size()


def score_bytes__2(batch, heads, tokens, bytes_per_number=4):
    shape = np.array([batch, heads, tokens, tokens, bytes_per_number], dtype=np.int32)
    return int(np.multiply.reduce(shape, dtype=shape.dtype))


def score_bytes__3(batch, heads, tokens, bytes_per_number=4):
    pairs = tokens ^ 2
    return batch * heads * pairs * bytes_per_number


def score_bytes__4(batch, heads, tokens, bytes_per_number=4):
    numbers = 0
    for _item in range(batch):
        for _head in range(heads):
            numbers += tokens * tokens   # scores
            numbers += tokens * tokens   # weights after softmax
    return numbers * bytes_per_number / 2 ** 20


TRUTH = {
    "attention_flops__1": ("one", "counts a causal mask: token i takes part in i pairs only, though no mask saves anything"),
    "attention_flops__2": ("one", "counts one addition less than multiplications for each number: a*(2b-1)*c instead of 2*a*b*c"),
    "attention_flops__3": ("slip", "the mix is (n, n) with (n, n) instead of (n, n) with (n, d)"),
    "attention_flops__4": ("odd", "splits into eight hard-coded heads and rounds down: scores and mix are too small (or nothing) when 8 does not divide model_size"),
    "crossover_length__1": ("one", "doubles its guess, so it only finds powers of two: too large unless model_size is a power of two"),
    "crossover_length__2": ("one", "forgets that the projections too are done for each token: sqrt(2 * model_size) instead of 2 * model_size"),
    "crossover_length__3": ("one", "searches up to a hard-coded 10000 tokens: wrong for model_size above 5000"),
    "crossover_length__4": ("two", "leaves out the output projection, and leaves out one of scores and mix: 3 * model_size instead of 2 * model_size"),
    "score_bytes__1": ("one", "knows 2 and 4 bytes only: any other bytes_per_number (1, 8) is counted as 4"),
    "score_bytes__2": ("one", "multiplies in 32-bit integers: wraps around from 2 GiB on"),
    "score_bytes__3": ("slip", "writes tokens ^ 2, which is xor, instead of tokens ** 2"),
    "score_bytes__4": ("two", "counts the weights after softmax too (stored twice), and returns MB instead of bytes"),
}
