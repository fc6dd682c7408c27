"""Every public function computes its definition, in every library, dtype and device."""

from inspect import signature

import numpy as np
import oracles
import pytest
from array_api_compat import device
from numpy.testing import assert_allclose, assert_array_equal

import mha_ref

from .inputs import CALLS, COSTS

IN_JAX = {"softmax", "masked_attention", "multi_head_attention", "apply_rotary"}
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")  # NumPy would tell of a NaN on the way


def test_nothing_is_left_out():
    """Every public function is called, and has a definition in loops; other files call what takes or gives no arrays.

    They are test_decoding.py, for functions that take a model, and test_state_dicts.py, for those with dictionaries.
    """
    elsewhere = {"translate_greedily", "next_token_loss", "generate", "from_torch", "from_gpt2", "under_our_names"}
    functions = set(mha_ref.__all__) - elsewhere
    assert {name for name, *_ in CALLS + COSTS} == functions <= set(vars(oracles))


def test_they_are_the_definitions(world):
    """The loops' result to sixteen roundings, library, dtype and device are kept, and no input is changed."""
    they_are_the_definitions(CALLS, world)


@pytest.mark.slow
def test_some_are_the_definitions_in_jax(jax):
    """What others are made of, once; every night all, with all inputs: jax compiles each for each shape."""
    calls = {name: (name, *inputs) for name, *inputs in CALLS if name in IN_JAX}
    assert calls.keys() == IN_JAX
    they_are_the_definitions(calls.values(), jax)


def they_are_the_definitions(calls, world):
    for name, *inputs in calls:
        try:
            is_the_definition(name, inputs, world)
        except Exception as error:
            error.add_note(f"It is {name} that was called.")
            raise


def is_the_definition(name, inputs, world):
    function, definition = getattr(mha_ref, name), getattr(oracles, name)
    given, before = [world.carry(x) for x in inputs], [world.rounded(x) for x in inputs]
    like = {"like": world.carry(np.zeros(1))} if "like" in signature(function).parameters else {}
    for result, expected in zip(several(function(*given, **like)), several(definition(*before)), strict=True):
        here = world.carry(expected)
        assert (type(result), result.dtype, device(result)) == (type(here), here.dtype, device(here))
        tolerance = world.tolerance * max(1, abs(expected).max())
        assert_allclose(world.back(result), expected, rtol=0, atol=tolerance, strict=True)
    for x, old in zip(given, before, strict=True):
        assert_array_equal(world.back(x) if isinstance(old, np.ndarray) else x, old)


def several(result):
    return result if isinstance(result, tuple) else (result,)
