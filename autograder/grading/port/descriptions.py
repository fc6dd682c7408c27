"""Rebuild what a worker describes: numbers are made again, and what stays there becomes functions and classes here.

Each has its description as a handle, which asks there. A description may be forged: only names, numbers and arrays are
taken from it.
"""

import inspect
import sys
from functools import lru_cache
from math import prod
from typing import Annotated, Any

import numpy as np
from msgspec import UNSET, Meta, Struct, convert

from ...judging.line_by_line import MOST_LINES
from ...judging.running import PRINT_LIMIT
from .frames import TYPES, Malformed
from .replies import Name, Names, Number, Parameters, Shape, take_little, write_back

OTHER_TYPES = tuple("biufcOUSMmVT")  # as NumPy abbreviates them
VAST = 10_000_000  # numbers of an array: to look at so many takes some hundred MB


class Description(Struct, tag_field="_is", dict=True):
    """A description; `rebuild(remote)` returns what it speaks of."""


class Complex(Description, tag="complex"):
    real: float
    imag: float

    def rebuild(self, remote):
        return complex(self.real, self.imag)


class Vast(Description, tag="vast"):
    type: str
    shape: Shape

    def rebuild(self, remote):
        """Return numbers that stayed where they are by their type and shape; of very many, only how many there are."""
        if self.type not in TYPES and self.type not in OTHER_TYPES:
            raise Malformed("no type")
        if prod(max(size, 1) for size in self.shape) > VAST:
            return _kind(f"array of {prod(self.shape):,} numbers")()
        return np.broadcast_to(np.zeros((), self.type), self.shape)


class Objects(Description, tag="objects"):
    items: list
    texts: bool
    shape: Shape

    def rebuild(self, remote):
        """Return an array of what is no number to NumPy, such as texts or fractions."""
        if not take_little(self.items):
            raise Malformed("such long texts")
        items = convert(self.items, list[str]) if self.texts else self.items
        made = np.fromiter(items, object).reshape(self.shape)
        return made.astype(str) if self.texts else made


class Other(Description, tag="thing"):
    type: Name

    def rebuild(self, remote):
        """Return a thing of which only the type counts. Dots mean that nothing is written yet."""
        return ... if self.type == "ellipsis" else _kind(self.type)()


class Tensor(Description, tag="tensor"):
    numbers: np.ndarray
    bfloat16: bool

    def rebuild(self, remote):
        import torch  # here: a NumPy lesson never waits for it

        made = torch.from_numpy(self.numbers)
        return made.bfloat16() if self.bfloat16 else made


class Function(Description, tag="function"):
    """A function, or a class, of a learner's; the judge asks it as the `__handle__` of what is rebuilt.

    missing: the package that it was imported from, if there is none.
    """

    number: Number
    name: Name
    stub: bool
    signature: Parameters
    is_layer: bool = False
    missing: Name = ""

    watched, noted, views = None, None, ((), ())  # what the next call should watch; what the last one brought

    def rebuild(self, remote):
        """Return a function that calls the learner's."""
        self.remote = remote

        def answer(*inputs, **options):
            return self.call(inputs, options)

        answer.gradients = self.gradients
        return self.marked(answer, self.name, self.signature)

    def marked(self, made, name, parameters):
        """Return a function or class with its handle, and with its signature if there is one."""
        made.__handle__, made.__name__, made.__qualname__ = self, name, name
        if parameters is not None:
            kind, none = inspect._ParameterKind, inspect.Parameter.empty
            told = [inspect.Parameter(n, kind(k), default=x[0] if x else none) for n, k, x in parameters]
            made.__signature__ = inspect.Signature(told)
        return made

    def call(self, inputs, options, **layer):
        """Return what the learner's function makes of these; what it prints, and changes, is so here as well.

        layer: the number of a layer in the function's place, and its weights.
        """
        look, self.watched = self.watched, None
        leaves = [*inputs, *options.values(), *layer.get("weights", {}).values()]
        details = {"at": self.number, "inputs": list(inputs), "options": options, "look": look}
        reply = self.remote.reply("call", **details | layer)
        if reply.printed is UNSET:  # it was stopped, or what came out cannot be handed over
            self.remote.raised_in(reply)
        with self.remote.distrusted():
            self.noted = convert(reply.noted, WATCHED[look][0]) if look and reply.noted else None
            write_back(leaves, reply.changed)
            self.views = tuple(reply.views), tuple(reply.shared)
        sys.stdout.write(reply.printed[:PRINT_LIMIT])
        self.remote.raised_in(reply)
        return reply.value

    def gradients(self, leaves, inputs, options):
        """Return what reaches each leaf, of which inputs or models among them are made, from a mix of all results."""
        from .remote_layer import flowing  # here: it imports torch

        return flowing(leaves, self, self.number, inputs, options)

    def build(self, of, inputs, options):
        """Build a layer of the learner's class; `of` is the class that represents it here."""
        from .remote_layer import RemoteLayer, dice  # here: it imports torch

        reply = self.remote.ask("build", at=self.number, inputs=inputs, options=options, seed=dice())
        with self.remote.distrusted():
            return RemoteLayer(of, self, convert(reply.value, Number))

    def look(self, question):
        """Return what the worker finds in the code; nothing of it matters for a score."""
        return self.seen(LOOKS[question], question, self.number)

    def seen(self, kind, question, at, *inputs):
        """Return what the worker sees in the object of a number, if it is of this kind."""
        reply = self.remote.ask("look", at=at, question=question, inputs=list(inputs))
        with self.remote.distrusted():
            return convert(reply.value, kind)

    def watch(self, what, run):
        """Return what the worker notes during the first call that `run` makes."""
        self.watched, self.noted = what, None
        run()
        self.watched = None
        return self.noted or WATCHED[what][1]


class Class(Function, tag="class"):
    methods: dict[Name, Parameters] = {}

    def rebuild(self, remote):
        """Return a class with methods of the same names and parameters; an instance of it is built over there."""
        self.remote = remote
        body = {name: self._method(name, parameters) for name, parameters in self.methods.items()}
        return self.marked(type(self.name, (), body | {"__module__": "learner"}), self.name, self.signature)

    def _method(self, name, parameters):
        def method(self, *inputs, **options):
            raise NotImplementedError(name)

        return self.marked(method, name, parameters)


KINDS = Complex | Vast | Objects | Other | Tensor | Function | Class


@lru_cache(1000)
def _kind(name):
    return type(name, (), {"__module__": "learner"})


LOOKS = {
    "overlooked": str,
    "without_memory": tuple[str, Any],
    "arrays_named": Names,
    "names_called": Names,
    "names_used": Names,
}
WATCHED = {  # what is noted, and what it is if no call came
    "tensors_made": (tuple[Number, Number], (0, 0)),
    "line_by_line": (Annotated[tuple[tuple[str, str], ...], Meta(max_length=MOST_LINES)], ()),
    "swallows": (bool, False),
}
