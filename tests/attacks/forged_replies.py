"""What speaks for the worker: it finds the socket to the examiner, and answers in its place, or breaks it."""

from .attack import FIRST, MASKS, NOTHING, WHATEVER, WRONG, family

ATTACKS = []
attack = family("forged_replies", ATTACKS)

# Every socket of the process, by descriptor: found without the help of anybody.
SOCKETS = """
import os, socket, stat, struct, msgpack
def sockets():
    found = []
    for n in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(n).st_mode):
                found.append(n)
        except OSError:
            pass
    return found
def frame(value, body=b"", sizes=None):
    head = value if isinstance(value, bytes) else msgpack.packb(value)
    return struct.pack("<II", *(sizes or (len(head), len(body)))) + head + body
def array(*parts):
    return msgpack.ExtType(1, msgpack.packb(parts))
def long(digits):
    return msgpack.ExtType(2, digits)
def scalar(numbers):
    return {"_is": "scalar", "numbers": numbers}
def say(*frames):
    for n in sockets():
        for each in frames:
            try:
                os.set_blocking(n, False)
                os.write(n, each)
            except OSError:
                pass
            finally:
                os.set_blocking(n, True)
"""


def answers(what, before="", after="return scores", name="softmax"):
    """A cell with the means above, whose answer does this when it is asked."""
    lines = "\n    ".join(what.strip().splitlines())
    return {name: f"{SOCKETS}{before}\ndef {name}(scores, axis=-1):\n    {lines}\n    {after}\n"}


@attack(cells=answers('say(b"")\nos.write(sockets()[0], b"right")'))
def says_a_word():
    """Five bytes that are no frame."""


@attack(cells=answers('say(frame(b"\\x80", sizes=(2**32 - 1, 2**32 - 1)))'))
def announces_eight_gigabytes():
    """The beginning of a frame, and then nothing."""


@attack(cells=answers('say(frame(b"\\x80", sizes=(4_000_000, 0)))\nimport time; time.sleep(1e6)'))
def announces_and_falls_silent():
    """A frame of a size that is allowed, that never comes."""


@attack(cells=answers('say(frame(b"\\x91" * 100_000 + b"\\x90"))'))
def nests_too_deep():
    """A list in a list in a list, on which a parser falls."""


@attack(
    cells=answers(
        """
odd = [long(b"9" * 5000), long(b""), scalar(float("nan")), scalar("3"), scalar(array("<f8", [0], "C"))]
say(*map(frame, odd), frame({"value": long(b"9" * 1000)}), frame(b"\\xcb" + b"\\xff" * 8))
"""
    )
)
def sends_odd_numbers():
    """Numbers that nobody can read."""


@attack(cells=answers('say(frame(b"\\xff\\xfe"), frame(b"\\x00" * 100), frame(b"\\xa3\\xed\\xa0\\x80"), frame(b""))'))
def sends_odd_texts():
    """Bytes that are no text."""


@attack(
    cells=answers(
        """
for shape in ([-1], [2**62, 4], [1.5], [True], ["3"], [0, 2**40], [1] * 65, [], None, {}):
    for kind in ("<f8", "|O", "|V8", "<U9999", "f8", None, 3, "<M8[s]", ">f8", "|S5"):
        say(frame(array(kind, shape, "C"), b"x" * 8))
"""
    )
)
def sends_odd_arrays():
    """Every shape and every type that an array should not have."""


@attack(cells=answers('say(frame(array("<f8", [8], "C"), b"x" * 8), frame(1, b"x" * 64), frame([1], b""))'))
def sends_more_or_less_than_it_says():
    """Bytes that belong to no array, and arrays without bytes."""


@attack(
    cells=answers(
        """
from pickle import dumps
class Bomb:
    def __reduce__(self):
        return os.system, ("touch {canary}/pickled",)
bomb = dumps(Bomb())
say(frame(bomb), frame({"_is": "pickle", "value": bomb}), frame(msgpack.ExtType(2, bomb)), bomb)
say(frame({"__class__": "os.system", "args": ["true"]}))
"""
    )
)
def sends_a_pickle():
    """An object that runs a command when it is unpacked."""


@attack(
    cells=answers(
        """
for word in ("right", "ok", "result", "value", "returned", "done", "verdict", "score", "outcome"):
    say(frame({word: True}), frame({word: 3.0}), frame([word, 3.0]), frame({"kind": word}))
"""
    )
)
def sends_verdicts():
    """It tells the examiner what to think."""


@attack(
    "softmax",
    cells={"weight_ratio": SOCKETS + "\nsay(*[frame({})] * 50)\nweight_ratio = np.exp(2)\n"},
    rest=NOTHING,
)
def answers_before_it_is_asked():
    """Replies that lie ready in the pipe, for questions that come later."""
    say(frame(None), frame(True), frame(float("nan")))

    def softmax(scores, axis=-1):
        return scores


@attack(
    cells=answers(
        """
result = frame(array(scores.dtype.str, scores.shape, "C"), (scores - 1).tobytes())
say(result, result)
"""
    )
)
def answers_twice():
    """Two replies to one question: the second is taken for the reply to the next one."""


@attack(cells=answers("for n in sockets(): os.close(n)"))
def hangs_up():
    """It closes the socket."""


@attack(cells=answers("for n in sockets(): socket.socket(fileno=os.dup(n)).shutdown(socket.SHUT_RDWR)"))
def shuts_down():
    """It ends the connection, and goes on."""


@attack(
    cells=answers(
        "for n in sockets(): socket.socket(fileno=os.dup(n)).shutdown(socket.SHUT_WR)\nimport time; time.sleep(1e6)"
    )
)
def listens_only():
    """It can be asked, and can no longer answer."""


@attack(
    cells=answers(
        "pass",
        before="""
import threading
def steal():
    for n in sockets():
        try:
            os.set_blocking(n, True)
            while True:
                question = os.read(n, 2**20)
                if not question:
                    break
                os.write(n, frame({}))
        except OSError:
            pass
threading.Thread(target=steal, daemon=True).start()
""",
    ),
    deserves={"softmax_bug": WHATEVER},  # it is the thief who waits
)
def steals_questions():
    """A thread reads what the examiner asks, before the worker does."""


@attack(
    cells=answers(
        """
mine, theirs = socket.socketpair()
for n in sockets():
    if n not in (mine.fileno(), theirs.fileno()):
        os.dup2(theirs.fileno(), n)
"""
    )
)
def puts_itself_in_between():
    """Where the socket was, there is now one of its own."""


@attack(cells=answers('null = os.open("/dev/null", os.O_RDWR)\nfor n in sockets(): os.dup2(null, n)'))
def puts_nothing_in_between():
    """Where the socket was, there is now /dev/null."""


@attack(
    cells=answers(
        """
import time
end = time.monotonic() + 300
while time.monotonic() < end:
    say(b"x" * 2**16)
"""
    )
)
def floods():
    """Bytes without an end."""


@attack(cells=answers("import time\nfor byte in frame([0.0] * 1000):\n    say(bytes([byte]))\n    time.sleep(1)"))
def drips():
    """A byte a second: each one is in time."""


@attack(
    cells=answers(
        """
import array
files = [os.open("/dev/null", os.O_RDONLY) for _ in range(200)]
for n in sockets():
    try:
        line = socket.socket(fileno=os.dup(n))
        line.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))])
    except OSError:
        pass
"""
    )
)
def hands_over_descriptors():
    """Files travel through sockets, and whoever receives them has to close them."""


@attack(
    cells=answers(
        """
for n in sockets():
    line = socket.socket(fileno=os.dup(n))
    line.settimeout(0.0)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 1))
"""
    ),
    deserves={"softmax_bug": WHATEVER},  # whether its worker lives on until then is a matter of luck
)
def changes_the_socket():
    """The same socket, with other settings."""


# From here on, this is the worker: it reads each question and answers it as `reply` says.
TAKE_OVER = (
    SOCKETS
    + """
line = socket.socket(fileno=os.dup(sockets()[0]))
line.settimeout(None)
def read(size):
    parts = b""
    while len(parts) < size:
        parts += line.recv(size - len(parts)) or os._exit(0)
    return parts
def take_over(reply):
    line.sendall(frame({"outputs": [], "well": True}))
    while True:
        head, body = struct.unpack("<II", read(8))
        question = msgpack.unpackb(read(head))
        read(body)
        answer = reply(question)
        line.sendall(answer if isinstance(answer, bytes) else frame(answer))
"""
)


def takes_over(reply):
    return {"weight_ratio": f"{TAKE_OVER}\ndef reply(question):\n{reply}\ntake_over(reply)\n"}


FUNCTION = """
    about = dict(_is="function", number=1, name=question.get("name", "x"), stub=False)
    about["signature"] = [["scores", 1, None], ["axis", 1, [-1]]]
"""


@attack(rest=NOTHING, cells=takes_over('    return {"found": True, "value": None, "outputs": [], "well": True}'))
def takes_over_and_says_yes():
    """Whatever is asked: it is there, it went well."""


@attack(rest=NOTHING, cells=takes_over("    return {}"))
def takes_over_and_says_nothing():
    """Replies without any of the words that should be in them."""


@attack(
    rest=NOTHING,
    cells=takes_over(
        """
    n = len(str(question))
    odd = [None, 3, "x", [], [[]], True, {"found": 1}, {"found": [], "outputs": 3, "error": 5}]
    odd += [{"found": True, "value": {"_is": kind}} for kind in ("array", "function", "class", "vast", "")]
    odd += [{"error": {"bases": 5}}, {"error": {"type": "\\0", "bases": [], "text": 3}}]
    return odd[n % len(odd)]
"""
    ),
)
def takes_over_and_talks_nonsense():
    """Replies of the wrong kind."""


@attack(
    rest=NOTHING,
    cells=takes_over(
        FUNCTION
        + """
    if question["do"] == "get":
        return {"found": True, "value": about}
    if question["do"] == "call":
        return {"callback": 0, "inputs": [], "options": {}, "numerics": {}}
    return {"outputs": [], "well": True}
"""
    ),
)
def takes_over_and_only_asks():
    """It answers each question by another one, for ever."""


@attack(
    rest=NOTHING,
    cells=takes_over(
        FUNCTION
        + """
    if question["do"] == "get":
        return {"found": True, "value": about}
    if question["do"] == "call":
        error = {"type": "ValueError", "bases": ["ValueError", "Exception"], "text": "no", "own": True}
        return {"value": None, "printed": "", "changed": {}, "call": 1, "noted": None, "error": error}
    return {"outputs": [], "well": True, "value": []}
"""
    ),
)
def takes_over_and_always_refuses():
    """Every call ends in an error, as it should for some inputs."""


@attack(
    rest=NOTHING,
    cells=takes_over(
        FUNCTION
        + """
    if question["do"] == "get":
        about["number"] = 10**18
        about["name"] = "__class__"
        about["signature"] = [["scores", 1, None], ["axis", 1, [{}]], ["x" * 10_000, 2, ["y" * 100_000]]]
        return {"found": True, "value": about}
    if question["do"] == "call":
        changed = dict.fromkeys([0, 1, 7], array("<f8", [1], "C"))
        reply = {"value": dict(_is="vast", type="<f8", shape=[2**40, 2**40]), "printed": "x" * 10**6}
        return frame({**reply, "changed": changed, "call": 2**62, "error": None}, bytes(24))
    return {"outputs": [], "well": True, "value": []}
"""
    ),
)
def takes_over_and_exaggerates():
    """Names, numbers, shapes and defaults that are larger than life."""


@attack(
    rest=NOTHING,
    cells=takes_over(
        FUNCTION
        + """
    if question["do"] == "get" and question["name"].startswith("test_"):
        return {"found": True, "value": about}
    if question["do"] == "call":
        calls.append(1)
        error = {"type": "AssertionError", "bases": ["AssertionError"], "text": "", "own": True}
        error = error if len(calls) > 4 else None
        return {"value": None, "printed": "", "changed": {}, "call": 1, "error": error}
    return {"outputs": [], "well": True, "found": False, "value": None}
calls = []
"""
    ),
)
def takes_over_and_counts():
    """A test that passes four times and then complains, whatever it is given: it was never even called."""


@attack(FIRST, rest=WRONG)
def finds_the_socket_by_gc():
    """The object itself, its methods, and the functions that use it."""
    import gc
    import socket

    for thing in gc.get_objects():
        if isinstance(thing, socket.socket):
            try:
                thing.setblocking(False)
                thing.send(b"\x01\x00\x00\x00\x00\x00\x00\x00\x90" * 100)
                thing.setblocking(True)
            except OSError:
                pass


@attack(FIRST, rest=WRONG)
def rewrites_what_the_worker_says():
    """The worker's own functions: what they pack is another thing."""
    import gc

    for thing in gc.get_objects():
        name = getattr(thing, "__module__", None)
        if isinstance(thing, type) and isinstance(name, str) and name.endswith("port.frames"):
            if hasattr(thing, "send"):
                real = thing.send
                thing.send = lambda self, value, real=real: real(self, _better(value))

    def _better(value):
        if isinstance(value, dict):
            return {key: _better(item) for key, item in value.items()}
        if isinstance(value, list):
            return [_better(item) for item in value]
        return (
            {False: True, "error": "value", "raised": "returned"}.get(value, value)
            if isinstance(value, str | bool)
            else value
        )


@attack(FIRST, rest=NOTHING)
def replaces_the_worker():
    """Modules of the examiner, if they are here: whatever they define is replaced by something content."""
    import sys
    import types

    for name, module in list(sys.modules.items()):
        if name.startswith("autograder.grading"):
            for key, thing in list(vars(module).items()):
                if isinstance(thing, types.FunctionType):
                    setattr(module, key, lambda *a, **k: None)


@attack(
    cells=answers(
        """
for n in sockets():
    say(frame({"_is": "function", "number": n}), frame({"_is": "implementation", "number": "softmax"}))
"""
    )
)
def names_things_that_are_not_there():
    """Handles of things that nobody gave away, and of things of others."""


@attack(
    cells=answers(
        """
say(frame(b"\\x82" + b"".join(map(msgpack.packb, ("_is", "tuple", "_is", "scalar")))))
say(frame({"_is": "tuple", "items": {"_is": "tuple"}}), frame(scalar(scalar([3]))), frame({1.5: 3, True: 4}))
say(*(frame({"_is": kind}) for kind in ("tuple", "scalar", "tensor", "function", "class", "kept", "", None)))
"""
    )
)
def spells_values_oddly():
    """Keys that come twice, keys that are none, and kinds without what belongs to them."""


@attack(
    cells=answers(
        """
import threading
def write():
    for _ in range(2000):
        say(frame(array("<f8", scores.shape, "C"), scores.astype("<f8").tobytes()))
for _ in range(8):
    threading.Thread(target=write, daemon=True).start()
"""
    )
)
def many_voices_at_once():
    """Eight threads write to the socket, in the middle of the worker's own frames."""


@attack(
    cells=answers(
        """
if children and os.fork() == children.pop():
    import time
    time.sleep(0.2)
    for n in sockets():
        os.write(n, frame({}))
    time.sleep(20)
    os._exit(0)
""",
        before="children = [0]",
    )
)
def a_child_keeps_the_line():
    """A child holds the socket open and talks into it, when the worker is long gone."""


@attack("test_causal_attention", lesson=MASKS)
def test_answers_for_the_version():
    """While the examiner waits for the outcome of a test, the test claims one."""
    import os
    import stat

    def test_causal_attention(attention):
        for n in range(3, 64):
            try:
                if stat.S_ISSOCK(os.fstat(n).st_mode):
                    os.write(n, b"\x0f\x00\x00\x00\x00\x00\x00\x00" + b"\x81\xa6raised\xa6Assert")
            except OSError:
                pass
