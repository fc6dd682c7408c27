"""The judge's weights in the places of a learner's layer, or a Misfit that says what is not as it should be."""

from autograder.judging.layers.layer import Misfit

from .layouts import filled
from .names import is_computed_with
from .places import completed, head_of, places_of

PROJECTIONS = ("query", "key", "value", "output")


def layer_weights(layer, inputs, orientation):
    """Parameter name -> the tensor that is there, for a layer that is one attention."""
    matrices, biases = ({p: inputs[kind + p] for p in PROJECTIONS if _has(inputs, kind + p)} for kind in ("w_", "b_"))
    return attention_weights(layer, places_of(layer), matrices, biases, inputs.get("heads", 1), orientation)


def _has(inputs, name):
    return inputs.get(name) is not None


def attention_weights(layer, places, matrices, biases, heads, orientation):
    """All that is needed has its place, and nothing else has one."""
    _computes_no_weights(places)
    places = completed(places, matrices, orientation)
    _no_projection_is_missing(layer, places, matrices)
    _biases_are_as_wanted(places, biases)
    for place in places:
        if not place.projections:
            raise Misfit(f"What is your `{place.name}` for? The exercise needs no weights of that name.")
        if not set(place.projections) <= set(matrices):
            raise Misfit(f"What is your `{place.name}` for? The exercise has no projection of that name.")
    kind = {True: biases, False: matrices}
    return {
        place.name: filled(place, kind[place.is_bias], heads, head_of(place, places), orientation) for place in places
    }


def _computes_no_weights(places):
    for place in places:
        if is_computed_with(place.name):
            raise Misfit(_COMPUTED.format(place.name))


def _no_projection_is_missing(layer, places, matrices):
    names = ", ".join(f"`{name}`" for name in layer.weights)
    if not names:
        raise Misfit(_NO_WEIGHTS)
    missing = _without(matrices, {name for place in places if not place.is_bias for name in place.projections})
    if missing:
        found = f"Found no weights for {', '.join(missing)}. Your layer's parameters are: {names}."
        raise Misfit(f"{found} {_advice(matrices)}")


def _biases_are_as_wanted(places, biases):
    found = {name for place in places if place.is_bias for name in place.projections}
    if found and not biases:
        raise Misfit(_UNWANTED_BIASES, "always_has_biases")
    missing = _without(biases, found)
    if missing:
        name = "forgets_some_biases" if found else "never_has_biases"
        raise Misfit(_MISSING_BIASES.format(" and ".join(missing)), name)


def _without(wanted, found):
    """The projections that have no place, neither one of their own nor in a fused one."""
    return [name for name in wanted if name not in found]


def order_is_unclear(layer, inputs):
    """What to say where projections were told by their order alone, and the result is not right."""
    names = ", ".join(f"`{name}`" for name in layer.weights)
    matrices = [name for name in PROJECTIONS if _has(inputs, f"w_{name}") or "self_weights" in inputs]
    return f"{_UNCLEAR_ORDER.format(', '.join(matrices), names)} {_advice(matrices)}"


def _advice(matrices):
    """Names that the judge knows, for the projections of this exercise."""
    short = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "out_proj"}
    series = (matrices, [short[name] for name in matrices], [f"w_{name}" for name in matrices])
    names = ", or ".join(", ".join(f"`{name}`" for name in one) for one in series)
    finds = "The judge puts its own weights into your layer, and finds the places by name"
    return f"{finds}. Name your projections {names}; or one for three, `in_proj` or `qkv`."


_UNCLEAR_ORDER = (
    "The names of your projections do not say which is which. We tried them in the order {}, but then your results "
    "are not right; they may be in another order. Your layer's parameters are: {}."
)
_COMPUTED = (
    "Your layer stores `{}` and computes a weight from it. So the judge cannot put its own weights into your layer, "
    "and cannot compare results. Remove whatever is wrapped around this weight."
)
_NO_WEIGHTS = (
    "Your layer holds no weights. Make them in `__init__`, once, and keep them as attributes: `self.query = ...`. "
    "A variable without `self.` is gone when `__init__` ends, and whatever `forward` makes is new in every call."
)
_UNWANTED_BIASES = (
    "Your layer has biases, but it should have none. `nn.Linear` makes one by itself; its argument `bias` can leave "
    "it out. A bias is a number that is added to each output, whatever the input is."
)
_MISSING_BIASES = (
    "Your layer has no bias for {}. Each of the four projections has one, unless `bias=False` was asked for. "
    "Which arguments does each `nn.Linear` get?"
)
