"""What people get wrong about `crossover_length`."""

import math

from autograder.mistakes import mistake

from .attention_flops import _in_bits


def crosses_at_the_model_size(model_size):
    """Your crossing is where tokens and model size are equal.
    There n·d² and n²·d are equal, without their factors. But there are four projections and only two products of
    mixing.
    Which of the two costs more at your length, and how many times?"""
    return model_size


def multiplies_where_it_should_divide(model_size):
    """Your crossing grows with the cube of the model size, as if you multiplied by it where you should divide.
    Python reads `a / 4 * b` from the left: it divides by 4, and then multiplies by `b`.
    Which parentheses are missing?"""
    return 2 * model_size**3


@mistake(whole=(False, True))
def turns_the_ratio_round(model_size, *, whole):
    """Your crossing is at half the model size, but there the projections cost four times as much as scores and mix.
    Set the two costs equal again: eight on one side, four on the other.
    On which side are the tokens, and what do you divide by?"""
    return model_size // 2 if whole else model_size / 2


def forgets_half_of_the_mixing_at_the_crossing(model_size):
    """Your crossing is at four times the model size.
    That would be right if scores and mix together took 2 · tokens² · model_size, but each of them takes that much.
    Add up both before you set the two sides equal."""
    return 4 * model_size


@mistake(whole=(False, True))
def crosses_without_the_output_projection(model_size, *, whole):
    """Your crossing is at one and a half times the model size: three projections against scores and mix.
    The results of the heads are projected as well.
    How many matrices of weights does the layer have?"""
    return 3 * model_size // 2 if whole else 1.5 * model_size


def counts_three_projections_against_one_product(model_size):
    """Your crossing is at three times the model size: three projections against one product of mixing.
    There are four projections, including the one at the end, and two products of mixing, the scores and the mix.
    Put all six into the equation."""
    return 3 * model_size


def forgets_the_factor_of_the_mixing(model_size):
    """Your crossing is at eight times the model size: the projections have their factor of 8, but the other side has
    none.
    Scores and mix are two products, and each takes two operations for each of its terms.
    Which factor is in front of tokens² · model_size?"""
    return 8 * model_size


@mistake(whole=(False, True))
def forgets_the_factor_of_the_projections(model_size, *, whole):
    """Your crossing is at a quarter of the model size: scores and mix have their factor of 4, but the projections have
    none.
    Four products, with two operations for each term: which factor is that?"""
    return model_size // 4 if whole else model_size / 4


def crosses_with_the_feed_forward_network(model_size):
    """Your crossing is at six times the model size.
    There, scores and mix cost as much as the projections *and* a feed-forward network of the usual width: a sensible
    question, but a different one.
    Compare scores and mix with the four projections only."""
    return 6 * model_size


@mistake(factor=(0.125, 0.2, 0.75, 0.8, 2.5, 5, 10, 12, 16, 32, 64))
def crosses_at_another_multiple(model_size, *, factor):
    """Your crossing is at {factor:g} times the model size: it grows as it should, but its factor is wrong.
    Each side of the equation has a factor in front: the number of products, times two operations.
    Put your length into both sides, for a model size of 1. Are they equal?"""
    return factor * model_size


@mistake(steps=(1, 2, 3, 4, 5))
def lets_the_softmax_into_the_crossing(model_size, *, steps):
    """Your crossing is too low, as if each score took {steps:g} more operations: scaling, softmax or the like.
    Mixing means two products, the scores and the mix; what is done to single scores does not count.
    Remove this term from the equation. Which factors do both sides then share?"""
    return 8 * model_size**2 / (4 * model_size + steps)


@mistake(length=(512, 1024, 2048, 4096, 8192, 16384))
def gives_a_fixed_length(model_size, *, length):
    """Your function returns {length:g}, whatever the model size is.
    A wider model has more expensive projections, so its crossing is further to the right.
    The curve of its cost for each token also bends later.
    Solve the equation with d as a letter."""
    return length


def ends_its_search_at_once(model_size):
    """Your function returns 1, whatever the model size is.
    So your search seems to end at the first length that it tries.
    Which part is larger for a single token, and what does your condition say about that?"""
    return 1


@mistake(factor=(0.5, 1, 2, 4, 8, 16))
def squares_the_model_size_at_the_crossing(model_size, *, factor):
    """Your crossing grows with the square of the model size.
    The projections contain model_size², but scores and mix contain model_size, and one cancels on both sides.
    What is left after you divide both sides by tokens · model_size?"""
    return factor * model_size**2


@mistake(factor=(1, 2, 4, 8))
def takes_the_root_at_the_crossing(model_size, *, factor):
    """Your crossing grows only with the root of the model size.
    You would need a root if tokens² were alone on one side; but the other side contains tokens, too, and one cancels.
    Divide both sides by tokens before you solve."""
    return math.sqrt(factor * model_size)


@mistake(factor=(2, 8))
def keeps_a_root_at_the_crossing(model_size, *, factor):
    """Your crossing is at the root of {factor:g}, times the model size.
    A root is left where the tokens have vanished from one side of the equation, or were taken for the model size.
    Both costs contain tokens: one of them once, the other twice. Divide both sides by tokens before you solve."""
    return math.sqrt(factor) * model_size


def gives_a_length_of_zero(model_size):
    """Your length is 0. There, both parts do cost the same: nothing.
    The equation has a second solution, for a text with some tokens, and the stub's last line is about that one.
    Divide both sides by tokens to get rid of the first solution."""
    return 0


def gives_a_negative_length(model_size):
    """Your length is negative, but a text cannot have fewer than zero tokens.
    Its size is right, so a sign is wrong where you moved a term to the other side.
    Set the two costs equal again, both with a plus."""
    return -2 * model_size


@mistake(form=(0, 1, 2))
def takes_the_caret_for_a_power_at_the_crossing(model_size, *, form):
    """There seems to be a `^` in your code.
    In Python this operator is not a power: it compares two numbers bit by bit.
    A power is `**`. But do you need one? What is left after you divide both sides by what they
    share?"""
    return (2 ^ model_size, model_size ^ 2, 2 * model_size ^ 2)[form]


def tries_powers_of_two_only(model_size):
    """Your length is right only where the crossing is a power of two, and otherwise too large.
    So your search seems to double the length in each step: 1, 2, 4, 8, ...
    The crossing may be any whole number. How can you try them all, or better, solve the equation?"""
    return 2 ** math.ceil(math.log2(2 * model_size))


@mistake(step=(5, 8, 10, 16, 32, 50, 64, 100, 128, 256, 512, 1000, 1024))
def tries_multiples_only(model_size, *, step):
    """Your length is always a multiple of {step:g}: the first one at which mixing has caught up.
    The crossing may be any whole number, and your search steps over those between.
    Go in steps of 1, or better, solve the equation."""
    return step * math.ceil(2 * model_size / step)


@mistake(limit=(100, 1000, 5000, 10000))
def stops_searching_too_soon(model_size, *, limit):
    """Your length is right for small model sizes, and for large ones your function gives back nothing (None).
    So a search seems to end before it has found the crossing, and no `return` follows.
    How far does yours go? The wider the model, the further it must; an equation solved for n needs no search."""
    return 2 * model_size if 2 * model_size <= limit else None


@mistake(limit=(1000, 4096, 5000, 10000, 16384, 20000, 50000))
def stays_within_its_search(model_size, *, limit):
    """Your length is right for narrow models, and for wide ones it is always {limit:,g}.
    So a search seems to end there, before it has found the crossing, and its last try is returned.
    The wider the model, the further the search must go; an equation solved for n needs none."""
    return min(2 * model_size, limit)


def finds_the_crossing_in_32_bits(model_size):
    """Your length is right for usual models, and wrong for a very wide one.
    There a product on your way is larger than an integer of 32 bits can be: it starts again from the other end,
    without an error.
    Python's own whole numbers have no limit. Which line makes another kind of number?"""
    return _in_bits(8 * model_size**2, 32) / (4 * model_size)


@mistake(side=("above", "below"))
def steps_beside_the_crossing(model_size, *, side):
    """Your length lies 1 {side} the crossing.
    The function asks for the number of tokens at which both parts cost *the same*, and there is a whole number for
    which they do.
    Put your length into both sides: are they equal?"""
    return 2 * model_size + (1 if side == "above" else -1)


@mistake(factor=(16, 32))
def gives_the_cost_at_the_crossing(model_size, *, factor):
    """Your number is {factor:g} · model_size³: a cost, the FLOPs at the crossing.
    The function asks for the *length* at which it happens, a number of tokens.
    You have put it into the formula already; return it before you do."""
    return factor * model_size**3
