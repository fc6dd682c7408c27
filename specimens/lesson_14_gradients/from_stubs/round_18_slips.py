"""Slips in answers to lesson 14 (round 18)."""




def softmax_backward__1(weights, grad_output):
    return weights * (grad_output - (weights * grad_output).sum())


TRUTH = {
    "softmax_backward__1": 'sum() without dim adds up the whole tensor instead of each row.',
}
