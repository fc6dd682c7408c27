"""What a worker says of things that do not cross the wire: what they are, and under which number they are kept."""

import inspect
from collections import OrderedDict
from decimal import Decimal
from fractions import Fraction
from itertools import count
from numbers import Complex
from weakref import ref

import numpy as np

from ..judging.outcome import LARGEST, to_array
from ..judging.stub import is_stub
from .wire import TYPES

MOST_KEPT, MOST_LAYERS = 2000, 100  # functions and classes; layers
LONGEST = 100  # characters of a name


class Belongings:
    """Number -> thing; `differentiable`: tensors of the last reply that have a gradient."""

    def __init__(self):
        self.things, self.layers, self.differentiable = OrderedDict(), OrderedDict(), []
        self.numbers, self.count = {}, count()

    def __getitem__(self, number):
        return self.things[number] if number in self.things else self.layers[number]

    def add(self, thing):
        return self._kept(thing, self.things, MOST_KEPT)

    def add_layer(self, layer):
        """Of layers only the last ones are kept: the judge makes many, and looks at one or two."""
        return self._kept(layer, self.layers, MOST_LAYERS)

    def number_of(self, thing):
        """Its own for as long as it lives."""
        known, number = self.numbers.get(id(thing), (lambda: None, None))
        if known() is not thing:
            number = next(self.count)
            self.numbers[id(thing)] = _reference(thing), number
        return number

    def _kept(self, thing, shelf, most):
        number = self.number_of(thing)
        shelf[number] = thing
        while len(shelf) > most:
            shelf.popitem(last=False)
        return number

    def describe(self, x):
        """A dict that says what it is; see handles.py for what becomes of it."""
        if _is_tensor(x):
            return self._tensor(x)
        if isinstance(x, np.ma.MaskedArray):
            return dict(_is="array", numbers=x.astype(float).filled(np.nan))
        if isinstance(x, np.ndarray):
            return _array(x)
        if isinstance(x, np.generic):
            return dict(_is="scalar", numbers=np.asarray(x))
        if isinstance(x, type):
            return self._class(x)
        if isinstance(x, (bool, int, float, str, list, tuple, dict)):
            return dict(_is="value", value=_plain(x))
        if isinstance(x, (Fraction, Decimal)):
            return dict(_is=type(x).__name__, text=str(x)[:LONGEST])
        if callable(x):
            return self._function(x)
        if hasattr(x, "__array__") and not isinstance(x, Complex):
            return self.describe(np.asarray(x))
        return dict(_is="thing", type=type(x).__name__[:LONGEST])

    def _tensor(self, x):
        number = None
        if x.requires_grad and x.grad_fn is not None:
            self.differentiable.append(x)
            number = len(self.differentiable) - 1
        narrow = str(x.dtype) == "torch.bfloat16"
        return dict(_is="tensor", numbers=to_array(x.float() if narrow else x), bfloat16=narrow, gradient=number)

    def _function(self, x):
        name = str(getattr(x, "__name__", type(x).__name__))[:LONGEST]
        return dict(_is="function", number=self.add(x), name=name, stub=is_stub(x), signature=_signature(x))

    def _class(self, x):
        methods = {n for part in x.__mro__ if not _is_library(part) for n, f in vars(part).items() if callable(f)}
        return dict(
            _is="class",
            number=self.add(x),
            name=x.__name__[:LONGEST],
            stub=is_stub(x),
            signature=_signature(x),
            methods={name: _signature(getattr(x, name)) for name in sorted(methods)[:50]},
            types=types_of(x),
        )


def _reference(thing):
    """A weak one, where that can be had: it does not keep a layer's weights alive."""
    try:
        return ref(thing)
    except TypeError:
        return lambda: thing


def _is_tensor(x):
    return type(x).__module__.partition(".")[0] == "torch" and hasattr(x, "detach")


def _array(x):
    """One that is too large, or of another kind, as its type and shape alone."""
    if x.dtype.str in TYPES and x.size <= LARGEST:
        return dict(_is="array", numbers=np.array(x))
    if x.dtype.kind in "fc" and x.size <= LARGEST:
        return dict(_is="array", numbers=x.astype(complex if x.dtype.kind == "c" else float))
    return dict(_is="vast", type=x.dtype.str if x.dtype.str in TYPES else x.dtype.kind, shape=list(x.shape))


def _plain(x):
    """As the kind that it is made from: a subclass could hold anything."""
    for kind in (bool, int, float, str):
        if isinstance(x, kind):
            return kind(x)
    if isinstance(x, dict):
        return dict(x)
    return list(x) if isinstance(x, list) else tuple(x)


def _is_library(part):
    return part.__module__.partition(".")[0] in ("torch", "builtins", "abc", "typing")


def types_of(kind):
    """The names of a class, and of those it is made from."""
    return [f"{part.__module__}.{part.__qualname__}"[:LONGEST] for part in kind.__mro__][:30]


def _signature(function):
    """[name, kind, default or None] of each parameter, a default as a list of one; None where Python knows none."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [[p.name, int(p.kind), None if p.default is p.empty else [_shown(p.default)]] for p in parameters][:50]


def _shown(default):
    return default if default is None or type(default) in (bool, int, float, str) else repr(default)[:LONGEST]
