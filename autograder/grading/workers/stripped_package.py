"""The part of this project that a worker has: what earlier lessons taught, pictures, and nothing that judges.

The judge sits in another process; what is not here cannot be called, read or patched.
"""

import sys
from functools import cache
from importlib import import_module
from types import CodeType, FunctionType, ModuleType

import autograder
import autograder.pictures
import autograder.play
from autograder.learner.card import Card, Mark
from autograder.learner.cell_errors import after
from autograder.outline import outline

PUBLIC = ("check", "hint", "judge", "progress", "solution")
OUR_ROOMS = ("autograder.pictures", "autograder.play")
REFERENCE = outline().reference


def take_stock():
    """Look at all modules before there are copies: a copy copies what it touches."""
    earlier_versions(), modules_of(REFERENCE), modules_of("autograder")


@cache
def earlier_versions():
    """Return exercise -> functions that replace the reference's until the exercise was taught."""
    modules = {name: import_module(module) for name, module in outline().worker.get("until", {}).items()}
    return {name: [x for x in vars(module).values() if isinstance(x, FunctionType)] for name, module in modules.items()}


@cache
def modules_of(package):
    """Return the names of all modules of a package that have been imported."""
    return [name for name in sys.modules if name.partition(".")[0] == package]


def keep(taught):
    """Keep of the reference what was taught, by name, and what that is made of."""
    rooms = [sys.modules[name] for name in modules_of(REFERENCE)]
    for exercise, functions in earlier_versions().items():
        if exercise not in taught:
            _replace(functions, rooms)
    kept = _made_of([vars(room)[name] for room in rooms for name in taught if name in vars(room)])
    for room in rooms:
        for name in [name for name, x in vars(room).items() if _is_ours(x) and x not in kept]:
            _hollow(getattr(room, name))
            delattr(room, name)
        room.__getattr__ = _missing
    reference = sys.modules[REFERENCE]
    reference.__all__ = [name for name in reference.__all__ if name in vars(reference)]


def _hollow(thing):
    """Empty a function or class: Python keeps lists of all there is, and what is found there must hold nothing."""
    for function in _functions_of(thing):
        function.__code__ = _nothing.__code__.replace(co_freevars=function.__code__.co_freevars)


def _nothing(*inputs, **options):
    raise NotImplementedError("What this lesson teaches, and what comes later, one writes oneself")


def _replace(functions, rooms):
    for room in rooms:
        vars(room).update({f.__name__: f for f in functions if f.__name__ in vars(room)})


def _made_of(things):
    """Return these things, and all of ours that their code names."""
    found, queue = [], list(things)
    while queue:
        thing = queue.pop()
        if _is_ours(thing) and thing not in found:
            found.append(thing)
            queue += _named_in(thing)
    return found


def _named_in(thing):
    functions = _functions_of(thing)
    return [f.__globals__[name] for f in functions for name in _names(f.__code__) if name in f.__globals__]


def _functions_of(thing):
    """Return a function itself, or the methods of a class."""
    return [x for x in (vars(thing).values() if isinstance(thing, type) else [thing]) if isinstance(x, FunctionType)]


def _names(code):
    """Return all names in a function's code, also in functions inside it."""
    inside = [name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names(constant)]
    return [*code.co_names, *inside]


def _is_ours(x):
    return isinstance(x, (FunctionType, type)) and str(x.__module__).startswith(REFERENCE)


def _missing(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"There is no {name} here: what this lesson teaches, and what comes later, one writes oneself")


def silence():
    """Let checks and hints do nothing here; pictures are drawn as always."""
    for name in modules_of("autograder"):
        if name != "autograder" and not name.startswith(OUR_ROOMS):
            del sys.modules[name]
    vars(autograder).clear()
    vars(autograder).update(vars(_inert()))


def _inert():
    module = ModuleType("autograder", "Judges nothing: that is done in another process.")
    card = Card("waiting", "○ Not here", "Checks, hints and solutions do nothing while a submission is graded.")
    for name in PUBLIC:
        setattr(module, name, lambda *answers, **named: card)
    module.check = lambda *answers, **named: Mark(0, card)  # a number, for those who add up their points
    module.after, module.EXERCISES = after, {}
    module.pictures, module.play = sys.modules["autograder.pictures"], sys.modules["autograder.play"]
    module.__path__, module.__all__ = [], ["EXERCISES", "after", *PUBLIC]
    return module
