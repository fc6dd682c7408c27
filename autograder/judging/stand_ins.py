"""Put something else in the place of a learner's functions for a while, such as the reference where theirs is wrong."""

from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from functools import cache
from types import FunctionType


@contextmanager
def standing_in(instead: dict[str, Callable], variables: dict):
    """Let other functions run in the place of those that a notebook has, or lacks, under these names."""
    with ExitStack() as stack:
        for name, function in instead.items():
            stack.callback(put(function, name, variables))
        yield


def put(stand_in: Callable, name: str, variables: dict):
    """Put a function in the place of the one of that name, and return what undoes it.

    A function keeps its identity and gets other code, so that an alias or a default leads to the stand-in as well.
    """
    function = variables.get(name)
    if isinstance(function, FunctionType):
        return _exchange_code(function, stand_in)
    before = {name: function} if name in variables else {}
    variables[name] = stand_in

    def undo():
        if variables.get(name) is stand_in:
            del variables[name]
            variables.update(before)

    return undo


def _exchange_code(function, stand_in):
    before = function.__code__, function.__kwdefaults__
    function.__code__ = _code_that_calls(len(function.__code__.co_freevars))
    function.__kwdefaults__ = {"_stand_in": stand_in}

    def undo():
        function.__code__, function.__kwdefaults__ = before

    return undo


@cache
def _code_that_calls(closed_over):
    """Return code that calls `_stand_in`; Python wants it to close over as many variables as the code before."""
    names = ", ".join(f"_{number}" for number in range(closed_over))
    made = {}
    exec(_SOURCE.format(names), made)
    return made["around"](*range(closed_over)).__code__


_SOURCE = """
def around({0}):
    def call(*inputs, _stand_in, **options):
        __tracebackhide__ = True  # IPython shows the learner's lines alone
        if False: return ({0})
        return _stand_in(*inputs, **options)
    return call
"""
