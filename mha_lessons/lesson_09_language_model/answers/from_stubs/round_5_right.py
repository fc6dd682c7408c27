import math
import numpy as np


def log_softmax__1(scores, axis=-1):
    wide = scores.astype(np.float64)
    with np.errstate(over="ignore"):
        relative = wide - np.amax(wide, axis=axis, keepdims=True)
        out = relative - np.logaddexp.reduce(relative, axis=axis, keepdims=True)
        return out.astype(scores.dtype)


def log_softmax__2(scores, axis=-1):
    x = np.asarray(scores, dtype=np.float64)
    where_best = np.argmax(x, axis=axis, keepdims=True)
    with np.errstate(over="ignore"):
        shifted = x - np.take_along_axis(x, where_best, axis=axis)
        others = np.exp(shifted)
        np.put_along_axis(others, where_best, 0.0, axis=axis)
        answer = shifted - np.log1p(others.sum(axis=axis, keepdims=True))
        return answer.astype(scores.dtype)


def softmax_with_temperature__1(scores, temperature, axis=-1):
    if not temperature > 0:
        raise ValueError("temperature must be above 0")
    moved = np.moveaxis(scores, axis, -1)
    out = np.empty(moved.shape, dtype=scores.dtype)
    for place in np.ndindex(*moved.shape[:-1]):
        logits = [float(s) / float(temperature) for s in moved[place]]
        best = max(logits)
        exps = [math.exp(z - best) for z in logits]
        whole = math.fsum(exps)
        out[place] = [e / whole for e in exps]
    return np.moveaxis(out, -1, axis)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    class Row:
        def __init__(self, logits):
            self.logits = logits - logits.max()

        def weights(self):
            # the square of the root: exp(z) = exp(z / 2) ** 2
            roots = np.exp(self.logits / 2)
            return np.square(roots) / np.dot(roots, roots)

    with np.errstate(over="ignore"):
        hot = scores.astype(np.float64) / temperature
        result = np.apply_along_axis(lambda line: Row(line).weights(), axis, hot)
    return result.astype(scores.dtype)


WHY = {
    "log_softmax__1": "shift, then logaddexp.reduce of the shifted scores",
    "log_softmax__2": "log1p of the sum of all but the best",
    "softmax_with_temperature__1": "python floats in loops, check of the temperature",
    "softmax_with_temperature__2": "apply_along_axis with a small class, squares of exp(z / 2)",
}
