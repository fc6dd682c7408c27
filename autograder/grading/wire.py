"""Frames between examiner and worker: a head in JSON, then the bytes of arrays.

Whatever comes from a worker may be forged: every size is bounded before anything is made of it, nothing is ever run,
and what is not as it should be is Malformed. Never pickle.
"""

import json
import math
import struct
import time

import numpy as np

HEAD_LIMIT = 4 * 2**20  # bytes of JSON in a frame
BODY_LIMIT = 64 * 2**20  # bytes of arrays in a frame
MOST_ARRAYS = 500
MOST_AXES = 32
DEEPEST = 40
MOST_THINGS = 100_000  # values in a frame
LONGEST_NUMBER = 400  # digits
TYPES = {np.dtype(kind + size).str for kind, sizes in {"f": "248", "i": "1248", "u": "1248"}.items() for size in sizes}
TYPES |= {"|b1", "<c8", "<c16"}
BEGINNING = struct.Struct("<II")  # bytes of the head, bytes of all arrays


class Malformed(Exception):
    """The frame is none that an honest worker sends."""


class Closed(Exception):
    """Nobody is at the other end any more."""


class TooLate(Exception):
    """No whole frame came in time."""


class Channel:
    """One end. Values are plain Python, arrays, and what `keep` describes by a dict and `find` finds by it again."""

    def __init__(self, socket, keep, find):
        self.socket, self.keep, self.find = socket, keep, find

    def send(self, value):
        head, body = pack(value, self.keep)
        try:
            self.socket.sendall(b"".join([BEGINNING.pack(len(head), sum(map(len, body))), head, *body]))
        except TimeoutError:
            raise TooLate from None
        except OSError:
            raise Closed from None

    def receive(self, seconds=None):
        """The next value; `seconds` are for the whole of its frame."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        sizes = BEGINNING.unpack(self._read(BEGINNING.size, end))
        if sizes[0] > HEAD_LIMIT or sizes[1] > BODY_LIMIT:
            raise Malformed(f"a frame of {sum(sizes):,} bytes")
        head, body = (self._read(size, end) for size in sizes)
        return unpack(head, body, self.find)

    def _read(self, size, end):
        parts = []
        while size:
            left = end - time.monotonic()
            if left <= 0:
                raise TooLate
            self.socket.settimeout(None if left == math.inf else left)
            try:
                part = self.socket.recv(min(size, 2**20))
            except TimeoutError:
                raise TooLate from None
            except OSError:
                raise Closed from None
            if not part:
                raise Closed
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def pack(value, keep):
    """Head and arrays of a frame."""
    body = []

    def packed(x):
        if x is None or type(x) in (bool, str):
            return x
        if type(x) is int:
            return x if abs(x) < 2**53 else {"int": str(x)[:LONGEST_NUMBER] if abs(x) < 10**LONGEST_NUMBER else "inf"}
        if type(x) is float:
            return x if math.isfinite(x) else {"float": str(x)}
        if type(x) in (list, tuple):
            items = [packed(item) for item in x]
            return items if type(x) is list else {"tuple": items}
        if type(x) is dict:
            return {"dict": [[packed(key), packed(item)] for key, item in x.items()]}
        if type(x) is np.ndarray and x.dtype.str in TYPES:
            return {"array": _array(x)}
        return {"kept": packed(keep(x))}

    def _array(x):
        order = "F" if x.flags.f_contiguous and not x.flags.c_contiguous else "C"
        body.append(x.tobytes(order))
        return [x.dtype.str, list(x.shape), order]

    return json.dumps(packed(value), allow_nan=False).encode(), body


def unpack(head, body, find):
    """The value of a frame."""
    try:
        tree = json.loads(head, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Malformed("no JSON") from None
    reader = Reader(body, find)
    value = reader.value(tree)
    if reader.place != len(body):
        raise Malformed("more bytes than arrays")
    return value


def _refuse(constant):
    raise ValueError(constant)


class Reader:
    """Makes values of a frame's tree, and counts what it makes."""

    def __init__(self, body, find):
        self.body, self.find, self.place, self.things, self.arrays = body, find, 0, 0, 0

    def value(self, tree, depth=0):
        self.things += 1
        if depth > DEEPEST or self.things > MOST_THINGS:
            raise Malformed("too deep, or too much")
        if isinstance(tree, list):
            return [self.value(item, depth + 1) for item in tree]
        if isinstance(tree, str):
            return _writable(tree)
        if not isinstance(tree, dict):
            return tree
        if len(tree) != 1 or next(iter(tree)) not in KINDS:
            raise Malformed("an unknown kind of value")
        kind, content = next(iter(tree.items()))
        return KINDS[kind](self, content, depth + 1)

    def tuple(self, items, depth):
        return tuple(self.value(_of(items, list), depth))

    def dict(self, pairs, depth):
        pairs = [_of(pair, list) for pair in _of(pairs, list)]
        if any(len(pair) != 2 or isinstance(pair[0], (list, dict)) for pair in pairs):
            raise Malformed("no keys and values")
        return {self.value(key, depth): self.value(item, depth) for key, item in pairs}

    def int(self, digits, depth):
        if not _of(digits, str).removeprefix("-").isdecimal() or len(digits) > LONGEST_NUMBER + 1:
            return math.inf
        return int(digits)

    def float(self, name, depth):
        if name not in ("inf", "-inf", "nan"):
            raise Malformed("no such number")
        return float(name)

    def kept(self, content, depth):
        return self.find(_of(self.value(content, depth), dict))

    def array(self, content, depth):
        self.arrays += 1
        if self.arrays > MOST_ARRAYS or len(_of(content, list)) != 3:
            raise Malformed("no array")
        kind, shape, order = content
        if kind not in TYPES or order not in ("C", "F") or len(_of(shape, list)) > MOST_AXES:
            raise Malformed("no array")
        if not all(type(size) is int and 0 <= size <= BODY_LIMIT for size in shape):
            raise Malformed("no shape")
        return self._numbers(np.dtype(kind), tuple(shape), order)

    def _numbers(self, kind, shape, order):
        size = math.prod(shape) * kind.itemsize
        if size > len(self.body) - self.place:
            raise Malformed("fewer bytes than numbers")
        numbers = np.frombuffer(self.body, kind, math.prod(shape), self.place).reshape(shape, order=order)
        self.place += size
        return numbers.copy(order)


KINDS = {kind: getattr(Reader, kind) for kind in ("tuple", "dict", "int", "float", "kept", "array")}


def _of(thing, kind):
    if not isinstance(thing, kind):
        raise Malformed(f"no {kind.__name__}")
    return thing


def _writable(text):
    """Halves of characters can be sent, and written into no file."""
    return text.encode("utf-8", "replace").decode()
