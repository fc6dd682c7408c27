"""Hypothesis' ideas of frames: honest values, and what a stranger could send in their place."""

import json

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.grading.wire.frames import BEGINNING
from autograder.grading.wire.packing import TYPES, pack

WHOLE = st.integers() | st.integers(-(10**399), 10**399)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SINGLE = st.none() | st.booleans() | WHOLE | st.floats() | TEXT


@st.composite
def arrays(draw):
    """Of every allowed type, shape and order; none, one, or some numbers, NaN and infinities among them."""
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4))
    numbers = draw(hnp.arrays(draw(st.sampled_from(sorted(TYPES))), shape))
    return draw(st.sampled_from([np.array(numbers, order="F"), np.array(numbers, order="C"), numbers.T]))


KEYS = TEXT | st.integers(-(2**53) + 1, 2**53 - 1)
VALUES = st.recursive(
    SINGLE | arrays(),
    lambda parts: st.lists(parts) | st.lists(parts).map(tuple) | st.dictionaries(KEYS, parts),
    max_leaves=20,
)

# What JSON can hold, with the words of the wire in the places of others.
WORDS = st.sampled_from(["array", "dict", "tuple", "int", "float", "kept", "inf", "nan", "C", "F", "", "\0", "\ud800"])
NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 10**18, 2**63, -(2**63), 1e308, 0.5, 10**400]) | st.integers()
SCRAPS = st.none() | st.booleans() | NUMBERS | WORDS | st.sampled_from(sorted(TYPES)) | st.text(max_size=5)


def arrays_in_words(parts):
    """Some with everything in its place, and some without."""
    shape = st.lists(st.integers(0, 3) | NUMBERS, max_size=4) | parts
    return st.tuples(st.sampled_from(sorted(TYPES)) | parts, shape, st.sampled_from("CFA") | parts).map(
        lambda parts: {"array": list(parts)}
    )


TREES = st.recursive(
    SCRAPS,
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(WORDS, parts, max_size=2) | arrays_in_words(parts),
    max_leaves=15,
)


def frame(head, body=b""):
    return BEGINNING.pack(len(head), len(body)) + head + body


def framed(value):
    return frame(*pack(value, None))


BODIES = st.binary(max_size=64)
TREES_IN_FRAMES = st.builds(lambda tree, body: frame(json.dumps(tree).encode(), body), TREES, BODIES)


@st.composite
def spoiled(draw):
    """An honest frame with a few of its bytes changed, doubled, or left out."""
    data = bytearray(framed(draw(VALUES)))
    for _ in range(draw(st.integers(1, 3))):
        place, length = draw(st.integers(0, len(data))), draw(st.integers(0, 8))
        data[place : place + length] = draw(st.binary(max_size=8) | st.sampled_from([b"[" * 50, b"NaN", b"1e999"]))
    return bytes(data)


HOSTILE = TREES_IN_FRAMES | spoiled() | st.binary(max_size=200) | st.builds(frame, st.binary(max_size=50), BODIES)
