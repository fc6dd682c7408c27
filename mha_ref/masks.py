"""Who may look at what. A mask is boolean, True = may look, and broadcasts to (..., queries, keys)."""

import numpy as np
from array_api_compat import array_namespace, device, is_array_api_obj

from .checks import boolean, check_mask
from .weights import softmax


def masked_softmax(scores, mask):
    """Return softmax over the allowed keys alone; a row with no allowed key is zero.

    scores: (..., queries, keys), mask: broadcastable to it, else ValueError -> (..., queries, keys).
    Source: Vaswani et al., Attention is all you need (2017), section 3.2.3.
    """
    check_mask(mask, scores.shape)
    xp = array_namespace(scores)
    alive = xp.any(mask, axis=-1, keepdims=True)  # (..., queries, 1)
    weights = softmax(xp.where(mask | ~alive, scores, -xp.inf))  # never a row of only -inf
    return xp.where(alive, weights, 0.0)


def causal_mask(queries, keys, like=None):
    """Let each query look at the keys up to its own position; the last query lines up with the last key.

    Two sizes -> (queries, keys), boolean, in the library and on the device of the array `like` (None: NumPy).
    """
    xp, where = library_and_device(like)
    rows = xp.arange(queries, device=where)[:, None]  # (queries, 1)
    columns = xp.arange(keys, device=where)[None, :]  # (1, keys)
    return columns <= rows + (keys - queries)  # (queries, keys)


def padding_mask(lengths, keys, like=None):
    """Let each item of the batch look at its real tokens only: the first `length` keys.

    lengths: (batch,) integers -> (batch, 1, 1, keys), boolean, in the library of `like` (None: of lengths).
    A length below 0 or above keys is a ValueError.
    """
    xp, where = library_and_device(lengths if like is None else like)
    for length in lengths:
        if not 0 <= length <= keys:
            raise ValueError(f"a length of {int(length)} does not fit {keys} keys")
    lengths = xp.asarray(lengths, device=where)
    return xp.arange(keys, device=where) < lengths[:, None, None, None]  # (batch, 1, 1, keys)


def combine_masks(first, second):
    """Allow what both masks allow; None allows everything.

    first, second: (...), each broadcastable to the other -> (...), their common shape; None for two Nones.
    """
    if first is None or second is None:
        return second if first is None else first
    return first & second


def encoder_decoder_masks(source_lengths, target_lengths, sources, targets, like=None):
    """Return a translator's three masks: source looks at source, target at its past, target at source; at real tokens.

    source_lengths, target_lengths: (batch,) integers
    -> (batch, 1, 1, sources), then (batch, 1, targets, targets), then (batch, 1, 1, sources), boolean.
    """
    like = target_lengths if like is None else like
    source = padding_mask(source_lengths, sources, like=like)
    past = causal_mask(targets, targets, like=like)
    return source, combine_masks(past, padding_mask(target_lengths, targets, like=like)), source


def to_allowed(mask, convention):
    """Translate a mask of another library into ours: True = may look.

    mask: (...) -> (...), boolean. Conventions: "allowed" is ours, and that of torch's fused function and Keras' layer;
    "blocked", True = blocked, is that of torch.nn.MultiheadAttention; "additive", 0 or very negative, is added to the
    scores; "blocked_float", 1 = blocked, is multiplied by a very negative number first.
    """
    if convention == "allowed":
        return boolean(mask)
    if convention == "blocked":
        return ~boolean(mask)
    if convention in ("additive", "blocked_float"):
        return mask == 0
    raise ValueError(f'convention "{convention}" is none of "allowed", "blocked", "additive", "blocked_float"')


def library_and_device(like):
    """Return the library and device of an array, or NumPy for a mask that is made from sizes or a list."""
    if not is_array_api_obj(like):
        return array_namespace(np.empty(0)), None
    return array_namespace(like), device(like)
