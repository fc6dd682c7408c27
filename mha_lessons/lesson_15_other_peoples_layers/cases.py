"""Masks in all conventions: what the functions of lesson 15 are tried on."""

import numpy as np

from autograder.cases import case, edge
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
    blocked = np.where(allowed & [[False], [True]], 0, -1e9).astype(np.float32)
    yield edge("dead_row", mask=blocked, convention=spelled("additive"))
    yield edge("dead_row", mask=np.full((2, 3), -1e9, np.float32), convention=spelled("additive"))
    yield edge("unknown", mask=allowed, convention="forbidden")
    for word in ("allow", "block", "add", "float", "allowed_bool", "blocked_bool", "additive_bool"):
        yield edge("misspelled", mask=allowed, convention=word)


def spelled(word):
    """The same text at a place of its own, as if read from a file: `is` tells the two apart, `==` does not."""
    return "".join(word)
