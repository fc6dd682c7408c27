"""Errors that cross the wire: a type's name, what it is made from, and what it says. Nothing else of them is kept."""

from functools import cache

from ..judging.own_errors import is_own

LONGEST = 2000  # characters of what an error says
KNOWN = (
    *(UnboundLocalError, ModuleNotFoundError),
    *(NameError, TypeError, AttributeError, ImportError, RecursionError),  # which nobody refuses an input with
    *(AssertionError, NotImplementedError, ZeroDivisionError, FloatingPointError, OverflowError, MemoryError),
    *(IndexError, KeyError, ValueError, RuntimeError, OSError, StopIteration, Exception),
)


def in_words(error):
    """A dict that `rebuilt` makes an error of."""
    try:
        text = str(error)[:LONGEST]
    except Exception:
        text = ""
    return dict(
        type=type(error).__name__[:100],
        bases=[part.__name__ for part in type(error).__mro__],
        text=text,
        own=is_own(error),
    )


def rebuilt(words):
    """An error that a judge takes for the same; one that is no Exception (exit, an interrupt) becomes one."""
    base = next((known for known in KNOWN if known.__name__ in words["bases"]), Exception)
    error = _kind(str(words["type"])[:100], base)(str(words["text"])[:LONGEST])
    error.said_to_be_own = words["own"] is True
    return error


@cache
def _kind(name, base):
    return type(name, (base,), {"__str__": lambda self: self.args[0], "__module__": "builtins"})
