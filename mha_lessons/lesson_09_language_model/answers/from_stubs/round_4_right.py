import numpy as np


def log_softmax__1(scores, axis=-1):
    work = np.array(scores, dtype=np.float64, copy=True)
    work -= np.amax(work, axis=axis, keepdims=True)
    work -= np.logaddexp.reduce(work, axis=axis, keepdims=True)
    return work.astype(scores.dtype)


def softmax_with_temperature__1(scores, temperature, axis=-1):
    assert temperature > 0, "temperature must be above 0"

    def one_line(line):
        order = np.argsort(line)
        gaps = (line - line[order[-1]]) / temperature
        unnormalised = np.exp(gaps)
        return unnormalised / unnormalised[order].sum()

    return np.apply_along_axis(one_line, axis, scores.astype(np.float64)).astype(scores.dtype)


WHY = {
    "log_softmax__1": "maximum subtracted on a copy, then logaddexp.reduce",
    "softmax_with_temperature__1": "apply_along_axis, the best score found by sorting, subtracted before the division",
}
