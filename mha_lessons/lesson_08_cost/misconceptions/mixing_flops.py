"""What people get wrong about `mixing_flops`."""

from autograder.mistakes import mistake

from ..exercises import mixing_flops


def forgets_scores_and_mix(tokens, model_size):
    """Your count holds the projections alone.
    "Two operations for each parameter and each token" is a good rule for layers that treat tokens one by one.
    In attention tokens also meet, and two products do that without any parameters."""
    return 0


def counts_half_of_the_mixing(tokens, model_size):
    """In your count scores and mix come to half of what they take.
    Both the scores and the weighted mean of the values take 2 · tokens² · model_size.
    One of the two may be missing, or the factor 2, or a mask was thought to save half."""
    return mixing_flops(tokens, model_size) / 2


@mistake(times=(0.25, 1.5, 2, 4))
def counts_other_mixing(tokens, model_size, *, times):
    """In your count scores and mix come to {times:g} times what they take.
    There are two products here, and each takes 2 · tokens² · model_size.
    Go through your factors one by one: what is each of them for?"""
    return mixing_flops(tokens, model_size) * times


@mistake(heads=(8, 12, 32))
def counts_full_width_for_each_head(tokens, model_size, *, heads):
    """In your count scores and mix come to {heads:g} times what they take, as if there were {heads:g} heads of full
    width.
    Heads share the features: each has its part of them only, so that all together do as much as one wide head.
    The number of heads drops out."""
    return mixing_flops(tokens, model_size) * heads


@mistake(head_size=(64, 128))
def mixes_for_one_head_only(tokens, model_size, *, head_size):
    """Your scores and mix have {head_size:g} features, whatever the model size is.
    That is a usual size for *one* head, but all heads together fill the model size.
    How many features do all the heads have together?"""
    return mixing_flops(tokens, head_size)


def forgets_the_square_of_tokens(tokens, model_size):
    """In your count scores and mix grow with the number of tokens, not with its square.
    Every query meets every key, and in self-attention there is one of each for every token.
    How many pairs is that?"""
    return mixing_flops(tokens, model_size) / tokens


def forgets_the_features_in_the_mixing(tokens, model_size):
    """In your count, each pair of tokens takes the same few operations, however many features there are.
    A score is a dot product, which multiplies and adds once for every feature; the mix does the same for the values.
    Which size is missing in that term?"""
    return mixing_flops(tokens, 1)


def squares_the_features_in_the_mixing(tokens, model_size):
    """In your count scores and mix have a factor of model_size too many.
    A score sums over the features once, and there is no matrix of weights in it.
    Which three sizes meet when queries are multiplied with keys?"""
    return mixing_flops(tokens, model_size) * model_size


def squares_features_in_place_of_tokens(tokens, model_size):
    """In your count, scores and mix grow with the square of the model size, but only linearly with the tokens.
    It is the other way round: they make a map of tokens by tokens, and sum over the features once.
    Write down the shapes of the two factors."""
    return mixing_flops(model_size, tokens)


def cubes_the_tokens(tokens, model_size):
    """In your count scores and mix have a factor of tokens too many.
    In each of the two products three sizes meet: tokens, tokens and features.
    Which size occurs three times in yours?"""
    return mixing_flops(tokens, model_size) * tokens


def counts_pairs_up_to_the_diagonal(tokens, model_size):
    """For scores and mix you count 2 · tokens · (tokens + 1) · model_size.
    There are two likely reasons.
    Either each query meets only the keys up to its own, as with a causal mask; but no mask saves anything here.
    Or one of the two products has lost a factor of tokens.
    What does each of the two take?"""
    return mixing_flops(tokens, model_size) * (tokens + 1) / (2 * tokens)


def counts_pairs_below_the_diagonal(tokens, model_size):
    """For scores and mix you count 2 · tokens · (tokens - 1) · model_size: each pair of two tokens once.
    But every query meets every key, including its own token's and later ones: no mask saves anything here.
    How many fields has a map of tokens by tokens?"""
    return mixing_flops(tokens, model_size) * (tokens - 1) / (2 * tokens)


@mistake(steps=(1, 2, 3, 4, 5))
def adds_the_softmax(tokens, model_size, *, steps):
    """You count {steps:g} more for each score: scaling, softmax or the like.
    These are real operations, but few compared with those that make a score, and the docstring leaves them
    out.
    Count matrix products only."""
    return mixing_flops(tokens, model_size) + steps * tokens**2


def doubles_tokens_in_the_mixing(tokens, model_size):
    """In your scores and mix the tokens are doubled, 2 · tokens, instead of squared.
    Every query meets every key: that is a map with a row and a column for each token.
    How do you write a square in Python?"""
    return 8 * tokens * model_size


def forgets_the_features_in_one_product(tokens, model_size):
    """In your count one of the two products in which tokens meet takes 2 · tokens² operations, without the features.
    A score is a dot product, which multiplies and adds once for every feature; the mix does the same for the values.
    Which of your two terms lacks the model size?"""
    return mixing_flops(tokens, model_size) / 2 + 2 * tokens**2


def counts_a_product_of_mixing_like_a_projection(tokens, model_size):
    """In your count one of the two products in which tokens meet takes 2 · tokens · model_size², like a projection.
    For the scores, that would be the transposed keys multiplied by the queries, features against features.
    But every token looks at every token. What shape does the map of scores have, and which size is summed over?"""
    return mixing_flops(tokens, model_size) / 2 + 2 * tokens * model_size**2


@mistake(products=(1, 2))
def takes_tokens_for_features(tokens, model_size, *, products):
    """In your count the part in which tokens meet has the cube of the tokens, and no features.
    A map of weights, (tokens, tokens), meets the values, and these have a column for each feature.
    Which three sizes do the scores have, and which three the mix?"""
    return mixing_flops(tokens, model_size) * (2 - products) / 2 + products * 2 * tokens**3


@mistake(heads=(8, 32), whole=(False, True))
def mixes_with_the_width_of_one_head(tokens, model_size, *, heads, whole):
    """In your count scores and mix have model_size / {heads:g} features, the share of one of {heads:g} heads.
    That is the work of a single head, and every other head does as much.
    How many features do all of them have together?"""
    return mixing_flops(tokens, model_size // heads if whole else model_size / heads)


@mistake(heads=(2, 8, 12, 16))
def rounds_the_width_of_a_head(tokens, model_size, *, heads):
    """Your count is right only where a certain number of heads divides the model size, and otherwise too small.
    So there is a `//` in it, which cuts the width of a head to a whole number, and some features get lost.
    The number of heads drops out of the formula. Can you do without it?"""
    return mixing_flops(tokens, heads * (model_size // heads))


@mistake(width=(64,))
def rounds_the_number_of_heads(tokens, model_size, *, width):
    """Your count is right only where the model size consists of heads of {width:g} features, and otherwise too small.
    With fewer than {width:g} features, scores and mix are missing completely.
    So there is a `//` in it, which rounds the number of heads down.
    The heads drop out of the formula. Can you do without them?"""
    return mixing_flops(tokens, width * (model_size // width))
