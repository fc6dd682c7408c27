"""Faults in how a class is built: why the judge's weights have no place in it."""

import torch
from torch import nn

OF_EVERY_MODULE = vars(nn.Module())


def keeps_layers_out_of_sight(layer: nn.Module):
    """Your layer keeps weights where PyTorch does not see them. It looks for modules and parameters among the
    attributes of `self`, but not inside a plain list, tuple or dict (and a comma at the end of a line makes a tuple).
    So no training would change them, and they would not be saved. Which kind of list does PyTorch look into?
    """
    seen = {id(parameter) for parameter in layer.parameters()}
    return any(id(p) not in seen for x in _attributes(layer).values() for p in _parameters_in(x))


def _attributes(layer):
    """Return what the learner put on the layer beside modules, parameters and buffers."""
    return {name: x for name, x in vars(layer).items() if name not in OF_EVERY_MODULE}


def _parameters_in(x, depth=3):
    if isinstance(x, (list, tuple, dict)):
        parts = (x.values() if isinstance(x, dict) else x) if depth else ()
        return [p for part in parts for p in _parameters_in(part, depth - 1)]
    if isinstance(x, nn.Module):
        return list(x.parameters())
    return [x] if isinstance(x, nn.Parameter) else []


def keeps_weights_as_plain_tensors(layer: nn.Module):
    """Your layer keeps weights as plain tensors or as buffers, so PyTorch does not know that they are to be learned:
    `parameters()` leaves them out, and no training changes them. What makes a tensor a weight of its module?
    `nn.Linear` and `nn.Parameter` do.
    """
    kept = (*_attributes(layer).values(), *layer.buffers())
    return any(isinstance(x, torch.Tensor) and x.ndim > 1 for x in kept)
