"""Right answers to lesson 01, in styles that the reference does not have."""

import math

import numpy as np


def softmax__by_loops(scores, axis=-1):
    rows = np.moveaxis(scores, axis, -1)
    result = np.empty(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        row = [float(score) for score in rows[place]]
        powers = [math.exp(score - max(row)) for score in row]
        result[place] = [power / sum(powers) for power in powers]
    return np.moveaxis(result, -1, axis)


def softmax__apply_along_axis(x, axis=-1):
    def of_one_row(row):
        e = np.exp(row - row.max())
        return e / e.sum()

    return np.apply_along_axis(of_one_row, axis, x)


def softmax__log_sum_exp(scores, axis=-1):
    total = np.logaddexp.reduce(scores, axis=axis, keepdims=True)
    return np.exp(scores - total)


def softmax__by_all_differences(scores, axis=-1):
    s = np.moveaxis(scores, axis, -1)
    differences = s[..., None, :] - s[..., :, None]
    with np.errstate(over="ignore"):
        return np.moveaxis(1 / np.exp(differences).sum(axis=-1), -1, axis)


def softmax__expand_dims(scores, axis=-1):
    m = np.expand_dims(scores.max(axis), axis)
    e = np.exp(scores - m)
    return e / np.expand_dims(e.sum(axis), axis)


def softmax__float64_inside(scores, axis=-1):
    wide = scores.astype(np.float64)
    e = np.exp(wide - wide.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(scores.dtype)


def softmax__a_number_that_does_not_matter(scores, axis=-1):
    z = scores - np.amax(scores, axis=axis, keepdims=True)
    e = np.exp(z)
    return e / (e.sum(axis=axis, keepdims=True) + 1e-12)


def softmax__powers_of_e(scores, axis=-1):
    powers = math.e ** (scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax__below_the_maximum(scores, axis=-1):
    z = scores - scores.max(axis=axis, keepdims=True) - 5
    return np.exp(z) / np.sum(np.exp(z), axis=axis, keepdims=True)


def softmax__in_place_on_a_copy(scores, axis=-1):
    out = scores.copy()
    out -= out.max(axis, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis, keepdims=True)
    return out


def log_softmax__by_loops(scores, axis=-1):
    rows = np.moveaxis(scores, axis, -1)
    result = np.empty(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        row = [float(score) for score in rows[place]]
        top = max(row)
        total = math.log(sum(math.exp(score - top) for score in row))
        result[place] = [score - top - total for score in row]
    return np.moveaxis(result, -1, axis)


def log_softmax__gives_the_maximum_back(scores, axis=-1):
    m = scores.max(axis, keepdims=True)
    return scores - (m + np.log(np.exp(scores - m).sum(axis, keepdims=True)))


def log_softmax__logaddexp(scores, axis=-1):
    return scores - np.logaddexp.reduce(scores, axis=axis, keepdims=True)


def log_softmax__softmax_inside_and_differences(scores, axis=-1):
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    weights = np.exp(shifted) / np.exp(shifted).sum(axis=axis, keepdims=True)
    return shifted + np.log(weights.max(axis=axis, keepdims=True))


def log_softmax__log1p(scores, axis=-1):
    s = np.sort(np.moveaxis(scores, axis, -1), axis=-1)
    rest = np.exp(s[..., :-1] - s[..., -1:]).sum(axis=-1)
    return scores - np.expand_dims(s[..., -1] + np.log1p(rest), axis)


def softmax_with_temperature__by_loops(scores, temperature, axis=-1):
    return softmax__by_loops(np.array(scores) / temperature, axis)


def softmax_with_temperature__moves_first(scores, temperature, axis=-1):
    assert temperature > 0, "the temperature must be positive"
    e = np.exp((scores - scores.max(axis=axis, keepdims=True)) / temperature)
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__inverse(scores, temperature, axis=-1):
    beta = 1 / temperature
    z = beta * scores - (beta * scores).max(axis, keepdims=True)
    return np.exp(z) / np.exp(z).sum(axis, keepdims=True)


def softmax_with_temperature__refuses_what_makes_no_sense(scores, temperature, axis=-1):
    if temperature <= 0:
        raise ValueError(temperature)
    return softmax__log_sum_exp(scores / temperature, axis)


def softmax_with_temperature__zero_is_the_hard_maximum(scores, temperature, axis=-1):
    return softmax__expand_dims(scores / max(temperature, 1e-6), axis)


def softmax_with_temperature__through_the_logarithm(scores, temperature, axis=-1):
    return np.exp(log_softmax__by_loops(log_softmax__by_loops(scores, axis) / temperature, axis))


def test_softmax__compares_with_loops(softmax):
    rng = np.random.default_rng(7)
    for axis in (0, 1, 2, -1):
        for moved in (0, 900, -900):
            scores = rng.normal(size=(2, 3, 4)) + moved
            scores[0] += 800
            assert np.allclose(softmax(scores, axis=axis), softmax__by_loops(scores, axis))


def test_softmax__few_known_numbers(softmax):
    row = softmax(np.array([[np.log(1.0), np.log(3.0)], [1000.0, 1000.0]]))
    np.testing.assert_allclose(row, [[0.25, 0.75], [0.5, 0.5]])
    column = softmax(np.array([[0.0, 5.0, 0.0], [0.0, 5.0, 0.0]]), axis=0)
    np.testing.assert_allclose(column, 0.5)


def test_softmax__raises_by_hand(softmax):
    s = np.array([[2.0, 1.0, 0.0], [1.0, 1.0, -2000.0]])
    w = softmax(s)
    if abs(w[0, 0] / w[0, 1] - math.e) > 1e-6 or abs(w.sum(axis=1) - 1).max() > 1e-9:
        raise ValueError("not a softmax")
    if abs(softmax(s, axis=0).sum(axis=0) - 1).max() > 1e-9:
        raise ValueError("the axis")
    if not np.isfinite(softmax(np.array([[3.0, 4.0], [1003.0, 1004.0]]))).all():
        raise ValueError("overflow")


def softmax__one_pass_that_rescales(scores, axis=-1):
    class Running:
        """Streaming maximum and sum over the slices along the axis."""

        def __init__(self, first):
            self.top = first
            self.total = np.ones_like(first)

        def see(self, s):
            higher = np.maximum(self.top, s)
            self.total = self.total * np.exp(self.top - higher) + np.exp(s - higher)
            self.top = higher

    slices = list(np.moveaxis(scores, axis, 0).astype(np.float64))
    with np.errstate(over="ignore", under="ignore"):
        state = Running(slices[0])
        for one_slice in slices[1:]:
            state.see(one_slice)
        weights = [np.exp(s - state.top) / state.total for s in slices]
        return np.stack(weights, axis=axis).astype(scores.dtype)


def softmax__one_over_a_sum_of_ratios(scores, axis=-1):
    lanes = np.moveaxis(scores, axis, -1).astype(np.float64)
    # weight i = 1 / sum_j exp(s_j - s_i); an infinite sum is a weight of 0
    with np.errstate(over="ignore", under="ignore"):
        ratios = np.exp(lanes[..., None, :] - lanes[..., :, None])
        weights = 1.0 / ratios.sum(axis=-1)
        return np.moveaxis(weights, -1, axis).astype(scores.dtype)


def log_softmax__log1p_of_the_others(scores, axis=-1):
    def lane(row):
        row = [float(s) for s in row]
        best = row.index(max(row))
        others = math.fsum(math.exp(s - row[best]) for i, s in enumerate(row) if i != best)
        log_total = math.log1p(others)
        return np.array([(s - row[best]) - log_total for s in row])

    last = np.moveaxis(scores, axis, -1)
    answer = np.empty_like(last)
    with np.errstate(over="ignore"):
        for where in np.ndindex(*last.shape[:-1]):
            answer[where] = lane(last[where])
    return np.moveaxis(answer, -1, axis)


def softmax_with_temperature__nested_lists(scores, temperature, axis=-1):
    t = float(temperature)

    def walk(block):
        if block.ndim > 1:
            return [walk(part) for part in block]
        numbers = block.tolist()
        top = max(numbers)
        e = [math.exp((x - top) / t) for x in numbers]
        total = math.fsum(e)
        return [x / total for x in e]

    last = np.moveaxis(scores, axis, -1)
    out = np.array(walk(last), dtype=scores.dtype).reshape(last.shape)
    return np.moveaxis(out, -1, axis)
