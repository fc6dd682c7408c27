"""The content of a frame: a head in JSON, then the bytes of arrays.

Whatever comes from a worker may be forged: every size is bounded before anything is made of it, nothing is ever run,
and what is not as it should be is Malformed. The same bounds hold for what is sent, so whoever is honest hears of them
from their own end. Never pickle.
"""

import json
import math

import numpy as np

from ...judging.values import arrays_of, copied, to_array

HEAD_LIMIT = 4 * 2**20  # bytes of JSON in a frame
BODY_LIMIT = 32 * 2**20  # bytes of arrays in a frame
MOST_ARRAYS = 500
MOST_AXES = 32
DEEPEST = 40
MOST_THINGS = 100_000  # values in a frame
LONGEST_NUMBER = 400  # digits
PLAIN = 2**53  # whole numbers below are JSON numbers, which elsewhere are floats
TYPES = {np.dtype(kind + size).str for kind, sizes in {"f": "248", "i": "1248", "u": "1248"}.items() for size in sizes}


TYPES |= {"|b1", "<c8", "<c16"}


class Malformed(Exception):
    """The frame is none that an honest worker sends."""


class TooMuch(ValueError):
    """This does not go into a frame."""


def pack(value, keep):
    """Return the head and the arrays of a frame."""
    writer = Writer(keep)
    head = json.dumps(writer.tree(value), allow_nan=False, ensure_ascii=False).encode("utf-8", "replace")
    body = b"".join(writer.body)
    if len(head) > HEAD_LIMIT or len(body) > BODY_LIMIT:
        raise TooMuch(f"{len(head) + len(body):,} bytes are more than can be handed over")
    return head, body


def unpack(head, body, find):
    """Return the value of a frame."""
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


def fits(x):
    """Say whether an array can be sent as it is."""
    small = x.nbytes <= BODY_LIMIT and max(x.shape, default=0) <= BODY_LIMIT
    return x.dtype.str in TYPES and x.ndim <= MOST_AXES and small


def are_plain_keys(keys):
    return all(type(key) is str or (type(key) is int and abs(key) < PLAIN) for key in keys)


class Writer:
    """Makes a frame's tree of values, and counts what it makes as the Reader will."""

    def __init__(self, keep):
        self.keep, self.body, self.things = keep, [], 0

    def tree(self, x, depth=0):
        self.things += 1
        if depth > DEEPEST or self.things > MOST_THINGS:
            raise TooMuch("too much, or too deep, to be handed over")
        if x is None or type(x) in (bool, str):
            return x
        if type(x) in (int, float):
            return _number(x)
        if type(x) is list:
            return [self.tree(item, depth + 1) for item in x]
        if type(x) is tuple:
            return {"tuple": self.tree(list(x), depth + 1)}
        if type(x) is dict and are_plain_keys(x):
            return {"dict": [[self.tree(key), self.tree(item, depth + 1)] for key, item in x.items()]}
        if type(x) is np.ndarray and fits(x):
            return {"array": self._array(x)}
        return {"kept": self.tree(self.keep(x), depth + 1)}

    def _array(self, x):
        if len(self.body) == MOST_ARRAYS:
            raise TooMuch("too many arrays to be handed over")
        order = "F" if x.flags.f_contiguous and not x.flags.c_contiguous else "C"
        self.body.append(x.tobytes(order))
        return [x.dtype.str, list(x.shape), order]


def _number(x):
    """Return a number as JSON has it, or in words."""
    if type(x) is float:
        return x if math.isfinite(x) else {"float": str(x)}
    if abs(x) < PLAIN:
        return x
    return {"int": str(x) if abs(x) < 10**LONGEST_NUMBER else "inf"}


class Reader:
    """Makes values of a frame's tree, and counts what it makes."""

    def __init__(self, body, find):
        self.body, self.find, self.place, self.things, self.arrays = memoryview(body), find, 0, 0, 0

    def value(self, tree, depth=0):
        self.things += 1
        if depth > DEEPEST or self.things > MOST_THINGS:
            raise Malformed("too deep, or too much")
        if isinstance(tree, list):
            return [self.value(item, depth + 1) for item in tree]
        if isinstance(tree, str):
            return _writable(tree)
        if isinstance(tree, dict):
            return self._of_kind(tree, depth + 1)
        if isinstance(tree, int) and abs(tree) >= PLAIN:
            raise Malformed("a number that should be in words")
        return tree

    def _of_kind(self, tree, depth):
        if len(tree) != 1:
            raise Malformed("an unknown kind of value")
        ((kind, content),) = tree.items()
        if kind not in KINDS:
            raise Malformed("an unknown kind of value")
        return KINDS[kind](self, content, depth)

    def tuple(self, items, depth):
        return tuple(self.value(_of(items, list), depth))

    def dict(self, pairs, depth):
        pairs = [_of(pair, list) for pair in _of(pairs, list)]
        if not all(len(pair) == 2 and are_plain_keys(pair[:1]) for pair in pairs):
            raise Malformed("no keys and values")
        return {self.value(key): self.value(item, depth) for key, item in pairs}

    def int(self, digits, depth):
        if digits == "inf":
            return math.inf
        if not _of(digits, str).removeprefix("-").isdecimal() or len(digits) > LONGEST_NUMBER + 1:
            raise Malformed("no whole number")
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
        if _of(kind, str) not in TYPES or order not in ("C", "F") or len(_of(shape, list)) > MOST_AXES:
            raise Malformed("no array")
        if not all(type(size) is int and 0 <= size <= BODY_LIMIT for size in shape):
            raise Malformed("no shape")
        return self._numbers(np.dtype(kind), tuple(shape), order)

    def _numbers(self, kind, shape, order):
        size = math.prod(shape) * kind.itemsize
        if size > len(self.body) - self.place:
            raise Malformed("fewer bytes than numbers")
        numbers = np.frombuffer(bytearray(self.body[self.place : self.place + size]), kind)  # its own, to write into
        self.place += size
        try:
            return numbers.reshape(shape, order=order)
        except ValueError:  # nothing, in more dimensions than there can be
            raise Malformed("no shape") from None


KINDS = {kind: getattr(Reader, kind) for kind in ("tuple", "dict", "int", "float", "kept", "array")}


def _of(thing, kind):
    if not isinstance(thing, kind):
        raise Malformed(f"no {kind.__name__}")
    return thing


def _writable(text):
    """Return text without halves of characters, which can be sent and not written into a file."""
    return text.encode("utf-8", "replace").decode()


def copies(things):
    """Return the numbers of arrays, tensors and dictionaries of such as they are now; None for anything else."""
    now = map(arrays_of, things)
    return [None if arrays is None else copied(arrays) for arrays in now]


def changed(things, before):
    """Return place -> new numbers, for the arrays, and whole dictionaries, that are no longer as they were."""
    after = {n: arrays_of(x) for n, (x, old) in enumerate(zip(things, before)) if old is not None}
    return {n: x for n, x in after.items() if _differ(x, before[n])}


def _differ(now, before):
    if isinstance(now, dict):
        return now.keys() != before.keys() or any(_differ(now[name], before[name]) for name in now)
    return now.shape != before.shape or now.tobytes() != before.tobytes()


def write_back(things, changes):
    """Make the same change here. A change of shape is shown by NaN: no array takes another shape in place."""
    for n, numbers in changes.items():
        if isinstance(numbers, dict):
            things[n].clear()
            things[n].update(numbers)
            continue
        here = to_array(things[n])
        here[...] = numbers if numbers.shape == here.shape else _impossible(here.dtype)


def _impossible(kind):
    return np.nan if kind.kind == "f" else np.zeros((), kind)
