"""What people get wrong about `behind_copies`: where an induction head should look."""

import numpy as np
from array_api_compat import array_namespace

from autograder.mistakes import mistake

from ..exercises import behind_copies

FAR_AWAY = 10**6  # so many places on, there is no key: all are allowed


def _table(tokens):
    """Return which tokens of a text are equal, and the places of queries and keys: three arrays that broadcast."""
    xp = array_namespace(tokens)
    places = xp.asarray(np.arange(tokens.shape[-1]))
    return tokens[:, :, None] == tokens[:, None, :], places[:, None], places[None, :]


def _a_key_further(copies):
    """Move every True one key on: (batch, queries, keys)."""
    xp = array_namespace(copies)
    return xp.concat([xp.zeros_like(copies[:, :, :1]), copies[:, :, :-1]], axis=-1)


@mistake(counts_itself=(False, True))
def looks_at_the_copy_itself(tokens, *, counts_itself):
    """You summed the weight on the earlier copies themselves.
    An induction head wants to know what *came next* back then, so it looks one position further.
    Which key is that, if the copy is at position j?"""
    copies, queries, keys = _table(tokens)
    return copies & (keys < queries + counts_itself)


@mistake(wraps=(False, True), counts_itself=(False, True))
def looks_before_the_copy(tokens, *, wraps, counts_itself):
    """You summed the weight on the keys right before the copies.
    The token that followed the copy is one position further on, towards the query.
    In which direction do you shift?"""
    xp = array_namespace(tokens)
    copies, queries, keys = _table(tokens)
    earlier = copies & (keys < queries + 2 * counts_itself)  # one further on, as is the key that it is moved to
    at_the_end = earlier[:, :, :1] if wraps else xp.zeros_like(earlier[:, :, :1])
    return xp.concat([earlier[:, :, 1:], at_the_end], axis=-1)


def takes_the_newest_copy_only(tokens):
    """Where a token came several times, you counted only the newest copy.
    A head may look behind any of them, so the weights behind all copies are added up.
    Does your search stop at the first copy it finds?"""
    copies, queries, keys = _table(tokens)
    earlier = copies & (keys < queries)
    later_ones = np.cumsum(np.flip(np.asarray(earlier), -1), -1)
    newest = earlier & array_namespace(tokens).asarray(np.flip(later_ones, -1).copy() == 1)
    return _a_key_further(newest)


def takes_the_first_copy_only(tokens):
    """Where a token came several times, you counted only the first copy.
    A head may look behind any of them, so the weights behind all copies are added up.
    Does your search stop at the first copy it finds?"""
    copies, queries, keys = _table(tokens)
    earlier = copies & (keys < queries)
    so_far = np.cumsum(np.asarray(earlier), -1)
    return _a_key_further(earlier & array_namespace(tokens).asarray(so_far == 1))


@mistake(further=(0, 1))
def takes_the_query_for_a_copy(tokens, *, further):
    """You took each query's own token for an earlier copy of itself, so that nearly every query counts.
    A copy has to be at an earlier position.
    Does your comparison let equality through?"""
    copies, queries, keys = _table(tokens)
    return _a_key_further(copies & (keys <= queries + further))


def takes_later_copies_too(tokens):
    """You counted copies that come after the query as well.
    At its position the query cannot know of them, and in a causal pattern their weight is 0.
    Which positions come before the query?"""
    copies, queries, keys = _table(tokens)
    return _a_key_further(copies & (keys != queries))


def takes_all_copies_whenever_they_come(tokens):
    """You counted every position with the query's token, including its own and later ones.
    Only those before the query are earlier copies.
    What is missing besides the comparison of tokens?"""
    copies, _, _ = _table(tokens)
    return _a_key_further(copies)


def never_lets_a_query_find_itself(tokens):
    """Where a token comes twice in a row, you left out a query, the key at its own position, or both.
    If the copy is right before the query, the position right after the copy is the query's own.
    It counts like any other."""
    copies, queries, keys = _table(tokens)
    return _a_key_further(copies & (keys < queries - 1))


def finds_the_answer_wherever_it_is(tokens):
    """You summed the weight on all keys that hold the token that comes next.
    You must not look at the next token: the head cannot.
    It searches for copies of its own token, and looks right behind them."""
    xp = array_namespace(tokens)
    _, queries, keys = _table(tokens)
    following = tokens[:, 1:, None] == tokens[:, None, :]
    last = xp.zeros_like(following[:, :1, :])
    return xp.concat([following, last], axis=1) & (keys <= queries)


def expects_the_second_half_to_repeat_the_first(tokens):
    """You looked at one diagonal, as if every text were one half, repeated.
    Such a shortcut works only on texts made for it.
    Here the tokens themselves say where a copy is: compare them."""
    xp = array_namespace(tokens)
    copies, queries, keys = _table(tokens)
    half = tokens.shape[-1] // 2
    return (keys == queries - half + 1) & (queries >= half) & xp.ones_like(copies)


@mistake(later=(0, -1, FAR_AWAY))
def lets_the_last_key_come_round(tokens, *, later):
    """You count key 0 where the last token of the text equals the query's.
    Key 0 has no token before it, so it is behind no copy.
    A shift such as `roll` brings what leaves at one end in again at the other.
    What should stand in the first column?"""
    copies, queries, keys = _table(tokens)
    xp = array_namespace(tokens)
    return xp.concat([copies[:, :, -1:], copies[:, :, :-1]], axis=-1) & (keys <= queries + later)


@mistake(wraps=(False, True))
def shifts_the_queries(tokens, *, wraps):
    """Each of your queries looks for copies of the token *before* it, and at the copies themselves.
    Your table was shifted down, from query to query. It should be shifted to the right, from key to key.
    The axes are (batch, queries, keys): along which one does your shift go?"""
    xp = array_namespace(tokens)
    copies, queries, keys = _table(tokens)
    earlier = copies & (keys < queries)
    first = earlier[:, -1:, :] if wraps else xp.zeros_like(earlier[:, :1, :])
    return xp.concat([first, earlier[:, :-1, :]], axis=1)


@mistake(moved=("on", "nowhere", "back", "round"), counts_itself=(False, True))
def takes_later_copies_alone(tokens, *, moved, counts_itself):
    """You counted copies that come after the query, and none that came before it.
    Rows are queries and columns are keys, so earlier keys are on the left of the diagonal.
    Which side of the table do you keep?"""
    copies, queries, keys = _table(tokens)
    later = copies & (keys > queries - counts_itself)
    xp = array_namespace(tokens)
    places = {
        "on": _a_key_further(later),
        "back": xp.flip(_a_key_further(xp.flip(later, axis=-1)), axis=-1),
        "round": xp.roll(later, 1, axis=-1),
    }
    return places.get(moved, later)


def takes_queries_for_keys(tokens):
    """Your table has its queries where the keys belong, and its keys where the queries belong.
    Weights are (..., queries, keys): each row is one query.
    Which of your two copies of `tokens` got the new axis behind it?"""
    return behind_copies(tokens).mT
