"""What people get wrong about `attention_flops`, and what helps them."""

from ..exercises import attention_flops, mixing_flops, projection_flops


def in_bits(number, bits):
    """What is left of a whole number in so many bits: the higher ones are lost, and the first means a minus."""
    rest = number % 2**bits
    return rest - 2**bits if rest >= 2 ** (bits - 1) else rest


@attention_flops.misconception
def counts_multiply_and_add_as_one(tokens, model_size):
    """In your count a multiplication and the addition after it are one operation, as in some texts.
    Here they are two.
    Look at the rule for one matrix product: which factor stands in front of the three sizes?"""
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
    That is what stands inside a big O, and a big O drops all factors.
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
    The two operations of each term, or a number of layers or heads, may have come in once more than they should.
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
    Go through the table of products once more. What do the other rows take?"""
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
    Where do the tokens stand in the table?"""
    return times * (4 * model_size**2 + biases * 4 * model_size)


@attention_flops.misconception(length=(1024, 2048, 4096))
def counts_for_a_fixed_text(tokens, model_size, *, length):
    """Your count is that of a text of {length:g} tokens, whatever `tokens` is.
    An example has its numbers; a function takes them as parameters.
    Where does {length:g} stand in your code?"""
    return attention_flops(length, model_size)


@attention_flops.misconception(size=(512, 4096))
def counts_for_a_fixed_model(tokens, model_size, *, size):
    """Your count is that of a model size of {size:g}, whatever `model_size` is.
    An example has its numbers; a function takes them as parameters.
    Where does {size:g} stand in your code?"""
    return attention_flops(tokens, size)


@attention_flops.misconception
def gives_the_number_of_the_example(tokens, model_size):
    """Your function gives the number of one example, 2048 tokens and a model size of 4096, whatever is asked.
    A function takes its sizes as parameters.
    Write the formula with `tokens` and `model_size` in it, and leave the numbers to the caller."""
    return 8 * 2048 * 4096**2 + 4 * 2048**2 * 4096


@attention_flops.misconception(inner=(False, True))
def adds_the_sizes_of_a_product(tokens, model_size, *, inner):
    """In your count the three sizes of a product are not multiplied: a plus sign stands between some of them.
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
    Which sign stands between your two parts?"""
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


attention_flops.hints_for(
    "counts_in_32_bits",
    hints=(
        "A number in an array has a fixed number of bits, like the wheels of a meter in an old car. "
        "After the largest number comes the smallest one, and nobody is told. "
        "Counts of operations grow fast: a layer of a usual size takes billions for one text. "
        "Python's own whole numbers get more wheels when they need them.",
        "Call your function with 512 tokens and a model size of 1024: it should be 5368709120. "
        "Then print the type of each size and of each product, with `type(...)` or `.dtype`. "
        "Where does `int32` or `uint32` come in: in an array, in a tensor, in a conversion?",
        "Multiply the two parameters as they come in, with stars and without any array; then every step is Python's. "
        "If you want an array of the sizes, give it a type with room, `int64` or `float64`, "
        "before anything is multiplied.",
    ),
)

attention_flops.hints_for(
    "counts_multiply_and_add_as_one",
    "counts_one_addition_less_in_each_sum",
    hints=(
        "Before one counts, one has to agree on what counts. "
        "Here the plain loop is the measure: a total begins with 0, and each step along the inner size multiplies "
        "once and adds once to the total. "
        "So each step counts two, the first step as well. "
        "This is an agreement and no law of nature, but two counts can be compared only if they keep to the same one.",
        "`operations_by_loops(1, 5, 1)` gives 10. "
        "Work out the same with your formula for one product: if it gives 5 or 9, you count in another way. "
        "Then look for the 2 in your formula. "
        "Does it stand in front of every product, of the projections as well as of scores and mix? "
        "And is something subtracted?",
        "For each of the six products, multiply its three sizes, and take the result twice. "
        "Nothing is subtracted for the first term of a sum, and no product goes without its factor of two. "
        "If you write a small function for a single product, the 2 stands in it once and cannot be forgotten "
        "anywhere.",
    ),
)

attention_flops.hints_for(
    "adds_the_sizes_of_a_product",
    "counts_results_in_place_of_work",
    hints=(
        "A matrix product is three loops, one inside the other: over the rows, over the columns, and along the inner "
        "size, which both matrices share. "
        "Loops inside each other multiply: 4 rows with 3 columns and 5 steps for each place are 60 steps. "
        "The inner size cannot be seen in the result, and still the work along it was done.",
        "`operations_by_loops(4, 5, 3)` gives 120. "
        "What does your code give for this one product? "
        "If it has no line of its own yet, make a small function of three sizes, and try it. "
        "Then read its signs: between which sizes does a plus stand, or which of the sizes does not occur?",
        "A single product needs its rows, its inner size and its columns, all three in one multiplication, with the 2 "
        "in front. "
        "A plus comes in only between one product and the next. "
        "So every term of your sum is made of four numbers, with no plus inside, and none of the three sizes is left "
        "out.",
    ),
)

attention_flops.hints_for(
    "leaves_out_the_factors",
    "counts_some_projections_and_pairs_as_one",
    hints=(
        "A number in front of a term counts something, so one can say where it comes from. "
        "Here two counts are multiplied: how many products of this kind there are, and how many operations one step "
        "takes. "
        "To compare how things grow, one may drop both. "
        "For a number that is compared with a machine's counter, both are needed.",
        "Go through the table of products with a pencil, and make one mark for each product. "
        "Note that one of its rows stands for three of them. "
        "How many marks has the kind that treats each token alone, and how many has the kind in which tokens meet? "
        "Which number stands in front of each of your two terms, and of which two counts is it made?",
        "In front of the term with the square of the model size stands the number of projections, times two. "
        "In front of the term with the square of the tokens stands the number of products of mixing, times two. "
        "Write two factors each time, and not one finished number: then anyone can check both.",
    ),
)

attention_flops.hints_for(
    "counts_the_training_step",
    "counts_everything_several_times",
    "multiplies_the_whole_by_the_heads",
    hints=(
        "Your two parts stand in the right proportion to each other, so what is in the table is done. "
        "A factor that lies on both comes from outside the table. "
        "It may stand for something that happens several times in a larger whole: passes, layers, texts, heads. "
        "Or it counts the operations of a step once more. "
        "The function asks for one layer, one sequence, one pass.",
        "Call your function with 1 token and a model size of 1. "
        "The right number is 12: six products with two operations each. "
        "Divide yours by 12, and you have the factor that is too much. "
        "Then look for what can have made it: a loop around everything, a multiplication in the last line, a 2 in a "
        "helper and again in the sum.",
        "The sum of the products is the result, and nothing multiplies the whole of it. "
        "A term needs its three sizes, its 2, and the number of products of its kind; strike out what is left over. "
        "If a helper for one product brings the 2 along, the sum must not bring it again.",
    ),
)

attention_flops.hints_for(
    "gives_another_unit",
    "comes_out_as_zero",
    "gives_the_cost_of_a_token",
    hints=(
        "A count is made by adding and multiplying, and nothing in the table divides. "
        "A division makes something else of it: a share, a rate, or a number in larger units. "
        "All of these are good to read, and belong where something is printed or drawn. "
        "The caller of this function wants to go on calculating with the count itself.",
        "Call your function with 2 tokens and a model size of 1. "
        "By the table this makes 32. "
        "What do you get? "
        "Then search your code for all that makes a number smaller: `/`, `//`, a factor such as `1e-9`, `round`, "
        "`int`. "
        "Look at the last line most closely, and also whether every line is reached at all.",
        "Return the sum of the products as it is, with nothing done to it afterwards. "
        "It may have many digits, but Python's whole numbers have no limit, so nothing gets lost. "
        "To read it in billions or for a single token, divide outside of the function, where you print it.",
    ),
)

attention_flops.hints_for(
    "keeps_only_the_larger_part",
    "multiplies_the_two_parts",
    "counts_a_single_product_of_mixing",
    hints=(
        "Think of the six products as six bills. "
        "What you have to pay is all of them together, the small ones too. "
        "Neither the largest bill nor the last one is the total, and no bill is multiplied by another. "
        "A machine works in this way as well: it does one product after the other, and its counter goes on from where "
        "it was.",
        "Take 2 tokens and a model size of 5, work out the six counts, and write them below each other. "
        "The sum of the six should be your function's result. "
        "If it is not, look for what joins your terms: a `max`, a star, an `=` where a `+=` was meant, a `return` "
        "that comes too soon.",
        "Begin a total with the first product, and add the others to it until all six are in: four projections, the "
        "scores, the mix. "
        "Equal ones may be taken together; then two terms are left, with a plus between them. "
        "Return the total after the last one has been added.",
    ),
)

attention_flops.hints_for(
    "doubles_both_in_place_of_squaring",
    "takes_the_caret_for_a_power",
    hints=(
        "A square arises here because one size stands at two of the three places of a product. "
        "So it is that size times itself, and no other operation will do. "
        "Two times a size grows by equal steps; a square grows faster and faster. "
        "An operation that works on single bits jumps up and down, and its results have nothing to do with either.",
        "Try the pieces in a cell of their own: what does your way of writing a square make of 5, and of 10? "
        "It should be 25 and 100. "
        "Then look at every place in your code where a square is meant, in both terms. "
        "Which sign stands there, and which part of the line does Python work out first?",
        "A power is written with two stars in Python. "
        "It is worked out before products and sums, so it needs no brackets. "
        "You can also write the size twice, with one star between. "
        "One term needs this for the model size, the other one for the tokens; go through both, and leave the other "
        "factors as they are.",
    ),
)

attention_flops.hints_for(
    "counts_the_parameters",
    hints=(
        "Parameters are recipes, and FLOPs are the cooking. "
        "A recipe is there once, however many guests come, but each guest has to be cooked for. "
        "And the talks between the guests, scores and mix, need no recipe at all. "
        "So there are two questions: how much is learned and stored, and how much is computed.",
        "Call your function with 10 tokens and then with 1000, for the same model size: the second number should be "
        "far larger. "
        "Then look where `tokens` stands in your code; it has to occur in every term. "
        "Compare with the table: in how many of its products is one of the sizes the number of tokens?",
        "There are two terms. "
        "In the first, each number of the four matrices is used once for each token, with two operations. "
        "In the second, each token meets each token, in two products, and a meeting takes two operations for every "
        "feature. "
        "Biases are left out of both.",
    ),
)

attention_flops.hints_for(
    "counts_for_a_fixed_text",
    "counts_for_a_fixed_model",
    "gives_the_number_of_the_example",
    hints=(
        "A function is a form with blanks, and its caller fills them in. "
        "A size that you write yourself is a blank that was filled in for ever. "
        "In a notebook it can happen unseen: a variable from another cell is still there, and a function reads it "
        "without a word. "
        "Then the example comes out right, and everything else wrong.",
        "Call your function with very different sizes, such as 1 and 1, 4 and 30, 1000 and 5: each size should change "
        "the result. "
        "Then go through the body, name by name: is it a parameter, or made of parameters? "
        "Look for large written numbers, for names from other cells, and for a parameter that gets a new value.",
        "The only sizes in the body are `tokens` and `model_size`, as they come in. "
        "Beside them stand small numbers that count products and operations. "
        "All else goes: large numbers, names that got their value elsewhere, lines that give a parameter a new value. "
        "Then your example is one call among many.",
    ),
)

attention_flops.hints_for(
    "swaps_tokens_and_model_size",
    hints=(
        "Ask of each kind of product which table it holds. "
        "A matrix of weights is a table of features by features: there the model size is squared, and the tokens pass "
        "through one by one. "
        "A map of scores is a table of tokens by tokens: there the tokens are squared, and the features are summed "
        "away.",
        "Call your function with 1 token and a model size of 10. "
        "There is nobody else to meet, so nearly all of the work is projecting, and the right number is 840. "
        "Then look at the first line of your function: are the tokens its first parameter, as in the stub? "
        "With swapped names there, the right formula gives wrong numbers.",
        "Leave the first line as it was given, with the tokens in front. "
        "The term that counts projections holds the tokens once and the model size twice. "
        "The term that counts scores and mix holds the tokens twice and the model size once. "
        "If you use single letters, write down which of them stands for which size.",
    ),
)

attention_flops.hints_for(
    "adds_the_feed_forward_network",
    hints=(
        "A layer of a transformer has two halves: attention, where tokens meet, and a network that works on each "
        "token alone. "
        "Many texts give one number for the whole layer. "
        "Of its parameters only about a third belong to attention. "
        "To compare the halves, count each by itself; here it is attention's turn.",
        "Find for each of your terms its row in the table of six products. "
        "Which one has no row? "
        "Look for a hidden size of four times the model size, for a 16 or a 24, for products after the output "
        "projection, or for a number of parameters that was taken from a description of a whole layer.",
        "Take out what has no row in the table, and leave all the rest. "
        "Of the products with matrices of weights four are left: three before the tokens meet, and one after that. "
        "The two products of mixing stay as well. "
        "No size occurs but the tokens and the model size.",
    ),
)

attention_flops.hints_for(
    "refuses_what_heads_do_not_divide",
    hints=(
        "Heads are a way to share the features out, and the count does not depend on how they are shared. "
        "All heads together have the features of the whole model, so their work together is that of one wide head. "
        "A condition on something that does not show in the answer only turns away questions that have an answer.",
        "Call your function with 3 tokens and a model size of 5, of 7 and of 1: each time a number should come out. "
        "Where an error comes, look at the line that it names. "
        "It may be a `raise`, an `assert`, or a helper for heads. "
        "Then look for a number of heads in the first line of your function.",
        "Take out the check, and with it the number of heads and the size of a head, wherever they occur. "
        "If scores and mix are computed for one head and then multiplied by the heads, write the model size in place "
        "of these two. "
        "The result is the same, and every size is fine.",
    ),
)
