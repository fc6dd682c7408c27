import os
import time
import torch
from torch.nn.functional import scaled_dot_product_attention as fused_attention
from torch.utils.flop_counter import FlopCounterMode
from mha_ref import multi_head_attention, multi_head_by_loop, parameter_count, scaled_dot_product_attention


def _product_cost(a, b, c):
    """(a, b) @ (b, c): each of the a*c numbers takes b multiplications and b - 1 additions."""
    multiplications = a * c * b
    additions = a * c * (b - 1)
    return multiplications + additions


def attention_flops__1(tokens, model_size):
    projections = sum(_product_cost(tokens, model_size, model_size) for _ in ("q", "k", "v", "o"))
    scores = _product_cost(tokens, model_size, tokens)
    mix = _product_cost(tokens, tokens, model_size)
    return projections + scores + mix


def attention_flops__2(tokens, model_size):
    products = [(tokens, model_size, model_size)] * 4
    products += [(tokens, model_size, tokens)]
    products += [(tokens, tokens, tokens)]
    flops = 0
    for a, b, c in products:
        flops += 2 * a * b * c
    return flops


def attention_flops__3(tokens, model_size):
    proj = 4 * tokens * model_size ** 2
    pairs = tokens * (tokens + 1) // 2          # a token looks back only
    return proj + 2 * pairs * model_size


def crossover_length__1(model_size):
    def projections(n):
        return 4 * 2 * n * model_size * model_size

    def mixing(n):
        return 2 * n * model_size * n

    low, high = 1, 100 * model_size
    while low < high:
        middle = (low + high) // 2
        if mixing(middle) >= projections(middle):
            high = middle
        else:
            low = middle + 1
    return low


def crossover_length__2(model_size):
    tokens = 1
    while 4 * tokens * tokens * model_size < 8 * tokens * model_size ** 2:
        tokens *= 2
    return tokens


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    scores = torch.empty(batch, heads, tokens, tokens, device="meta")
    return scores.numel() * scores.element_size()


def score_bytes__2(batch, heads, tokens, bytes_per_number=4):
    return batch * heads * (tokens ^ 2) * bytes_per_number


def score_bytes__3(batch, heads, tokens, bytes_per_number=4):
    scores_per_item = heads * tokens * tokens
    before_and_after_softmax = 2 * scores_per_item
    return batch * before_and_after_softmax * bytes_per_number / 1024 ** 2


TRUTH = {
    "attention_flops__1": ("one", "counts b - 1 additions per number, 2ab c - ac, instead of 2abc"),
    "attention_flops__2": ("slip", "the mix is counted as (tokens, tokens) with (tokens, tokens) instead of with (tokens, model_size)"),
    "attention_flops__3": ("two", "a multiplication and an addition count as one (half of the FLOPs), and scores and mix are counted for the causal half of the pairs only"),
    "crossover_length__1": ("one", "mixing is taken to be the scores alone, without the mix: 4 * model_size instead of 2 * model_size"),
    "crossover_length__2": ("odd", "searches by doubling: only right when model_size is a power of two, otherwise the next power of two"),
    "score_bytes__1": ("one", "ignores bytes_per_number: always float32's 4 bytes"),
    "score_bytes__2": ("slip", "tokens ^ 2 is exclusive or, not the square"),
    "score_bytes__3": ("two", "counts the scores twice (before and after softmax), and answers in MiB instead of bytes"),
}
