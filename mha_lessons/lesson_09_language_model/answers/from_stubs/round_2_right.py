import numpy as np


def log_softmax__1(scores, axis=-1):
    exact = scores.astype(np.float64)
    exact = exact - exact.max(axis=axis, keepdims=True)
    # log(sum(exp(...))) pair by pair
    log_total = np.logaddexp.reduce(exact, axis=axis, keepdims=True)
    return (exact - log_total).astype(scores.dtype)


def softmax_with_temperature__1(scores, temperature, axis=-1):
    if temperature <= 0:
        raise ValueError("temperature must be above 0")
    if scores.size == 0:
        return scores.copy()
    z = np.divide(scores, float(temperature), dtype=np.float64)

    def of_one_line(line):
        with np.errstate(over="ignore"):
            gaps = line - max(line)
        powers = [float(np.exp(g)) for g in gaps]
        total = sum(powers)
        return np.array([p / total for p in powers])

    return np.apply_along_axis(of_one_line, axis, z).astype(scores.dtype)


WHY = {
    "log_softmax__1": "maximum off, then logaddexp.reduce in float64, cast back",
    "softmax_with_temperature__1": "apply_along_axis with python lists after dividing in float64",
}
