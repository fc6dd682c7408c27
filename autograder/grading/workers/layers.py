"""The worker's side of a torch module: what it is made of, and its forward with the judge's weights."""

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from ...judging.modules.contents import exchanged
from ...judging.values import to_array
from ..wire.replies import LONGEST_NAME
from .object_registry import types_of

OF_EVERY_MODULE = vars(nn.Module())
MOST_PARTS = 1000
WITHOUT_WEIGHTS = (str, bytes, bool, int, float, complex, type(None))  # a layer may keep a dictionary of a language


def tensor(numbers):
    return torch.from_numpy(numbers)


def described(layer, objects):
    """Describe all parts of a layer as a tree; what is in two places is told once, and named by its number."""
    seen = set()

    def part(module):
        number = objects.number_of(module)
        if number in seen or len(seen) > MOST_PARTS:
            return {"number": number}
        seen.add(number)
        return {
            "number": number,
            "types": types_of(type(module)),
            "training": bool(module.training),
            "parameters": {name: None if p is None else weight(p) for name, p in module._parameters.items()},
            "buffers": {name: kept(b, name, module) for name, b in module._buffers.items() if b is not None},
            "parts": {name: part(child) for name, child in module._modules.items() if child is not None},
            "others": {n[:LONGEST_NAME]: other(x) for n, x in vars(module).items() if n not in OF_EVERY_MODULE},
        }

    def weight(parameter):
        number = objects.number_of(parameter)
        if number in seen:
            return {"number": number}
        if is_lazy(parameter):
            return {"number": number, "lazy": True}
        seen.add(number)
        return {"number": number, "numbers": to_array(parameter), "learns": bool(parameter.requires_grad)}

    def other(x, depth=3):
        """Describe what the layer holds beside its parts, where weights could hide."""
        if isinstance(x, (list, tuple, dict)):
            items = [item for item in (x.values() if isinstance(x, dict) else x) if type(item) not in WITHOUT_WEIGHTS]
            return [found for item in items if depth and (found := other(item, depth - 1))]
        if isinstance(x, nn.Module):
            return [weight(parameter) for parameter in x.parameters()]
        if isinstance(x, nn.Parameter):
            return weight(x)
        return {"shape": list(x.shape)} if isinstance(x, torch.Tensor) else None

    objects.add_layer(layer)
    return part(layer)


def kept(buffer, name, module):
    """Describe a buffer without its numbers, which are not asked for; a mask for the longest text has many."""
    return {"shape": list(buffer.shape), "saved": name not in module._non_persistent_buffers_set}


def forward(layer, state, inputs, options):
    """Call a layer as learners do, with these weights in the place of its own."""
    with exchanged(layer.to(inputs[0].dtype), state):
        return layer(*inputs, **options)
