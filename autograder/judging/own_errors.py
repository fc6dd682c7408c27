"""Errors that a learner's own `raise` or `assert` made."""

import dis
import sysconfig

_OURS = ("autograder", "mha_ref")
_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


def is_own(error):
    """Whether a `raise` or `assert` of the learner's stopped the code, and not one of a library."""
    if hasattr(error, "said_to_be_own"):  # it comes from another process
        return error.said_to_be_own
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    if last is None or last.tb_frame.f_globals.get("__name__", "").partition(".")[0] in _OURS:
        return False
    code = last.tb_frame.f_code
    if code.co_filename.startswith(_INSTALLED):
        return False
    return dis.opname[code.co_code[last.tb_lasti]] == "RAISE_VARARGS"
