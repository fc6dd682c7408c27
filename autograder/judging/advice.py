"""What usually helps against an error, where NumPy, torch or Python does not say it; advice.toml has the sentences."""

import re
import sys
import tomllib
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

from ..course import installed
from ..exercise import ModuleExercise
from ..outline import outline
from .errors import error_line, is_kept_in_self, line_of, name_in

TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
IS_ASKED_FOR_ONE_ANSWER = "truth value of an array|Boolean value of Tensor"
LIBRARIES = ("np", "numpy", "torch", "nn", "F", "math")


def advice_on(error: BaseException):
    """Return a sentence or two that are true of the error, or "" if nothing says more than its own words."""
    if isinstance(error, RecursionError):
        return "It calls itself, and never reaches an end."
    if isinstance(error, NameError):
        return _on_a_name(error)
    said = error_line(error)
    if re.search(IS_ASKED_FOR_ONE_ANSWER, said) and (asking := _first(TEXTS["asking"], line_of(error))):
        return asking
    advice = _instead(said) or _first(_advice(), said)
    return f"{advice} {_two_shapes(said)}".strip() or _nearest_name(said)


@cache
def _advice():
    """Return the entries of advice, with the names of this course's layers in their patterns."""
    layers = "|".join(name for name, task in installed().exercises.items() if isinstance(task, ModuleExercise))
    return [{**entry, "when": entry["when"].replace("LAYERS", layers or "$^")} for entry in TEXTS["advice"]]


def _first(entries, text):
    """Return what the first entry says whose pattern is found in the text, or ""."""
    found = ((re.search(entry["when"], text), entry["say"]) for entry in entries)
    return next((" ".join(match.expand(say).split()) for match, say in found if match), "")


def _instead(said):
    """Name what this library has for a word that it does not know, or ""."""
    for entry in TEXTS["instead"].values():
        for word, ours in entry["words"].items():
            if re.search(entry["when"].format(word), said):
                return entry["say"].format(word, ours)
    return ""


def _on_a_name(error):
    """Say where to look for a name that has no value."""
    name = name_in(error)
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


def _made_later(name):
    """Explain a local variable that is read before it has a value."""
    if callable(getattr(import_module(outline().reference), name, None)):
        return (
            f"`{name}` is a function of the course, and your code also gives that name to a variable. Within this "
            "function Python then knows only the variable. Give the variable a name of its own."
        )
    return "This line runs before the one that makes that name. Which line makes it, and when does that one run?"


def _two_shapes(text):
    """Explain what torch means by (6x2 and 4x4)."""
    sizes = re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", text)
    if not sizes:
        return ""
    return (
        f"Here a has {sizes[2]} columns, and b has {sizes[3]} rows. "
        f"(The {sizes[1]} are all rows of a: if it has three axes or more, all but the last are multiplied together. "
        "An `nn.Linear(n, m)` is such a b, with n rows.)"
    )


def _nearest_name(said):
    """Suggest the name of a library that is most like one that it does not have."""
    missing = re.search(r"module '(numpy|torch|torch\.nn|math)' has no attribute '(\w+)'", said)
    if not missing:
        return ""
    library, name = missing.groups()
    near = get_close_matches(name, dir(sys.modules.get(library)), n=1, cutoff=0.8)
    return f"Did you mean `{near[0]}`?" if near else f"{library} has no function of that name; another library may."
