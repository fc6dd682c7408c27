"""Import once, for all workers, what a lesson may import; hide what it may not; and check that all can be copied."""

import gc
import io
import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

from ...outline import outline
from . import stripped_package, worker

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


def hide(names):
    """Make these libraries empty, because a lesson asks to write what they have ready. Importing them is no mistake.

    In a sandbox their folders are covered, too; elsewhere this is all, for people who are trusted anyway.
    """
    sys.meta_path.insert(0, Lacking(names))
    there = sorted({name.partition(".")[0] for name in sys.modules} & set(names))
    assert not there, f"a worker would have {', '.join(there)}"


class Lacking:
    """Makes empty modules for these names: what is asked for there does nothing but say so."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        library = module.__name__.partition(".")[0]
        module.__getattr__ = lambda name: absent(library, name)


class Absent(type):
    """The type of all names in such a library: classes, so that `isinstance` and annotations work."""

    def __getattr__(cls, name):
        return absent(cls._library, name)

    def __call__(cls, *_, **__):
        raise ModuleNotFoundError(f"No {cls._library} here: this lesson is written in NumPy", name=cls._library)


def absent(library, name):
    if name.startswith("_") or name == "dtype":  # protocols: NumPy asks everything whether it has one
        raise AttributeError(name)
    return Absent(name, (), {"_library": library})
