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
