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
INSIDE = {
    "when": r"inside of `(\w+)`",
    "say": r"Compare your line with what `\1` takes and returns, and in which order.",
}
IS_ASKED_FOR_ONE_ANSWER = "truth value of an array|Boolean value of Tensor"


def advice_on(error: BaseException):
    """Return a sentence or two that are true of the error, or "" if nothing says more than its own words."""
    said = error_line(error)
    if isinstance(error, NameError) and (own := _on_a_name(error)):
        return own
    if re.search(IS_ASKED_FOR_ONE_ANSWER, said) and (asking := _first(TEXTS["asking"], line_of(error))):
        return asking
    inside = _first([INSIDE], line_of(error))
    if inside and isinstance(error, RuntimeError):  # its words are of sizes that the learner never made
        return inside
    return f"{_first(_advice(), said)} {_first(TEXTS['sizes'], said)}".strip() or _nearest_name(said) or inside


@cache
def _advice():
    """Return what to say instead of each word, then the advice, with this course's layers in its patterns."""
    words = [(kind, *pair) for kind in TEXTS["instead"].values() for pair in kind["words"].items()]
    instead = [{"when": kind["when"].format(word), "say": kind["say"].format(word, ours)} for kind, word, ours in words]
    layers = "|".join(name for name, task in installed().exercises.items() if isinstance(task, ModuleExercise))
    return instead + [entry | {"when": entry["when"].replace("LAYERS", layers or "$^")} for entry in TEXTS["advice"]]


def _first(entries, text):
    """Return what the first entry says whose pattern is found in the text, or ""."""
    found = ((re.search(entry["when"], text), entry["say"]) for entry in entries)
    return next((" ".join(match.expand(say).split()) for match, say in found if match), "")


def _on_a_name(error):
    """Say what has the name that has no value here: a function of the course, or the layer; "" if neither has it."""
    name = name_in(error)
    if not isinstance(error, UnboundLocalError):
        is_kept = is_kept_in_self(error)
        return f"The layer keeps it as `self.{name}`; a method finds it only under that name." if is_kept else ""
    if not callable(getattr(import_module(outline().reference), name, None)):
        return ""
    return (
        f"`{name}` is a function of the course, and your code also gives that name to a variable. Within this "
        "function Python then knows only the variable. Give the variable a name of its own."
    )


def _nearest_name(said):
    """Suggest the name of a library that is most like one that it does not have."""
    missing = re.search(r"module '(numpy|torch|torch\.nn|math)' has no attribute '(\w+)'", said)
    if not missing:
        return ""
    library, name = missing.groups()
    near = get_close_matches(name, dir(sys.modules.get(library)), n=1, cutoff=0.8)
    return f"Did you mean `{near[0]}`?" if near else f"{library} has no function of that name; another library may."
