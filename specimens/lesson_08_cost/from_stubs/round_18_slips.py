"""Slips in answers to lesson 08 (round 18)."""




def attention_flops__1(tokens, model_size):
    projections = 8 * tokens * model_size ^ 2
    mixing = 4 * model_size * tokens ^ 2
    return projections + mixing


def crossover_length__1(model_size):
    return 8 * model_size ** 2 / 4 * model_size


TRUTH = {
    "attention_flops__1": '^ is not a power in Python but the bitwise "exclusive or"; it should be **.',
    "crossover_length__1": 'The parentheses around 4 * model_size are missing, so the result is multiplied by model_size instead of divided by it.',
}
