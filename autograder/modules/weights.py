"""The judge's weights in the places of a learner's layer, or a Misfit that says what is not as it should be."""

from torch import nn

from .places import Misfit, filled, head_of, is_in_linear, places_of, tokens_of

PROJECTIONS = ("query", "key", "value", "output")
THINKING = {"narrow", "ff", "ffn", "mlp"}
CROSS = {"cross", "memory", "source", "src", "encoder", "enc"}


def weights_for(layer, inputs):
    """Parameter name -> the tensor that stands there when the layer has the weights of these inputs."""
    if "self_weights" in inputs:
        return _decoder_weights(layer, inputs)
    matrices, biases = ({p: inputs[kind + p] for p in PROJECTIONS if _has(inputs, kind + p)} for kind in ("w_", "b_"))
    found = _attention_weights(layer, places_of(layer), matrices, biases, inputs.get("heads", 1))
    for name in (name for name, _ in layer.named_parameters() if name not in found):
        raise Misfit(f"What is your `{name}` for? The exercise needs no weights of that name.")
    return found


def _has(inputs, name):
    return inputs.get(name) is not None


def _attention_weights(layer, places, matrices, biases, heads):
    """All that is needed has its place, and nothing else has one."""
    _no_projection_is_missing(layer, places, matrices)
    _biases_are_as_wanted(places, biases)
    for place in places:
        if place.projection not in (*matrices, "fused"):
            raise Misfit(f"What is your `{place.name}` for? The exercise has no projection of that name.")
    kind = {True: biases, False: matrices}
    return {place.name: filled(place, kind[place.is_bias], heads, head_of(place, places)) for place in places}


def _no_projection_is_missing(layer, places, matrices):
    names = ", ".join(f"`{name}`" for name, _ in layer.named_parameters())
    if not names:
        raise Misfit(_NO_WEIGHTS)
    missing = _without(matrices, {place.projection for place in places if not place.is_bias})
    if missing:
        found = f"Found no weights for {', '.join(missing)}. Your layer's parameters are: {names}."
        raise Misfit(f"{found} {_advice(matrices)}")


def _biases_are_as_wanted(places, biases):
    found = {place.projection for place in places if place.is_bias}
    if found and not biases:
        raise Misfit(_UNWANTED_BIASES, "always_has_biases")
    missing = _without(biases, found)
    if missing:
        name = "forgets_some_biases" if found else "never_has_biases"
        raise Misfit(_MISSING_BIASES.format(" and ".join(missing)), name)


def _without(wanted, found):
    """The projections that have no place, neither one of their own nor in a fused one."""
    fused = {"query", "key", "value"} if "fused" in found else set()
    return [name for name in wanted if name not in found | fused]


def _advice(matrices):
    """All the names that the judge knows, for the projections of this exercise."""
    short = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "out_proj"}
    series = (matrices, [short[name] for name in matrices], [f"w_{name}" for name in matrices])
    names = ", or ".join(", ".join(f"`{name}`" for name in one) for one in series)
    finds = "The judge puts its own weights into your layer, and finds them by name"
    return f"{finds}. Name your projections {names}; or one for three, `in_proj` or `qkv`."


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


def _decoder_weights(layer, inputs):
    """Norms keep their own; the feed-forward part is told by its sizes, and two attentions by name or by order."""
    thinking = _feed_forward_names(layer, len(inputs["b_widen"]))
    places = [p for p in places_of(layer) if p.name not in thinking and not is_norm(layer, p.name)]
    cross, weights = _cross_places(places), {}
    for part, mine in (("self", [p for p in places if p not in cross]), ("cross", cross)):
        matrices, biases = (dict(zip(PROJECTIONS, inputs[f"{part}_{kind}"])) for kind in ("weights", "biases"))
        weights |= _attention_weights(layer, mine, matrices, biases, inputs["heads"])
    weights |= _feed_forward_weights(layer, thinking, inputs)
    _all_else_are_norms(layer, weights, inputs)
    return weights


def _feed_forward_names(layer, hidden_size):
    """What has the hidden size on one side, and what stands beside it in the same module."""
    parameters = {name: p for name, p in layer.named_parameters() if not is_norm(layer, name)}
    wide = [name for name, parameter in parameters.items() if hidden_size in parameter.shape]
    homes = {name.rpartition(".")[0] for name in wide} - {""}
    flat = [name for name in parameters if "." not in name and THINKING & set(tokens_of(name))]
    return [name for name in parameters if name in wide + flat or name.rpartition(".")[0] in homes]


def _cross_places(places):
    """Those of the attention whose name speaks of another sequence, or else of the second that has an output."""
    named = [place for place in places if CROSS & set(tokens_of(place.name))]
    homes = list(dict.fromkeys(_home(place) for place in places if place.projection == "output"))
    second = homes[1] + "." if len(homes) > 1 else None
    return named or [place for place in places if second and place.name.startswith(second)]


def _home(place):
    """The module that a projection is in."""
    owner = place.name.rpartition(".")[0]
    return owner.rpartition(".")[0] if place.is_linear else owner


def _feed_forward_weights(layer, names, inputs):
    parameters, found = dict(layer.named_parameters()), {}
    for name in names:
        turned = is_in_linear(layer, name)
        matrices = (inputs[matrix].T if turned else inputs[matrix] for matrix in ("w_widen", "w_narrow"))
        candidates = [*matrices, inputs["b_widen"], inputs["b_narrow"]]
        found[name] = next((x for x in candidates if x.shape == parameters[name].shape), None)
    if len(found) != 4 or any(x is None for x in found.values()):
        sizes = ", ".join(f"`{name}` {'×'.join(map(str, parameters[name].shape))}" for name in names) or "none"
        raise Misfit(_NO_FEED_FORWARD.format(sizes))
    return found


_NO_FEED_FORWARD = (
    "The feed-forward part is two nn.Linear, from `model_size` to `hidden_size` and back, each with a bias. "
    "Found of these: {}."
)


def _all_else_are_norms(layer, weights, inputs):
    """With a number for each feature."""
    for name, parameter in layer.named_parameters():
        if name not in weights and parameter.numel() != inputs["x"].shape[-1]:
            size = "×".join(map(str, parameter.shape))
            what = f"What is your `{name}` of size {size} for?"
            raise Misfit(f"{what} All that the exercise needs has its place already.")


def norms_of(layer):
    """The modules that normalise, by name."""
    return {name.rpartition(".")[0] for name, _ in layer.named_parameters() if is_norm(layer, name)}


def is_norm(layer, name):
    owner = layer.get_submodule(name.rpartition(".")[0])
    return isinstance(owner, nn.LayerNorm) or any("norm" in token or token == "ln" for token in tokens_of(name))
