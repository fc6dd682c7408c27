"""What people get wrong about `attention_backward` as a whole."""

import math

import numpy as np
from array_api_compat import array_namespace

from autograder.mistakes import mistake
from mha_ref import (
    attention_scores,
    masked_attention,
    masked_weights,
    scale_backward,
    similarity_backward,
    softmax_backward,
    weighted_mean_backward,
)

from ..exercises import attention_backward


def _with_scores_gradient(query, key, value, grad_output, mask, change):
    """The way back, in which something else is done with the weights and their gradient to get that of the scores."""
    weights = masked_weights(query, key, mask)
    grad_weights, grad_value = weighted_mean_backward(weights, value, grad_output)
    grad_scores = scale_backward(change(weights, grad_weights), query.shape[-1])
    return *similarity_backward(query, key, grad_scores), grad_value


def gives_the_scores_to_softmax_backward(query, key, value, grad_output, mask=None):
    """On the way back through softmax, you use the scores where the weights belong.
    The formula is written with what came out of softmax, since that is at hand.
    What is the first parameter of your `softmax_backward`?"""
    scores = attention_scores(query, key)
    scores = scores if mask is None else scores * mask
    return _with_scores_gradient(
        query, key, value, grad_output, mask, lambda weights, grad_weights: softmax_backward(scores, grad_weights)
    )


def exchanges_the_two_of_softmax_backward(query, key, value, grad_output, mask=None):
    """On the way back through softmax, the weights and the gradient are exchanged.
    Both have the same shape, so no error tells you.
    Which of the two comes first in `softmax_backward`?"""
    return _with_scores_gradient(
        query, key, value, grad_output, mask, lambda weights, grad_weights: softmax_backward(grad_weights, weights)
    )


@mistake(fill=(-math.inf, -1e9))
def hides_gradients_as_scores_are_hidden(query, key, value, grad_output, mask=None, *, fill):
    """You write {fill:g} into the gradient where the mask hides a key, as one does with scores.
    There it means "never choose this". In a gradient it means an enormous slope, and it spoils all the products.
    What is the slope of a score that nothing depends on?"""

    def hidden(weights, grad_weights):
        grad_scores = softmax_backward(weights, grad_weights)
        return grad_scores if mask is None else array_namespace(weights).where(mask, grad_scores, fill)

    return _with_scores_gradient(query, key, value, grad_output, mask, hidden)


@mistake(order=((2, 0, 1), (2, 1, 0), (0, 2, 1), (1, 2, 0)))
def returns_the_gradients_in_another_order(query, key, value, grad_output, mask=None, *, order):
    """Your three gradients are right, but they come in another order.
    Whoever calls this function takes the first for the query, the second for the key, the third for the value.
    On the way back, that of the value comes first. Does your `return` keep the order of computing?"""
    gradients = attention_backward(query, key, value, grad_output, mask)
    return tuple(gradients[place] for place in order)


@mistake(name=("query", "key"))
def scales_one_gradient_alone(query, key, value, grad_output, mask=None, *, name):
    """Of query and key, only the gradient of the {name} is divided by √features.
    The scores were divided, and both gradients come from them.
    Divide the gradient of the scores before it goes two ways."""
    grad_query, grad_key, grad_value = attention_backward(query, key, value, grad_output, mask)
    root = math.sqrt(query.shape[-1])
    if name == "query":
        return grad_query, grad_key * root, grad_value
    return grad_query * root, grad_key, grad_value


def scales_the_values_gradient(query, key, value, grad_output, mask=None):
    """Your gradient of the values is too small by a factor of √features.
    It is the scores that were divided, and the way from the output to the values never meets that division.
    Which gradients do come through it?"""
    grad_query, grad_key, grad_value = attention_backward(query, key, value, grad_output, mask)
    return grad_query, grad_key, grad_value / math.sqrt(query.shape[-1])


def weights_unscaled_scores(query, key, value, grad_output, mask=None):
    """Your weights are made from products that were not divided by √features, but on the way back you do divide.
    The way back has to belong to the same function as the way forward.
    How does attention make its weights?"""
    root = math.sqrt(query.shape[-1])
    grad_query, grad_key, grad_value = attention_backward(query * root, key, value, grad_output, mask)
    return grad_query, grad_key / root, grad_value


def turns_all_axes_throughout(query, key, value, grad_output, mask=None):
    """In all your products on the way back, all axes of an array are reversed, as `.T` does.
    Without a batch that is right; with one, the batch ends up on the last axis.
    Exchange only the last two axes."""
    weights = masked_weights(query, key, mask)
    grad_scores = scale_backward(softmax_backward(weights, grad_output @ value.T), query.shape[-1])
    return grad_scores @ key, grad_scores.T @ query, weights.T @ grad_output


@mistake(on="dead_row")
def replaces_nan_at_the_end(query, key, value, grad_output, mask=None):
    """Where all keys of a query are blocked, you replace NaN at the end, and keys and values learn nothing at all.
    They collect from all queries, and one NaN among these turns the whole sum into NaN.
    So it has to be gone before the sums. Where is it made?"""
    grad_query, *summed = attention_backward(query, key, value, grad_output, mask)
    alive = (masked_weights(query, key, mask) > 0).any(-1).all(-1)[..., None, None]  # (..., 1, 1)
    return grad_query, *(gradient * alive for gradient in summed)


def adds_up_the_batch(query, key, value, grad_output, mask=None):
    """With a batch, your gradients lack the axes in front: all items were added up.
    Each item has its own queries, keys and values, and so it has its own gradients.
    Is there a sum too many, or an `einsum` that leaves out letters?"""
    gradients = attention_backward(query, key, value, grad_output, mask)
    return tuple(x.reshape(-1, *x.shape[-2:]).sum(axis=0) for x in gradients)


def returns_the_output(query, key, value, grad_output, mask=None):
    """Your result is a single array: the output of attention, as on the way forward.
    Here, the result is three gradients, for query, key and value.
    What do you have when you begin the way back, and what do you want in the end?"""
    return masked_attention(query, key, value, mask)


def returns_two_gradients(query, key, value, grad_output, mask=None):
    """Your function returns two gradients, those of query and key, but the caller unpacks three.
    The values learn as well: the output is a mean of them.
    Which product gives their gradient?"""
    return attention_backward(query, key, value, grad_output, mask)[:2]


def turns_the_gradients_round(query, key, value, grad_output, mask=None):
    """All your numbers are right in size, but their signs are reversed.
    A gradient says where the loss goes up. The step downhill, with its minus, comes later, in the optimizer.
    Where does your minus come from?"""
    return tuple(-gradient for gradient in attention_backward(query, key, value, grad_output, mask))


def takes_the_products_of_the_output_gradient(query, key, value, grad_output, mask=None):
    """Your gradients of query and key do not depend on the values.
    A score moves the output from where it is towards one value, so it matters how that value differs from the others.
    What does the gradient of the output meet first on its way to the weights?"""
    return _with_scores_gradient(
        query,
        key,
        value,
        grad_output,
        mask,
        lambda weights, grad_weights: softmax_backward(weights, weights * grad_output.sum(axis=-1, keepdims=True)),
    )


@mistake(on="dead_row")
def lets_a_query_without_keys_teach_the_values(query, key, value, grad_output, mask=None):
    """A query with no allowed key sends a gradient to the values, though its output is zeros whatever they hold.
    It had equal weights when you went back, as softmax gives them to equal scores, and on the way forward it has none.
    What are its weights in `masked_weights`?"""
    grad_query, grad_key, _ = attention_backward(query, key, value, grad_output, mask)
    weights = masked_weights(query, key, mask)
    xp = array_namespace(weights)
    even = xp.where(xp.any(weights > 0, axis=-1, keepdims=True), weights, 1 / key.shape[-2])
    return grad_query, grad_key, even.mT @ grad_output


def hides_a_key_from_all_queries(query, key, value, grad_output, mask=None):
    """A key that one query may not look at gets no gradient from any query, and neither does its value.
    A mask says for each pair who may look at what: under a causal mask, every key is hidden from somebody.
    Which axis does your condition for a key run over?"""
    grad_query, grad_key, grad_value = attention_backward(query, key, value, grad_output, mask)
    weights = masked_weights(query, key, mask)
    seen = array_namespace(weights).all(weights > 0, axis=-2)[..., None]  # (..., keys, 1)
    return grad_query, grad_key * seen, grad_value * seen


def lets_values_through_the_mask(query, key, value, grad_output, mask=None):
    """Your gradient of the values is made as if there were no mask.
    A hidden key's value has no share in the output, so it is not to blame for anything.
    Which weights do you use for the values?"""
    grad_query, grad_key, _ = attention_backward(query, key, value, grad_output, mask)
    return grad_query, grad_key, attention_backward(query, key, value, grad_output)[2]


@mistake(of=("scores", "weights", "weights and of the scores"))
def masks_the_gradient_alone(query, key, value, grad_output, mask=None, *, of):
    """Your mask hides parts of the gradient of the {of}, but the weights are made as if there were no mask.
    So hidden keys have a share in the output that you go back from.
    The way back belongs to the way forward. Where does the mask take effect there?"""
    weights = masked_weights(query, key)
    grad_weights, grad_value = weighted_mean_backward(weights, value, grad_output)
    hidden = 1 if mask is None else mask
    arriving = grad_weights * (hidden if "weights" in of else 1)
    grad_scores = softmax_backward(weights, arriving) * (hidden if "scores" in of else 1)
    return *similarity_backward(query, key, scale_backward(grad_scores, query.shape[-1])), grad_value


@mistake(kind=("scaled", "scaled, and 0 where hidden", "as products"))
def sends_the_scores_to_the_values(query, key, value, grad_output, mask=None, *, kind):
    """Your gradient of the values is made with scores instead of weights.
    On the way forward the values met the weights, after softmax, and never the scores.
    Each value gets as much of the gradient as it counted. Which table says how much that is?"""
    grad_query, grad_key, _ = attention_backward(query, key, value, grad_output, mask)
    scores = attention_scores(query, key) * (math.sqrt(query.shape[-1]) if kind == "as products" else 1)
    scores = scores if mask is None or "hidden" not in kind else scores * mask
    return grad_query, grad_key, scores.mT @ grad_output


def deals_the_masks_out_in_turn(query, key, value, grad_output, mask=None):
    """Where each text has its own mask and several heads, some heads get the mask of another text.
    You merged the axes in front into one and repeated the masks as a whole until there were enough.
    All heads of one text come before those of the next. What does broadcasting do with an axis of length 1?"""
    if mask is None or mask.ndim < 3:
        return attention_backward(query, key, value, grad_output, mask)
    flat, front = mask.reshape(-1, *mask.shape[-2:]), query.shape[:-2]
    in_turn = flat[np.arange(math.prod(front)) % len(flat)].reshape(*front, *mask.shape[-2:])
    return attention_backward(query, key, value, grad_output, in_turn)
