import math
from fractions import Fraction
import torch
from torch.utils.flop_counter import FlopCounterMode


def attention_flops__1(tokens, model_size):
    with torch.device("meta"):
        x = torch.empty(tokens, model_size)
        w = [torch.empty(model_size, model_size) for _ in range(4)]
    with FlopCounterMode(display=False) as counter:
        q, k, v = x @ w[0], x @ w[1], x @ w[2]
        (q @ k.T) @ v @ w[3]
    return counter.get_total_flops()


def attention_flops__2(tokens, model_size):
    multiply_adds = 0
    for _token in range(tokens):
        for _projection in ("query", "key", "value", "output"):
            multiply_adds += model_size * model_size
        multiply_adds += tokens * model_size      # its scores
        multiply_adds += model_size * tokens      # its mix
    return float(2 * multiply_adds)


def crossover_length__1(model_size):
    """For n tokens: mixing = a n^2, projections = b n; the root that is not 0 is b / a."""
    a = Fraction(2 * 2 * model_size)
    b = Fraction(4 * 2 * model_size ** 2)
    low, high = 0, 1
    while a * high < b:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if a * middle < b:
            low = middle
        else:
            high = middle
    return high


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    one_head = tokens ** 2
    bits = 8 * bytes_per_number * one_head
    return math.prod((batch, heads, bits)) / 8


WHY = {
    "attention_flops__1": "runs the layer on the meta device and lets torch count the FLOPs",
    "attention_flops__2": "adds up multiply-adds token by token, doubles at the end, gives a float",
    "crossover_length__1": "doubling and bisection over whole numbers with exact fractions",
    "score_bytes__1": "counts bits and divides by 8 at the end, gives a float",
}
