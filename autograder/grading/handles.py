"""Callables that stand for what a learner wrote, which lives in the worker: the judge cannot tell them from functions.

A description comes from a worker, so it may be forged: only names, numbers and arrays are taken from it.
"""

import inspect
import re
import sys
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from ..judging.line_by_line import MOST_LINES
from ..judging.outcome import PRINT_LIMIT
from .changes import write_back
from .wire import TYPES, Malformed
from .words import (
    MOST_FUNCTIONS,
    MOST_METHODS,
    MOST_NAMES,
    MOST_PARAMETERS,
    MOST_TYPES,
    array,
    few,
    is_vast,
    name,
    names,
    of,
    text,
    whole,
)

LONGEST_LINE = 1000  # characters, of source
OTHER_TYPES = ("b", "i", "u", "f", "c", "O", "U", "S", "M", "m", "V", "T")  # as NumPy abbreviates them


class Things:
    """Makes of a worker's descriptions what they speak of."""

    def __init__(self, remote):
        self.remote, self.differentiable = remote, {}

    def begin(self):
        """Of each reply its own tensors."""
        self.differentiable = {}

    def found(self, description):
        kind = text(description["_is"])
        if kind not in KINDS:
            raise Malformed("an unknown kind of thing")
        return KINDS[kind](self, description)

    def array(self, description):
        return array(description["numbers"])

    def scalar(self, description):
        return array(description["numbers"]).reshape(())[()]

    def value(self, description):
        return description["value"]

    def fraction(self, description):
        """No power of ten: that may be longer than memory."""
        if not re.fullmatch(r"-?\d+(/\d+)?", name(description["text"]), re.ASCII):
            raise Malformed("no fraction")
        return Fraction(description["text"])

    def decimal(self, description):
        try:
            return Decimal(name(description["text"]))
        except InvalidOperation:
            raise Malformed("no decimal") from None

    def vast(self, description):
        """Numbers that stayed where they are: their type and shape say enough."""
        kind, shape = text(description["type"]), tuple(map(whole, of(description["shape"], list)))
        if kind not in TYPES and kind not in OTHER_TYPES:
            raise Malformed("no type")
        if is_vast(shape):
            raise Malformed("so many numbers")
        return np.broadcast_to(np.zeros((), kind), shape)

    def thing(self, description):
        """Something that no exercise asks for; of such only the type counts. Dots say that nothing was written yet."""
        kind = name(description["type"])
        return ... if kind == "ellipsis" else _kind(kind)()

    def tensor(self, description):
        import torch  # here: a NumPy lesson never waits for it

        made = torch.from_numpy(array(description["numbers"]))
        made = made.bfloat16() if description["bfloat16"] is True else made
        if description["gradient"] is not None:
            self.differentiable[whole(description["gradient"])] = made
        return made

    def function(self, description):
        return function_for(Handle(self.remote, description))

    def kind(self, description):
        if "torch.nn.modules.module.Module" in description["types"]:
            from .modules import class_for  # here: it imports torch
        else:
            class_for = plain_class_for
        return class_for(Handle(self.remote, description))


KINDS = {kind: getattr(Things, kind) for kind in ("array", "scalar", "value", "vast", "thing", "tensor", "function")}
KINDS |= {"Fraction": Things.fraction, "Decimal": Things.decimal, "class": Things.kind}


class Handle:
    """What the worker knows under a number, and what one can ask about it."""

    def __init__(self, remote, description):
        self.remote, self.number = remote, whole(description["number"])
        self.name, self.stub = name(description["name"]), description["stub"] is True
        self.signature = signature(description["signature"])
        methods = few(list(description.get("methods", {}).items()), MOST_METHODS)
        self.methods = {name(method): signature(parameters) for method, parameters in methods}
        self.types = names(description.get("types", []), MOST_TYPES)
        self.watched, self.noted = None, ()

    def call(self, inputs, options):
        """What the learner's function makes of these."""
        leaves = [*inputs, *options.values()]
        return self.outcome_of("call", self.number, leaves, inputs=list(inputs), options=options)

    def outcome_of(self, do, number, leaves, **details):
        """The value of a call: what it printed is printed here, and what it changed is changed here."""
        look, self.watched = self.watched, None
        reply = self.remote.reply(do, at=number, look=look, **details)
        with self.remote.distrusted():
            self.noted = LOOKS[look](reply["noted"]) if look and reply.get("noted") else ()
            value, call, printed = _taken_in(reply, leaves)
        sys.stdout.write(printed)
        self.remote.raised_in(reply)
        if not self.remote.things.differentiable:
            return value
        from .gradients import with_gradients  # here: it imports torch

        return with_gradients(self.remote, value, call, leaves)

    def look(self, what):
        """What the worker finds in the code; nothing that matters for a score."""
        reply = self.remote.ask(what, at=self.number)
        with self.remote.distrusted():
            return LOOKS[what](reply["value"])

    def watch(self, what, run):
        """What the worker notes during the first call that `run` makes."""
        self.watched, self.noted = what, ()
        run()
        self.watched = None
        return WATCHED[what](self.noted)


def _taken_in(reply, leaves):
    """The value of a call, its number, and what it printed; there is none where it never began."""
    if "value" not in reply:
        return None, None, ""
    changes = {whole(n): array(x) for n, x in reply["changed"].items()}
    write_back(leaves, changes)
    return reply["value"], whole(reply["call"]), text(reply["printed"])[:PRINT_LIMIT]


def _lines(noted):
    return tuple((text(line)[:LONGEST_LINE], text(made)[:LONGEST_LINE]) for line, made in few(list(noted), MOST_LINES))


def _without_memory(found):
    kept, fresh = found
    return text(kept), fresh


def _functions(found):
    return [part for part in few(found, MOST_FUNCTIONS) if hasattr(part, "__handle__")]


LOOKS = {
    "line_by_line": _lines,
    "swallows": bool,
    "without_memory": _without_memory,
    "arrays_named": partial(names, most=MOST_FUNCTIONS),
    "parts": _functions,
    "names_used": partial(names, most=MOST_NAMES),
}
WATCHED = {"line_by_line": tuple, "swallows": bool}


def function_for(handle):
    """A function that calls the learner's."""

    def answer(*inputs, **options):
        return handle.call(inputs, options)

    answer.__name__ = answer.__qualname__ = handle.name
    answer.__handle__ = handle
    if handle.signature:
        answer.__signature__ = handle.signature
    return answer


def plain_class_for(handle):
    """A class that is no torch module, which no exercise asks for."""
    return type(handle.name, (), {"__handle__": handle, "__module__": "learner"})


@lru_cache(1000)
def _kind(name):
    return type(name, (), {"__module__": "learner"})


def signature(parameters):
    """As inspect has it; None if there is none, or none that makes sense."""
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
    return x if x is None or isinstance(x, (bool, int, float)) else text(x)
