"""Signatures of a learner's functions, as a worker describes them."""

import inspect

from ..wire.packing import Malformed
from ..wire.words import LONGEST_NAME, MOST_PARAMETERS, few, name, text


def signature(parameters):
    """Return a signature as inspect has it; None if there is none, or none that makes sense."""
    if parameters is None:
        return None
    try:
        return inspect.Signature([_parameter(*parts) for parts in few(parameters, MOST_PARAMETERS)])
    except (ValueError, TypeError):
        raise Malformed("no signature") from None


def _parameter(called, kind, default):
    given = inspect.Parameter.empty if default is None else _default(*default)
    return inspect.Parameter(name(called), inspect._ParameterKind(kind), default=given)


def _default(x):
    return x if x is None or isinstance(x, (bool, int, float)) else text(x)[:LONGEST_NAME]
