"""Which way round a class keeps its square weights, found out by what its layers do.

`x @ self.weight` keeps (in, out), as mha_ref does, and `x @ self.weight.T` keeps (out, in), as nn.Linear does. Where
the size does not tell, the layer is probed. If feature 0 of every token is zero, row 0 of an (in, out) projection has
no effect on the output; and column 1 of the projection that makes the output has no effect on its other columns. In a
layer of parts norms may mix the columns, so there the last projection is probed by giving it no feature 0.
"""

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import torch

from autograder.judging.running import caught_output, quiet
from autograder.judging.time_limits import TooSlow
from mha_lessons.hooks import is_weight

ABSENT, IGNORED = 0, 1  # the feature that no token has, and the column of the output that is not looked at
SEQUENCES = "query", "x", "memory"


@dataclass
class Orientation:
    """How a class keeps its weights. turned: name of a parameter -> whether it lies (out, in).

    undecided: names of parameters that fit both ways; goes_by_order: whether only their order tells projections apart.
    """

    turned: dict = field(default_factory=dict)
    undecided: set = field(default_factory=set)
    goes_by_order: bool = False

    def way_of(self, name, ways):
        """Return one of the ways that fit; the way that alone fits one size is the way of the other sizes, too."""
        if len(ways) == 1:
            self.turned.setdefault(name, ways[0])
        elif name not in self.turned:
            self.undecided.add(name)
        known = self.turned.get(name)
        return known if known in ways else ways[0]


KNOWN = WeakKeyDictionary()


def orientation_of(layer_class):
    return KNOWN.setdefault(layer_class, Orientation())


def forget(layer_class):
    """Forget a class before it is judged: what it calls may have been written anew since the last time."""
    KNOWN.pop(layer_class, None)


def placed(layer, inputs, place):
    """Return the name of each parameter and the tensor that is there when the layer has these weights.

    place: (layer, inputs, orientation) -> the same, for a given orientation.
    """
    orientation = orientation_of(layer.of)
    weights = place(layer, inputs, orientation)
    if not orientation.undecided:
        return weights
    decide(layer, inputs, orientation, place)
    return place(layer, inputs, orientation)


def decide(layer, inputs, orientation, place):
    """Decide what is undecided. place(layer, inputs, orientation) returns what each parameter holds."""
    undecided, orientation.undecided = orientation.undecided, set()
    training = layer.look("modes_of")[""]
    try:
        with torch.no_grad(), quiet(), caught_output():
            layer.look("switch", "train", False)
            found = _ways(layer, inputs, orientation, undecided, place)
    except (TooSlow, KeyboardInterrupt):
        raise
    except BaseException:  # whatever is wrong with it will be seen where its results are looked at
        found = {}
    finally:
        if training:
            layer.train()
    orientation.turned |= dict.fromkeys(undecided, False) | found


def _ways(layer, inputs, orientation, undecided, place):
    """Return for the name of each undecided parameter whether it lies (out, in)."""
    marks = {way: place(layer, _marks(inputs), _all(orientation, undecided, way)) for way in (False, True)}
    probes = [place(layer, probe, _all(orientation, undecided, False)) for probe in _probes(inputs)]
    outputs = [_output_of(layer, inputs, weights) for weights in probes]

    def has_no_effect(name, way):
        changed = (weights | {name: weights[name] + marks[way][name]} for weights in probes)
        return all(torch.allclose(_output_of(layer, inputs, w), out) for w, out in zip(changed, outputs))

    return {name: not has_no_effect(name, False) and has_no_effect(name, True) for name in undecided}


def _all(orientation, undecided, way):
    return Orientation(orientation.turned | dict.fromkeys(undecided, way))


def _output_of(layer, inputs, weights):
    """Return what the layer makes of tokens that lack a feature, in all columns but one."""
    dice = torch.Generator().manual_seed(1)
    sequences = [_without_a_feature(inputs[name].shape[-1], dice) for name in SEQUENCES if name in inputs]
    out = layer.call(weights, sequences, {})
    out = torch.as_tensor(out[0] if isinstance(out, (tuple, list)) else out)
    return out[..., torch.arange(out.shape[-1]) != IGNORED]


def _without_a_feature(size, dice):
    """Draw a text of 4 tokens whose mean is zero, so that the feature stays zero when they are normalised."""
    x = torch.randn(1, 4, size, generator=dice, dtype=torch.float64)
    x[..., ABSENT] = 0
    x[..., ABSENT + 1 :] -= x[..., ABSENT + 1 :].mean(dim=-1, keepdim=True)
    return x


def _probes(inputs):
    """Return random weights; in a layer of parts those of one at a time, with zeros for the others."""
    drawn = _drawn(inputs)
    parts = [{n: x for n, x in drawn.items() if n.startswith(begins)} for begins in ("self_", "cross_", ("w_", "b_"))]
    nothing = {name: 0 * x for name, x in drawn.items()}
    for name in (name for name in ("self", "cross") if f"{name}_weights" in inputs):
        w_value, b_value = drawn[f"{name}_weights"][2], drawn[f"{name}_biases"][2]
        w_value[ABSENT], w_value[:, ABSENT], b_value[ABSENT] = 0, 0, 0
    return [inputs | nothing | part for part in parts if part]


def _marks(inputs):
    """Return weights that are zero, but for those that should make no difference."""
    marks = _drawn(inputs)
    for name, x in marks.items():
        if name.startswith("b_") or name.endswith("_biases"):
            x.zero_()
        elif name in ("w_output", "w_narrow"):
            x[:, torch.arange(x.shape[-1]) != IGNORED] = 0
        else:
            x[..., ABSENT + 1 :, :] = 0
    return inputs | marks


def _drawn(inputs):
    """Draw random numbers for all weights."""
    dice = torch.Generator().manual_seed(0)
    shapes = {name: x.shape for name, x in inputs.items() if is_weight(name) and x is not None}
    return {n: torch.randn(s, generator=dice, dtype=torch.float64) / s[-1] ** 0.5 for n, s in shapes.items()}
