"""Errors that cross the wire: a type's name, what it is made from, and what it says. Nothing else of them is kept."""

from functools import lru_cache

from ...judging.own_errors import LONGEST_LINE, is_kept_in_self, is_own, line_of
from .words import LONGEST_NAME, name, text

LONGEST = 2000  # characters of what an error says
KNOWN = (
    *(UnboundLocalError, ModuleNotFoundError),
    *(NameError, TypeError, AttributeError, ImportError, RecursionError),  # which are no refusal of an input
    *(AssertionError, NotImplementedError, ZeroDivisionError, FloatingPointError, OverflowError, MemoryError),
    *(IndexError, KeyError, ValueError, RuntimeError, OSError, StopIteration, Exception),
)


def in_words(error):
    """Return an error as a dict from which `rebuilt` makes one."""
    try:
        text = str(error)[:LONGEST]
    except Exception:
        text = ""
    return dict(
        type=type(error).__name__[:LONGEST_NAME],
        bases=[part.__name__ for part in type(error).__mro__],
        text=text,
        own=is_own(error),
        in_self=is_kept_in_self(error),
        line=line_of(error),
    )


def rebuilt(words):
    """Return an error that a judge takes for the same; one that is no Exception (exit, an interrupt) becomes one."""
    bases = list(map(text, words["bases"]))
    base = next((known for known in KNOWN if known.__name__ in bases), Exception)
    error = _kind(name(words["type"]), base)(text(words["text"])[:LONGEST])
    error.said_to_be_own, error.said_to_be_in_self = words["own"] is True, words.get("in_self") is True
    error.said_to_be_in = text(words.get("line", ""))[: LONGEST_LINE + 20]
    return error


@lru_cache(1000)
def _kind(name, base):
    """Return the error's class itself, so that a test may ask for exactly it; a KeyError would quote its words."""
    if name == base.__name__ and base is not KeyError:
        return base
    return type(name, (base,), {"__str__": lambda self: self.args[0], "__module__": "builtins"})
