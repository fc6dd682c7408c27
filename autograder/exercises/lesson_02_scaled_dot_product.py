import math

import numpy as np

import mha_ref
from autograder import inputs
from autograder.exercise import Exercise, Step
from autograder.properties import (batch_items_do_not_touch_each_other, keys_with_their_values_may_be_shuffled,
                                   outputs_lie_between_the_values, rows_do_not_touch_each_other,
                                   twice_the_values_twice_the_output)

similarity = Step(mha_ref.similarity)
scale = Step(mha_ref.scale)
attention_scores = Exercise(mha_ref.attention_scores, inputs.query_key, properties=
                            (rows_do_not_touch_each_other, batch_items_do_not_touch_each_other))
masked_weights = Step(mha_ref.masked_weights)
attention_weights = Exercise(mha_ref.attention_weights, inputs.query_key)
weighted_mean = Step(mha_ref.weighted_mean)
scaled_dot_product_attention = Exercise(
    mha_ref.scaled_dot_product_attention, inputs.query_key_value, properties=
    (batch_items_do_not_touch_each_other, rows_do_not_touch_each_other, twice_the_values_twice_the_output,
     outputs_lie_between_the_values, keys_with_their_values_may_be_shuffled))


# similarity

@similarity.misconception
def forgets_to_transpose_the_keys(query, key):
    """query @ key multiplies features with keys. Each score is one query row times one key row: transpose the
    last two axes of key."""
    return query @ key


@similarity.misconception
def transposes_the_queries(query, key):
    """You transposed the query. Each score is one query row times one key row: query @ key transposed."""
    return query.mT @ key


@similarity.misconception
def swaps_query_and_key(query, key):
    """Your rows are keys and your columns queries. Queries ask, so they are the rows: query @ key transposed."""
    return key @ query.mT


@similarity.misconception
def transposes_every_axis(query, key):
    """Your code works for two axes only: .T turns round all axes, the batch too. Swap the last two alone (.mT)."""
    return query @ key.T


@similarity.misconception
def multiplies_elementwise(query, key):
    """* multiplies number by number. A score is a dot product, multiply and add: use @."""
    return query * key


@similarity.misconception
def compares_queries_with_themselves(query, key):
    """The keys do not change your scores: you compared the queries with themselves."""
    return query @ query.mT


@similarity.misconception
def compares_keys_with_themselves(query, key):
    """The queries do not change your scores: you compared the keys with themselves."""
    return key @ key.mT


@similarity.misconception
def uses_the_cosine(query, key):
    """You divided by the lengths of the vectors (a cosine). The dot product keeps the lengths."""
    size = lambda x: np.sqrt((x ** 2).sum(axis=-1, keepdims=True))
    return (query / size(query)) @ (key / size(key)).mT


@similarity.misconception
def normalises_the_keys_only(query, key):
    """You divided the keys by their length. The dot product keeps the lengths."""
    return query @ (key / np.sqrt((key ** 2).sum(axis=-1, keepdims=True))).mT


@similarity.misconception
def uses_the_distance(query, key):
    """You measured distances; a near key then has a small score. Use the dot product."""
    return np.sqrt(((query[..., :, None, :] - key[..., None, :, :]) ** 2).sum(axis=-1))


@similarity.misconception
def uses_the_negative_squared_distance(query, key):
    """You measured squared distances. Use the dot product."""
    return -((query[..., :, None, :] - key[..., None, :, :]) ** 2).sum(axis=-1)


@similarity.misconception
def adds_instead_of_multiplying(query, key):
    """You added query and key numbers. Similarity multiplies them, then sums."""
    return (query[..., :, None, :] + key[..., None, :, :]).sum(axis=-1)


@similarity.misconception
def multiplies_without_the_sum(query, key):
    """Your scores have one axis too many: the products must be summed over features."""
    return query[..., :, None, :] * key[..., None, :, :]


# scale

@scale.misconception
def forgets_to_scale(scores, features):
    """Your scores grow with the number of features: a sum of d products has variance d. Then softmax saturates and
    gradients vanish. Divide by sqrt(features)."""
    return scores


@scale.misconception
def divides_by_features_without_root(scores, features):
    """Your scores are too small by sqrt(features) - the root is missing, or you scaled twice. It is the standard
    deviation that must become 1, and that grows like the root."""
    return scores / features


@scale.misconception
def multiplies_by_the_root(scores, features):
    """You multiplied by sqrt(features): the scores became even larger. Divide."""
    return scores * math.sqrt(features)


@scale.misconception
def multiplies_by_features(scores, features):
    """You multiplied by the number of features. Divide by its square root."""
    return scores * features


@scale.misconception
def divides_by_the_square(scores, features):
    """You divided by features squared. Divide by the square root (** 0.5)."""
    return scores / features ** 2


@scale.misconception
def divides_by_the_fourth_root(scores, features):
    """You divided by the fourth root: only query or key was scaled by sqrt(sqrt(features)), or the root was taken
    twice. Divide the scores by sqrt(features) once."""
    return scores / features ** 0.25


@scale.misconception
def divides_by_a_fixed_eight(scores, features):
    """You divided by 8 = sqrt(64), as in the paper. That is right for 64 features only: take the size from the
    query's shape."""
    return scores / 8


@scale.misconception
def divides_by_the_logarithm(scores, features):
    """You divided by log(features). The standard deviation of a sum of d products is sqrt(d)."""
    return scores / math.log(features)


@scale.misconception
def divides_by_the_standard_deviation(scores, features):
    """You divided by the scores' own standard deviation. Then one batch changes another: use sqrt(features), known
    in advance."""
    return scores / scores.std()


@scale.misconception
def rounds_the_root_down(scores, features):
    """You rounded sqrt(features) to a whole number (int or //). Keep the fraction."""
    return scores / int(math.sqrt(features))


@attention_scores.misconception
def scales_by_the_number_of_keys(query, key):
    """You took the root of the number of keys. What is summed in a dot product is features: the last axis."""
    return mha_ref.scale(similarity(query, key), key.shape[-2])


@attention_scores.misconception
def scales_by_the_number_of_queries(query, key):
    """You took the root of the number of queries. What is summed in a dot product is features: the last axis."""
    return mha_ref.scale(similarity(query, key), query.shape[-2])


@attention_scores.misconception
def scales_by_the_first_axis(query, key):
    """You took the root of the first axis's length: a batch has that first. Features are the last axis."""
    return mha_ref.scale(similarity(query, key), query.shape[0])


@attention_scores.misconception
def scales_by_the_second_axis(query, key):
    """You took the root of axis 1's length: with a batch that is not features. Features are the last axis."""
    return mha_ref.scale(similarity(query, key), query.shape[1])


@attention_scores.misconception
def scales_by_the_number_of_all_numbers(query, key):
    """You took the root of how many numbers the query holds in all. One dot product sums over features only."""
    return mha_ref.scale(similarity(query, key), query.size)


@attention_scores.misconception
def already_softmaxed(query, key):
    """Your rows sum to 1: softmax was applied already. This exercise asks for the scores before it."""
    return mha_ref.softmax(attention_scores(query, key))


# weights

@masked_weights.misconception
def scales_after_softmax(query, key, mask=None):
    """Your weights sum to less than 1: you divided by sqrt(features) after softmax. Scale the scores, before it."""
    scores = similarity(query, key)
    return scale(softmax(scores) if mask is None else masked_softmax(scores, mask), query.shape[-1])


@masked_weights.misconception
def forgets_the_softmax(query, key, mask=None):
    """You mixed the values with raw scores. Weights are shares, made by softmax."""
    return attention_scores(query, key) if mask is None else np.where(mask, attention_scores(query, key), 0)


# mean

@weighted_mean.misconception
def mixes_over_queries(weights, values):
    """You transposed the weights, so values are mixed over queries. Rows of weights belong to queries: weights @ values."""
    return weights.mT @ values


@weighted_mean.misconception
def transposes_the_values(weights, values):
    """You transposed the values. (queries, keys) @ (keys, features) fits as it is."""
    return weights @ values.mT


@weighted_mean.misconception
def multiplies_weights_elementwise(weights, values):
    """* multiplies number by number. A mean over keys multiplies and adds: use @."""
    return weights * values


@weighted_mean.misconception
def multiplies_from_the_wrong_side(weights, values):
    """You wrote values @ weights. Rows of the result are queries: weights @ values."""
    return values @ weights


@weighted_mean.misconception
def takes_the_value_of_the_best_key(weights, values):
    """You took the value of the best key alone. Attention mixes all values, by their weights."""
    return np.take_along_axis(values, weights.argmax(axis=-1)[..., None], axis=-2)


@weighted_mean.misconception
def divides_the_mean_by_the_number_of_keys(weights, values):
    """Your result is too small by the number of keys. The weights already sum to 1: no further division."""
    return weights @ values / values.shape[-2]


@weighted_mean.misconception
def forgets_the_values(weights, values):
    """You returned the weights. Mix the values with them: weights @ values."""
    return weights


@weighted_mean.misconception
def scales_the_output(weights, values):
    """You divided the mixed values by a root of their size too. Only scores are scaled."""
    return weights @ values / math.sqrt(values.shape[-1])


@weighted_mean.misconception
def softmaxes_the_output(weights, values):
    """You applied softmax to the mixed values. It belongs on the scores."""
    return mha_ref.softmax(weights @ values)
