import numpy as np


def log_softmax__1(scores, axis=-1):
    epsilon = 1e-7
    z = scores - np.max(scores, axis=axis, keepdims=True)
    probabilities = np.exp(z) / np.exp(z).sum(axis=axis, keepdims=True)
    return np.log(np.clip(probabilities, epsilon, 1.0))


def log_softmax__2(scores, axis=-1):
    slices = np.moveaxis(scores, axis, 0)
    log_total = np.zeros(slices.shape[1:], dtype=scores.dtype)
    for s in slices:
        log_total = np.logaddexp(log_total, s)
    return np.stack([s - log_total for s in slices], axis=axis)


def log_softmax__3(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    log_norm = np.log(np.exp(scores).sum(axis=axis, keepdims=True))
    return shifted - log_norm


def log_softmax__4(scores, axis=-1):
    out = np.asarray(scores)
    out -= out.max(axis=axis, keepdims=True)
    return out - np.log(np.exp(out).mean(axis=axis, keepdims=True))


def softmax_with_temperature__1(scores, temperature, axis=-1):
    def normalise(x):
        return x / x.sum(axis=axis, keepdims=True)

    probs = normalise(np.exp(scores - scores.max(axis=axis, keepdims=True)))
    # as in the temperature sampling of char-rnn: p ** (1/T), then normalise again
    return normalise(probs ** (1.0 / temperature))


def softmax_with_temperature__2(scores, temperature, axis=-1):
    if temperature < 1e-2:
        # greedy
        winner = np.expand_dims(scores.argmax(axis=axis), axis)
        greedy = np.zeros_like(scores)
        np.put_along_axis(greedy, winner, 1, axis=axis)
        return greedy
    logits = (scores - scores.max(axis=axis, keepdims=True)) / temperature
    weights = np.exp(logits)
    return weights / weights.sum(axis=axis, keepdims=True)


def softmax_with_temperature__3(scores, temperature, axis=-1):
    def my_softmax(x):
        y = np.exp(x - x.max(axis=axis, keepdims=True))
        return y / y.sum(axis=axis, keepdims=True)

    scaled = scores / temperature
    return my_softmax(scores)


def softmax_with_temperature__4(scores, temperature, axis=-1):
    steps = max(1, int(temperature))

    def one_row(row):
        e = np.exp((row - row.max()) / steps)
        return e / e.sum()

    return np.apply_along_axis(one_row, -1, scores)


TRUTH = {
    "log_softmax__1": ("one", "takes the log of weights clipped at 1e-7: log weights below -16.1 are cut off there"),
    "log_softmax__2": ("one", "the running log-sum-exp starts at 0 instead of -inf: as if there were one more score 0, so the weights do not sum to 1"),
    "log_softmax__3": ("slip", "log-sum-exp of the unshifted scores is taken off shifted scores: wrong by the maximum, overflows for large scores"),
    "log_softmax__4": ("two", "changes the scores in place, and takes the log of the mean of the exps instead of their sum"),
    "softmax_with_temperature__1": ("one", "raises finished weights to 1/T: weights that underflowed to 0 stay 0 at high temperature although they should be clearly positive (and at low temperature all may underflow: NaN)"),
    "softmax_with_temperature__2": ("odd", "below temperature 0.01 returns a one-hot of the first best score: ties and close scores do not share"),
    "softmax_with_temperature__3": ("slip", "the scaled scores are computed but softmax is given the unscaled ones: temperature has no effect"),
    "softmax_with_temperature__4": ("two", "temperature is cut to a whole number of at least 1, and the axis is always the last"),
}
