import itertools
import math
import torch


def attention_flops__1(tokens, model_size):
    def matmul(a, b):
        (m, k), (k2, n) = a, b
        assert k == k2
        matmul.cost += 2 * m * k * n
        return m, n

    matmul.cost = 0
    x = (tokens, model_size)
    w = (model_size, model_size)
    q, k, v = (matmul(x, w) for _ in range(3))
    weights = matmul(q, k[::-1])
    matmul(weights, v)
    return matmul.cost


def attention_flops__2(tokens, model_size):
    projections = 4 * 2 * tokens * model_size ** 2
    # token t looks at t keys: one dot product and one weighted sum for each
    pairs = sum(range(1, tokens + 1))
    return projections + 2 * (2 * model_size) * pairs


def attention_flops__3(tokens, model_size):
    n, d = tokens, model_size
    products = [(n, d, d)] * 4 + [(n, d, n), (n, d, d)]
    return sum(2 * math.prod(p) for p in products)


def attention_flops__4(tokens, model_size):
    layer = 4 * tokens * model_size * model_size
    scores_and_mix = 2 * tokens * tokens * model_size
    forward = layer + scores_and_mix
    backward = 2 * forward
    return forward + backward


def crossover_length__1(model_size):
    # 4 * 2 n d^2 = 2 n^2 d   ->   n = ...
    projections_per_token = 4 * 2 * model_size ** 2
    mixing_per_token_pair = 2 * model_size
    return projections_per_token / mixing_per_token_pair


def crossover_length__2(model_size):
    for n in itertools.count(1):
        if 4 * n * n * model_size > 8 * n * model_size ** 2:
            return n


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    scores = 0
    for row in range(tokens):
        scores += row + 1
    return bytes_per_number * scores * heads * batch


def score_bytes__2(batch, heads, tokens, bytes_per_number=4):
    shape = torch.Size([batch, tokens, tokens])
    before_softmax = shape.numel() * bytes_per_number
    after_softmax = shape.numel() * bytes_per_number
    return before_softmax + after_softmax


def score_bytes__3(batch, heads, tokens, bytes_per_number=4):
    scores = torch.empty(batch, heads, tokens, tokens, device="meta")
    return scores.numel() * scores.element_size()


TRUTH = {
    "attention_flops__1": ("one", "counts three projections: forgets the output projection"),
    "attention_flops__2": ("one", "counts scores and mix for a causal mask only (pairs up to the own place), although no mask saves anything"),
    "attention_flops__3": ("slip", "the mix is counted with shape (n, d) x (d, d) instead of (n, n) x (n, d)"),
    "attention_flops__4": ("two", "counts a multiplication and an addition as one, and adds a backward pass of twice the forward one"),
    "crossover_length__1": ("one", "mixing counts the scores alone and not the mix: 4 * model_size instead of 2 * model_size"),
    "crossover_length__2": ("slip", "searches with > instead of >=: gives the first length at which mixing costs more, one too many"),
    "score_bytes__1": ("one", "counts the lower triangle alone, as if a causal mask saved memory"),
    "score_bytes__2": ("two", "forgets the heads, and stores the scores twice (before and after softmax)"),
    "score_bytes__3": ("slip", "ignores bytes_per_number: always 4 bytes, the size of float32"),
}
