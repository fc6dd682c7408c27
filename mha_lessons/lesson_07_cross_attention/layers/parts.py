"""The judge's weights in the places of a layer of parts: one or two attentions, two matrices, and norms around them."""

from functools import partial
from math import prod

from torch import nn

from autograder.judging.layers.layer import Misfit
from mha_lessons.lesson_04_single_head.layers.names import projections_of, stem, tokens_of
from mha_lessons.lesson_04_single_head.layers.places import is_in_linear, places_of
from mha_lessons.lesson_04_single_head.layers.weights import PROJECTIONS, attention_weights
from mha_ref.layer import MultiHeadAttention

CROSS = {"cross", "memory", "source", "src", "encoder", "enc"}
THINKING = {"narrow", "ff", "ffn", "mlp"}


def weights_of_parts(layer, inputs, orientation):
    """Parameter name -> the tensor that is there; norms keep their own.

    The feed-forward part is told by its sizes, and two attentions by name, or by order.
    """
    _attentions_have_biases(layer)
    shapes = {name: weight.shape for name, weight in layer.weights.items()}
    learned = {name: shape for name, shape in shapes.items() if not is_norm(layer, name)}
    thinking = _feed_forward_names(learned, len(inputs["b_widen"]))
    places = _of_attentions([p for p in places_of(layer) if p.name in learned and p.name not in thinking], inputs)
    weights = {}
    for part, mine in _places_of_each(places, inputs).items():
        matrices, biases = (dict(zip(PROJECTIONS, inputs[f"{part}_{kind}"])) for kind in ("weights", "biases"))
        weights |= attention_weights(layer, mine, matrices, biases, inputs["heads"], orientation)
    weights |= _feed_forward_weights(layer, {name: learned[name] for name in thinking}, inputs, orientation)
    _all_else_are_norms({n: shape for n, shape in shapes.items() if n not in weights}, inputs)
    return weights


def _of_attentions(places, inputs):
    """Without what may be a norm's: a number for each feature, under a name that says nothing."""
    size = inputs["x"].shape[-1] ** 2
    with_matrix = {stem(place.name) for place in places if place.size == size}
    return [place for place in places if place.projections or stem(place.name) in with_matrix]


def _attentions_have_biases(layer):
    attentions = [name + "." if name else "" for name in layer.contents.parts if layer.is_a(name, MultiHeadAttention)]
    names = {name for weight in layer.weights.values() for name in weight.names}
    if any(f"{attention}output.bias" not in names for attention in attentions):
        raise Misfit(_NO_BIASES, "never_has_biases")


_NO_BIASES = (
    "An attention in your layer has no biases. The third argument of `MultiHeadAttention` is `bias`: "
    "a number that is there without a name is taken for it, and 0.0 means no. "
    "What do you give to your attentions, and under which names?"
)


def _feed_forward_names(shapes, hidden_size):
    """What has the hidden size on one side, and what stands beside it in the same module."""
    wide = [name for name, shape in shapes.items() if hidden_size in shape]
    homes = {name.rpartition(".")[0] for name in wide} - {""}
    flat = [name for name in shapes if "." not in name and THINKING & set(tokens_of(name))]
    return [name for name in shapes if name in wide + flat or name.rpartition(".")[0] in homes]


def _places_of_each(places, inputs):
    """The places of each attention, where there are two; of one, all of them."""
    if "cross_weights" not in inputs:
        return {"self": places}
    cross = _cross_places(places)
    return {"self": [place for place in places if place not in cross], "cross": cross}


def _cross_places(places):
    """Those of the attention whose name speaks of another sequence, or else of the second that has an output."""
    named = [place for place in places if CROSS & set(tokens_of(place.name))]
    homes = list(dict.fromkeys(_home(place) for place in places if "query" in place.projections))
    second = homes[1] + "." if len(homes) > 1 else None
    return named or [place for place in places if second and place.name.startswith(second)]


def _home(place):
    """What is in a name before the part that speaks of a projection."""
    parts = place.name.split(".")
    return ".".join(parts[: max(n for n, part in enumerate(parts) if projections_of(part))])


def _feed_forward_weights(layer, shapes, inputs, orientation):
    found, left = {}, {name: inputs[name] for name in ("w_widen", "w_narrow", "b_widen", "b_narrow")}
    for name, shape in shapes.items():
        plain = tuple(size for size in shape if size != 1)  # an axis of length 1 more or less is a matter of style
        turned = is_in_linear(layer, name) or (len(plain) == 2 and orientation.way_of(name, [False, True]))
        ways = (True,) if is_in_linear(layer, name) else (turned, not turned)  # the other one, if this is taken
        fitting = ((n, y) for way in ways for n, x in left.items() if (y := _laid(x, way)).shape == plain)
        used, weight = next(fitting, (None, None))
        if used:
            found[name] = weight.reshape(shape)
            del left[used]
    if len(found) != len(shapes) or left:
        sizes = ", ".join(f"`{name}` {'×'.join(map(str, shape))}" for name, shape in shapes.items()) or "none"
        raise Misfit(_NO_FEED_FORWARD.format(sizes))
    return found


def _laid(x, turned):
    return x.T if turned and x.ndim == 2 else x


_NO_FEED_FORWARD = (
    "The feed-forward part is two nn.Linear, from `model_size` to `hidden_size` and back, each with a bias. "
    "Found of these: {}."
)


def _all_else_are_norms(shapes, inputs):
    """Raise a Misfit unless each of these holds a number for each feature."""
    for name, shape in shapes.items():
        if prod(shape) != inputs["x"].shape[-1]:
            size = "×".join(map(str, shape))
            what = f"What is your `{name}` of size {size} for?"
            raise Misfit(f"{what} All that the exercise needs has its place already.")


def norms_of(layer):
    """The modules that normalise: name -> the names of what each of them learns."""
    norms: dict[str, list[str]] = {}
    for name in filter(partial(is_norm, layer), layer.weights):
        norms.setdefault(name.rpartition(".")[0], []).append(name)
    return norms


def is_norm(layer, name):
    owner = name.rpartition(".")[0]
    return layer.is_a(owner, nn.LayerNorm) or any("norm" in token or token == "ln" for token in tokens_of(name))
