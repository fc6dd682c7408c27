import os
import time
import torch
from fractions import Fraction
from torch.nn.functional import scaled_dot_product_attention as fused_attention
from torch.utils.flop_counter import FlopCounterMode
from mha_ref import multi_head_attention, multi_head_by_loop, parameter_count, scaled_dot_product_attention


# measures on the meta device
def attention_flops__1(tokens, model_size):
    x = torch.empty(tokens, model_size, device="meta")
    w = torch.empty(model_size, model_size, device="meta")
    with FlopCounterMode(display=False) as counter:
        q, k, v = x @ w, x @ w, x @ w
        (((q @ k.T) @ v) @ w)
    return int(counter.get_total_flops())


# a straight line: (mixing - projections) / tokens is linear in tokens, so two points give its root
def crossover_length__1(model_size):
    def gap_per_token(n):
        mixing = 2 * (2 * n * n * model_size)
        projections = 4 * (2 * n * model_size ** 2)
        return Fraction(mixing - projections, n)

    at_one, at_two = gap_per_token(1), gap_per_token(2)
    return float(1 - at_one / (at_two - at_one))


# bits first, and a shift at the end
def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    def scores_of_one_item():
        return sum(tokens ** 2 for _head in range(heads))

    bits = sum(scores_of_one_item() for _item in range(batch)) * bytes_per_number * 8
    return bits >> 3


WHY = {
    "attention_flops__1": "measured with FlopCounterMode on meta tensors",
    "crossover_length__1": "root of a line through two points, in fractions, as a float",
    "score_bytes__1": "generator sums over items and heads, in bits, shifted to bytes",
}
