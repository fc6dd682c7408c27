"""What people get wrong about `crossover_length`, and what helps them."""

import math

from ..exercises import crossover_length
from .attention_flops import in_bits


@crossover_length.misconception
def crosses_at_the_model_size(model_size):
    """Your crossing lies where tokens and model size are equal.
    There n·d² and n²·d are the same, without their factors. But there are four projections and only two products of
    mixing.
    Which of the two costs more at your length, and how many times?"""
    return model_size


@crossover_length.misconception(whole=(False, True))
def turns_the_ratio_round(model_size, *, whole):
    """Your crossing lies at half the model size, and there the projections cost four times as much as scores and mix.
    Set the two costs equal once more: eight on one side, four on the other.
    On which side do the tokens stay, and what are they divided by?"""
    return model_size // 2 if whole else model_size / 2


@crossover_length.misconception
def forgets_half_of_the_mixing_at_the_crossing(model_size):
    """Your crossing lies at four times the model size.
    It would be there if scores and mix together took 2 · tokens² · model_size, but each of them takes as much.
    Add both before you set the two sides equal."""
    return 4 * model_size


@crossover_length.misconception(whole=(False, True))
def crosses_without_the_output_projection(model_size, *, whole):
    """Your crossing lies at one and a half times the model size: three projections against scores and mix.
    The results of the heads are projected, too.
    How many matrices of weights does the layer have?"""
    return 3 * model_size // 2 if whole else 1.5 * model_size


@crossover_length.misconception
def counts_three_projections_against_one_product(model_size):
    """Your crossing lies at three times the model size: three projections against one product of mixing.
    There are four projections, with the one at the end, and two products of mixing, the scores and the mix.
    Put all six into the equation."""
    return 3 * model_size


@crossover_length.misconception
def forgets_the_factor_of_the_mixing(model_size):
    """Your crossing lies at eight times the model size: the projections have their factor of 8, and the other side has
    none.
    Scores and mix are two products, and each takes two operations for each of its terms.
    Which factor stands before tokens² · model_size?"""
    return 8 * model_size


@crossover_length.misconception(whole=(False, True))
def forgets_the_factor_of_the_projections(model_size, *, whole):
    """Your crossing lies at a quarter of the model size: scores and mix have their factor of 4, the projections have
    none.
    Four products, with two operations for each term: which factor is that?"""
    return model_size // 4 if whole else model_size / 4


@crossover_length.misconception
def crosses_with_the_feed_forward_network(model_size):
    """Your crossing lies at six times the model size.
    There scores and mix cost as much as the projections *and* a feed-forward network of the usual width: a sensible
    question, but another one.
    Set scores and mix against the four projections alone."""
    return 6 * model_size


@crossover_length.misconception(factor=(0.125, 0.2, 0.75, 0.8, 2.5, 5, 10, 12, 16, 32, 64))
def crosses_at_another_multiple(model_size, *, factor):
    """Your crossing lies at {factor:g} times the model size: it grows as it should, and its factor is off.
    Each side of the equation has a number in front: products, times two operations.
    Put your length into both sides, for a model size of 1. Are they equal?"""
    return factor * model_size


@crossover_length.misconception(steps=(1, 2, 3, 4, 5))
def lets_the_softmax_into_the_crossing(model_size, *, steps):
    """Your crossing lies too low, as if each score took {steps:g} more operations: scaling, softmax or the like.
    Mixing means scores and mix alone, two products; what is done to single scores is not counted.
    Take this term out of the equation. Which factors do both sides share then?"""
    return 8 * model_size**2 / (4 * model_size + steps)


@crossover_length.misconception(length=(512, 1024, 2048, 4096, 8192, 16384))
def gives_a_fixed_length(model_size, *, length):
    """Your function returns {length:g}, whatever the model size is.
    A wider model has more expensive projections, so its crossing lies further to the right.
    The curve of its cost for each token bends later, too.
    Solve the equation with d left as a letter."""
    return length


@crossover_length.misconception
def ends_its_search_at_once(model_size):
    """Your function returns 1, whatever the model size is.
    So a search seems to end with the first length that it tries.
    Which part is larger for a single token, and what does your condition say of the two?"""
    return 1


@crossover_length.misconception(factor=(0.5, 1, 2, 4, 8, 16))
def squares_the_model_size_at_the_crossing(model_size, *, factor):
    """Your crossing grows with the square of the model size.
    The projections hold model_size², but scores and mix hold model_size once as well, and it cancels on both sides.
    What is left after you divide both sides by tokens · model_size?"""
    return factor * model_size**2


@crossover_length.misconception(factor=(1, 2, 4, 8))
def takes_the_root_at_the_crossing(model_size, *, factor):
    """Your crossing grows with the root of the model size only.
    A root is needed if tokens² stands alone on one side; but the other side holds tokens, too, and one of them cancels.
    Divide both sides by tokens before you solve."""
    return math.sqrt(factor * model_size)


@crossover_length.misconception(factor=(2, 8))
def keeps_a_root_at_the_crossing(model_size, *, factor):
    """Your crossing lies at the root of {factor:g}, times the model size.
    A root is left over where the tokens have vanished from one side of the equation, or were taken for the model size.
    Both costs hold tokens: one of them once, the other twice. Divide both sides by tokens before you solve."""
    return math.sqrt(factor) * model_size


@crossover_length.misconception
def gives_a_length_of_zero(model_size):
    """Your length is 0. There both parts cost the same, it is true: nothing.
    The equation has a second solution, for a text that has some tokens; the stub's last line speaks of that one.
    Divide both sides by tokens, and the first solution is gone."""
    return 0


@crossover_length.misconception
def gives_a_negative_length(model_size):
    """Your length is below zero, and a text cannot have fewer than no tokens.
    Its size is the right one, so a sign has changed where a term went to the other side.
    Set the two costs equal once more, both with a plus."""
    return -2 * model_size


@crossover_length.misconception(form=(0, 1, 2))
def takes_the_caret_for_a_power_at_the_crossing(model_size, *, form):
    """There seems to be a `^` in your code.
    In Python this sign is no power: it compares two numbers bit by bit.
    A power is written `**`. But look first whether you need one: what is left after both sides are divided by what they
    share?"""
    return (2 ^ model_size, model_size ^ 2, 2 * model_size ^ 2)[form]


@crossover_length.misconception
def tries_powers_of_two_only(model_size):
    """Your length is right where the crossing is a power of two, and too large elsewhere.
    So your search seems to double its length in each step: 1, 2, 4, 8, ...
    The crossing may be any whole number. How can you try them all, or better, solve the equation?"""
    return 2 ** math.ceil(math.log2(2 * model_size))


@crossover_length.misconception(step=(5, 8, 10, 16, 32, 50, 64, 100, 128, 256, 512, 1000, 1024))
def tries_multiples_only(model_size, *, step):
    """Your length is always a multiple of {step:g}: the first one at which mixing has caught up.
    The crossing may be any whole number, and your search steps over those between.
    Go in steps of 1, or better, solve the equation."""
    return step * math.ceil(2 * model_size / step)


@crossover_length.misconception(limit=(100, 1000, 5000, 10000))
def stops_searching_too_soon(model_size, *, limit):
    """Your length is right for small model sizes, and for large ones your function gives back nothing (None).
    So a search seems to end before it has found the crossing, and no `return` follows.
    How far does yours go? The wider the model, the further it must; an equation solved for n needs no search."""
    return 2 * model_size if 2 * model_size <= limit else None


@crossover_length.misconception(limit=(1000, 4096, 5000, 10000, 16384, 20000, 50000))
def stays_within_its_search(model_size, *, limit):
    """Your length is right for narrow models, and for wide ones it is always {limit:,g}.
    So a search seems to end there, before it has found the crossing, and its last try is returned.
    The wider the model, the further the search must go; an equation solved for n needs none."""
    return min(2 * model_size, limit)


@crossover_length.misconception
def finds_the_crossing_in_32_bits(model_size):
    """Your length is right for usual models, and wrong for a very wide one.
    There a product on your way is larger than an integer of 32 bits can be: it starts again from the other end,
    without an error.
    Python's own whole numbers have no end. Which line makes another kind of number?"""
    return in_bits(8 * model_size**2, 32) / (4 * model_size)


@crossover_length.misconception(side=("above", "below"))
def steps_beside_the_crossing(model_size, *, side):
    """Your length lies 1 {side} the crossing.
    The function asks for the number of tokens at which both parts cost *the same*, and there is a whole number for
    which they do.
    Put your length into both sides: are they equal?"""
    return 2 * model_size + (1 if side == "above" else -1)


@crossover_length.misconception(factor=(16, 32))
def gives_the_cost_at_the_crossing(model_size, *, factor):
    """Your number is {factor:g} · model_size³: a cost, the FLOPs at the crossing.
    The function asks for the *length* at which it happens, a number of tokens.
    You have put it into the formula already; return it before you do."""
    return factor * model_size**3


crossover_length.hints_for(
    "crosses_at_the_model_size",
    "forgets_half_of_the_mixing_at_the_crossing",
    "crosses_without_the_output_projection",
    "counts_three_projections_against_one_product",
    "forgets_the_factor_of_the_mixing",
    "forgets_the_factor_of_the_projections",
    "crosses_with_the_feed_forward_network",
    "crosses_at_another_multiple",
    hints=(
        "The form of your answer is right: a number times the model size. "
        "This number is a ratio: the factor in front of projecting, divided by the factor in front of mixing. "
        "Both factors are a number of products, times the operations of one step. "
        "So all depends on which products belong to the one side, which to the other, and which to none.",
        "Take a model size of 1 and n tokens, and write down the six products of the table, each with its count. "
        "In four of them n stands once, in two of them twice. "
        "Add up each kind: which two numbers stand in front? "
        "Compare them with those in your code, or on your paper. "
        "Is a product missing, or is one there that has no row in the table?",
        "Write the equation in full before you solve it: the four projections on the left, the scores and the mix on "
        "the right, each with its factor of two. "
        "Then divide both sides by what they share, and solve for the tokens. "
        "The number in front of the model size is the left factor divided by the right one.",
    ),
)

crossover_length.hints_for(
    "turns_the_ratio_round",
    hints=(
        "The side with the larger number in front leads at first, and the other one has to catch up. "
        "Here projecting has the larger number, so it takes many tokens until mixing costs as much: more than there "
        "are features. "
        "A wrong division at the end makes *fewer* out of *more*. "
        "Asking which of the two it must be is a good test of any solution.",
        "Take a model size of 10, begin with your length, and write both costs below each other. "
        "Go on with longer texts, in steps of 5 tokens: where has mixing caught up? "
        "Then look at the last step of your solution. "
        "Which number stands with the tokens, and by which number has the other side been divided?",
        "After both sides are divided by what they share, the tokens stand on one side with the factor of mixing, and "
        "the model size stands on the other with the factor of projecting. "
        "Divide both sides by the factor that stands with the tokens, and by no other. "
        "Then put the result into both costs once more.",
    ),
)

crossover_length.hints_for(
    "lets_the_softmax_into_the_crossing",
    hints=(
        "The question sets six matrix products against each other, four on one side and two on the other. "
        "Softmax, scaling and masks are on neither side. "
        "They are real work, but little of it, since they treat a score as one number and not feature by feature. "
        "Left out, both sides have the same two letters, and much cancels.",
        "Write down your cost of mixing for n tokens and d features. "
        "Every term in it should hold n twice and d once. "
        "Is there one without d, or with a number added to d? "
        "Go back to the table of six products and look for its row.",
        "Keep two products on the side of mixing, each with the tokens twice, the model size once, and a two. "
        "Then both sides of the equation share the tokens and the model size as factors. "
        "Divide by them, and a whole number times the model size is left.",
    ),
)

crossover_length.hints_for(
    "finds_the_crossing_in_32_bits",
    hints=(
        "An integer of 32 bits ends at 2 147 483 647. "
        "A square of the model size, times a factor, soon gets there, although the length that you look for is small. "
        "What is too large loses its upper bits, and the rest may be anything, even zero or less. "
        "So a way without large numbers is the safer one.",
        "Call your function with a model size of 32 768: it should be 65 536. "
        "Then print each step on the way, with its type. "
        "Which product is negative, or zero, though both factors are not? "
        "Where did the model size become an `int32`: in an array, in a tensor, in a conversion?",
        "Cancel before you multiply: divide both sides of the equation by tokens times model size on paper. "
        "What is left has no square, and no large number. "
        "And leave the parameter as it comes in, one of Python's own whole numbers.",
    ),
)

crossover_length.hints_for(
    "gives_a_fixed_length",
    hints=(
        "The crossing belongs to a model of a certain width, and not to attention as such. "
        "In the picture every curve bends at another place. "
        "The function gets one model size and is asked about this model, so the size has to have a say. "
        "A number that you found for one example is the answer for one model.",
        "Call your function with model sizes of 10 and of 20: the second answer should be twice the first. "
        "If both are equal, look for a written number, for a search that begins or ends at a fixed place, or for a "
        "variable from another cell. "
        "Where does `model_size` stand in the body?",
        "Solve the equation on paper with letters, n for the tokens and d for the model size, and put no numbers in. "
        "In the end there is an n on one side, and the other side holds a d. "
        "Return this other side, with the parameter in the place of d.",
    ),
)

crossover_length.hints_for(
    "squares_the_model_size_at_the_crossing",
    "takes_the_root_at_the_crossing",
    "keeps_a_root_at_the_crossing",
    hints=(
        "See the two sides of the equation as two heaps of factors. "
        "Beside its number, one heap holds the tokens, the model size, and the model size again; the other holds the "
        "tokens, the tokens again, and the model size. "
        "What lies in both may be taken out of both. "
        "Then one size is left in each, with no square, so nothing needs a root.",
        "Call your function with model sizes of 10 and of 20. "
        "The second answer should be twice the first, and both should be whole numbers. "
        "Then go through your solution line by line. "
        "Was something divided away on one side only, or did a factor get lost when you wrote the two costs down? "
        "Which line needs a power or a root, and why?",
        "Divide both sides by the tokens once, and by the model size once. "
        "On the one side a number times the model size is left, and on the other side a number times the tokens. "
        "Divide both by the number that stands with the tokens. "
        "No step on this way takes a power or a root.",
    ),
)

crossover_length.hints_for(
    "gives_a_length_of_zero",
    hints=(
        "An equation can have more than one solution, and then you choose the one that means something. "
        "Without any tokens nothing is computed, so both costs are 0 and equal. "
        "The other solution is the one in the picture: projecting leads at first, mixing grows faster, and at some "
        "length it has caught up.",
        "How does your code find its number? "
        "If it searches, with which length does it begin, and does it stop there at once? "
        "If it calculates, was something multiplied by 0, or rounded down to 0 by a `//`? "
        "Print both costs for your answer: they should be equal, and larger than 0.",
        "If you search, begin with one token, and go up by one until mixing costs as much as projecting. "
        "If you solve the equation, divide both sides by the tokens first. "
        "This is allowed because there are some, and what is left has one solution only.",
    ),
)

crossover_length.hints_for(
    "gives_a_negative_length",
    hints=(
        "To set two costs equal means: here is this much, there is as much, and both are above zero. "
        "A term that moves to the other side of an equation changes its sign. "
        "If one of these changes is forgotten, or made once too often, a sum stands where a difference should be. "
        "Two costs can only cancel in a sum if one of them is below zero.",
        "Put your result into both costs: one comes out below zero, and the other above, so they are not equal. "
        "Then write your equation in one line, and mark for each term whether it stands on its first side or was "
        "moved. "
        "Which line of your code holds a minus, and what was it for?",
        "Leave each cost on its own side, projecting here and mixing there; then no sign changes at all. "
        "Divide both sides by the tokens and the model size, and then by the number that stands with the tokens. "
        "All of these are above zero, so the result is, too. "
        "An `abs` around your number would only hide the slip.",
    ),
)

crossover_length.hints_for(
    "takes_the_caret_for_a_power_at_the_crossing",
    hints=(
        "A sign can mean one thing on paper and another in Python. "
        "This one sets or clears single bits, and Python gives no error, because whole numbers have bits. "
        "You can tell it by its results: from one model size to the next they jump up and down, while a crossing "
        "moves on by equal steps.",
        "Call your function with model sizes of 7, 8 and 9: the results should go up by equal steps. "
        "If they jump, find the sign in your code, and say what you meant at this place, a square or a product. "
        "Then put one of the results into both costs. "
        "Are they equal?",
        "The solution is a small number times the model size, and a product takes one star. "
        "No power is left once you have divided both sides by the tokens and by the model size. "
        "So one line with two factors is enough, and none of the two is squared.",
    ),
)

crossover_length.hints_for(
    "tries_powers_of_two_only",
    "tries_multiples_only",
    "stops_searching_too_soon",
    "stays_within_its_search",
    "ends_its_search_at_once",
    hints=(
        "A search finds only what it tries. "
        "If it jumps, the answer may lie between two tries; if it ends, the answer may lie behind its end. "
        "To be right for every model, a search needs steps of one token and an end that moves with the model size. "
        "An equation that has been solved has no gaps and no end.",
        "Take model sizes of 7 and of 50 000. "
        "For each of them print the last length that your search tries, and the two costs at that length. "
        "They should be equal. "
        "Then look at the numbers in your loop: its step, a doubling, the end of a `range`, a list of lengths from "
        "another cell.",
        "A loop that is right begins with 1, goes up by 1, and goes on as long as projecting costs more. "
        "Better, let the paper do it: divide both sides of the equation by tokens times model size, and then by the "
        "number that stands with the tokens. "
        "Then the function has no loop, and wide models take no longer than narrow ones.",
    ),
)

crossover_length.hints_for(
    "steps_beside_the_crossing",
    hints=(
        "The question is *as many as*, so being equal is what counts. "
        "Loops and ranges have their own rules at the edge. "
        "A loop that goes on while the costs are equal has gone one too far when it ends, and a `range` leaves out "
        "the number that it ends with. "
        "One place before the crossing, and one behind it, the two costs differ.",
        "Take a model size of 10, and print both costs for your length, for the length before it, and for the one "
        "after it. "
        "In one of these three the costs are equal. "
        "Then look at the edge in your code: a `<` or a `<=`, a `+ 1` or a `- 1`, the end of a `range`, or the value "
        "that a counter has after the loop.",
        "If you search, stop at the first length at which mixing costs at least as much as projecting, and return "
        "this length itself. "
        "If you solve the equation, return its solution with nothing added and nothing taken away. "
        "It is a whole number, so nothing has to be rounded either.",
    ),
)

crossover_length.hints_for(
    "gives_the_cost_at_the_crossing",
    hints=(
        "At a crossing one can ask two things: where is it, and how high is it? "
        "In the picture of the costs, the first is read below, in tokens, and the second at the side, in FLOPs. "
        "Here the first is asked for. "
        "You can tell them apart by how they grow: with twice the model size this length doubles, while the cost "
        "there grows to eight times as much.",
        "Read the docstring up to the arrow: what is the unit of the answer? "
        "Then print your number for a model size of 10. "
        "Can it be the length of a text, or is it a number of operations? "
        "Look at your last lines: where does the length still stand by itself, before it goes into a cost?",
        "Return what the equation gives for the tokens, at the moment when it is solved. "
        "No cost is computed after that, neither by `attention_flops` nor by a product of your own. "
        "In a cell of its own you may do this, to see that both parts are equal there.",
    ),
)
