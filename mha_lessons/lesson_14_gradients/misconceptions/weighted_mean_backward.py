"""What people get wrong about the way back through the weighted mean: to the weights, and to the values."""

from ..exercises import weighted_mean_backward


def forgets_to_transpose_the_weights(weights, values, grad_output):
    """For the values, you multiply the weights by the gradient, with the weights as they were on the way forward.
    On the way forward, each query collects from all keys. On the way back, each key collects from all queries.
    Write down both shapes: which axis has to disappear?"""
    grad_weights, _ = weighted_mean_backward(weights, values, grad_output)
    return grad_weights, weights @ grad_output


def forgets_to_transpose_the_values(weights, values, grad_output):
    """For the weights, you multiply the gradient by the values, but the values are not transposed.
    The gradient of a weight is a dot product: what arrives at the query, with the value that this weight brought there.
    Which axis disappears in it, keys or value features?"""
    return grad_output @ values, weights.mT @ grad_output


def transposes_every_axis_on_the_way_back(weights, values, grad_output):
    """All axes of an array are reversed, as `.T` does.
    Without a batch that is right; with one, the batch ends up on the last axis.
    Exchange only the last two axes."""
    return grad_output @ values.T, weights.T @ grad_output


def ignores_the_gradient_that_arrives(weights, values, grad_output):
    """Your result does not change when `grad_output` does: it is the gradient of the sum of all outputs.
    Attention does not know the loss. What it has to know about it arrives in `grad_output`.
    Where in your code is something multiplied by that?"""
    return weighted_mean_backward(weights, values, grad_output * 0 + 1)


def gives_each_value_the_whole_gradient(weights, values, grad_output):
    """In your gradient of the values, each key gets all that arrives, from every query, whatever its weight.
    A value with a small weight had little influence, so it gets little of the gradient.
    What multiplies the gradient on its way from a query to a value?"""
    grad_weights, _ = weighted_mean_backward(weights, values, grad_output)
    return grad_weights, (weights * 0 + 1).mT @ grad_output


def sends_the_weights_gradient_to_the_values(weights, values, grad_output):
    """Your gradient of the values is made with the gradient of the weights instead of the weights.
    In a product, the gradient of each factor is made with the other factor, as it was on the way forward.
    Which table did the values meet there?"""
    grad_weights, _ = weighted_mean_backward(weights, values, grad_output)
    return grad_weights, grad_weights.mT @ grad_output


def reshapes_the_values_on_the_way_back(weights, values, grad_output):
    """You gave the values the right shape with `reshape`, but that is not a transpose.
    `reshape` keeps the numbers in order and cuts them into other rows; a transpose turns rows into columns.
    Which of the two did you want?"""
    turned = values.reshape(*values.shape[:-2], values.shape[-1], values.shape[-2])
    return grad_output @ turned, weights.mT @ grad_output


def averages_the_queries_of_a_value(weights, values, grad_output):
    """Your gradient of the values is divided by the number of queries: it is a mean over them.
    Each query that took from a value adds to the gradient of that value.
    Is something divided by a length, or is there a `mean` where a sum belongs?"""
    grad_weights, grad_values = weighted_mean_backward(weights, values, grad_output)
    return grad_weights, grad_values / weights.shape[-2]
