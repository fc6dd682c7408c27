"""One run of an answer, or of a program of ours, and what comes out."""

from dataclasses import replace
from inspect import Parameter

import numpy as np

from .conditions import caught_output, quiet
from .outcome import Outcome, outcome_of
from .tensors import send, to_array
from .time_limits import TooSlow


def observe(function, inputs):
    """Run a reference, or a wrong version of one, on NumPy inputs."""
    try:
        return outcome_of(function(**inputs))
    except (TooSlow, KeyboardInterrupt):
        raise
    except BaseException as error:
        return Outcome(kind="error", error=error)


def ask(answer, inputs, library, parameters, order="C"):
    """Run a learner's answer on copies in the lesson's library: required inputs by position, others by keyword.

    order: that of the numbers in memory, NumPy's "C" (rows one after the other) or "F" (columns).
    """
    sent = send(inputs, library, order)
    positional = [sent[name] for name in required(parameters)]
    optional = {name: x for name, x in sent.items() if parameters[name] is not Parameter.empty}
    with quiet(), caught_output() as output:  # quiet anew: an answer may turn NumPy's warnings into errors
        outcome = observe(lambda: answer(*positional, **optional), {})
    after = {n: to_array(sent[n]) for n, x in inputs.items() if isinstance(x, np.ndarray)}
    changed = {n: x for n, x in after.items() if _differs(x, inputs[n])}
    return replace(outcome, changed=changed, printed=output.getvalue())


def required(parameters):
    """Return the names of the parameters without a default, which are given by position."""
    return [name for name, default in parameters.items() if default is Parameter.empty]


def _differs(sent, x):
    return sent.shape != x.shape or not np.array_equal(sent, x, equal_nan=x.dtype.kind == "f")
