"""Right answers to lesson 08 (round 14)."""


def crossover_length__1(model_size):
    tokens = 1
    while 4 * tokens * tokens * model_size < 8 * tokens * model_size**2:
        tokens += 1
    return tokens


WHY = {
    "crossover_length__1": "It counts up until mixing is as much as the projections.",
}
