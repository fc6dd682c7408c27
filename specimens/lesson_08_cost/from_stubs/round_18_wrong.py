"""Wrong answers to lesson 08 (round 18)."""




def attention_flops__1(tokens, model_size):
    qkv = 3 * 2 * tokens * model_size * model_size
    scores = 2 * tokens * model_size * tokens
    mix = 2 * tokens * tokens * model_size
    return qkv + scores + mix


def crossover_length__1(model_size):
    # projections: 8 * tokens * model_size ** 2
    # mixing:      2 * tokens ** 2 * model_size
    # equal where 2 * tokens = 8 * model_size
    return 8 * model_size / 2


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    pairs = tokens * (tokens + 1) // 2
    return batch * heads * pairs * bytes_per_number


TRUTH = {
    "attention_flops__1": 'Counts three projections (queries, keys, values) and forgets the fourth, of the output.',
    "crossover_length__1": 'Counts only the scores as mixing and not the mix with the values, so the answer is twice too large (4 * model_size instead of 2 * model_size).',
    "score_bytes__1": 'Counts only the pairs that a causal mask allows, but all pairs are stored and a mask saves nothing.',
}
