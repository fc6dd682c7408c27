"""What a case is, and what most cases are made of."""

from dataclasses import dataclass

import numpy as np

EDGES = {  # tag -> where that is, in the learner's words
    "large": "only with scores of a very large size",
    "low": "only with scores far below zero",
    "zero": "only when a score is exactly 0",
    "spread": "only when one row's scores are far from another's",
    "gap": "only when one score is far above the others of its row",
    "pit": "only when one score is far below the others of its row",
    "tie": "only where two scores of a row are equal",
    "square": "only along the first axis of a square",
    "long": "only where a row is long",
    "half": "only in float16",
    "dead_row": "only where a query may look at nothing",
    "closed": "only where a whole mask allows nothing",
    "open": "only where a whole mask allows everything",
    "open_row": "only where a query may look at everything",
    "one_key": "only where a query may look at one key alone",
    "hidden_large": "only when a hidden key has by far the largest score",
    "one_query": "only with a single query",
    "more_queries": "only with more queries than keys",
    "empty": "only with a length of zero",
    "too_long": "only when a length does not fit",
    "none": "only where a mask is None",
    "batch_of_one": "only with a batch of a single item",
    "one_token": "only with a single token",
    "one_head": "only with a single head",
    "indivisible": "only where heads do not divide the model size",
    "double": "only in float64",
    "weights": "only where the weights are asked for",
    "finite_fill": "only where a blocked key holds a large negative number instead of -inf",
    "unknown": "only with a convention that does not exist",
    "misspelled": "only with a text that has something in common with a convention's name",
    "value_alone": "only where a value is given, and no key",
    "cold": "only at a low temperature",
    "hot": "only at a high temperature",
    "huge": "only with a count of more than two billion",
    "faint": "only with tokens whose features are nearly equal",
}


@dataclass(frozen=True, eq=False)
class Case:
    """Keyword inputs of one try; tag: which edge it is, "" for an ordinary one."""

    inputs: dict
    tag: str = ""


def case(**inputs):
    return Case(inputs)


def edge(tag, **inputs):
    return Case(inputs, tag)


def is_weight(name):
    """Whether an input is what a layer learns, and not what it is given."""
    return name.startswith(("w_", "b_")) or name in ("self_weights", "self_biases", "cross_weights", "cross_biases")


def is_floating(x):
    """Whether an input is an array of floating-point numbers."""
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def double(inputs):
    """The same inputs in float64: where scores are large, single precision leaves too few digits to judge by."""
    return {n: x.astype(np.float64) if is_floating(x) else x for n, x in inputs.items()}


def lengths(rng, count, least=2):
    """So many different lengths."""
    return [int(n) for n in rng.permutation(count) + least]


def tidy(rng, *shape):
    """Numbers for the smallest cases, easy to follow by head: all different, of both signs, none of them 0."""
    count = int(np.prod(shape))
    steps = (np.arange(count) // 2 + 1) * (-1) ** np.arange(count)
    spacing = 0.5 if count <= 8 else 0.25 if count <= 16 else 0.125
    return rng.permutation(steps).reshape(shape) * spacing


def some_allowed(rng, *shape):
    """A random mask: in every row one key is hidden and two are not, and neighbours hide different ones.

    (One allowed key alone would have weight 1 whatever its score.)
    """
    mask = rng.random(shape) < 0.5
    hidden = (sum(np.indices(shape)[:-1]) + rng.integers(shape[-1]))[..., :1] % shape[-1]
    for step, allowed in enumerate((False, True, True)[: shape[-1]]):
        np.put_along_axis(mask, (hidden + step) % shape[-1], allowed, axis=-1)
    return mask
