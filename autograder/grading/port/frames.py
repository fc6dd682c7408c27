"""Frames between examiner and worker: two sizes, then a value in msgpack, then the bytes of its arrays.

Whatever comes from a worker may be forged: sizes are looked at before anything is read, every count is bounded, nothing
is ever run, whoever waits has a clock, and what is not as it should be is Malformed. The same bounds hold for what is
sent, so whoever is honest hears of them from their own end. Never pickle.
"""

import math
import struct
import time

import msgpack
import numpy as np

BEGINNING = struct.Struct("<II")  # bytes of the head, bytes of all arrays
HEAD_LIMIT = 4 * 2**20  # bytes of msgpack in a frame
BODY_LIMIT = 32 * 2**20  # bytes of arrays in a frame
DEEPEST, MOST_THINGS = 40, 100_000  # values in values, and in a frame
LONGEST_NUMBER = 167  # bytes, for 400 digits; what is longer counts as infinite
BOUNDS = dict(max_array_len=MOST_THINGS, max_map_len=MOST_THINGS, max_bin_len=0, max_ext_len=1000)
TYPES = {np.dtype(kind + size).str for kind, sizes in {"f": "248", "i": "1248", "u": "1248"}.items() for size in sizes}
TYPES |= {"|b1", "<c8", "<c16"}
ARRAY, LONG = 1, 2  # msgpack's codes for an array (type, shape, order; the numbers follow in the body), a long number


class Malformed(Exception):
    """The frame is none that an honest worker sends."""


class TooManyBytes(Malformed):
    """The frame has more bytes than may still come."""


class TooMuch(ValueError):
    """This does not go into a frame."""


class Closed(Exception):
    """The other end is closed."""


class TooLate(Exception):
    """No whole frame went, or came, in time."""


class Room:
    """How many bytes may still come: in a frame, or in all frames of a conversation."""

    def __init__(self, head=HEAD_LIMIT, body=BODY_LIMIT):
        self.head, self.body = head, body

    def take(self, head, body):
        if head > min(self.head, HEAD_LIMIT) or body > min(self.body, BODY_LIMIT):
            raise TooManyBytes(f"a frame of {head + body:,} bytes")
        self.head, self.body = self.head - head, self.body - body


class Channel:
    """One end. Values are plain Python, numbers of NumPy, and what `keep` puts in the place of all else.

    That is a plain value, or a dict with "_is", by which `find` finds the thing again.
    """

    def __init__(self, socket, keep, find):
        self.socket, self.keep, self.find = socket, keep, find

    def send(self, value, seconds=None):
        """Send a value, or raise TooMuch if it does not fit; then nothing was sent."""
        head, body = pack(value, self.keep)
        try:
            self.socket.settimeout(None if seconds is None else max(seconds, 1e-3))
            self.socket.sendall(b"".join([BEGINNING.pack(len(head), len(body)), head, body]))
        except TimeoutError:
            raise TooLate from None
        except OSError:
            raise Closed from None

    def receive(self, seconds=None, room=None):
        """Return the next value; `seconds` are for the whole of its frame."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        sizes = BEGINNING.unpack(self._read(BEGINNING.size, end))
        (room or Room()).take(*sizes)
        head, body = (self._read(size, end) for size in sizes)
        return unpack(head, body, self.find)

    def _read(self, size, end):
        whole = bytearray(size)
        missing = memoryview(whole)
        while missing:
            seconds = end - time.monotonic()
            if seconds <= 0:
                raise TooLate
            try:
                self.socket.settimeout(None if seconds == math.inf else seconds)
                taken = self.socket.recv_into(missing)
            except TimeoutError:
                raise TooLate from None
            except OSError:
                raise Closed from None
            if not taken:
                raise Closed
            missing = missing[taken:]
        return whole


def fits(x):
    return x.dtype.str in TYPES and x.nbytes <= BODY_LIMIT and max(x.shape, default=0) <= BODY_LIMIT


def are_plain_keys(keys):
    return all(type(key) is str or (type(key) is int and -(2**63) <= key < 2**63) for key in keys)


def pack(value, keep):
    """Return the head and the arrays of a frame."""
    writer = Writer(keep)
    head = msgpack.packb(writer.tree(value), unicode_errors="replace")
    body = b"".join(writer.body)
    if len(head) > HEAD_LIMIT or len(body) > BODY_LIMIT:
        raise TooMuch(f"{len(head) + len(body):,} bytes are more than can be handed over")
    return head, body


class Writer:
    """Makes of a value what msgpack has words for; a map with "_is" is what it has none for."""

    def __init__(self, keep):
        self.keep, self.body, self.things = keep, [], 0

    def tree(self, x, depth=0):
        self.things += 1
        if depth > DEEPEST or self.things > MOST_THINGS:
            raise TooMuch("too much, or too deep, to be handed over")
        kind = type(x)
        if kind is int and not -(2**63) <= x < 2**64:
            size = x.bit_length() // 8 + 1
            return msgpack.ExtType(LONG, x.to_bytes(size, signed=True)) if size <= LONGEST_NUMBER else math.inf
        if x is None or kind in (bool, int, float, str):
            return x
        if kind in (list, tuple):
            items = [self.tree(item, depth + 1) for item in x]
            return items if kind is list else {"_is": "tuple", "items": items}
        if kind is dict and are_plain_keys(x):
            return {key: self.tree(item, depth + 1) for key, item in x.items()}
        if kind is np.ndarray and fits(x):
            return self._array(x)
        if isinstance(x, np.generic) and not isinstance(x, str):
            return {"_is": "scalar", "numbers": self.tree(np.asarray(x), depth + 1)}
        return self.tree(self.keep(x), depth + 1)

    def _array(self, x):
        order = "F" if x.flags.f_contiguous and not x.flags.c_contiguous else "C"
        self.body.append(x.tobytes(order))
        return msgpack.ExtType(ARRAY, msgpack.packb([x.dtype.str, x.shape, order]))


def unpack(head, body, find):
    """Return the value of a frame."""
    reader = Reader(body, find)
    try:
        value = reader.value(
            msgpack.unpackb(head, ext_hook=reader.number, strict_map_key=False, **BOUNDS, max_str_len=len(head))
        )
    except Exception as error:  # whatever msgpack, or who finds things, says of it
        raise Malformed(repr(error)) from None
    if reader.place != len(body):
        raise Malformed("more bytes than arrays")
    return value


class Reader:
    """Makes values of what msgpack has read, and counts as the writer does."""

    def __init__(self, body, find):
        self.body, self.find, self.place, self.things = memoryview(body), find, 0, 0

    def value(self, x, depth=0):
        self.things += 1
        if depth > DEEPEST or self.things > MOST_THINGS:
            raise Malformed("too deep, or too much")
        if type(x) is list:
            return [self.value(item, depth + 1) for item in x]
        if type(x) is not dict:
            return x
        kind = x.get("_is", x)
        if kind == "tuple":
            return tuple(self.value(item, depth + 1) for item in x["items"])
        if not are_plain_keys(x):
            raise Malformed("no dictionary")
        said = {key: self.value(item, depth + 1) for key, item in x.items()}
        if kind == "scalar":
            return said["numbers"].reshape(())[()]
        return said if kind is x else self.find(said)

    def number(self, code, data):
        """Return a whole number that is too long for msgpack, or an array of numbers."""
        if code == LONG:
            return int.from_bytes(data, signed=True)
        kind, shape, order = msgpack.unpackb(data)
        are_sizes = all(type(size) is int and 0 <= size <= BODY_LIMIT for size in shape)
        if code != ARRAY or kind not in TYPES or order not in ("C", "F") or not are_sizes:
            raise Malformed("no array")
        size = math.prod(shape) * np.dtype(kind).itemsize
        if size > len(self.body) - self.place:
            raise Malformed("fewer bytes than numbers")
        numbers = np.frombuffer(bytearray(self.body[self.place : self.place + size]), kind)  # its own, to write into
        self.place += size
        return numbers.reshape(shape, order=order)  # nothing, in more dimensions than there can be, is refused
