"""Wrong answers to lesson 08 (round 11)."""

def attention_flops__1(tokens, model_size):
    products = [
        *[(tokens, model_size, model_size)] * 4,
        (tokens, model_size, tokens),
        (tokens, tokens, model_size),
    ]
    return sum(a * b * c for a, b, c in products)


def attention_flops__2(tokens, model_size):
    projections = 4 * 2 * model_size * model_size
    scores = 2 * tokens * model_size * tokens
    mix = 2 * tokens * tokens * model_size
    return projections + scores + mix


def crossover_length__1(model_size):
    # 8 n d^2 = 4 n^2 d
    return 4 * model_size / 8


def crossover_length__2(model_size):
    n = 1
    while 2 * n * n * model_size < 4 * 2 * n * model_size**2:
        n += 1
    return n


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    pairs = tokens * (tokens + 1) // 2  # no token looks ahead
    return batch * heads * pairs * bytes_per_number


def score_bytes__2(batch, heads, tokens, bytes_per_number=4):
    bits = bytes_per_number * 8
    return batch * heads * tokens**2 * bits


TRUTH = {
    "attention_flops__1": "multiplications alone: the factor 2 for the additions is missing",
    "attention_flops__2": "the projections are counted for one token, not for all",
    "crossover_length__1": "upside down: n = 8 d / 4 = 2 d, not d / 2",
    "crossover_length__2": "mixing is two products, and one is counted: 4 d instead of 2 d",
    "score_bytes__1": "half of the pairs: a mask saves nothing",
    "score_bytes__2": "bits, not bytes",
}
