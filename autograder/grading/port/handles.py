"""Callables that represent what a learner wrote, which lives in the worker: to the judge they are functions."""

import inspect
import sys
from typing import Annotated, Any

from msgspec import Meta, convert

from ...judging.line_by_line import MOST_LINES
from ...judging.running import PRINT_LIMIT
from .frames import Malformed
from .replies import LONGEST_NAME, Names, Number, write_back

LONGEST_LINE = 1000  # characters, of source


class Handle:
    """What the worker knows under a number, and what one can ask about it."""

    def __init__(self, remote, said):
        self.remote, self.number, self.name, self.stub = remote, said.number, said.name, said.stub
        self.signature = signature(said.signature)
        self.methods = {name: signature(parameters) for name, parameters in getattr(said, "methods", {}).items()}
        self.types, self.missing = getattr(said, "types", []), getattr(said, "missing", "")
        self.watched, self.noted, self.views = None, (), ((), ())

    def call(self, inputs, options, **layer):
        """Return what the learner's function makes of these; what it prints, and changes, is so here as well.

        layer: the number of a layer in the function's place, and its weights.
        """
        look, self.watched = self.watched, None
        leaves = [*inputs, *options.values(), *layer.get("weights", {}).values()]
        details = {"at": self.number, "inputs": list(inputs), "options": options, "look": look}
        reply = self.remote.reply("call", **details | layer)
        with self.remote.distrusted():
            self.noted = convert(reply.noted, WATCHED[look]) if look and reply.noted else ()
            write_back(leaves, reply.changed)
            self.views = tuple(reply.views), tuple(reply.shared)
        sys.stdout.write(reply.printed[:PRINT_LIMIT])
        self.remote.raised_in(reply)
        return reply.value

    def gradients(self, leaves, inputs, options):
        """Return what reaches each leaf, of which inputs or models among them are made, from a mix of all results."""
        from .far_layer import flowing  # here: it imports torch

        return flowing(leaves, self, self.number, inputs, options)

    def build(self, of, inputs, options):
        """Build a layer of the learner's class; `of` is the class that represents it here."""
        from .far_layer import FarLayer, dice  # here: it imports torch

        reply = self.remote.ask("build", at=self.number, inputs=inputs, options=options, seed=dice())
        with self.remote.distrusted():
            return FarLayer(of, self, convert(reply.value, Number))

    def look(self, question):
        """Return what the worker finds in the code; nothing of it matters for a score."""
        found = self.seen(LOOKS[question], question, self.number)
        return found[:LONGEST_LINE] if question == "overlooked" else found

    def seen(self, kind, question, at, *inputs):
        """Return what the worker sees in the object of a number, if it is of this kind."""
        reply = self.remote.ask("look", at=at, question=question, inputs=list(inputs))
        with self.remote.distrusted():
            return convert(reply.value, kind)

    def watch(self, what, run):
        """Return what the worker notes during the first call that `run` makes."""
        self.watched, self.noted = what, ()
        run()
        self.watched = None
        if what == "line_by_line":
            return tuple((line[:LONGEST_LINE], made[:LONGEST_LINE]) for line, made in self.noted)
        return self.noted or NOTHING[what]


LOOKS = {
    "overlooked": str,
    "without_memory": tuple[str, Any],
    "arrays_named": Names,
    "names_called": Names,
    "names_used": Names,
}
WATCHED = {
    "tensors_made": tuple[Number, Number],
    "line_by_line": Annotated[list[tuple[str, str]], Meta(max_length=MOST_LINES)],
    "swallows": bool,
}
NOTHING = {"tensors_made": (0, 0), "swallows": False}


def function_for(handle):
    """Return a function that calls the learner's."""

    def answer(*inputs, **options):
        return handle.call(inputs, options)

    answer.__name__ = answer.__qualname__ = handle.name
    answer.__handle__, answer.gradients = handle, handle.gradients
    if handle.signature:
        answer.__signature__ = handle.signature
    return answer


def class_for(handle):
    """Return a class with methods of the same names and parameters; an instance of it is built by the handle."""
    body = {name: _method(handle, name) for name in handle.methods}
    made = type(handle.name, (), body | {"__handle__": handle, "__module__": "learner"})
    if handle.signature:
        made.__signature__ = handle.signature
    return made


def _method(handle, name):
    def method(self, *inputs, **options):
        raise NotImplementedError(name)

    method.__name__, method.__handle__ = name, handle
    if handle.methods[name]:
        method.__signature__ = handle.methods[name]
    return method


def signature(parameters):
    """Return a signature as inspect has it; None if there is none, or none that makes sense."""
    if parameters is None:
        return None
    try:
        return inspect.Signature([_parameter(*parts) for parts in parameters])
    except (ValueError, TypeError):
        raise Malformed("no signature") from None


def _parameter(called, kind, default):
    given = inspect.Parameter.empty if default is None else _default(*default)
    return inspect.Parameter(called, inspect._ParameterKind(kind), default=given)


def _default(x):
    return x if x is None or isinstance(x, (bool, int, float)) else convert(x, str)[:LONGEST_NAME]
