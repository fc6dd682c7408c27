"""What people get wrong about the way back through the dot products: to the queries, and to the keys."""

from ..exercises import similarity_backward


def forgets_to_transpose_the_gradient(query, key, grad_output):
    """For the keys, you multiply the gradient of the products by the queries, but that gradient is not transposed.
    It has a row for each query and a column for each key, and you want a row for each key.
    Over which axis does a key collect what arrives?"""
    grad_query, _ = similarity_backward(query, key, grad_output)
    return grad_query, grad_output @ query


def transposes_the_keys_on_the_way_back(query, key, grad_output):
    """For the queries, you multiply by the keys transposed, as on the way forward.
    There, the features were summed over. Here, the keys are, and the features have to remain.
    Write down both shapes: which two axes should meet?"""
    _, grad_key = similarity_backward(query, key, grad_output)
    return grad_output @ key.mT, grad_key


def multiplies_each_by_itself(query, key, grad_output):
    """Your gradient of the queries is made from queries, and that of the keys from keys.
    In a product, the slope of one factor is the other factor: a longer key lets its query move the score farther.
    Which of the two belongs in which line?"""
    return grad_output @ query, grad_output.mT @ key


def swaps_the_gradients_of_query_and_key(query, key, grad_output):
    """Your gradients of query and key are exchanged.
    A gradient has the shape of the array that it belongs to.
    Compare the shapes of your results with `query` and `key`, and then your names with what they hold."""
    return similarity_backward(query, key, grad_output)[::-1]


def turns_all_axes_of_the_gradient(query, key, grad_output):
    """For the keys, all axes of the gradient are reversed, as `.T` does.
    Without a batch that is right; with one, the batch ends up on the last axis.
    Exchange only the last two axes."""
    grad_query, _ = similarity_backward(query, key, grad_output)
    return grad_query, grad_output.T @ query


def gives_the_keys_nothing(query, key, grad_output):
    """Your gradient of the keys is all zeros.
    A key moves a score just as a query does, so both learn.
    Which product is still missing?"""
    grad_query, _ = similarity_backward(query, key, grad_output)
    return grad_query, key * 0
