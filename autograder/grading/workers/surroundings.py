"""Prepare what a worker finds around its cells: libraries, imported once for all, and of this project what was taught.

Libraries that a lesson hides are empty. Of what judges there is nothing: the judge sits in another process, and what is
not here cannot be called, read or patched.
"""

import gc
import io
import os
import sys
from functools import cache
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType

import autograder
import autograder.mine
import autograder.pictures
import autograder.play
from autograder.judging.source import codes_in, is_ours
from autograder.learner.card import Card, Mark
from autograder.learner.cell_errors import after
from autograder.outline import outline

from .shell import begun_shell

PUBLIC = ("check", "hint", "judge", "progress", "solution", "where_to_begin")
OUR_ROOMS = ("autograder.mine", "autograder.pictures", "autograder.play")
REFERENCE = outline().reference
# With what these import at their first use, for tracebacks or at an optimizer's first step: a copy would do it again.
MODULES = """
    numpy numpy.random numpy.linalg matplotlib.pyplot matplotlib.backends.backend_agg matplotlib_inline.backend_inline
    IPython.core.interactiveshell IPython.core.completer IPython.core.completerlib IPython.core.logger
    IPython.core.magics IPython.core.oinspect IPython.core.pylabtools IPython.display ipywidgets asttokens executing
    array_api_compat.numpy array_api_compat.torch torch torch.nn.functional torch._dynamo torch.utils.flop_counter
"""


def warm(without=()):
    """Make this process ready to be copied. without: libraries that no worker may have."""
    begun_shell()  # before matplotlib, which asks once where figures are drawn
    for name in (*MODULES.split(), REFERENCE):
        if not set(name.split(".")) & set(without):
            import_module(name)
    pyplot = sys.modules["matplotlib.pyplot"]
    figure, axes = pyplot.subplots()
    axes.set_title(r"$\alpha$ and words")  # matplotlib remembers how it found its fonts
    figure.savefig(io.BytesIO())
    pyplot.close(figure)
    hide(without)
    exercises = [name for name in sys.modules if name.startswith(outline().package)]
    assert not exercises, f"a worker would know {exercises}"
    threads = os.listdir("/proc/self/task")
    assert len(threads) == 1, "in a copy one thread alone lives on, and the locks of the others would stay locked"
    earlier_versions(), modules_of(REFERENCE), modules_of("autograder")  # noted before: a copy copies what it touches
    gc.collect()
    gc.freeze()  # or the first collection in a copy would touch, and so copy, all that is here


def hide(names):
    """Make these libraries empty, because a lesson asks to write what they have ready. Importing them is no mistake.

    In a sandbox their folders are covered, too; elsewhere this is all, for people who are trusted anyway.
    """
    sys.meta_path.insert(0, Lacking(names))
    there = sorted({name.partition(".")[0] for name in sys.modules} & set(names))
    assert not there, f"a worker would have {', '.join(there)}"


class Lacking(Loader):
    """Makes empty modules for these names: what is asked for there does nothing but say so."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            return ModuleSpec(name, self, is_package=True)

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


@cache
def earlier_versions():
    """Return exercise -> functions that replace the reference's until the exercise was taught."""
    modules = {name: import_module(module) for name, module in outline().worker.get("until", {}).items()}
    return {name: [x for x in vars(module).values() if isinstance(x, FunctionType)] for name, module in modules.items()}


@cache
def modules_of(package):
    return [name for name in sys.modules if name.partition(".")[0] == package]


def keep(taught):
    """Keep of the reference what was taught, by name, and what that is made of."""
    rooms = [sys.modules[name] for name in modules_of(REFERENCE)]
    earlier = [f for exercise, functions in earlier_versions().items() if exercise not in taught for f in functions]
    for room in rooms:
        vars(room).update({f.__name__: f for f in earlier if f.__name__ in vars(room)})
    kept = _made_of([vars(room)[name] for room in rooms for name in taught if name in vars(room)])
    for room in rooms:
        for name in [name for name, x in vars(room).items() if is_ours(x) and x not in kept]:
            for function in _functions_of(getattr(room, name)):  # Python keeps lists of all there is: it holds nothing
                function.__code__ = _nothing.__code__.replace(co_freevars=function.__code__.co_freevars)
            delattr(room, name)
        room.__getattr__ = _missing
    reference = sys.modules[REFERENCE]
    reference.__all__ = [name for name in reference.__all__ if name in vars(reference)]


def _nothing(*inputs, **options):  # its words are those of WITHHELD, by which `after` knows it
    raise NotImplementedError("What this lesson teaches, and what comes later, one writes oneself")


def _made_of(things):
    """Return these things, and all of ours that their code names."""
    found, queue = [], list(things)
    while queue:
        thing = queue.pop()
        if is_ours(thing) and thing not in found:
            found.append(thing)
            codes = ((f.__globals__, code) for f in _functions_of(thing) for code in codes_in(f.__code__))
            queue += [there[name] for there, code in codes for name in code.co_names if name in there]
    return found


def _functions_of(thing):
    """Return a function itself, or the methods of a class."""
    return [x for x in (vars(thing).values() if isinstance(thing, type) else [thing]) if isinstance(x, FunctionType)]


def _missing(name):
    raise AttributeError(f"There is no {name} here: what this lesson teaches, and what comes later, one writes oneself")


def silence():
    """Let checks and hints do nothing here; pictures are drawn as always."""
    for name in modules_of("autograder"):
        if name != "autograder" and not name.startswith(OUR_ROOMS):
            del sys.modules[name]
    card = Card("waiting", "○ Not here", "Checks, hints and solutions do nothing while a submission is graded.")
    here = vars(ModuleType("autograder", "Judges nothing: that is done in another process."))
    here |= dict.fromkeys(PUBLIC, lambda *answers, **named: card)
    here |= dict(check=lambda *answers, **named: Mark(0, card))  # a number, for those who add up their points
    here |= dict(mine=autograder.mine, pictures=autograder.pictures, play=autograder.play)
    here |= dict(after=after, EXERCISES={}, __path__=[], __all__=["EXERCISES", "after", *PUBLIC])
    vars(autograder).clear()
    vars(autograder).update(here)
