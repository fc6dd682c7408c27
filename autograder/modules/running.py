"""A learner's module as a pure function of inputs and weights, like the exercise's reference."""

import inspect

import numpy as np
import torch
from torch import nn
from torch.func import functional_call

from .places import ADVICE, CROSS, Misfit, filled, places_of, tokens_of

PROJECTIONS = ("query", "key", "value", "output")


def built(layer_class, exercise, inputs, seed=0, **options):
    """An instance for these inputs, in evaluation mode; the learner's random numbers stay as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # the CPU's alone
        layer = layer_class(**exercise.arguments(inputs) | options)
    nn.Module.eval(layer)  # whatever the class made of the method
    return layer


def as_tensors(inputs):
    """Copies of a case's arrays."""
    return {n: torch.from_numpy(x.copy()) if isinstance(x, np.ndarray) else x for n, x in inputs.items()}


def required(parameters):
    """The names of those without a default."""
    return [name for name, default in parameters.items() if default is inspect.Parameter.empty]


def as_function(layer_class, exercise):
    """What the class computes, with the parameters of the exercise's reference."""

    def function(*inputs, **options):
        named = dict(zip(required(exercise.parameters), inputs)) | options
        return run(built(layer_class, exercise, named), exercise, named)

    return function


def run(layer, exercise, inputs):
    """Forward with the weights of these inputs in the place of the layer's own; gradients flow to them."""
    given = {n: inputs[n] for n in exercise.forward_parameters if n in inputs}
    positional = [given.pop(name) for name in required(exercise.forward_parameters)]
    dtype = next((x.dtype for x in inputs.values() if isinstance(x, torch.Tensor) and x.is_floating_point()), None)
    return functional_call(layer.to(dtype), weights_for(layer, inputs), tuple(positional), given)


def weights_for(layer, inputs):
    """Parameter name -> the tensor that stands there when the layer has the weights of these inputs."""
    if "self_weights" in inputs:
        return _decoder_weights(layer, inputs)
    matrices, biases = _named("w_", inputs), _named("b_", inputs)
    found = _attention_weights(layer, places_of(layer), matrices, biases, inputs.get("heads", 1))
    for name in (name for name, _ in layer.named_parameters() if name not in found):
        raise Misfit(f"What is your `{name}` for? The exercise needs no weights of that name.")
    return found


def _named(prefix, inputs):
    return {name: inputs[prefix + name] for name in PROJECTIONS if inputs.get(prefix + name) is not None}


def _attention_weights(layer, places, matrices, biases, heads):
    """All that is needed has its place, and nothing else has one."""
    _complain_of_missing_projections(layer, places, matrices)
    for place in places:
        if place.projection not in (*matrices, "fused"):
            raise Misfit(f"What is your `{place.name}` for? The exercise has no projection of that name.")
    has_bias = {place.projection for place in places if place.is_bias}
    if has_bias and not biases:
        raise Misfit(_UNWANTED_BIASES, "always_has_biases")
    without = [name for name in biases if name not in has_bias and not _fused(name, has_bias)]
    if without:
        name = "forgets_some_biases" if has_bias else "never_has_biases"
        raise Misfit(_MISSING_BIASES.format(" and ".join(without)), name)
    return {place.name: filled(place, biases if place.is_bias else matrices, heads) for place in places}


_NO_WEIGHTS = (
    "Your layer holds no weights. They are made in `__init__`, once, and kept as attributes: `self.query = ...`. "
    "A variable without `self.` is gone when `__init__` ends, and what `forward` makes is new at every call."
)
_UNWANTED_BIASES = (
    "Your layer has biases where none are wanted. `nn.Linear` makes one by itself; its argument `bias` leaves it out. "
    "A bias is a number that is added to each output, whatever the input is."
)
_MISSING_BIASES = (
    "Your layer has no bias for {}. Each of the four projections has one, unless `bias=False` was asked for. "
    "What reaches every `nn.Linear`?"
)


def _fused(name, projections):
    return name != "output" and "fused" in projections


def _complain_of_missing_projections(layer, places, matrices):
    found = {place.projection for place in places if not place.is_bias}
    missing = [name for name in matrices if name not in found and not _fused(name, found)]
    if missing and not any(True for _ in layer.parameters()):
        raise Misfit(_NO_WEIGHTS)
    if missing:
        endings = dict(output=", `output`", out_proj=", `out_proj`", w_output=", `w_output`")
        endings = endings if "output" in matrices else dict.fromkeys(endings, "")
        names = ", ".join(f"`{name}`" for name, _ in layer.named_parameters()) or "none at all"
        advice = ADVICE.format(**endings)
        raise Misfit(f"Found no weights for {', '.join(missing)}. Your layer's parameters are: {names}. {advice}")


def _decoder_weights(layer, inputs):
    """Two attentions, told by their names or else by their order, and two matrices told by their sizes."""
    attention = [place for place in places_of(layer) if not _is_norm(layer, place.name)]
    attention = [place for place in attention if not _is_feed_forward(place.name)]
    owners = list(dict.fromkeys(place.owner for place in attention))
    cross = [owner for owner in owners if CROSS & set(tokens_of(owner))] or owners[1:]
    weights = {}
    for part in ("self", "cross"):
        mine = [place for place in attention if (place.owner in cross) == (part == "cross")]
        matrices, biases = (dict(zip(PROJECTIONS, inputs[f"{part}_{kind}"])) for kind in ("weights", "biases"))
        weights |= _attention_weights(layer, mine, matrices, biases, inputs["heads"])
    return weights | _feed_forward_weights(layer, inputs, weights)


def _is_feed_forward(name):
    return bool({"feed", "ff", "ffn", "mlp", "fc", "linear", "widen", "narrow", "hidden"} & set(tokens_of(name)[:-1]))


def norms_of(layer):
    """The parameters of its normalisations, by name."""
    return [name for name, _ in layer.named_parameters() if _is_norm(layer, name)]


def _is_norm(layer, name):
    owner = layer.get_submodule(name.rpartition(".")[0])
    return isinstance(owner, nn.LayerNorm) or bool({"norm", "norms", "ln"} & set(tokens_of(name)))


def _feed_forward_weights(layer, inputs, taken):
    found = {}
    for name, parameter in layer.named_parameters():
        if name in taken or _is_norm(layer, name):
            continue
        is_linear = isinstance(layer.get_submodule(name.rpartition(".")[0]), nn.Linear)
        matrices = (inputs[matrix].T if is_linear else inputs[matrix] for matrix in ("w_widen", "w_narrow"))
        candidates = [*matrices, inputs["b_widen"], inputs["b_narrow"]]
        found[name] = next((x for x in candidates if x.shape == parameter.shape), None)
        if found[name] is None:
            size = "×".join(map(str, parameter.shape))
            raise Misfit(
                f"What is your `{name}` of size {size} for? All that the exercise needs has its place already."
            )
    if len(found) != 4:
        raise Misfit(
            "Found no feed-forward part: two nn.Linear, from `model_size` to `hidden_size` and back, each with a bias. "
            "Name it `feed_forward`."
        )
    return found
