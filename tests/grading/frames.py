"""Hypothesis' ideas of frames: honest values, and what a stranger could send in their place."""

import msgpack
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.grading.port.frames import ARRAY, BEGINNING, LONG, TYPES, pack

WHOLE = st.integers() | st.integers(-(10**399), 10**399)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SINGLE = st.none() | st.booleans() | WHOLE | st.floats() | TEXT


@st.composite
def arrays(draw):
    """Of every allowed type, shape and order; none, one, or some numbers, NaN and infinities among them."""
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4))
    numbers = draw(hnp.arrays(draw(st.sampled_from(sorted(TYPES))), shape))
    return draw(st.sampled_from([np.array(numbers, order="F"), np.array(numbers, order="C"), numbers.T]))


KEYS = TEXT | st.integers(-(2**63), 2**63 - 1)
VALUES = st.recursive(
    SINGLE | arrays(),
    lambda parts: st.lists(parts) | st.lists(parts).map(tuple) | st.dictionaries(KEYS, parts),
    max_leaves=20,
)

# What msgpack can hold, with the words of the wire in the places of others.
KINDS = ["tuple", "scalar", "tensor", "function", "class", "kept", "implementation"]
WORDS = st.sampled_from(["_is", *KINDS, "items", "numbers", "number", "inf", "nan", "C", "F", "", "\0"])
NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 10**18, 2**63, -(2**63), 1e308, 0.5, float("nan")])
SCRAPS = st.none() | st.booleans() | NUMBERS | WORDS | st.sampled_from(sorted(TYPES)) | st.text(max_size=5)


def arrays_in_words(parts):
    """Some with everything in its place, and some without."""
    shape = st.lists(st.integers(0, 3) | NUMBERS, max_size=4) | parts
    about = st.tuples(st.sampled_from(sorted(TYPES)) | parts, shape, st.sampled_from("CFA") | parts)
    return st.builds(msgpack.ExtType, st.just(ARRAY) | st.integers(0, 3), about.map(msgpack.packb))


LONG_NUMBERS = st.builds(msgpack.ExtType, st.just(LONG), st.binary(max_size=9) | st.just(b"\x7f" * 1001))
TREES = st.recursive(
    SCRAPS,
    lambda parts: (
        st.lists(parts, max_size=4)
        | st.dictionaries(WORDS | st.integers(0, 3) | st.booleans(), parts, max_size=2)
        | st.fixed_dictionaries(
            {"_is": st.sampled_from([*KINDS, ""]) | parts}, optional=dict(items=parts, numbers=parts)
        )
        | arrays_in_words(parts)
        | LONG_NUMBERS
    ),
    max_leaves=15,
)


def frame(head, body=b""):
    return BEGINNING.pack(len(head), len(body)) + head + body


def framed(value):
    return frame(*pack(value, None))


BODIES = st.binary(max_size=64)
TREES_IN_FRAMES = st.builds(lambda tree, body: frame(msgpack.packb(tree), body), TREES, BODIES)


@st.composite
def spoiled(draw):
    """An honest frame with a few of its bytes changed, doubled, or left out."""
    data = bytearray(framed(draw(VALUES)))
    for _ in range(draw(st.integers(1, 3))):
        place, length = draw(st.integers(0, len(data))), draw(st.integers(0, 8))
        data[place : place + length] = draw(
            st.binary(max_size=8) | st.sampled_from([b"\x91" * 50, b"\xc1", b"\xdd\xff\xff\xff\xff"])
        )
    return bytes(data)


HOSTILE = TREES_IN_FRAMES | spoiled() | st.binary(max_size=200) | st.builds(frame, st.binary(max_size=50), BODIES)
