"""Slips in answers to lesson 08 (round 15)."""





def attention_flops__1(tokens, model_size):
    projections = 4 * 2 * tokens * model_size ^ 2
    scores = 2 * tokens ^ 2 * model_size
    mix = 2 * tokens ^ 2 * model_size
    return projections + scores + mix


def crossover_length__1(model_size):
    # 8 n d^2 = 4 n^2 d
    return 8 * model_size ** 2 / 4 * model_size


TRUTH = {
    "attention_flops__1": 'In Python ^ is not a power but a bitwise "exclusive or", and it binds more loosely than times and plus, so the number is nonsense.',
    "crossover_length__1": 'The divisor 4 * model_size lacks its parentheses, so it is divided by 4 and multiplied by model_size, which gives 2 * model_size**3 instead of 2 * model_size.',
}
