"""What people get wrong about `weighted_mean`, and what helps them."""

import math

import numpy as np

import mha_ref

from ..exercises import weighted_mean


@weighted_mean.misconception(how=("mT", "T", "products"))
def mixes_over_queries(weights, values, *, how):
    """You mixed the values with the columns of the weights, which runs only where there are as many queries as keys.
    A row of weights belongs to one query and says how much it takes from each key.
    Which axis of the weights has to meet the keys of the values?"""
    if how == "products":  # a single query fits any number of keys there
        return (weights[..., :, :, None] * values[..., :, None, :]).sum(axis=-3)
    return getattr(weights, how) @ values


@weighted_mean.misconception
def multiplies_from_the_wrong_side(weights, values):
    """The values stand on the left in your product, perhaps because two names have changed places.
    So they are mixed along their features.
    In a matrix product each row of the result is made from one row of the left array.
    The rows of the result belong to queries: whose rows are queries?"""
    return values @ weights


@weighted_mean.misconception(turned=("mT", "T"))
def transposes_the_values(weights, values, *, turned):
    """You transposed the values: rows became columns, and the weights met features.
    That runs only with as many features as keys.
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
    What disappears is the axis that stands in both shapes, weights and values: which one is it?"""
    return (weights[..., None] * values[..., None, :, :]).sum(axis=-1)


@weighted_mean.misconception
def multiplies_weights_elementwise(weights, values):
    """You multiplied number by number (`*`), which pairs what stands at the same place in both arrays.
    Here a weight belongs to a whole row of values, and the products are added up over the keys.
    Which operation multiplies and adds in one go?"""
    return weights * values


@weighted_mean.misconception(axis=(-1, 0, -2))
def adds_products_of_equal_places(weights, values, *, axis):
    """You multiplied number by number and added up, so each weight met the value at its own place.
    But row 0 of the weights belongs to a query, and row 0 of the values to a key.
    The weight of a key belongs to that key's whole row of values.
    Do one query by hand: which index do both arrays use?"""
    return (weights * values).sum(axis=axis)


@weighted_mean.misconception
def pairs_each_query_with_one_key(weights, values):
    """The first row of the weights met the first row of the values alone, the second row met the second.
    But row 0 of the weights is a query and row 0 of the values is a key: they do not belong together.
    Each query needs *all* rows of the values.
    What would two loops do, one inside the other?"""
    return np.array([row @ value for row, value in zip(weights, values)])


@weighted_mean.misconception(mode=("raise", "clip", "wrap", "products"))
def takes_the_value_of_its_own_number(weights, values, *, mode):
    """Row 0 of your result is row 0 of the values, row 1 is row 1, whatever the weights say.
    In your code the number of the query picks the row of values, too.
    But a row of values belongs to a key, and each query needs a share of all keys.
    Which of your indices counts the keys?"""
    if mode == "products":
        return weights.sum(axis=-1, keepdims=True) * values
    return np.take(values, np.arange(weights.shape[-2]), axis=-2, mode=mode)


@weighted_mean.misconception
def forgets_to_add_up(weights, values):
    """Your result still has an axis for the keys: each value was multiplied by its weight, and then nothing was added.
    A mean over keys has no keys left.
    Which axis of your products do you have to sum over?"""
    return weights[..., None] * values[..., None, :, :]


@weighted_mean.misconception
def takes_the_value_of_the_best_key(weights, values):
    """Each query got the value of the key with the largest weight, and nothing of the others.
    That is what a dictionary does.
    Attention takes a share of every value, a large one or a small one.
    What happens to the other weights of the row in your code?"""
    return np.take_along_axis(values, weights.argmax(axis=-1)[..., None], axis=-2)


@weighted_mean.misconception(limit=(0.1, 0.05, 0.01, 1e-3), on="long")
def drops_small_weights(weights, values, *, limit):
    """You left out every key with a weight below {limit}.
    Such a weight is a small share, but among many keys all shares are small, and together they are a lot.
    The rest of the row then sums to less than 1.
    What is gained by leaving a small share out?"""
    return weighted_mean(np.where(weights < limit, 0, weights), values)


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
    Here each key has a weight, and a different one for each query.
    So each query needs an average of its own, or one product that does all of them."""
    return np.average(values, axis=axis, weights=weights)


@weighted_mean.misconception
def divides_the_mean_by_the_number_of_keys(weights, values):
    """Your numbers are the right ones divided by the number of keys.
    A plain mean divides by the count; here the weights of a row sum to 1, so the division has been done.
    Try a row with the weights 0, 1, 0: the middle value should come out as it is."""
    return weighted_mean(weights, values) / values.shape[-2]


@weighted_mean.misconception
def divides_the_mean_by_three(weights, values):
    """Your numbers are a third of the right ones, however many keys there are.
    A plain mean of three values divides by 3; here the weights of a row sum to 1, so the division has been done.
    Try a row with the weights 0, 1, 0: the middle value should come out as it is."""
    return weighted_mean(weights, values) / 3


@weighted_mean.misconception
def divides_by_row_sums_without_their_axis(weights, values):
    """You divided by the sums of the rows of weights.
    Each of these sums is 1, so nothing has to be divided.
    And `sum` takes its axis away, so that the sums no longer line up with the rows; mostly the shapes clash.
    What is left of your code if you leave the division out?"""
    return weighted_mean(weights / weights.sum(axis=-1), values)


@weighted_mean.misconception
def divides_by_the_length_of_the_values(weights, values):
    """The right numbers were divided by `len(values)`, the first axis, whatever that axis is.
    The weights of a row sum to 1, so the division has been done.
    Try a row with the weights 0, 1, 0: the middle value should come out as it is."""
    return weighted_mean(weights, values) / len(values)


@weighted_mean.misconception
def divides_by_the_sum_of_all_weights(weights, values):
    """With more than one query your numbers are the right ones divided by the sum of all weights there are.
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
    """Your numbers are the right ones divided by the square root of the number of features.
    A mean of values needs no scaling: it lies between the smallest and the largest value by itself.
    If you know the root from attention, it belongs to the scores, before there are any weights."""
    return weighted_mean(weights, values) / math.sqrt(values.shape[-1])


@weighted_mean.misconception(axis=(-1, -2, 0))
def sums_the_means(weights, values, *, axis):
    """Your means were right, and then you added them up, over queries or over features.
    The keys are the only axis to add up over, and that has been done.
    Each query keeps its own row, and each feature its own column. Which step comes after the mixing?"""
    return weighted_mean(weights, values).sum(axis=axis)


@weighted_mean.misconception(axis=(-1, -2, 0))
def averages_the_means(weights, values, *, axis):
    """Your weighted means were right, and then you took a mean of these means, over queries or over features.
    A weighted mean is a mean already, one for each query and feature.
    Which step comes after the mixing, and what is it there for?"""
    return weighted_mean(weights, values).mean(axis=axis)


@weighted_mean.misconception(digits=(1, 2, 3, 4))
def rounds_the_means(weights, values, *, digits):
    """Your numbers are right, but rounded.
    Our pictures show few digits because they are easier to read; the arrays behind them keep all of theirs.
    What is computed from your result needs them, too. Which step of your code rounds?"""
    return np.round(weighted_mean(weights, values), digits)


@weighted_mean.misconception(cut=(np.trunc, np.floor, np.round))
def cuts_the_values_to_whole_numbers(weights, values, *, cut):
    """Your values have lost what stands after the point, before they were mixed.
    Values may be any floating-point numbers, and a part of each goes into the mean.
    Look for `int`, for `round`, for `//`, or for an array of whole numbers that you write into."""
    return weighted_mean(weights, cut(values))


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
def begins_with_the_first_value(weights, values):
    """The first row of values counts once too often: it is in your result whole, and then again with its weight.
    A sum begins with 0, and each key adds its share.
    What stands in your sum before the first key is added?"""
    return weighted_mean(weights, values) + values[..., :1, :]


@weighted_mean.misconception(constant=(2, 3, 4, 5))
def goes_through_a_fixed_number_of_keys(weights, values, *, constant):
    """Your sum has {constant} terms, however many keys there are.
    With more keys the others are left out, and with fewer there is nothing left to take.
    Which axis of the weights tells how many keys there are?"""
    return sum(weights[..., key, None] * values[..., None, key, :] for key in range(constant))


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
def answers_the_first_query_only(weights, values):
    """You returned one row: the answer to the first query.
    Every query wants one, so the result has as many rows as the weights.
    Does an index pick the first row, or does `return` stand inside a loop over the queries?"""
    return weighted_mean(weights, values)[..., 0, :]


@weighted_mean.misconception
def uses_the_weights_of_the_first_query(weights, values):
    """All rows of your result are alike: every query was answered with the first query's weights.
    Each query has its own row of weights, and so its own mean.
    Is there an index that stays 0 while your code goes from query to query?"""
    return weighted_mean(0 * weights + weights[..., :1, :], values)


@weighted_mean.misconception
def gives_all_queries_the_last_result(weights, values):
    """All rows of your result are alike: every query got the answer to the last one.
    A list keeps an array itself, and not the numbers that it holds at that moment; a variable keeps what the last round
    of a loop left in it.
    Is a row of its own made for each query?"""
    return weighted_mean(0 * weights + weights[..., -1:, :], values)


@weighted_mean.misconception(name=("weights", "values"))
def makes_room_like(weights, values, *, name):
    """The array that you fill has the shape of the {name}, and the result has another one.
    It needs a row for each query and a column for each feature.
    Each input brings one of these two lengths.
    Print the shape of your empty array: which of its lengths belongs to the keys?"""
    room, mean = np.zeros_like(weights if name == "weights" else values), weighted_mean(weights, values)
    place = np.s_[...] if name == "weights" else np.s_[..., : mean.shape[-2], :]
    room[place] = mean
    return room


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
    Your code counts axes from the front, as a loop over an array and `.T` do, where the batch stands.
    Queries, keys and features are the last: count from the end, or leave the axes in front to an operation that
    knows them."""
    return (values.T @ weights.T).T


@weighted_mean.misconception
def pairs_every_item_with_every_item(weights, values):
    """With two axes your result is right; with a batch it has too many axes.
    `np.dot` pairs each item of the first batch with each item of the second.
    Here item 0 belongs to item 0 and item 1 to item 1: look for the product that keeps them together."""
    return np.dot(weights, values)


@weighted_mean.misconception(stops=(False, True))
def serves_one_axis_in_front(weights, values, *, stops):
    """With no axis in front your result is right, and with one; with two it is not.
    Your code takes off the first axis, by a loop or by an index, and thinks that a plain matrix is left.
    Any number of axes may stand there. What works on the last two, however many come first?"""
    if weights.ndim <= 3:
        return weighted_mean(weights, values)
    if stops:
        raise ValueError("more than one axis in front")
    return np.stack([np.dot(w, v) for w, v in zip(weights, values)])


@weighted_mean.misconception
def expects_one_axis_in_front(weights, values):
    """Your code expects exactly one axis in front; without one, or with two, it stops.
    It has a letter for the batch, or unpacks three sizes, or counts axes from the front.
    The three dots in the shapes mean any number of axes, none included. How does one write that?"""
    return weighted_mean(weights.transpose(0, 2, 1).mT, values)


@weighted_mean.misconception
def answers_the_first_item_only(weights, values):
    """Of a batch you returned the first item alone.
    The axes in front, `...` in the shapes, are a number of problems to be solved side by side, and all of them belong
    to the result.
    Which index in your code picks one of them?"""
    return weighted_mean(weights[0], values[0]) if weights.ndim > 2 else weighted_mean(weights, values)


@weighted_mean.misconception(all_axes=(False, True))
def uses_the_weights_of_the_first_item(weights, values, *, all_axes):
    """In a batch every item was mixed with the first item's weights.
    The items of a batch are separate problems, each with weights and values of its own.
    Is there an index in your code that stays 0 while the items change?"""
    return weighted_mean(_first_item(weights, all_axes), values)


@weighted_mean.misconception(all_axes=(False, True))
def uses_the_values_of_the_first_item(weights, values, *, all_axes):
    """In a batch every item got a mixture of the first item's values.
    The items of a batch are separate problems, each with weights and values of its own.
    Is there an index in your code that stays 0 while the items change?"""
    return weighted_mean(weights, _first_item(values, all_axes))


def _first_item(x, all_axes):
    """The first of all items, for each of them; of two axes in front, along both or along the first alone."""
    axes = x.ndim - 2 if all_axes else min(1, x.ndim - 2)
    return 0 * x + x[(np.s_[:1],) * axes]


weighted_mean.hints_for(
    "mixes_over_queries",
    "multiplies_from_the_wrong_side",
    "transposes_the_values",
    "puts_features_before_queries",
    hints=(
        "In a matrix product two axes meet: the last one of the left array, and the last but one of the right array. "
        "Afterwards both are gone. The other two stay, the left one first. For a weighted mean the keys have to meet. "
        "What stays is then one row for each query, and one column for each feature.",
        "Look at the product, and at each place where an array is turned round, before it or after it. "
        "Write the shapes of its two sides below it, in words: queries, keys, features. "
        "Do the keys stand inside, next to each other? Does the rest read queries, then features? "
        "Take three different lengths: where two are equal, the mistake can hide.",
        "The weights are queries × keys and the values keys × features, so they fit as they are. The line has the "
        "weights on the left, the values on the right, and the operator of the matrix product between them. "
        "No array is turned round before it, and the result is not turned round after it.",
    ),
)

weighted_mean.hints_for(
    "multiplies_weights_elementwise",
    "adds_products_of_equal_places",
    "pairs_each_query_with_one_key",
    "takes_the_value_of_its_own_number",
    "averages_with_one_weight_for_each_number",
    hints=(
        "Weights and values are two different tables. A weight belongs to a pair: this query and this key. "
        "A row of values belongs to one key. So the same place in both tables means two different things. What they "
        "have in common is the key alone: each query goes through all the keys, and takes its share of each key's "
        "whole row.",
        "Look at the operation that brings weights and values together, and ask what it puts side by side. "
        "`*`, `zip` and the weights of `np.average` put equal places side by side. "
        "Take 2 queries, 3 keys and 5 features: there they stop with an error. "
        "Two loops, one over queries and one over keys, would run.",
        "Each row of weights has to meet each column of the values: multiply in pairs along the keys, and add up the "
        "products to one number. The matrix product does that for all queries and all features at once. "
        "So the line has that one operator between weights and values, and no other sum, loop or average.",
    ),
)

weighted_mean.hints_for(
    "sums_products_over_the_features",
    "forgets_to_add_up",
    hints=(
        "Each product has three addresses: its query, its key and its feature. A mean over keys has two of them left. "
        "The query stays, because it asked and wants an answer. "
        "The feature stays, because the answer is made of features. "
        "Only the key has done its work once its value is multiplied.",
        "Find the array that holds your products, and print its shape, with lengths that all differ. "
        "Say of each length what it counts: queries, keys or features. "
        "Then print the shape of what you have in the end. "
        "The length of the keys should be gone, and the other two should still stand in their order.",
        "If you keep your products in the order queries, keys, features, sum them along the axis of the keys: counted "
        "from the end, it is the second one. Or let a matrix product of weights and values do both steps at once. "
        "It multiplies, and adds up along the axis that the two arrays share.",
    ),
)

weighted_mean.hints_for(
    "forgets_the_values",
    "forgets_the_weights",
    hints=(
        "Think of a recipe. The weights say how much of each thing to take, and the values are the things. "
        "Neither of them is the dish. "
        "The dish is made by taking the right amount of each thing, and putting all these amounts together. "
        "So the result has to be made of both.",
        "Go backwards from the result, and mark each place where the weights or the values enter it. "
        "One of the two has no mark. Perhaps a product was made and then not used, or a name was overwritten. "
        "The shape tells it too: queries × features has one length from the weights, and one from the values.",
        "The line has both arrays in it. "
        "It is the matrix product of the weights, on the left, with the values, on the right. "
        "That multiplies each value by the weight that the query gives to its key, and adds up over the keys. "
        "Hand on what this product gives, and not one of its two sides.",
    ),
)

weighted_mean.hints_for(
    "takes_the_value_of_the_best_key",
    "ignores_the_weights",
    "adds_up_the_values",
    "averages_the_values_alone",
    "drops_small_weights",
    hints=(
        "Think of a weight as a volume control, one for each query and key. At 0 the key is silent. "
        "At 1 it is the only one to be heard. In between it counts in part. "
        "So turning two controls a little must change the answer a little. "
        "If nothing changes, the controls are not connected.",
        "Try one query and three different values, with the weights 0.5, 0.3, 0.2 and then with 0.5, 0.2, 0.3. "
        "The two answers should differ, and in your code they are the same. "
        "Follow both rows through the step that mixes, line by line. "
        "After which line can you no longer tell them apart?",
        "Between the weights and the result there has to be a product: each value times the weight that this query "
        "gives it, be it large or small. Then these products are added up. "
        "Nothing is chosen, counted or averaged besides. "
        "The matrix product of weights and values does this for every query.",
    ),
)

weighted_mean.hints_for(
    "divides_the_mean_by_the_number_of_keys",
    "divides_the_mean_by_three",
    "divides_by_row_sums_without_their_axis",
    "divides_by_the_length_of_the_values",
    "divides_by_the_sum_of_all_weights",
    "makes_the_columns_sum_to_one",
    "scales_the_output",
    hints=(
        "A mean has one division in it, and you can do it late or early. Late: (10 + 18 + 22) / 3. "
        "Early: a third of 10, plus a third of 18, plus a third of 22. Those thirds are weights. "
        "Weights that sum to 1 have the division inside, so there is none left to do.",
        "Look for every division between the weights and the result: a slash, a mean, a root. "
        "Then try values that are all 5, with several queries and keys. "
        "Whatever the weights are, a mean of equal numbers is 5. "
        "Take the divisions out one by one, and watch what comes out.",
        "The step that mixes needs no division at all: by no count, by no sum, by no root. "
        "Take the weights as they come. Multiply each value by its weight and add up over the keys. "
        "One matrix product of weights and values does that, and what it gives is a mean already.",
    ),
)

weighted_mean.hints_for(
    "softmaxes_the_weights_again",
    "softmaxes_the_output",
    hints=(
        "Softmax has one task: it turns scores, which may be any numbers, into shares of one whole. "
        "That task comes before the mixing, and is done once. Weights are shares already. Mixed values are no shares "
        "at all: they may be degrees, prices or the features of a word, and keep their sign and size.",
        "Find every softmax on the way to the result, also inside the functions that you call, and print what goes "
        "into it. If each row of that sums to 1, it holds weights already. "
        "If it has as many columns as the values, it is what comes out of the mixing. "
        "Neither of the two needs a softmax.",
        "Take this one softmax out. "
        "The step that mixes is then a matrix product: the weights as they are, with the values as they are. "
        "What it gives is handed on unchanged. "
        "If another part of your code turns scores into weights, its softmax stays where it is.",
    ),
)

weighted_mean.hints_for(
    "sums_the_means",
    "averages_the_means",
    "rounds_the_means",
    hints=(
        "Each number of the result answers one small question: for this query, what is the mean of this feature? "
        "With 4 queries and 2 features there are eight such answers. Nobody asked for a sum of them, for a mean of "
        "them, or for fewer digits.",
        "Print the shape, and one number, before and after each step that follows the mixing. "
        "A sum or a mean takes an axis away. A rounded number ends early. Which step does one of these? "
        "For the four questions about the weather, 20 degrees and 7 km/h should still stand in the row of 14:00.",
        "The mixing adds up over the keys, and what it gives is the answer: queries × features, with all its digits. "
        "Take away each step between it and `return`. No sum, no mean and no rounding is left to do.",
    ),
)

weighted_mean.hints_for(
    "cuts_the_values_to_whole_numbers",
    hints=(
        "A value of 0.75 is three quarters, and 0 is something else. "
        "In the lesson's example the temperatures are whole numbers, and that is an accident. "
        "The features of a word are small numbers of either sign, and nearly all of them would be cut to 0.",
        "Take one key with the weight 1 and the value 0.75: the result should be 0.75. "
        "Print the values just before they meet the weights, each with `float(...)`. "
        "Then look above that line for `int`, `astype`, `round`, a double slash, or an array made with whole numbers.",
        "Take the step out that cuts the values, and use them as they come in. "
        "If you make an array to fill, make it of floating-point numbers: NumPy's zeros are such numbers if you say "
        "nothing of their type. The matrix product of weights and values keeps all digits.",
    ),
)

weighted_mean.hints_for(
    "returns_only_zeros",
    "overwrites_instead_of_adding",
    "begins_with_the_first_value",
    hints=(
        "A sum needs a place where it can grow. It begins with zero. Each key puts its share on top of what is there "
        "already, and after the last key it is complete. "
        "If a share takes the place of the sum, or goes elsewhere, the shares before it are lost.",
        "Look at the array that your code hands back. Where is it made, and which lines change it? "
        "A line that adds two things and stores them nowhere changes nothing. "
        "Take one query and three keys, and print its row after each key. "
        "It should grow in three steps, each on top of the one before.",
        "For one query and one key, the line takes weight times row of values, adds that to what this query's row "
        "holds so far, and stores the sum in the same row. The array is made of zeros once, before the loops begin. "
        "One matrix product in place of the loops does the same.",
    ),
)

weighted_mean.hints_for(
    "leaves_out_the_last_key",
    "leaves_out_the_first_key",
    "goes_through_a_fixed_number_of_keys",
    hints=(
        "A row of weights is one whole, and each key holds a part of it. "
        "Leave out one key, and its part is gone: what you have then is no mean any more. Both ends are easy to miss. "
        "A loop or a slice that begins at 1 has skipped a key, and so has one that ends one step early.",
        "Look at each `range` and each slice with a colon that runs over keys. "
        "Take three keys, and print the number of each one that your code visits: 0, 1 and 2 should appear. "
        "Then see where the end comes from. "
        "It should be the length that weights and values share, with nothing taken away.",
        "Let the loop begin with the first key and end after the last one. "
        "A `range` that gets one number, how many keys there are, does that. "
        "So does a slice with nothing on either side of its colon. "
        "Or leave the loop out: a matrix product of weights and values meets every key.",
    ),
)

weighted_mean.hints_for(
    "makes_room_like",
    hints=(
        "An array that is filled step by step must have its final size before the first step. "
        "This result is a table of its own. Its rows are the queries, as in the weights, and its columns are the "
        "features, as in the values. So neither of the two inputs can lend it the whole shape.",
        "Find the line that makes the empty array, with `zeros`, `empty` or a name that ends in `_like`. "
        "Take 2 queries, 3 keys and 4 features, and print its shape: it should be (2, 4). "
        "A 3 in it belongs to the keys, and these are gone once the sum over them is taken.",
        "Build the shape from both inputs: all lengths of the weights but the last one, and then the last length of "
        "the values. Hand this shape to the function that makes zeros. "
        "Or make no room at all: the matrix product of the two inputs brings an array of the right shape.",
    ),
)

weighted_mean.hints_for(
    "stops_after_the_first_key",
    "stops_after_the_first_query",
    "answers_the_first_query_only",
    "fills_one_row_with_one_key",
    hints=(
        "Every pair of a query and a key has something to add. "
        "With 4 queries and 3 keys that makes 12 shares, and the result is ready after the twelfth. "
        "`return` ends a function at once, in whatever round it stands. "
        "In Python the indentation alone says whether a line belongs to a loop.",
        "Take 2 queries and 3 keys, and print the pair, query and key, in the innermost line. Six pairs should appear. "
        "After which one does it end? Then look at the left edge of the lines below it: which `for` are they inside? "
        "Without a loop, look for an index or a slice that takes the first one alone.",
        "The line that ends the work belongs behind both loops, level with the outer `for`. "
        "Inside them stands only the adding up of weight times value. Or use one matrix product of all weights and all "
        "values: it meets every pair, and has no place to stop too early.",
    ),
)

weighted_mean.hints_for(
    "uses_the_weights_of_the_first_query",
    "answers_the_first_item_only",
    "uses_the_weights_of_the_first_item",
    "uses_the_values_of_the_first_item",
    hints=(
        "Think of people in a queue. Each brings a form of their own, and each leaves with an answer of their own. If "
        "the first form serves for all, or if the counter closes after the first person, something is fixed that "
        "should move on: from query to query, and from one item of the batch to the next.",
        "Look for a 0 in square brackets, for `:1`, and for a loop variable that is never used. "
        "Then take two queries, and a batch of two items, all different from each other. "
        "Print what your code uses for the second query, and for the second item. "
        "Where do you still see the numbers of the first?",
        "Each place in the result needs the weights of its own query, and the weights and values of its own item. "
        "Take the fixed index out, or put the loop variable there. "
        "The matrix product of the two whole arrays pairs them by itself, item with item, and needs no index at all.",
    ),
)

weighted_mean.hints_for(
    "gives_all_queries_the_last_result",
    hints=(
        "A list of arrays is like a list of addresses: it says where to look, and keeps no copy of what was there. "
        "If the same address stands in it five times, you find the same numbers five times, the ones that were written "
        "last. "
        "The same happens with a name that is set in one loop and read after its end: it holds what the last round "
        "left in it.",
        "Take two queries with different weights. "
        "In your loop, print each row as soon as it is made, and after the loop print all rows that you have "
        "collected. "
        "Were they different when they were made? "
        "Then look for the line that makes the empty row: does it stand before the loop over the queries, or inside "
        "it?",
        "Make a new row for each query, inside the loop, or collect a copy of it. "
        "To set an old one to 0 empties the row that lies in the list as well. "
        "If a loop goes through numbers that an earlier loop made, check that each of them is picked by its index. "
        "The matrix product needs neither a row to fill nor a list.",
    ),
)

weighted_mean.hints_for(
    "works_for_two_axes_only",
    "serves_one_axis_in_front",
    "expects_one_axis_in_front",
    "counts_axes_from_the_front",
    "pairs_every_item_with_every_item",
    hints=(
        "A batch is a pile of separate problems, each with its own table of weights and its own table of values. "
        "No table meets one of another problem. The pile may be an axis, two axes, or none. "
        "So the code should speak of the last two axes, and not of how many stand before them.",
        "Make a batch of two different problems, and print the shape after each line. "
        "Item 0 of the result should be what the first problem gives alone. Look for what relies on two axes: an axis "
        "called 0 or 1, a shape unpacked into two names, a loop over an array, `.T`, or `np.dot`.",
        "Let the operator of the matrix product work on the two whole arrays. "
        "It uses the last two axes of each, does so once for each item in front, and pairs item 0 with item 0. "
        "Then nothing has to be unpacked, turned round or looped over. Where you do name an axis, count from the end.",
    ),
)
