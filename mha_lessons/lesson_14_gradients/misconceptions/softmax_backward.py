"""What people get wrong about `softmax_backward`."""

from array_api_compat import array_namespace

import mha_ref
from autograder.mistakes import mistake

from ..exercises import softmax_backward


def _mean_of(weights, grad_output):
    """The mean of each row's gradients, weighted by the row: (..., queries, 1)."""
    return (weights * grad_output).sum(axis=-1, keepdims=True)


def takes_each_weight_by_itself(weights, grad_output):
    """Your way back through softmax is that of a sigmoid: each weight moves with its own score, by w (1 - w), and with
    no other.
    But the weights of a row share one whole: when another score rises, this weight falls.
    What happens to the rest of the row when one score rises?"""
    return weights * (1 - weights) * grad_output


def forgets_the_mean(weights, grad_output):
    """On the way back through softmax, you multiply the weights by what arrives and subtract nothing.
    That would be right if each weight were free; but the weights of a row sum to 1, so one gains what others lose.
    Which number of the row is missing in your brackets?"""
    return weights * grad_output


def passes_the_gradient_through(weights, grad_output):
    """The gradient of the weights goes on to the scores as it came.
    Softmax lies between the two: where a weight is nearly 0 or 1, no score moves it much.
    Where does your way back lead through softmax?"""
    return grad_output


def subtracts_the_plain_mean(weights, grad_output):
    """You subtract the plain mean of the row's gradients, in which every key counts the same.
    A key with a small weight has little to give, so it should count little.
    By what is each gradient multiplied before they are added up?"""
    return weights * (grad_output - grad_output.mean(axis=-1, keepdims=True))


def subtracts_the_sum(weights, grad_output):
    """You subtract the sum of the row's gradients, not their weighted mean.
    If all gradients of a row are equal, nothing should be left, but with the sum something is.
    By what is each gradient multiplied before they are added up?"""
    return weights * (grad_output - grad_output.sum(axis=-1, keepdims=True))


def forgets_the_weights_in_front(weights, grad_output):
    """Your brackets are right: the gradient that arrives, minus its weighted mean.
    But a score whose weight is near 0 has hardly any influence, and yours gets a full gradient.
    What is in front of the brackets in the formula?"""
    return grad_output - _mean_of(weights, grad_output)


def is_the_backward_of_log_softmax(weights, grad_output):
    """Your formula belongs to the logarithm of softmax: the gradient, minus the weight times the sum of the row.
    Here the gradient arrives at the weights themselves, without a logarithm.
    Compare with this lesson's formula: what is multiplied by the weights, and what is added up?"""
    return grad_output - weights * grad_output.sum(axis=-1, keepdims=True)


def subtracts_what_arrives_from_the_weights(weights, grad_output):
    """You subtract the gradient from the weights, as in the short formula for softmax and cross-entropy together.
    There, the second term is the right answer. Here it is a gradient, from whatever comes after the weights.
    Begin with the formula for softmax alone."""
    return weights - grad_output


@mistake(axis=(-2, 0, 1))
def averages_over_the_queries(weights, grad_output, *, axis):
    """Your weighted mean runs along axis {axis}, which is not always the axis of the keys.
    Each query shares out its own whole over the keys and knows nothing about other queries.
    Counted from the end, which axis is that of the keys, whatever is in front?"""
    return weights * (grad_output - (weights * grad_output).sum(axis=axis, keepdims=True))


def adds_up_everything(weights, grad_output):
    """You subtract the same number everywhere: the sum over all rows.
    Each row has its own weighted mean.
    A sum without an axis adds up everything. Which axis do you want, and should it stay?"""
    return weights * (grad_output - (weights * grad_output).sum())


def loses_the_axis_of_the_mean(weights, grad_output):
    """The weighted mean of each row is right, but it meets the wrong numbers: its axis is gone.
    Then the means of the queries lie along the last axis, where the keys are.
    What keeps an axis of length 1 when you add up?"""
    return weights * (grad_output - (weights * grad_output).sum(axis=-1))


def turns_the_sign_of_the_gradient(weights, grad_output):
    """On the way back through softmax, your numbers are right in size, but all signs are reversed.
    A gradient says where the loss goes up. The step downhill, with its minus, comes later.
    Which of the two terms in the brackets is subtracted?"""
    return -softmax_backward(weights, grad_output)


def adds_the_mean(weights, grad_output):
    """You add the weighted mean of the row, but it should be subtracted.
    When another score rises, a weight falls: that slope has a minus.
    Try a row in which all gradients are equal. What should be left?"""
    return weights * (grad_output + _mean_of(weights, grad_output))


def takes_the_weights_for_scores(weights, grad_output):
    """On the way back, you call softmax again, on weights that have already been through it: each row sums to 1.
    The formula needs only these and the gradient, no scores.
    What happens if you leave the second softmax out?"""
    return softmax_backward(mha_ref.softmax(weights), grad_output)


def averages_by_the_number_of_keys(weights, grad_output):
    """You divide by the number of keys where the weighted mean is made, so you subtract too little.
    The weights are shares and sum to 1, so the sum of the products is already a mean.
    Is there a `mean` where a `sum` belongs?"""
    return weights * (grad_output - (weights * grad_output).mean(axis=-1, keepdims=True))


def spreads_the_rest_evenly(weights, grad_output):
    """Your rows sum to 0, as they should, but you took the same number off every entry of a row.
    Each entry gives up the mean times its own weight: a weight near 0 has next to nothing to give.
    Where do the weights stand in the formula, inside the brackets or in front?"""
    product = weights * grad_output
    return product - array_namespace(product).mean(product, axis=-1, keepdims=True)


def leaves_its_own_slope_out(weights, grad_output):
    """You count what other scores do to a weight, but leave out what its own score does.
    A weight rises with its own score by w (1 - w), and falls with another one by the product of the two weights.
    Which term of the formula is missing?"""
    return -weights * (_mean_of(weights, grad_output) - weights * grad_output)


def lets_all_weights_rise_together(weights, grad_output):
    """In your table of slopes the other scores have a plus, so all weights of a row rise together.
    They share one whole: when another score rises, this weight falls.
    Which sign does the slope of a weight by another score have?"""
    own = weights * grad_output
    return own * (1 - weights) + weights * (_mean_of(weights, grad_output) - own)


def returns_the_table_of_slopes(weights, grad_output):
    """Your way back through softmax gives a table for each row: how far each weight moves with each score.
    That is right, but it is not the gradient yet: each slope is multiplied by what arrives at its weight, and the
    products are added up.
    Which of the two axes of keys has to go?"""
    identity = array_namespace(weights).eye(weights.shape[-1], dtype=weights.dtype)
    return weights[..., None] * (identity - weights[..., None, :])


def divides_by_the_number_of_queries(weights, grad_output):
    """On the way back through softmax, you divide by the number of queries.
    A loss may be a mean over all tokens, but then that division is already in the gradient that arrives here.
    Is something divided by a length in your code?"""
    return softmax_backward(weights, grad_output) / weights.shape[-2]


def multiplies_by_the_weights_twice(weights, grad_output):
    """Your gradient of the scores is right except for one factor: it is multiplied by the weights once more.
    The weights occur twice in the formula: in front of the brackets and inside the mean.
    Where in your code is the third time?"""
    return weights * softmax_backward(weights, grad_output)


def counts_the_mean_with_the_weights_squared(weights, grad_output):
    """In your brackets, the gradient is multiplied by its weight before the mean is taken, and again in the mean.
    The mean is made from what arrives, each number times its weight, once.
    Did you give the same name to the gradient and to the product?"""
    return weights * (grad_output - _mean_of(weights, weights * grad_output))


def multiplies_the_mean_by_nothing(weights, grad_output):
    """You multiply the gradient by the weights but subtract the weighted mean as it is.
    The mean belongs inside the brackets, so it is multiplied by the weights, too.
    Where do your brackets open and close?"""
    return weights * grad_output - _mean_of(weights, grad_output)


@mistake(on="dead_row")
def divides_by_the_sum_of_the_weights(weights, grad_output):
    """You divide by the sum of each row of weights, which is already 1.
    Where all keys of a query are blocked, the sum is 0, and your result is NaN.
    What changes if you leave the division out?"""
    return softmax_backward(weights / weights.sum(axis=-1, keepdims=True), grad_output)


@mistake(on=("saturated", "dead_row"))
def goes_through_the_logarithm(weights, grad_output):
    """Where a weight is exactly 0, your result is NaN, as with a logarithm of the weights, or a division by them.
    Large scores and masks make such weights.
    The formula needs only products and sums. Do you go back to the scores?"""
    return softmax_backward(weights, grad_output) * weights / weights


def takes_a_whole_step(weights, grad_output):
    """Your result is how far the weights move when the scores take a whole step along the gradient.
    Softmax bends on the way, so twice the gradient does not give twice as much.
    A gradient is a slope where the scores are now. How long is your step?"""
    xp = array_namespace(weights)
    powers = weights * xp.exp(grad_output - xp.max(grad_output, axis=-1, keepdims=True))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / xp.where(total == 0, 1, total) - weights
