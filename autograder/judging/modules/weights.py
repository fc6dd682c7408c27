"""The judge's weights in the places of a learner's layer, or a Misfit that says what is not as it should be."""

from .places import Misfit, filled, head_of, places_of

PROJECTIONS = ("query", "key", "value", "output")


def layer_weights(layer, inputs):
    """Parameter name -> the tensor that stands there, for a layer that is one attention."""
    matrices, biases = ({p: inputs[kind + p] for p in PROJECTIONS if _has(inputs, kind + p)} for kind in ("w_", "b_"))
    found = attention_weights(layer, places_of(layer), matrices, biases, inputs.get("heads", 1))
    for name in (name for name, _ in layer.named_parameters() if name not in found):
        raise Misfit(f"What is your `{name}` for? The exercise needs no weights of that name.")
    return found


def _has(inputs, name):
    return inputs.get(name) is not None


def attention_weights(layer, places, matrices, biases, heads):
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
