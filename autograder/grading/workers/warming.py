"""Import once, for all workers, what a lesson may import; and check that the process can be copied."""

import gc
import io
import os
import sys
from importlib import import_module

from ...outline import outline
from . import stripped_package, worker
from .lacking import hide

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
    "IPython.core.completerlib",
    "IPython.core.logger",
    "IPython.core.magics",
    "IPython.core.oinspect",
    "IPython.core.pylabtools",
    "IPython.display",
    "asttokens",  # these two for tracebacks
    "executing",
    "ipywidgets",
    "array_api_compat.numpy",
    "array_api_compat.torch",
    "torch",
    "torch.nn.functional",
    "torch._dynamo",  # an optimizer's first step imports it, a second long
    "torch.utils.flop_counter",
)


def warm(lacks=()):
    """Make this process ready to be copied. lacks: libraries that no worker may have."""
    for name in (*MODULES, outline().reference):
        if not set(name.split(".")) & set(lacks):
            import_module(name)
    worker.warm()
    draw()
    hide(lacks)
    assert_forkable()
    stripped_package.take_stock()
    gc.collect()
    gc.freeze()  # or the first collection in a copy would touch, and so copy, all that is here


def draw():
    """Draw a picture with words and signs: matplotlib remembers how it found its fonts."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    axes.set_title(r"$\alpha$ and words")
    figure.savefig(io.BytesIO())
    pyplot.close(figure)


def assert_forkable():
    """Make sure that a copy can run: only one thread lives on in it, and the others' locks would stay locked."""
    threads = os.listdir("/proc/self/task")
    assert len(threads) == 1, f"{len(threads)} threads: a copy of this process would hang"
    exercises = [name for name in sys.modules if name.startswith(outline().package)]
    assert not exercises, f"a worker would know {exercises}"
