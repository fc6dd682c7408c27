"""What people get wrong about the way back through the dot products: to the queries, and to the keys."""

from ..exercises import similarity_backward


@similarity_backward.misconception
def forgets_to_transpose_the_gradient(query, key, grad_output):
    """For the keys you multiply the gradient of the products by the queries, and the gradient is not transposed.
    It has a row for each query and a column for each key, and the keys want one row each.
    Over which axis does a key collect what arrives?"""
    grad_query, _ = similarity_backward(query, key, grad_output)
    return grad_query, grad_output @ query


@similarity_backward.misconception
def transposes_the_keys_on_the_way_back(query, key, grad_output):
    """For the queries you multiply by the keys transposed, as on the way forward.
    There the features were added up. Here they have to be there in the end, and the keys are added up.
    Write both shapes down: which two axes should meet?"""
    _, grad_key = similarity_backward(query, key, grad_output)
    return grad_output @ key.mT, grad_key


@similarity_backward.misconception
def multiplies_each_by_itself(query, key, grad_output):
    """Your gradient of the queries is made of queries, and that of the keys of keys.
    In a product the slope of one factor is the other factor: a query moves a score as far as the key is long.
    Which of the two belongs in which line?"""
    return grad_output @ query, grad_output.mT @ key


@similarity_backward.misconception
def swaps_the_gradients_of_query_and_key(query, key, grad_output):
    """Your gradients of query and key have changed places.
    The gradient of something has the shape of that something.
    Compare the shapes of your results with `query` and `key`, and then your names with what they hold."""
    return similarity_backward(query, key, grad_output)[::-1]


@similarity_backward.misconception
def turns_all_axes_of_the_gradient(query, key, grad_output):
    """All axes of the gradient were turned round for the keys, as `.T` does.
    Without a batch that is right; with one, the batch ends up on the last axis.
    Let only the last two axes change places."""
    grad_query, _ = similarity_backward(query, key, grad_output)
    return grad_query, grad_output.T @ query


@similarity_backward.misconception
def gives_the_keys_nothing(query, key, grad_output):
    """Your gradient of the keys is all zeros, or has nothing of the queries in it.
    A score is moved by its key just as by its query, so both learn.
    Which product is still missing?"""
    grad_query, _ = similarity_backward(query, key, grad_output)
    return grad_query, key * 0
