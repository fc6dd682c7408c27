"""What a lesson may import, imported once for all workers; and what a process must be to be copied."""

import gc
import os
import sys
from importlib import import_module

# With what these import at their first use: a copy would have to do that again each time.
MODULES = (
    "numpy",
    "numpy.random",
    "numpy.linalg",
    "matplotlib.pyplot",
    "matplotlib.backends.backend_agg",
    "matplotlib_inline.backend_inline",
    "IPython.core.interactiveshell",
    "IPython.core.completer",
    "IPython.core.pylabtools",
    "IPython.display",
    "torch",
    "torch.nn.functional",
    "torch._dynamo",  # an optimizer's first step imports it, a second long
    "torch.utils.flop_counter",
    "mha_ref",
    "autograder.grading.worker",
)


def warm():
    for name in MODULES:
        import_module(name)
    import torch

    from . import worker

    torch.set_num_threads(1)
    worker.warm()
    assert_forkable()
    gc.collect()
    gc.freeze()  # or the first collection in a copy would touch, and so copy, all that is here


def assert_forkable():
    """Only one thread lives on in a copy; the others' locks would stay locked for ever."""
    threads = os.listdir("/proc/self/task")
    assert len(threads) == 1, f"{len(threads)} threads: a copy of this process would hang"
    exercises = [name for name in sys.modules if name.startswith("autograder.exercises")]
    assert not exercises, f"a worker would know {exercises}"
