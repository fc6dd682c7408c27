"""What an error says, where in the learner's code it arose, and whether the learner raised it."""

import dis
import linecache
import sysconfig
from textwrap import shorten
from traceback import walk_tb

from ..outline import outline

LONGEST_LINE = 80  # characters of a line of code that a message quotes
_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


def error_line(error: BaseException):
    """Return an error as Python prints it last: its type, and its message if there is one."""
    return type(error).__name__ + (f": {error}" if str(error) else "")


def is_own(error: BaseException):
    """Say whether a `raise` or `assert` of the learner's stopped the code, and not one of a library."""
    if hasattr(error, "said_to_be_own"):  # it comes from another process
        return error.said_to_be_own
    last = _last(error)
    if last is None or not _is_frame_of_learner(last.tb_frame):
        return False
    return dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"


def line_of(error: BaseException):
    """Return the number and the text of the learner's line that stopped, or "" if it is not known.

    If a function of the course stopped that the line calls, its name comes with it.
    """
    if there := getattr(error, "said_to_be_in", ""):  # it comes from a line in another process
        return there
    steps = list(walk_tb(error.__traceback__))
    own = [step for step, (frame, _) in enumerate(steps) if _is_frame_of_learner(frame)]
    if not own:
        return ""
    frame, number = steps[own[-1]]
    text = quoted(frame.f_code.co_filename, number, frame.f_globals)
    called = next(filter(None, (_of_the_course(frame) for frame, _ in steps[own[-1] + 1 :])), "")
    return f"line {number}: `{text}`" + f", inside of `{called}`" * bool(called) if text else ""


def quoted(file: str, number: int, variables: dict | None = None):
    """Return a line of a file as a message quotes it, within backticks."""
    return shorten(linecache.getline(file, number, variables).replace("`", "'"), LONGEST_LINE, placeholder=" ...")


def _of_the_course(frame):
    """Return the name of the reference's function or class that runs in a frame, or ""."""
    name, home = frame.f_code.co_qualname, frame.f_globals.get("__name__", "")
    is_public = home.partition(".")[0] == outline().reference and not name.startswith(("_", "<"))
    return name.partition(".")[0] * is_public


def _is_frame_of_learner(frame):
    ours = frame.f_globals.get("__name__", "").partition(".")[0] in outline().packages
    return not ours and not frame.f_code.co_filename.startswith((*_INSTALLED, "<frozen"))


def is_kept_in_self(error: BaseException):
    """Say whether a method asked for a name that is an attribute of `self`."""
    if hasattr(error, "said_to_be_in_self"):  # it comes from another process
        return error.said_to_be_in_self
    last = _last(error)
    if last is None or not isinstance(error, NameError):
        return False
    layer = last.tb_frame.f_locals.get("self")
    own = getattr(layer, "__dict__", {})  # it is not asked itself: it may answer as it likes
    return name_in(error) in {*own, *own.get("_modules", ()), *own.get("_parameters", ()), *own.get("_buffers", ())}


def _last(error):
    """Return where an error arose, or None if it was not raised."""
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    return last


def name_in(error: BaseException):
    """Return the name between the first quotes: an error from another process has only its words."""
    return (str(error).split("'") + [""])[1]
