"""What people get wrong about `weighted_mean`."""

import math

import numpy as np

import mha_ref
from autograder.mistakes import mistake

from ..exercises import weighted_mean


@mistake(how=("mT", "T", "products"))
def mixes_over_queries(weights, values, *, how):
    """You mixed the values with the columns of the weights, which works only if there are as many queries as keys.
    A row of weights belongs to one query and says how much it takes from each key.
    Which axis of the weights has to meet the keys of the values?"""
    if how == "products":  # a single query fits any number of keys there
        return (weights[..., :, :, None] * values[..., :, None, :]).sum(axis=-3)
    return getattr(weights, how) @ values


def multiplies_from_the_wrong_side(weights, values):
    """The values are on the left of your product, perhaps because two names were swapped.
    So they are mixed along their features.
    In a matrix product each row of the result is made from one row of the left array.
    The rows of the result belong to queries: whose rows are queries?"""
    return values @ weights


@mistake(turned=("mT", "T"))
def transposes_the_values(weights, values, *, turned):
    """You transposed the values: rows became columns, and the weights met features.
    That works only with as many features as keys.
    Each key has a weight, and each key has a row of values.
    Write both shapes side by side: do the keys meet before you turn anything?"""
    return weights @ getattr(values, turned)


def puts_features_before_queries(weights, values):
    """The numbers in your result are right, but rows and columns are swapped: features × queries.
    Each query gets one row, with one number for each feature.
    Check what was transposed on the way, and whether it was transposed back."""
    return weighted_mean(weights, values).mT


def sums_products_over_the_features(weights, values):
    """You summed over the features, so the numbers in each value became a single one.
    Features stay apart: the first is mixed with the first, the second with the second.
    The axis to sum over is the one that weights and values have in common: which one is it?"""
    return (weights[..., None] * values[..., None, :, :]).sum(axis=-1)


def multiplies_weights_elementwise(weights, values):
    """You multiplied number by number (`*`), which pairs what is at the same position in both arrays.
    Here a weight belongs to a whole row of values, and the products are added up over the keys.
    Which operation multiplies and adds in one go?"""
    return weights * values


@mistake(axis=(-1, 0, -2))
def adds_products_of_equal_places(weights, values, *, axis):
    """You multiplied number by number and added up, pairing each weight with the value at its own position.
    But row 0 of the weights belongs to a query, and row 0 of the values to a key.
    A key's weight belongs to its whole row of values.
    Do one query by hand: which index do both arrays use?"""
    return (weights * values).sum(axis=axis)


def pairs_each_query_with_one_key(weights, values):
    """Your first row of weights was used only with the first row of values, the second only with the second.
    But row 0 of the weights is a query and row 0 of the values is a key: they are no pair.
    Each query needs *all* rows of the values.
    What would two loops do, one inside the other?"""
    return np.array([row @ value for row, value in zip(weights, values)])


@mistake(mode=("raise", "clip", "wrap", "products"))
def takes_the_value_of_its_own_number(weights, values, *, mode):
    """Row 0 of your result is row 0 of the values, row 1 is row 1, whatever the weights say.
    In your code the query's number also picks the row of values.
    But a row of values belongs to a key, and each query needs a share of every key's row.
    Which of your indices counts the keys?"""
    if mode == "products":
        return weights.sum(axis=-1, keepdims=True) * values
    return np.take(values, np.arange(weights.shape[-2]), axis=-2, mode=mode)


def forgets_to_add_up(weights, values):
    """Your result still has an axis for the keys: each value was multiplied by its weight, and then nothing was added.
    A mean over keys has no keys left.
    Which axis of your products should you sum over?"""
    return weights[..., None] * values[..., None, :, :]


def takes_the_value_of_the_best_key(weights, values):
    """Each query got the value of the key with the largest weight, and nothing from the others.
    That is what a dictionary does.
    Attention takes a share of every value, a large one or a small one.
    What happens to the other weights of the row in your code?"""
    return np.take_along_axis(values, weights.argmax(axis=-1)[..., None], axis=-2)


@mistake(limit=(0.1, 0.05, 0.01, 1e-3), on="long")
def drops_small_weights(weights, values, *, limit):
    """You left out every key with a weight below {limit}.
    Such a weight is a small share, but among many keys all shares are small, and together they are a lot.
    The rest of the row then sums to less than 1.
    What is gained by leaving a small share out?"""
    return weighted_mean(np.where(weights < limit, 0, weights), values)


def forgets_the_values(weights, values):
    """You returned the weights.
    They say how much to take from each key, but not what the keys have to give.
    The values say that.
    What does a query get if it takes these shares of them?"""
    return weights


def forgets_the_weights(weights, values):
    """You returned the values as they came in.
    They are what the keys have to give, one row for each key.
    Each query takes its own share of every row and adds these shares up: where do the weights enter your code?"""
    return values


def ignores_the_weights(weights, values):
    """Each of your queries gets the plain mean of the values, whatever its weights are.
    A plain mean gives every key the same share.
    Here the row of weights says how large each share is.
    Where do the weights enter your code?"""
    return weighted_mean(np.ones_like(weights) / weights.shape[-1], values)


def adds_up_the_values(weights, values):
    """Your result is the sum of the values: every value is taken whole, and the weights have no effect.
    Before a value is added, multiply it by the share that this query takes of it.
    Which weight belongs to which value?"""
    return weighted_mean(np.ones_like(weights), values)


@mistake(axis=(-2, 0))
def averages_the_values_alone(weights, values, *, axis):
    """You took the plain mean of the values, so all queries get the same answer and the weights have no effect.
    Each query has its own row of weights, and gets its own mean.
    For one query, what is each value multiplied by before they are added?"""
    return values.mean(axis=axis)


@mistake(axis=(0, None))
def averages_with_one_weight_for_each_number(weights, values, *, axis):
    """`np.average` treated your weights as one weight for each single number, or rejected their shape.
    Here each key has a weight, and it is different for each query.
    So each query needs an average of its own, or one product that does all of them."""
    return np.average(values, axis=axis, weights=weights)


def divides_the_mean_by_the_number_of_keys(weights, values):
    """Your numbers are the right ones divided by the number of keys.
    A plain mean divides by the count; here the weights of a row sum to 1, so the division has been done.
    Try a row with the weights 0, 1, 0: the middle value should come out as it is."""
    return weighted_mean(weights, values) / values.shape[-2]


def divides_the_mean_by_three(weights, values):
    """Your numbers are a third of the right ones, however many keys there are.
    A plain mean of three values divides by 3; here the weights of a row sum to 1, so the division has been done.
    Try a row with the weights 0, 1, 0: the middle value should come out as it is."""
    return weighted_mean(weights, values) / 3


def divides_by_row_sums_without_their_axis(weights, values):
    """You divided by the sums of the rows of weights.
    Each of these sums is 1, so nothing has to be divided.
    Besides, `sum` removes its axis, so the sums no longer line up with the rows, and usually the shapes clash.
    What is left of your code without the division?"""
    return weighted_mean(weights / weights.sum(axis=-1), values)


def divides_by_the_length_of_the_values(weights, values):
    """The right numbers were divided by `len(values)`, the first axis, whatever that axis is.
    The weights of a row sum to 1, so the division has been done.
    Try a row with the weights 0, 1, 0: the middle value should come out as it is."""
    return weighted_mean(weights, values) / len(values)


def divides_by_the_sum_of_all_weights(weights, values):
    """With more than one query your numbers are the right ones divided by the sum of all weights.
    Each row of weights sums to 1 by itself, so the sum over all rows is the number of queries.
    Why should one query depend on the weights of another?"""
    return weighted_mean(weights, values) / weights.sum()


def makes_the_columns_sum_to_one(weights, values):
    """Before mixing, you made the columns of the weights sum to 1, as if the queries competed for a key.
    But the keys compete for a query: each row sums to 1, and it does so already.
    You can use the weights as they are."""
    return weighted_mean(weights / weights.sum(axis=-2, keepdims=True), values)


def softmaxes_the_weights_again(weights, values):
    """Your result looks as if the weights had passed through softmax again and become nearly even.
    Softmax turns scores into weights.
    Here you have weights already, and their rows sum to 1. Use them as they are."""
    return weighted_mean(mha_ref.softmax(weights), values)


def softmaxes_the_output(weights, values):
    """The rows of your result sum to 1: the mixed values went through softmax.
    Softmax makes weights, and weights are needed before the values are mixed.
    The mixed values keep the size and the sign of the values. Return them as they are."""
    return mha_ref.softmax(weighted_mean(weights, values))


def scales_the_output(weights, values):
    """Your numbers are the right ones divided by the square root of the number of features.
    A mean of values needs no scaling: it lies between the smallest and the largest value by itself.
    If you know the root from attention, it belongs to the scores, before there are any weights."""
    return weighted_mean(weights, values) / math.sqrt(values.shape[-1])


@mistake(axis=(-1, -2, 0))
def sums_the_means(weights, values, *, axis):
    """Your means were right, but then you added them up, over queries or over features.
    The keys are the only axis to sum over, and that has been done.
    Each query keeps its own row, and each feature its own column. Which step comes after the mixing?"""
    return weighted_mean(weights, values).sum(axis=axis)


@mistake(axis=(-1, -2, 0))
def averages_the_means(weights, values, *, axis):
    """Your weighted means were right, but then you averaged them, over queries or over features.
    A weighted mean is a mean already, one for each query and feature.
    Which step comes after the mixing, and what is it there for?"""
    return weighted_mean(weights, values).mean(axis=axis)


@mistake(digits=(1, 2, 3, 4))
def rounds_the_means(weights, values, *, digits):
    """Your numbers are right, but rounded.
    Our pictures show few digits because they are easier to read; the arrays behind them keep all of theirs.
    Later calculations need them, too. Which step of your code rounds?"""
    return np.round(weighted_mean(weights, values), digits)


@mistake(cut=(np.trunc, np.floor, np.round))
def cuts_the_values_to_whole_numbers(weights, values, *, cut):
    """Your values lost their digits after the decimal point before they were mixed.
    Values may be any floating-point numbers, and a part of each goes into the mean.
    Look for `int`, for `round`, for `//`, or for an array of whole numbers that you write into."""
    return weighted_mean(weights, cut(values))


def returns_only_zeros(weights, values):
    """Your result has the right shape, and every number in it is 0.
    It was made, but never filled.
    If you use a loop, does it add to the array that you return, and does `return` come after it?
    Print your array once in the loop, to see it grow."""
    return 0 * weighted_mean(weights, values)


def overwrites_instead_of_adding(weights, values):
    """Only the last key is in your result: each share replaced the one before it.
    A mean collects a share of every key.
    Look at the line inside the loop over keys: does it add to what is there, or does it start again each time?"""
    return weights[..., -1:] * values[..., -1:, :]


def leaves_out_the_last_key(weights, values):
    """The last key is missing from your sums.
    `range(n)` counts 0, 1, ..., n - 1, which is n numbers; with n - 1 in the brackets the last one is left out.
    How many keys does your loop visit, and how many are there?"""
    return weighted_mean(weights[..., :-1], values[..., :-1, :])


def begins_with_the_first_value(weights, values):
    """The first row of values counts twice: it is in your result whole, and then again with its weight.
    A sum begins with 0, and each key adds its share.
    What is in your sum before the first key is added?"""
    return weighted_mean(weights, values) + values[..., :1, :]


@mistake(constant=(2, 3, 4, 5))
def goes_through_a_fixed_number_of_keys(weights, values, *, constant):
    """Your sum has {constant} terms, however many keys there are.
    With more keys the rest are left out, and with fewer there is nothing left to take.
    Which axis of the weights tells you how many keys there are?"""
    return sum(weights[..., key, None] * values[..., None, key, :] for key in range(constant))


def leaves_out_the_first_key(weights, values):
    """The first key is missing from your sums.
    Python counts from 0, so the first key is number 0, and a loop that begins at 1 never meets it.
    How many keys does your loop visit, and how many are there?"""
    return weighted_mean(weights[..., 1:], values[..., 1:, :])


def stops_after_the_first_key(weights, values):
    """Only the first key is in your result.
    A mean collects a share of every key.
    If you use a loop, look at how far the line with `return` is indented: inside the loop over keys, it ends the
    function in the first round."""
    return weights[..., :1] * values[..., :1, :]


def stops_after_the_first_query(weights, values):
    """Your first row is right, and all other rows are zero.
    Your code stopped after one query.
    If you use a loop, look at how far the line with `return` is indented: inside the loop over queries, it ends the
    function in the first round."""
    return weighted_mean(weights * (np.arange(weights.shape[-2]) == 0)[:, None], values)


def fills_one_row_with_one_key(weights, values):
    """Your result holds one share, the first query's share of the first key, and zeros below it.
    So your code stopped in the first round of both loops.
    Look at how far the line with `return` is indented: it should come after all queries and all keys."""
    return weights[..., :1] * values[..., :1, :] * (np.arange(weights.shape[-2]) == 0)[:, None]


def answers_the_first_query_only(weights, values):
    """You returned one row: the answer to the first query.
    Every query needs an answer, so the result has as many rows as the weights.
    Does an index pick the first row, or is `return` inside a loop over the queries?"""
    return weighted_mean(weights, values)[..., 0, :]


def uses_the_weights_of_the_first_query(weights, values):
    """All rows of your result are the same: every query was answered with the first query's weights.
    Each query has its own row of weights, and so its own mean.
    Is there an index that stays 0 while your code goes from query to query?"""
    return weighted_mean(0 * weights + weights[..., :1, :], values)


def gives_all_queries_the_last_result(weights, values):
    """All rows of your result are the same: every query got the answer to the last one.
    A list stores the array itself, not a copy of its numbers at that moment; and after a loop, a variable holds what
    the last round left in it.
    Does your code make a new row for each query?"""
    return weighted_mean(0 * weights + weights[..., -1:, :], values)


@mistake(name=("weights", "values"))
def makes_room_like(weights, values, *, name):
    """The array that you fill has the shape of the {name}, but the result needs another.
    It has a row for each query and a column for each feature.
    Each input has one of these lengths.
    Print the shape of your empty array: which of its lengths belongs to the keys?"""
    room, mean = np.zeros_like(weights if name == "weights" else values), weighted_mean(weights, values)
    place = np.s_[...] if name == "weights" else np.s_[..., : mean.shape[-2], :]
    room[place] = mean
    return room


def works_for_two_axes_only(weights, values):
    """With two axes your result is right; with more axes in front, your code stops.
    A batch puts an axis first, so queries and keys are no longer axes 0 and 1.
    Count axes from the end (-1, -2), or use an operation that leaves the axes in front alone."""
    _queries, _keys = weights.shape
    return weighted_mean(weights, values)


def counts_axes_from_the_front(weights, values):
    """With two axes your result is right, but with a batch it is not.
    Your code counts axes from the front, as `.T` and a loop over an array do, and there it meets the batch.
    Queries, keys and features come last: count from the end, or use an operation that leaves the axes in front
    alone."""
    return (values.T @ weights.T).T


def lines_the_batch_up_with_the_queries(weights, values):
    """With two axes your result is right; with a batch, the items of the values meet the queries of the weights.
    Broadcasting lines axes up from the right, and one of your two arrays has more axes.
    Write both shapes below each other: where does the shorter one need an axis of length 1?"""
    return (weights[..., None] * values).sum(axis=-2)


def pairs_every_item_with_every_item(weights, values):
    """With two axes your result is right; with a batch it has too many axes.
    `np.dot` pairs each item of the first batch with each item of the second.
    Here item 0 belongs to item 0 and item 1 to item 1: look for the product that keeps them together."""
    return np.dot(weights, values)


@mistake(stops=(False, True))
def serves_one_axis_in_front(weights, values, *, stops):
    """With no axis in front, or with one, your result is right; with two it is not.
    Your code takes off the first axis, with a loop or an index, and assumes that a plain matrix is left.
    There may be any number of axes in front. What works on the last two, however many come first?"""
    if weights.ndim <= 3:
        return weighted_mean(weights, values)
    if stops:
        raise ValueError("more than one axis in front")
    return np.stack([np.dot(w, v) for w, v in zip(weights, values)])


def expects_one_axis_in_front(weights, values):
    """Your code expects exactly one axis in front; without one, or with two, it stops.
    It has a letter for the batch, or unpacks three sizes, or counts axes from the front.
    The three dots in the shapes mean any number of axes, or none. How can you write that?"""
    return weighted_mean(weights.transpose(0, 2, 1).mT, values)


def answers_the_first_item_only(weights, values):
    """You returned only the first item of a batch.
    The axes in front, `...` in the shapes, hold several problems to be solved side by side, and all of them belong in
    the result.
    Which index in your code picks one of them?"""
    return weighted_mean(weights[0], values[0]) if weights.ndim > 2 else weighted_mean(weights, values)


@mistake(all_axes=(False, True))
def uses_the_weights_of_the_first_item(weights, values, *, all_axes):
    """In a batch every item was mixed with the first item's weights.
    The items of a batch are separate problems, each with weights and values of its own.
    Is there an index in your code that stays 0 while the items change?"""
    return weighted_mean(_first_item(weights, all_axes), values)


@mistake(all_axes=(False, True))
def uses_the_values_of_the_first_item(weights, values, *, all_axes):
    """In a batch every item got a mixture of the first item's values.
    The items of a batch are separate problems, each with weights and values of its own.
    Is there an index in your code that stays 0 while the items change?"""
    return weighted_mean(weights, _first_item(values, all_axes))


def _first_item(x, all_axes):
    """The first of all items, for each of them; of two axes in front, along both or along the first alone."""
    axes = x.ndim - 2 if all_axes else min(1, x.ndim - 2)
    return 0 * x + x[(np.s_[:1],) * axes]
