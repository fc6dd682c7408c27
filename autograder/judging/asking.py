"""Run an answer, or a program of ours, once, under the same conditions for all, and keep what comes out."""

import sys
import warnings
from collections.abc import Callable
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import replace
from inspect import Parameter
from io import StringIO
from typing import Literal

import numpy as np

from .memory import views_of
from .outcome import Outcome, outcome_of
from .time_limits import TooSlow
from .values import arrays_of, send

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
    views = (), ()

    def run():
        nonlocal views
        result = answer(*positional, **optional)
        views = views_of(answer, result, sent.values())
        return result

    with quiet(), caught_output() as output:  # quiet anew: an answer may turn NumPy's warnings into errors
        outcome = observe(run, {})
    after = {n: arrays_of(sent[n]) for n, x in inputs.items() if isinstance(x, (np.ndarray, dict))}
    changed = {n: x for n, x in after.items() if _differs(x, inputs[n])}
    return replace(outcome, changed=changed, printed=output.getvalue(), views=views[0], shared=views[1])


def required(parameters: dict):
    """Return the names of the parameters without a default, which are given by position."""
    return [name for name, default in parameters.items() if default is Parameter.empty]


def _differs(sent, x):
    if isinstance(x, dict):
        return sent.keys() != x.keys() or any(_differs(sent[name], x[name]) for name in x)
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
def one_thread():
    """Let torch use one thread: on small tensors, several wait for each other, for seconds on a busy machine."""
    torch = sys.modules.get("torch")
    threads = torch and torch.get_num_threads()
    if torch:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        if torch:
            torch.set_num_threads(threads)


def with_gradients():
    """Enable gradients, whatever a cell has set for all that follows."""
    torch = sys.modules.get("torch")
    return torch.enable_grad() if torch else nullcontext()


def uncompiled():
    """Run compiled functions as they are written: `torch.compile` takes longer than an answer may."""
    compiles = "torch._dynamo" in sys.modules
    return sys.modules["torch"].compiler.set_stance("force_eager") if compiles else nullcontext()
