import numpy as np


def softmax(scores, axis=-1):
    # the learner's own softmax, from the cell above
    e = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def log_softmax__1(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis), keepdims=True)


def log_softmax__2(scores, axis=-1):
    m = np.max(scores, axis=axis, keepdims=True)
    return scores - m - np.logsumexp(scores - m, axis=axis, keepdims=True)


def softmax_with_temperature__1(scores, temperature, axis=-1):
    softmax = softmax(scores / temperature, axis)
    return softmax


def softmax_with_temperature__2(scores, temperature, axis=-1):
    scores / temperature
    return softmax(scores, axis=axis)


def softmax_with_temperature__3(scores, temperature, axis=-1):
    scaled = scores / temperature
    return softmax_with_temperature__3(scaled, axis)


TRUTH = {
    'log_softmax__1': 'parenthesis in the wrong place: keepdims goes to np.log instead of np.sum -> TypeError "log() got an unexpected keyword argument \'keepdims\'", line `return shifted - np.log(...)`, always',
    'log_softmax__2': 'np.logsumexp does not exist (it is torch\'s or SciPy\'s) -> AttributeError "module \'numpy\' has no attribute \'logsumexp\'", line `return scores - m - np.logsumexp(...)`, always',
    'softmax_with_temperature__1': 'the result is called softmax, which makes softmax a local name -> UnboundLocalError, line `softmax = softmax(scores / temperature, axis)`, always',
    'softmax_with_temperature__2': '`scores / temperature` alone on its line, result not kept: temperature has no effect; runs, wrong unless temperature is 1',
    'softmax_with_temperature__3': 'calls itself instead of softmax (and axis lands in temperature) -> RecursionError "maximum recursion depth exceeded", line `return softmax_with_temperature__3(scaled, axis)`, always',
}
