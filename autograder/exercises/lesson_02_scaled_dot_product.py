"""Lesson 02: from queries and keys to scores, from scores to weights, from weights to a mean of values."""

import math
from math import isqrt, sqrt

import numpy as np

import mha_ref
from autograder import inputs
from autograder.activations import ACTIVATIONS, NORMS
from autograder.exercise import Exercise, Question, Step, TestWriting
from autograder.ordering import Ordering
from autograder.properties import (
    batch_items_do_not_touch_each_other,
    every_key_counts,
    every_score_gets_something,
    features_may_change_places,
    keys_with_their_values_may_be_shuffled,
    outputs_lie_between_the_values,
    rows_do_not_touch_each_other,
    twice_the_query_squares_the_proportions,
    twice_the_query_twice_the_scores,
    twice_the_values_twice_the_output,
    weights_are_not_negative,
    weights_sum_to_one,
)
from autograder.variants import short, varied

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
        "Softmax looks at the differences between scores. "
        "Which ones are there before, and which afterwards? "
        "Write both rows down, 2, 1, 0 and 20, 10, 0, and the step from each score to the next. "
        "Then ask what a larger step does to two weights.",
        "A score that is 1 higher makes the weight 2.7 times as large. "
        "A score that is 2 higher does so twice: 2.7 times 2.7 times as large. "
        "What does a score do that is 10 higher? "
        "And how much is left for the other two?",
        "Compare the first weight with the second: it was e times as large. "
        "Now it is e to the power of 10, and that is about 22,000 times as large. "
        "The three weights still sum to 1. "
        "Which of the three sentences fits such a row?",
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
        "You need not know a single score. "
        "What do you know of weights that softmax has made? "
        "Think of one row first: its weights are the shares of one whole, whatever the scores were. "
        "Then go on from one row to the whole table.",
        "The last axis runs along a row, from key to key, and there are 6 weights in it. "
        "What is their sum? "
        "Try six equal scores: each weight is one sixth. "
        "With other scores the weights are others. "
        "Does their sum change, too?",
        "Each row sums to 1. "
        "How many rows has the table? "
        "The number of columns plays no part: with more keys a row has more weights, and each of them is smaller. "
        "So count one whole for each query, and add up these wholes.",
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
        "Weights are shares of one whole. "
        "How large can such a mean get at most? "
        "Play with the shares of 3, 5 and 9: equal shares first, then more and more for the 9. "
        "Does the mean ever come above the value that you favour?",
        "Give all the weight to the largest value. "
        "What comes out? "
        "Can other weights make it more? "
        "Then give all of it to the smallest value, and ask the same in the other direction. "
        "Now you know the two ends that no mean can pass.",
        "A weighted mean lies between the smallest of its values and the largest. "
        "Which number does not? "
        "Both ends can be reached: with all the weight on one value, that value comes out. "
        "Mark the ends on a line, and then the three answers.",
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
    properties=(
        rows_do_not_touch_each_other,
        batch_items_do_not_touch_each_other,
        features_may_change_places,
        twice_the_query_twice_the_scores,
    ),
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
        every_score_gets_something,
        features_may_change_places,
        twice_the_query_squares_the_proportions,
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
        every_key_counts,
        keys_with_their_values_may_be_shuffled,
    ),
)


attention_in_order = Ordering(
    scaled_dot_product_attention,
    lines={
        "a": "parts = weights[..., None] * value[..., None, :, :]",
        "b": "scores = products.sum(axis=-1)",
        "c": "weights = softmax(scores, axis=-2)",
        "d": "scores = scores / np.sqrt(size)",
        "e": "return parts.sum(axis=-2)",
        "f": "size = query.shape[-1]",
        "g": "products = query[..., :, None, :] * key[..., None, :, :]",
        "h": "weights = softmax(scores, axis=-1)",
        "i": "weights = weights / np.sqrt(size)",
    },
    names=("np", "softmax"),
    hints=(
        "Attention is four steps: compare, scale, share out, mix. "
        "Each step works on what the step before has made. "
        "Say of each line to which of the four it belongs. "
        "Compare and mix take two lines each: products first, then their sum. "
        "Which lines are these?",
        "Two lines call softmax. "
        "A query shares itself out over the keys: which axis of the scores is that? "
        "Two lines divide by the root. "
        "Softmax needs scores of moderate size, so on which side of it is the division?",
        "Begin with a line that needs nothing but `query` and `key`, and end with `return`. "
        "In between, follow the names: whatever a line uses must have been made above it. "
        "Seven lines are needed. "
        "The two that are left over work on another axis, or too late.",
    ),
)


# similarity: which numbers meet


@similarity.misconception
def forgets_to_transpose_the_keys(query, key):
    """Where query and key are multiplied, the features of the query meet the tokens of the key: the keys are not
    transposed, or they are transposed twice (`attention_scores` does it, too).
    A score compares two rows, feature by feature.
    How often do the last two axes of `key` change places in your code?"""
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
    """Your scores would have one row for each feature, not one for each query: the query was turned, not the key.
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
def reshapes_the_keys(query, key):
    """You gave the key the right shape by `reshape`, and that is no transpose.
    `reshape` keeps the numbers in their order and cuts them into other rows; a transpose makes columns of the rows.
    Print a key of 2 rows and 3 features, reshaped and transposed: in which of the two is each column one key?"""
    return query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])


@similarity.misconception
def compares_across_the_batch(query, key):
    """With a batch, your scores have too many axes: the queries of each item met the keys of every item.
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
    Each pair needs a score. Which product meets each row of one matrix with each column of another?"""
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


@similarity.misconception(name=("query", "key"))
def compares_with_the_first_item(query, key, *, name):
    """In a batch, the {name} of the first item stands in for that of every item.
    The items of a batch are separate problems, each with queries and keys of its own.
    Is there an index in your code that stays 0 while the items change?"""
    first = (0,) * (query.ndim - 2)
    return query[first] @ key.mT if name == "query" else query @ key[first].mT


@similarity.misconception(which=(0, -1))
def leaves_out_one_feature(query, key, *, which):
    """One of the features, the first or the last, has no influence on your scores.
    A dot product takes in all of them.
    If you use a loop or a slice, where does it begin, and where does it end? Python counts from 0."""
    return similarity(np.delete(query, which, axis=-1), np.delete(key, which, axis=-1))


@similarity.misconception(constant=(3, 4, 5), stops=(True, False))
def takes_a_fixed_number_of_features(query, key, *, constant, stops):
    """Your dot products add up {constant} products, however many features there are.
    The other features have no influence, and with fewer your code may stop.
    Which axis of the query tells how many features there are?"""
    if stops and query.shape[-1] < constant:
        raise IndexError("fewer features")
    return similarity(query[..., :constant], key[..., :constant])


@similarity.misconception
def takes_the_largest_product(query, key):
    """You multiplied feature by feature, and kept the largest product of each pair.
    In a dot product every feature has a say, for the pair or against it.
    Which function belongs in the place of the maximum?"""
    return (query[..., :, None, :] * key[..., None, :, :]).max(axis=-1)


@similarity.misconception
def centres_the_rows(query, key):
    """The mean of each row was subtracted before the product.
    Adding the same number to all features of a query then changes nothing, as in a correlation.
    A dot product takes the numbers as they are. Which line computes a mean, and is it needed?"""
    return similarity(query - query.mean(axis=-1, keepdims=True), key)


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


# similarity: hints against each of these

similarity.hints_for(
    "forgets_to_transpose_the_keys",
    "reshapes_the_keys",
    "transposes_the_queries",
    "swaps_query_and_key",
    hints=(
        "A table of scores is read like a timetable: find the row of the query, then the column of the key. "
        "`@` takes its rows from the array on the left, and its columns from the array on the right. "
        "But a key is stored as a row. So one array has to be turned before the product.",
        "Write the shapes of both sides below your product, in words: queries, keys, features. "
        "The two inner words should both be features. The outer ones should be queries, then keys. "
        "Take 2 queries, 3 keys and 5 features, so that nothing fits by accident. "
        "Which array stands on the wrong side, or needs to be turned?",
        "The query stands on the left, as it is. "
        "The key stands on the right, with its last two axes exchanged, so that each of its columns is one key. "
        "Their product is the table of dot products, with a row for each query. It is not turned afterwards.",
    ),
)

similarity.hints_for(
    "transposes_every_axis",
    "swaps_the_first_two_axes",
    "compares_across_the_batch",
    "compares_with_the_first_item",
    hints=(
        "With a batch there are several tables of scores, one for each item. "
        "The items do not meet: a word of one sentence is not compared with the words of another. "
        "The axes in front only say which item it is. So they stand in the same place before the product and after it.",
        "Make a batch of two different items, and print the shapes of both sides of the product and of the result. "
        "The batch should come first in all three. Compare item 0 of the result with what item 0 gives alone. "
        "Then look at how the key is turned, and at what kind of product you take.",
        "Exchange the last two axes of the key, and leave those in front alone. "
        "There is an attribute for that: lesson 02 prints it next to `.T`, which turns them all. "
        "Between query and key stands `@`: it works on the last two axes and keeps the items in front apart.",
    ),
)

similarity.hints_for(
    "multiplies_elementwise",
    "multiplies_equal_rows_only",
    "multiplies_without_the_sum",
    hints=(
        "A score is one number for one pair. "
        "With 2 queries and 3 keys there are 6 pairs, so there are 6 scores, however many features there are. "
        "Each score is a dot product: feature times feature, all added up. "
        "In the end every query has met every key, and the features are gone.",
        "Take 2 queries, 3 keys and 5 features, and print the shape after the multiplication and at the end. "
        "The result should be (2, 3). A 5 that is still there has not been summed over. "
        "If the code stops instead, it wants to pair row 0 with row 0, where all rows should meet all rows.",
        "One matrix product makes all pairs and sums over the features at the same time. "
        "It has the query on the left and, on the right, the key with its last two axes exchanged. "
        "It takes the place of what multiplies now, and no sum comes after it.",
    ),
)

similarity.hints_for(
    "uses_the_cosine",
    "takes_the_length_out_of_one_side",
    hints=(
        "A dot product knows two things about two arrows: how far they point the same way, and how long they are. "
        "A cosine keeps the first and drops the second. Attention uses both. With a longer query a model says how sure "
        "it is, with a longer key how important a word is, and it learns these lengths.",
        "Double one query and look at its row of scores: all of them should double. "
        "Double one key and look at its column: the same. Where does nothing happen? Then look before the product for "
        "a norm, for a root of summed squares, or for a function with normalize in its name.",
        "Take the division by a length out, so that query and key go into the product as they come. "
        "The one number by which scores are divided is the root of the number of features. "
        "It counts features, and is the same for all queries and keys, whatever they hold.",
    ),
)

similarity.hints_for(
    "leaves_out_one_feature",
    "takes_a_fixed_number_of_features",
    "takes_the_largest_product",
    "centres_the_rows",
    hints=(
        "A dot product asks every feature the same question: do query and key agree here, and how strongly? "
        "Then it adds up all the answers. "
        "No feature is left out, none is heard alone, and none has something taken away before it speaks. "
        "How many features there are, the arrays know.",
        "Take one query and one key of 5 features. Change one feature of the query at a time, always by 1, and look at "
        "the score before scaling. It should move by the number that the key has in this feature. "
        "For which feature does it not? Then look at the range, the slice or the function that meets it.",
        "Multiply query and key feature by feature, over the whole last axis, and sum over it. "
        "The numbers go in as they come. "
        "One matrix product does it for every pair, with the key's last two axes exchanged, and it counts the features "
        "by itself.",
    ),
)

similarity.hints_for(
    "averages_instead_of_summing",
    "adds_instead_of_multiplying",
    "measures_a_distance",
    hints=(
        "A dot product is like a vote. In each feature, query and key are multiplied. Two numbers of the same sign "
        "vote for the pair, two of opposite signs vote against it, and a 0 on either side has no voice. "
        "Then all votes are added up, and not divided by how many they are.",
        "Work out one pair by hand: the query (1, 2) and the key (3, 4) have the dot product 3 + 8 = 11. "
        "Print what your code has for them before the scaling. "
        "Then look at what stands between query and key: is it a product? "
        "And what happens over the features after it: a plain sum?",
        "Multiply query and key feature by feature, and sum over the features. "
        "The two are not added, not subtracted from each other, and no mean is taken. One matrix product does both "
        "steps, with the query on the left, and the key with its last two axes exchanged on the right.",
    ),
)

similarity.hints_for(
    "compares_queries_with_themselves",
    "compares_keys_with_themselves",
    hints=(
        "Attention has two sides. Some look for something, others offer something. "
        "There may be more of the one than of the other. "
        "The table of scores has the first side as its rows and the second as its columns. "
        "With the same side twice, everybody looks in a mirror.",
        "With 2 queries and 3 keys the scores should have the shape (2, 3). "
        "A table that is its own mirror image along the diagonal has compared an array with itself. "
        "Read the two names at your product. If they differ, follow both back: were they assigned from the same thing?",
        "The product needs two different arrays: the query on the left and, on the right, the key with its last two "
        "axes exchanged. If one name stands on both sides, replace the one that is wrong. "
        "If the names are right, mend the line above that filled one from the other.",
    ),
)


# scale: by which number


@scale.misconception
def forgets_to_scale(scores, features):
    """Your scores are plain dot products: they were not scaled, or a later step undoes it.
    A sum of many products spreads out like the root of how many there are,
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


@scale.misconception(off=(-1, 1))
def miscounts_the_features(scores, features, *, off):
    """Your divisor is the root of one feature more than there are, or one fewer.
    A sum over n features has n products, and none is lost or added, as with the posts of a fence.
    The length in the shape is the number that you need. What happens to it before the root?"""
    return scores / math.sqrt(features + off)


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


@scale.misconception(factor=(0.1, 0.5, 2.0, 10.0))
def puts_a_factor_beside_the_root(scores, features, *, factor):
    """Your scores are {factor:g} times as large as they should be: something stands beside the division by √features.
    A temperature does this, for example. It makes weights sharper or more even, and is for whoever asks for one.
    Which number is it, and in which line?"""
    return factor * scale(scores, features)


# scale: hints against each of these

scale.hints_for(
    "forgets_to_scale",
    "multiplies_by_the_root",
    "multiplies_by_features",
    hints=(
        "The more features, the more products in each sum, and the further plain scores lie apart. "
        "Softmax takes a wide spread for certainty. "
        "So the scores are divided by the spread that a sum of so many products usually has. "
        "With 16 features that is 4, with 64 features it is 8.",
        "Print one plain dot product, and beside it the finished score, as softmax will see it. "
        "Divide the first by the second. With 16 features you should get 4, and with 64 features you should get 8. "
        "If you get 1, nothing was scaled. "
        "If you get less than 1, the score has grown. Look at what happens between the two.",
        "Divide the whole table of dot products by the square root of the number of features. "
        "This number is the length of the last axis of the query that goes into the product, and its shape tells it. "
        "There is one such division, after the product and before softmax.",
    ),
)

scale.hints_for(
    "divides_by_features_without_root",
    "divides_by_the_square",
    "divides_by_the_fourth_root",
    "divides_by_the_logarithm",
    hints=(
        "Two numbers are easily confused here. The variance of a sum of 64 such products is 64. "
        "Its standard deviation is the root of that, 8, and it says how far scores really lie apart. "
        "Dividing by it brings them back to a spread of 1. "
        "Any other divisor leaves them too close together, or too far apart.",
        "Take 64 features, and list all that makes the scores smaller on their way: a slash, a factor on the query or "
        "the key alone, a mean in place of a sum, a scaling inside a function that you call. "
        "Multiply all these divisors. In the end the scores should have been divided by 8.",
        "Scale in one place only: divide the dot products by the square root of the number of features. "
        "That root is taken once, and of this number as it is. Everything else that divides can go: a second scaling, "
        "a mean over features, a root of a root, a square or a logarithm.",
    ),
)

scale.hints_for(
    "loses_the_root_to_precedence",
    "takes_the_root_of_the_scores",
    hints=(
        "On paper one sees at a glance what stands under a root. "
        "Python sees only brackets, and rules about what comes first. "
        "So a line of code can look like the formula and mean something else. "
        "Here the root has one thing below it, the number of features, and the scores stay outside.",
        "Go through the line that scales by hand, for a dot product of -8 and 16 features. "
        "The divisor should be 4 and the score -2. Print the divisor alone. "
        "Then look where the bracket of the root closes, or which part Python takes as the exponent.",
        "Make two lines of it. "
        "The first one takes the square root of the number of features, and of nothing else, and gives it a name. "
        "The second one divides the dot products by this name. "
        "If you write the root as a power, write its exponent as a decimal number, or in brackets.",
    ),
)

scale.hints_for(
    "divides_by_a_fixed_number",
    "puts_a_factor_beside_the_root",
    "miscounts_the_features",
    "divides_by_the_standard_deviation",
    hints=(
        "What scaling undoes is known before there is a single score: how far sums of so many products spread. "
        "That depends on the number of features, and on nothing else. "
        "It does not depend on which scores happen to stand in the table. "
        "And it is not the same for every size of query.",
        "Try two things. Change one key, and look at the scores of the other keys: they should stay as they are. "
        "Then print your divisor for 16 features, and for 64: it should be 4, then 8. "
        "At least one of the two trials will surprise you, and tell you where your divisor comes from.",
        "Read the number of features from the shape of the query, at its last axis, each time the code runs. "
        "The dot products are divided by the square root of this number. "
        "No number that you typed takes part in it, and nothing that is measured on the scores.",
    ),
)

scale.hints_for(
    "rounds_the_root",
    "rounds_the_scores",
    hints=(
        "A computer does not mind a number like 2.2360679775. "
        "Rounding it helps the eye, and takes something away that no later step can bring back. Softmax makes it "
        "worse: it turns small differences between scores into weights, so a digit that was cut here shows up in every "
        "weight after it.",
        "Take 5 features, where the root is 2.236. "
        "Print your divisor and one score by `float(...)`, which shows all digits. After which line are they cut? Look "
        "for `round`, for `int`, for a double slash, for a floor or ceiling, and for an array of whole numbers that "
        "you write into.",
        "Take the rounding out. The root of the number of features keeps all its digits, the division has a single "
        "slash, and the scores go on as they come out of it. "
        "If you want short numbers on the screen, round where you print, and calculate with the others.",
    ),
)


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
    Mostly NumPy stops there; where it does not, each column of your scores gets its own divisor.
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
    """Softmax was taken of the scores, and what came out was used as if it were still scores.
    Scores may have any sign and any size; turning them into shares is a step of its own, taken once.
    Go through what you call here: how often does softmax come, and is it wanted in this function at all?"""
    return mha_ref.softmax(attention_scores(query, key))


@attention_scores.misconception
def serves_one_batch_axis(query, key):
    """Without a batch your scores are right, and with one axis in front; with two your code stops.
    It counts on one axis in front, in a loop, an index or a transpose of three axes.
    Count axes from the end: -1 is features, -2 is tokens, and anything may stand before them."""
    if query.ndim > 3:
        raise ValueError("more than one axis in front")
    return attention_scores(query, key)


@attention_scores.misconception
def expects_exactly_one_batch_axis(query, key):
    """Your code expects exactly one batch axis in front; without one, or with two, it stops.
    It names axes from the front, or unpacks exactly three sizes.
    Count axes from the end: -1 is features, -2 is tokens, and anything may stand before them."""
    return attention_scores(query, key.transpose(0, 2, 1).mT)


@attention_scores.misconception(by=tuple(ACTIVATIONS))
def bends_the_scores(query, key, *, by):
    """Your scores went through {by} on their way to softmax.
    A score may be negative, and it may be large: that is how a query says how little or how well a key fits.
    Softmax makes shares of scores of any size. Which function stands between the division and softmax?"""
    return ACTIVATIONS[by](attention_scores(query, key))


@attention_scores.misconception(on=("large", "spread", "hidden_large"), bound=(1.0, 5.0, 10.0))
def holds_the_scores_within_bounds(query, key, *, bound):
    """Your scores were clipped: none is above {bound:g}, and none below -{bound:g}.
    Two keys beyond the bound look equally good then, though one fits better.
    Softmax copes with large scores, since it subtracts the maximum first. Is there a `clip` or `clamp` before it?"""
    return np.clip(attention_scores(query, key), -bound, bound)


@attention_scores.misconception(cap=(10.0, 20.0, 30.0, 50.0))
def caps_the_scores_softly(query, key, *, cap):
    """Your scores were pressed between -{cap:g} and {cap:g} by tanh.
    Some large models cap their scores like this; plain attention uses them as they are.
    What happens between the division and softmax?"""
    return cap * np.tanh(attention_scores(query, key) / cap)


@attention_scores.misconception
def takes_plain_cosines_as_scores(query, key):
    """Your scores are cosines, and not scaled: queries and keys were divided by their own lengths.
    A cosine compares directions alone, and never leaves -1 to 1. In plain attention a long query chooses sharply.
    Leave both as they are, and divide their dot products by √features."""
    return similarity(_unit(query), _unit(key))


@attention_scores.misconception(norm=tuple(NORMS))
def normalises_queries_and_keys(query, key, *, norm):
    """Queries and keys went through {norm} before they met.
    (Some models do so, and call it QK-norm.) In plain attention both are used as they are: how long a query is says
    how sure it is of its choice.
    Which lines stand in front of your product?"""
    return attention_scores(NORMS[norm](query), NORMS[norm](key))


# attention_scores: hints against each of these

attention_scores.hints_for(
    "scales_by_the_number_of_keys",
    "scales_by_the_number_of_queries",
    "scales_by_the_first_axis",
    "scales_by_the_second_axis",
    "divides_by_the_roots_of_a_whole_shape",
    "scales_by_the_size_of_the_whole_array",
    "scales_by_the_number_of_axes",
    "divides_by_the_length_of_the_query",
    hints=(
        "The root answers one question: how many products were added up to make one score? "
        "For that, look at a single query and a single key. "
        "How many others there are does not matter, nor how large their numbers are. "
        "Each feature gives one product, so the features are what is counted.",
        "Print the number by which you divide. It should be a single number. "
        "Then change one thing after the other: more queries, more keys, a batch in front, a query ten times as large. "
        "None of these should move the divisor; only more features should. Which of them moves yours?",
        "Take one entry of the query's shape: the length of its last axis, counted from the end. "
        "The square root of this single number divides all dot products. You need neither the rest of the shape, nor "
        "how many numbers or axes there are in all, nor the length of the query as an arrow.",
    ),
)

attention_scores.hints_for(
    "bends_the_scores",
    "holds_the_scores_within_bounds",
    "caps_the_scores_softly",
    "takes_plain_cosines_as_scores",
    "normalises_queries_and_keys",
    hints=(
        "Three steps lead to a score: multiply feature by feature, add up, divide by a root. "
        "What comes out may have any sign and any size, and both mean something. "
        "A negative score pushes a key away, a large one makes the choice sharp. "
        "The one place where attention bends numbers is softmax, and it needs no help with large ones.",
        "Print the scores right after the product, with queries ten times as large as usual, and the numbers that "
        "softmax gets. "
        "The second should be the first, divided by the root. "
        "Where they differ, look for a function that gives back an array of the same shape: `relu`, `tanh`, `clip`, "
        "`clamp`, `normalize`, or a division by a norm.",
        "Take out what stands between the product and softmax, but for one thing: the division by the square root of "
        "the number of features. "
        "Query and key go into the product as they came, without a norm. "
        "If weights become too sharp for your taste, that is for the learned matrices to change.",
    ),
)

attention_scores.hints_for(
    "subtracts_the_maximum_too_early",
    "applies_softmax_too_early",
    hints=(
        "A score is an opinion about one key. "
        "It would be the same if this key were alone, and it knows nothing of the others. "
        "Weights are different: there the keys compete, and one needs the whole row, its maximum and its sum. "
        "That is the work of softmax, one step later.",
        "Add one more key, one that the query likes best of all, and look at the scores of the old keys: they should "
        "stay as they are. Then look at the lines after the product. "
        "Does one of them take a maximum, a sum or a softmax along the row? "
        "If the old scores shrink, something has shared them out already.",
        "The scores are ready after the division by the root of the number of features, so hand on what this division "
        "gives. No maximum and no softmax comes after it in this step. "
        "Where weights are wanted, softmax gets these scores, once, and subtracts the maximum by itself.",
    ),
)

attention_scores.hints_for(
    "expects_exactly_one_batch_axis",
    "serves_one_batch_axis",
    hints=(
        "Three dots in a shape stand for any number of axes, none included. "
        "One sentence has no axis in front, a batch has one, and a batch with several heads has two. "
        "Code that counts from the front must know how many there are. "
        "Code that counts from the end need not: the features are always last.",
        "Look for a shape that is unpacked into three names, for a transpose with a list of three numbers, for axes "
        "called 0, 1 or 2, and for a product made for batches only. Call your function with two axes and with four. "
        "The line at which it stops is the one you look for.",
        "Turn the key in a way that counts from the end: only its last two axes change places. "
        "Let `@` do the product, since it repeats itself over whatever stands in front. "
        "And take the number of features from the last place of the shape, without unpacking the others.",
    ),
)


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


@masked_weights.misconception
def is_causal_without_a_mask(query, key, mask=None):
    """Where no mask is given, no query looks at a key with a number above its own: later tokens are hidden, though
    nobody asked for it.
    Without a mask every query may look at every key.
    Is there a triangle in your code that steps in?"""
    return masked_weights(query, key, np.tri(query.shape[-2], key.shape[-2], dtype=bool) if mask is None else mask)


@masked_weights.misconception(on=("spread", "large", "hidden_large"))
def empties_rows_far_below_all_others(query, key, mask=None):
    """A row whose scores lie far below the scores of other rows comes out as zeros.
    One number was subtracted from all rows, the largest score of all. So every exponential of a low row becomes 0.
    What would each row subtract if it were alone?"""
    scores = mha_ref.attention_scores(query, key)
    weights = np.exp(scores - scores.max()) * (True if mask is None else mask)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


@masked_weights.misconception(which=("first", "last"))
def gives_all_queries_the_weights_of_one(query, key, mask=None, *, which):
    """All rows of your weights are alike: every query got those of the {which} one.
    Each query compares itself with the keys and has a row of its own.
    Is a row made anew for each query, and does each index move on with the loop?"""
    place = np.s_[..., :1, :] if which == "first" else np.s_[..., -1:, :]
    weights = masked_weights(query, key, mask)
    return 0 * weights + weights[place]


def _hidden_as_zero(scores, mask):
    """Raw scores in the place of weights: what the mask hides counts nothing."""
    return scores if mask is None else np.where(mask, scores, 0.0)


# masked_weights: hints against each of these

masked_weights.hints_for(
    "forgets_the_softmax",
    "takes_the_softmax_of_the_queries",
    hints=(
        "Two questions follow each other. How well does each key fit? The answer is a row of scores. "
        "How does the query share itself out among them? The answer is a row of weights. "
        "Softmax leads from the first answer to the second. "
        "So it needs the finished scores of a query, over all its keys.",
        "Add up each row of what you use as weights. Without a mask every sum should be 1. "
        "Then look for softmax between the comparison of query and key and the mixing of the values. "
        "If it is there, what stands inside its brackets? If it is not there, this is where it belongs.",
        "Finish the scores first: query and key compared, scaled and, if there is a mask, masked. "
        "Give these scores to softmax, along the axis of the keys, which is the last one. "
        "What comes out are the weights. The query itself goes into the comparison as it is.",
    ),
)

masked_weights.hints_for(
    "scales_after_softmax",
    "scales_before_and_after_softmax",
    hints=(
        "Dividing means two different things before softmax and after it. Before it, differences between scores "
        "shrink, and the weights become less extreme: that is what the root is for. "
        "After it, there is one whole that has been shared out. Dividing now gives part of it to nobody.",
        "Add up each row of your weights: without a mask every sum should be 1. "
        "With 16 features and a root after softmax you find 1/4. "
        "If the sums are right, look at what happens after the mixing. "
        "Follow each division by a root, also in the functions you call: does it come before softmax or after?",
        "After softmax there is no division, neither of the weights nor of what is mixed with them. "
        "Before softmax there is exactly one: the dot products, by the square root of the number of features. "
        "If the function that makes your scores does it already, no other line has to.",
    ),
)

masked_weights.hints_for(
    "shares_out_over_the_queries",
    "turns_the_weights_on_their_side",
    hints=(
        "Each query has one full jug, and a row of glasses before it, one for each key. "
        "It pours out all that it has, into its own glasses. So a row of weights adds up to one jug. "
        "What one key gets from all queries together can be anything: some keys get a lot, others hardly a drop.",
        "Take 2 queries and 3 keys, first alone, then in a batch. "
        "The weights should end in (2, 3), and their sums along the last axis should all be 1. "
        "If they end in (3, 2), look for a turn after softmax, or for a product with the key on its left. "
        "If the shape is right and the sums are not, look at the axis of softmax.",
        "Softmax runs along the last axis of the scores, where the keys lie: this is the axis -1, whatever stands in "
        "front. Its result keeps the order, queries before keys. "
        "It goes into the product with the values like this, on the left, without being turned.",
    ),
)


masked_weights.hints_for(
    "empties_rows_far_below_all_others",
    hints=(
        "Softmax sees differences within a row alone, so a row may be moved up or down as one likes. "
        "That is done to bring its scores to where exponentials are ordinary numbers. "
        "A number that suits one row can be far too large for another. "
        "Then all the exponentials of that other row become 0, and nothing is left to share out.",
        "Take two queries, one with the scores 1000 and 1001, and one with 0 and 1. "
        "Both rows should come out as 0.27 and 0.73. "
        "Print what you subtract from the second row, and the sum that you divide it by. "
        "If the sum is 0, a guard against division by 0 has hidden the mistake.",
        "A maximum that is given no axis looks at the whole array, with all its rows, heads and texts. "
        "Tell it along which axis the keys lie, and keep that axis with length 1. "
        "Then each row subtracts a number of its own, and the largest exponential of every row is 1.",
    ),
)

masked_weights.hints_for(
    "gives_all_queries_the_weights_of_one",
    hints=(
        "Every query asks a question of its own, so its row of shares is its own, too. "
        "If all rows are alike, one of two things has happened. "
        "An index stayed where it was while the loop went on. "
        "Or one and the same row was filled again and again, and stands in the result many times: a list keeps the row "
        "itself, and no copy of what it held.",
        "Take two queries that like different keys. Print each row of weights as soon as it is made, and print the "
        "whole table after the loop. Were the rows different when they were made? Then look at the line that makes the "
        "empty table: `[[0] * keys] * queries` holds a single row, several times.",
        "Make a new row inside the loop over the queries, or make the table with NumPy's zeros: there each row has a "
        "place of its own. Pick the query by the loop's variable. "
        "Without a loop there is nothing to mix up: one matrix product compares all queries with all keys.",
    ),
)

masked_weights.hints_for(
    "is_causal_without_a_mask",
    hints=(
        "Attention knows nothing of order: every query compares itself with all keys, wherever they stand. "
        "To hide what comes later is a decision of whoever calls. "
        "One who reads a whole sentence wants to look both ways. "
        "So this part must not bring in a rule that nobody gave.",
        "Look for everything that knows of order: `tri`, `tril`, `triu`, a comparison of positions, an "
        "`is_causal=True`, a loop over keys that ends at the number of the query. "
        "Then print the weights of the first query. "
        "Every key should have some.",
        "Take out what makes the triangle: without a mask all scores of a row go into softmax as they are, first key "
        "to last. In lesson 03 a mask may be handed in, and it is then used as it comes. "
        "Whoever must not look ahead will bring a causal one.",
    ),
)


# attention: the order of the steps


@scaled_dot_product_attention.misconception
def takes_the_softmax_after_mixing(query, key, value):
    """The values were mixed with raw scores, and softmax came last: each row of your output sums to 1.
    But your output should hold a mean of values, not shares.
    Read the formula from the inside: which product is inside the brackets of softmax, and which outside?"""
    return mha_ref.softmax(attention_scores(query, key) @ value)


@scaled_dot_product_attention.misconception
def looks_across_the_batch(query, key, value):
    """With a batch, your queries look at the keys of all items, and take from the values of all.
    The axes in front were folded into the tokens, so that several sentences became a long one.
    The items of a batch are separate problems. Which reshape joins them?"""
    flat = (x.reshape(-1, x.shape[-1]) for x in (query, key, value))
    return scaled_dot_product_attention(*flat).reshape(*query.shape[:-1], value.shape[-1])


@scaled_dot_product_attention.misconception
def makes_room_like_the_query(query, key, value):
    """The array that you fill has the shape of the query. Its rows are right, its columns are not:
    what you put in is made of values, and has as many columns as they have.
    Values may be longer or shorter than queries. From which array does the last length come?"""
    room = np.zeros_like(query)
    room[...] = scaled_dot_product_attention(query, key, value)
    return room


@scaled_dot_product_attention.misconception(power=(0, 0.25, 0.5))
def shares_out_before_comparing(query, key, value, *, power):
    """Queries and keys went through softmax each by themselves, and were multiplied after that.
    That is a cheaper kind of attention, with other results: here a query is compared with the keys first, and its
    scores are what softmax shares out.
    Which of your products come before softmax, and which after?"""
    root = query.shape[-1] ** power
    summary = mha_ref.softmax(key / root, -2).mT @ value
    return mha_ref.softmax(query / root) @ summary


# scaled_dot_product_attention: hints against each of these

scaled_dot_product_attention.hints_for(
    "shares_out_before_comparing",
    hints=(
        "Softmax does not care for the order of brackets, but it does care for what stands inside them. "
        "The share of a key depends on how well it fits this one query, and on how well all others fit it. "
        "Nobody knows that before query and key have met. "
        "Some models leave this out to save time; they compute something else.",
        "Take 2 queries, 3 keys and 5 features, and print the shape of what goes into softmax. "
        "It should be (2, 3), a score for each pair. "
        "If an array with 5 columns goes in, features share out one whole, and no query has chosen a key yet.",
        "Take three steps, in this order. The query times the turned key, divided by the root of the features, gives "
        "the scores. One softmax, along the last axis, makes weights of them. "
        "The weights times the values give the output. No other softmax is left.",
    ),
)

scaled_dot_product_attention.hints_for(
    "looks_across_the_batch",
    hints=(
        "A batch is a pile of sentences that have nothing to do with each other. "
        "They are computed together to save time, and the result of one must be what it would be alone. "
        "So a query may look at the keys of its own item, and at no others.",
        "Take a batch of two different items, and change a key of the second one. "
        "The first item's output should stay as it is. Then print the shape of your scores. "
        "They should be (batch, queries, keys), and each row should be as long as one item has keys.",
        "Leave the axes in front where they are, without any reshape. "
        "The matrix product works on the last two axes, once for each item, in front of softmax and after it. "
        "Turn the key by exchanging its last two axes, and count all axes from the end.",
    ),
)

scaled_dot_product_attention.hints_for(
    "makes_room_like_the_query",
    hints=(
        "An output row answers a query, but it is made of values. "
        "So there are as many rows as queries, and as many columns as a value has features. "
        "Queries and keys share their number of features because they are compared. The values take no part in that, "
        "and may have another one.",
        "Find the line that makes the empty array, with `zeros`, `empty` or a name that ends in `_like`. "
        "Take 2 queries of 5 features, and values of 4 features, and print its shape: it should be (2, 4). "
        "A 5 in it belongs to the features of the query, and these are gone once scores are made.",
        "Build the shape from both arrays: all lengths of the query but the last one, and then the last length of the "
        "value. Or make no room at all: the product of the weights with the values brings an array of the right shape, "
        "with any number of axes in front.",
    ),
)

scaled_dot_product_attention.hints_for(
    "takes_the_softmax_after_mixing",
    hints=(
        "The order has its reason. "
        "Softmax decides how much of each key a query takes, so it has to speak before the values are touched. "
        "Once values are mixed with raw scores, nobody can tell any more what came from which key. "
        "A softmax over features then shares out a whole that nobody asked for.",
        "Look at the product with the values, and print what stands on its left. "
        "If its rows do not sum to 1, these are scores, and softmax has not been there yet. "
        "Then look at the input of your softmax. It should be queries × keys, and yours is queries × value features.",
        "First make the weights: softmax of the scaled scores, over the keys. "
        "Then mix the values with these weights, as in lesson 00, and return what the mixing gives. "
        "No other step follows: a mean of values may be negative or large, and its rows need not sum to anything.",
    ),
)


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


@varied(features=(100, 36, 49, 81, 121, 144, 196, 225, 256, 400, 900))
def score_variance(features):
    """Query and key have {features} features each."""
    near = [features + away for away in range(-5, 6) if away not in (-1, 0)]
    return Question(
        answer=features,
        tolerance=0.5 / features,  # one less is another idea
        wrong={
            isqrt(features): f"{isqrt(features)} is the standard deviation. "
            "The question asks for its square, the variance.",
            1: f"1 is the variance of a single product. Here {features} independent products are summed, "
            "and variances add up.",
            features**2: f"That would need every product to have a variance of {features}. "
            f"Each has 1, and there are {features} of them.",
            0: "0 is the mean: positive and negative products cancel on average. "
            "The variance says how far one such sum typically lies from it.",
            features - 1: "That is close. The formula with n - 1 is for a variance that is estimated from a sample. "
            "Here nothing is estimated, and every product counts.",
            short(1 / isqrt(features)): "You divided by a root. Nothing is scaled yet: "
            "the question asks for the plain dot product.",
            2 * features: f"A query and a key have {2 * features} features together, but they meet in pairs. "
            "How many products are summed?",
            64: "64 is the number of keys in the cell below. "
            "A dot product does not know how many other keys there are.",
            **dict.fromkeys(
                near,
                "That is close. If you measured it: a sample misses the true variance by a little. "
                "Which whole number do the two points above lead to?",
            ),
        },
        hints=(
            "Think of the dot product as a sum of small random steps, some forward, some back. "
            "Each step knows nothing of the others. "
            "The more steps, the further away one may end up. "
            "How many steps does this dot product take, and how much does each add?",
            "Take one product of two features first. "
            "The first of the two points above gives its variance. "
            "Then ask how many such products are summed. "
            "The sum of two products has twice the variance of one, that of three has three times as much. "
            "How does it go on?",
            "The variance of a sum of independent terms is the sum of their variances. "
            "Add up one variance for each of the features. "
            "The question asks for the variance, which is a mean of *squares*. "
            "So no root is taken here: that would be the standard deviation.",
        ),
    )


size_above_ninety_percent = Question(
    answer=512,
    tolerance=0,
    wrong={
        **dict.fromkeys(
            (0.9, 0.93),
            "That is a height of the curve, a weight. The question asks for the number of features at that mark.",
        ),
        **dict.fromkeys(
            (1, 2, 3, 5, 500, 511, 513),
            "That is none of the five sizes. The title above the picture names them, in the order of the marks.",
        ),
        64: "At 64 features the unscaled curve stands near 0.8, still below 0.9. Follow it further to the right.",
        16: "At 16 features the unscaled curve stands near 0.6. Follow it further to the right.",
        4096: "At 4096 it is above 0.9, but it was so before. Look at the point to its left.",
        4: "At 4 features the largest weight is still about a quarter. Find 0.9 on the vertical axis first.",
    },
    hints=(
        "Only one of the three curves gets anywhere near 0.9: the one without scaling. "
        "Its five points belong to the five sizes, from left to right. "
        "The height of a point says how large the largest weight is, on average. "
        "You are looking for the first point that is high enough.",
        "Find 0.9 on the vertical axis, half way between 0.8 and 1.0. "
        "Go right from there, until you meet the curve without scaling. "
        "All points on the left of this place are too low. "
        "Which is the first one on the right of it?",
        "Take the first marked point that lies above that height, and count which one it is, from the left. "
        "The sizes are 4, 16, 64, 512 and 4096. "
        "Your answer is the size that belongs to the point, and not the height of the curve there.",
    ),
)

why_scale = Question(
    answer="b",
    wrong={
        "a": "Many texts say so, and the measurement says otherwise: the slopes of softmax get smaller, not larger. "
        "Their norm never exceeds 1/2, the one of two equal weights, however large the scores are. "
        "Look at the last picture again.",
        "c": "It is the other way round: large scores make the weights peaked. "
        "Flat weights came from dividing by too much, by the number of features without a root.",
        "d": "A stable softmax subtracts the largest score first, so it never overflows, scaled or not. "
        "At 4096 features without scaling you saw the largest weight, on average: 0.97, an ordinary number.",
    },
    hints=(
        "Two pictures above show what happens without scaling as the features get more: one for the largest weight, "
        "one for the slopes. "
        "Hold each of the four answers against them. "
        "An answer is wrong if a curve goes the other way than the answer says.",
        "Follow the curves without scaling to the right. "
        "Does the largest weight rise or fall? "
        "Do the slopes rise or fall? "
        "Two of the four answers say the opposite of what one of these curves does. "
        "Cross them out, and look at the two that are left.",
        "Put weights of 1 and 0 into the formula for the slopes, and see what comes out. "
        "Then look for the answer that says this. "
        "And think of lesson 01: your softmax subtracts the largest score first. "
        "Which trouble can it not have any more?",
    ),
)


@varied(
    query=(
        (2, 1, 0, 2),
        (3, 1, 0, 2),
        (1, 2, 0, 3),
        (4, 1, 0, 3),
        (2, 5, 0, 1),
        (1, 4, 0, 2),
        (3, 2, 0, 1),
        (5, 1, 0, 4),
    ),
    key=(
        (1, 3, 5, 0),
        (3, 1, 4, 0),
        (1, 5, 2, 0),
        (2, 3, 1, 0),
        (5, 1, 3, 0),
        (1, 7, 2, 0),
        (3, 5, 1, 0),
        (1, 4, 6, 0),
    ),
)
def scaled_score(query, key):
    """the query is ${query}$ and the key is ${key}$."""
    first, second, *_ = products = [q * k for q, k in zip(query, key)]
    score = sum(products)
    return Question(
        answer=score / 2,
        tolerance=2e-3,
        wrong={
            short(sqrt(score)): f"That is the root of {score}. Only the number of features stands under the root.",
            short(score / 3): "You divided by 3. There are four features, since products that are 0 count, "
            "and the divisor is a root.",
            score * 4: "You multiplied by the number of features. Scaling divides, and by a root.",
            score: f"{score} is the plain dot product. "
            "It still has to be divided by the root of the number of features.",
            score / 4: "You divided by the number of features, 4. Divide by its root.",
            score * 2: "You multiplied by the root. Scaling makes scores smaller.",
            short(score / sqrt(3)): "You divided by the root of 3. There are four features; some products are 0, "
            "but they count.",
            short(score / sqrt(2)): "You divided by the root of 2. There are four features; some products are 0, "
            "but they count.",
            score / 16: "You divided by 16, the square of the number of features. Divide by its root.",
            short(sqrt(score / 4)): f"You took the root of the whole fraction, {score}/4. "
            "Only the number of features stands under the root.",
            first * second: f"{first * second} is {first} times {second}. "
            "In a dot product the four products are added up. The division comes after that.",
            short(first * second / 2): f"{short(first * second / 2)} is half of {first * second}, "
            f"and {first * second} is {first} times {second}. In a dot product the four products are added up.",
            sum(query) * sum(key) / 2: "You summed each row first, and multiplied the two sums. "
            "A dot product multiplies feature by feature, and sums after that.",
        },
        hints=(
            "A scaled score is a dot product divided by a root. "
            "The dot product looks at the numbers in the two rows, the root at how many they are. "
            "So you need two things: one sum over all features, and one number of features.",
            "Multiply the two rows feature by feature and add up the four products. "
            "Keep the products that are 0 in the count: a feature is there, whatever its number is. "
            "Then take the root of how many features there are, and not of the sum.",
            f"The sum of the products is {' + '.join(map(str, products))}. "
            "Divide it by the root of 4. "
            "The 4 counts the features, although two of the products are 0. "
            "To check: the scaled score is half of the sum.",
        ),
    )


@varied(batch=(2, 3, 4), queries=(5, 6, 9), keys=(7, 10, 11), features=(8, 16, 12), values=(3, 4, 2))
def attention_output_shape(batch, queries, keys, features, values):
    """There is a batch of {batch}, with {queries} queries and {keys} keys.
    Queries and keys have {features} features, values have {values}.
    So `query` is `({batch}, {queries}, {features})`, `key` is `({batch}, {keys}, {features})`,
    `value` is `({batch}, {keys}, {values})`.
    """
    return Question(
        answer=(batch, queries, values),
        wrong={
            (batch, queries, features): "The features of the query serve for comparing only; they are summed away in "
            f"the scores. What is handed over is made of values, and those have {values} features.",
            (batch, keys, values): "That is the shape of the values. They are mixed over the keys, "
            "and each query gets one mixture.",
            (batch, queries, keys): "That is the shape of the weights. "
            f"With them, the values are still to be mixed over the {keys} keys.",
            (batch, keys, features): "That is the shape of the keys. They are compared, and do not come out.",
            (batch, values, queries): "You have the right sizes. Queries are rows and value features are columns: "
            "queries come first.",
            (batch, keys, queries): "These are keys by queries: the table of weights on its side. "
            f"With the weights, the values are still to be mixed over the {keys} keys.",
            (queries, values): "Each item of the batch gets an output of its own: the batch stays in front.",
        },
        hints=(
            "Each query gets one answer, and the answer is a mixture of values. "
            "So one size of the result comes from the query, and one from the value. "
            "The batch stays in front, as it was. "
            "Which sizes of the inputs do not come back in the result?",
            "Go step by step. "
            "Write down the shape of the scores, then the shape of the weights. "
            "Which axis of the weights meets which axis of the values? "
            f"The {features} features of queries and keys are summed up in the scores, and they do not come back.",
            f"The weights are ({batch}, {queries}, {keys}) and the values ({batch}, {keys}, {values}). "
            f"In their matrix product the two {keys} meet and disappear. "
            f"The {batch} in front is the batch, and each of its items is computed by itself. "
            "Which lengths are left, and in which order?",
        ),
    )


output_for_equal_keys = Question(
    answer=(0.15, 0.05),
    tolerance=5e-3,
    wrong={
        (0.25, 0.25): "1/4 is the weight of each key. The output mixes the rows of V with these weights.",
        (0.0866, 0.0289): "You divided by the root of 3 after mixing. Scaling belongs to the scores, before softmax.",
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
        "The output depends on the keys only through the weights. "
        "What can a query prefer, if all keys are the same? "
        "Think of four people who give the same answer to every question. "
        "Nobody stands out. "
        "How would you share out your attention among them?",
        "Four equal keys get four equal scores, whatever the query is. "
        "What does softmax make of four equal numbers? "
        "Try four zeros: each exponential is 1, and together they are 4. "
        "With four sevens the numbers are larger, and the shares are the same.",
        "Each value counts one quarter. "
        "Take the mean of the four rows of V, each column by itself. "
        "In the first column stand 0.5, -0.2, 0.3 and 0: add them up with their signs, and divide by four. "
        "Then do the same with the second column.",
    ),
)

colleagues_line = Question(
    answer=4,
    wrong={
        0: "The lines are counted from 1 to 4; the comments in the code name them.",
        1: "Line 1 multiplies each query with each key and sums over d: plain dot products, as its name says. "
        "Scaling could follow here, and does not. Where does it come instead?",
        2: "Line 2 makes every row sum to 1, over the keys, as it should. "
        "True, it gets scores that nobody has scaled. In which line is the scaling?",
        3: "Line 3 mixes the values with weights that sum to 1. "
        "Until here every number lies within the range of the values.",
    },
    hints=(
        "Weights that sum to 1 can only give a mean between the smallest and the largest value. "
        "So after some line the numbers are still in that range, and after the next they are not. "
        "Go down the four lines, and say for each what its numbers are: scores, weights, means?",
        "Compare the size of her results with the plain mean of the four prices, 25.5. "
        "By which factor are they too small? "
        "You have met this number today. "
        "It comes from the number of features that queries and keys have. "
        "What is it there for?",
        "The factor is the root of 3, and there are three features. "
        "Which line divides by it, and is it scores that it divides? "
        "In the formula the root stands inside the brackets of softmax. "
        "A mean that is finished needs no division any more.",
    ),
)
