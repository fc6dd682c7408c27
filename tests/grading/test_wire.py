"""The wire carries values as they are, and nothing else: whatever a stranger sends is refused in a word."""

import socket
import sys
import threading
import time
import tracemalloc
from contextlib import suppress

import msgpack
import numpy as np
import pytest
from frames import HOSTILE, VALUES, frame, framed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.grading.port.frames import (
    ARRAY,
    BEGINNING,
    BODY_LIMIT,
    DEEPEST,
    HEAD_LIMIT,
    LONG,
    Channel,
    Closed,
    Malformed,
    Room,
    TooLate,
    TooMuch,
    pack,
    unpack,
)
from autograder.grading.port.remote import Call, most_memory
from autograder.grading.port.replies import error_as_dict, rebuilt
from autograder.judging.symptoms import advice_on

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


def array(*about, code=ARRAY):
    """An array in msgpack's words, as a stranger could write it."""
    return msgpack.ExtType(code, msgpack.packb(about))


def nested(depth):
    return [] if not depth else [nested(depth - 1)]


FORGED = {
    "another type": array(["<f8"], [2], "C"),
    "objects": array("|O", [1], "C"),
    "a negative size": array("<f8", [-1], "C"),
    "10^18 numbers": array("<f8", [10**9, 10**9], "C"),
    "10^18 numbers, and none": array("<f8", [10**7] * 30 + [0], "C"),
    "a size that is no number": array("<f8", [True], "C"),
    "half a number": array("<f8", [1.5], "C"),
    "too many axes": array("<f8", [1] * 33, "C"),
    "no order": array("<f8", [1], None),
    "numbers that are not there": array("<f8", [1], "C"),
    "another extension": array("<f8", [0], "C", code=3),
    "a very long number": msgpack.ExtType(LONG, b"1" * 1001),
    "no parts": array(),
    "arrays without end": [array("<f8", [0], "C")] * 100_001,
    "a wide list": [0] * 100_001,
    "wide lists": [[0] * 1000] * 101,
    "a deep list": nested(DEEPEST + 1),
    "bytes": b"a",
    "half a number as a key": {1.5: 1},
    "True as a key": {True: 1},
    "a map as one of its kinds": {"_is": "dict", "items": [[1, 1]]},
    "a tuple of nothing": {"_is": "tuple"},
    "a tuple of a number": {"_is": "tuple", "items": 2},
    "an unknown kind": {"_is": "pickle"},
    "no kind": {"_is": []},
    "a scalar of nothing": {"_is": "scalar"},
    "a scalar of a text": {"_is": "scalar", "numbers": "a"},
    "a scalar of several numbers": {"_is": "scalar", "numbers": array("<f8", [0], "C")},
}


@pytest.mark.parametrize("tree", FORGED.values(), ids=FORGED)
def test_forged_heads_are_malformed(tree):
    """Types swapped, sizes wrong, negative or huge, keys that are none."""
    with pytest.raises(Malformed):
        unpack(msgpack.packb(tree), b"", refuse)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\x92\x00",
        b"\xc1",
        b"\x00\x00",
        b"\xa1\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 100_000,
        b"\x81\xa1a" * 9999,
    ],
    ids=lambda head: head[:4].hex(),
)
def test_heads_that_are_no_msgpack_are_malformed(head):
    """Too short, too long, and what is nested deeper than Python goes."""
    with pytest.raises(Malformed):
        unpack(head, b"", refuse)


def test_bytes_that_belong_to_no_array_are_malformed():
    """Everything is accounted for."""
    head, body = pack({"a": (1, np.zeros((2, 3)), [2.5, None])}, None)
    with pytest.raises(Malformed):
        unpack(head, body + b"\0", refuse)


def test_halves_of_characters_become_a_sign():
    """They could be written into no file."""
    with pytest.raises(Malformed):
        unpack(b"\xa3\xed\xa0\x80", b"", refuse)
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
    [[0] * 100_001, [np.zeros(0)] * 100_001, "a" * (HEAD_LIMIT + 1), [np.zeros(2**20)] * 5, [np.zeros(2**20)] * 6],
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
        msgpack.packb(array("<f8", [10**9, 10**9], "C")),
        (b"\xdc\xff\xff" + b"\x90" * 65_535) * 60,
        b"\xdd" + (60).to_bytes(4) + (b"\xdc\xff\xff" + b"\x90" * 65_535) * 60,
        b"\xdd" + (60).to_bytes(4) + (b"\xdc\xff\xff" + b"\x80" * 65_535) * 60,
        b"\xdd" + (90_000).to_bytes(4) + msgpack.packb(array("<f8", [0], "C")) * 90_000,
        b"\xdb" + (4_000_000).to_bytes(4) + b"a" * 4_000_000,
    ],
    ids=["10^18 numbers", "lists after lists", "lists", "dicts", "arrays", "text"],
)
@pytest.mark.nightly
def test_a_head_takes_little_time_and_memory(head):
    """Whatever it claims: some hundred megabytes, a few seconds of work."""
    tracemalloc.start()
    start = time.process_time()
    with suppress(Malformed):
        unpack(head, b"", refuse)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300e6 and time.process_time() - start < 30


def test_frames_follow_each_other(ends):
    """Each is read to its end, and no further."""
    channel, there = ends
    there.sendall(b"".join(framed(number) for number in range(5)) + frame(b"\xa4last"))
    got = [channel.receive(1) for _ in range(6)]
    assert got == [*range(5), "last"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is not bounded, or not as tightly")
@pytest.mark.parametrize("size, error", [(100, None), (1000, "MemoryError")])
def test_a_function_of_ours_gets_little_memory(size, error):
    """It is called here, on what a stranger sends; afterwards there is as much memory as before."""
    before = bounds_of_memory()
    call = Call(callback=0, inputs=[size], options={}, numerics={})
    said = call.reply(lambda size: float(np.ones(size * 2**17).sum()), time.monotonic() + 60, most_memory())
    assert (said["error"] and said["error"]["type"]) == error and bounds_of_memory() == before


def bounds_of_memory():
    import resource  # here: Windows has none

    return [resource.getrlimit(kind) for kind in (resource.RLIMIT_DATA, resource.RLIMIT_AS)]


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
    assert "as `self.heads`" in advice_on(there(caught.value))
    assert "self" not in advice_on(there(NameError("name 'heads' is not defined")))


def there(error):
    """The error as it arrives at the other end."""
    return rebuilt(unpack(*pack(error_as_dict(error), None), refuse))


class Mine(ValueError):
    """Somebody's own kind."""


@pytest.mark.parametrize("error", [ValueError("6 columns"), KeyError("w"), IndexError(9), Mine("x"), SystemExit(3)])
def test_errors_say_the_same_there(error):
    """Whoever asks for exactly a ValueError finds one; an own kind has its name, and its base."""
    made = there(error)
    assert str(made) == str(error) and type(made).__name__ == type(error).__name__
    assert type(made) is type(error) or isinstance(error, (KeyError, Mine, SystemExit))
    assert isinstance(made, type(error)) or isinstance(error, (Mine, SystemExit))
    assert isinstance(made, ValueError) == isinstance(error, ValueError)
