"""Rebuild what a worker describes: numbers are made again, and objects that stay there get a handle.

To the judge they are functions and classes. A description may be forged: only names, numbers and arrays are taken from
it.
"""

import inspect
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct, convert

from .frames import TYPES, Malformed
from .handle import Handle
from .replies import LONGEST_NAME, MOST_CHARACTERS, MOST_METHODS, MOST_OBJECTS, MOST_PARAMETERS, Name, Number, is_vast

OTHER_TYPES = ("b", "i", "u", "f", "c", "O", "U", "S", "M", "m", "V", "T")  # as NumPy abbreviates them
Parameters = Annotated[list[tuple[Name, int, Any]], Meta(max_length=MOST_PARAMETERS)] | None


class Description(Struct, tag_field="_is"):
    """A description; `rebuild(remote)` returns what it speaks of."""


class Array(Description, tag="array"):
    numbers: np.ndarray

    def rebuild(self, remote):
        return self.numbers


class Scalar(Array, tag="scalar"):
    def rebuild(self, remote):
        return self.numbers.reshape(())[()]


class Value(Description, tag="value"):
    value: Any

    def rebuild(self, remote):
        return self.value


class Complex(Description, tag="complex"):
    real: float
    imag: float

    def rebuild(self, remote):
        return complex(self.real, self.imag)


class Vast(Description, tag="vast"):
    type: str
    shape: list[Number]

    def rebuild(self, remote):
        """Return numbers that stayed where they are by their type and shape."""
        if self.type not in TYPES and self.type not in OTHER_TYPES:
            raise Malformed("no type")
        if is_vast(self.shape):
            raise Malformed("so many numbers")
        return np.broadcast_to(np.zeros((), self.type), self.shape)


class Objects(Description, tag="objects"):
    items: Annotated[list, Meta(max_length=MOST_OBJECTS)]
    texts: bool
    shape: list[Number]

    def rebuild(self, remote):
        """Return an array of what is no number to NumPy, such as texts or fractions."""
        longest = max((len(item) for item in self.items if isinstance(item, str)), default=0)
        if longest * len(self.items) > MOST_CHARACTERS:  # NumPy gives each as much room as the longest takes
            raise Malformed("such long texts")
        made = np.empty(len(self.items), object)
        for place, item in enumerate(self.items):
            made[place] = str(item) if self.texts else item
        return (made.astype(str) if self.texts else made).reshape(self.shape)


class Other(Description, tag="thing"):
    type: Name

    def rebuild(self, remote):
        """Return a thing of which only the type counts. Dots mean that nothing is written yet."""
        return ... if self.type == "ellipsis" else _kind(self.type)()


class Tensor(Array, tag="tensor"):
    bfloat16: bool

    def rebuild(self, remote):
        import torch  # here: a NumPy lesson never waits for it

        made = torch.from_numpy(self.numbers)
        return made.bfloat16() if self.bfloat16 else made


class Function(Description, tag="function"):
    number: Number
    name: Name
    stub: bool
    signature: Parameters

    def rebuild(self, remote):
        """Return a function that calls the learner's."""
        handle = Handle(remote, self)

        def answer(*inputs, **options):
            return handle.call(inputs, options)

        answer.gradients = handle.gradients
        return _marked(answer, handle, handle.name, self.signature)


class Class(Function, tag="class"):
    methods: Annotated[dict[Name, Parameters], Meta(max_length=MOST_METHODS)]
    is_layer: bool
    missing: Name = ""  # the package that it was imported from, if there is none

    def rebuild(self, remote):
        """Return a class with methods of the same names and parameters; an instance of it is built by the handle."""
        handle = Handle(remote, self)
        body = {name: _method(handle, name, parameters) for name, parameters in self.methods.items()}
        return _marked(type(self.name, (), body | {"__module__": "learner"}), handle, self.name, self.signature)


KINDS = Array | Scalar | Value | Complex | Vast | Objects | Other | Tensor | Function | Class


@lru_cache(1000)
def _kind(name):
    return type(name, (), {"__module__": "learner"})


def _method(handle, name, parameters):
    def method(self, *inputs, **options):
        raise NotImplementedError(name)

    return _marked(method, handle, name, parameters)


def _marked(made, handle, name, parameters):
    """Return a function or class with its handle, and a signature if there is one that makes sense."""
    made.__handle__, made.__name__, made.__qualname__ = handle, name, name
    try:
        if parameters is not None:
            made.__signature__ = inspect.Signature([_parameter(*parts) for parts in parameters])
    except (ValueError, TypeError):
        raise Malformed("no signature") from None
    return made


def _parameter(called, kind, default):
    given = inspect.Parameter.empty
    if default is not None:
        (x,) = default
        given = x if x is None or isinstance(x, (bool, int, float)) else convert(x, str)[:LONGEST_NAME]
    return inspect.Parameter(called, inspect._ParameterKind(kind), default=given)
