"""A million frames, each a hostile one changed at random: PYTHONPATH=.:tests python tests/grading/million_frames.py

The last line says how many of them were refused, and that is all that may happen; the number to begin with, and how
many, may follow: million_frames.py 7 1000000
"""

import random
import sys
import warnings
from collections import Counter

import msgpack
from grading.frames import HOSTILE, frame, framed
from grading.test_wire import received
from hypothesis import find, settings

from autograder.grading.port.frames import Closed, Malformed, TooLate

WORDS = [
    0,
    -1,
    2,
    1e999,
    1.5,
    None,
    True,
    "",
    "inf",
    "C",
    "F",
    "<f8",
    "|b1",
    "O",
    "_is",
    "dict",
    "items",
    "tuple",
    "int",
]
WORDS += ["digits", 10**9, 2**53, -(2**63), [], {}, [10**9, 10**9], [0], [[1, 2]], {"_is": "int", "digits": "7"}]
BYTES = [*map(msgpack.packb, WORDS), b"\xc1", b"\x91", b"\x81", b"\xdd", b"\xc7\x01", b"\xa3\xed\xa0\x80", b"\0"]


def main(first=0, frames=1_000_000):
    dice, seeds, became = random.Random(first), beginnings(first), Counter()
    for _ in range(frames):
        became[fate(changed(dice.choice(seeds), dice))] += 1
    print(f"{sum(became.values()):,} frames:", dict(became))


def beginnings(first, wanted=2000):
    """As hypothesis would have them, and some that are honest."""
    found = [framed(value) for value in (None, [1, 2.5, "a"], {"a": (True, {"b": []})}, 10**30, float("nan"))]

    def note(data):
        found.append(data)
        return False

    try:
        find(HOSTILE, note, settings=settings(max_examples=wanted, database=None), random=random.Random(first))
    except Exception as nothing_found:
        assert type(nothing_found).__name__ == "NoSuchExample"
    return found


def changed(data, dice):
    """In one to three places; most often it says how long it is still."""
    size = int.from_bytes(data[:4], "little")
    head, body = bytes(data[8 : 8 + size]), bytes(data[8 + size :])
    for _ in range(dice.randint(1, 3)):
        head = other_bytes(head, dice)
    body = other_bytes(body, dice) if dice.random() < 0.2 else body
    return frame(head, body) if dice.random() < 0.95 else other_bytes(frame(head, body), dice)


def other_bytes(data, dice):
    place, length = dice.randint(0, len(data)), dice.choice([0, 0, 1, 1, 2, 8])
    return data[:place] + dice.choice([dice.choice(BYTES), dice.randbytes(dice.randint(0, 3))]) + data[place + length :]


def fate(data):
    try:
        received(data)
        return "a value"
    except (Malformed, Closed, TooLate) as refused:
        return type(refused).__name__


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*map(int, sys.argv[1:]))
