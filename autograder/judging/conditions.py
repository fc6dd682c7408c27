"""Under which conditions answers run: the same for all, whatever a learner's cells have set."""

import sys
import warnings
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from io import StringIO

import numpy as np

PRINT_LIMIT = 2000  # characters of an answer's printing that are kept


class FirstCharacters(StringIO):
    """Keeps the beginning of what is printed, and drops the rest."""

    def write(self, text):
        room = PRINT_LIMIT - self.tell()
        super().write(text[: max(room, 0)])
        return len(text)

    def close(self):
        """An answer may close its output; what it printed is still ours to read."""


@contextmanager
def caught_output():
    """What is printed, to either stream, goes here."""
    output = FirstCharacters()
    with redirect_stdout(output), redirect_stderr(FirstCharacters()):
        yield output


@contextmanager
def quiet():
    """No warnings: an answer is judged by what it returns."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@contextmanager
def one_thread():
    """On small tensors torch's threads only wait for each other, for seconds where the machine has more to do."""
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
    """Whatever a cell has set for all that follows."""
    torch = sys.modules.get("torch")
    return torch.enable_grad() if torch else nullcontext()


def uncompiled():
    """`torch.compile` takes longer than an answer may; what is written below it computes the same."""
    compiles = "torch._dynamo" in sys.modules
    return sys.modules["torch"].compiler.set_stance("force_eager") if compiles else nullcontext()
