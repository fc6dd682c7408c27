"""Who may look at what. A mask is boolean, True = may look, and broadcasts to (..., queries, keys)."""

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj

from .weights import softmax


def masked_softmax(scores, mask):
    """Softmax over the allowed keys alone; a row with nothing allowed is zero.

    scores: (..., queries, keys), mask: broadcastable to it -> (..., queries, keys).
    Source: Vaswani et al., Attention is all you need (2017), section 3.2.3.
    """
    xp = array_namespace(scores)
    alive = xp.any(mask, axis=-1, keepdims=True)
    weights = softmax(xp.where(mask | ~alive, scores, -xp.inf))  # never a row of only -inf
    return xp.where(alive, weights, 0.0)


def causal_mask(queries, keys, like=None):
    """Each query may look at the keys up to its own position; the last query stands at the last key.

    Two sizes -> (queries, keys), boolean, in the library and on the device of the array `like` (None: NumPy).
    """
    xp, where = _library_and_device(like)
    rows = xp.arange(queries, device=where)[:, None]
    columns = xp.arange(keys, device=where)[None, :]
    return columns <= rows + (keys - queries)


def padding_mask(lengths, keys, like=None):
    """Each item of the batch may look at its real tokens only: the first `length` keys.

    lengths: (batch,) integers -> (batch, 1, 1, keys), boolean, in the library of `like` (None: of lengths).
    A length below 0 or above keys is a ValueError.
    """
    xp, where = _library_and_device(lengths if like is None else like)
    for length in lengths:
        if not 0 <= length <= keys:
            raise ValueError(f"a length of {int(length)} does not fit {keys} keys")
    lengths = xp.asarray(lengths, device=where)
    return xp.arange(keys, device=where) < lengths[:, None, None, None]


def combine_masks(first, second):
    """Allowed where both masks allow; None allows everything.

    first, second: (...), each broadcastable to the other -> (...), their common shape; None for two Nones.
    """
    if first is None or second is None:
        return second if first is None else first
    return first & second


def _library_and_device(like):
    """NumPy by default: a mask made for nobody in particular, or from a list."""
    if not is_array_api_obj(like):
        return array_namespace(np.empty(0)), None
    return array_namespace(like), device(like)
