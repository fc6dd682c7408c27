"""Errors in a learner's code: in which line, and whether their own `raise` or `assert` made them."""

import dis
import linecache
import sysconfig
from textwrap import shorten
from traceback import walk_tb

from ..outline import outline

_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
LONGEST_LINE = 80  # characters of a line of code that a message quotes


def is_own(error: BaseException):
    """Say whether a `raise` or `assert` of the learner's stopped the code, and not one of a library."""
    if hasattr(error, "said_to_be_own"):  # it comes from another process
        return error.said_to_be_own
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    if last is None or last.tb_frame.f_globals.get("__name__", "").partition(".")[0] in outline().packages:
        return False
    code = last.tb_frame.f_code
    if code.co_filename.startswith(_INSTALLED):
        return False
    return dis.opname[code.co_code[last.tb_lasti]] == "RAISE_VARARGS"


def line_of(error: BaseException):
    """Return the number and the text of the learner's line that stopped, or "" if it is not known."""
    if hasattr(error, "said_to_be_in"):  # it comes from another process
        return error.said_to_be_in
    lines = [(line, _text(frame, line)) for frame, line in walk_tb(error.__traceback__) if _is_learners(frame)]
    number, text = lines[-1] if lines else (0, "")
    return f"line {number}: `{text}`" if text else ""


def _is_learners(frame):
    ours = frame.f_globals.get("__name__", "").partition(".")[0] in outline().packages
    return not ours and not frame.f_code.co_filename.startswith((*_INSTALLED, "<frozen"))


def _text(frame, line):
    text = linecache.getline(frame.f_code.co_filename, line, frame.f_globals).replace("`", "'")
    return shorten(text, LONGEST_LINE, placeholder=" ...")


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
    return layer is not None and name_in(error) in _attributes(layer)


def _attributes(layer):
    """Return an instance's attributes, modules and weights among them, without asking it: it may answer as it likes."""
    own = getattr(layer, "__dict__", {})
    return {*own, *own.get("_modules", ()), *own.get("_parameters", ()), *own.get("_buffers", ())}


def name_in(error: BaseException):
    """Return the name between the first quotes: an error from another process has only its words."""
    return (str(error).split("'") + [""])[1]
