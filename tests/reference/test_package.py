"""What users of the package rely on beside numbers: light imports, and docstrings whose shapes are true."""

import math
import subprocess
import sys
from inspect import signature

import numpy as np
from helpers import every_one

import mha_ref
from autograder.course import installed
from autograder.shapes import axis_words, words_of_result

from .inputs import CALLS


def test_importing_it_imports_no_other_library():
    """Whoever brings NumPy arrays never waits for torch or JAX."""
    code = """
import sys, numpy, mha_ref
mha_ref.causal_attention(*numpy.ones((3, 4, 5)))
print(*{"torch", "jax", "autograder"} & set(sys.modules))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not ran.stdout.strip()


def test_docstrings_tell_the_shapes():
    """Every array's axes are named; one word means one size; the leading axes of the result are those of the inputs."""
    calls = {f"{number}: {name}": (name, inputs) for number, (name, *inputs) in enumerate(CALLS)}
    every_one(tells_the_shapes, calls)


def tells_the_shapes(call):
    name, inputs = call
    function = getattr(mha_ref, name)
    arguments, words = dict(zip(signature(function).parameters, inputs, strict=False)), axis_words(function)
    arrays = {n: x for n, x in arguments.items() if isinstance(x, np.ndarray) and (n != "mask" or n in words)}
    sizes = {n: x for n, x in arguments.items() if isinstance(x, int)}
    leading = [read(words[n], x.shape, sizes) for n, x in arrays.items()]
    if name == "log_sum_exp":  # it takes away whichever axis it is told, and says so in words
        return
    result = function(*inputs)
    result = result[0] if isinstance(result, tuple) else result
    assert read(words_of_result(function), result.shape, sizes) == np.broadcast_shapes(*leading)


STEPS = {
    "multi_head_by_loop": {"attention_head", "project", "masked_softmax", "scale", "mix_heads"},
    "multi_head_attention": {"project", "split_heads", "masked_attention", "merge_heads", "mix_heads"},
    "cross_attention": {"multi_head_attention", "split_heads", "similarity"},
    "fuse_heads": {"merge_heads"},
    "encoder_decoder_masks": {"padding_mask", "causal_mask", "combine_masks"},
    "attention_flops": {"projection_flops", "mixing_flops"},
    "apply_rotary": {"rotary_angles", "interleave"},
    "alibi_bias": {"distances", "alibi_slopes"},
    "merge_attention": {"log_sum_exp", "share_of_part", "without_empty"},
    "attention_in_blocks": {"block_mask", "partial_attention", "merge_attention"},
    "attend_with_cache": {"append_tokens", "causal_attention"},
    "grouped_query_attention": {"repeat_heads", "masked_attention"},
    "attention_backward": {"weighted_mean_backward", "softmax_backward", "scale_backward", "similarity_backward"},
}


def test_later_functions_are_made_of_earlier_ones():
    """The judge finds their names, so that whoever misunderstands a step is known wherever it is used."""
    missing = {name: steps - set(installed().versions.steps_of(name)) for name, steps in STEPS.items()}
    assert not any(missing.values()), missing


def read(words, shape, sizes):
    """Compare a shape with its words, learn the sizes of new words, and return the leading axes, "..."."""
    free = len(shape) - len(words) + 1 if words[0] == "..." else 0
    for word, size in zip(words[words[0] == "..." :], shape[free:], strict=True):
        factors = word.split("·")
        known = all(f.isdigit() or f in sizes for f in factors)
        expected = math.prod(int(f) if f.isdigit() else sizes[f] for f in factors) if known else size
        assert sizes.setdefault(word, expected) == size, word
    return shape[:free]
