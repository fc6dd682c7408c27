"""Start here: the weighted mean, and how a lesson works."""

import math

import numpy as np

import mha_ref
from autograder import inputs
from autograder.exercise import Exercise, Question
from autograder.properties import (
    batch_items_do_not_touch_each_other,
    rows_do_not_touch_each_other,
    twice_the_values_twice_the_output,
)

blanc_looks_at = Question(
    answer="white",
    wrong={
        "cat": "`cat` stands at the same place in its sentence as `blanc` does, the third; "
        "but the third row has only 0.01 there. Go along the row `blanc` until you meet its darkest square.",
        "blanc": "`blanc` is the row. The question is in which column the row has its largest number, "
        "and the columns are English words.",
        "chat": "`chat` is the row above. Stay in the row `blanc`, and read the English word below its darkest square.",
        "red": "`red` is where the row `rouge` looks. Stay in the row `blanc`: it is the third from above.",
        "0.98": "That is the number itself. Which English word stands below it?",
        0.98: "That is the number itself. Which English word stands below it?",
    },
    hints=(
        "Find the row whose label on the left is `blanc`. Go along it to the darkest square. "
        "The English word is written below that column. Write it in quotes.",
    ),
)

lookup_weights = Question(
    answer="b",
    wrong={
        "a": "These weights take the same share of every value. What comes out is the plain mean, "
        "a bit of everything; a dictionary gives one value, and nothing of the others.",
        "c": "Only one key counts here, as in a dictionary. But its value comes out twice as large: "
        "these weights sum to 2. Shares of one whole sum to 1.",
    },
    hints=(
        "Work out the temperature for each of the three rows. Which one gives exactly 18, the value that "
        "`weather[12]` has?",
    ),
)

temperature_at_nine = Question(
    answer=12.0,
    wrong={
        7.5: "0.75 · 10 = 7.5 is the first of three products. What comes from 12:00 and from 16:00?",
        4.5: "0.25 · 18 = 4.5 is the second of three products. What comes from 8:00 and from 16:00?",
        12.5: "That is near, but it is not the sum of the three products 0.75 · 10, 0.25 · 18 and 0 · 22.",
        4.0: "You divided by 3 at the end. The weights sum to 1, so they have done the division: 0.75 + 0.25 + 0 = 1.",
        6.0: "You divided by 2 at the end. The weights sum to 1, so they have done the division: 0.75 + 0.25 + 0 = 1.",
        10.0: "That is the value of the nearest key alone. Its weight is 0.75: a quarter comes from the next key.",
        14.0: "You gave 8:00 and 12:00 equal shares. The weights are 0.75 and 0.25: 9:00 is nearer to 8:00.",
        16.0: "You swapped the shares: 0.25 of 8:00 and 0.75 of 12:00. The nearer key has the larger weight.",
        16.67: "That is the plain mean of all three, which gives each a third. Use the weights of the row 9:00.",
        28.0: "You added two temperatures whole. Multiply each by its weight before you add.",
        50.0: "You added all temperatures whole. Multiply each by its weight before you add.",
        5.0: "That is the wind at 9:00, well mixed. The question asks for the temperature, the first feature.",
    },
    hints=(
        "Each hour gives a share of its temperature. How large the share is, the row of weights says.",
        "Three products, then one sum. The third product is 0, because its weight is 0.",
        "Multiply the first weight by 10, the second by 18 and the third by 22. Then add the three numbers.",
    ),
)

temperature_with_the_bug = Question(
    answer=11.0,
    wrong={
        20.0: "That is what the loop gives without the bug. Here each round replaces what the round before has left: "
        "which round comes last?",
        9.0: "0.5 · 18 = 9 is what the second round leaves. A third round follows.",
        0.0: "0 · 10 = 0 is what the first round leaves. Two rounds follow.",
        22.0: "The last round is the right one. There the value is multiplied by its weight: what is it at 14:00?",
        18.0: "18 is the whole value of 12:00. Each round multiplies by a weight, and replaces what was there before. "
        "Which round comes last?",
        10.0: "10 is the whole value of 8:00, and its weight is 0. Which round comes last, and what does it leave?",
        3.0: "That is the wind. The question asks for the temperature, the first feature.",
        40.0: "You added 18 and 22. This loop never adds: `=` replaces.",
    },
    hints=(
        "Play the computer. Write down `mean[query]` after each of the three rounds, for the row 14:00: 0, 0.5, 0.5. "
        "What stands there when the loop has ended?",
    ),
)

shape_of_six_days = Question(
    answer=(6, 4, 2),
    wrong={
        (4, 2): "That is one day. There are six, side by side, and each keeps its own result: the axis in front stays.",
        (6, 4, 3): "That is the shape of the weights. The 3 are the keys; they are added up, and so they are gone.",
        (6, 3, 2): "That is the shape of the values. The 3 are the keys; they are added up, and so they are gone.",
        (6, 2, 4): "You have the right numbers. Queries are rows and features are columns: queries come first.",
        (6, 3, 3): "3 is the number of keys. `@` adds up over the keys, so it is gone from the result, both times.",
        (6, 6, 2): "The first 6 and the last 2 are right. Between them stand the queries: how many of them are there?",
        (4, 6, 2): "The numbers are right. The axis in front stays in front: the days come first, then the queries.",
        (6, 4, 3, 2): "The 3 are the keys. `@` adds up over them, so they are gone from the result.",
        (6, 6, 4, 2): "Day 1 is not paired with day 2: the first weights belong to the first values, "
        "so the axis of six days appears once.",
        (36, 4, 2): "Each day is paired with itself alone: the first weights belong to the first values.",
        (12, 4, 2): "The two sixes are the same six days. They are not added: there are six results.",
    },
    hints=(
        "Leave out the first axis for a moment: what is the shape of (4, 3) @ (3, 2)? "
        "Then put the six days back in front.",
    ),
)


weighted_mean = Exercise(
    mha_ref.weighted_mean,
    inputs.means,
    points=2,
    hints=(
        "Each query asks all keys at once. "
        "Its row of weights says how much it takes from each key, and these shares sum to 1. "
        "So one row of the result is a sum over keys: weight times value, then the next weight times the next value. "
        "There is no further division; the weights have done that already.",
        "Write the two shapes side by side: queries × keys, and keys × features. "
        "The result is queries × features. "
        "Which length stands in both inputs and is gone in the result? "
        "That is the axis to add up over. "
        "The section on the matrix product shows an operator that does this, with any number of axes in front.",
        "One line is enough. "
        "It returns the matrix product of the two inputs, in the order in which the function receives them. "
        "Nothing needs to be transposed, looped over or divided. "
        "If you prefer loops, remember that there may be more axes in front of the last two, "
        "and that every item there is computed alone.",
    ),
    properties=(
        twice_the_values_twice_the_output,
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
    ),
)


# which axis meets which


@weighted_mean.misconception(turned=("mT", "T"))
def mixes_over_queries(weights, values, *, turned):
    """You mixed the values with the columns of the weights, which runs only where there are as many queries as keys.
    A row of weights belongs to one query and says how much it takes from each key.
    Which axis of the weights has to meet the keys of the values?"""
    return getattr(weights, turned) @ values


@weighted_mean.misconception
def multiplies_from_the_wrong_side(weights, values):
    """The values stand on the left in your product, so they are mixed along their features.
    In a matrix product each row of the result is made from one row of the left array.
    The rows of the result belong to queries: whose rows are queries?"""
    return values @ weights


@weighted_mean.misconception(turned=("mT", "T"))
def transposes_the_values(weights, values, *, turned):
    """You turned the values round, so the weights met features; that runs only with as many features as keys.
    Each key has a weight, and each key has a row of values.
    Write both shapes side by side: do the keys meet before you turn anything?"""
    return weights @ getattr(values, turned)


@weighted_mean.misconception
def puts_features_before_queries(weights, values):
    """The numbers of your result are right, but rows and columns have changed places: features × queries.
    Each query gets one row, with one number for each feature.
    Check what was turned round on the way, and whether it was turned back."""
    return weighted_mean(weights, values).mT


@weighted_mean.misconception
def sums_products_over_the_features(weights, values):
    """You added up over the features, so the several numbers that a value holds became one.
    Features stay apart: the first is mixed with the first, the second with the second.
    What disappears is the axis that weights and values have in common: which one is it?"""
    return (weights[..., None] * values[..., None, :, :]).sum(axis=-1)


# multiplied, but not added up


@weighted_mean.misconception
def multiplies_weights_elementwise(weights, values):
    """You multiplied number by number (`*`), which pairs what stands at the same place in both arrays.
    Here a weight belongs to a whole row of values, and the products are added up over the keys.
    Which operation multiplies and adds in one go?"""
    return weights * values


@weighted_mean.misconception(axis=(-1, 0, -2))
def adds_products_of_equal_places(weights, values, *, axis):
    """You multiplied number by number and then added up, so each weight met the value at its own place in the array.
    The weight of a key belongs to that key's whole row of values.
    Do one query by hand with the loops, and watch which index both arrays use."""
    return (weights * values).sum(axis=axis)


@weighted_mean.misconception
def pairs_each_query_with_one_key(weights, values):
    """The first row of the weights met the first row of the values alone, the second row met the second.
    But row 0 of the weights is a query and row 0 of the values is a key: they do not belong together.
    Each query needs *all* rows of the values.
    What would two loops do, one inside the other?"""
    return np.array([row @ value for row, value in zip(weights, values)])


@weighted_mean.misconception
def forgets_to_add_up(weights, values):
    """Your result still has an axis for the keys: each value was multiplied by its weight, and then nothing was added.
    A mean over keys has no keys left.
    Which axis of your products do you have to sum over?"""
    return weights[..., None] * values[..., None, :, :]


# a mean of something else


@weighted_mean.misconception
def takes_the_value_of_the_best_key(weights, values):
    """Each query got the value of the key with the largest weight, and nothing of the others.
    That is what a dictionary does.
    Attention takes a share of every value, a large one or a small one.
    What happens to the other weights of the row in your code?"""
    return np.take_along_axis(values, weights.argmax(axis=-1)[..., None], axis=-2)


@weighted_mean.misconception
def forgets_the_values(weights, values):
    """You returned the weights.
    They say how much to take from each key, but not what the keys have to give.
    That is in the values.
    What does a query get if it takes these shares of them?"""
    return weights


@weighted_mean.misconception
def forgets_the_weights(weights, values):
    """You returned the values as they came in.
    They are what the keys have to give, one row for each key.
    Each query takes its own share of every row and adds these shares up: where do the weights enter your code?"""
    return values


@weighted_mean.misconception
def ignores_the_weights(weights, values):
    """Each of your queries gets the plain mean of the values, whatever its weights are.
    A plain mean gives every key the same share.
    Here the row of weights says how large each share is.
    Where do the weights enter your code?"""
    return weighted_mean(np.ones_like(weights) / weights.shape[-1], values)


@weighted_mean.misconception
def adds_up_the_values(weights, values):
    """Your result is the sum of the values: every key is taken whole, and the weights do not count.
    Before a value is added, it is multiplied by the share that this query takes of it.
    Which weight belongs to which value?"""
    return weighted_mean(np.ones_like(weights), values)


@weighted_mean.misconception(axis=(-2, 0))
def averages_the_values_alone(weights, values, *, axis):
    """You took the plain mean of the values, so all queries get one answer and the weights do not count.
    Each query has its own row of weights, and gets its own mean.
    For one query, what is each value multiplied by before they are added?"""
    return values.mean(axis=axis)


@weighted_mean.misconception(axis=(0, None))
def averages_with_one_weight_for_each_number(weights, values, *, axis):
    """`np.average` took your weights as one weight for each single number, or refused their shape.
    Here each key has a weight, another one for every query.
    So each query needs an average of its own, or one product that does all of them."""
    return np.average(values, axis=axis, weights=weights)


# divided once too often


@weighted_mean.misconception
def divides_the_mean_by_the_number_of_keys(weights, values):
    """Your result is too small, by the number of keys.
    A plain mean divides by the count; here the weights of a row sum to 1, so the division has been done.
    Try a row with the weights 0, 1, 0: the middle value should come out as it is."""
    return weighted_mean(weights, values) / values.shape[-2]


@weighted_mean.misconception
def divides_by_row_sums_without_their_axis(weights, values):
    """You divided by the sums of the rows of weights.
    Each of these sums is 1, so nothing has to be divided.
    And `sum` takes its axis away, so that the sums no longer line up with the rows; mostly the shapes clash.
    What is left of your code if you leave the division out?"""
    return weighted_mean(weights / weights.sum(axis=-1), values)


@weighted_mean.misconception
def divides_by_the_length_of_the_values(weights, values):
    """Your result is too small: it was divided by `len(values)`, the first axis, whatever that axis is.
    The weights of a row sum to 1, so the division has been done.
    Try a row with the weights 0, 1, 0: the middle value should come out as it is."""
    return weighted_mean(weights, values) / len(values)


@weighted_mean.misconception
def divides_by_the_sum_of_all_weights(weights, values):
    """With more than one query your result is too small: it was divided by the sum of all weights there are.
    Each row of weights sums to 1 by itself, so the sum over all rows only counts the queries.
    What has one query to do with the weights of another?"""
    return weighted_mean(weights, values) / weights.sum()


@weighted_mean.misconception
def makes_the_columns_sum_to_one(weights, values):
    """Before mixing, the columns of the weights were made to sum to 1, so that the queries compete for a key.
    It is the keys that compete for a query: each row sums to 1, and does so already.
    The weights can be used as they come."""
    return weighted_mean(weights / weights.sum(axis=-2, keepdims=True), values)


@weighted_mean.misconception
def softmaxes_the_weights_again(weights, values):
    """Your result is what comes out if the weights pass through softmax once more, and so become nearly even.
    Softmax turns scores into weights.
    What you have here are weights already, and their rows sum to 1. Use them as they are."""
    return weighted_mean(mha_ref.softmax(weights), values)


@weighted_mean.misconception
def softmaxes_the_output(weights, values):
    """The rows of your result sum to 1: the mixed values went through softmax.
    Softmax makes weights, and weights are needed before the values are mixed.
    What comes out of the mixing has the size and the sign of the values. Return it as it is."""
    return mha_ref.softmax(weighted_mean(weights, values))


@weighted_mean.misconception
def scales_the_output(weights, values):
    """Your result is too small, by the square root of the number of features.
    A mean of values needs no scaling: it lies between the smallest and the largest value by itself.
    If you know the root from attention, it belongs to the scores, before there are any weights."""
    return weighted_mean(weights, values) / math.sqrt(values.shape[-1])


# loops that do not run to the end


@weighted_mean.misconception
def returns_only_zeros(weights, values):
    """Your result has the right shape, and every number in it is 0.
    It was made, but never filled.
    If you use a loop, does it add to the array that you return, and does `return` come after it?
    Print your array once in the loop, to see it grow."""
    return 0 * weighted_mean(weights, values)


@weighted_mean.misconception
def overwrites_instead_of_adding(weights, values):
    """Only the last key is in your result: each share replaced the one before it.
    A mean collects a share of every key.
    Look at the line inside the loop over keys: does it add to what is there, or does it start anew each time?"""
    return weights[..., -1:] * values[..., -1:, :]


@weighted_mean.misconception
def leaves_out_the_last_key(weights, values):
    """The last key is missing from your sums.
    `range(n)` counts 0, 1, ..., n - 1 and so has n numbers; with n - 1 inside, the last one is left out.
    How many keys does your loop visit, and how many are there?"""
    return weighted_mean(weights[..., :-1], values[..., :-1, :])


@weighted_mean.misconception
def leaves_out_the_first_key(weights, values):
    """The first key is missing from your sums.
    Python counts from 0, so the first key is number 0, and a loop that begins at 1 never meets it.
    How many keys does your loop visit, and how many are there?"""
    return weighted_mean(weights[..., 1:], values[..., 1:, :])


@weighted_mean.misconception
def stops_after_the_first_key(weights, values):
    """Only the first key is in your result.
    A mean collects a share of every key.
    If you use a loop, look at how far the line with `return` is indented: inside the loop over keys, it ends the
    function in the first round."""
    return weights[..., :1] * values[..., :1, :]


@weighted_mean.misconception
def stops_after_the_first_query(weights, values):
    """Your first row is right, and all other rows are zero.
    The work ended after one query.
    If you use a loop, look at how far the line with `return` is indented: inside the loop over queries, it ends the
    function in the first round."""
    return weighted_mean(weights * (np.arange(weights.shape[-2]) == 0)[:, None], values)


@weighted_mean.misconception
def fills_one_row_with_one_key(weights, values):
    """Your result holds one share, the first query's of the first key, and is zero below.
    So the work ended in the first round of both loops.
    Look at how far the line with `return` is indented: it should come after all queries and all keys."""
    return weights[..., :1] * values[..., :1, :] * (np.arange(weights.shape[-2]) == 0)[:, None]


@weighted_mean.misconception
def uses_the_weights_of_the_first_query(weights, values):
    """All rows of your result are alike: every query was answered with the first query's weights.
    Each query has its own row of weights, and so its own mean.
    Is there an index that stays 0 while your code goes from query to query?"""
    return weighted_mean(0 * weights + weights[..., :1, :], values)


# axes in front


@weighted_mean.misconception
def works_for_two_axes_only(weights, values):
    """With two axes your result is right; with more axes in front, your code stops.
    A batch puts an axis first, so queries and keys are no longer axes 0 and 1.
    Count axes from the end (-1, -2), or use an operation that leaves the axes in front alone."""
    _queries, _keys = weights.shape
    return weighted_mean(weights, values)


@weighted_mean.misconception
def counts_axes_from_the_front(weights, values):
    """With two axes your result is right, with a batch it is not.
    Your code counts axes from the front, as a loop over an array and `.T` do, and there the batch stands now.
    Queries, keys and features are always the last: count from the end, or leave the axes in front to an operation
    that knows them."""
    return (values.T @ weights.T).T


@weighted_mean.misconception
def pairs_every_item_with_every_item(weights, values):
    """With two axes your result is right; with a batch it has too many axes.
    `np.dot` pairs each item of the first batch with each item of the second.
    Here item 0 belongs to item 0 and item 1 to item 1: look for the product that keeps them together."""
    return np.dot(weights, values)


@weighted_mean.misconception
def answers_the_first_item_only(weights, values):
    """Of a batch you returned the first item alone.
    The axes in front, `...` in the shapes, are a number of problems to be solved side by side, and all of them belong
    to the result.
    Which index in your code picks one of them?"""
    return weighted_mean(weights[0], values[0]) if weights.ndim > 2 else weighted_mean(weights, values)


@weighted_mean.misconception
def uses_the_weights_of_the_first_item(weights, values):
    """In a batch every item was mixed with the first item's weights.
    The items of a batch are separate problems, each with weights and values of its own.
    Is there an index in your code that stays 0 while the items change?"""
    return weighted_mean(weights[:1] if weights.ndim > 2 else weights, values)


@weighted_mean.misconception
def uses_the_values_of_the_first_item(weights, values):
    """In a batch every item got a mixture of the first item's values.
    The items of a batch are separate problems, each with weights and values of its own.
    Is there an index in your code that stays 0 while the items change?"""
    return weighted_mean(weights, values[:1] if values.ndim > 2 else values)


# and a last question

une_also_looks_at = Question(
    answer="car",
    wrong={
        "a": "`a` is the first of the two: 0.46 of the row. Which English word has the rest?",
        "red": "`red` has 0.00 in the row `une`. It is where the row `rouge` looks. "
        "Go along the row `une` once more: two numbers are not 0.",
        "cat": "`cat` is the noun that the row `le` looks at. The row `une` stands further down.",
        "the": "`the` has 0.00 in the row `une`. Two of its numbers are not 0: one belongs to `a`.",
        "voiture": "You mean the right thing, in French. Which English word is it?",
        "0.54": "That is the number itself. Which English word stands below it?",
        0.54: "That is the number itself. Which English word stands below it?",
    },
    hints=(
        "Find the row `une`, the fifth from above. Two of its numbers are not 0. "
        "One stands above `a`; which word stands below the other?",
    ),
)
