"""Workers that are none: a thread that answers whatever it is asked, in the protocol's own words, all of them wrong."""

import socket
import threading
from contextlib import contextmanager

import numpy as np
from hypothesis import strategies as st

from autograder.grading.port.frames import Channel, Closed, Malformed, TooLate

PLAIN = st.none() | st.booleans() | st.integers(-2, 5) | st.floats() | st.sampled_from(["", "x", "\0", "f" * 200])
ARRAYS = st.sampled_from(
    [np.zeros(()), np.zeros((2, 3)), np.full((3, 3), np.nan), np.zeros(0), np.ones(4, bool), np.zeros(3, complex)]
    + [np.zeros((2, 3), np.float32), np.zeros((9, 5), np.float32), np.arange(6).reshape(2, 3), np.ones((1,) * 9)]
)
KINDS = [
    "scalar",
    "vast",
    "objects",
    "thing",
    "tensor",
    "function",
    "class",
    "_init__",
]
TYPES = ["torch.nn.modules.module.Module", "torch.nn.modules.linear.Linear", "mha_ref.layer.AttentionHead", "", "x.y"]
METHODS = ["__init__", "forward", "train", "__call__", "__setattr__", "__bool__", "__del__", "__hash__", "__slots__"]
SIGNATURES = (
    st.none()
    | st.just([["scores", 1, None], ["axis", 1, [-1]]])
    | st.just([["x", 1, None], ["mask", 1, [None]]])
    | st.just([["model_size", 1, None], ["head_size", 1, None]])
    | st.lists(st.tuples(PLAIN, PLAIN, PLAIN).map(list), max_size=2)
)


class Kept(dict):
    """A description, to be sent as such."""


def descriptions(parts):
    """Of every kind, with some fields that are none."""
    fields = dict(
        _is=st.sampled_from(KINDS),
        numbers=ARRAYS | parts,
        value=parts,
        type=st.sampled_from(["<f8", "O", "i", "float", "a\0b"]) | parts,
        shape=st.lists(st.sampled_from([0, 1, 3, 10**7, 10**12, 2**63]), max_size=4) | parts,
        items=st.lists(PLAIN, max_size=3) | parts,
        texts=st.booleans(),
        bfloat16=st.booleans(),
        gradient=st.none() | st.integers(0, 1) | parts,
        number=st.integers(0, 3) | parts,
        name=st.sampled_from(["softmax", "AttentionHead", "weighted_mean"]) | parts,
        stub=st.booleans() | parts,
        signature=SIGNATURES | parts,
        methods=st.dictionaries(st.sampled_from(METHODS), SIGNATURES, max_size=5) | parts,
        is_layer=st.booleans() | parts,
    )
    return st.fixed_dictionaries({}, optional=fields).map(Kept) | st.fixed_dictionaries(fields).map(Kept)


THINGS = st.recursive(
    PLAIN | ARRAYS,
    lambda parts: st.lists(parts, max_size=3) | st.lists(parts, max_size=3).map(tuple) | descriptions(parts),
    max_leaves=6,
)
NAMES = st.sampled_from(["query", "key.weight", "w_query", "w_key", "w_value", "training", "", "value"])


WEIGHTS = st.fixed_dictionaries(
    dict(
        names=st.lists(NAMES, min_size=1, max_size=2),
        shape=st.lists(st.sampled_from([-1, 0, 1, 2, 3, 2**62]), max_size=3),
        learns=st.booleans(),
        lazy=st.booleans(),
    )
)
CONTENTS = st.fixed_dictionaries(
    dict(
        weights=st.lists(WEIGHTS | PLAIN, max_size=4) | st.lists(WEIGHTS, max_size=4),
        parts=st.dictionaries(NAMES, st.lists(st.sampled_from(TYPES), max_size=3), max_size=3),
        hides=st.booleans(),
        plain=st.booleans(),
    )
)
SEEN = CONTENTS | st.integers(0, 3) | st.dictionaries(NAMES, st.booleans()) | st.tuples(st.booleans(), st.booleans())
ERRORS = st.fixed_dictionaries(
    dict(
        type=st.sampled_from(["ValueError", "KeyboardInterrupt", "a\0b", "StopIteration"]) | THINGS,
        bases=st.lists(st.sampled_from(["ValueError", "StopIteration", "BaseException"]), max_size=2) | THINGS,
        text=st.sampled_from(["", "x" * 5000]) | THINGS,
        own=st.booleans(),
    )
)
REPLIES = dict(
    found=st.just(True) | THINGS,
    value=THINGS | SEEN,
    printed=st.just("") | THINGS,
    changed=st.dictionaries(st.integers(-1, 3), ARRAYS, max_size=2) | THINGS,
    call=st.just(1) | THINGS,
    noted=st.none() | THINGS,
    error=st.none() | st.none() | ERRORS | THINGS,
    slow=st.none() | st.booleans() | THINGS,
    gradients=st.lists(st.none() | ARRAYS, max_size=3) | THINGS,
    outputs=st.lists(THINGS, max_size=2) | THINGS,
)
CALLBACKS = st.fixed_dictionaries(
    dict(
        callback=st.integers(-1, 2) | THINGS,
        inputs=st.lists(ARRAYS | THINGS, max_size=3) | THINGS,
        options=st.dictionaries(st.sampled_from(["axis", "mask"]), THINGS, max_size=1) | THINGS,
        numerics=st.dictionaries(st.sampled_from(["over", "x"]), st.just("raise") | THINGS, max_size=2) | THINGS,
    )
)
WHOLE = st.fixed_dictionaries(REPLIES)
ANSWERS = WHOLE | WHOLE | st.fixed_dictionaries({}, optional=REPLIES) | CALLBACKS | THINGS | st.binary(max_size=30)


class Impostor:
    """The examiner's end of it, which notes that it was ended."""

    protection = "none"

    def __init__(self, socket):
        self.socket, self.killed = socket, False

    def kill(self):
        """The other end then finds nobody."""
        self.killed = True
        self.socket.shutdown(socket.SHUT_RDWR)


@contextmanager
def impostor(answer):
    """`answer(request)` gives what is sent: a value, or bytes that are no frame."""
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=_live, args=(theirs, answer))
    with ours, theirs:
        thread.start()
        worker = Impostor(ours)
        try:
            yield worker
        finally:
            ours.close()
            thread.join()


def _described(x):
    return dict(x) if isinstance(x, dict) else None


def _live(theirs, answer):
    channel = Channel(theirs, _described, lambda description: description)
    try:
        while True:
            said = answer(channel.receive())
            theirs.sendall(said) if isinstance(said, bytes) else channel.send(said)
    except (Closed, Malformed, TooLate, OSError):
        theirs.close()
