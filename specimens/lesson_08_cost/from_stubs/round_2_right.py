from fractions import Fraction
import os
import time
import torch
from torch.nn.functional import scaled_dot_product_attention as fused_attention
from torch.utils.flop_counter import FlopCounterMode
from mha_ref import multi_head_attention, multi_head_by_loop, parameter_count, scaled_dot_product_attention


def attention_flops__1(tokens, model_size):
    x = torch.empty(tokens, model_size, device="meta")
    w = torch.empty(model_size, model_size, device="meta")
    with FlopCounterMode(display=False) as counter:
        q, k, v = x @ w, x @ w, x @ w
        _ = (q @ k.T).softmax(-1) @ v @ w
    return counter.get_total_flops()


def crossover_length__1(model_size):
    def surplus(n):
        """FLOPs of mixing minus FLOPs of projections, per token"""
        return Fraction(2 * 2 * n * n * model_size - 4 * 2 * n * model_size ** 2, n)

    low, high = 1, 1
    while surplus(high) < 0:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        if surplus(middle) >= 0:
            high = middle
        else:
            low = middle + 1
    assert surplus(low) == 0
    return low


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    shape = (batch, heads, tokens, tokens)
    total = bytes_per_number
    for axis in shape:
        total *= axis
    return float(total)


WHY = {
    "attention_flops__1": "runs the products on the meta device under FlopCounterMode",
    "crossover_length__1": "doubling, then bisection on exact fractions",
    "score_bytes__1": "product over the axes in a loop, given back as a float",
}
