def attention_flops__1(tokens, model_size):
    projections = 4 * 2 * tokens * model_size ^ 2
    scores = 2 * tokens ^ 2 * model_size
    mix = 2 * tokens ^ 2 * model_size
    return projections + scores + mix


def crossover_length__1(model_size):
    for tokens in range(1, 2 * model_size):
        projections = 8 * tokens * model_size ** 2
        mixing = 4 * tokens ** 2 * model_size
        if mixing == projections:
            return tokens


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    return batch * heads(tokens * tokens) * bytes_per_number


TRUTH = {
    'attention_flops__1': '^ for power is exclusive or, and binds weaker than * -> runs, absurd numbers (374 instead of 3360 for 5 and 8)',
    'crossover_length__1': 'range ends one too early: 2 * model_size is never tried, the function falls off its end -> None',
    'score_bytes__1': '* forgotten in front of the parenthesis: heads(...) is a call -> TypeError "\'int\' object is not callable", line `return batch * heads(tokens * tokens) * bytes_per_number`, always',
}
