"""Softmax and its relatives: what must hold for any scores, however large, however few."""

from itertools import product

import numpy as np
import oracles
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import mha_ref
from mha_ref import log_softmax, softmax, softmax_with_temperature

from .inputs import any_scores

temperatures = st.floats(0.25, 8)


@given(any_scores)
def test_torch_agrees(scores):
    """Along every axis, torch's own two functions give the same."""
    for axis in range(scores.ndim):
        assert_allclose(softmax(scores, axis), torch.softmax(torch.tensor(scores), axis), rtol=1e-14)
        assert_allclose(log_softmax(scores, axis), torch.log_softmax(torch.tensor(scores), axis), atol=1e-14)


@given(any_scores)
def test_weights_are_shares_of_one(scores):
    """None is negative, and every row sums to 1."""
    weights = softmax(scores)
    assert (weights >= 0).all()
    assert_allclose(weights.sum(axis=-1), 1)


@given(any_scores, st.floats(-1000, 1000))
def test_only_differences_count(scores, constant):
    """The same number added to every score changes no weight."""
    assert_allclose(softmax(scores + constant), softmax(scores), rtol=1e-11)


@given(any_scores)
def test_larger_scores_get_larger_weights(scores):
    """Put in the order of the scores, the weights never fall."""
    ordered = np.take_along_axis(softmax(scores), scores.argsort(axis=-1), axis=-1)
    assert (np.diff(ordered, axis=-1) >= 0).all()


@given(any_scores)
def test_a_score_takes_its_weight_along(scores):
    """Reordered scores have reordered weights."""
    assert_allclose(softmax(scores[..., ::-1]), softmax(scores)[..., ::-1])


@given(any_scores)
def test_log_softmax_is_the_logarithm(scores):
    """Its exponential is softmax."""
    assert_allclose(np.exp(log_softmax(scores)), softmax(scores))


@given(any_scores, temperatures)
def test_temperature_divides_the_scores(scores, temperature):
    """Hot scores are the same as small ones, and temperature 1 is plain softmax."""
    assert_allclose(softmax_with_temperature(scores, temperature), softmax(scores / temperature))
    assert_array_equal(softmax_with_temperature(scores, 1), softmax(scores))


@given(any_scores, temperatures)
def test_cold_is_more_peaked(scores, temperature):
    """The largest weight of a row never grows with the temperature."""
    cold, hot = (softmax_with_temperature(scores, t).max(axis=-1) for t in (temperature, 2 * temperature))
    assert (hot <= cold + 1e-12).all()


@pytest.mark.parametrize("temperature", [0, -1.5, float("nan")])
def test_temperature_must_be_above_zero(temperature):
    """The message repeats the caller's number."""
    with pytest.raises(ValueError, match=f"temperature {temperature} must be above 0"):
        softmax_with_temperature(np.ones(3), temperature)


LARGE = np.array([[1e4, -1e4, 9999.0, 0.0], [-1e4, -1e4, -9990.0, -1e4], [1e4, 1e4, 1e4, 1e4]])


def test_large_scores(world):
    """Scores of ±10,000 neither overflow nor vanish: still the definition."""
    for name, axis in product(["softmax", "log_softmax"], [0, 1]):
        result = world.back(getattr(mha_ref, name)(world.carry(LARGE), axis))
        expected = getattr(oracles, name)(world.rounded(LARGE), axis)
        assert_allclose(result, expected, rtol=world.tolerance, atol=world.tolerance, err_msg=name)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_enormous_and_tiny_scores(dtype):
    """The winner takes all of a huge difference; differences too small to see count nothing."""
    huge, tiny = np.array([[0, 1e30, -1e30, 1e29], [0, 1e-30, -1e-30, 0]], dtype)
    assert_array_equal(softmax(huge), [0, 1, 0, 0])
    assert_allclose(log_softmax(huge), [-1e30, 0, -2e30, -9e29], rtol=1e-6)
    assert_allclose(softmax(tiny), 0.25)


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_empty_axes(world):
    """No scores, no weights, no error."""
    functions = softmax, log_softmax, lambda scores: softmax_with_temperature(scores, 2)
    for function, shape in product(functions, [(2, 0), (0, 3), (0,)]):
        assert function(world.carry(np.ones(shape))).shape == shape


def test_whole_numbers_are_scores_too():
    """Integers give the weights of the same numbers written with a point."""
    assert_array_equal(softmax(np.array([3, 1, 2])), softmax(np.array([3.0, 1.0, 2.0])))


@pytest.mark.parametrize("score", [-1e30, 0, 7])
def test_a_score_alone_has_all_the_weight(score):
    """With one score nothing is left to share."""
    assert softmax(np.array([score])) == 1
