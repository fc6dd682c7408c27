"""Wrong answers to lesson 14 (round 9)."""
from mha_ref import attention_scores, attention_weights, masked_softmax


def softmax_backward__1(weights, grad_output):
    mean = (weights * grad_output).sum(dim=-1)
    return weights * (grad_output - mean)


def attention_backward__1(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    if mask is None:
        weights = attention_weights(query, key)
    else:
        weights = masked_softmax(attention_scores(query, key), mask)
    grad_value = weights.mT() @ grad_output
    grad_weights = grad_output @ value.mT()
    mean = (weights * grad_weights).sum(dim=-1, keepdim=True)
    grad_scores = weights * (grad_weights - mean)
    return grad_scores @ key * scale, grad_scores.mT() @ query * scale, grad_value


TRUTH = {
    "softmax_backward__1": "keepdim=True is missing, so the sums run along the keys and not along the queries: RuntimeError: The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 1 for shape (3, 4), wrong numbers without an error for square shapes such as (4, 4) and (4, 4, 4), and the shape (2, 2, 4) for (2, 1, 4).",
    "attention_backward__1": "mT is an attribute, no method, and is called with brackets: TypeError: 'Tensor' object is not callable, for every input.",
}
