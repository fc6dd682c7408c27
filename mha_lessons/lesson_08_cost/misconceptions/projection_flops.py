"""What people get wrong about `projection_flops`."""

from autograder.mistakes import mistake

from ..exercises import projection_flops


def forgets_the_output_projection(tokens, model_size):
    """You count three products of (tokens, model_size) with a square matrix for the projections.
    Queries, keys and values are three, and a fourth mixes the heads' results.
    Which matrix comes last in a multi-head layer?"""
    return projection_flops(tokens, model_size) * 3 / 4


def counts_half_of_the_projections(tokens, model_size):
    """You count half of what the projections take.
    Either two of the four products are missing, or you count a multiplication and its addition as one.
    Write down the four, each with its factor of 2."""
    return projection_flops(tokens, model_size) / 2


def counts_a_single_projection(tokens, model_size):
    """For the projections you count 2 · tokens · model_size², which is one product.
    All the tokens are multiplied by each of the layer's matrices of weights.
    How many matrices does a multi-head layer have?"""
    return projection_flops(tokens, model_size) / 4


@mistake(times=(0.125, 1.25, 2))
def counts_other_projections(tokens, model_size, *, times):
    """You count {times:g} times what the projections take.
    There are four of them, and each takes 2 · tokens · model_size².
    Go through your factors one by one: what is each of them for?"""
    return projection_flops(tokens, model_size) * times


def forgets_the_projections(tokens, model_size):
    """You count only scores and mix.
    Before tokens meet, each is projected to a query, a key and a value, and afterwards the results are projected
    again.
    For short texts these products are most of the work."""
    return 0


def projects_one_token_only(tokens, model_size):
    """In your count the projections do not grow with the number of tokens.
    The matrices are the same for all tokens, but each token is multiplied by them: the parameters do not grow, but the
    work does.
    How often do you use each matrix?"""
    return projection_flops(1, model_size)


def projects_to_a_single_number(tokens, model_size):
    """In your count, a projection takes about as many operations as a token has features.
    It makes model_size numbers from model_size numbers, and each new number depends on all the old ones.
    How many entries does its matrix have?"""
    return projection_flops(tokens, model_size) / model_size


def squares_tokens_in_the_projections(tokens, model_size):
    """In your count the projections grow with the square of the tokens.
    A projection treats each token alone, so twice the tokens means twice the work.
    There, the model size is squared."""
    return projection_flops(tokens, model_size) * tokens / model_size


def squares_both_in_the_projections(tokens, model_size):
    """In your count the projections have a factor of tokens too many.
    In a product of (tokens, model_size) with (model_size, model_size) three sizes meet, and one of them is the number
    of tokens.
    Which two sides of the two shapes are the same size?"""
    return projection_flops(tokens, model_size) * tokens


def adds_the_biases(tokens, model_size):
    """Your count is too large by 4 · tokens · model_size, which fits the biases of the four projections.
    They are real work, but very little, and the docstring leaves them out.
    Count matrix products only."""
    return projection_flops(tokens, model_size) + 4 * tokens * model_size


def projects_the_output_of_one_token_only(tokens, model_size):
    """In your count three projections grow with the number of tokens, and the fourth does not: it takes
    2 · model_size², as for a single token.
    The output projection, too, is a product of (tokens, model_size) with a square matrix.
    Which size is missing there?"""
    return projection_flops(tokens, model_size) * 3 / 4 + 2 * model_size**2


def doubles_the_model_size_in_the_projections(tokens, model_size):
    """In your projections the model size is doubled, 2 · model_size, instead of squared.
    A matrix of model_size by model_size has a number for each pair of an old and a new feature.
    How do you write a square in Python?"""
    return 16 * tokens * model_size
