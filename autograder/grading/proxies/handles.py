"""Callables that represent what a learner wrote, which lives in the worker: to the judge they are functions."""

import inspect
import sys
from functools import partial

from ...judging.asking import PRINT_LIMIT
from ...judging.line_by_line import MOST_LINES
from ..wire.packing import Malformed, write_back
from ..wire.words import (
    LONGEST_NAME,
    MOST_FUNCTIONS,
    MOST_METHODS,
    MOST_NAMES,
    MOST_PARAMETERS,
    MOST_TYPES,
    arrays,
    few,
    name,
    names,
    text,
    whole,
)

LONGEST_LINE = 1000  # characters, of source


class Handle:
    """What the worker knows under a number, and what one can ask about it."""

    def __init__(self, remote, description):
        self.remote, self.number = remote, whole(description["number"])
        self.name, self.stub = name(description["name"]), description["stub"] is True
        self.signature = signature(description["signature"])
        methods = few(list(description.get("methods", {}).items()), MOST_METHODS)
        self.methods = {name(method): signature(parameters) for method, parameters in methods}
        self.types = names(description.get("types", []), MOST_TYPES)
        self.missing = name(description.get("missing", ""))  # the package that it was imported from, if there is none
        self.watched, self.noted, self.views = None, (), ((), ())

    def call(self, inputs, options):
        """Return what the learner's function makes of these."""
        leaves = [*inputs, *options.values()]
        return self.outcome_of("call", self.number, leaves, inputs=list(inputs), options=options)

    def outcome_of(self, do, number, leaves, **details):
        """Return the value of a call; what it printed is printed here, and what it changed is changed here."""
        look, self.watched = self.watched, None
        reply = self.remote.reply(do, at=number, look=look, **details)
        with self.remote.distrusted():
            self.noted = LOOKS[look](reply["noted"]) if look and reply.get("noted") else ()
            value, call, printed = _taken_in(reply, leaves)
            self.views = tuple(tuple(names(reply.get(kind, []), MOST_NAMES)) for kind in ("views", "shared"))
        sys.stdout.write(printed)
        self.remote.raised_in(reply)
        if not self.remote.things.differentiable:
            return value
        from ..wire.backward import with_gradients  # here: it imports torch

        return with_gradients(self.remote, value, call, leaves)

    def look(self, what):
        """Return what the worker finds in the code; nothing of it matters for a score."""
        reply = self.remote.ask(what, at=self.number)
        with self.remote.distrusted():
            return LOOKS[what](reply["value"])

    def watch(self, what, run):
        """Return what the worker notes during the first call that `run` makes."""
        self.watched, self.noted = what, ()
        run()
        self.watched = None
        return WATCHED[what](self.noted)


def _taken_in(reply, leaves):
    """Take in the value of a call, its number, and what it printed; there is none where it never began."""
    if "value" not in reply:
        return None, None, ""
    changes = {whole(n): arrays(x) for n, x in reply["changed"].items()}
    write_back(leaves, changes)
    return reply["value"], whole(reply["call"]), text(reply["printed"])[:PRINT_LIMIT]


def _lines(noted):
    return tuple((text(line)[:LONGEST_LINE], text(made)[:LONGEST_LINE]) for line, made in few(list(noted), MOST_LINES))


def _without_memory(found):
    kept, fresh = found
    return text(kept), fresh


def _sentences(found):
    return text(found)[:LONGEST_LINE]


LOOKS = {
    "largest_tensor": whole,
    "tensors_made": whole,
    "line_by_line": _lines,
    "overlooked": _sentences,
    "swallows": bool,
    "without_memory": _without_memory,
    "arrays_named": partial(names, most=MOST_FUNCTIONS),
    "names_called": partial(names, most=MOST_NAMES),
    "names_used": partial(names, most=MOST_NAMES),
}
WATCHED = {
    "largest_tensor": lambda noted: noted or 0,
    "tensors_made": lambda noted: noted or 0,
    "line_by_line": tuple,
    "swallows": bool,
}


def function_for(handle):
    """Return a function that calls the learner's."""

    def answer(*inputs, **options):
        return handle.call(inputs, options)

    answer.__name__ = answer.__qualname__ = handle.name
    answer.__handle__ = handle
    if handle.signature:
        answer.__signature__ = handle.signature
    return answer


def plain_class_for(handle):
    """Return a class that is no torch module, which no exercise asks for."""
    return type(handle.name, (), {"__handle__": handle, "__module__": "learner"})


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
