import os
import time
from fractions import Fraction
import torch
from torch.nn.functional import scaled_dot_product_attention as fused_attention
from torch.utils.flop_counter import FlopCounterMode
from mha_ref import multi_head_attention, multi_head_by_loop, parameter_count, scaled_dot_product_attention


def attention_flops__1(tokens, model_size):
    x = torch.empty(tokens, model_size, device="meta")
    w = torch.empty(model_size, model_size, device="meta")
    with FlopCounterMode(display=False) as counter:
        q, k, v = x @ w, x @ w, x @ w
        ((q @ k.T).softmax(-1) @ v) @ w
    return counter.get_total_flops()


def attention_flops__2(tokens, model_size):
    # 8nd^2 + 4n^2d = 4nd(2d + n)
    return 4.0 * tokens * model_size * (tokens + 2 * model_size)


def crossover_length__1(model_size):
    per_token_projections = Fraction(4 * 2 * model_size * model_size)
    per_pair_mixing = Fraction(2 * (2 * model_size))
    return float(per_token_projections / per_pair_mixing)


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    total = 0
    for item in range(batch):
        for head in range(heads):
            total += sum([tokens] * tokens)
    return total * bytes_per_number


WHY = {
    "attention_flops__1": "measured by FlopCounterMode on meta tensors",
    "attention_flops__2": "factored closed form, as a float",
    "crossover_length__1": "cost per token over cost per pair, as exact fraction, given back as a float",
    "score_bytes__1": "loops over items and heads and adds a row of scores per query",
}
