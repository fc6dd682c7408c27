"""Lesson 08: what attention costs, and what people believe about it."""

import math

import mha_ref
from autograder import inputs
from autograder.exercise import Exercise, Question, Step, TestWriting
from autograder.properties import (
    a_count_is_a_sum_of_products,
    every_size_counts,
    projections_grow_with_the_tokens,
    scores_and_mix_grow_with_their_square,
    the_crossing_is_found_for_every_size,
    twice_the_model_twice_the_crossing,
)

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
        "The weights of a head are a table. Who has a row in it, and who has a column?",
        "The French words ask, so they have the rows. The English words are asked.",
        "4 rows, and 6 weights in each.",
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
        "One part was taken out of one model. Which of the three sentences says no more than that?",
        "In lesson 07 a trained translator lost its W_O, and another one never had it. How good were the two?",
        "The first was ruined, the second as good as ever. So what does the first one show?",
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
    },
    hints=(
        "The number of heads does not matter: they are one more axis in front, like the batch.",
        "Walk through the layer: project, split, scores, mix, merge, output. Where is something multiplied?",
        "Three projections, then scores, mix and output. To split and to merge takes no product.",
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
    properties=(a_count_is_a_sum_of_products, projections_grow_with_the_tokens, scores_and_mix_grow_with_their_square),
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
    properties=(the_crossing_is_found_for_every_size, twice_the_model_twice_the_crossing),
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
    An example has its numbers; a function takes them from whoever calls it.
    Where does {length:g} stand in your code?"""
    return attention_flops(length, model_size)


@attention_flops.misconception(size=(512, 4096))
def counts_for_a_fixed_model(tokens, model_size, *, size):
    """Your count is that of a model size of {size:g}, whatever `model_size` is.
    An example has its numbers; a function takes them from whoever calls it.
    Where does {size:g} stand in your code?"""
    return attention_flops(tokens, size)


@attention_flops.misconception
def gives_the_number_of_the_example(tokens, model_size):
    """Your function gives the number of one example, 2048 tokens and a model size of 4096, whatever is asked.
    A function takes its sizes from whoever calls it.
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


@mixing_flops.misconception(steps=(1, 2, 3, 5))
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


@crossover_length.misconception(length=(512, 1024, 2048, 4096, 8192, 16384))
def gives_a_fixed_length(model_size, *, length):
    """Your function returns {length:g}, whatever the model size is.
    A wider model has more expensive projections, so its crossing lies further to the right, as in the picture.
    Solve the equation with d left as a letter."""
    return length


@crossover_length.misconception(factor=(1, 2, 4, 8))
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


@crossover_length.misconception(limit=(100, 1000, 5000))
def stops_searching_too_soon(model_size, *, limit):
    """Your length is right for small model sizes, and for large ones your function gives back nothing (None).
    So a search seems to end before it has found the crossing, and no `return` follows.
    How far does yours go? The wider the model, the further it must; an equation solved for n needs no search."""
    return 2 * model_size if 2 * model_size <= limit else None


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


@score_bytes.misconception(unit=(1e3, 1e6, 1e9))
def counts_in_decimal_units(batch, heads, tokens, bytes_per_number=4, *, unit):
    """Your number comes in units of {unit:,.0f} bytes: KB, MB or GB.
    They are good for reading. This function is asked for plain bytes.
    Where does your code divide?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / unit


@score_bytes.misconception(power=(10, 20, 30))
def counts_in_binary_units(batch, heads, tokens, bytes_per_number=4, *, power):
    """Your number comes in units of 2 to the power of {power:g} bytes: KiB, MiB or GiB, made of steps of 1024.
    They are good for reading. This function is asked for plain bytes.
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
    """Your number is that of the keys and the values, with {features:g} features in each head: two for every token.
    They are what a model keeps while it writes. The scores are something else: one number for every *pair* of tokens.
    Where do the tokens stand in your product a second time?"""
    return score_bytes(batch, heads, tokens, bytes_per_number) / tokens * 2 * features


# questions

product_flops = Question(
    answer=48,
    wrong={
        24: "24 is the number of multiplications. Each is followed by an addition, and that counts as well.",
        12: "The second matrix has 12 numbers. Look at the result: how many numbers has it, and what does each take?",
        8: "8 is the size of the result: 2 rows, 4 columns. Each of these numbers is a sum of three products.",
        6: "The first matrix has 6 numbers. Look at the result: how many numbers has it, and what does each take?",
        16: "That is two operations for each of the 8 numbers of the result. "
        "Each of them is a sum of several products: of how many?",
        40: "You counted 2 additions for a sum of three products. The loop starts from 0, so it adds three times.",
        96: "96 is twice too much. The factor 2 stands for a multiplication and an addition, and comes once.",
        72: "You multiplied the sizes of the two matrices, 6 and 12. The size in the middle, 3, counts once only.",
        144: "You multiplied the sizes of the two matrices. The size in the middle, 3, counts once only.",
        18: "You added the sizes of the two matrices. Each number of the result takes several operations.",
    },
    hints=(
        "Each number of the result is one dot product. Count how many numbers there are, and what one of them takes.",
        "The result is (2, 4). The size 3 is the one that both matrices share: the dot product runs along it.",
        "Put a = 2, b = 3 and c = 4 into the rule above the question.",
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
        "Work out each of the article's three numbers with the rule of this lesson, and divide: how far off is it?",
        "The article says n·d² for all projections together. "
        "How many products are they, and how many operations does each term of a product take?",
        "Scores and mix are off by a factor of 2, projections by a factor of 8. "
        "A factor of 2 is in both. What makes the other 4?",
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
    },
    hints=(
        "You need one of the two parts, and the whole. The whole is known: 343.6 GFLOP.",
        "The projections are the part that holds the square of the model size. "
        "Work out 8 · 2048 · 4096², or divide both parts by something they share first.",
        "Per token the projections are 8·d² and the rest is 4·n·d. "
        "With n = d/2 the rest is 2·d². So what is 8 of 8 + 2?",
    ),
)

factor_for_eight_heads = Question(
    answer=1,
    wrong={
        8: "Eight times would be true for heads of full width. These heads have d/8 features each, "
        "and a product with an eighth of the features takes an eighth of the work.",
        0.125: "One head alone takes an eighth of the mixing. But there are eight of them.",
        64: "Neither the number of heads nor their width enters twice. Each head has d/8 features; there are 8 heads.",
        2: "Nothing is done twice here: eight heads, and each has an eighth of the features.",
        0.5: "Nothing is halved here: eight heads, and each has an eighth of the features.",
        1 / 64: "An eighth of an eighth: that would be one head, if its features entered twice. There are eight heads, "
        "and in each of the two products of mixing the features stand once.",
    },
    hints=(
        "Two things change at once: the number of heads, and the width of each.",
        "The scores of one head take 2·n·n·(its features). How many features has one of 8 heads?",
        "Multiply 8 heads by an eighth of the features. What is left of the 8?",
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
        2.097: "That is for one head. There are 8.",
        0.131: "That is one score for each token, in each of the 256 maps. A map has 128 rows *and* 128 columns.",
        0.0655: "That is a single map: one head of one text. There are 8 heads and 32 texts.",
        16777216: "That is in bytes, and right. A megabyte is a million of them.",
        0.0168: "That is in gigabytes. The question asks for megabytes.",
    },
    tolerance=2e-2,
    hints=(
        "Your function does nearly all of it. What is left is the unit.",
        "Batch 32, heads 8, tokens 128, and 4 bytes for each number. Each map has 128 · 128 numbers.",
        "Call `score_bytes(32, 8, 128)` and divide by a million.",
    ),
)

factor_for_the_cache = Question(
    answer=1,
    wrong={
        2: "Twice as many heads, but each is half as large: n_kv · d_h stays the same. It holds features, not maps.",
        0.5: "Each head is half as large, but there are twice as many.",
        4: "The number of heads enters once, and the head size undoes it.",
        0.25: "The head size enters once, and the number of heads undoes it.",
    },
    hints=(
        "The formula has five factors. Which of them differ between the two models?",
        "The number of heads doubles, and the size of each is halved. Both stand in the formula.",
        "Multiply the two changes: 2 for the heads, 1/2 for their size.",
    ),
)

milliseconds_of_a_longer_text = Question(
    answer=1600,
    wrong={
        400: "400 ms would be four times the wait for four times the tokens: a line that rises one step for each step "
        "to the right. The line *n squared* rises two.",
        200: "That is one doubling, and as if the wait grew with the tokens only. How many doublings are there?",
        800: "Each doubling of the tokens takes the same factor. 4096 to 16384 are two doublings; what does one take?",
        16: "16 is the factor, and right. How many ms is that, if the shorter text takes 100?",
        1.6: "That is in seconds. The question asks for ms.",
        6400: "That is the factor for three doublings, or for n³. How many doublings are there?",
        25600: "The factor was squared once too often. Four times the tokens: how many times the pairs of tokens?",
        4: "4 is how many times more tokens there are. What does n² make of it, and how many ms is that?",
    },
    hints=(
        "Along the line *n squared*, twice the tokens take four times as long.",
        "From 4096 tokens to 16384 the text is doubled twice.",
        "Take the time of the shorter text times four, and once more times four.",
    ),
)

rank_of_scores = Question(
    answer=3,
    wrong={
        10: "The table is 10 by 10, but look at the sum above the code: of how many rows is every row a mixture? "
        "(After softmax the rank would be 10.)",
        30: "A rank counts rows, and there are 10 of them. How many are enough to make all the others?",
        100: "A rank counts rows, and there are 10 of them. How many are enough to make all the others?",
        6: "Queries and keys have 3 features each, but these meet, and do not add up.",
        1: "One row is enough only if all rows are multiples of each other. Here each query has 3 features.",
        9: "The rank of a product is at most that of its thinner factor. How many columns has the query?",
    },
    hints=(
        "The rank says how many rows are enough, so that all other rows are mixtures of these.",
        "The sum above the code makes a row of the scores from columns of the keys. How many terms has it?",
        "A product of (10, 3) with (3, 10) has at most the rank of its smaller size.",
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
        3: "Can a key between two others ever have the largest product with one number?",
    },
    hints=(
        "With one feature, keys are points on a line. The score of a key is the query's number times its place.",
        "Take the query 2. Which key gets the largest score? Does that change for the query 5?",
        "Then take the query -2. All positive queries choose alike, and so do all negative ones.",
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
        "Go back to the first table: three columns grew from 2017 to 2020. One hardly did.",
        "12288 / 96 and 512 / 8 stand in the last column but one. What do these two numbers say?",
        "The head size is chosen first, as 64 or 128, and the number of heads follows from the model size.",
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
        "A head has one map. Which part of it belongs to *I*, and which to *love*?",
        "Two queries may follow two relations. But what if *love* wants its subject and its object, each by itself?",
        "Rows are free from each other, so (a) asks too much. All features share a row, so (c) promises too much.",
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
        "Look for the place in the formulas where one head could feel what another one does.",
        "If all heads started with the same matrices, they would get the same gradients, if W_O treats them alike.",
        "No part of the layer compares heads. What differs between them at the very start?",
    ),
)

dog_against_sep = Question(
    answer=10,
    wrong={
        9: "9 is the ratio of the weights, 0.9 to 0.1, and it speaks for [SEP]. "
        "Or you have 90 times 0.1: there, the weight of [SEP] is missing. "
        "Each of the two tokens needs its weight *and* the length of its value.",
        0.009: "That is how far [SEP] moves the output. How many times further does *dog*?",
        81: "That gives the weight of 0.9 to *dog*. In the question [SEP] has it, and *dog* has 0.1.",
        90: "90 is the ratio of the lengths. The weights count as well, and [SEP] has the larger one.",
        0.1: "You divided the smaller by the larger. How many times further does *dog* move it?",
        0.111: "That is the ratio of the weights. The lengths of the values count as well.",
        810: "The ratio of the lengths is 90 for *dog*, that of the weights is 9 against it. So divide.",
        0.09: "That is how far *dog* moves the output. Compare it with how far [SEP] does.",
        0.081: "That is a difference. How many times further asks for a ratio.",
        1: "A larger weight does not always balance a shorter value. Multiply each weight with its length.",
    },
    hints=(
        "How far a token moves the output is its weight times the length of its value.",
        "Work it out for both tokens: [SEP] has a large weight and a tiny value, *dog* has it the other way round.",
        "Multiply 0.1 by 0.9, and 0.9 by 0.01. Divide the first by the second.",
    ),
)
