"""Which way round a class keeps its square weights, found out by what its layers do.

`x @ self.weight` keeps (in, out), as mha_ref does, and `x @ self.weight.T` keeps (out, in), as nn.Linear does. Where
the size does not tell, we listen: tokens whose feature 0 is zero leave row 0 of a projection (in, out) without
effect; and without effect on the other columns of the output is column 1 of the projection that makes it. Norms may
mix the columns of a decoder layer; there the projection that makes the output gets nothing of feature 0.
"""

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import torch
from torch import nn

from ...inputs import is_weight
from ..conditions import caught_output, quiet
from ..time_limits import TooSlow
from .exchanged import exchanged

SILENT, UNHEARD = 0, 1  # the feature that no token has, and the column of the output that we do not look at
DRAWN = "query", "x", "memory"


@dataclass
class Habits:
    """What is known of a class. turned: name of a parameter -> whether it lies (out, in).

    doubts: names of those that fit both ways; guesses_order: whether projections were told by their order alone.
    """

    turned: dict = field(default_factory=dict)
    doubts: set = field(default_factory=set)
    guesses_order: bool = False

    def way_of(self, name, ways):
        """One of the ways that fit; whichever way alone fits one size is the way of the other sizes, too."""
        if len(ways) == 1:
            self.turned.setdefault(name, ways[0])
        elif name not in self.turned:
            self.doubts.add(name)
        known = self.turned.get(name)
        return known if known in ways else ways[0]


KNOWN = WeakKeyDictionary()


def habits_of(layer_class):
    return KNOWN.setdefault(layer_class, Habits())


def forget(layer_class):
    """Before a class is judged: what it calls may have been written anew since the last time."""
    KNOWN.pop(layer_class, None)


def settle(layer, inputs, habits, place):
    """Leave no doubts. place: a function of layer, inputs and habits that says what stands in each parameter."""
    doubts, habits.doubts = habits.doubts, set()
    training = layer.training
    try:
        with torch.no_grad(), quiet(), caught_output():
            nn.Module.eval(layer)
            found = _ways(layer, inputs, habits, doubts, place)
    except (TooSlow, KeyboardInterrupt):
        raise
    except BaseException:  # whatever is wrong with it will be seen where its results are looked at
        found = {}
    finally:
        if training:
            layer.train()
    habits.turned |= dict.fromkeys(doubts, False) | found


def _ways(layer, inputs, habits, doubts, place):
    """Name of each parameter in doubt -> whether it lies (out, in)."""
    traces = {way: place(layer, _traces(inputs), _all(habits, doubts, way)) for way in (False, True)}
    scenes = [place(layer, scene, _all(habits, doubts, False)) for scene in _scenes(inputs)]
    heard = [_heard(layer, inputs, weights) for weights in scenes]

    def unheard(name, way):
        changed = (weights | {name: weights[name] + traces[way][name]} for weights in scenes)
        return all(torch.allclose(_heard(layer, inputs, w), before) for w, before in zip(changed, heard))

    return {name: not unheard(name, False) and unheard(name, True) for name in doubts}


def _all(habits, doubts, way):
    return Habits(habits.turned | dict.fromkeys(doubts, way))


def _heard(layer, inputs, weights):
    """What comes of tokens that lack a feature, in all columns but one."""
    dice = torch.Generator().manual_seed(1)
    sequences = [_without_a_feature(inputs[name].shape[-1], dice) for name in DRAWN if name in inputs]
    with exchanged(layer.to(torch.float64), weights):
        out = layer(*sequences)
    out = torch.as_tensor(out[0] if isinstance(out, (tuple, list)) else out)
    return out[..., torch.arange(out.shape[-1]) != UNHEARD]


def _without_a_feature(size, dice):
    """A text of 4 tokens; their mean is zero, so that the feature is zero still in their normalised copies."""
    x = torch.randn(1, 4, size, generator=dice, dtype=torch.float64)
    x[..., SILENT] = 0
    x[..., SILENT + 1 :] -= x[..., SILENT + 1 :].mean(dim=-1, keepdim=True)
    return x


def _scenes(inputs):
    """Random weights; of a decoder layer, only one part at a time has a say."""
    drawn = _drawn(inputs)
    parts = [{n: x for n, x in drawn.items() if n.startswith(begins)} for begins in ("self_", "cross_", ("w_", "b_"))]
    silence = {name: 0 * x for name, x in drawn.items()}
    for name in ("self", "cross") if "self_weights" in inputs else ():
        w_value, b_value = drawn[f"{name}_weights"][2], drawn[f"{name}_biases"][2]
        w_value[SILENT], w_value[:, SILENT], b_value[SILENT] = 0, 0, 0
    return [inputs | silence | loud for loud in parts if loud]


def _traces(inputs):
    """Weights that are zero, but for those that should make no difference."""
    traces = _drawn(inputs)
    for name, x in traces.items():
        if name.startswith("b_") or name.endswith("_biases"):
            x.zero_()
        elif name in ("w_output", "w_narrow"):
            x[:, torch.arange(x.shape[-1]) != UNHEARD] = 0
        else:
            x[..., SILENT + 1 :, :] = 0
    return inputs | traces


def _drawn(inputs):
    """Random numbers for all weights."""
    dice = torch.Generator().manual_seed(0)
    shapes = {name: x.shape for name, x in inputs.items() if is_weight(name) and x is not None}
    return {n: torch.randn(s, generator=dice, dtype=torch.float64) / s[-1] ** 0.5 for n, s in shapes.items()}
