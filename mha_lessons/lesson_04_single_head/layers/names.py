"""Which projections of an attention the name of a parameter speaks of."""

import re
from functools import cache

LETTERS = {"q": "query", "k": "key", "v": "value"}
CLEAR = {
    "query": {"q", "qs", "query", "querys", "queries"},
    "key": {"k", "ks", "key", "keys"},
    "value": {"v", "vs", "value", "values"},
}
VAGUE = {"output": {"o", "out", "output", "outputs", "mix"}, "fused": {"in"}}  # "query_in" is a query's
BARE = {"output": {"proj"}, "fused": {"attn"}}  # where the name says nothing more: `c_attn` and `c_proj` of GPT-2
FUSED = ("query", "key", "value")
ENDINGS = ("proj", "projection", "linear", "lin", "layer", "matrix", "mat", "weight", "bias")
SAYS_NOTHING = {"weight", "weights", "bias", "biases", "w", "b", "g", "parametrizations", "original"}


@cache
def tokens_of(name):
    """`self_attn.inProj.0.weight` -> self, attn, in, proj, 0, weight."""
    return tuple(re.findall(r"[a-z]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()))


@cache
def projections_of(name):
    """The projections that a parameter holds by its name, in their order; none if it speaks of none."""
    name = re.sub(r"weight_[gv]$", "weight", name)
    for part in reversed(name.split(".")):
        found = [projection for token in tokens_of(part) for projection in _clearly(token)]
        if found:
            return tuple(dict.fromkeys(found))
    vaguely = (_meant(token, VAGUE) for token in reversed(tokens_of(name)))
    barely = (_meant(token, BARE) for token in reversed(_last_part_that_says_something(name)))
    projection = next(filter(None, (*vaguely, *barely)), None)
    return FUSED if projection == "fused" else (projection,) if projection else ()


def _last_part_that_says_something(name):
    """Its tokens: the module around it may be called `attn`, too."""
    parts = ([t for t in tokens_of(p) if t not in SAYS_NOTHING and not t.isdigit()] for p in reversed(name.split(".")))
    return next(filter(None, parts), [])


def _clearly(token):
    """`tokeys` -> key; `kv` -> key and value, in the order of the letters."""
    one = _meant(token, CLEAR)
    if one:
        return [one]
    letters = next((form for form in _forms(token) if len(form) > 1 and set(form) <= set(LETTERS)), "")
    return [LETTERS[letter] for letter in letters] if len(set(letters)) == len(letters) else []


def _meant(token, meanings):
    return next((projection for projection, words in meanings.items() if _forms(token) & words), None)


@cache
def _forms(token):
    """A token with and without what people put before and behind a name: `wq`, `toqueries`, `qproj`."""
    begun = {token, token.removeprefix("w"), token.removeprefix("b")}
    begun |= {token[2:]} if token.startswith("to") and len(token) > 3 else set()  # "tok" is a token
    return begun | {form.removesuffix(ending) for form in begun for ending in ENDINGS if form != ending}


@cache
def is_of_bias(name):
    """Whether it is a bias by its name: `query.bias`, `b_query`, `bq`."""
    tokens = tokens_of(name)
    return "b" in tokens or any(t.endswith(("bias", "biases")) or re.fullmatch("b([qkvo]|kv|qkv)", t) for t in tokens)


@cache
def is_of_lengths(name):
    """Whether it is what `weight_norm` keeps beside the rows of a matrix: how long each of them is."""
    return name.endswith(("weight_g", "parametrizations.weight.original0"))


@cache
def is_computed_with(name):
    """Whether a weight is computed from it, as by `spectral_norm`, in a way that is not known here."""
    return bool(re.search(r"\.parametrizations\.\w+\.original$|weight_orig$", name))


@cache
def stem(name):
    """What the weight and the bias of one projection have in common."""
    return tuple(
        token for token in tokens_of(re.sub(r"original\d$|weight_[gv]$", "", name)) if token not in SAYS_NOTHING
    )


def number_in(tokens):
    """The last one; None if there is none."""
    return next((int(token) for token in reversed(tokens) if token.isdigit()), None)
