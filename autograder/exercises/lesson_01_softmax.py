import numpy as np

import mha_ref
from autograder import inputs
from autograder.exercise import Exercise, Step
from autograder.properties import log_weights_sum_to_one, only_differences_count, weights_are_not_negative, weights_sum_to_one

shift = Step(mha_ref.shift)
softmax = Exercise(mha_ref.softmax, inputs.scores, properties=(weights_are_not_negative, weights_sum_to_one, only_differences_count))
log_softmax = Exercise(mha_ref.log_softmax, inputs.scores, properties=(log_weights_sum_to_one, only_differences_count))


# the shift

@shift.misconception(on=("large", "spread", "half"))
def forgets_to_subtract_the_maximum(scores, axis):
    """With scores near 1000 your code gives nan or inf. exp(1000) is larger than any number the machine has.
    Only differences between scores count: subtract the largest one first."""
    return scores


@shift.misconception(on=("spread", "gap"))
def subtracts_the_largest_of_all(scores, axis):
    """When one row has much larger scores than another, the other row becomes nan. You subtract one maximum for
    the whole array, and exp of a very negative number is 0 everywhere in the smaller row. Take the maximum along
    `axis`, and keep the axis (keepdims=True)."""
    return scores - scores.max()


@shift.misconception(on=("gap", "spread", "large"))
def subtracts_the_mean(scores, axis):
    """A score far above its row's mean still overflows. Subtract the maximum: then the largest exponent is 0."""
    return scores - scores.mean(axis=axis, keepdims=True)


@shift.misconception(on=("gap", "large"))
def subtracts_the_minimum(scores, axis):
    """A score far above the smallest still overflows. Subtract the maximum: then the largest exponent is 0."""
    return scores - scores.min(axis=axis, keepdims=True)


@shift.misconception
def shifts_after_the_exponential(scores, axis):
    """Adding one number to every score changed your result; it must not. The maximum has to be subtracted from
    the scores, before exp, not from the exponentials."""
    weights = np.exp(scores)
    return np.log(weights - weights.max(axis=axis, keepdims=True))


@shift.misconception
def divides_by_the_maximum(scores, axis):
    """Large scores no longer overflow, but your weights changed. Dividing scores by their maximum is a new
    temperature. Subtracting it changes nothing: exp(s - m) / exp(t - m) = exp(s) / exp(t)."""
    return scores / scores.max(axis=axis, keepdims=True)


@shift.misconception
def subtracts_the_maximum_of_the_wrong_axis(scores, axis):
    """You subtract a different number from each score of one row. It must be the same number along `axis`."""
    return scores - scores.max(axis=0, keepdims=True)


@shift.misconception
def adds_the_maximum_twice(scores, axis):
    """The sign of your exponents is turned: (maximum - score) makes the best match the smallest weight."""
    return scores.max(axis=axis, keepdims=True) - scores


# softmax

@softmax.misconception
def normalises_over_the_first_axis(scores, axis=-1):
    """Your columns sum to 1, your rows do not. The first axis is not the default one: use `axis`."""
    return softmax(scores, axis=0)


@softmax.misconception
def normalises_over_the_last_but_one_axis(scores, axis=-1):
    """Your columns sum to 1, your rows do not. Each query (row) shares itself out over the keys (last axis)."""
    return softmax(scores, axis=-2 if scores.ndim > 1 else -1)


@softmax.misconception
def normalises_over_the_second_axis(scores, axis=-1):
    """You normalise over axis 1, whatever the number of axes. Count from the end: axis=-1 is always the last."""
    return softmax(scores, axis=1 if scores.ndim > 1 else 0)


@softmax.misconception
def ignores_the_axis(scores, axis=-1):
    """With another axis your result does not change. Pass `axis` on to max and to sum."""
    return softmax(scores)


@softmax.misconception
def normalises_everything_at_once(scores, axis=-1):
    """All your weights together sum to 1, each row to less. Sum along `axis`, with keepdims=True."""
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


@softmax.misconception
def forgets_to_keep_the_axis(scores, axis=-1):
    """Your sums lost an axis, so each row is divided by the sum of another one, or shapes do not fit.
    keepdims=True keeps an axis of length 1."""
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis)


@softmax.misconception
def forgets_to_keep_both_axes(scores, axis=-1):
    """Your maxima and sums lost an axis. keepdims=True keeps an axis of length 1."""
    weights = np.exp(scores - scores.max(axis=axis))
    return weights / weights.sum(axis=axis)


@softmax.misconception
def forgets_to_normalise(scores, axis=-1):
    """Your weights do not sum to 1. Divide the exponentials by their sum along `axis`."""
    return np.exp(scores)


@softmax.misconception
def shifts_but_forgets_to_normalise(scores, axis=-1):
    """The largest of your weights is always 1. Subtracting the maximum is not dividing by the sum: do both."""
    return np.exp(shift(scores, axis))


@softmax.misconception
def forgets_the_exponential(scores, axis=-1):
    """Some weights are negative, or larger than 1. Scores can have any sign; exp makes them positive first."""
    return scores / scores.sum(axis=axis, keepdims=True)


@softmax.misconception
def shifts_but_forgets_the_exponential(scores, axis=-1):
    """The best match gets weight 0. After the shift comes exp, then the division."""
    shifted = shift(scores, axis)
    return shifted / shifted.sum(axis=axis, keepdims=True)


@softmax.misconception
def takes_absolute_scores(scores, axis=-1):
    """A very negative score gets a large weight in your result. exp makes scores positive and keeps their order."""
    return np.abs(scores) / np.abs(scores).sum(axis=axis, keepdims=True)


@softmax.misconception
def squares_instead_of_exponential(scores, axis=-1):
    """A very negative score gets a large weight in your result. exp makes scores positive and keeps their order."""
    return scores ** 2 / (scores ** 2).sum(axis=axis, keepdims=True)


@softmax.misconception
def cuts_negative_scores(scores, axis=-1):
    """Negative scores get no weight at all. exp makes every score a positive weight, also a negative one."""
    weights = np.maximum(scores, 0)
    return weights / weights.sum(axis=axis, keepdims=True)


@softmax.misconception
def uses_base_two(scores, axis=-1):
    """Your weights are flatter than expected, by a temperature of 1.44. Use e (np.exp), not 2, as the base."""
    return softmax(scores * np.log(2), axis=axis)


@softmax.misconception
def uses_base_ten(scores, axis=-1):
    """Your weights are more peaked than expected. Use e (np.exp), not 10, as the base."""
    return softmax(scores * np.log(10), axis=axis)


@softmax.misconception
def turns_the_sign(scores, axis=-1):
    """Your smallest score gets the largest weight. Look at the sign inside exp."""
    return softmax(-scores, axis=axis)


@softmax.misconception
def softmax_twice(scores, axis=-1):
    """Your weights are nearly even. Softmax was applied twice: the second time to numbers between 0 and 1."""
    return softmax(softmax(scores, axis), axis)


@softmax.misconception
def takes_only_the_best(scores, axis=-1):
    """One weight is 1, all others 0. That is argmax; softmax gives every score a share."""
    return (scores == scores.max(axis=axis, keepdims=True)) * 1.0


@softmax.misconception
def uses_the_sigmoid(scores, axis=-1):
    """Each of your weights looks at its own score alone (a sigmoid), so rows do not sum to 1."""
    return 1 / (1 + np.exp(-scores))


@softmax.misconception
def divides_by_the_largest_weight(scores, axis=-1):
    """Your largest weight is 1. Divide by the sum of the exponentials, not by their maximum."""
    return np.exp(scores) / np.exp(scores).max(axis=axis, keepdims=True)


@softmax.misconception
def divides_by_the_count(scores, axis=-1):
    """You divide by how many exponentials there are. Divide by their sum."""
    return np.exp(scores) / np.exp(scores).shape[axis]


@softmax.misconception
def divides_by_the_length_of_the_vector(scores, axis=-1):
    """The squares of your weights sum to 1. Divide by the sum of the exponentials, not by their norm."""
    weights = np.exp(shift(scores, axis))
    return weights / np.sqrt((weights ** 2).sum(axis=axis, keepdims=True))


@softmax.misconception
def divides_by_the_sum_of_scores(scores, axis=-1):
    """You divide the exponentials by the sum of the scores. Divide by the sum of the exponentials."""
    return np.exp(scores) / scores.sum(axis=axis, keepdims=True)


@softmax.misconception
def divides_shifted_by_unshifted(scores, axis=-1):
    """The maximum is subtracted above the line only. It cancels only when both exponentials use it."""
    return np.exp(shift(scores, axis)) / np.exp(scores).sum(axis=axis, keepdims=True)


@softmax.misconception
def divides_inside_the_exponential(scores, axis=-1):
    """You divide the scores, then take exp. Take exp first, then divide by the sum of the exponentials."""
    return np.exp(scores / scores.sum(axis=axis, keepdims=True))


@softmax.misconception
def returns_the_log(scores, axis=-1):
    """Your numbers are the logarithms of the weights. This exercise asks for the weights."""
    return mha_ref.log_softmax(scores, axis)


@softmax.misconception
def leaves_the_weight_of_itself_out(scores, axis=-1):
    """The sum you divide by leaves out the weight itself: that gives odds, not shares."""
    weights = np.exp(shift(scores, axis))
    return weights / (weights.sum(axis=axis, keepdims=True) - weights)


# log_softmax

@log_softmax.misconception(on=("large", "spread", "gap"))
def takes_the_log_of_softmax(scores, axis=-1):
    """A very unlikely score gets -inf. Its weight was rounded to 0 before you took the log. Work with the
    exponents: scores - max - log(sum(exp(scores - max)))."""
    return np.log(softmax(scores, axis))


@log_softmax.misconception(on=("spread", "gap"))
def keeps_the_log_finite_with_a_small_number(scores, axis=-1):
    """A very unlikely score gets the log of your small number (1e-12 or so). It hides the rounding instead of
    avoiding it. Work with the exponents: scores - max - log(sum(exp(scores - max)))."""
    return np.log(softmax(scores, axis) + 1e-12)


@log_softmax.misconception
def forgets_the_log(scores, axis=-1):
    """Your numbers are the weights. This exercise asks for their logarithms, all at most 0."""
    return softmax(scores, axis)


@log_softmax.misconception
def subtracts_the_sum_without_log(scores, axis=-1):
    """You subtract the sum of the exponentials. log(a / b) = log a - log b: subtract the log of the sum."""
    return shift(scores, axis) - np.exp(shift(scores, axis)).sum(axis=axis, keepdims=True)


@log_softmax.misconception
def divides_by_the_log(scores, axis=-1):
    """You divide by the log of the sum. log(a / b) = log a - log b: subtract it."""
    return shift(scores, axis) / np.log(np.exp(shift(scores, axis)).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def adds_the_log_sum(scores, axis=-1):
    """exp of your row sums to more than 1. Subtract the log of the sum; you add it."""
    return shift(scores, axis) + np.log(np.exp(shift(scores, axis)).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def forgets_the_log_sum(scores, axis=-1):
    """Your largest result is always 0. The shift is there, the log of the sum is missing."""
    return shift(scores, axis)


@log_softmax.misconception
def sums_the_logs(scores, axis=-1):
    """You sum the scores themselves. The log of a sum is not the sum of the logs: exp, then sum, then log."""
    return scores - scores.sum(axis=axis, keepdims=True)


@log_softmax.misconception
def forgets_to_give_the_maximum_back(scores, axis=-1):
    """You subtract the maximum inside the sum only. The first term must be shifted too, or add the maximum back."""
    return scores - np.log(np.exp(shift(scores, axis)).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def subtracts_the_maximum_twice(scores, axis=-1):
    """exp of your row sums to less than 1. The maximum is subtracted from the scores, but not inside the sum."""
    return shift(scores, axis) - np.log(np.exp(scores).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def log_over_the_first_axis(scores, axis=-1):
    """exp of your columns sums to 1, your rows do not. Use `axis`."""
    return log_softmax(scores, axis=0)


@log_softmax.misconception
def log_over_the_last_but_one_axis(scores, axis=-1):
    """exp of your columns sums to 1, your rows do not. Use `axis`."""
    return log_softmax(scores, axis=-2 if scores.ndim > 1 else -1)


@log_softmax.misconception
def log_ignores_the_axis(scores, axis=-1):
    """With another axis your result does not change. Pass `axis` on to max and to sum."""
    return log_softmax(scores)


@log_softmax.misconception
def log_over_everything(scores, axis=-1):
    """You sum over the whole array. Sum along `axis`, with keepdims=True."""
    return scores - scores.max() - np.log(np.exp(scores - scores.max()).sum())


@log_softmax.misconception
def log_forgets_to_keep_the_axis(scores, axis=-1):
    """Your sums lost an axis, so each row gets the sum of another one. keepdims=True keeps it."""
    return scores - scores.max(axis=axis, keepdims=True) - np.log(np.exp(shift(scores, axis)).sum(axis=axis))


@log_softmax.misconception
def uses_the_logarithm_of_base_two(scores, axis=-1):
    """Your logarithm has base 2. Use the natural one (np.log)."""
    return shift(scores, axis) - np.log2(np.exp(shift(scores, axis)).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def turns_the_sign_of_the_log(scores, axis=-1):
    """Your results are positive. The log of a weight is at most 0: the minus sign belongs to the loss."""
    return -log_softmax(scores, axis)
