"""Lesson 08: what attention costs, and what people believe about it."""

import math

import mha_ref
from autograder import inputs
from autograder.exercise import Exercise, Question, Step, TestWriting
from autograder.properties import (
    a_count_is_a_sum_of_products,
    both_parts_cost_the_same,
    each_term_is_a_product_of_the_layer,
    every_size_counts,
    projections_grow_with_the_tokens,
    scores_and_mix_grow_with_their_square,
    the_crossing_is_found_for_every_size,
    twice_the_model_twice_the_crossing,
)
from autograder.variants import short, varied

# do you remember lessons 06 and 07?

remember_the_cross_map = Question(
    answer=24,
    points=0,
    wrong={
        16: "That would be the French sentence looking at itself. Here it looks at the English one. "
        "Look at lesson 07, *Who asks, and who is asked*.",
        36: "That would be the English sentence looking at itself. Here the French words ask, and there are 4. "
        "Look at lesson 07, *Who asks, and who is asked*.",
        10: "That is how many words there are. A weight belongs to a pair: one word that asks, one that is asked. "
        "Look at lesson 07, *Who asks, and who is asked*.",
        100: "That would join the two sentences, and let all 10 words look at all 10. They stay apart. "
        "Look at lesson 07, *Who asks, and who is asked*.",
        4: "That is one weight for each French word. Each of them has a whole row, with a share for each English word. "
        "Look at lesson 07, *Who asks, and who is asked*.",
        6: "That is the row of one French word. Each of the French words has such a row. "
        "Look at lesson 07, *Who asks, and who is asked*.",
    },
    hints=(
        "The weights of a head are a table. "
        "Who has a row in it, and who has a column? "
        "In cross-attention two sentences meet, and they need not have the same length. "
        "So the table need not be square. "
        "How many numbers stand in it?",
        "The French words ask, so they have the rows. "
        "The English words are asked, so they have the columns. "
        "Each French word gives a share to each English word, if only a tiny one. "
        "How many shares does one French word give?",
        "4 rows, and 6 weights in each. "
        "The question asks how many weights there are in all. "
        "Do not add up their values: each row sums to 1, but here the weights are counted. "
        "How many features a word has plays no part.",
    ),
)

remember_a_part_removed = Question(
    answer="b",
    points=0,
    wrong={
        "a": "A model that never had the part may be as good: the translator that was trained without W_O was. "
        "Look at lesson 07, *Break it: take out W_O*.",
        "c": "The other parts have not been tried. Perhaps the model would miss each of them as much. "
        "Look at lesson 07, *Break it: take out W_O*.",
    },
    hints=(
        "One part was taken out of one model. "
        "Which of the three sentences says no more than that? "
        "Ask of each sentence what else one would have to try before one could say it: other models, other parts, or "
        "another training?",
        "In lesson 07 a trained translator lost its W_O, and another one never had it. "
        "How good were the two? "
        "The second shows that the work can be done without this part. "
        "So which sentence about the first cannot be true in general?",
        "The first was ruined, the second as good as ever. "
        "So what does the first one show? "
        "Not that every model needs this part, and not that no other part matters more. "
        "It shows something about the parts that had learned beside it.",
    ),
)

remember_the_products = Question(
    answer=6,
    points=0,
    wrong={
        81: "That is the loop of lesson 05: five products for each of 16 heads, and one at the end. "
        "Without the loop all heads share each product. Look at lesson 06, *What the loop costs*.",
        96: "That would be six for each head. All heads share each product: they are one more axis in front. "
        "Look at lesson 06, *Cut the columns*.",
        16: "That would be one for each head. All heads share each product, however many heads there are. "
        "Look at lesson 06, *One projection for all heads*.",
        5: "One is missing, perhaps the last one: it comes after the heads are merged. "
        "Look at the list in lesson 06, *Every shape on the way*.",
        8: "To split and to merge takes no product: numbers change places, and nothing is multiplied. "
        "Look at the list in lesson 06, *Every shape on the way*.",
        4: "Those are the products with the four matrices. In between, queries meet keys, and weights meet values. "
        "Look at lesson 06, *Every shape on the way*.",
        3: "Those make queries, keys and values. What is done with these, until the output is there? "
        "Look at lesson 06, *Every shape on the way*.",
        2: "Those are the scores and the mix. Queries, keys and values must be made first, and the output comes after. "
        "Look at lesson 06, *Every shape on the way*.",
    },
    hints=(
        "The number of heads does not matter: they are one more axis in front, like the batch. "
        "One `@` does the work for all of them at once, so nothing is multiplied by 16. "
        "How many times does `@` stand between the tokens and the output?",
        "Walk through the layer: project, split, scores, mix, merge, output. "
        "Where is something multiplied? "
        "Splitting and merging move numbers to other places, and no more. "
        "And *project* is more than one product, since three different things are made of the tokens.",
        "Three projections, then scores, mix and output. "
        "To split and to merge takes no product, and softmax takes none either. "
        "Count each of these products once, since all heads and all texts of the batch are done in the same one.",
    ),
)

attention_flops = Exercise(
    mha_ref.attention_flops,
    inputs.tokens_model,
    points=2,
    hints=(
        "All the work is matrix products, and each follows one rule: twice the product of three sizes. "
        "So list the products, write down the two shapes that meet in each, and add up. "
        "There are two kinds: those that treat each token alone, and those in which tokens meet.",
        "The table above has six products: three projections in, the scores, the mix, and one projection out. "
        "Four of them involve a square matrix of weights. "
        "In the other two, one size is the number of tokens twice. "
        "Which sizes are a, b and c in each row?",
        "One term for the projections: four times the rule, where one size is the tokens and two are the model size. "
        "One term for scores and mix: twice the rule, where two sizes are the tokens and one is the model size. "
        "Return the sum of the two terms.",
    ),
    properties=(
        each_term_is_a_product_of_the_layer,
        a_count_is_a_sum_of_products,
        projections_grow_with_the_tokens,
        scores_and_mix_grow_with_their_square,
    ),
)
projection_flops = Step(mha_ref.projection_flops)
mixing_flops = Step(mha_ref.mixing_flops)
crossover_length = Exercise(
    mha_ref.crossover_length,
    inputs.model_sizes,
    points=1,
    hints=(
        "Two costs grow with the number of tokens, one of them faster. "
        "Write each as a formula in n and d, set the two equal, and solve for n. "
        "All factors matter here: 8 and 4 do not cancel, though the tokens partly do.",
        "Your function `attention_flops` adds the two parts that you need. "
        "One holds the square of the model size, the other the square of the tokens. "
        "Both sides can be divided by tokens times model size; what is left on each side?",
        "What is left is eight model sizes on one side and four times the tokens on the other. "
        "Solve that for the tokens, and return the result for the model size that is given. "
        "To try it: at this length, each half of attention_flops is the same number.",
    ),
    properties=(the_crossing_is_found_for_every_size, twice_the_model_twice_the_crossing, both_parts_cost_the_same),
)
score_bytes = Exercise(
    mha_ref.score_bytes,
    inputs.batch_heads_tokens,
    points=1,
    hints=(
        "Count first how many numbers there are, then how many bytes they take. "
        "A score belongs to one item of the batch, one head, one query token and one key token. "
        "How many choices are there for each of the four?",
        "In lesson 06 the scores had the shape (batch, heads, queries, keys). "
        "In self-attention queries and keys are the same tokens. "
        "The number of numbers is the product of all sizes in the shape. "
        "`bytes_per_number` is one further factor; use the parameter, not a 4 of your own.",
        "It is one product: the batch, the heads, the tokens once for the queries and once for the keys, "
        "and the bytes of one number. "
        "Nothing is divided, because the answer is in bytes, and nothing is added. "
        "The head size plays no part: scores have no features.",
    ),
    properties=(every_size_counts,),
)
test_attention_flops = TestWriting(
    attention_flops,
    catches=(
        "counts_multiply_and_add_as_one",
        "forgets_the_output_projection",
        "forgets_scores_and_mix",
        "forgets_the_square_of_tokens",
        "swaps_tokens_and_model_size",
        "counts_one_addition_less_in_each_sum",
    ),
    points=2,
    hints=(
        "A test for a count needs sizes for which you know the right number from another source. "
        "The table of six products is such a source, and so is counting by loops. "
        "Take the two sizes different, or a version that mixes them up goes unseen.",
        "`operations_by_loops` takes three sizes and counts one product. "
        "Which three sizes does each of the six products have, for 2 tokens and a model size of 5? "
        "Add up the six counts, and compare the sum with what the version says.",
        "Choose small, different sizes, such as 2 tokens and 5 features, then a pair with more tokens than features. "
        "For each pair, assert that the version's number equals four counted projections "
        "and two counted products of mixing. "
        "The numbers are whole, so `==` is fine.",
    ),
)


def _in_bits(number, bits):
    """What is left of a whole number in so many bits: the higher ones are lost, and the first means a minus."""
    rest = number % 2**bits
    return rest - 2**bits if rest >= 2 ** (bits - 1) else rest


# attention_flops


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
    return _in_bits(attention_flops(tokens, model_size), 32)


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


# projection_flops: what a part of a count holds


@projection_flops.misconception
def forgets_the_output_projection(tokens, model_size):
    """In your count the projections come to three products of (tokens, model_size) with a square matrix.
    Queries, keys and values are three, and the heads' results are mixed by a fourth.
    Which matrix comes last in a multi-head layer?"""
    return projection_flops(tokens, model_size) * 3 / 4


@projection_flops.misconception
def counts_half_of_the_projections(tokens, model_size):
    """In your count the projections come to half of what they take.
    Either two of the four products are missing, or a multiplication and its addition count as one in them.
    Write down the four, each with its factor of 2."""
    return projection_flops(tokens, model_size) / 2


@projection_flops.misconception
def counts_a_single_projection(tokens, model_size):
    """In your count the projections come to 2 · tokens · model_size², and that is one product.
    Each of the layer's matrices of weights is multiplied with all the tokens.
    How many matrices does a multi-head layer have?"""
    return projection_flops(tokens, model_size) / 4


@projection_flops.misconception(times=(0.125, 1.25, 2))
def counts_other_projections(tokens, model_size, *, times):
    """In your count the projections come to {times:g} times what they take.
    There are four of them, and each takes 2 · tokens · model_size².
    Go through your factors one by one: what does each of them stand for?"""
    return projection_flops(tokens, model_size) * times


@projection_flops.misconception
def forgets_the_projections(tokens, model_size):
    """Your count holds scores and mix alone.
    Before tokens meet, each is turned into a query, a key and a value, and afterwards the results are projected once
    more.
    For short texts these products are most of the work."""
    return 0


@projection_flops.misconception
def projects_one_token_only(tokens, model_size):
    """In your count the projections do not grow with the number of tokens.
    The matrices are the same for all tokens, but each token is multiplied with them: the *parameters* do not grow, the
    work does.
    How often is each matrix used?"""
    return projection_flops(1, model_size)


@projection_flops.misconception
def projects_to_a_single_number(tokens, model_size):
    """In your count a projection takes about as many operations as a token has features.
    It makes model_size numbers from model_size numbers, and each new number looks at all the old ones.
    How many entries does its matrix have?"""
    return projection_flops(tokens, model_size) / model_size


@projection_flops.misconception
def squares_tokens_in_the_projections(tokens, model_size):
    """In your count the projections grow with the square of the tokens.
    A projection treats each token alone, so twice the tokens are twice the work.
    What is squared there is the size of the matrix."""
    return projection_flops(tokens, model_size) * tokens / model_size


@projection_flops.misconception
def squares_both_in_the_projections(tokens, model_size):
    """In your count the projections hold a factor of tokens too many.
    In a product of (tokens, model_size) with (model_size, model_size) three sizes meet, and one of them is the number
    of tokens.
    Which two sides of the two shapes are the same size?"""
    return projection_flops(tokens, model_size) * tokens


@projection_flops.misconception
def adds_the_biases(tokens, model_size):
    """Your count is larger by 4 · tokens · model_size: that fits the biases of the four projections.
    They are real work, but very little of it, and the docstring leaves them out.
    Count matrix products only."""
    return projection_flops(tokens, model_size) + 4 * tokens * model_size


@projection_flops.misconception
def projects_the_output_of_one_token_only(tokens, model_size):
    """In your count three projections grow with the number of tokens, and the fourth does not: it takes
    2 · model_size², as for a single token.
    The output projection, too, is a product of (tokens, model_size) with a square matrix.
    Which size is missing there?"""
    return projection_flops(tokens, model_size) * 3 / 4 + 2 * model_size**2


@projection_flops.misconception
def doubles_the_model_size_in_the_projections(tokens, model_size):
    """In your count the model size is taken twice in the projections, 2 · model_size, where its square is asked for.
    A matrix of model_size by model_size has a number for each pair of an old and a new feature.
    How does one write a square in Python?"""
    return 16 * tokens * model_size


projection_flops.hints_for(
    "forgets_the_output_projection",
    "counts_half_of_the_projections",
    "counts_a_single_projection",
    "counts_other_projections",
    hints=(
        "The number in front of this term is made of two small counts. "
        "One says how many matrices of weights a multi-head layer has, from the tokens to the output. "
        "The other says what happens with one number of a matrix, for one token: it is multiplied once, and the "
        "result is added once. "
        "Nothing else makes this term larger or smaller.",
        "Print your projections by themselves, for 1 token and a model size of 1. "
        "It should be 8. "
        "What do you get, and which factors is it made of? "
        "Then name the matrices one by one, and point at the place of each in your code. "
        "Look for one without a place, for a 2 that is missing or stands there twice, for anything that counts heads.",
        "There are four products, each of them with the tokens once, the model size twice, and a two in front. "
        "If you have one line for query, key and value together, it stands for three of them, and the projection at "
        "the end has a line of its own. "
        "Write the four and the two as two factors; then you can see both.",
    ),
)

projection_flops.hints_for(
    "forgets_the_projections",
    hints=(
        "Queries, keys and values have to be made before anything can be compared. "
        "Every token is multiplied with three large matrices before the first score, and with one more after the "
        "last. "
        "Who says that attention is quadratic thinks of the tokens' meetings, and forgets this. "
        "For a wide model and a text of usual length, it is more work than the meetings.",
        "Go through the table from its first row to its last, and tick off what has a term in your code. "
        "Which rows are left without a tick? "
        "If you have written their term, look what became of it: a variable that is never added, a `return` that "
        "comes before it, a name that is used for something else later.",
        "Add a second term to your sum, for the products of tokens with matrices of weights. "
        "The rule is the same as for the scores, only the shapes are others: the tokens meet a square matrix. "
        "There are four such products. "
        "Your term for the part in which tokens meet does not depend on this one.",
    ),
)

projection_flops.hints_for(
    "projects_one_token_only",
    "projects_the_output_of_one_token_only",
    hints=(
        "To store a matrix is one thing, and to use it is another. "
        "It is stored once, but every token passes through it, and each time the price is the same. "
        "Who writes down the size of the matrix has paid for one passage. "
        "The number of tokens is the number of rows on the left side of the product, and it belongs to each of the "
        "four.",
        "Print your projections by themselves, with a model size of 10, for 1 token and for 2. "
        "They should grow from 800 to 1600. "
        "By how much does yours grow? "
        "Then look at the four products one by one: does each hold `tokens`, or does a bracket end too early, so that "
        "one is left outside?",
        "Rows, inner size, columns: in a projection the rows are the tokens, and the other two are the model size. "
        "The output projection has the same three, because every token gets a result. "
        "Write the tokens into each of the four products, or once in front of a bracket that holds all four.",
    ),
)

projection_flops.hints_for(
    "projects_to_a_single_number",
    "doubles_the_model_size_in_the_projections",
    hints=(
        "A projection is a table of weights, and each new feature listens to every old one. "
        "For one token, the work is as large as the table. "
        "If a token gets twice as many features, the table becomes twice as wide and twice as high, so it is four "
        "times as large. "
        "A list would be twice as long; a table is no list.",
        "Print your projections by themselves, for 1 token, with model sizes of 10 and of 20. "
        "They should grow from 800 to 3200. "
        "By which factor does yours grow? "
        "Then look at the model size in this term: does it occur once only, or is it taken times 2 where it should be "
        "taken times itself?",
        "In this term the model size is a factor two times. "
        "Once it is the inner size, over which the dot product sums; once it is the number of columns of the result. "
        "Write its name twice with a star between, or a power with two stars. "
        "The tokens stand beside it once.",
    ),
)

projection_flops.hints_for(
    "squares_tokens_in_the_projections",
    "squares_both_in_the_projections",
    hints=(
        "In a projection no token knows of another. "
        "One could send them through one by one, on different days, and the work would be the same. "
        "So it is the work for one token, as many times as there are tokens. "
        "A square of the tokens is the sign of a meeting, and tokens meet in the scores and in the mix only.",
        "Print your projections by themselves, with a model size of 1, for 10 tokens and for 20. "
        "They should double, from 80 to 160. "
        "What does yours do? "
        "Then write the shapes of one projection on paper, and count the n in them. "
        "In a loop over the tokens, look whether the line inside is meant for one token or for all.",
        "The three sizes of a projection are the tokens, the model size, and the model size again. "
        "So the tokens stand in this term once, and the square belongs to the model size. "
        "If a helper counts one product for you, look at the three numbers that you hand over. "
        "Scores and mix keep their square of the tokens.",
    ),
)

projection_flops.hints_for(
    "adds_the_biases",
    hints=(
        "A bias is one addition for each number that a projection makes. "
        "The number itself has taken a whole dot product: thousands of operations in a wide model. "
        "Such a count leaves the small things out on purpose. "
        "Then one rule is enough for everything, and two people who count come to the same number.",
        "Look for a term with the tokens once, the model size once and no square; with a 4 in front, or added four "
        "times. "
        "It may also sit in a helper for one product, which adds something at the end. "
        "Does `operations_by_loops` add anything after its loops?",
        "Take the additions for the biases out, and leave everything else. "
        "Each of the four projections is then the rule alone, twice its three sizes. "
        "The lesson's layer, which torch counts for you, has no biases either, so your number and torch's can agree "
        "to the last digit.",
    ),
)


# mixing_flops: the part in which tokens meet


@mixing_flops.misconception
def forgets_scores_and_mix(tokens, model_size):
    """Your count holds the projections alone.
    "Two operations for each parameter and each token" is a good rule for layers that treat tokens one by one.
    In attention tokens also meet, and two products do that without any parameters."""
    return 0


@mixing_flops.misconception
def counts_half_of_the_mixing(tokens, model_size):
    """In your count scores and mix come to half of what they take.
    Both the scores and the weighted mean of the values take 2 · tokens² · model_size.
    One of the two may be missing, or the factor 2, or a mask was thought to save half."""
    return mixing_flops(tokens, model_size) / 2


@mixing_flops.misconception(times=(0.25, 1.5, 2, 4))
def counts_other_mixing(tokens, model_size, *, times):
    """In your count scores and mix come to {times:g} times what they take.
    There are two products here, and each takes 2 · tokens² · model_size.
    Go through your factors one by one: what does each of them stand for?"""
    return mixing_flops(tokens, model_size) * times


@mixing_flops.misconception(heads=(8, 12, 32))
def counts_full_width_for_each_head(tokens, model_size, *, heads):
    """In your count scores and mix come to {heads:g} times what they take, as if there were {heads:g} heads of full
    width.
    Heads share the features: each has its part of them only, so that all together do as much as one wide head.
    The number of heads drops out."""
    return mixing_flops(tokens, model_size) * heads


@mixing_flops.misconception(head_size=(64, 128))
def mixes_for_one_head_only(tokens, model_size, *, head_size):
    """In your count scores and mix have {head_size:g} features, whatever the model size is.
    That is a usual size for *one* head, and there are as many heads as fill the model size.
    How many features do all the heads have together?"""
    return mixing_flops(tokens, head_size)


@mixing_flops.misconception
def forgets_the_square_of_tokens(tokens, model_size):
    """In your count scores and mix grow with the number of tokens, not with its square.
    Every query meets every key, and in self-attention there are as many of both as there are tokens.
    How many pairs is that?"""
    return mixing_flops(tokens, model_size) / tokens


@mixing_flops.misconception
def forgets_the_features_in_the_mixing(tokens, model_size):
    """In your count each pair of tokens takes the same few operations, however many features there are.
    A score is a dot product, which multiplies and adds once for every feature; the mix does the same for the values.
    Which size is missing in that term?"""
    return mixing_flops(tokens, 1)


@mixing_flops.misconception
def squares_the_features_in_the_mixing(tokens, model_size):
    """In your count scores and mix hold a factor of model_size too many.
    A score sums over the features once; no matrix of weights takes part in it.
    Which three sizes meet when queries are multiplied with keys?"""
    return mixing_flops(tokens, model_size) * model_size


@mixing_flops.misconception
def squares_features_in_place_of_tokens(tokens, model_size):
    """In your count scores and mix grow with the square of the model size, and with the tokens only once.
    It is the other way round: they make a map of tokens by tokens, and sum over the features once.
    Write down the shapes of the two factors."""
    return mixing_flops(model_size, tokens)


@mixing_flops.misconception
def cubes_the_tokens(tokens, model_size):
    """In your count scores and mix hold a factor of tokens too many.
    In each of the two products three sizes meet: tokens, tokens and features.
    Which size did you take three times?"""
    return mixing_flops(tokens, model_size) * tokens


@mixing_flops.misconception
def counts_pairs_up_to_the_diagonal(tokens, model_size):
    """In your count scores and mix come to 2 · tokens · (tokens + 1) · model_size.
    That has two likely reasons.
    Either each query meets the keys up to its own place only, as under a causal mask; but no mask saves anything here.
    Or one of the two products has lost a factor of tokens.
    What does each of the two take?"""
    return mixing_flops(tokens, model_size) * (tokens + 1) / (2 * tokens)


@mixing_flops.misconception
def counts_pairs_below_the_diagonal(tokens, model_size):
    """In your count scores and mix come to 2 · tokens · (tokens - 1) · model_size: each pair of two tokens once.
    But every query meets every key, also that of its own token, and those that come later: no mask saves anything here.
    How many fields has a map of tokens by tokens?"""
    return mixing_flops(tokens, model_size) * (tokens - 1) / (2 * tokens)


@mixing_flops.misconception(steps=(1, 2, 3, 4, 5))
def adds_the_softmax(tokens, model_size, *, steps):
    """Your count holds {steps:g} more for each score: scaling, softmax or the like.
    These are real operations, but few beside the features that went into each score, and the docstring leaves them
    out.
    Count matrix products only."""
    return mixing_flops(tokens, model_size) + steps * tokens**2


@mixing_flops.misconception
def doubles_tokens_in_the_mixing(tokens, model_size):
    """In your count the tokens are taken twice in scores and mix, 2 · tokens, where their square is asked for.
    Every query meets every key: that is a map with a row and a column for each token.
    How does one write a square in Python?"""
    return 8 * tokens * model_size


@mixing_flops.misconception
def forgets_the_features_in_one_product(tokens, model_size):
    """In your count one of the two products in which tokens meet takes 2 · tokens² operations, without the features.
    A score is a dot product, which multiplies and adds once for every feature; the mix does the same for the values.
    Which of your two terms lacks the model size?"""
    return mixing_flops(tokens, model_size) / 2 + 2 * tokens**2


@mixing_flops.misconception
def counts_a_product_of_mixing_like_a_projection(tokens, model_size):
    """In your count one of the two products in which tokens meet takes 2 · tokens · model_size², like a projection.
    For the scores that would be the keys turned and multiplied with the queries, features against features.
    But every token looks at every token. Which shape has the map of scores, and which size is summed away?"""
    return mixing_flops(tokens, model_size) / 2 + 2 * tokens * model_size**2


@mixing_flops.misconception(products=(1, 2))
def takes_tokens_for_features(tokens, model_size, *, products):
    """In your count the cube of the tokens stands in the part in which tokens meet, and the features are missing there.
    A map of weights, (tokens, tokens), meets the values, and these have a column for each feature.
    Which three sizes do the scores have, and which three the mix?"""
    return mixing_flops(tokens, model_size) * (2 - products) / 2 + products * 2 * tokens**3


@mixing_flops.misconception(heads=(8, 32), whole=(False, True))
def mixes_with_the_width_of_one_head(tokens, model_size, *, heads, whole):
    """In your count scores and mix have model_size / {heads:g} features, the share of one of {heads:g} heads.
    That is the work of a single head, and the other heads do as much.
    How many features do all of them have together?"""
    return mixing_flops(tokens, model_size // heads if whole else model_size / heads)


@mixing_flops.misconception(heads=(2, 8, 12, 16))
def rounds_the_width_of_a_head(tokens, model_size, *, heads):
    """Your count is right where a certain number of heads divides the model size, and too small elsewhere.
    So there is a `//` in it: it cuts the width of a head to a whole number, and some features get lost.
    The number of heads drops out of the formula. Can you do without it?"""
    return mixing_flops(tokens, heads * (model_size // heads))


@mixing_flops.misconception(width=(64,))
def rounds_the_number_of_heads(tokens, model_size, *, width):
    """Your count is right where the model size is made of whole heads of {width:g} features, and too small elsewhere.
    With fewer than {width:g} features, scores and mix are missing altogether.
    So there is a `//` in it, which cuts the number of heads to a whole one.
    The heads drop out of the formula. Can you do without them?"""
    return mixing_flops(tokens, width * (model_size // width))


mixing_flops.hints_for(
    "forgets_scores_and_mix",
    hints=(
        "Parameters are no measure for this part, because it has none: it multiplies what the tokens have become with "
        "each other. "
        "Every query meets every key, and every weight meets a value. "
        "In short texts it is the smaller part of the work, and in long ones nearly all of it. "
        "It is also the only part in which a token learns anything of another one.",
        "Tick off the products of the table that have a term in your code: two rows should be left. "
        "What are their shapes? "
        "If you have written their terms, look whether they got lost, in a variable that is never added, or behind a "
        "`return`. "
        "With 10 tokens and a model size of 1, these two rows are 400 of 480 operations.",
        "Add a second term to the sum, for the scores and the mix: two products with the same count. "
        "In each of them two of the three sizes are the number of tokens, and the third is the model size. "
        "The rule with its factor of two holds here as well.",
    ),
)

mixing_flops.hints_for(
    "counts_half_of_the_mixing",
    "counts_other_mixing",
    hints=(
        "Tokens meet twice. "
        "First queries meet keys, and a map of scores comes out. "
        "Then the map, turned into weights, meets the values, and mixed tokens come out. "
        "Both products have the same three sizes, in another order, so both cost the same. "
        "No mask, no softmax and no number of heads changes what they take.",
        "Print scores and mix by themselves, for 1 token and a model size of 1. "
        "It should be 4. "
        "What do you get, and which factors is it made of? "
        "Then look for the two products by name: is each of them there, and only once? "
        "A 2 may be missing or be there twice, or something was divided because of a mask.",
        "Write one product first: the tokens, the tokens again, the model size, and the two of the rule. "
        "Then take it twice, once for the scores and once for the mix; there is no third one. "
        "A mask decides which results are used, and not which are computed, so nothing is halved for it.",
    ),
)

mixing_flops.hints_for(
    "counts_full_width_for_each_head",
    "mixes_for_one_head_only",
    "mixes_with_the_width_of_one_head",
    "rounds_the_width_of_a_head",
    "rounds_the_number_of_heads",
    hints=(
        "Cut a cake into 8 pieces or into 32: it stays the same cake. "
        "Heads cut the features. "
        "Each head makes a whole map of tokens by tokens, but each number in it is a shorter dot product. "
        "The number of heads times the features of a head gives the model size again. "
        "So heads may come into this term as a pair that cancels, or better, not at all.",
        "Search your code for what has to do with heads: an 8, a 12, a 32, a 64 or a 128, a `//`, a loop, a name such "
        "as `head_size`. "
        "Then print scores and mix by themselves, for 10 tokens and a model size of 7. "
        "It should be 2800, and nothing is rounded on the way there.",
        "In the scores and in the mix, write the model size where you have the features of one head. "
        "Then the number of heads has nothing to do any more, and it goes as well. "
        "What is left is the row of the table, with one head as wide as the model. "
        "Without a `//` no feature gets lost, whatever the sizes are.",
    ),
)

mixing_flops.hints_for(
    "forgets_the_square_of_tokens",
    "doubles_tokens_in_the_mixing",
    hints=(
        "Think of a room in which everyone turns to everyone once, to themselves as well. "
        "With 10 people these are 100 turns, and with 20 people they are 400. "
        "Each new person adds more turns than the one before. "
        "A number that grows by the same amount each time counts the people, and not the turns.",
        "Print scores and mix by themselves, with a model size of 1, for 10 tokens and for 20. "
        "They should grow from 400 to 1600. "
        "By which factor does yours grow? "
        "Then look at the tokens in this term: do they occur once only, or with a 2 where a second `tokens` belongs? "
        "Check both products.",
        "In each of the two products the tokens are a factor two times. "
        "In the scores they are the rows and the columns of the result, and in the mix they are the rows and the "
        "inner size. "
        "Write the name twice with a star between, or a power with two stars. "
        "The model size stands beside them once.",
    ),
)

mixing_flops.hints_for(
    "forgets_the_features_in_the_mixing",
    "forgets_the_features_in_one_product",
    hints=(
        "To see how well two tokens fit, one compares them feature by feature: a pair with many features is more work "
        "than a pair with few. "
        "In the mix it is the same, since a weight is multiplied with every feature of a value. "
        "The map says how many meetings there are; the features say how long each of them takes.",
        "Print your scores and your mix, each by itself, for 10 tokens, with model sizes of 1 and 2. "
        "Both should double, from 200 to 400. "
        "Does one of them stay as it is, or do both? "
        "Compare its term with its row in the table: three sizes stand in the two shapes. "
        "Which one is not in your term?",
        "The rule takes three sizes for each product. "
        "In the scores the model size is the inner one, along which the dot products run. "
        "In the mix it is the number of columns, since all features of the values are mixed. "
        "So it stands once in each of the two products, beside the tokens, which stand there twice.",
    ),
)

mixing_flops.hints_for(
    "squares_the_features_in_the_mixing",
    "squares_features_in_place_of_tokens",
    "counts_a_product_of_mixing_like_a_projection",
    hints=(
        "A square of the model size needs a table of features by features, and only matrices of weights are such "
        "tables. "
        "Where tokens meet, no such matrix takes part: both sides of the product come from the tokens. "
        "The features are summed over in the scores, and carried along in the mix; each time they count once. "
        "What is squared here are the tokens.",
        "Print your scores and your mix, each by itself, for 1 token, with model sizes of 10 and 20. "
        "Both should double, from 20 to 40. "
        "Which of them grows faster? "
        "Then write down its two shapes, as the table has them. "
        "Which size is the inner one, and which two sizes has the result?",
        "The scores have the sizes tokens, model size, tokens, and the mix has tokens, tokens, model size. "
        "Put these three into the rule each time, and the model size occurs once in every product. "
        "If a helper counts one product for you, two of the three numbers that you hand over are the tokens.",
    ),
)

mixing_flops.hints_for(
    "cubes_the_tokens",
    "takes_tokens_for_features",
    hints=(
        "A matrix product has three sizes. "
        "In the two products where tokens meet, two of them are the number of tokens, because a map has tokens on "
        "both sides. "
        "The third is the number of features: those that are compared, or those that are mixed. "
        "Attention compares in pairs, so there is no place for the tokens a third time.",
        "Print your scores and your mix, each by itself, with a model size of 1, for 10 tokens and for 20. "
        "Both should grow to four times as much, from 200 to 800. "
        "Where it is eight times as much, the tokens stand there three times. "
        "Which of them is one too many: in a loop, in a power, or at the place of the features?",
        "Scores: the rows are the queries, the columns are the keys, and the inner size is the features. "
        "Mix: the rows are the queries, the inner size is the keys, and the columns are the features of the values. "
        "Queries and keys are both the tokens, so write the tokens twice and the model size once, in each of the two.",
    ),
)

mixing_flops.hints_for(
    "counts_pairs_up_to_the_diagonal",
    "counts_pairs_below_the_diagonal",
    hints=(
        "A product of matrices fills its whole result; it does not know that a mask will come. "
        "Half of the map may be thrown away afterwards, but it was computed. "
        "So the count is that of a full square, with a mask and without. "
        "And both products have the square in their count: the one that makes the map, and the one that uses it.",
        "Take 4 tokens and a model size of 1, and print your scores and your mix, each by itself. "
        "Each of them should be 32. "
        "If both are 20, you count pairs up to the diagonal; if both are 12, the diagonal is missing, too. "
        "If one is 32 and the other is 8, a size is missing in the smaller one: compare its term with its row in the "
        "table.",
        "Every query with every key, also with those that come later: each of the two products has the tokens twice, "
        "the model size once, and the two of the rule. "
        "There is no half and no plus one, and no inner loop that stops at the query's own place. "
        "Both products get the same count.",
    ),
)

mixing_flops.hints_for(
    "adds_the_softmax",
    hints=(
        "For each place of the map softmax takes a handful of operations. "
        "The dot product that made the score took two for each feature, which is thousands in a wide model. "
        "This is why the count leaves out what is no matrix product. "
        "To count operations and to measure time are two things, though, and the lesson measures later.",
        "Look for a term with the square of the tokens and without the model size. "
        "It may stand for softmax, for scaling or for a mask, or it sits in a helper that does something with every "
        "number of a result. "
        "With 10 tokens and a model size of 1, the right number is 480. "
        "What yours has more comes from there.",
        "Take out what is done to single scores, and leave the products. "
        "Then the scores and the mix remain in this part, each with the rule for one product and nothing else. "
        "Torch's counter watches matrix products only, so your number and torch's can agree to the last digit.",
    ),
)


# crossover_length


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
    return _in_bits(8 * model_size**2, 32) / (4 * model_size)


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


# score_bytes


@score_bytes.misconception
def forgets_the_batch(batch, heads, tokens, bytes_per_number=4):
    """Your number stays the same, however many items the batch has.
    Each item is a text of its own, with maps of its own, and all of them are in memory at the same time.
    Which parameter have you not used?"""
    return score_bytes(1, heads, tokens, bytes_per_number)


@score_bytes.misconception
def forgets_the_heads(batch, heads, tokens, bytes_per_number=4):
    """Your number stays the same, however many heads there are.
    Heads share the features among them, but not the map: each head has its own score for each pair of tokens.
    How many maps does one text have?"""
    return score_bytes(batch, 1, tokens, bytes_per_number)


@score_bytes.misconception
def forgets_the_keys(batch, heads, tokens, bytes_per_number=4):
    """In your number each token has one score for each head.
    A score belongs to a *pair*: a query token and a key token, and every query meets every key.
    How many pairs are there?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / tokens


@score_bytes.misconception
def doubles_tokens_instead_of_squaring(batch, heads, tokens, bytes_per_number=4):
    """In your number the tokens count twice, but they are added: 2 · tokens.
    A map is a square, with a row for each query and a column for each key.
    How many fields does a square of 5 by 5 have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * 2 / tokens


@score_bytes.misconception
def counts_numbers_in_place_of_bytes(batch, heads, tokens, bytes_per_number=4):
    """Your number counts scores, not the bytes that they take.
    A number in `float32` takes four bytes, in `float16` two.
    Which parameter have you not used?"""
    return score_bytes(batch, heads, tokens, 1)


@score_bytes.misconception
def counts_bits(batch, heads, tokens, bytes_per_number=4):
    """Your number has a factor of 8 too much: it is in bits.
    `float32` is named after its 32 bits, and a byte is 8 of them.
    In which unit does `bytes_per_number` come?"""
    return 8 * score_bytes(batch, heads, tokens, bytes_per_number)


@score_bytes.misconception
def takes_bytes_for_bits(batch, heads, tokens, bytes_per_number=4):
    """There is a division by 8 in your number.
    That would be right if `bytes_per_number` came in bits; its name says that it does not.
    Use it as it is."""
    return score_bytes(batch, heads, tokens, bytes_per_number) / 8


@score_bytes.misconception(size=(2, 4, 8, 16, 32))
def assumes_the_size_of_a_number(batch, heads, tokens, bytes_per_number=4, *, size):
    """Your result is right where a number takes {size:g} bytes, and stays the same where it takes more or less.
    There are several floating types, and the caller says with `bytes_per_number` how large one number is.
    Where does that parameter enter your product?"""
    return score_bytes(batch, heads, tokens, size)


@score_bytes.misconception(default=(1, 2, 8, 32))
def takes_another_default(batch, heads, tokens, bytes_per_number=None, *, default):
    """Where nobody says how large a number is, your function takes {default:g} bytes.
    The stub says what to assume then: a default is part of what a function promises.
    Compare your first line with the stub's."""
    return score_bytes(batch, heads, tokens, bytes_per_number or default)


@score_bytes.misconception(unit=(1e3, 1e6, 1e9), whole=(False,))
@score_bytes.misconception(unit=(1e6,), whole=(True,))
def counts_in_decimal_units(batch, heads, tokens, bytes_per_number=4, *, unit, whole):
    """Your number comes in units of {unit:,.0f} bytes.
    KB, MB and GB are good for reading. This function is asked for plain bytes.
    Where does your code divide?"""
    units = score_bytes(batch, heads, tokens, bytes_per_number) / unit
    return units // 1 if whole else units


@score_bytes.misconception(power=(10, 20, 30))
def counts_in_binary_units(batch, heads, tokens, bytes_per_number=4, *, power):
    """Your number comes in units of 2 to the power of {power:g} bytes.
    Such units, made of steps of 1024, are good for reading. This function is asked for plain bytes.
    Where does your code divide?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / 2**power


@score_bytes.misconception
def shares_the_map_among_the_heads(batch, heads, tokens, bytes_per_number=4):
    """In your number more heads need *less* memory: it is divided by the heads.
    What heads share are the features, model_size / heads each. A score has no features left; they were summed away.
    How large is the map of one head?"""
    return score_bytes(batch, 1, tokens, bytes_per_number) / heads


@score_bytes.misconception
def squares_the_heads(batch, heads, tokens, bytes_per_number=4):
    """In your number the heads stand twice.
    No head meets another one in the scores; each makes its own map of tokens by tokens.
    Twice the heads, how many times the maps?"""
    return score_bytes(batch, heads**2, tokens, bytes_per_number)


@score_bytes.misconception
def squares_the_batch(batch, heads, tokens, bytes_per_number=4):
    """In your number the batch stands twice.
    Texts of a batch do not meet; each has its own maps.
    Twice the texts, how many times the maps?"""
    return score_bytes(batch**2, heads, tokens, bytes_per_number)


@score_bytes.misconception
def cubes_the_tokens_of_a_map(batch, heads, tokens, bytes_per_number=4):
    """In your number the tokens stand three times.
    A map has two sides, queries and keys, and both are tokens.
    Which third side did you count?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * tokens


@score_bytes.misconception(factor=(2, 3, 4))
def stores_several_copies(batch, heads, tokens, bytes_per_number=4, *, factor):
    """Your product has a factor of {factor:g} too much.
    A program may well keep the scores, the weights, and gradients for both. This function counts the scores once, and
    nothing else.
    Which factor in your product does not belong to a size?"""
    return factor * score_bytes(batch, heads, tokens, bytes_per_number)


@score_bytes.misconception
def stores_half_of_the_map(batch, heads, tokens, bytes_per_number=4):
    """Your product has a factor of 1/2 too much, as if a causal mask had saved one half of each map.
    A mask hides scores, it does not make them smaller: a blocked score still has its place in the array.
    How many fields does the whole map have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / 2


@score_bytes.misconception(diagonal=(1, -1))
def stores_a_triangle(batch, heads, tokens, bytes_per_number=4, *, diagonal):
    """In your number the map is a triangle: half of it, with or without the diagonal.
    A causal mask blocks the other half, but the array keeps a place for it, and no mask saves anything here.
    How many fields does the whole map have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * (tokens + diagonal) / (2 * tokens)


@score_bytes.misconception
def leaves_out_the_diagonal(batch, heads, tokens, bytes_per_number=4):
    """In your number a token does not meet itself: tokens · (tokens - 1) pairs.
    Its own key is one of the keys that a query looks at, so there is a score for it, too.
    How many columns does each row have?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * (tokens - 1) / tokens


@score_bytes.misconception(sides=(1, 2))
def adds_a_row_to_the_map(batch, heads, tokens, bytes_per_number=4, *, sides):
    """In your number each map is larger than tokens by tokens: by one row or one column, or by both.
    Or something else is stored beside each row, such as its maximum or its sum.
    Rows are queries, columns are keys, and in self-attention both are the tokens themselves.
    Where does one more come from?"""
    row = score_bytes(batch, heads, tokens, bytes_per_number) / tokens
    return row * (tokens + 1) if sides == 1 else row * (tokens + 1) ** 2 / tokens


@score_bytes.misconception(bits=(16,))
@score_bytes.misconception(on="huge", bits=(32,))
def measures_in_too_few_bits(batch, heads, tokens, bytes_per_number=4, *, bits):
    """Your number is right while it is small.
    A large one has no room in an integer of {bits:g} bits: its upper bits are lost, without an error.
    Python's own whole numbers have no end.
    Which line makes another kind of number of the sizes?"""
    return _in_bits(score_bytes(batch, heads, tokens, bytes_per_number), bits)


@score_bytes.misconception
def adds_in_place_of_multiplying(batch, heads, tokens, bytes_per_number=4):
    """In your number batch, heads and the map are added up.
    For each item of the batch there is every head, and for each head a whole map: choices multiply.
    How many maps are there with 2 items and 3 heads?"""
    return (batch + heads + tokens**2) * bytes_per_number


@score_bytes.misconception(features=(32, 64, 128))
def gives_scores_features(batch, heads, tokens, bytes_per_number=4, *, features):
    """Your product has a factor of {features:g} too much, as if each score had {features:g} features.
    Queries and keys have features. A score is one number: the dot product has summed over them.
    What is the shape of the scores?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) * features


@score_bytes.misconception(form=(0, 1, 2, 3, 4))
def takes_the_caret_for_a_power_of_tokens(batch, heads, tokens, bytes_per_number=4, *, form):
    """Your numbers are those of a formula with `^` in it.
    In Python this sign is no power: it compares two numbers bit by bit, and it does so after all products of its line.
    Look up how Python writes a power; a product of the number with itself will do as well."""
    return (
        batch * heads * tokens ^ 2 * bytes_per_number,
        batch * heads * (tokens ^ 2) * bytes_per_number,
        bytes_per_number * batch * heads * tokens ^ 2,
        tokens ^ 2 * batch * heads * bytes_per_number,
        (batch * heads * tokens ^ 2) * bytes_per_number,
    )[form]


@score_bytes.misconception(features=(32, 64, 128))
def gives_the_bytes_of_keys_and_values(batch, heads, tokens, bytes_per_number=4, *, features):
    """In your number each token has 2 · {features:g} numbers in each head: a key and a value, say.
    Keys and values are what a model keeps while it writes. The scores are something else: one number for every *pair*
    of tokens.
    Where do the tokens stand in your product a second time?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / tokens * 2 * features


score_bytes.hints_for(
    "forgets_the_batch",
    "forgets_the_heads",
    "squares_the_heads",
    "squares_the_batch",
    "shares_the_map_among_the_heads",
    hints=(
        "Count the maps first, and what one of them holds later. "
        "Every head of every text makes a map of its own. "
        "So maps are like the rooms of a hotel, floors times rooms on a floor. "
        "With twice the floors there are twice the rooms, and with twice the rooms on a floor as well. "
        "Neither of the two numbers makes a room smaller.",
        "Change one thing at a time. "
        "Call your function with a batch of 1, 2 and 4 and all else equal, and then with 1, 2 and 4 heads. "
        "Each time the result should be doubled, and doubled again. "
        "Which of the two does something else: does it stay, fall, or grow too fast? "
        "How often does this name stand in your code, and behind which sign?",
        "In the product, the batch is a factor once, and the heads are a factor once. "
        "Nothing is divided by either of them, and neither is squared. "
        "A loop over one of them does the same, if it adds whole maps in every turn. "
        "The tokens and the bytes have nothing to do with this.",
    ),
)

score_bytes.hints_for(
    "counts_numbers_in_place_of_bytes",
    "assumes_the_size_of_a_number",
    "takes_another_default",
    hints=(
        "How many numbers there are, and how large each of them is, are two questions. "
        "The shape answers the first, and the type answers the second: in `float16` the same map takes half of what "
        "it takes in `float32`. "
        "So the size of a number is a parameter. "
        "Its default belongs to the promise as well: it holds for all who do not mention a type.",
        "Call your function with one item, one head and one token, so that there is a single score. "
        "Try 2, 4 and 8 bytes for a number, and then leave this argument out. "
        "You should get 2, 4, 8, and the default of the stub. "
        "Which of them differs? "
        "Look at your first line, and where `bytes_per_number` stands below it.",
        "Leave the first line as the stub has it, with its default. "
        "In the body the parameter `bytes_per_number` is one factor of the product. "
        "No written number takes its place or stands in for its default, and no line gives it a new value. "
        "Then a single score takes as many bytes as the caller says.",
    ),
)

score_bytes.hints_for(
    "counts_bits",
    "takes_bytes_for_bits",
    "counts_in_decimal_units",
    "counts_in_binary_units",
    hints=(
        "The same amount of memory can be written in bits, in bytes, in megabytes. "
        "A function on which others build gives it in one agreed unit, and leaves it to them to write it nicely. "
        "Here numbers come in with their size in bytes, and the result goes out in bytes. "
        "So on the way no unit has to be turned into another.",
        "Call your function with one item, one head and one token, at 4 bytes for a number. "
        "One score takes 4 bytes, so 4 should come out. "
        "A 32 speaks of bits, a 0.5 of a division by 8, and a very small number of larger units. "
        "Then look for 8, 1000, 1024, `1e6` or `2**20`, in the product and behind it.",
        "Return the product of all sizes and the bytes of a number as it is. "
        "It is not multiplied by 8, and not divided by 8, by a thousand or by 1024. "
        "If you want to read it in megabytes, divide in the cell in which you print it.",
    ),
)

score_bytes.hints_for(
    "forgets_the_keys",
    "doubles_tokens_instead_of_squaring",
    "cubes_the_tokens_of_a_map",
    hints=(
        "Draw the map: a row for each token that looks, and a column for each token that is looked at. "
        "In self-attention these are the same tokens, so the map is as high as it is wide. "
        "How many fields it has is its height times its width. "
        "A field holds one number, so there is no depth to it.",
        "Call your function with one item, one head, 6 tokens, and 1 byte for a number. "
        "The map has 36 fields, so 36 should come out. "
        "A 6 means that one side is missing, a 12 that the sides were added, and a 216 that there is a third one. "
        "Then look at each place where `tokens` stands in your code.",
        "In your product the tokens are a factor two times, once for the queries and once for the keys. "
        "Write the name twice with a star between, or a power with two stars. "
        "The batch, the heads and the bytes of a number stand beside it once each.",
    ),
)

score_bytes.hints_for(
    "adds_a_row_to_the_map",
    hints=(
        "A map of scores is a table whose rows and whose columns are the same tokens. "
        "So it has as many rows as columns, and as many of both as there are tokens. "
        "What softmax makes of a row, a maximum or a sum, is a number of its own and no score. "
        "This function counts the scores and nothing beside them.",
        "Call your function with one item, one head, and 1 byte for a number, for 1, 2 and 3 tokens. "
        "It should give 1, 4 and 9. "
        "How much more do you get each time: always as much as there are tokens, or more? "
        "Then look for a + in your code, or for a `range` that goes one step too far.",
        "The tokens stand twice in the product, both times as they come in, with nothing added. "
        "If you count in loops, both loops make as many turns as there are tokens. "
        "If you build an array, its last two sizes are equal.",
    ),
)

score_bytes.hints_for(
    "measures_in_too_few_bits",
    hints=(
        "A number in an array has a fixed number of bits, like the wheels of a meter in an old car. "
        "After the largest number comes the smallest one, and nobody is told. "
        "Scores fill memory so fast that their bytes soon need more than 32 bits. "
        "Python's own whole numbers get more wheels when they need them.",
        "Call your function with 16 items, 32 heads, 256 tokens and 128 bytes for a number: "
        "it should be 4294967296. "
        "Then print the type of each step, with `type(...)` or `.dtype`. "
        "Where does a type such as `int32` or `int16` come in: in an array, in a tensor, in a conversion?",
        "Multiply the parameters as they come in, with stars and without any array; then every step is Python's. "
        "If you want an array of the sizes, give it a type with room, `int64` or `float64`, "
        "before anything is multiplied, and not after it.",
    ),
)

score_bytes.hints_for(
    "stores_half_of_the_map",
    "stores_a_triangle",
    "leaves_out_the_diagonal",
    hints=(
        "An array is a rectangle, and memory is set aside for all of it. "
        "A mask takes no places out: it writes something else into them, and minus infinity takes as many bytes as "
        "any other number. "
        "The diagonal belongs to the map like the rest. "
        "So what counts is how many places there are, and not how many of them are used.",
        "Call your function with one item, one head, 4 tokens, and 1 byte for a number. "
        "The map has 16 fields. "
        "An 8 is half of it, a 10 and a 6 are the triangles with and without the diagonal, and a 12 is the square "
        "without it. "
        "Then find the line: a division by 2, a plus or minus 1, a loop that stops at the query, a `tril`.",
        "The number of fields is the tokens times the tokens, the full square, with nothing taken off. "
        "If you count in loops, both of them run over all tokens, from the first to the last. "
        "Whether a mask is used later makes no difference here: each score has its place before a mask comes.",
    ),
)

score_bytes.hints_for(
    "adds_in_place_of_multiplying",
    hints=(
        "Where something is chosen in several steps, the numbers of choices are multiplied. "
        "Two shirts and three pairs of trousers make six outfits, and not five. "
        "A score is chosen in four steps: which text, which head, which query, which key. "
        "A plus is for things that lie side by side, such as two arrays that are stored both.",
        "Call your function with 3 items, 4 heads, 1 token, and 1 byte for a number. "
        "There are twelve maps with one field each, so 12 should come out. "
        "Then ask torch how many numbers a shape has: `torch.zeros(3, 4, 5, 5).numel()`. "
        "How does what it says come from the four sizes?",
        "Exchange every plus between two sizes for a star: batch, heads, tokens, tokens and bytes are the factors of "
        "one product. "
        "If you count in loops, put the loop over the heads inside the one over the batch, and add a whole map in "
        "each turn. "
        "Then every text gets all of its heads.",
    ),
)

score_bytes.hints_for(
    "stores_several_copies",
    hints=(
        "How much a program keeps depends on how it is written: scores, weights, a mask, gradients. "
        "Two people who count all of that seldom agree. "
        "So this function asks for one thing, the scores, once. "
        "That makes it a good measure: who stores two arrays of this size takes its result twice.",
        "Call your function with one item, one head, one token, and 1 byte for a number. "
        "There is a single score of one byte, so 1 should come out; what you get is the factor that is too much. "
        "Then look for it: a written number, a sum of two equal things, or a size in bytes beside the parameter that "
        "says it already.",
        "Each factor of the product is a parameter: the batch, the heads, the tokens as queries, the tokens as keys, "
        "the bytes of a number. "
        "No written number is needed beside them. "
        "If you add up several arrays, keep the scores and leave out the rest.",
    ),
)

score_bytes.hints_for(
    "gives_scores_features",
    "gives_the_bytes_of_keys_and_values",
    hints=(
        "Here lists become numbers. "
        "A query and a key have a list of features each; their dot product adds up along this list, and one number is "
        "left for the pair. "
        "So features decide how long it takes to make a score, and not how much room it takes afterwards. "
        "What the scores have many of are pairs.",
        "Make some scores and look at their shape: a tensor of shape (1, 2, 5, 64) times another one with its last "
        "two axes swapped. "
        "Where has the 64 gone, and what do the last two numbers count? "
        "Then look in your code for a 32, a 64 or a 128, for a name such as `head_size`, and for a 2 that counts keys "
        "and values.",
        "The factors are the four axes of the scores, and then the bytes: batch, heads, queries, keys. "
        "The last two are both the tokens, so the tokens stand in the product twice. "
        "The size of a head is not among them, and the function does not even get it; whatever stands for it goes.",
    ),
)

score_bytes.hints_for(
    "takes_the_caret_for_a_power_of_tokens",
    hints=(
        "Python reads a line in its own order, and this sign comes after the products. "
        "So on its two sides may stand whole products, and not the small pieces that you meant. "
        "With brackets around it other numbers meet, but it works on their bits all the same, and that is no power. "
        "There is no error, because all whole numbers have bits.",
        "Try the piece by itself, in a cell of its own: what does your way of writing a square make of 5, and of 10? "
        "It should be 25 and 100. "
        "Then look at the whole line, and ask of each sign what stands on its two sides. "
        "Is the square worked out before all the rest?",
        "The tokens are to be multiplied by themselves. "
        "A power has two stars in Python; it is worked out before the products, and needs no brackets. "
        "Or write the name twice, with one star between. "
        "The other factors of the line, batch, heads and bytes, are fine as they are.",
    ),
)


# questions


@varied(rows=(2, 3, 4, 5, 6), inner=(3, 2, 4, 5, 6, 7), columns=(4, 3, 5, 6, 7, 8, 10))
def product_flops(rows, inner, columns):
    """how many FLOPs does a $({rows}, {inner})$ matrix times a $({inner}, {columns})$ matrix take?"""
    result, first, second = rows * columns, rows * inner, inner * columns
    multiplications = rows * inner * columns
    return Question(
        answer=2 * multiplications,
        wrong={
            multiplications: f"{multiplications} is the number of multiplications. Each is followed by an addition, "
            "and that counts as well.",
            second: f"The second matrix has {second} numbers. Look at the result: how many numbers has it, "
            "and what does each take?",
            result: f"{result} is the size of the result: {rows} rows, {columns} columns. "
            f"Each of these numbers is a sum of {inner} products.",
            first: f"The first matrix has {first} numbers. Look at the result: how many numbers has it, "
            "and what does each take?",
            2 * result: f"That is two operations for each of the {result} numbers of the result. "
            "Each of them is a sum of several products: of how many?",
            2 * multiplications - result: f"You counted one addition too few for a sum of {inner} products. "
            f"The loop starts from 0, so it adds {inner} times.",
            4 * multiplications: f"{4 * multiplications} is twice too much. "
            "The factor 2 stands for a multiplication and an addition, and comes once.",
            first * second: f"You multiplied the sizes of the two matrices, {first} and {second}. "
            f"The size in the middle, {inner}, counts once only.",
            2 * first * second: f"You multiplied the sizes of the two matrices. The size in the middle, {inner}, "
            "counts once only.",
            first + second: "You added the sizes of the two matrices. "
            "Each number of the result takes several operations.",
            2 * (first + second): "You added the sizes of the two matrices, and doubled them. "
            f"The result has {result} numbers, and each takes the same work. What does one take?",
        },
        hints=(
            "Each number of the result is one dot product. "
            "Count how many numbers there are, and what one of them takes. "
            "In the loops above, each round of the innermost loop does one multiplication and one addition, and both "
            "of them count.",
            f"The result is ({rows}, {columns}). "
            f"The size {inner} is the one that both matrices share: the dot product runs along it. "
            f"So one number of the result takes {inner} multiplications and {inner} additions. "
            "What do all numbers of the result take together?",
            f"Put a = {rows}, b = {inner} and c = {columns} into the rule above the question. "
            "Do not leave out the 2 in front of it: it is there because each term takes a multiplication and an "
            "addition. "
            "You have four numbers to multiply.",
        ),
    )


what_the_article_forgot = Question(
    answer="b",
    wrong={
        "a": "Heads stand in no row of the table of six products, and your count agreed with torch's without them. "
        "Work out each of the article's three terms with the rule, and compare.",
        "c": "Softmax takes a few operations for each weight, and a map of 2048 by 2048 has 4 million weights. "
        "What is missing are 275 billion operations. Look at the largest term.",
        "d": "Another unit is part of it, and it would give the same factor in all terms. "
        "Divide each of the article's terms by what the rule gives: is it the same factor everywhere?",
    },
    hints=(
        "Work out each of the article's three numbers with the rule of this lesson, and divide: how far off is it? "
        "If heads or another unit were the reason, all three would be off by the same factor, or by none. "
        "Are they?",
        "The article says n·d² for all projections together. "
        "How many products are they, and how many operations does each term of a product take? "
        "Then do the same for the scores: that is one product, so only one of these two things can be missing there.",
        "Scores and mix are off by a factor of 2, projections by a factor of 8. "
        "A factor of 2 is in both. "
        "What makes the other 4? "
        "Softmax is in neither of our counts, and the number of heads changes none of them.",
    ),
)

share_of_projections = Question(
    answer=80,
    wrong={
        20: "20 % is the share of scores and mix. The question asks for the other part.",
        0.8: "That is the right share as a fraction. The question asks for per cent.",
        0.2: "That is the share of scores and mix, as a fraction. The question asks for the projections, in per cent.",
        50: "Half comes out if one projection is set against the two products of mixing, as in the article. "
        "How many projections are there?",
        75: "75 % comes out with three projections. The one at the end is the fourth.",
        66.7: "Two thirds come out without the factors, d against d + n. There are four projections, and two others.",
        33.3: "A third is n against d + n: the share of mixing, and without the factors. "
        "There are four projections, and two products of mixing.",
        25: "25 is how many per cent of the *projections* scores and mix are. "
        "The question asks how many per cent of the whole the projections are.",
        68.7: "68.7 GFLOP is what scores and mix take. The question asks for the projections, in per cent of 343.6.",
        274.9: "274.9 GFLOP is what the projections take. The question asks how many per cent of 343.6 that is.",
        400: "That is how the two parts compare, 4 to 1, as a percentage. The whole is both parts together.",
        4: "4 is the ratio of the two parts. How large a share of the whole has the larger one?",
        88.9: "That is with one product of mixing, the scores or the mix. Both belong to the whole.",
    },
    hints=(
        "You need one of the two parts, and the whole. "
        "The whole is known: 343.6 GFLOP. "
        "The part is the one that is the same for each token, however long the text is. "
        "Divide it by the whole, and take the result times 100.",
        "The projections are the part that holds the square of the model size. "
        "Work out 8 · 2048 · 4096², or divide both parts by something they share first. "
        "Here d is twice n, so one letter can take the place of the other.",
        "Per token the projections are 8·d² and the rest is 4·n·d. "
        "With n = d/2 the rest is 2·d². "
        "So what is 8 of 8 + 2? "
        "The d² stands in both parts, and you may leave it out. "
        "Give the share in per cent.",
    ),
)

factor_for_eight_heads = Question(
    answer=1,
    wrong={
        8: "Eight times would be true for heads of full width. These heads have d/8 features each, "
        "and a product with an eighth of the features takes an eighth of the work.",
        0.125: "One head alone takes an eighth of the mixing. But there are eight of them.",
        64: "Neither the number of heads nor their width enters twice. Each head has d/8 features; there are 8 heads.",
        0: "A factor of 0 would leave no work at all. A factor says by what the old number is multiplied.",
        7: "7 is how many heads are added. But all eight are thinner than the one was. What does a thin one take?",
        2: "Nothing is done twice here: eight heads, and each has an eighth of the features.",
        0.5: "Nothing is halved here: eight heads, and each has an eighth of the features.",
        1 / 64: "An eighth of an eighth: that would be one head, if its features entered twice. There are eight heads, "
        "and in each of the two products of mixing the features stand once.",
    },
    hints=(
        "Two things change at once: the number of heads, and the width of each. "
        "One of them makes more work, and the other makes less. "
        "Write down what the scores of one head take, and then what those of eight heads take. "
        "How do the two differ?",
        "The scores of one head take 2·n·n·(its features). "
        "How many features has one of 8 heads? "
        "Try it with numbers: with d = 64 there is one head of 64 features, or there are eight heads of 8. "
        "Multiply out both, and compare.",
        "Multiply 8 heads by an eighth of the features. "
        "What is left of the 8? "
        "The mix goes in the same way. "
        "And the projections lead from d columns to d columns, however many heads share these out afterwards. "
        "Give one factor for all.",
    ),
)

megabytes_of_maps = Question(
    answer=32 * 8 * 128**2 * 4 / 1e6,
    wrong={
        16.0: "16.0 is in MiB, steps of 1024. In megabytes, a million bytes each, the number is a little larger.",
        256: "256 is the number of maps, and it is right. How many megabytes do they take?",
        4.19: "That is the millions of numbers. Each `float32` takes 4 bytes.",
        134.2: "That is in megabits. `float32` has 32 bits, which are 4 bytes.",
        4194304: "That is the number of scores, and right. How many bytes does each take, and how many MB is that?",
        8.39: "That is with 2 bytes a number, for `float16`. `float32` takes 4.",
        33.55: "That is twice too much, as with 8 bytes a number, for `float64`. `float32` takes 4.",
        0.524: "That is for one text. The batch has 32.",
        0.5: "That is for one text. The batch has 32.",
        67.1: "That is four times too much: the 4 bytes of a number are in twice. `score_bytes` has them already.",
        134217728: "That is in bits. A byte has 8 of them, and a megabyte is a million bytes.",
        2.097: "That is for one head. There are 8.",
        0.131: "That is one score for each token, in each of the 256 maps. A map has 128 rows *and* 128 columns.",
        0.0655: "That is a single map: one head of one text. There are 8 heads and 32 texts.",
        16777216: "That is in bytes, and right. A megabyte is a million of them.",
        0.0168: "That is in gigabytes. The question asks for megabytes.",
    },
    tolerance=2e-2,
    hints=(
        "Your function does nearly all of it. "
        "What is left is the unit: it gives bytes, and the question asks for megabytes. "
        "Look up which inputs it wants, and in which order. "
        "One of the numbers in the question, that of `float32`, it takes by itself.",
        "Batch 32, heads 8, tokens 128, and 4 bytes for each number. "
        "Each map has 128 · 128 numbers, and there is a map for each head of each text, 256 in all. "
        "A megabyte is a million bytes here, as a gigabyte above is a billion.",
        "Call `score_bytes` with the first three numbers of the question, and divide what it gives by a million. "
        "If 16 comes out exactly, you have divided by 1024 twice, and that is another unit. "
        "The number you want is a little larger.",
    ),
)

factor_for_the_cache = Question(
    answer=1,
    wrong={
        2: "Twice as many heads, but each is half as large: n_kv · d_h stays the same. "
        "The cache holds features, not maps.",
        0.5: "Each head is half as large, but there are twice as many.",
        4: "The number of heads enters once, and the head size undoes it.",
        0.25: "The head size enters once, and the number of heads undoes it.",
        64: "64 is the number of heads of the second model. By which factor does the whole formula change?",
        32: "32 is the number of heads of the first model. By which factor does the whole formula change?",
    },
    hints=(
        "The formula has five factors. "
        "Which of them differ between the two models? "
        "Write it down twice, once for each model, and put in what you know. "
        "Layers and tokens are the same for both, so you can cross them out on both sides.",
        "The number of heads doubles, and the size of each is halved. "
        "Both stand in the formula. "
        "Try it with small numbers: 2 heads of 6 features each, and 4 heads of 3 features each. "
        "How many numbers does a token have in the cache then?",
        "Multiply the two changes: 2 for the heads, 1/2 for their size. "
        "All other factors of the formula are the same in both models. "
        "A factor of 2 would mean a cache twice as large, a factor of 1/2 one half as large.",
    ),
)


@varied(tokens=((4096, 16384), (2048, 8192), (8192, 32768), (1024, 4096)), time=(100, 30, 40, 60, 70, 80, 90, 110, 120))
def milliseconds_of_a_longer_text(tokens, time):
    """Their text of {tokens[0]} tokens takes {time} ms.
    How many milliseconds will a text of {tokens[1]} tokens take?
    """
    shorter, longer = tokens
    return Question(
        answer=16 * time,
        wrong={
            4 * time: f"{4 * time} ms would be four times the wait for four times the tokens: a line that rises one "
            "step for each step to the right. The line *n squared* rises two.",
            2 * time: "That is one doubling, and as if the wait grew with the tokens only. "
            "How many doublings are there?",
            8 * time: f"Each doubling of the tokens takes the same factor. {shorter} to {longer} are two doublings; "
            "what does one take?",
            16: f"16 is the factor, and right. How many ms is that, if the shorter text takes {time}?",
            16 * time / 1000: "That is in seconds. The question asks for ms.",
            64 * time: "That is the factor for three doublings, or for n³. How many doublings are there?",
            256 * time: "The factor was squared once too often. Four times the tokens: how many times the pairs of "
            "tokens?",
            4: "4 is how many times more tokens there are. What does n² make of it, and how many ms is that?",
            time: "The longer text has four times as many tokens, and here each doubling costs more than double.",
            short(time / 4): "A longer text takes longer: here one must multiply, not divide.",
            32 * time: "That is twice too much. The tokens double two times; what does each doubling do to the time?",
            17 * time: f"The {time} ms of the shorter text came on top. "
            "The longer text takes a multiple of them, and no more.",
        },
        hints=(
            "Along the line *n squared*, twice the tokens take four times as long. "
            "So the number of tokens counts twice, as a factor of itself. "
            "First ask how many times as long the new text is. "
            "Then ask what that does to the time.",
            f"From {shorter} tokens to {longer} the text is doubled twice. "
            "Each time the tokens are doubled, the time becomes four times as long. "
            f"At {2 * shorter} tokens the text is doubled once, and takes {4 * time} ms. "
            "One more doubling is missing.",
            "Take the time of the shorter text times four, and once more times four. "
            "In one step it is the same: the text is four times as long, and the square of four is the factor. "
            f"Begin with {time} ms, and stay with milliseconds.",
        ),
    )


rank_of_scores = Question(
    answer=3,
    wrong={
        10: "The table is 10 by 10, but look at the sum above the code: of how many rows is every row a mixture? "
        "(After softmax the rank would be 10.)",
        30: "30 is how many numbers the queries hold, or the keys. A rank counts rows: how many are enough?",
        100: "100 is how many scores there are. A rank counts rows: how many are enough to make all the others?",
        0: "With no rows one can mix only zeros. Look at the sum above the code: of what is each row made?",
        2: "Two rows are too few. Look at the sum above the code: how many columns of the keys are mixed?",
        4: "Four are more than needed. Look at the sum above the code: how many terms has it?",
        6: "Queries and keys have 3 features each, but these meet, and do not add up.",
        1: "One row is enough only if all rows are multiples of each other. Here each query has 3 features.",
        9: "The rank of a product is at most that of its thinner factor. How many columns has the query?",
    },
    hints=(
        "The rank says how many rows are enough, so that all other rows are mixtures of these. "
        "The ten rows of the scores all look different. "
        "But the sum above the code mixes each of them from the same few things. "
        "How many are these?",
        "The sum above the code makes a row of the scores from columns of the keys. "
        "How many terms has it? "
        "For another query the numbers in front of the columns are others, but the columns themselves are the same. "
        "So the sum has as many terms for each row.",
        "A product of (10, 3) with (3, 10) has at most the rank of its smaller size. "
        "These numbers are random, so it has all of that. "
        "More tokens make more rows, and no new columns of the keys. "
        "What is the smaller size?",
    ),
)

favourites_of_a_thin_head = Question(
    answer=2,
    wrong={
        64: "With one feature a query can say only two things: the larger the better, or the smaller the better.",
        1: "A positive query and a negative one do not choose the same key.",
        32: "Think of the keys in a row, from the smallest to the largest. Which of them does a positive query choose?",
        63: "Think of the keys in a row, from the smallest to the largest. Which of them does a positive query choose?",
        62: "Those are the keys that *cannot* win. The question asks for the others.",
        8: "8 is what you will measure with two features. Here there is one.",
        0: "Each query has a favourite, so there is one at least. Is it the same for all queries?",
        10: "The 10 keys were those of the example above. Here are 64, on one line. Which one does the query 2 choose?",
        128: "There are only 64 keys. Which of them does a positive query choose, and which a negative one?",
        3: "Can a key between two others ever have the largest product with one number?",
    },
    hints=(
        "With one feature, keys are points on a line. "
        "The score of a key is the query's number times its place. "
        "Draw a line with some keys on both sides of 0, and take a query of 1. "
        "Which key has the largest product?",
        "Take the query 2. "
        "Which key gets the largest score? "
        "Does that change for the query 5? "
        "A larger number stretches all the scores, and leaves them in the same order. "
        "So all positive queries agree. "
        "What about a query below 0?",
        "Then take the query -2. "
        "All positive queries choose alike, and so do all negative ones. "
        "A negative number turns the order of the keys round. "
        "So which key wins now, and how many different winners have you seen in all?",
    ),
)

why_more_heads = Question(
    answer="b",
    wrong={
        "a": "Nobody has such a list, and heads do not work like that: one head may serve several relations, "
        "and many heads turn out to be superfluous. Look at the table of models: which column hardly changed?",
        "c": "It is the other way round: each head has a map of its own.",
        "d": "The matrix products cost the same, whatever the number of heads: you have proved it above.",
    },
    hints=(
        "Go back to the first table: three columns grew from 2017 to 2020. "
        "One hardly did. "
        "The number of heads times the size of a head is the size of the model. "
        "So if the model gets wider, and a head does not, what must happen?",
        "12288 / 96 and 512 / 8 stand in the last column but one. "
        "What do these two numbers say? "
        "The model became 24 times as wide, and has 12 times as many heads. "
        "So by which factor did the size of one head grow?",
        "The head size is chosen first, as 64 or 128, and the number of heads follows from the model size. "
        "Look for the answer that tells it in this order. "
        "You have counted what more heads do to memory and to products: do they make either less?",
    ),
)

what_one_head_can_do = Question(
    answer="b",
    wrong={
        "a": "The map shows one head that serves two relations: *I* looks at its verb, *love* at its object. "
        "Each query has a row of its own.",
        "c": "Width does not help here. A query has one row of weights in each head, and all features are mixed by it. "
        "To keep two mixtures apart, a query needs two heads.",
    },
    hints=(
        "A head has one map. "
        "Which part of it belongs to *I*, and which to *love*? "
        "Look at the two bold numbers of the table: do they stand in the same row, or in two? "
        "Each word that asks fills its own row as it likes.",
        "Two queries may follow two relations. "
        "But what if *love* wants its subject and its object, each by itself? "
        "It has one row, so what it finds is one mixture. "
        "A wider head has more features. "
        "Does it have more rows for *love*?",
        "Rows are free from each other, so (a) asks too much. "
        "All features share a row, so (c) promises too much. "
        "Hold the sentence that is left against the table: what do *I* and *love* do there, and what can *love* not "
        "do?",
    ),
)

what_keeps_heads_apart = Question(
    answer="d",
    wrong={
        "a": "The usual loss looks at the model's output only. It knows nothing of heads. "
        "(Some researchers have added such a term; the models in this lesson do without.)",
        "b": "Softmax runs within one row of one head. No head appears in another one's sum.",
        "c": "W_O comes after the maps, and takes whatever the heads hand on. Nothing in it forbids two equal heads.",
    },
    hints=(
        "Look for the place in the formulas where one head could feel what another one does. "
        "Each head has its own scores, its own softmax, its own mixture. "
        "They meet in W_O, and nowhere before. "
        "Does anything there compare them with each other?",
        "If all heads started with the same matrices, they would get the same gradients, if W_O treats them alike. "
        "In lesson 05 two such heads stayed equal for ever. "
        "So what was different in heads that did go their own ways?",
        "No part of the layer compares heads. "
        "What differs between them at the very start? "
        "Different numbers get different gradients, and take different steps. "
        "That often keeps heads apart, but it promises nothing. "
        "Which answer says as much, and no more?",
    ),
)

dog_against_sep = Question(
    answer=10,
    wrong={
        9: "9 is the ratio of the weights, 0.9 to 0.1, and it speaks for [SEP]. "
        "Or you have 90 times 0.1: there, the weight of [SEP] is missing. "
        "Each of the two tokens needs its weight *and* the length of its value.",
        0.009: "That is how far [SEP] moves the output. How many times as far does *dog* move it?",
        81: "That gives the weight of 0.9 to *dog*. In the question [SEP] has it, and *dog* has 0.1.",
        90: "90 is the ratio of the lengths. The weights count as well, and [SEP] has the larger one.",
        0.1: "You divided the smaller by the larger. How many times as far does *dog* move it?",
        0.111: "That is the ratio of the weights. The lengths of the values count as well.",
        810: "The ratio of the lengths is 90 for *dog*, that of the weights is 9 against it. So divide.",
        0.09: "That is how far *dog* moves the output. Compare it with how far [SEP] does.",
        0.081: "That is a difference. *How many times as far* asks for a ratio.",
        1: "A larger weight does not always balance a shorter value. Multiply each weight with its length.",
        100: "The weight of *dog* is missing: its value has length 0.9, and only a part of it is taken.",
        0.9: "0.9 is the length of one value, and the weight of the other token. Multiply weight and length for each.",
        0.81: "That is 0.9 times 0.9, and these belong to different tokens. Which weight has *dog*?",
    },
    hints=(
        "How far a token moves the output is its weight times the length of its value. "
        "So a large weight alone says little: it matters how much there is to take. "
        "Work out this product for each of the two tokens, and compare them.",
        "Work it out for both tokens: [SEP] has a large weight and a tiny value, *dog* has it the other way round. "
        "You get two small numbers. "
        "The question is how many times the one of [SEP] fits into the one of *dog*.",
        "Multiply 0.1 by 0.9, and 0.9 by 0.01. "
        "Divide the first by the second. "
        "The 0.9 stands in both products, once as a length and once as a weight, so you may leave it out. "
        "What is 0.1 divided by 0.01?",
    ),
)
