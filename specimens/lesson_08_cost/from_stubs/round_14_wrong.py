"""Wrong answers to lesson 08 (round 14)."""


def attention_flops__1(tokens, model_size):
    projections = 4 * 2 * tokens * model_size * model_size
    scores = 2 * tokens * tokens
    mix = 2 * tokens * tokens
    return projections + scores + mix


def crossover_length__1(model_size):
    # 4 projections: 8 n d^2 ; mixing: 2 n^2 d  ->  n = 4 d
    return 4 * model_size


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    pairs = sum(range(1, tokens + 1))
    return batch * heads * pairs * bytes_per_number


TRUTH = {
    "attention_flops__1": "Scores and mix are counted as tokens², without the factor model_size.",
    "crossover_length__1": "It sets the scores alone equal to the projections and forgets the mix: twice too large.",
    "score_bytes__1": "It counts only the keys up to each query, as if a causal mask saved memory.",
}
