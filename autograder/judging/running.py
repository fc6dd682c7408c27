"""Run an answer, or a program of ours, once, under the same conditions for all, and keep what comes out."""

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from copy import copy
from dataclasses import replace
from inspect import Parameter
from io import StringIO
from types import FunctionType
from typing import Any, Literal

import numpy as np

from ..cases import Model
from .results import Outcome, arrays_of, each_array, outcome_of, to_array
from .source import handle_of
from .time_limits import TooSlow


def send(inputs: dict, library: str, order: Literal["C", "F"] = "C"):
    """Return the same inputs with copies of all arrays, in this library."""

    def sent(x):
        if isinstance(x, Model):
            return x.with_tables(sent)
        if isinstance(x, dict):
            return {key: sent(entry) for key, entry in x.items()}
        if not isinstance(x, np.ndarray):
            return x
        if library == "numpy":
            return x.copy(order)
        import torch  # here, so that a NumPy lesson never waits for it

        return torch.from_numpy(x.copy(order))

    return {name: sent(x) for name, x in inputs.items()}


PRINT_LIMIT = 2000  # characters of an answer's printing that are kept


def observe(function: Callable, inputs: dict):
    """Run a reference, or a wrong version of one, on NumPy inputs."""
    try:
        return outcome_of(function(**inputs))
    except (TooSlow, KeyboardInterrupt):
        raise
    except BaseException as error:
        return Outcome(kind="error", error=error)


def ask(answer: Callable, inputs: dict, library: str, parameters: dict, order: Literal["C", "F"] = "C"):
    """Run a learner's answer on copies in the lesson's library: required inputs by position, others by keyword.

    order: that of the numbers in memory, NumPy's "C" (rows one after the other) or "F" (columns).
    """
    sent = send(inputs, library, order)
    positional = [sent[name] for name in required(parameters)]
    optional = {name: x for name, x in sent.items() if parameters[name] is not Parameter.empty}
    views = [(), ()]

    def run():
        result = answer(*positional, **optional)
        views[:] = views_of(answer, result, sent.values())
        return result

    with quiet(), caught_output() as output:  # quiet anew: an answer may turn NumPy's warnings into errors
        outcome = observe(run, {})
    after = {n: arrays_of(sent[n]) for n, x in inputs.items() if isinstance(x, (np.ndarray, dict))}
    changed = {n: x for n, x in after.items() if differs(x, inputs[n])}
    return replace(outcome, changed=changed, printed=output.getvalue(), views=views[0], shared=views[1])


def required(parameters: dict):
    """Return the names of the parameters without a default, which are given by position."""
    return [name for name, default in parameters.items() if default is Parameter.empty]


def differs(sent: Any, x: Any):
    """Say whether an array, or one in a dictionary of such, has other numbers than before."""
    if isinstance(x, dict):
        return sent.keys() != x.keys() or any(differs(sent[name], x[name]) for name in x)
    return sent.shape != x.shape or not np.array_equal(sent, x, equal_nan=x.dtype.kind == "f")


class FirstCharacters(StringIO):
    """Keeps the beginning of what is printed, and drops the rest."""

    def write(self, text):
        room = PRINT_LIMIT - self.tell()
        super().write(text[: max(room, 0)])
        return len(text)

    def close(self):
        """Keep the text when an answer closes its output."""


@contextmanager
def caught_output():
    """Catch what is printed to either stream."""
    output = FirstCharacters()
    with redirect_stdout(output), redirect_stderr(FirstCharacters()):
        yield output


@contextmanager
def quiet():
    """Silence warnings: an answer is judged by what it returns."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@contextmanager
def plain_torch():
    """Let torch, if it is there, keep gradients, use one thread and compile nothing, whatever a cell has set.

    On small tensors several threads wait for each other, for seconds on a busy machine; to compile takes longer than an
    answer may.
    """
    torch = sys.modules.get("torch")
    if not torch:
        yield
        return
    threads = torch.get_num_threads()
    compiles = "torch._dynamo" in sys.modules
    with torch.enable_grad(), torch.compiler.set_stance("force_eager") if compiles else nullcontext():
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


CONTAINERS = (dict, list, set)


def without_memory(answer: Any):
    """Return the names of what an answer may keep, in words, and the same function with all of that empty."""
    if handle_of(answer):
        return handle_of(answer).look("without_memory")
    code = getattr(answer, "__code__", None)
    if code is None:
        return "", answer
    defaults, named = answer.__defaults__ or (), answer.__kwdefaults__ or {}
    variables = {name: answer.__globals__[name] for name in code.co_names if name in answer.__globals__}
    by_default = zip(code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount], defaults)
    kept = [n for n, x in (*variables.items(), *by_default, *named.items()) if isinstance(x, CONTAINERS) and x]
    world = answer.__globals__ | {name: _emptied(x) for name, x in variables.items()}
    fresh = FunctionType(code, world, answer.__name__, tuple(map(_emptied, defaults)) or None, answer.__closure__)
    fresh.__kwdefaults__ = {name: _emptied(x) for name, x in named.items()} or None
    return " and ".join(f"`{name}`" for name in kept), fresh


def _emptied(x):
    if not isinstance(x, CONTAINERS) or not x:
        return x
    x = copy(x)
    x.clear()
    return x


def arrays_named(answer: Any):
    """Return the names of arrays of the notebook that a function's code names."""
    if handle_of(answer):
        return handle_of(answer).look("arrays_named")
    code, variables = getattr(answer, "__code__", None), getattr(answer, "__globals__", {})
    names = code.co_names if code else ()
    return [name for name in names if isinstance(to_array(variables.get(name)), np.ndarray)]


def views_of(answer: Any, result: Any, inputs: Iterable):
    """Return the names of a dictionary's entries that lie in the memory of an input, and of some in one memory."""
    if not isinstance(result, dict):
        return (), ()
    if handle_of(answer):
        return handle_of(answer).views
    given = {_memory_of(array) for x in inputs for array in each_array(x)}
    homes = {name: _memory_of(x) for name, x in result.items() if each_array(x)}
    block = next((home for home, count in Counter(homes.values()).items() if count > 1), None)
    views = tuple(name for name, home in homes.items() if home in given)
    return views, tuple(name for name, home in homes.items() if home == block)


def _memory_of(x):
    """Return where the piece of memory begins that a tensor or an array lies in: pieces of one block lie in one."""
    while isinstance(getattr(x, "base", None), np.ndarray):
        x = x.base
    tensor = x.base if isinstance(x, np.ndarray) and hasattr(x.base, "untyped_storage") else x
    return tensor.untyped_storage().data_ptr() if hasattr(tensor, "untyped_storage") else x.ctypes.data
