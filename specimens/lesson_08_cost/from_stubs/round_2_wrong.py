import math
import os
import time
import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention as fused_attention
from torch.utils.flop_counter import FlopCounterMode
from mha_ref import multi_head_attention, multi_head_by_loop, parameter_count, scaled_dot_product_attention


def attention_flops__1(tokens, model_size):
    def matmul(rows, inner, cols):
        # one number of the result: inner multiplications, and inner - 1 additions
        return rows * cols * (inner + (inner - 1))

    projections = sum(matmul(tokens, model_size, model_size) for _ in "qkvo")
    scores = matmul(tokens, model_size, tokens)
    mix = matmul(tokens, tokens, model_size)
    return projections + scores + mix


def attention_flops__2(tokens, model_size):
    total = 4 * 2 * tokens * model_size ** 2
    for position in range(1, tokens + 1):
        # this token looks at itself and at the ones before it
        total += 2 * position * model_size      # scores
        total += 2 * position * model_size      # mix
    return total


def attention_flops__3(tokens, model_size):
    products = [(tokens, model_size, model_size)] * 4
    products += [(tokens, model_size, tokens)]
    products += [(tokens, tokens, tokens)]
    return 2 * sum(a * b * c for a, b, c in products)


def attention_flops__4(tokens, model_size):
    d, n = model_size, tokens
    macs = np.array([n * d * d] * 4 + [n * n * d] * 2, dtype=np.float64)
    forward = macs.sum()
    backward = 2 * forward
    return float(forward + backward)


def crossover_length__1(model_size):
    def projections(n):
        return 8 * n * model_size * model_size

    def mixing(n):
        return 4 * n * n * model_size

    n = 1
    while mixing(n) < projections(n):
        n *= 2
    return n


def crossover_length__2(model_size):
    # 4 projections:  4 * 2 * n * d * d        attention matrix:  2 * n * n * d
    a, b = 2 * model_size, -8 * model_size ** 2
    root = (-b + math.sqrt(b * b)) / (2 * a)
    return root


def crossover_length__3(model_size):
    tokens = 1
    while 2 * (2 * tokens * tokens * model_size) <= 4 * (2 * tokens * model_size * model_size):
        tokens += 1
    return tokens


def crossover_length__4(model_size):
    d = model_size
    qkv_per_token = 2 * d * (3 * d)
    attention_per_pair = 2 * d
    return qkv_per_token / attention_per_pair


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    scores = torch.empty(batch, heads, tokens, tokens, device="meta")
    return scores.numel() * scores.element_size()


def score_bytes__2(batch, heads, tokens, bytes_per_number=4):
    return batch * heads * tokens * 2 * bytes_per_number


def score_bytes__3(batch, heads, tokens, bytes_per_number=4):
    shape = np.array([batch, heads, tokens, tokens], dtype=np.int32)
    return int(np.prod(shape, dtype=np.int32)) * bytes_per_number


def score_bytes__4(batch, heads, tokens, bytes_per_number=4):
    total = 0
    for item in range(batch):
        for head in range(heads):
            total += tokens ** 2 * bytes_per_number     # before softmax
            total += tokens ** 2 * bytes_per_number     # after softmax
    return total / 1024


TRUTH = {
    "attention_flops__1": ("one", "counts b - 1 additions for each number, so a product takes a*c*(2b-1) instead of 2*a*b*c"),
    "attention_flops__2": ("one", "counts scores and mix for a causal mask only (about half the pairs), though no mask saves anything"),
    "attention_flops__3": ("slip", "the mix is (tokens, tokens, tokens) instead of (tokens, tokens, model_size)"),
    "attention_flops__4": ("two", "counts a multiplication and an addition as one instead of two, and adds a backward pass (twice the forward): 1.5 times the right number"),
    "crossover_length__1": ("one", "doubles the length while searching, so it gives the next power of two: wrong when model_size is no power of two"),
    "crossover_length__2": ("one", "mixing counts the scores only and forgets the mix: 4 * model_size instead of 2 * model_size"),
    "crossover_length__3": ("slip", "<= instead of <: walks one token past the crossing, 2 * model_size + 1"),
    "crossover_length__4": ("two", "leaves the output projection out (three projections), and leaves the mix out of mixing: 3 * model_size"),
    "score_bytes__1": ("one", "ignores bytes_per_number: always four bytes of a float32"),
    "score_bytes__2": ("slip", "tokens * 2 instead of tokens ** 2"),
    "score_bytes__3": ("odd", "multiplies in 32-bit integers, which overflow silently from 2**31 scores on"),
    "score_bytes__4": ("two", "stores the scores twice (before and after softmax), and gives KiB instead of bytes"),
}
