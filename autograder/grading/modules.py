"""A torch module here that stands for a learner's: its tree of parts and weights, and a forward that the worker does.

So `functional_call`, `named_parameters`, `isinstance(part, nn.Linear)`, gradients and modes mean here what they mean
there, and the judge looks at the one as it would at the other.
"""

from importlib import import_module

import torch
from torch import nn

from .handles import array, text, whole

OF_OTHERS = ("torch.nn.modules.", "mha_ref.layer.")  # classes that a part may be an instance of


def class_for(handle):
    """A class with the methods that the learner's has; building it builds the learner's."""
    body = {name: _method(name, signature) for name, signature in handle.methods.items()}
    body |= {name: method for name, method in OURS.items() if name in handle.methods}
    for name in OURS.keys() & body.keys():
        body[name] = _with_signature(name, body[name], handle.methods[name], handle)
    own = {"__handle__": handle, "__module__": "learner", "__qualname__": handle.name}
    made = type(handle.name, (RemoteLayer,), body | own)
    if handle.signature:
        made.__signature__ = handle.signature
    return made


def _method(name, signature):
    """One that is there, and that nobody calls."""

    def method(self, *inputs, **options):
        raise NotImplementedError(name)

    return method


def _with_signature(name, function, signature, handle):
    def method(self, *inputs, **options):
        return function(self, *inputs, **options)

    method.__name__, method.__signature__, method.__handle__ = name, signature, handle
    return method


class RemoteLayer(nn.Module):
    """What all of them can do."""

    def train(self, mode=True):
        modes = self._handle.remote.ask("train", at=self._number, mode=mode)["modes"]
        for name, part in self.named_modules():
            part.training = modes.get(name, mode) is True
        return self

    def state_dict(self):
        state = self._handle.remote.ask("state", at=self._number)["state"]
        return {text(name): torch.from_numpy(array(numbers)) for name, numbers in state.items()}

    def load_state_dict(self, state):
        numbers = {name: x.numpy() for name, x in state.items()}
        self._handle.remote.ask("load", at=self._number, state=numbers)


def make(self, *inputs, **options):
    """The learner's __init__, with the dice where they are here."""
    handle = type(self).__handle__
    seed = int(torch.randint(2**31, ()))
    reply = handle.remote.ask("make", at=handle.number, inputs=list(inputs), options=options, seed=seed)
    nn.Module.__init__(self)
    object.__setattr__(self, "_handle", handle)
    Tree(handle.remote.weights).grow(self, reply["layer"])
    object.__setattr__(self, "_number", whole(reply["layer"]["number"]))
    object.__setattr__(self, "_own", {name: id(p) for name, p in self.named_parameters()})


def run(self, *inputs, **options):
    """The learner's forward; weights that stand in the place of its own go along."""
    now = dict(self.named_parameters())
    state = {name: p for name, p in now.items() if id(p) != self._own.get(name)}
    own = [name for name, p in now.items() if name not in state and p.requires_grad]
    leaves = [*inputs, *options.values(), *state.values(), *(now[name] for name in own)]
    details = dict(state=state, own=own, inputs=list(inputs), options=options, seed=int(torch.randint(2**31, ())))
    return self._handle.outcome_of("forward", self._number, leaves, **details)


OURS = {"__init__": make, "forward": run}


class Tree:
    """Makes parts of descriptions; what stands in two places, or in two layers, is one thing."""

    def __init__(self, weights):
        self.known, self.weights = {}, weights

    def grow(self, module, tree):
        """Weights, buffers and parts into a module that has none."""
        self.known[whole(tree["number"])] = module
        module.training = tree["training"] is True
        for name, parameter in tree["parameters"].items():
            module.register_parameter(text(name), None if parameter is None else self.weight(parameter))
        for name, buffer in tree["buffers"].items():
            module.register_buffer(text(name), _tensor(buffer["numbers"]), persistent=buffer["saved"] is True)
        for name, part in tree["parts"].items():
            module.add_module(text(name), self.part(part))
        for name, other in tree["others"].items():
            object.__setattr__(module, f"other_{text(name)}", self.other(other))

    def part(self, tree):
        if whole(tree["number"]) in self.known:
            return self.known[tree["number"]]
        module = _kind(tree["types"])()
        self.grow(module, tree)
        return module

    def weight(self, parameter):
        number = whole(parameter["number"])
        made = self.weights.get(number)
        if made is None:
            made = nn.Parameter(_tensor(parameter["numbers"]), requires_grad=parameter["learns"] is True)
            self.weights[number] = made
        return made

    def other(self, x):
        """What a layer holds beside its parts: lists of weights, and tensors."""
        if isinstance(x, list):
            return [self.other(item) for item in x]
        if isinstance(x, dict):
            return _tensor(x["tensor"]) if "tensor" in x else self.weight(x)
        return None


def _tensor(numbers):
    return torch.from_numpy(array(numbers)).clone()


def _kind(types):
    """A class that counts as what the learner's part is, and does nothing."""
    known = next((known for name in types if (known := _known(text(name)))), nn.Module)
    module, _, name = text(types[0]).rpartition(".")
    return type(name, (known,), {"__init__": nn.Module.__init__, "__module__": module})


def _known(name):
    """The class of torch or of mha_ref that has this name."""
    kind = name.rpartition(".")[2]
    if not name.startswith(OF_OTHERS):
        return None
    home = nn if name.startswith("torch.") else import_module("mha_ref.layer")
    found = getattr(home, kind, None)
    return found if isinstance(found, type) and issubclass(found, nn.Module) else None
