"""What people get wrong about `similarity`."""

import numpy as np

from autograder.mistakes import mistake

from ..exercises import similarity


def forgets_to_transpose_the_keys(query, key):
    """In your product the features of the query meet the tokens of the key: the keys are not
    transposed, or they are transposed twice (`attention_scores` does it, too).
    A score compares two rows, feature by feature.
    How often are the last two axes of `key` swapped in your code?"""
    return query @ key


def transposes_every_axis(query, key):
    """You reversed all axes of the key, as `.T` does.
    Without a batch no one notices; with one, the batch ends up on the last axis.
    A batch stays in front: swap only the last two axes."""
    return query @ key.T


def swaps_query_and_key(query, key):
    """Each row of your scores belongs to a key, and each column to a query.
    The query asks, so each query has a row, and softmax later shares out each row.
    Which of the two should be on the left of the product?"""
    return key @ query.mT


def uses_the_cosine(query, key):
    """Your scores do not change when a query or a key gets longer: you divided by both lengths, as a cosine does.
    In a dot product the lengths count, so one key can be louder than another.
    Leave the rows as long as they are."""
    return similarity(_unit(query), _unit(key))


def transposes_the_queries(query, key):
    """Your scores would have one row for each feature, not one for each query: you transposed the query, not the key.
    A score sums over the features, so they disappear.
    Write down the shapes on both sides of the product; the two inner axes must both be features."""
    return query.mT @ key


def swaps_the_first_two_axes(query, key):
    """You swapped the first two axes of the key.
    Without a batch these are keys and features; with one, the first axis is the batch.
    Count axes from the end: -1 and -2 are features and keys, whatever comes before them."""
    return query @ key.swapaxes(0, 1)


def reshapes_the_keys(query, key):
    """You gave the key the right shape with `reshape`, but that is not a transpose.
    `reshape` keeps the numbers in their order and cuts them into other rows; a transpose turns rows into columns.
    Print a key of 2 rows and 3 features, reshaped and transposed: in which of the two is each column one key?"""
    return query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])


def compares_across_the_batch(query, key):
    """With a batch, your scores have too many axes: the queries of each item met the keys of every item.
    `np.dot`, `np.inner` and `np.tensordot` combine batches in this way.
    Look for a product that treats the axes in front as separate items."""
    return np.inner(query, key)


def multiplies_elementwise(query, key):
    """You multiplied query and key number by number, at equal positions, and did not sum.
    Then each query meets only one key, and has a product for each feature.
    A score is a dot product: every query with every key, multiplied and summed over the features."""
    return query * key


@mistake(keep=(False, True))
def multiplies_equal_rows_only(query, key, *, keep):
    """In your code row 0 of the query meets row 0 of the key, row 1 meets row 1, and so on.
    If there are more keys than queries, some keys have no partner, and NumPy stops.
    Each pair needs a score. Which product combines each row of one matrix with each column of another?"""
    return (query * key).sum(axis=-1, keepdims=keep)


def multiplies_without_the_sum(query, key):
    """Your scores have one axis too many: there is still one product for each feature.
    A dot product multiplies and then sums, which leaves one number for each query and key.
    Over which axis is the sum missing?"""
    return query[..., :, None, :] * key[..., None, :, :]


def averages_instead_of_summing(query, key):
    """Your scores are too small by the number of features: the products were averaged, not summed.
    A mean over features already divides by their number, and then the root divides again.
    Take the sum of the products, and divide only by the root."""
    return similarity(query, key) / query.shape[-1]


@mistake(name=("query", "key"))
def compares_with_the_first_item(query, key, *, name):
    """In a batch, you use the {name} of the first item for every item.
    The items of a batch are separate problems, each with queries and keys of its own.
    Is there an index in your code that stays 0 while the items change?"""
    first = (0,) * (query.ndim - 2)
    return query[first] @ key.mT if name == "query" else query @ key[first].mT


@mistake(which=(0, -1))
def leaves_out_one_feature(query, key, *, which):
    """One of the features, the first or the last, has no influence on your scores.
    A dot product uses all of them.
    If you use a loop or a slice, where does it begin, and where does it end? Python counts from 0."""
    return similarity(np.delete(query, which, axis=-1), np.delete(key, which, axis=-1))


@mistake(constant=(3, 4, 5), stops=(True, False))
def takes_a_fixed_number_of_features(query, key, *, constant, stops):
    """Your dot products add up {constant} products, however many features there are.
    Any further features have no influence, and with fewer your code may stop.
    Which axis of the query tells you how many features there are?"""
    if stops and query.shape[-1] < constant:
        raise IndexError("fewer features")
    return similarity(query[..., :constant], key[..., :constant])


def takes_the_largest_product(query, key):
    """You multiplied feature by feature, and kept the largest product of each pair.
    In a dot product every feature has a say, for the pair or against it.
    Which function should replace the maximum?"""
    return (query[..., :, None, :] * key[..., None, :, :]).max(axis=-1)


def centres_the_rows(query, key):
    """You subtracted the mean of each row before the product.
    Then adding the same number to all features of a query changes nothing, as in a correlation.
    A dot product takes the numbers as they are. Which line computes a mean, and is it needed?"""
    return similarity(query - query.mean(axis=-1, keepdims=True), key)


def adds_instead_of_multiplying(query, key):
    """You added each query to each key. Then a key with large numbers gets a high score from every query alike.
    A product is more demanding: it is large only where both are large in the same feature.
    Multiply first, and sum over features after that."""
    return (query[..., :, None, :] + key[..., None, :, :]).sum(axis=-1)


def compares_queries_with_themselves(query, key):
    """The keys have no effect on your scores: you compared the queries with each other.
    A query says what is looked for, a key what is offered, and a score needs one of each.
    Read your product aloud: what is on its right side?"""
    return query @ query.mT


def compares_keys_with_themselves(query, key):
    """The queries have no effect on your scores: you compared the keys with each other.
    A query says what is looked for, a key what is offered, and a score needs one of each.
    Read your product aloud: what is on its left side?"""
    return key @ key.mT


@mistake(side=("query", "key"))
def takes_the_length_out_of_one_side(query, key, *, side):
    """Your scores do not change when a {side} gets longer: each row of `{side}` was divided by its own length.
    In a dot product the lengths count: a longer row means a stronger wish, or a louder offer.
    Use both arrays as they are, and scale only the scores."""
    return similarity(_unit(query), key) if side == "query" else similarity(query, _unit(key))


@mistake(power=(1, 2), sign=(1, -1))
def measures_a_distance(query, key, *, power, sign):
    """You measured how far apart query and key are. That is a different idea of similarity, with different numbers.
    Here a score says how much both point the same way: it is a dot product.
    Multiply instead of subtracting, then sum over the features."""
    squares = (query[..., :, None, :] - key[..., None, :, :]) ** 2
    return sign * squares.sum(axis=-1) ** (power / 2)


def _unit(x):
    """Rows of length 1."""
    return x / np.sqrt((x**2).sum(axis=-1, keepdims=True))
