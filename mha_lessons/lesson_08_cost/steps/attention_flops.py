"""What people get wrong about `attention_flops`."""

from ..exercises import attention_flops, mixing_flops, projection_flops


def in_bits(number, bits):
    """What is left of a whole number in so many bits: the higher ones are lost, and the first means a minus."""
    rest = number % 2**bits
    return rest - 2**bits if rest >= 2 ** (bits - 1) else rest


@attention_flops.misconception
def counts_multiply_and_add_as_one(tokens, model_size):
    """In your count a multiplication and the addition after it are one operation, as in some texts.
    Here they are two.
    Look at the rule for one matrix product: which factor is in front of the three sizes?"""
    return attention_flops(tokens, model_size) / 2


@attention_flops.misconception(products=(1, 2, 3))
def counts_some_projections_and_pairs_as_one(tokens, model_size, *, products):
    """Two things are missing.
    The projections come to {products:g} · tokens · model_size², and there are four of them.
    Besides, a multiplication and an addition are counted as one operation; here they are two.
    Which factor does the rule for one product begin with?"""
    return products * tokens * model_size**2 + 2 * tokens**2 * model_size


@attention_flops.misconception
def leaves_out_the_factors(tokens, model_size):
    """Your count is tokens · model_size² + tokens² · model_size, each taken once.
    That is what is inside a big O, and a big O drops all factors.
    How many products of each kind are there, and how many operations does each of their terms take?"""
    return tokens * model_size**2 + tokens**2 * model_size


@attention_flops.misconception
def swaps_tokens_and_model_size(tokens, model_size):
    """Your count is right if tokens and model size change places.
    A projection takes each token once, and model_size² for each; scores and mix take the square of the tokens.
    Which of the two sizes do you square in which term?"""
    return attention_flops(model_size, tokens)


@attention_flops.misconception
def counts_one_addition_less_in_each_sum(tokens, model_size):
    """You count very exactly: a sum of k products takes k - 1 additions.
    In this course, as nearly everywhere, a sum starts from 0, so that it takes k additions and the rule stays simple.
    Take 2·a·b·c for each product."""
    additions_less = 4 * tokens * model_size + tokens * tokens + tokens * model_size
    return attention_flops(tokens, model_size) - additions_less


@attention_flops.misconception
def keeps_only_the_larger_part(tokens, model_size):
    """Your count is the larger of the two parts; the smaller one is missing.
    In a big O the larger term swallows the smaller; in a count both are added.
    What would your function give at the length where the two parts are equal?"""
    return max(8 * tokens * model_size**2, 4 * tokens**2 * model_size)


@attention_flops.misconception
def counts_the_training_step(tokens, model_size):
    """Your whole count has a factor of 3 too much.
    That fits one step of training, where the way back through the layer takes about twice the work of the way forward.
    This function counts the forward pass alone."""
    return 3 * attention_flops(tokens, model_size)


@attention_flops.misconception(factor=(2, 4))
def counts_everything_several_times(tokens, model_size, *, factor):
    """Your whole count has a factor of {factor:g} too much.
    The two operations of each term, or a number of layers or heads, may have come in again than they should.
    Work out one product of the table by hand, and compare it with what your code makes of it."""
    return factor * attention_flops(tokens, model_size)


@attention_flops.misconception(unit=(1e3, 1e6, 1e9), whole=(False,))
@attention_flops.misconception(unit=(1e3,), whole=(True,))
def gives_another_unit(tokens, model_size, *, unit, whole):
    """Your number comes in units of {unit:,.0f} FLOPs.
    A unit like the GFLOP, a billion FLOPs, is good for reading; this function is asked for plain FLOPs.
    Where does your code divide?"""
    return attention_flops(tokens, model_size) // unit if whole else attention_flops(tokens, model_size) / unit


@attention_flops.misconception
def comes_out_as_zero(tokens, model_size):
    """Your number is 0, or next to it, whatever the sizes are.
    That happens where a small count is divided by a million, a billion or more, and where the result is then cut to a
    whole number.
    This function is asked for plain FLOPs. Where does your code divide, or round?"""
    return 0.0


@attention_flops.misconception
def counts_a_single_product_of_mixing(tokens, model_size):
    """Your count is 2 · tokens² · model_size, which is one of the six products: the scores, or the mix.
    (Or it is both, with a multiplication and its addition counted as one.)
    Go through the table of products again. What do the other rows take?"""
    return mixing_flops(tokens, model_size) / 2


@attention_flops.misconception
def doubles_both_in_place_of_squaring(tokens, model_size):
    """Your count is 24 · tokens · model_size: nothing in it is squared.
    It comes out if model_size² is written as `model_size * 2`, and tokens² as `tokens * 2`.
    How does one write a square in Python?"""
    return 24 * tokens * model_size


@attention_flops.misconception(form=range(8))
def takes_the_caret_for_a_power(tokens, model_size, *, form):
    """Your numbers are those of a formula with `^` in it.
    In Python this sign is no power: it compares two numbers bit by bit, and it does so after all products and sums
    beside it.
    Look up how Python writes a power; a product of the number with itself will do as well."""
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


@attention_flops.misconception(times=(1, 2), biases=(0, 1))
def counts_the_parameters(tokens, model_size, *, times, biases):
    """Your count does not depend on the number of tokens.
    It is made of the layer's parameters: these are learned once, whatever the text is.
    The *work* is done for each token anew, and two of the six products have no parameters at all.
    Where are the tokens in the table?"""
    return times * (4 * model_size**2 + biases * 4 * model_size)


@attention_flops.misconception(length=(1024, 2048, 4096))
def counts_for_a_fixed_text(tokens, model_size, *, length):
    """Your count is that of a text of {length:g} tokens, whatever `tokens` is.
    An example has its numbers; a function takes them as parameters.
    Where is {length:g} in your code?"""
    return attention_flops(length, model_size)


@attention_flops.misconception(size=(512, 4096))
def counts_for_a_fixed_model(tokens, model_size, *, size):
    """Your count is that of a model size of {size:g}, whatever `model_size` is.
    An example has its numbers; a function takes them as parameters.
    Where is {size:g} in your code?"""
    return attention_flops(tokens, size)


@attention_flops.misconception
def gives_the_number_of_the_example(tokens, model_size):
    """Your function gives the number of one example, 2048 tokens and a model size of 4096, whatever is asked.
    A function takes its sizes as parameters.
    Write the formula with `tokens` and `model_size` in it, and leave the numbers to the caller."""
    return 8 * 2048 * 4096**2 + 4 * 2048**2 * 4096


@attention_flops.misconception(inner=(False, True))
def adds_the_sizes_of_a_product(tokens, model_size, *, inner):
    """In your count the three sizes of a product are not multiplied: a plus sign is between some of them.
    Of (a, b) times (b, c), the result has a · c numbers, and each of them takes b multiplications.
    So is the work a sum of the sizes, or a product?"""
    products = [(tokens, model_size, model_size)] * 4 + [(tokens, model_size, tokens), (tokens, tokens, model_size)]
    return sum(2 * (a * b + c if inner else a + b + c) for a, b, c in products)


@attention_flops.misconception(operations=(1, 2))
def counts_results_in_place_of_work(tokens, model_size, *, operations):
    """In your count a product of (a, b) with (b, c) takes a · c steps: as many as its result has numbers.
    But each of these numbers is a dot product, which is work of its own.
    Which size does the dot product run along, and where is it in your count?"""
    return operations * (5 * tokens * model_size + tokens**2)


@attention_flops.misconception
def multiplies_the_two_parts(tokens, model_size):
    """Your count is the product of two parts, projections times scores and mix.
    The six matrix products are done one after the other, so their operations add up.
    Which sign is between your two parts?"""
    return projection_flops(tokens, model_size) * mixing_flops(tokens, model_size)


@attention_flops.misconception(heads=(8, 12, 16, 32))
def multiplies_the_whole_by_the_heads(tokens, model_size, *, heads):
    """Your whole count has a factor of {heads:g} too much, as if there were {heads:g} heads, each as wide as the model.
    The stub knows nothing of heads, and the projections are four square matrices, however their columns are shared out.
    Which factor stands for no row of the table?"""
    return heads * attention_flops(tokens, model_size)


@attention_flops.misconception
def refuses_what_heads_do_not_divide(tokens, model_size):
    """Your function stops where the model size cannot be divided by 8.
    The stub names no heads, and asks for no such thing: any two sizes are fine.
    For the count the number of heads plays no part, so nothing has to be divided."""
    if model_size % 8:
        raise ValueError("heads must divide the model size")
    return attention_flops(tokens, model_size)


@attention_flops.misconception
def gives_the_cost_of_a_token(tokens, model_size):
    """Your number is the cost of a single token: the whole, divided by the number of tokens.
    The picture after this exercise shows that number, and your function is asked for the whole sequence.
    How many tokens are projected?"""
    return attention_flops(tokens, model_size) / tokens


@attention_flops.misconception
def adds_the_feed_forward_network(tokens, model_size):
    """Your count is larger than attention's by 16 · tokens · model_size².
    That is what a feed-forward network of the usual width takes, which follows attention in a transformer.
    Here attention alone is asked for: six products."""
    return attention_flops(tokens, model_size) + 2 * projection_flops(tokens, model_size)


@attention_flops.misconception(on="huge")
def counts_in_32_bits(tokens, model_size):
    """Your count is right while it is small, and wrong beyond two or four billion.
    That is where an integer of 32 bits ends: it starts again from the other end, without an error.
    Python's own whole numbers have no end.
    Which line makes another kind of number of the sizes?"""
    return in_bits(attention_flops(tokens, model_size), 32)
