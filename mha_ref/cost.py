"""What multi-head attention costs, in plain numbers: parameters, floating-point operations, bytes."""

from .checks import head_size_of


def parameter_count(model_size, heads, bias=True, head_size=None, value_size=None):
    """Return how many numbers are learned: projections into queries, keys and values of all heads, and one back.

    A size of None is model_size / heads; ValueError unless heads divide model_size.
    Source: Vaswani et al., Attention is all you need (2017), section 3.2.2.
    """
    keys, values = (heads * head_size_of(model_size, heads, size) for size in (head_size, value_size))
    weights, biases = 2 * model_size * (keys + values), 2 * keys + values + model_size
    return weights + biases if bias else weights


def projection_flops(tokens, model_size):
    """Return the operations of the four projections; a multiplication and an addition are two."""
    return 4 * 2 * tokens * model_size**2


def mixing_flops(tokens, model_size):
    """Return the operations of scores and weighted means: two products, whatever the number of heads."""
    return 2 * 2 * tokens**2 * model_size


def attention_flops(tokens, model_size):
    """Return the operations of all matrix products of self-attention over one sequence; softmax is not counted.

    Source: Hoffmann et al., Training compute-optimal large language models (2022), appendix F.
    """
    return projection_flops(tokens, model_size) + mixing_flops(tokens, model_size)


def crossover_length(model_size):
    """Return the number of tokens at which mixing costs as much as projecting: 4·n²·d = 8·n·d² where n = 2·d."""
    return 2 * model_size


def score_bytes(batch, heads, tokens, bytes_per_number=4):
    """Return the memory of all scores, if stored: a tokens × tokens map for each head of each item."""
    return batch * heads * tokens**2 * bytes_per_number
