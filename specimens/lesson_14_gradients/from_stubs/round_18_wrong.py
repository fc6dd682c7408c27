"""Wrong answers to lesson 14 (round 18)."""

from mha_ref import attention_scores, masked_softmax, softmax, softmax_backward


def softmax_backward__1(weights, grad_output):
    return weights * (1 - weights) * grad_output


def attention_backward__1(query, key, value, grad_output, mask=None):
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    grad_value = weights.transpose(-2, -1) @ grad_output
    grad_weights = grad_output @ value.transpose(-2, -1)
    grad_scores = softmax_backward(weights, grad_weights)
    grad_query = grad_scores @ key
    grad_key = grad_scores.transpose(-2, -1) @ query
    return grad_query, grad_key, grad_value


TRUTH = {
    "softmax_backward__1": 'Uses only the diagonal of the derivative, w * (1 - w), and forgets that each score also moves the other weights of its row.',
    "attention_backward__1": 'The scaling by the root of the features is forgotten on the way back, so the gradients of query and key are too large by that root.',
}
