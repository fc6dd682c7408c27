"""Faults in how a class is built: why the judge's weights have no place in it."""

import torch
from torch import nn

from .names import projections_of

OF_EVERY_MODULE = vars(nn.Module())


def keeps_layers_out_of_sight(layer):
    """Your layer keeps weights where PyTorch does not see them. It looks for modules and parameters among the
    attributes of `self`, but not inside a plain list, tuple or dict (and a comma at the end of a line makes a tuple).
    So no training would change them, and they would not be saved. Which kind of list does PyTorch look into?
    """
    seen = {id(parameter) for parameter in layer.parameters()}
    return any(id(p) not in seen for x in _attributes(layer).values() for p in _parameters_in(x))


def _attributes(layer):
    """What the learner put there beside modules, parameters and buffers."""
    return {name: x for name, x in vars(layer).items() if name not in OF_EVERY_MODULE}


def _parameters_in(x, depth=3):
    if isinstance(x, (list, tuple, dict)):
        parts = (x.values() if isinstance(x, dict) else x) if depth else ()
        return [p for part in parts for p in _parameters_in(part, depth - 1)]
    if isinstance(x, nn.Module):
        return list(x.parameters())
    return [x] if isinstance(x, nn.Parameter) else []


def keeps_weights_as_plain_tensors(layer):
    """Your layer keeps weights as plain tensors or as buffers, so PyTorch does not know that they are to be learned:
    `parameters()` leaves them out, and no training changes them. What makes a tensor a weight of its module?
    `nn.Linear` and `nn.Parameter` do.
    """
    kept = (*_attributes(layer).values(), *layer.buffers())
    return any(isinstance(x, torch.Tensor) and x.ndim > 1 for x in kept)


def shares_one_projection(layer):
    """Two of your projections are one and the same matrix: change one, and the other changes too. Queries, keys and
    values are three different views of a token, and each learns a matrix of its own. Where do you make the
    projections, and how many `nn.Linear` are made there?
    """
    return any(len({projections_of(name) for name in names} - {()}) > 1 for names in _names_of_each(layer))


def shares_one_attention(layer):
    """Your two attentions are one and the same module, under two names: what one learns, the other must do, too. The
    one looks at its own past, the other at the memory, and each learns weights of its own. Make two of them.
    """
    return any(len(names) > 1 for names in _names_of_each(layer))


def _names_of_each(layer):
    """All names of each parameter."""
    names = {}
    for name, parameter in layer.named_parameters(remove_duplicate=False):
        names.setdefault(id(parameter), []).append(name)
    return names.values()


def wraps_the_layer_of_torch(layer):
    """Your class hands its work to `nn.MultiheadAttention`, the layer that this course teaches you to write. Use
    projections, softmax and the functions that you wrote yourself. Lesson 06 compares the two.
    """
    return any(isinstance(part, nn.MultiheadAttention) for part in layer.modules())


def wraps_our_layer(layer, name):
    """Your class hands its work to the layer of the same name in `mha_ref`, where the course keeps its own. Write it
    yourself: the parts that earlier lessons taught are yours to use.
    """
    _, *parts = layer.modules()
    return any(type(part).__module__ == "mha_ref.layer" and type(part).__name__ == name for part in parts)
