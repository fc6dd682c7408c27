"""Run an answer, or a program of ours, once, under the same conditions for all.

Something else may stand in the place of a learner's functions meanwhile, such as the reference where theirs is wrong.
"""

import sys
import warnings
from collections.abc import Callable
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from inspect import Parameter
from io import StringIO
from types import FunctionType
from typing import Any, Literal

import numpy as np

from ..cases import Model
from .results import Outcome, arrays_of, outcome_of
from .source import views_of
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
    """Let torch, if it is there, keep gradients, be on the CPU, use one thread, and compile nothing, whatever is set.

    On small tensors several threads wait for each other, for seconds on a busy machine; to compile takes longer than an
    answer may.
    """
    torch = sys.modules.get("torch")
    if not torch:
        yield
        return
    threads = torch.get_num_threads()
    compiles = "torch._dynamo" in sys.modules
    with ExitStack() as stack:
        for setting in (torch.inference_mode(False), torch.enable_grad()):
            stack.enter_context(setting)
        if torch.get_default_device().type != "cpu":  # to name a device makes each small operation twice as slow
            stack.enter_context(torch.device("cpu"))
        stack.enter_context(torch.compiler.set_stance("force_eager") if compiles else nullcontext())
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


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
