"""What people get wrong about `window_mask`."""

import numpy as np

from mha_ref.masks import causal_mask
from mha_ref.positions import distances

from ..exercises import window_mask


def looks_to_both_sides(queries, keys, window):
    """Your window is open on both sides: a query sees keys that come after it.
    A model that writes must not look ahead, so distances below 0 are not allowed.
    Did a sign get lost?"""
    return np.abs(distances(queries, keys)) < window


def leaves_the_older_edge_in_place(queries, keys, window):
    """With more keys than queries, your windows are too wide at their older end; with as many, they are right.
    The last query lines up with the last key, and that moves both edges of a window.
    In which of your two comparisons is the difference of the two numbers missing?"""
    rows, columns = np.arange(queries)[:, None], np.arange(keys)
    return (columns <= rows + keys - queries) & (columns > rows - window)


def lets_one_key_too_many_in(queries, keys, window):
    """Your windows hold one key too many.
    The query's own key counts too: with a window of 3, a query sees itself and two keys before it.
    Does your comparison let equality through?"""
    return window_mask(queries, keys, window + 1)


def does_not_count_itself(queries, keys, window):
    """In your mask no query sees its own key; the window lies before it.
    A query's own key is the newest one in its window.
    From which distance on do you let keys in?"""
    far = distances(queries, keys)
    return (far > 0) & (far <= window)


def sees_one_key_too_few(queries, keys, window):
    """Your windows hold one key too few.
    With a window of 3, a query sees itself and two keys before it, three in all.
    How many entries are True in the last row of your mask?"""
    return window_mask(queries, keys, window - 1)


def true_means_outside_the_window(queries, keys, window):
    """Allowed and blocked are exchanged in your mask.
    True means that a query may look at a key.
    If your code marks what to hide, invert it."""
    return ~window_mask(queries, keys, window)


def forgets_the_window(queries, keys, window):
    """Your mask is the causal one: it hides the future and shows all of the past.
    A window also hides what is too far back.
    Where does `window` come in?"""
    return causal_mask(queries, keys)


def forgets_the_future(queries, keys, window):
    """Your mask hides what is too far back and shows all of the future.
    A window has two ends.
    What is the distance of a key after the query, and does your comparison let it in?"""
    return distances(queries, keys) < window


def cuts_the_text_into_blocks(queries, keys, window):
    """Your mask cuts the text into blocks, and a query sees its own block up to itself.
    A window slides: it moves by one key from each query to the next.
    Compare distances, not the numbers of blocks."""
    positions = np.arange(keys - queries, keys)[:, None]
    return (positions // window == np.arange(keys) // window) & causal_mask(queries, keys)


def keeps_the_oldest_keys(queries, keys, window):
    """Your mask shows the first keys of the text, whichever query looks.
    The window should show the newest keys: the query's own and those right before it.
    Do you compare the window with a position or with a distance?"""
    return causal_mask(queries, keys) & (np.arange(keys) < window)


def hides_what_is_near(queries, keys, window):
    """Your mask hides the near keys and shows the far ones.
    A window shows what is near: the query itself and the keys right before it.
    Which way round is your comparison with `window`?"""
    return distances(queries, keys) >= window


def lets_one_end_of_the_window_suffice(queries, keys, window):
    """Every entry of your mask is True, whatever the window is.
    A key has to lie within both ends of the window, and each key lies within one of the two.
    What stands between your two comparisons?"""
    return np.ones((queries, keys), dtype=bool)


def opens_the_window_to_the_future(queries, keys, window):
    """Your window begins at the query's own key and goes on to keys that come after it.
    A window goes back: it holds the newest keys up to the query's own.
    Which of the two positions is subtracted from the other, or on which side of the diagonal do you count?"""
    far = distances(queries, keys)
    return (far <= 0) & (far > -window)
