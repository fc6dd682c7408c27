"""Callables that stand for what a learner wrote, which lives in the worker: the judge cannot tell them from functions.

A description comes from a worker, so it may be forged: only names, numbers and arrays are taken from it.
"""

import inspect
import sys
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cache

import numpy as np

from .changes import write_back
from .wire import TYPES, Malformed

LARGEST_SIZE = 2**40


class Things:
    """Makes of a worker's descriptions what they speak of."""

    def __init__(self, remote):
        self.remote, self.differentiable = remote, {}

    def begin(self):
        """Of each reply its own tensors."""
        self.differentiable = {}

    def found(self, description):
        make = getattr(self, f"_{text(description['_is'])}", None)
        if make is None:
            raise Malformed("an unknown kind of thing")
        return make(description)

    def _array(self, description):
        return array(description["numbers"])

    def _scalar(self, description):
        return array(description["numbers"]).reshape(())[()]

    def _value(self, description):
        return description["value"]

    def _Fraction(self, description):
        try:
            return Fraction(text(description["text"]))
        except (ValueError, ZeroDivisionError):
            raise Malformed("no fraction") from None

    def _Decimal(self, description):
        try:
            return Decimal(text(description["text"]))
        except InvalidOperation:
            raise Malformed("no decimal") from None

    def _vast(self, description):
        """Numbers that stayed where they are: their type and shape say enough."""
        kind, shape = description["type"], tuple(map(whole, description["shape"]))
        if kind not in (*TYPES, "O", "U", "S", "M", "m", "V"):
            raise Malformed("no type")
        return np.broadcast_to(np.zeros((), kind), shape)

    def _thing(self, description):
        """Something that no exercise asks for; of such only the type counts."""
        return _kind(text(description["type"]))()

    def _tensor(self, description):
        import torch  # here: a NumPy lesson never waits for it

        numbers = array(description["numbers"])
        made = torch.from_numpy(np.array(numbers))
        made = made.bfloat16() if description["bfloat16"] is True else made
        if description["gradient"] is not None:
            self.differentiable[whole(description["gradient"])] = made
        return made

    def _function(self, description):
        return function_for(Handle(self.remote, description))

    def _class(self, description):
        if "torch.nn.modules.module.Module" in description["types"]:
            from .modules import class_for  # here: it imports torch
        else:
            class_for = plain_class_for
        return class_for(Handle(self.remote, description))


class Handle:
    """What the worker knows under a number, and what one can ask about it."""

    def __init__(self, remote, description):
        self.remote, self.number = remote, whole(description["number"])
        self.name, self.stub = text(description["name"]), description["stub"] is True
        self.signature = signature(description["signature"])
        self.methods = {text(n): signature(s) for n, s in description.get("methods", {}).items()}
        self.types = list(map(text, description.get("types", [])))
        self.watched, self.noted = None, ()

    def call(self, inputs, options):
        """What the learner's function makes of these."""
        leaves = [*inputs, *options.values()]
        return self.outcome_of("call", self.number, leaves, inputs=list(inputs), options=options)

    def outcome_of(self, do, number, leaves, **details):
        """The value of a call: what it printed is printed here, and what it changed is changed here."""
        reply = self.remote.reply(do, at=number, look=self.watched, **details)
        if self.watched:
            self.noted, self.watched = reply.get("noted"), None
        return self._value_of(reply, leaves)

    def _value_of(self, reply, leaves):
        if "value" in reply:
            sys.stdout.write(text(reply["printed"]))
            write_back(leaves, {whole(n): array(x) for n, x in reply["changed"].items() if n < len(leaves)})
        self.remote.raised_in(reply)
        if not self.remote.things.differentiable:
            return reply["value"]
        from .gradients import with_gradients  # here: it imports torch

        return with_gradients(self.remote, reply, leaves)

    def look(self, what):
        """What the worker finds in the code; nothing that matters for a score."""
        return self.remote.ask(what, at=self.number)["value"]

    def watch(self, what, run):
        """What the worker notes during the first call that `run` makes."""
        self.watched, self.noted = what, ()
        run()
        self.watched = None
        return WORDS[what](self.noted)


def _lines(noted):
    return tuple((text(line), text(made)) for line, made in noted or ())


WORDS = {"line_by_line": _lines, "swallows": bool}


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


@cache
def _kind(name):
    return type(name, (), {"__module__": "learner"})


def signature(parameters):
    """As inspect has it; None if there is none, or none that makes sense."""
    if parameters is None:
        return None
    try:
        return inspect.Signature([_parameter(*parts) for parts in parameters])
    except (ValueError, TypeError):
        raise Malformed("no signature") from None


def _parameter(name, kind, default):
    given = inspect.Parameter.empty if default is None else _default(*default)
    return inspect.Parameter(text(name), inspect._ParameterKind(kind), default=given)


def _default(x):
    return x if x is None or isinstance(x, (bool, int, float, str)) else _kind("default")()


def text(x):
    return _of(x, str)


def whole(x):
    if not 0 <= _of(x, int) < 2**63:
        raise Malformed("no number")
    return x


def array(x):
    return _of(x, np.ndarray)


def _of(x, kind):
    if not isinstance(x, kind):
        raise Malformed(f"no {kind.__name__}")
    return x
