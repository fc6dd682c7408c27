def attention_flops__1(tokens, model_size):
    qkv = 3 * 2 * tokens * model_size * model_size
    scores = 2 * tokens * model_size * tokens
    mix = 2 * tokens * tokens * model_size
    return qkv + scores + mix


def attention_flops__2(tokens, model_size):
    def product(a, b, c):
        # c columns of a dot products with b multiplications and b - 1 additions each
        return a * c * (2 * b - 1)

    projections = 4 * product(tokens, model_size, model_size)
    scores = product(tokens, model_size, tokens)
    mix = product(tokens, tokens, model_size)
    return projections + scores + mix


def crossover_length__1(model_size):
    # 8 n d^2 = 2 n^2 d
    projections_per_token = 8 * model_size ** 2
    return projections_per_token / (2 * model_size)


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    pairs = tokens * (tokens + 1) // 2
    return batch * heads * pairs * bytes_per_number


TRUTH = {
    "attention_flops__1": "Counts queries, keys and values and forgets the output projection.",
    "attention_flops__2": "Counts b - 1 additions for a sum of b numbers, while the rule here is 2·a·b·c.",
    "crossover_length__1": "Sets the projections equal to the scores alone and forgets that the mix costs as much again; the result is twice too large.",
    "score_bytes__1": "Believes a causal mask spares the upper triangle; but all pairs are stored.",
}
