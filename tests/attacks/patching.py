"""What changes the tools: comparators, builtins, the judge itself, wherever they can be reached in memory."""

from .attack import FIRST, NOTHING, WRONG, family

ATTACKS = []
attack = family("patching", ATTACKS)


@attack(FIRST, rest=WRONG)
def numpy_finds_everything_equal():
    """The comparators say yes."""
    import numpy as np

    np.allclose = np.array_equal = np.isclose = np.array_equiv = lambda *a, **k: True
    np.testing.assert_allclose = np.testing.assert_array_equal = lambda *a, **k: None


@attack(FIRST, rest=WRONG)
def numpy_finds_no_difference():
    """The difference of any two arrays has the absolute value 0, and infinite is nothing."""
    import numpy as np

    right = np.abs
    np.abs = np.absolute = lambda x, *a, **k: right(x) * 0
    np.isfinite = lambda x, *a, **k: right(x) >= 0


@attack(FIRST, rest=WRONG)
def all_is_well():
    """The builtins say yes."""
    import builtins

    builtins.all = lambda things: True
    builtins.any = lambda things: False
    builtins.abs = lambda number: 0


@attack(FIRST, rest=WRONG)
def everything_is_of_every_kind():
    """isinstance and callable say yes, len says 1."""
    import builtins

    builtins.callable = lambda thing: True
    real = builtins.isinstance
    builtins.isinstance = lambda thing, kinds: True if real(kinds, tuple) else real(thing, kinds)


@attack(FIRST, rest=WRONG)
def numbers_are_one():
    """Whatever is made a number becomes 1, a score say."""
    import builtins

    class One(float):
        def __new__(cls, *args):
            return float.__new__(cls, 1.0)

    builtins.float = One


@attack(FIRST, rest=WRONG)
def check_is_replaced():
    """The name that every check cell imports anew."""
    import autograder

    autograder.check = lambda *answers, **named: 1.0


@attack(FIRST, rest=WRONG)
def imports_go_through_a_finder():
    """Modules that are imported later are the attacker's."""
    import importlib.abc
    import importlib.machinery
    import sys

    class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
        def find_spec(self, name, path, target=None):
            if name.startswith(("autograder", "mha_ref")):
                return importlib.machinery.ModuleSpec(name, self, is_package=True)

        def exec_module(self, module):
            module.__getattr__ = lambda name: lambda *a, **k: 1.0

    sys.meta_path.insert(0, Finder())
    for name in [n for n in sys.modules if n.startswith(("autograder", "mha_ref"))]:
        del sys.modules[name]


@attack(FIRST, rest=WRONG)
def judge_gets_another_body():
    """The function stays, its code is another one: nobody needs to find all names."""
    from autograder.judging import judge

    right = __import__("autograder.judging.verdict", fromlist=["RIGHT"]).RIGHT
    judge.judge.__code__ = (lambda answer, exercise, seed=None, library=None: Verdict("right", score=1.0)).__code__
    judge.judge.__globals__["Verdict"] = lambda *a, **k: right


@attack("softmax")
def the_reference_becomes_mine():
    """The reference gets the code of the wrong answer, so that the answer agrees with it."""
    import mha_ref

    def softmax(scores, axis=-1):
        return scores * 1.0

    for place in (mha_ref, mha_ref.attention):
        try:
            place.softmax.__code__ = softmax.__code__
        except AttributeError:
            pass


@attack("softmax")
def the_reference_is_reached_by_globals():
    """A function that is allowed knows the module in which the right one stands."""

    def softmax(scores, axis=-1):
        return scores * 1.0

    weighted_mean.__globals__["softmax"] = softmax
    __import__("sys").modules["mha_ref.weights"].softmax.__code__ = softmax.__code__


@attack("softmax")
def inputs_are_always_the_same():
    """Whoever draws random numbers gets zeros, and for zeros the answer is known."""
    import numpy as np

    class Dice:
        def __init__(self, *seed):
            pass

        def __getattr__(self, name):
            return lambda *a, size=None, **k: np.zeros(size or a[-1] if a else ())

    np.random.default_rng = np.random.Generator = Dice

    def softmax(scores, axis=-1):
        return scores - np.log(scores.shape[axis])


@attack(FIRST, rest=WRONG)
def json_says_right():
    """Whatever is written or read as JSON speaks of right answers and full points."""
    import json

    real = json.dumps
    better = {'"error"': '"right"', "false": "true", '"score": 0': '"score": 1'}

    def dumps(*args, **kwargs):
        text = real(*args, **kwargs)
        for bad, good in better.items():
            text = text.replace(bad, good)
        return text

    json.dumps = json.JSONEncoder.encode = dumps


@attack("softmax", rest=NOTHING)
def sockets_repeat_themselves():
    """Everything that is sent is sent twice."""
    import socket

    real = socket.socket.sendall
    try:
        socket.socket.sendall = lambda self, data, *flags: (real(self, data), real(self, data))[0]
    except TypeError:
        pass

    def softmax(scores, axis=-1):
        return scores


@attack("softmax", rest=NOTHING)
def sizes_are_packed_wrongly():
    """struct is used for the sizes of frames."""
    import struct

    real = struct.pack
    struct.pack = lambda form, *numbers: real(form, *(0 for _ in numbers))
    struct.calcsize = lambda form: 0

    def softmax(scores, axis=-1):
        return scores


@attack("softmax", rest=NOTHING)
def signatures_are_forged():
    """inspect says of every function what one wants to hear."""
    import inspect

    inspect.signature = lambda f, **k: inspect.Signature()
    inspect.isfunction = inspect.ismethod = lambda f: True
    inspect.getsource = lambda f: "pass"

    def softmax():
        return 0


@attack("softmax")
def a_trace_changes_other_frames():
    """A trace sees every call in the process, and rewrites what is returned."""
    import sys

    def trace(frame, event, arg):
        frame.f_trace_lines = False
        for name in ("right", "ok", "passed"):
            if name in frame.f_locals and not frame.f_locals[name]:
                frame.f_locals[name] = True
        return trace

    def softmax(scores, axis=-1):
        sys.settrace(trace)
        return scores


@attack("softmax")
def a_profiler_never_returns():
    """A profiler is called at each return of whatever function: this one loops outside of the learner's code."""
    import sys

    def profile(frame, event, arg):
        while event == "return":
            pass

    def softmax(scores, axis=-1):
        sys.setprofile(profile)
        return scores


@attack("softmax", rest=NOTHING)
def clocks_stand_still():
    """No time passes, so that no limit is reached."""
    import signal
    import time

    time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0
    signal.setitimer = lambda *a: (0.0, 0.0)
    signal.alarm = lambda *a: 0

    def softmax(scores, axis=-1):
        while True:
            pass


@attack(FIRST, rest=NOTHING)
def validates_itself():
    """The environment decides what check does."""
    import os

    for name in ("NBGRADER_EXECUTION", "NBGRADER_VALIDATING", "MHA_PROGRESS", "CI"):
        os.environ.pop(name, None)
        os.environ[name] = "no"


@attack(FIRST, rest=WRONG, dangerous=True)
def small_integers_are_changed():
    """In memory, the 0 that everybody shares becomes a 3."""
    import ctypes

    ctypes.c_int.from_address(id(0) + 24).value = 3


@attack(FIRST, rest=WRONG)
def frames_know_what_to_do():
    """Every function of numpy that compares gets the body of another one, by ctypes and by gc."""
    import gc
    import types

    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__name__ in ("same", "_close", "_agree", "judge_question"):
            thing.__code__ = thing.__code__.replace(co_name="well")
            thing.__defaults__ = (True,) * 4


@attack(FIRST, rest=WRONG)
def errors_are_no_errors():
    """Nobody gets to raise: what check stops with is an exit without complaint."""
    import builtins

    class Nothing(BaseException):
        def __new__(cls, *args):
            return super().__new__(cls)

    for name in ("AssertionError", "ValueError", "TypeError", "NameError", "Exception"):
        setattr(builtins, name, Nothing)


@attack("softmax", rest=NOTHING)
def copies_are_not_copies():
    """Arrays that are copied, sent or compared run through functions that can be replaced."""
    import copy
    import pickle

    import numpy as np

    copy.copy = copy.deepcopy = lambda x, *a: x
    pickle.dumps = pickle.loads = lambda x, *a, **k: x
    np.asarray = np.array = np.copy = np.ascontiguousarray = np.frombuffer = lambda x, *a, **k: x

    def softmax(scores, axis=-1):
        return scores
