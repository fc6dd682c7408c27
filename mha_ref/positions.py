"""Where tokens are: vectors to add, turns of queries and keys, a bias on scores, and a mask for what is near."""

from array_api_compat import array_namespace, device

from .checks import check_power_of_two
from .masks import library_and_device


def sinusoidal_positions(tokens, model_size, like=None):
    """Return a vector for each position: sine and cosine side by side, each pair of columns slower than the one before.

    Two sizes, the second even, else ValueError
    -> (tokens, model_size), in the floating-point dtype of the array `like` (None: NumPy).
    Source: Vaswani et al., Attention is all you need (2017), section 3.5.
    """
    xp, where = library_and_device(like)
    angles = rotary_angles(xp.arange(tokens, dtype=xp.float64, device=where), model_size)  # (tokens, model_size / 2)
    return as_floating_as(like, interleave(xp.sin(angles), xp.cos(angles)))  # (tokens, model_size)


def rotary_angles(positions, size, base=10000.0):
    """Return by how much each pair of columns is turned at each position: position · base^(-2 · pair / size).

    positions: (tokens,), floating-point numbers; size: even, else ValueError -> (tokens, size / 2).
    """
    if size % 2:
        raise ValueError(f"{size} columns are not pairs")
    xp = array_namespace(positions)
    first = xp.arange(0, size, 2, dtype=positions.dtype, device=device(positions))  # 0, 2, 4, ...: (pairs,)
    return positions[:, None] * base ** (-first / size)  # (tokens, pairs)


def interleave(even, odd):
    """Return the columns of both by turns.

    even: (..., pairs), odd: (..., pairs) -> (..., 2 · pairs).
    """
    xp = array_namespace(even)
    return xp.reshape(xp.stack([even, odd], axis=-1), (*even.shape[:-1], 2 * even.shape[-1]))


def apply_rotary(x, positions, base=10000.0):
    """Turn each pair of neighbouring columns, as the hand of a clock, by an angle that grows with the position.

    x: (..., tokens, size), of an even size, else ValueError; positions: (tokens,) -> (..., tokens, size).
    Source: Su et al., RoFormer: enhanced transformer with rotary position embedding (2021), equation 34.
    """
    xp = array_namespace(x)
    exact = xp.astype(positions, xp.float64)  # float32 has no room for the angles of far positions
    angles = rotary_angles(exact, x.shape[-1], base)  # (tokens, size / 2)
    cos, sin = (xp.astype(f(angles), x.dtype) for f in (xp.cos, xp.sin))
    even, odd = x[..., 0::2], x[..., 1::2]  # twice (..., tokens, size / 2)
    return interleave(even * cos - odd * sin, even * sin + odd * cos)


def as_floating_as(like, x):
    """Return the same numbers in the dtype of the array `like`, or as they are if there is none."""
    return x if like is None else array_namespace(x).astype(x, like.dtype)


def distances(queries, keys, like=None):
    """Return how many positions each key lies before each query; the last query lines up with the last key.

    Two sizes -> (queries, keys), in the floating-point dtype of the array `like` (None: NumPy);
    0 at one's own position, then negative.
    """
    xp, where = library_and_device(like)
    rows = xp.arange(keys - queries, keys, dtype=xp.float64, device=where)[:, None]  # (queries, 1)
    far = rows - xp.arange(keys, dtype=xp.float64, device=where)[None, :]  # (queries, keys)
    return as_floating_as(like, far)


def alibi_slopes(heads, like=None):
    """Return how much a score loses for each step of distance, in each head: 2^(-8 / heads), and its powers.

    heads: a power of two, else ValueError -> (heads,), in the floating-point dtype of the array `like` (None: NumPy).
    """
    check_power_of_two(heads)
    xp, where = library_and_device(like)
    return as_floating_as(like, 2.0 ** (-8 * xp.arange(1, heads + 1, dtype=xp.float64, device=where) / heads))


def alibi_bias(heads, queries, keys, like=None):
    """Return what is added to the scores: the farther back a key, the less, and in each head at a rate of its own.

    heads: a power of two; two sizes, the last query lines up with the last key
    -> (heads, queries, keys), in the floating-point dtype of the array `like` (None: NumPy).
    Source: Press, Smith, Lewis, Train short, test long (2021), section 3.
    """
    slopes = alibi_slopes(heads, like=like)[:, None, None]  # (heads, 1, 1)
    return -slopes * distances(queries, keys, like=like)  # (heads, queries, keys)


def window_mask(queries, keys, window, like=None):
    """Let each query look at the newest `window` keys up to its own; the last query lines up with the last key.

    Two sizes and a number -> (queries, keys), boolean.
    Source: Beltagy, Peters, Cohan, Longformer: the long-document transformer (2020), section 3.1.
    """
    far = distances(queries, keys, like=like)  # (queries, keys)
    return (far >= 0) & (far < window)
