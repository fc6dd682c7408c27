"""Wrong answers to lesson 08 (round 13)."""

def attention_flops__1(tokens, model_size):
    projections = 3 * 2 * tokens * model_size * model_size
    return projections + 2 * (2 * tokens * tokens * model_size)


def attention_flops__2(tokens, model_size):
    projections = 4 * (2 * tokens * model_size**2)
    scores = 2 * tokens * tokens * model_size
    mix = 2 * tokens * model_size * model_size
    return projections + scores + mix


def crossover_length__1(model_size):
    # 8 n d^2 = 4 n^2 d  ->  n^2 = 2 d
    return (2 * model_size) ** 0.5


def crossover_length__2(model_size):
    return 2 * model_size + 1  # with 2 d they are equal, with one more mixing costs more


def score_bytes__1(batch, heads, tokens, bytes_per_number=4):
    scores = batch * heads * tokens * tokens
    weights = scores
    return (scores + weights) * bytes_per_number


def score_bytes__2(batch, heads, tokens, bytes_per_number=4):
    per_head = tokens // heads
    return batch * heads * per_head * per_head * bytes_per_number


TRUTH = {
    "attention_flops__1": "three projections: the output's is missing",
    "attention_flops__2": "the mix is counted with model_size squared, like a projection",
    "crossover_length__1": "wrong algebra: a root",
    "crossover_length__2": "the first number with which mixing costs more, not the one where both are equal",
    "score_bytes__1": "scores and weights are both counted",
    "score_bytes__2": "the tokens are divided among the heads; each head has scores for all pairs",
}
