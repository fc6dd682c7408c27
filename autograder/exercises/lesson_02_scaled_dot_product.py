"""Lesson 02: from queries and keys to scores, from scores to weights, from weights to a mean of values."""

import math

import numpy as np

import mha_ref
from autograder import inputs
from autograder.exercise import Exercise, Question, Step, TestWriting
from autograder.properties import (
    batch_items_do_not_touch_each_other,
    keys_with_their_values_may_be_shuffled,
    outputs_lie_between_the_values,
    rows_do_not_touch_each_other,
    twice_the_values_twice_the_output,
    weights_are_not_negative,
    weights_sum_to_one,
)

# do you remember lessons 00 and 01?

remember_larger_scores = Question(
    answer="c",
    points=0,
    wrong={
        "a": "Adding the same number to all scores leaves the weights as they are. "
        "Multiplying makes the differences ten times as large, and differences are what counts. "
        "Look at lesson 01, *Only differences count*.",
        "b": "Small differences make weights even. Here the differences grow from 1 to 10, as at a temperature of 0.1. "
        "Look at lesson 01, *Temperature*.",
    },
    hints=(
        "Softmax looks at the differences between scores. Which ones are there before, and which afterwards?",
        "A score that is 1 higher makes the weight 2.7 times as large. What does a score do that is 10 higher?",
        "Compare the first weight with the second: it was e times as large. Now it is e to the power of 10.",
    ),
)

remember_the_sum = Question(
    answer=4,
    points=0,
    wrong={
        1: "That would be one whole for the table. Each query has a whole of its own to share out. "
        "Look at lesson 01, *Rows, axes and keepdims*.",
        6: "That would be softmax along the first axis: there the column of each key sums to 1. "
        "Along the last axis the rows do. Look at the two tables of lesson 01, *Write softmax*.",
        24: "That would be a weight of 1 for each pair. Weights are shares: those of one row are 1 together. "
        "Look at lesson 01, *A score is not yet a share*.",
    },
    hints=(
        "You need not know a single score. What do you know of weights that softmax has made?",
        "The last axis runs along a row, and there are 6 weights in it. What is their sum?",
        "Each row sums to 1. How many rows has the table?",
    ),
)

remember_the_range = Question(
    answer="b",
    points=0,
    wrong={
        "a": "3 is what comes out if the first value has all the weight, as in a dictionary. "
        "Look at lesson 00, *A weighted mean*.",
        "c": "6.2 lies between the smallest value and the largest, and the weights 0, 0.7 and 0.3 lead there. "
        "Look at lesson 00, *Your first function*: in which range can a mean lie?",
    },
    hints=(
        "Weights are shares of one whole. How large can such a mean get at most?",
        "Give all the weight to the largest value. What comes out? Can other weights make it more?",
        "A weighted mean lies between the smallest of its values and the largest. Which number does not?",
    ),
)

similarity = Step(mha_ref.similarity)

scale = Step(mha_ref.scale)

attention_scores = Exercise(
    mha_ref.attention_scores,
    inputs.query_key,
    points=2,
    hints=(
        "A score says how well one key answers one query: the dot product of two rows, multiplied feature by feature "
        "and summed. All scores at once are one matrix product. "
        "Then they are brought back to a standard deviation of about 1, "
        "because a sum of many products spreads out like the root of how many there are.",
        "Write down both shapes: (queries, features) and (keys, features). "
        "In a matrix product the two inner axes meet and disappear, so both must be features. "
        "Which of the two arrays has to be turned for that, and which two of its axes change places? "
        "A batch in front stays where it is. One of the shapes also tells how many features there are.",
        "One line is enough. It multiplies the query by the key whose last two axes have changed places, "
        "and divides every number of the product by a square root: that of the length of the query's last axis. "
        "Count axes from the end (-1 is the last), so that a batch in front changes nothing.",
    ),
    properties=(rows_do_not_touch_each_other, batch_items_do_not_touch_each_other),
)

masked_weights = Step(mha_ref.masked_weights)

attention_weights = Exercise(
    mha_ref.attention_weights,
    inputs.query_key,
    points=1,
    hints=(
        "Each query has one whole attention to give, and shares it out over the keys. "
        "Scores say who deserves more; softmax turns them into shares that are positive and sum to 1. "
        "Both are there already: the scores from the exercise before this one, softmax from lesson 01.",
        "Two calls are enough, one inside the other. "
        "The inner one makes scores of shape (queries, keys) out of query and key. "
        "The outer one works along a single axis: the one on which the keys lie, "
        "since a query shares itself out over keys. "
        "The scores come out of the inner call already scaled.",
        "Return softmax of what `attention_scores` gives for this query and this key. "
        "The keys lie on the last axis of the scores, and that is the axis which softmax takes when you name none. "
        "Nothing is divided by a root here: that has happened inside, and must happen once.",
    ),
    properties=(
        weights_are_not_negative,
        weights_sum_to_one,
        rows_do_not_touch_each_other,
        batch_items_do_not_touch_each_other,
    ),
)

scaled_dot_product_attention = Exercise(
    mha_ref.scaled_dot_product_attention,
    inputs.query_key_value,
    points=2,
    hints=(
        "Queries and keys decide who is looked at, and how much. Values are what is handed over. "
        "So the two questions come one after the other: first the weights, which know nothing of the values, "
        "then one weighted mean of the values for each query.",
        "The weights have shape (queries, keys), the values (keys, value_features). "
        "The keys are the axis that both share: one weight for each value. They meet and disappear, "
        "and one row of value features is left for each query. "
        "Which function of lesson 00 does that?",
        "Take the weights of this query and this key from the exercise before this one. "
        "Give them, first, and the values, second, to `weighted_mean`, and return what comes back. "
        "The query and the key are not needed for anything else, and nothing is divided after mixing.",
    ),
    properties=(
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        twice_the_values_twice_the_output,
        outputs_lie_between_the_values,
        keys_with_their_values_may_be_shuffled,
    ),
)


# similarity: which numbers meet


@similarity.misconception
def forgets_to_transpose_the_keys(query, key):
    """You multiplied query and key as they are: the features of the query met the tokens of the key.
    A score compares one row of the query with one row of the key, feature by feature.
    Which two axes of `key` have to change places first?"""
    return query @ key


@similarity.misconception
def transposes_every_axis(query, key):
    """All axes of the key were turned round, as `.T` does.
    Without a batch nobody notices; with one, the batch ends up on the last axis.
    A batch keeps its place in front: let only the last two axes change places."""
    return query @ key.T


@similarity.misconception
def swaps_query_and_key(query, key):
    """Each row of your scores belongs to a key, and each column to a query.
    The query is the one who asks, so it owns a row, and softmax later shares out each row.
    Which of the two has to stand on the left of the product?"""
    return key @ query.mT


@similarity.misconception
def uses_the_cosine(query, key):
    """Your scores do not change when a query or a key gets longer: you divided by the length of both, as a cosine does.
    The dot product keeps lengths, so that a key can speak louder than another.
    Leave the rows as long as they are."""
    return similarity(_unit(query), _unit(key))


@similarity.misconception
def transposes_the_queries(query, key):
    """Your scores have one row for each feature, not one for each query: the query was turned, not the key.
    In a score the features are summed, so they disappear.
    Write the shapes on both sides of the product; the two inner axes must both be features."""
    return query.mT @ key


@similarity.misconception
def swaps_the_first_two_axes(query, key):
    """You swapped the first two axes of the key.
    Without a batch these are keys and features; with one, the first axis is the batch.
    Count axes from the end: -1 and -2 are features and keys, whatever stands before them."""
    return query @ key.swapaxes(0, 1)


@similarity.misconception
def compares_across_the_batch(query, key):
    """With a batch, your scores have axes too many: the queries of each item met the keys of every item.
    `np.dot`, `np.inner` and `np.tensordot` combine batches in this way.
    Look for a product that treats the axes in front as separate items."""
    return np.inner(query, key)


@similarity.misconception
def multiplies_elementwise(query, key):
    """You multiplied query and key number by number, in equal places, and summed nothing.
    Then each query meets one key only, and has a product for each feature.
    A score is a dot product: every query with every key, multiplied and summed over the features."""
    return query * key


@similarity.misconception(keep=(False, True))
def multiplies_equal_rows_only(query, key, *, keep):
    """In your code row 0 of the query meets row 0 of the key, row 1 meets row 1, and so on.
    Where there are more keys than queries, nobody is left to meet them, and NumPy stops.
    A score is wanted for every pair. Which product meets each row of one matrix with each column of another?"""
    return (query * key).sum(axis=-1, keepdims=keep)


@similarity.misconception
def multiplies_without_the_sum(query, key):
    """Your scores have one axis too many: there is still one product for each feature.
    A dot product multiplies and then sums, so that one number is left for each query and key.
    Over which axis is the sum missing?"""
    return query[..., :, None, :] * key[..., None, :, :]


@similarity.misconception
def averages_instead_of_summing(query, key):
    """Your scores are too small by the number of features: the products were averaged, not summed.
    A mean over features divides by their number already, and the root then divides once more.
    Take the sum of the products, and divide by the root alone."""
    return similarity(query, key) / query.shape[-1]


@similarity.misconception
def adds_instead_of_multiplying(query, key):
    """You added each query to each key. Then a key with large numbers gets a high score from every query alike.
    A product asks more: it is large only where both are large in the same feature.
    Multiply first, and sum over features after that."""
    return (query[..., :, None, :] + key[..., None, :, :]).sum(axis=-1)


@similarity.misconception
def compares_queries_with_themselves(query, key):
    """The keys change nothing in your scores: you compared the queries with each other.
    A query is what one looks for, a key what is offered, and a score needs one of each.
    Read your product aloud: what stands on its right side?"""
    return query @ query.mT


@similarity.misconception
def compares_keys_with_themselves(query, key):
    """The queries change nothing in your scores: you compared the keys with each other.
    A query is what one looks for, a key what is offered, and a score needs one of each.
    Read your product aloud: what stands on its left side?"""
    return key @ key.mT


@similarity.misconception(side=("query", "key"))
def takes_the_length_out_of_one_side(query, key, *, side):
    """Your scores do not change when a {side} gets longer: each row of `{side}` was divided by its own length.
    The dot product keeps lengths: a longer row means a stronger wish, or a louder offer.
    Use both arrays as they are, and scale the scores alone."""
    return similarity(_unit(query), key) if side == "query" else similarity(query, _unit(key))


@similarity.misconception(power=(1, 2), sign=(1, -1))
def measures_a_distance(query, key, *, power, sign):
    """You measured how far apart query and key are. That is another idea of similarity, and gives other numbers.
    Here a score says how far both point the same way: it is a dot product.
    Multiply in place of subtracting, then sum over features."""
    squares = (query[..., :, None, :] - key[..., None, :, :]) ** 2
    return sign * squares.sum(axis=-1) ** (power / 2)


def _unit(x):
    """Rows of length 1."""
    return x / np.sqrt((x**2).sum(axis=-1, keepdims=True))


# scale: by which number


@scale.misconception
def forgets_to_scale(scores, features):
    """Your scores were not scaled. A sum of many products spreads out like the root of how many there are,
    so with many features softmax gives nearly everything to one key, and little is left to learn from.
    By which number do the scores have to be divided?"""
    return scores


@scale.misconception
def divides_by_features_without_root(scores, features):
    """Your scores are dot products divided by the number of features, so they are too small by its root.
    Is the root missing, is a mean taken in place of the sum, or are the scores scaled twice,
    once in `attention_scores` and once after it? What must become 1 is the standard deviation."""
    return scores / features


@scale.misconception
def multiplies_by_the_root(scores, features):
    """You multiplied by √features, so your scores spread out even more than plain dot products.
    Scaling is there to undo that growth.
    Should large scores become larger here, or smaller?"""
    return scores * math.sqrt(features)


@scale.misconception(constant=(8.0, 2.0, 3**0.5, 10.0, 16.0, 64.0, 512**0.5))
def divides_by_a_fixed_number(scores, features, *, constant):
    """You divided by {constant:.4g}, whatever the number of features. That number fits one size alone.
    A dot product of more features spreads out further, so the divisor has to follow.
    Read the size from the shape of the query, each time."""
    return scores / constant


@scale.misconception
def multiplies_by_features(scores, features):
    """You multiplied by the number of features, so your scores are far larger than plain dot products.
    Scaling has to undo the growth that comes with many features.
    It is a division, and the number below the line is a root."""
    return scores * features


@scale.misconception
def divides_by_the_square(scores, features):
    """You divided by the square of the number of features. That brings all scores close to zero,
    and softmax then makes nearly even weights of them. A square and a square root go in opposite directions.
    Which power of a number is its root?"""
    return scores / features**2


@scale.misconception
def divides_by_the_fourth_root(scores, features):
    """You divided by the fourth root of features: either a root of a root was taken,
    or only one of query and key was divided by it.
    In all, the scores have to be divided by √features. Try it with 16 features, where that is 4."""
    return scores / features**0.25


@scale.misconception(factor=(0.5, 2.0))
def loses_the_root_to_precedence(scores, features, *, factor):
    """Your scores were divided by the number of features, and a 2 stands where no 2 should be: no root was taken.
    In Python `**` comes before `/`, so `16 ** 1 / 2` is 8 and not 4.
    Try brackets around the exponent, or `np.sqrt`."""
    return scores * factor / features


@scale.misconception(rounding=(math.floor, round, math.ceil))
def rounds_the_root(scores, features, *, rounding):
    """Your divisor is √features rounded to a whole number. With 16 features nobody would see it,
    with 5 the scores are off by a tenth or more.
    Look for `int`, `round` or `//`, and keep the digits after the point."""
    return scores / rounding(math.sqrt(features))


@scale.misconception(log=(math.log, math.log2, math.log10))
def divides_by_the_logarithm(scores, features, *, log):
    """You divided by a logarithm of the number of features, which grows too slowly.
    Variances of independent products add up, so the variance of a score is the number of features.
    What is its standard deviation?"""
    return scores / log(features)


@scale.misconception(axis=(None, -1))
def divides_by_the_standard_deviation(scores, features, *, axis):
    """You divided by the standard deviation of the scores at hand. Then a score changes whenever the others do.
    Scaling uses a number that is known before any score is seen:
    the standard deviation which a sum of so many products has."""
    return scores / scores.std(axis=axis, keepdims=True)


@scale.misconception(decimals=(0, 1, 2, 3, 4))
def rounds_the_scores(scores, features, *, decimals):
    """Your scores are rounded, and what is cut off is lost to all that follows. Decimals that are left: {decimals}.
    Rounding is for numbers that people read, after the last step.
    Is there a `round` in your code?"""
    return np.round(scale(scores, features), decimals)


@scale.misconception
def takes_the_root_of_the_scores(scores, features):
    """Your result holds NaN where a dot product is negative: the root was taken of the scores,
    not of the number of features alone. Scores of either sign are welcome.
    Look where the bracket of the root opens, and where it closes."""
    return np.sqrt(scores / features)


# attention_scores: the root of which length


@attention_scores.misconception
def scales_by_the_number_of_keys(query, key):
    """You took the root of the number of keys. How many keys there are does not change how large one score is.
    A score is a sum of products, one for each feature.
    Which axis of the query is summed over?"""
    return mha_ref.scale(similarity(query, key), key.shape[-2])


@attention_scores.misconception
def scales_by_the_number_of_queries(query, key):
    """You took the root of the number of queries. How many queries there are does not change how large one score is.
    A score is a sum of products, one for each feature.
    Which axis of the query is summed over?"""
    return mha_ref.scale(similarity(query, key), query.shape[-2])


@attention_scores.misconception(which=(0, 1))
def scales_by_the_first_axis(query, key, *, which):
    """You took the root of the length of the first axis, which is also what `len` gives.
    That axis holds queries or keys, and with a batch it holds the batch.
    Features are always the last axis: count from the end."""
    return mha_ref.scale(similarity(query, key), (query, key)[which].shape[0])


@attention_scores.misconception(which=(0, 1))
def scales_by_the_second_axis(query, key, *, which):
    """You took the root of the length of axis 1.
    Without a batch that axis holds the features. With a batch in front, it holds queries, keys, or something else.
    Features are always the last axis: count from the end."""
    return mha_ref.scale(similarity(query, key), (query, key)[which].shape[1])


@attention_scores.misconception(name=("query", "key"))
def divides_by_the_roots_of_a_whole_shape(query, key, *, name):
    """You divided by the root of a whole `.shape`, and that is one root for each axis.
    Mostly NumPy stops there; where it does not, each column of your scores gets a divisor of its own.
    Only one of these lengths is the number of features. At which place of the shape does it stand?"""
    return similarity(query, key) / np.sqrt((query if name == "query" else key).shape)


@attention_scores.misconception(name=("query", "key"))
def scales_by_the_size_of_the_whole_array(query, key, *, name):
    """You took the root of how many numbers `{name}` holds in all, which is what `.size` gives.
    One score sums over the features of one row, not over every row.
    The length of a single axis stands in `.shape`."""
    return mha_ref.scale(similarity(query, key), (query if name == "query" else key).size)


@attention_scores.misconception
def scales_by_the_number_of_axes(query, key):
    """You took the root of how many axes the array has, which is what `.ndim` gives: 2 for a matrix.
    In attention, "dimension" means something else: how many features a query has.
    That is the length of its last axis."""
    return mha_ref.scale(similarity(query, key), query.ndim)


@attention_scores.misconception(axis=(-1, None))
def divides_by_the_length_of_the_query(query, key, *, axis):
    """You divided by the length of the query as an arrow, the root of the sum of its squares (its norm).
    That takes away how strongly the query asks, and differs from query to query or from batch to batch.
    The root needed here counts features and does not look at their size."""
    return similarity(query, key) / np.linalg.norm(query, axis=axis, keepdims=True)


@attention_scores.misconception
def subtracts_the_maximum_too_early(query, key):
    """The largest score of each row is 0: something was subtracted here that belongs to softmax.
    Softmax takes the maximum away to keep `exp` from overflowing, and does that by itself.
    A score says how well a key fits, and may well be large."""
    scores = attention_scores(query, key)
    return scores - scores.max(axis=-1, keepdims=True)


@attention_scores.misconception
def applies_softmax_too_early(query, key):
    """Softmax is already inside your scores: each of their rows sums to 1. If softmax follows, it comes twice.
    Scores may have any sign and any size; turning them into shares is a step of its own, taken once.
    What do your scores look like if you take softmax out?"""
    return mha_ref.softmax(attention_scores(query, key))


@attention_scores.misconception
def expects_exactly_one_batch_axis(query, key):
    """Your code expects exactly one batch axis in front; without one, or with two, it stops.
    It names axes from the front, or unpacks exactly three sizes.
    Count axes from the end: -1 is features, -2 is tokens, and anything may stand before them."""
    return attention_scores(query, key.transpose(0, 2, 1).mT)


# weights: where softmax stands


@masked_weights.misconception
def forgets_the_softmax(query, key, mask=None):
    """Your weights are the scores themselves: some are negative, and the rows do not sum to 1.
    A score says how well a key fits; a weight is a share of one whole.
    Which function of lesson 01 turns the first into the second?"""
    return _hidden_as_zero(attention_scores(query, key), mask)


@masked_weights.misconception
def scales_after_softmax(query, key, mask=None):
    """Softmax got plain dot products, and the division by √features came after it.
    Then the shares of a query sum to less than 1, and what is mixed with them comes out too small.
    Softmax itself needs scores of moderate size. Where does the division belong?"""
    features = query.shape[-1]
    return masked_weights(query * math.sqrt(features), key, mask) / math.sqrt(features)


@masked_weights.misconception(axis=(-2, 0, 1))
def shares_out_over_the_queries(query, key, mask=None, *, axis):
    """Your softmax runs along axis {axis} of the scores.
    Scores come as (..., queries, keys), and each query shares out one whole over its keys.
    On which axis do the keys lie, counted from the end, whatever stands in front?"""
    scores = attention_scores(query, key)
    hidden = scores if mask is None else np.where(mask, scores, -np.inf)
    return np.nan_to_num(mha_ref.softmax(hidden, axis))


@masked_weights.misconception
def scales_before_and_after_softmax(query, key, mask=None):
    """Your scores are scaled, and after softmax something is divided by √features once more.
    Softmax has made shares of one whole; divided again, they sum to less than 1, and their mixture is too small.
    Which of the two divisions can go?"""
    return masked_weights(query, key, mask) / math.sqrt(query.shape[-1])


@masked_weights.misconception
def turns_the_weights_on_their_side(query, key, mask=None):
    """In your weights each column belongs to a query and sums to 1, where a row should.
    Scores come as (queries, keys), and softmax leaves them in that order, with one row of shares for each query.
    Which line changes the order of the axes after softmax, or names them the other way round?"""
    return masked_weights(query, key, mask).mT


@masked_weights.misconception
def takes_the_softmax_of_the_queries(query, key, mask=None):
    """You took softmax of the query's features, before query and key were compared.
    What has to be shared out is a query's attention over the keys, so softmax comes after the comparison.
    Check where the brackets of softmax open and close."""
    return _hidden_as_zero(attention_scores(mha_ref.softmax(query), key), mask)


def _hidden_as_zero(scores, mask):
    """Raw scores in the place of weights: what the mask hides counts nothing."""
    return scores if mask is None else np.where(mask, scores, 0.0)


# attention: the order of the steps


@scaled_dot_product_attention.misconception
def takes_the_softmax_after_mixing(query, key, value):
    """The values were mixed with raw scores, and softmax came last: each row of your output sums to 1.
    But your output should hold a mean of values, not shares.
    Read the formula from the inside: which product is inside the brackets of softmax, and which outside?"""
    return mha_ref.softmax(attention_scores(query, key) @ value)


# a test to write

test_attention = TestWriting(
    scaled_dot_product_attention,
    catches=(
        "forgets_to_scale",
        "scales_by_the_number_of_keys",
        "scales_after_softmax",
        "forgets_the_softmax",
        "compares_keys_with_themselves",
        "transposes_every_axis",
    ),
    points=2,
    hints=(
        "A test needs inputs whose right output you know without running any code. "
        "Small numbers do it: one query, two keys, scores of your choice. "
        "Softmax of (ln 3, 0) is (3/4, 1/4), so a scaled score of ln 3 against 0 "
        "gives an output that you can work out in your head.",
        "Take four features, so that the scores are divided by 2, and keys whose number is not four. "
        "A query like (2, 0, 0, 0) picks out the first feature of each key. "
        "For the mistake that shows with a batch only, use two items that differ, "
        "and compare each with what it gives alone.",
        "First assert that the output for your small example is close to the number that you worked out. "
        "Then stack that example and a different one into a batch, and assert that each item of the result "
        "is close to the result for that item alone. "
        "`np.allclose` compares up to rounding; two asserts are enough.",
    ),
)


# questions

score_variance = Question(
    answer=100,
    wrong={
        10: "10 is the standard deviation. The question asks for its square, the variance.",
        1: "1 is the variance of a single product. Here 100 independent products are summed, and variances add up.",
        10_000: "That would need every product to have a variance of 100. Each has 1, and there are 100 of them.",
        0: "0 is the mean: positive and negative products cancel on average. "
        "The variance says how far one such sum typically lies from it.",
        64: "64 is the number of keys in the cell below. A dot product does not know how many other keys there are.",
        **dict.fromkeys(
            (96, 98, 102, 104),
            "You measured it, it seems, and that is close. A sample misses the true variance by a little. "
            "Which whole number do the two points above lead to?",
        ),
    },
    hints=(
        "Think of the dot product as a sum of small random steps, some forward, some back. "
        "Each step knows nothing of the others. The more steps, the further away one may end up.",
        "Take one product of two features first. The first of the two points above gives its variance. "
        "Then ask how many such products are summed.",
        "The variance of a sum of independent terms is the sum of their variances. "
        "Add up one variance for each of the features.",
    ),
)

size_above_ninety_percent = Question(
    answer=512,
    wrong={
        64: "At 64 features the unscaled curve stands near 0.8, still below 0.9. Follow it further to the right.",
        16: "At 16 features the unscaled curve stands near 0.6. Follow it further to the right.",
        4096: "At 4096 it is above 0.9, but it was so before. Look at the point to its left.",
        4: "At 4 features the largest weight is still about a quarter. Find 0.9 on the vertical axis first.",
    },
    hints=(
        "Only one of the three curves gets anywhere near 0.9: the one without scaling. "
        "Its five points belong to the five sizes, from left to right.",
        "Find 0.9 on the vertical axis, half way between 0.8 and 1.0. Go right from there, until you meet the curve.",
        "Take the first marked point that lies above that height, and count which one it is, from the left. "
        "The sizes are 4, 16, 64, 512 and 4096.",
    ),
)

why_scale = Question(
    answer="b",
    wrong={
        "a": "Many texts say so, and the measurement says otherwise: the slopes of softmax get smaller, not larger. "
        "Their norm can never exceed 1/2, however large the scores are. Look at the last picture again.",
        "c": "It is the other way round: large scores make the weights peaked. "
        "Flat weights came from dividing by too much, by the number of features without a root.",
        "d": "A stable softmax subtracts the largest score first, so it never overflows, scaled or not. "
        "You saw the weights at 4096 features without scaling, and all of them were ordinary numbers.",
    },
    hints=(
        "Two pictures above show what happens without scaling as the features get more: one for the largest weight, "
        "one for the slopes. Hold each of the four answers against them.",
        "Follow the curves without scaling to the right. "
        "Does the largest weight rise or fall? Do the slopes rise or fall?",
        "Put weights of 1 and 0 into the formula for the slopes, and see what comes out. "
        "Then look for the answer that says this.",
    ),
)

scaled_score = Question(
    answer=2.5,
    wrong={
        5: "5 is the plain dot product. It still has to be divided by the root of the number of features.",
        1.25: "You divided by the number of features, 4. Divide by its root.",
        10: "You multiplied by the root. Scaling makes scores smaller.",
        2.887: "You divided by the root of 3. There are four features; some products are 0, but they count.",
        3.536: "You divided by the root of 2. There are four features; some products are 0, but they count.",
        0.3125: "You divided by 16, the square of the number of features. Divide by its root.",
        1.118: "You took the root of the whole fraction, 5/4. Only the number of features stands under the root.",
        6: "6 is 2 times 3. In a dot product the four products are added up. The division comes after that.",
        3: "3 is half of 6, and 6 is 2 times 3. In a dot product the four products are added up.",
        22.5: "You summed each row first, and multiplied the two sums. "
        "A dot product multiplies feature by feature, and sums after that.",
    },
    hints=(
        "A scaled score is a dot product divided by a root. The dot product looks at the numbers in the two rows, "
        "the root at how many they are.",
        "Multiply the two rows feature by feature and add up the four products. "
        "Keep the products that are 0 in the count.",
        "The sum of the products is 2 + 3 + 0 + 0. Divide it by the root of 4.",
    ),
)

attention_output_shape = Question(
    answer=(2, 5, 3),
    wrong={
        (2, 5, 8): "The features of the query serve for comparing only; they are summed away in the scores. "
        "What is handed over is made of values, and those have 3 features.",
        (2, 7, 3): "That is the shape of the values. They are mixed over the keys, and each query gets one mixture.",
        (2, 5, 7): "That is the shape of the weights. With them, the values are still to be mixed over the 7 keys.",
        (2, 7, 8): "That is the shape of the keys. They are compared, and do not come out.",
        (2, 3, 5): "You have the right sizes. Queries are rows and value features are columns: queries come first.",
        (5, 3): "Each item of the batch gets an output of its own: the batch stays in front.",
    },
    hints=(
        "Each query gets one answer, and the answer is a mixture of values. "
        "So one size of the result comes from the query, and one from the value.",
        "Go step by step. Write down the shape of the scores, then the shape of the weights. "
        "Which axis of the weights meets which axis of the values?",
        "The weights are (2, 5, 7) and the values (2, 7, 3). In their matrix product the two 7 meet and disappear.",
    ),
)

output_for_equal_keys = Question(
    answer=(0.15, 0.05),
    wrong={
        (0.5, 0.0): "That is the value of the first key alone. If all keys are equal, no query can prefer the first.",
        (0.6, 0.2): "That is the sum of the values. Weights sum to 1, so each of the four keys gets 1/4.",
        (0.3, 0.1): "That is half of the sum of the values. There are four keys, and they share alike.",
        (-0.2, 0.1): "That is the value of the second key, which fitted the first query best until now. "
        "Among equal keys none fits best.",
        (0.0, 0.0): "Equal scores are not zero weights: softmax always shares out one whole.",
        (0.146022, 0.049642): "That is the row that your function gave for the real keys, which differ a little. "
        "If they were equal, what would the four weights be?",
        (0.05, 0.15): "Both numbers are there, in the other order. The first number belongs to the first column of V.",
        (0.2, 0.0667): "You divided by 3. A value of 0 counts as well: there are four in each column.",
        **dict.fromkeys(
            ((0.25, 0.1), (0.25, 0.05), (0.15, 0.1)),
            "Is a minus lost on the way? Each column of V holds at most one negative number; add it with its sign.",
        ),
    },
    hints=(
        "The output depends on the keys only through the weights. What can a query prefer, if all keys are the same?",
        "Four equal keys get four equal scores, whatever the query is. What does softmax make of four equal numbers?",
        "Each value counts one quarter. Take the mean of the four rows of V, each column by itself.",
    ),
)

colleagues_line = Question(
    answer=4,
    wrong={
        1: "Line 1 multiplies each query with each key and sums over d: plain dot products, as its name says. "
        "Scaling could follow here, and does not. Where does it come instead?",
        2: "Line 2 makes every row sum to 1, over the keys, as it should. "
        "True, it gets scores that nobody has scaled. In which line is the scaling?",
        3: "Line 3 mixes the values with weights that sum to 1. "
        "Until here every number lies within the range of the values.",
    },
    hints=(
        "Weights that sum to 1 can only give a mean between the smallest and the largest value. "
        "So after some line the numbers are still in that range, and after the next they are not.",
        "Compare the size of her results with the plain mean of the four prices, 25.5. "
        "By which factor are they too small? You have met this number today.",
        "The factor is the root of 3, and there are three features. Which line divides by it, "
        "and is it scores that it divides?",
    ),
)
