"""What earlier lessons taught, for later ones: the learner's own version where it is right, else the course's.

A lesson imports from here whatever an exercise of an earlier one is called.
"""

import os
import sys
from functools import wraps
from importlib import import_module
from inspect import isfunction, signature

from .outline import outline

ELSEWHERE = "In your own notebook, this writes a program."


def __getattr__(name):
    """Return a function or class of this name."""
    if name.startswith("__"):
        raise AttributeError(name)
    if _is_graded():
        return ours(name)
    from .learner.own_parts import part  # here: a worker, which runs what learners wrote, must not hold the exercises

    return part(name)


def _is_graded():
    """Say whether nbgrader runs this: then it is always the course's version."""
    return bool(os.environ.get("NBGRADER_EXECUTION") or os.environ.get("NBGRADER_VALIDATING"))


def ours(name):
    """Return the course's version; in a lesson in torch, what it makes of sizes alone is a tensor."""
    homes = map(import_module, filter(None, (outline().reference, outline().layers)))
    thing = next((getattr(home, name) for home in homes if hasattr(home, name)), None)
    if thing is None:
        raise AttributeError(f"no lesson teaches {name!r}")
    asks = isfunction(thing) and "torch" in sys.modules and "like" in signature(thing).parameters
    return _in_tensors(thing) if asks else thing


def _in_tensors(function):
    import torch  # here: lessons in NumPy do not wait for it

    @wraps(function)
    def in_tensors(*inputs, **options):
        sizes_alone = not any(isinstance(given, torch.Tensor) for given in (*inputs, *options.values()))
        return function(*inputs, **({"like": torch.empty(0)} if sizes_alone else {}), **options)

    return in_tensors


def use_ours(on: bool = True):
    """Let lessons use the course's versions, whatever is in `mine.py`; `use_ours(False)` goes back to one's own."""
    if not _is_graded():
        from .learner import journal

        journal.choose_ours(on)


def export():
    """Write what you wrote in the course as programs beside your lessons, and say what in them is yours."""
    if _is_graded():
        return ELSEWHERE
    from .learner import journal
    from .learner.export import export

    return "\n".join(export()) if journal.may_write() else ELSEWHERE
