"""Objects that stay in the worker: how each is described, and the number under which it is kept."""

import inspect
from collections import OrderedDict
from itertools import count
from numbers import Complex

import numpy as np

from ...judging.results import LARGEST, is_bfloat16, is_tensor, plain_tensor, to_array
from ...judging.source import is_stub
from ...plain_values import as_plain_number
from ..port.frames import TYPES, are_plain_keys, fits
from ..port.replies import LONGEST_NAME, MOST_METHODS, MOST_OBJECTS, MOST_PARAMETERS, is_vast, take_little

MOST_KEPT, MOST_LAYERS = 2000, 8  # functions and classes; layers, of which each may hold a large mask
LIBRARIES, LAYER = ("torch", "builtins", "abc", "typing"), "torch.nn.modules.module.Module"
# What other types of numbers become, those of the other byte order, say.
OF_KIND = {"f": float, "c": complex, "i": np.int64, "u": np.uint64}


class ObjectRegistry:
    def __init__(self):
        self.things, self.layers = OrderedDict(), OrderedDict()
        self.count = count()

    def __getitem__(self, number):
        return self.things[number] if number in self.things else self.layers[number]

    def add(self, thing, is_layer=False):
        """Keep a thing under a number; of layers the last few: the judge makes many, and looks at one or two."""
        shelf, most = (self.layers, MOST_LAYERS) if is_layer else (self.things, MOST_KEPT)
        number = next(self.count)
        shelf[number] = thing
        while len(shelf) > most:
            shelf.popitem(last=False)
        return number

    def describe(self, x):
        """Return a plain value in the place of an object, or a dict; descriptions.py says what becomes of that."""
        if is_tensor(x):
            x = plain_tensor(x)
            numbers = to_array(x)
            return dict(_is="tensor", numbers=numbers, bfloat16=is_bfloat16(x)) if fits(numbers) else _array(numbers)
        if isinstance(x, np.ma.MaskedArray):
            return _array(x.astype(float).filled(np.nan))
        if isinstance(x, np.ndarray):
            return _array(x)
        if isinstance(x, type):
            return self._class(x)
        if isinstance(x, (bool, int, float, str, list, tuple)) or (isinstance(x, dict) and are_plain_keys(x)):
            return _plain(x)
        number = as_plain_number(x)
        if number is not x:  # a fraction, say, or of another library
            return number
        if isinstance(x, Complex):
            return dict(_is="complex", real=complex(x).real, imag=complex(x).imag)
        if callable(x):
            return self._function(x)
        if hasattr(x, "__array__"):
            return np.asarray(x)
        return dict(_is="thing", type=type(x).__name__[:LONGEST_NAME])

    def _function(self, x):
        name = str(getattr(x, "__name__", type(x).__name__))[:LONGEST_NAME]
        return dict(_is="function", number=self.add(x), name=name, stub=is_stub(x), signature=_signature(x))

    def _class(self, x):
        own = (part for part in x.__mro__ if part.__module__.partition(".")[0] not in LIBRARIES)
        methods = {name for part in own for name, method in vars(part).items() if callable(method)}
        first = sorted(methods, key=lambda name: (name not in ("__init__", "forward"), name))
        return self._function(x) | dict(
            _is="class",
            methods={name: _signature(getattr(x, name)) for name in first[:MOST_METHODS]},
            is_layer=LAYER in [f"{part.__module__}.{part.__qualname__}" for part in x.__mro__],
            missing=str(getattr(x, "_library", ""))[:LONGEST_NAME],
        )


def _array(x):
    """Return an array that can be handed over, or the type and shape of one that is too large, or of another kind."""
    if x.size <= LARGEST and x.dtype.kind in OF_KIND and x.dtype.str not in TYPES:
        x = x.astype(OF_KIND[x.dtype.kind])
    if x.size <= LARGEST and fits(x):
        return np.array(x)
    if x.size <= MOST_OBJECTS and x.dtype.kind in "OU" and take_little(x.ravel().tolist()):
        return dict(_is="objects", items=x.ravel().tolist(), texts=x.dtype.kind == "U", shape=list(x.shape))
    if is_vast(x.shape):
        return dict(_is="thing", type=f"array of {x.size:,} numbers")
    return dict(_is="vast", type=x.dtype.str if x.dtype.str in TYPES else x.dtype.kind, shape=list(x.shape))


def _plain(x):
    """Return a value as its plain kind: a subclass could hold anything."""
    if isinstance(x, str):
        return str.__str__(x)  # of a member of an Enum str() makes its name
    return next(kind(x) for kind in (bool, int, float, dict, list, tuple) if isinstance(x, kind))


def _signature(function):
    """Return [name, kind, default or None] for each parameter, a default as a list of one; None if Python has none."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    told = [[p.name, int(p.kind), None if p.default is p.empty else [_shown(p.default)]] for p in parameters]
    return told[:MOST_PARAMETERS]


def _shown(default):
    if type(default) is str:
        return default[:LONGEST_NAME]
    return default if default is None or type(default) in (bool, int, float) else repr(default)[:LONGEST_NAME]
