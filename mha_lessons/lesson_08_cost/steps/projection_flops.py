"""What people get wrong about `projection_flops`, and what helps them."""

from ..exercises import projection_flops


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
