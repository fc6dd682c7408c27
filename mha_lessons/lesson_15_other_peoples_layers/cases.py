"""Masks in all conventions, and other layers' weights: what the functions of lesson 15 are tried on."""

import numpy as np

from autograder.cases import case, edge, tidy
from mha_lessons.lesson_03_masks.cases import some_allowed


def conventions(rng):
    """A mask in each convention, and in one that does not exist."""
    allowed = some_allowed(rng, 2, 3)
    for mask in (allowed, some_allowed(rng, 2, 1, 3, 4)):
        yield case(mask=mask, convention=spelled("allowed"))
        yield case(mask=~mask, convention=spelled("blocked"))
        yield case(mask=np.where(mask, 0, -np.inf).astype(np.float32), convention=spelled("additive"))
        yield case(mask=np.where(mask, 0, 1).astype(np.float32), convention=spelled("blocked_float"))
    for fill in (-1e9, np.finfo(np.float32).min, -65504, -1e4):
        yield edge("finite_fill", mask=np.where(allowed, 0, fill).astype(np.float32), convention=spelled("additive"))
    both = np.where(allowed, 0, np.array([[-1e4], [-np.inf]])).astype(np.float32)
    yield edge("finite_fill", mask=both, convention=spelled("additive"))
    for word in ("additive", "blocked_float"):
        yield edge("open", mask=np.zeros((2, 3), np.float32), convention=spelled(word))
    blocked = np.where(allowed & [[False], [True]], 0, -1e9).astype(np.float32)
    yield edge("dead_row", mask=blocked, convention=spelled("additive"))
    yield edge("dead_row", mask=np.full((2, 3), -1e9, np.float32), convention=spelled("additive"))
    yield edge("unknown", mask=allowed, convention="forbidden")
    for word in ("allow", "block", "add", "float", "allowed_bool", "blocked_bool", "additive_bool"):
        yield edge("misspelled", mask=allowed, convention=word)


def spelled(word):
    """The same text at a place of its own, as if read from a file: `is` tells the two apart, `==` does not."""
    return "".join(word)


SIZES = 5, 6, 7, 8, 9, 10  # of a model; a block of three sizes is cut in the wrong way without an error, too


def states_of_torch(rng):
    """What torch's layer saves: blocks of rows, with biases or without."""
    for size in (3, *_some(rng, 3)):
        yield case(state=_torch(rng, size))
    for size in (3, *_some(rng, 1)):
        yield edge("no_bias", state={n: x for n, x in _torch(rng, size).items() if "bias" not in n})


def states_of_gpt2(rng):
    """What GPT-2's attention saves: blocks of columns; an old file has a mask, too."""
    for size in (3, *_some(rng, 3)):
        yield case(state=_gpt2(rng, size))
    for size in (3, *_some(rng, 1)):
        mask = {"bias": np.tri(4, dtype=bool)[None, None], "masked_bias": np.array(-1e4, np.float32)}
        yield edge("old_file", state=mask | _gpt2(rng, size))
        yield edge("old_file", state=dict(sorted((mask | _gpt2(rng, size)).items())))  # the mask's parts lie apart


def _some(rng, count):
    return [int(size) for size in rng.permutation(SIZES)[:count]]


def _torch(rng, size):
    shapes = {"in_proj_weight": (3 * size, size), "in_proj_bias": (3 * size,)}
    return _numbers(rng, size, shapes | {"out_proj.weight": (size, size), "out_proj.bias": (size,)})


def _gpt2(rng, size):
    shapes = {"c_attn.weight": (size, 3 * size), "c_attn.bias": (3 * size,)}
    return _numbers(rng, size, shapes | {"c_proj.weight": (size, size), "c_proj.bias": (size,)})


def _numbers(rng, size, shapes):
    """Draw numbers; the smallest state has some that are easy to follow."""
    drawn = {name: tidy(rng, *shape) if size == 3 else rng.normal(size=shape) for name, shape in shapes.items()}
    return {name: x.astype(np.float32) for name, x in drawn.items()}
