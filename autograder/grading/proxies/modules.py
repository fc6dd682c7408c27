"""A torch module that represents a learner's: its tree of parts and weights, and a forward that the worker runs.

So `functional_call`, `named_parameters`, `isinstance(part, nn.Linear)`, gradients and modes mean here what they mean
there, and the judge looks at the one as it would at the other.
"""

import inspect
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module

import torch
from torch import nn
from torch.nn.parameter import UninitializedParameter, is_lazy

from ...outline import outline
from ..wire.frames import MOST_AXES, Malformed
from ..wire.words import MOST_LEFT, MOST_TYPES, array, few, name, names, whole

MOST_PLACES = 10_000  # places of parts and weights: a part in two places doubles all that is in it
OF_OTHERS = ("torch.nn.modules.", f"{outline().layers}.")  # classes that a part may be an instance of
# Attributes that we add: each would hide a part of the same name, and no name of Python's holds a blank.
ORIGIN, BEFORE_OTHERS = "its origin", " "


def class_for(handle):
    """Make a class with the methods that the learner's has; building it builds the learner's."""
    body = {name: method for name in handle.methods if (method := _method(name, handle))}
    own = {"__handle__": handle, "__module__": "learner", "__qualname__": handle.name}
    made = type(handle.name, (RemoteLayer,), body | own)
    if handle.signature:
        made.__signature__ = handle.signature
    return made


def _method(name, handle):
    """Return our method in its place, or one that does nothing for those that are not called."""
    does = OURS.get(name) or getattr(RemoteLayer, name, None) or partial(_nothing, name)
    if name in CALLED_BY_PYTHON or not (inspect.isroutine(does) or isinstance(does, partial)):
        return None

    def method(self, *inputs, **options):
        return does(self, *inputs, **options)

    method.__name__, method.__handle__ = name, handle
    if handle.methods[name]:
        method.__signature__ = handle.methods[name]
    return method


def _nothing(name, self, *inputs, **options):
    raise NotImplementedError(name)


@dataclass
class Origin:
    """Where a layer is: of which class, its number there, and which weights are its own (name -> id)."""

    handle: object
    number: int
    own: dict


class RemoteLayer(nn.Module):
    """What all of them can do."""

    def train(self, mode=True):
        return self._switched("train", mode)

    def eval(self):
        """Call `eval`, and not `train(False)`: a learner's class may have one of its own."""
        return self._switched("eval", False)

    def _switched(self, method, mode):
        with self._asked("switch", method=method, mode=mode) as reply:
            modes = reply.value
            for name, part in self.named_modules():
                part.training = modes.get(name, mode) is True
        return self

    def left_behind(self, given, named):
        """Return what calls change in the layer, seen where it is."""
        with self._asked("leave", inputs=list(given), options=named, seed=int(torch.randint(2**31, ()))) as reply:
            return {what: names(reply.value[what], MOST_LEFT) for what in ("saved", "modes")}

    def state_dict(self):
        """Return a token for the state: whatever a layer saves stays where the layer is."""
        with self._asked("save") as reply:
            return whole(reply.value)

    def load_state_dict(self, saved):
        with self._asked("load", saved=saved):
            pass

    @contextmanager
    def _asked(self, do, **details):
        """Return the worker's reply, to be taken apart."""
        origin = vars(self)[ORIGIN]
        reply = origin.handle.remote.ask(do, at=origin.number, **details)
        with origin.handle.remote.distrusted():
            yield reply


def make(self, *inputs, **options):
    """Call the learner's __init__, with random numbers as they are here."""
    handle = type(self).__handle__
    seed = int(torch.randint(2**31, ()))
    reply = handle.remote.ask("make", at=handle.number, inputs=list(inputs), options=options, seed=seed)
    nn.Module.__init__(self)
    vars(self)[ORIGIN] = Origin(handle, 0, {})
    with handle.remote.distrusted():
        grow(self, reply.value)


def grow(layer, tree):
    """Add all parts that the worker says a layer is made of."""
    handle = vars(layer)[ORIGIN].handle
    Tree(handle.remote.weights).grow(layer, tree)
    own = {name: id(p) for name, p in layer.named_parameters()}
    vars(layer)[ORIGIN] = Origin(handle, whole(tree["number"]), own)


def run(self, *inputs, **options):
    """Call the learner's forward; weights that replace its own go along."""
    origin, now = vars(self)[ORIGIN], dict(self.named_parameters())
    state = {name: p for name, p in now.items() if id(p) != origin.own.get(name)}
    own = [name for name, p in now.items() if name not in state and p.requires_grad and not is_lazy(p)]
    leaves = [*inputs, *options.values(), *state.values(), *(now[name] for name in own)]
    details = dict(state=state, own=own, inputs=list(inputs), options=options, seed=int(torch.randint(2**31, ())))
    try:
        return origin.handle.outcome_of("forward", origin.number, leaves, **details)
    finally:
        if any(map(is_lazy, now.values())):
            with self._asked("describe") as reply:
                grow(self, reply.value)


OURS = {"__init__": make, "forward": run}
# By Python, NumPy or torch, wherever a layer is: what a learner means by them is done by the worker.
CALLED_BY_PYTHON = {"__bool__", "__len__", "__iter__", "__del__", "__array__", "__torch_function__", "__slots__"}
CALLED_BY_PYTHON |= {"__getattribute__", "__new__", "__set_name__", "__get__", "__classcell__", "__class__", "__dict__"}


class Tree:
    """Makes parts from descriptions; a part in two places, or in two layers, is one object."""

    def __init__(self, weights):
        self.known, self.places, self.weights = {}, {}, weights

    def grow(self, module, tree):
        """Put weights, buffers and parts into a module that has none."""
        self.known[whole(tree["number"])] = module
        module.training = tree["training"] is True
        for called, parameter in tree["parameters"].items():
            module._parameters[simple(called)] = None if parameter is None else self.weight(parameter)
        for called, buffer in tree["buffers"].items():
            module._buffers[simple(called)] = _without_numbers(buffer)
            module._non_persistent_buffers_set |= set() if buffer["saved"] is True else {called}
        for called, part in tree["parts"].items():
            module._modules[simple(called)] = self.part(part)
        for called, other in tree["others"].items():
            vars(module)[BEFORE_OTHERS + name(called)] = self.other(other)
        self.count(tree)

    def count(self, tree):
        """Count the places in a part. A part of itself would never end, and is refused."""
        inside = (self.places.get(part["number"], MOST_PLACES) for part in tree["parts"].values())
        self.places[tree["number"]] = 1 + len(tree["parameters"]) + len(tree["buffers"]) + sum(inside)
        if self.places[tree["number"]] > MOST_PLACES:
            raise Malformed("so many places")

    def part(self, tree):
        if whole(tree["number"]) in self.known:
            return self.known[tree["number"]]
        module = _kind(tree["types"])()
        self.grow(module, tree)
        return module

    def weight(self, parameter):
        number = whole(parameter["number"])
        if parameter.get("lazy") is True:
            return UninitializedParameter()
        made = self.weights.get(number)
        if made is None:
            made = nn.Parameter(_tensor(parameter["numbers"]), requires_grad=parameter["learns"] is True)
            self.weights[number] = made
        return made

    def other(self, x):
        """Return what a layer holds beside its parts: lists of weights, and tensors."""
        if isinstance(x, list):
            return [self.other(item) for item in x]
        if isinstance(x, dict):
            return _without_numbers(x) if "shape" in x else self.weight(x)
        return None


def simple(called):
    """Return the name of a part, which has no dots: these come between such names."""
    if not name(called) or "." in called:
        raise Malformed("no name of a part")
    return called


def _tensor(numbers):
    return torch.from_numpy(array(numbers))


def _without_numbers(description):
    """Return a tensor of this shape, which takes no memory."""
    return torch.empty(tuple(map(whole, few(description["shape"], MOST_AXES))), device="meta")


def _kind(types):
    """Return a class that counts as what the learner's part is, and does nothing."""
    types = names(types, MOST_TYPES)
    known = next((known for kind in types if (known := _known(kind))), nn.Module)
    module, _, called = types[0].rpartition(".")
    return type(called, (known,), {"__init__": nn.Module.__init__, "__module__": module})


def _known(name):
    """Return the class of torch, or of the reference, that has this name."""
    kind = name.rpartition(".")[2]
    if not name.startswith(OF_OTHERS):
        return None
    home = nn if name.startswith("torch.") else import_module(outline().layers)
    found = getattr(home, kind, None)
    return found if isinstance(found, type) and issubclass(found, nn.Module) else None
