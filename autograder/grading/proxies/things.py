"""Rebuild what a worker describes: numbers are made again, and objects that stay there get a handle.

A description may be forged: only names, numbers and arrays are taken from it.
"""

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache

import numpy as np

from ..wire.packing import TYPES, Malformed
from ..wire.words import MOST_CHARACTERS, MOST_OBJECTS, array, few, is_vast, name, of, text, whole
from .handles import Handle, function_for, plain_class_for

OTHER_TYPES = ("b", "i", "u", "f", "c", "O", "U", "S", "M", "m", "V", "T")  # as NumPy abbreviates them


class Things:
    """Makes of a worker's descriptions what they speak of."""

    def __init__(self, remote):
        self.remote, self.differentiable = remote, {}

    def begin(self):
        """Begin a reply, which has its own tensors."""
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
        """Return a fraction, with no power of ten, which may be longer than memory."""
        if not re.fullmatch(r"-?\d+(/\d+)?", name(description["text"]), re.ASCII):
            raise Malformed("no fraction")
        return Fraction(description["text"])

    def decimal(self, description):
        try:
            return Decimal(name(description["text"]))
        except InvalidOperation:
            raise Malformed("no decimal") from None

    def complex(self, description):
        try:
            return complex(name(description["text"]))
        except ValueError:
            raise Malformed("no complex number") from None

    def vast(self, description):
        """Return numbers that stayed where they are by their type and shape."""
        kind, shape = text(description["type"]), _shape(description)
        if kind not in TYPES and kind not in OTHER_TYPES:
            raise Malformed("no type")
        if is_vast(shape):
            raise Malformed("so many numbers")
        return np.broadcast_to(np.zeros((), kind), shape)

    def objects(self, description):
        """Return an array of what is no number to NumPy, such as texts or fractions."""
        items = few(description["items"], MOST_OBJECTS)
        longest = max((len(item) for item in items if isinstance(item, str)), default=0)
        if longest * len(items) > MOST_CHARACTERS:  # NumPy gives each as much room as the longest takes
            raise Malformed("such long texts")
        made = np.empty(len(items), object)
        for place, item in enumerate(items):
            made[place] = text(item) if description["texts"] is True else item
        return (made.astype(str) if description["texts"] is True else made).reshape(_shape(description))

    def thing(self, description):
        """Return a thing of which only the type counts. Dots mean that nothing is written yet."""
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


SIMPLE = ("array", "scalar", "value", "vast", "objects", "thing", "tensor", "function")
KINDS = {kind: getattr(Things, kind) for kind in SIMPLE}
KINDS |= {"Fraction": Things.fraction, "Decimal": Things.decimal, "complex": Things.complex, "class": Things.kind}


def _shape(description):
    return tuple(map(whole, of(description["shape"], list)))


@lru_cache(1000)
def _kind(name):
    return type(name, (), {"__module__": "learner"})
