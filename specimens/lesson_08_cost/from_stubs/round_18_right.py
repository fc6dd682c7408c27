"""Right answers to lesson 08 (round 18)."""

import math


def attention_flops__1(tokens, model_size):
    products = 4 * [(tokens, model_size, model_size)]
    products += [(tokens, model_size, tokens), (tokens, tokens, model_size)]
    return sum(2 * math.prod(sizes) for sizes in products)


WHY = {
    "attention_flops__1": 'Right: a list of all matrix products, each as (a, b, c).',
}
