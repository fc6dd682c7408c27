"""The wire carries values as they are, and nothing else: whatever a stranger sends is refused in a word.

A million of them, once: see million_frames.py.
"""

import json
import socket
import threading
import time
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest
from grading.frames import HOSTILE, VALUES, frame, framed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.grading.wire.errors import in_words, rebuilt
from autograder.grading.wire.frames import BEGINNING, Channel, Closed, Room, TooLate
from autograder.grading.wire.packing import BODY_LIMIT, DEEPEST, HEAD_LIMIT, Malformed, TooMuch, pack, unpack
from autograder.judging.advice import advice_on

many = settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck), database=None)
some = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
def ends():
    here, there = socket.socketpair()
    with here, there:
        yield Channel(here, None, refuse), there


def refuse(description):
    raise Malformed("nothing is kept here")


class Said:
    """A socket on which these bytes have come, and then nothing more."""

    def __init__(self, data):
        self.data = memoryview(data)

    def settimeout(self, seconds):
        assert seconds > 0

    def recv_into(self, place):
        taken = min(len(place), len(self.data), 7)  # as little at a time as a stranger likes
        place[:taken], self.data = self.data[:taken], self.data[taken:]
        return taken


def received(data):
    """What one end makes of bytes that the other sends before it goes."""
    return Channel(Said(data), None, lambda description: description).receive(5)


def same(first, second):
    """The same kind, the same bytes."""
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        return (first.dtype, first.shape) == (second.dtype, second.shape) and first.tobytes() == second.tobytes()
    if isinstance(first, dict):
        return list(map(same, first, second)) == [True] * len(first) == [same(first[k], second[k]) for k in first]
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(same, first, second))
    return repr(first) == repr(second)


@some
@given(VALUES)
def test_what_is_sent_arrives(value):
    """Nested tuples and dicts, arrays of every type, shape and order, NaN, infinities, numbers of 400 digits."""
    head, body = pack(value, None)
    assert same(unpack(head, body, refuse), value)


def test_arrays_arrive_in_their_order():
    """In memory, too: a judge tells answers apart by it."""
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert unpack(*pack(array, None), refuse).flags.f_contiguous


@pytest.mark.parametrize(
    "numbers", [np.zeros((0, 3)), np.zeros(()), np.zeros((2, 0, 4), order="F"), np.zeros((1,) * 32)]
)
def test_odd_shapes_arrive(numbers):
    """Nothing, a single number, all the axes there may be; and one may write into them."""
    got = unpack(*pack(numbers, None), refuse)
    got[...] = 1
    assert got.shape == numbers.shape


def test_arrays_do_not_share_their_bytes():
    """Who changes one changes no other."""
    first, second = unpack(*pack([np.zeros(2), np.zeros(2)], None), refuse)
    first[...] = 1
    assert not second.any()


@many
@given(HOSTILE)
def test_hostile_frames_are_refused_in_a_word(data):
    """Or they are none: then a value comes out. No other error ever does."""
    with suppress(Malformed, Closed, TooLate):
        received(data)


def honest_head():
    return pack({"a": (1, np.zeros((2, 3)), [2.5, None])}, None)


FORGED = {
    "another type": {"array": [["<f8"], [2], "C"]},
    "objects": {"array": ["|O", [1], "C"]},
    "a negative size": {"array": ["<f8", [-1], "C"]},
    "10^18 numbers": {"array": ["<f8", [10**9, 10**9], "C"]},
    "10^18 numbers, and none": {"array": ["<f8", [10**7] * 30 + [0], "C"]},
    "a size that is no number": {"array": ["<f8", [True], "C"]},
    "half a number": {"array": ["<f8", [1.5], "C"]},
    "too many axes": {"array": ["<f8", [1] * 33, "C"]},
    "no order": {"array": ["<f8", [1], None]},
    "numbers that are not there": {"array": ["<f8", [1], "C"]},
    "arrays without end": [{"array": ["<f8", [0], "C"]}] * 501,
    "a wide list": [0] * 100_001,
    "a dict as a key": {"dict": [[{"int": "1"}, 1]]},
    "a list as a key": {"dict": [[[1], 1]]},
    "True as a key": {"dict": [[True, 1]]},
    "a pair of three": {"dict": [[1, 2, 3]]},
    "pairs that are none": {"dict": ["ab"]},
    "two kinds": {"int": "1", "float": "nan"},
    "no kind": {},
    "an unknown kind": {"pickle": "gASV"},
    "a method of the reader": {"value": [1, 2]},
    "a number with too many digits": {"int": "9" * 402},
    "words for a number": {"int": "nine"},
    "a number in a number": {"float": 1.5},
    "a long number in figures": 2**60,
    "something kept that is no dict": {"kept": [1]},
}


@pytest.mark.parametrize("tree", FORGED.values(), ids=FORGED)
def test_forged_heads_are_malformed(tree):
    """Types swapped, sizes wrong, negative or huge, keys that are none."""
    with pytest.raises(Malformed):
        unpack(json.dumps(tree).encode(), b"", refuse)


@pytest.mark.parametrize(
    "head",
    [b"", b"{", b"NaN", b"Infinity", b"[1,]", b"\xff\xfe", b"1" * 5000, b"[" * 100_000, b'{"a":' * 100_000, b"1 2"],
    ids=lambda head: head[:8].decode("latin-1"),
)
def test_heads_that_are_no_json_are_malformed(head):
    """Constants that JSON does not have among them, and what is nested deeper than Python goes."""
    with pytest.raises(Malformed):
        unpack(head, b"", refuse)


def test_of_a_key_given_twice_one_counts():
    """As JSON has it: it can not be two kinds of value."""
    assert unpack(b'{"int": "1", "int": "2"}', b"", refuse) == 2


def test_bytes_that_belong_to_no_array_are_malformed():
    """Everything is accounted for."""
    head, body = honest_head()
    with pytest.raises(Malformed):
        unpack(head, body + b"\0", refuse)


def test_halves_of_characters_become_a_sign():
    """They could be written into no file."""
    assert unpack(rb'"\ud800"', b"", refuse) == "?"
    assert unpack(*pack("\ud800 and \N{GRINNING FACE}", None), refuse) == "? and \N{GRINNING FACE}"


@pytest.mark.parametrize("sizes", [(HEAD_LIMIT + 1, 0), (0, BODY_LIMIT + 1), (2**32 - 1, 2**32 - 1)])
def test_large_frames_are_refused_before_they_come(sizes):
    """By what they say of themselves."""
    with pytest.raises(Malformed):
        received(BEGINNING.pack(*sizes))


@pytest.mark.parametrize("length", range(0, 60, 7))
def test_half_a_frame_is_none(length):
    """Whoever goes in the middle of it is gone."""
    whole = framed({"a": np.arange(6.0)})
    with pytest.raises(Closed):
        received(whole[: min(length, len(whole) - 1)])


def test_a_frame_that_comes_byte_by_byte_is_too_late(ends):
    """The time is for all of it."""
    channel, there = ends
    thread = threading.Thread(target=drip, args=(there, framed("a" * 1000)))
    thread.start()
    start = time.monotonic()
    with pytest.raises(TooLate):
        channel.receive(0.3)
    assert time.monotonic() - start < 1
    channel.socket.close()
    thread.join()


def drip(there, data):
    with suppress(OSError):
        for number in range(len(data)):
            there.sendall(data[number : number + 1])
            time.sleep(0.01)


def test_who_does_not_listen_is_too_late(ends):
    """Sending ends, too."""
    channel, _ = ends
    with pytest.raises(TooLate):
        channel.send(np.zeros(10**6), 0.2)


def test_a_conversation_has_its_own_bounds(ends):
    """Many small frames are as bad as a large one."""
    channel, there = ends
    room = Room(head=100, body=100)
    there.sendall(framed("a" * 20) * 10)
    with pytest.raises(Malformed):
        for _ in range(10):
            channel.receive(1, room)


@pytest.mark.parametrize(
    "value",
    [[0] * 100_001, [np.zeros(1)] * 501, "a" * (HEAD_LIMIT + 1), [np.zeros(2**20)] * 5, [np.zeros(2**20)] * 6],
    ids=["things", "arrays", "text", "numbers", "more numbers"],
)
def test_what_would_be_refused_is_not_sent(value):
    """Whoever is honest is told at once, and by their own end."""
    with pytest.raises(TooMuch):
        pack(value, None)


@given(
    st.recursive(st.just(0), lambda x: st.builds(list, st.tuples(x)) | st.tuples(x) | st.builds(lambda v: {1: v}, x))
)
@settings(max_examples=20, deadline=None)
def test_both_ends_count_alike(value):
    """Up to the last level, a value that can be sent can be received."""
    for _ in range(2 * DEEPEST):
        value = (value,) if len(str(value)) % 2 else [value]
        try:
            sent = pack(value, None)
        except TooMuch:
            return
        assert same(unpack(*sent, refuse), value)
    raise AssertionError("this should have been too deep")


@pytest.mark.parametrize(
    "head",
    [
        b'{"array":["<f8",[1000000000,1000000000],"C"]}',
        b"[" + b"[]," * (HEAD_LIMIT // 3 - 10) + b"0]",
        b"[" + b"{}," * (HEAD_LIMIT // 3 - 10) + b"0]",
        b"[" + b'{"array":["<f8",[0],"C"]},' * 100_000 + b"0]",
        b'"' + b"\\u1234" * (HEAD_LIMIT // 6 - 10) + b'"',
    ],
    ids=["10^18 numbers", "lists", "dicts", "arrays", "text"],
)
def test_a_head_takes_little_time_and_memory(head):
    """Whatever it claims: some hundred megabytes, a few seconds."""
    tracemalloc.start()
    start = time.monotonic()
    with suppress(Malformed):
        unpack(head, b"", refuse)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300e6 and time.monotonic() - start < 30


def test_frames_follow_each_other(ends):
    """Each is read to its end, and no further."""
    channel, there = ends
    there.sendall(b"".join(framed(number) for number in range(5)) + frame(b'"last"'))
    got = [channel.receive(1) for _ in range(6)]
    assert got == [*range(5), "last"]


class Layer:
    """It keeps a number, and forgets where."""

    def __init__(self):
        self.heads = 2

    def forward(self):
        return heads  # noqa: F821


def test_a_forgotten_self_is_told_there():
    """The method's frame stays in the worker: what matters of it crosses the wire."""
    with pytest.raises(NameError) as caught:
        Layer().forward()
    assert "as `self.heads`" in advice_on(rebuilt(in_words(caught.value)))
    assert "self" not in advice_on(rebuilt(in_words(NameError("name 'heads' is not defined"))))


class Mine(ValueError):
    """Somebody's own kind."""


@pytest.mark.parametrize("error", [ValueError("6 columns"), KeyError("w"), IndexError(9), Mine("x"), SystemExit(3)])
def test_errors_say_the_same_there(error):
    """Whoever asks for exactly a ValueError finds one; an own kind has its name, and its base."""
    there = rebuilt(in_words(error))
    assert str(there) == str(error) and type(there).__name__ == type(error).__name__
    assert type(there) is type(error) or isinstance(error, (KeyError, Mine, SystemExit))
    assert isinstance(there, type(error)) or isinstance(error, (Mine, SystemExit))
    assert isinstance(there, ValueError) == isinstance(error, ValueError)
