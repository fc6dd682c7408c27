"""Names that Python does not find."""

import re
import sys
from difflib import get_close_matches
from importlib import import_module

from ...outline import outline

LIBRARIES = ("np", "numpy", "torch", "nn", "F", "math")


def on_a_name(error: BaseException):
    """Say where to look for a name that has no value."""
    name = _name_in(error)
    if isinstance(error, UnboundLocalError):
        return _made_later(name)
    if is_kept_in_self(error):
        return f"The layer keeps it as `self.{name}`; a method finds it only under that name."
    if name in LIBRARIES:
        return (
            f"`{name}` is the short name of a library. Has the cell that imports it run since the kernel started? "
            "In a notebook, *Run > Run All Above Selected Cell* runs it."
        )
    return "A typing mistake, or a cell that has not run since the kernel started?"


def nearest_name(said: str):
    """Suggest the name of a library that is most like one that it does not have."""
    missing = re.search(r"module '(numpy|torch|torch\.nn|math)' has no attribute '(\w+)'", said)
    if not missing:
        return ""
    library, name = missing.groups()
    near = get_close_matches(name, dir(sys.modules.get(library)), n=1, cutoff=0.8)
    return f"Did you mean `{near[0]}`?" if near else f"{library} has no function of that name; another library may."


def _made_later(name):
    if callable(getattr(import_module(outline().reference), name, None)):
        return (
            f"`{name}` is a function of the course, and your code also gives that name to a variable. Within this "
            "function Python then knows only the variable. Give the variable a name of its own."
        )
    return "This line runs before the one that makes that name. Which line makes it, and when does that one run?"


def is_kept_in_self(error: BaseException):
    """Say whether a method asked for a name that is an attribute of `self`."""
    if hasattr(error, "said_to_be_in_self"):  # it comes from another process
        return error.said_to_be_in_self
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    if last is None or not isinstance(error, NameError):
        return False
    layer = last.tb_frame.f_locals.get("self")
    return layer is not None and _name_in(error) in _attributes(layer)


def _attributes(layer):
    """Return an instance's attributes, modules and weights among them, without asking it: it may answer as it likes."""
    own = getattr(layer, "__dict__", {})
    return {*own, *own.get("_modules", ()), *own.get("_parameters", ()), *own.get("_buffers", ())}


def _name_in(error):
    """Return the name between the first quotes: an error from another process has only its words."""
    return (str(error).split("'") + [""])[1]
