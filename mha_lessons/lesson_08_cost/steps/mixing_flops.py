"""What people get wrong about `mixing_flops`, and what helps them."""

from ..exercises import mixing_flops


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
