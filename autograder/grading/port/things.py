"""Rebuild what a worker describes: numbers are made again, and objects that stay there get a handle.

A description may be forged: only names, numbers and arrays are taken from it.
"""

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from .frames import TYPES, Malformed
from .handles import Handle, class_for, function_for
from .replies import (
    MOST_CHARACTERS,
    MOST_METHODS,
    MOST_OBJECTS,
    MOST_PARAMETERS,
    MOST_TYPES,
    Name,
    Number,
    is_vast,
)

OTHER_TYPES = ("b", "i", "u", "f", "c", "O", "U", "S", "M", "m", "V", "T")  # as NumPy abbreviates them
Parameters = Annotated[list[tuple[Name, int, Any]], Meta(max_length=MOST_PARAMETERS)] | None


class Thing(Struct, tag_field="_is"):
    """A description; `made(remote)` returns what it speaks of."""


class Array(Thing, tag="array"):
    numbers: np.ndarray

    def made(self, remote):
        return self.numbers


class Scalar(Array, tag="scalar"):
    def made(self, remote):
        return self.numbers.reshape(())[()]


class Value(Thing, tag="value"):
    value: Any

    def made(self, remote):
        return self.value


class Exact(Thing, tag="Fraction"):
    text: Name

    def made(self, remote):
        """Return a fraction, with no power of ten, which may be longer than memory."""
        if not re.fullmatch(r"-?\d+(/\d+)?", self.text, re.ASCII):
            raise Malformed("no fraction")
        return Fraction(self.text)


class Decimals(Exact, tag="Decimal"):
    def made(self, remote):
        try:
            return Decimal(self.text)
        except InvalidOperation:
            raise Malformed("no decimal") from None


class Complex(Exact, tag="complex"):
    def made(self, remote):
        return complex(self.text)


class Vast(Thing, tag="vast"):
    type: str
    shape: list[Number]

    def made(self, remote):
        """Return numbers that stayed where they are by their type and shape."""
        if self.type not in TYPES and self.type not in OTHER_TYPES:
            raise Malformed("no type")
        if is_vast(self.shape):
            raise Malformed("so many numbers")
        return np.broadcast_to(np.zeros((), self.type), self.shape)


class Objects(Thing, tag="objects"):
    items: Annotated[list, Meta(max_length=MOST_OBJECTS)]
    texts: bool
    shape: list[Number]

    def made(self, remote):
        """Return an array of what is no number to NumPy, such as texts or fractions."""
        longest = max((len(item) for item in self.items if isinstance(item, str)), default=0)
        if longest * len(self.items) > MOST_CHARACTERS:  # NumPy gives each as much room as the longest takes
            raise Malformed("such long texts")
        made = np.empty(len(self.items), object)
        for place, item in enumerate(self.items):
            made[place] = str(item) if self.texts else item
        return (made.astype(str) if self.texts else made).reshape(self.shape)


class Other(Thing, tag="thing"):
    type: Name

    def made(self, remote):
        """Return a thing of which only the type counts. Dots mean that nothing is written yet."""
        return ... if self.type == "ellipsis" else _kind(self.type)()


class Tensor(Array, tag="tensor"):
    bfloat16: bool

    def made(self, remote):
        import torch  # here: a NumPy lesson never waits for it

        made = torch.from_numpy(self.numbers)
        return made.bfloat16() if self.bfloat16 else made


class Function(Thing, tag="function"):
    number: Number
    name: Name
    stub: bool
    signature: Parameters

    def made(self, remote):
        return function_for(Handle(remote, self))


class Class(Function, tag="class"):
    methods: Annotated[dict[Name, Parameters], Meta(max_length=MOST_METHODS)]
    types: Annotated[list[Name], Meta(max_length=MOST_TYPES)]
    missing: Name = ""  # the package that it was imported from, if there is none

    def made(self, remote):
        return class_for(Handle(remote, self))


KINDS = Array | Scalar | Value | Exact | Decimals | Complex | Vast | Objects | Other | Tensor | Function | Class


@lru_cache(1000)
def _kind(name):
    return type(name, (), {"__module__": "learner"})
