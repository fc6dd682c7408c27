"""What people get wrong about `attention_flops`."""

from autograder.mistakes import mistake

from ..exercises import attention_flops, mixing_flops, projection_flops


def _in_bits(number, bits):
    """What is left of a whole number in so many bits: the higher ones are lost, and the first means a minus."""
    rest = number % 2**bits
    return rest - 2**bits if rest >= 2 ** (bits - 1) else rest


def counts_multiply_and_add_as_one(tokens, model_size):
    """You count a multiplication and the addition after it as one operation, as some texts do.
    Here they are two.
    Look at the rule for one matrix product: which factor is in front of the three sizes?"""
    return attention_flops(tokens, model_size) / 2


@mistake(products=(1, 2, 3))
def counts_some_projections_and_pairs_as_one(tokens, model_size, *, products):
    """Two factors are missing.
    The projections come to {products:g} · tokens · model_size², and there are four of them.
    Besides, you count a multiplication and an addition as one operation; here they are two.
    Which factor does the rule for one product begin with?"""
    return products * tokens * model_size**2 + 2 * tokens**2 * model_size


def leaves_out_the_factors(tokens, model_size):
    """Your count is tokens · model_size² + tokens² · model_size, each taken once.
    That is what a big O contains, and a big O drops all factors.
    How many products of each kind are there, and how many operations does each of their terms take?"""
    return tokens * model_size**2 + tokens**2 * model_size


def swaps_tokens_and_model_size(tokens, model_size):
    """Your count would be right if tokens and model size were swapped.
    A projection takes model_size² steps for each token; scores and mix take the square of the tokens.
    Which size do you square in each term?"""
    return attention_flops(model_size, tokens)


def counts_one_addition_less_in_each_sum(tokens, model_size):
    """You are counting very precisely: a sum of k products takes k - 1 additions.
    Here, as nearly everywhere, a sum starts from 0, so it takes k additions and the rule stays simple.
    Take 2·a·b·c for each product."""
    additions_less = 4 * tokens * model_size + tokens * tokens + tokens * model_size
    return attention_flops(tokens, model_size) - additions_less


def keeps_only_the_larger_part(tokens, model_size):
    """Your count is the larger of the two parts; the smaller one is missing.
    In a big O only the larger term counts; in an exact count you add both.
    What does your function give at the length where the two parts are equal?"""
    return max(8 * tokens * model_size**2, 4 * tokens**2 * model_size)


def counts_the_training_step(tokens, model_size):
    """Your whole count is 3 times too large.
    That fits one step of training, where the backward pass takes about twice the work of the forward pass.
    This function counts the forward pass alone."""
    return 3 * attention_flops(tokens, model_size)


@mistake(factor=(2, 4))
def counts_everything_several_times(tokens, model_size, *, factor):
    """Your whole count is {factor:g} times too large.
    You may have included the two operations of each term twice, or a number of layers or heads.
    Work out one product of the table by hand, and compare it with your code."""
    return factor * attention_flops(tokens, model_size)


@mistake(unit=(1e3, 1e6, 1e9), whole=(False,))
@mistake(unit=(1e3,), whole=(True,))
def gives_another_unit(tokens, model_size, *, unit, whole):
    """Your number comes in units of {unit:,.0f} FLOPs.
    A unit like the GFLOP, a billion FLOPs, is easier to read, but this function should return plain FLOPs.
    Where does your code divide?"""
    return attention_flops(tokens, model_size) // unit if whole else attention_flops(tokens, model_size) / unit


def comes_out_as_zero(tokens, model_size):
    """Your number is 0, or nearly 0, whatever the sizes are.
    That happens if a small count is divided by a million or more, and if the result is then cut to a
    whole number.
    This function should return plain FLOPs. Where does your code divide, or round?"""
    return 0.0


def counts_a_single_product_of_mixing(tokens, model_size):
    """Your count is 2 · tokens² · model_size, which is one of the six products: the scores, or the mix.
    (Or it is both, with a multiplication and its addition counted as one.)
    Go through the table of products. What do the other rows take?"""
    return mixing_flops(tokens, model_size) / 2


def doubles_both_in_place_of_squaring(tokens, model_size):
    """Your count is 24 · tokens · model_size: nothing in it is squared.
    You get this if you write model_size² as `model_size * 2`, and tokens² as `tokens * 2`.
    How do you write a square in Python?"""
    return 24 * tokens * model_size


@mistake(form=range(8))
def takes_the_caret_for_a_power(tokens, model_size, *, form):
    """Your numbers are those of a formula with `^` in it.
    In Python this operator is not a power: it compares two numbers bit by bit, after all products and sums
    next to it.
    Look up how Python writes a power, or multiply the number by itself."""
    n, d = tokens, model_size
    return (
        8 * n * d ^ 2 + 4 * n ^ 2 * d,
        (8 * n * d ^ 2) + (4 * n ^ 2 * d),
        8 * n * (d ^ 2) + 4 * (n ^ 2) * d,
        4 * (2 * n * d ^ 2) + 2 * (2 * n ^ 2 * d),
        8 * n * (d ^ 2) + 4 * n * n * d,
        8 * n * d * d + 4 * (n ^ 2) * d,
        (8 * n * d ^ 2) + 4 * n * n * d,
        8 * n * d * d + (4 * n ^ 2 * d),
    )[form]


@mistake(times=(1, 2), biases=(0, 1))
def counts_the_parameters(tokens, model_size, *, times, biases):
    """Your count does not depend on the number of tokens.
    It counts the layer's parameters: there are as many of them whatever the text is.
    The *work* is done again for each token, and two of the six products have no parameters at all.
    Where are the tokens in the table?"""
    return times * (4 * model_size**2 + biases * 4 * model_size)


@mistake(length=(1024, 2048, 4096))
def counts_for_a_fixed_text(tokens, model_size, *, length):
    """Your count is for a text of {length:g} tokens, whatever `tokens` is.
    An example has fixed numbers; a function takes them as parameters.
    Where is {length:g} in your code?"""
    return attention_flops(length, model_size)


@mistake(size=(512, 4096))
def counts_for_a_fixed_model(tokens, model_size, *, size):
    """Your count is for a model size of {size:g}, whatever `model_size` is.
    An example has fixed numbers; a function takes them as parameters.
    Where is {size:g} in your code?"""
    return attention_flops(tokens, size)


def gives_the_number_of_the_example(tokens, model_size):
    """Your function always returns the number for one example, 2048 tokens and a model size of 4096.
    A function takes its sizes as parameters.
    Write the formula with `tokens` and `model_size`, and leave the numbers to the caller."""
    return 8 * 2048 * 4096**2 + 4 * 2048**2 * 4096


@mistake(inner=(False, True))
def adds_the_sizes_of_a_product(tokens, model_size, *, inner):
    """You do not multiply the three sizes of a product: there is a plus between some of them.
    The result of (a, b) times (b, c) has a · c numbers, and each of them takes b multiplications.
    So is the work the sum of the sizes, or the product?"""
    products = [(tokens, model_size, model_size)] * 4 + [(tokens, model_size, tokens), (tokens, tokens, model_size)]
    return sum(2 * (a * b + c if inner else a + b + c) for a, b, c in products)


@mistake(operations=(1, 2))
def counts_results_in_place_of_work(tokens, model_size, *, operations):
    """In your count a product of (a, b) with (b, c) takes a · c steps, one for each number of the result.
    But each of these numbers is a dot product, which takes several steps.
    Which size does the dot product run along, and where is it in your count?"""
    return operations * (5 * tokens * model_size + tokens**2)


def multiplies_the_two_parts(tokens, model_size):
    """Your count is the product of two parts, projections times scores and mix.
    The layer computes the six matrix products one after the other, so their operations add up.
    Which operator is between your two parts?"""
    return projection_flops(tokens, model_size) * mixing_flops(tokens, model_size)


@mistake(heads=(8, 12, 16, 32))
def multiplies_the_whole_by_the_heads(tokens, model_size, *, heads):
    """Your whole count is {heads:g} times too large, as if there were {heads:g} heads, each as wide as the model.
    The stub has no heads, and the projections are four square matrices, however heads share their columns.
    Which factor has no row in the table?"""
    return heads * attention_flops(tokens, model_size)


def refuses_what_heads_do_not_divide(tokens, model_size):
    """Your function fails where the model size cannot be divided by 8.
    The stub has no heads and no such condition: any two sizes are fine.
    The count does not depend on the number of heads, so you need not divide anything."""
    if model_size % 8:
        raise ValueError("heads must divide the model size")
    return attention_flops(tokens, model_size)


def gives_the_cost_of_a_token(tokens, model_size):
    """Your number is the cost of a single token: the whole divided by the number of tokens.
    The picture after this exercise shows that number, but your function should count the whole sequence.
    How many tokens are projected?"""
    return attention_flops(tokens, model_size) / tokens


def adds_the_feed_forward_network(tokens, model_size):
    """Your count is larger than attention's by 16 · tokens · model_size².
    That is what a feed-forward network of the usual width takes; in a transformer, it follows attention.
    Here, count only attention: six products."""
    return attention_flops(tokens, model_size) + 2 * projection_flops(tokens, model_size)


@mistake(on="huge")
def counts_in_32_bits(tokens, model_size):
    """Your count is right as long as it is small, and wrong beyond two or four billion.
    That is the limit of an integer of 32 bits: it starts again from the other end, without an error.
    Python's own whole numbers have no limit.
    Which line turns the sizes into another kind of number?"""
    return _in_bits(attention_flops(tokens, model_size), 32)
