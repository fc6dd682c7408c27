"""What people get wrong about `sample`."""

import numpy as np

from autograder.mistakes import mistake
from mha_ref import softmax


def _drawn(weights, uniform):
    """Return the first token whose cumulative weight exceeds the number of its row, or the last that can come."""
    weights = np.asarray(weights)
    exceeds = np.cumsum(weights, axis=-1) > np.asarray(uniform)[:, None]
    last = weights.shape[-1] - 1 - _first((weights > 0)[:, ::-1])
    return np.where(exceeds.any(axis=-1), _first(exceeds), last)


def _first(true):
    """Return the place of the first True in each row, 0 where there is none."""
    return true.astype(int).argmax(axis=-1)


def _largest(logits):
    return np.asarray(logits).argmax(axis=-1)


def _tempered(logits, temperature):
    return softmax(np.asarray(logits) / temperature)


def always_takes_the_likeliest(logits, temperature, uniform):
    """You take the likeliest token at every temperature, and `uniform` changes nothing.
    That is greedy decoding.
    Sampling gives each token its share of the line from 0 to 1: which token does `uniform` fall on?"""
    return _largest(logits)


def draws_at_temperature_1(logits, temperature, uniform):
    """You draw by the right rule, but the temperature changes nothing, except at 0.
    A temperature below 1 should make the likely tokens even likelier.
    Where does it meet the logits?"""
    return _largest(logits) if temperature == 0 else _drawn(_tempered(logits, 1), uniform)


def draws_with_hot_and_cold_exchanged(logits, temperature, uniform):
    """Hot and cold are swapped: your logits are multiplied by the temperature.
    Heat makes differences between logits smaller.
    Which operation does that?"""
    return _largest(logits) if temperature == 0 else _drawn(softmax(np.asarray(logits) * temperature), uniform)


def divides_probabilities_by_the_temperature(logits, temperature, uniform):
    """You divided the probabilities by the temperature, instead of the logits.
    Your cumulative sums then end at one over the temperature instead of 1.
    Temperature changes differences between logits: when must it come in?"""
    return _largest(logits) if temperature == 0 else _drawn(_tempered(logits, 1) / temperature, uniform)


def forgets_the_cumulative_sum(logits, temperature, uniform):
    """You take the first token whose own probability exceeds `uniform`.
    Then a token is never drawn if a likelier one comes before it.
    Lay the probabilities end to end from 0 to 1: on which one does `uniform` fall, and where does each end?"""
    if temperature == 0:
        return _largest(logits)
    return _first(_tempered(logits, temperature) > np.asarray(uniform)[:, None])


def takes_the_likeliest_where_no_single_one_exceeds(logits, temperature, uniform):
    """You compare `uniform` with each probability by itself, and where none exceeds it, you take the likeliest token.
    Each is then drawn too often or too seldom.
    Lay the probabilities end to end from 0 to 1: on which one does `uniform` fall, and where does each end?"""
    if temperature == 0:
        return _largest(logits)
    exceeds = _tempered(logits, temperature) > np.asarray(uniform)[:, None]
    return np.where(exceeds.any(axis=-1), _first(exceeds), _largest(logits))


def takes_the_token_before(logits, temperature, uniform):
    """You are one token short: the one you take ends before `uniform` is reached.
    The token to take is the one on which `uniform` falls, so its cumulative probability is the first that exceeds it.
    What does your index count?"""
    if temperature == 0:
        return _largest(logits)
    return np.maximum(_drawn(_tempered(logits, temperature), uniform) - 1, 0)


def takes_the_token_behind(logits, temperature, uniform):
    """You are one token too far.
    The first token whose cumulative probability exceeds `uniform` is the one to take, and you take the one after it.
    What does your index count?"""
    if temperature == 0:
        return _largest(logits)
    return np.minimum(_drawn(_tempered(logits, temperature), uniform) + 1, np.shape(logits)[-1] - 1)


def sums_from_the_last_token(logits, temperature, uniform):
    """Your cumulative sum runs from the last token to the first, or `uniform` is taken as 1 - `uniform`.
    Each token is drawn as often as it should be, but this number draws another token.
    The stub says which one: the first whose cumulative probability exceeds `uniform`."""
    return _largest(logits) if temperature == 0 else _drawn(_tempered(logits, temperature), 1 - np.asarray(uniform))


def sums_over_the_batch(logits, temperature, uniform):
    """Your cumulative sum runs down the batch, from row to row, instead of along the vocabulary.
    Each row is drawn by itself, and its sum ends at 1.
    Along which axis should the sum run?"""
    if temperature == 0:
        return _largest(logits)
    return _first(np.cumsum(_tempered(logits, temperature), axis=0) > np.asarray(uniform)[:, None])


def sorts_and_loses_the_numbers(logits, temperature, uniform):
    """You sorted the probabilities, and return a position in the sorted row.
    That position is not the token's number.
    No sorting is needed here; if you sort, you have to undo it in the end."""
    if temperature == 0:
        return _largest(logits)
    return _drawn(-np.sort(-_tempered(logits, temperature), axis=-1), uniform)


def sorts_the_likeliest_first(logits, temperature, uniform):
    """You laid the tokens end to end from the likeliest to the unlikeliest.
    Each is drawn as often as it should be, but this number draws another one.
    Here the tokens keep the order of the vocabulary, so no sorting is needed."""
    if temperature == 0:
        return _largest(logits)
    order = np.argsort(-np.asarray(logits), axis=-1)
    places = _drawn(np.take_along_axis(_tempered(logits, temperature), order, axis=-1), uniform)
    return np.take_along_axis(order, places[:, None], axis=-1)[:, 0]


def draws_all_rows_by_the_first_number(logits, temperature, uniform):
    """All rows are drawn by the first number of `uniform`.
    Each row has a number of its own: (batch,) must meet (batch, vocabulary).
    Which index or axis is missing?"""
    uniform = np.asarray(uniform)
    return _largest(logits) if temperature == 0 else _drawn(_tempered(logits, temperature), 0 * uniform + uniform[0])


def sums_the_logits(logits, temperature, uniform):
    """You summed the logits as they are.
    Only probabilities can be laid end to end from 0 to 1: they are not negative, and they sum to 1.
    What turns logits into probabilities?"""
    return _largest(logits) if temperature == 0 else _drawn(np.asarray(logits) / temperature, uniform)


@mistake(on=("greedy", "near_tie"))
def divides_by_a_temperature_of_zero(logits, temperature, uniform):
    """At temperature 0 your function gives token 0, whatever the logits are.
    Dividing by 0 makes infinities, and softmax makes NaN of these; no comparison with NaN is true.
    At 0 nothing is left to draw: the stub says which token it is.
    Where does your code ask whether the temperature is 0?"""
    return 0 * _largest(logits) if temperature == 0 else _drawn(_tempered(logits, temperature), uniform)


@mistake(on="greedy")
def takes_the_unlikeliest_at_zero(logits, temperature, uniform):
    """At temperature 0 you take the token with the smallest logit.
    The colder it is, the more the best token gets; at 0 it gets everything.
    Which one has the largest logit?"""
    return np.asarray(logits).argmin(axis=-1) if temperature == 0 else _drawn(_tempered(logits, temperature), uniform)


@mistake(on="greedy")
def takes_zero_for_one(logits, temperature, uniform):
    """At temperature 0 you draw as if it were 1.
    The colder it is, the more the best token gets; at 0 it gets everything, and nothing is left to chance.
    Did `or` or a default replace the 0?"""
    return _drawn(_tempered(logits, temperature or 1), uniform)


@mistake(on="start")
def draws_what_cannot_come(logits, temperature, uniform):
    """With `uniform` at 0 you draw a token whose probability is 0.
    Its cumulative probability *equals* `uniform`, and it has to exceed it.
    Which sign compares the two in your code, or which side does `searchsorted` take?"""
    if temperature == 0:
        return _largest(logits)
    reached = np.cumsum(_tempered(logits, temperature), axis=-1) >= np.asarray(uniform)[:, None]
    return np.where(np.asarray(uniform) == 0, _first(reached), _drawn(_tempered(logits, temperature), uniform))


@mistake(on="end")
def takes_token_0_where_none_exceeds(logits, temperature, uniform):
    """With `uniform` close to 1 you return token 0.
    Probabilities that are rounded may sum to a little less than 1, so that no cumulative sum exceeds `uniform`.
    `argmax` of a row without a True is 0, with no warning. The stub says what to take instead."""
    if temperature == 0:
        return _largest(logits)
    return _first(np.cumsum(_tempered(logits, temperature), axis=-1) > np.asarray(uniform)[:, None])


@mistake(on="end")
def takes_the_last_token_where_none_exceeds(logits, temperature, uniform):
    """With `uniform` close to 1 you return the last token of the vocabulary, though its probability is 0.
    Where rounding leaves no cumulative sum that exceeds `uniform`, the stub asks for the last token that can come.
    Which tokens have a probability above 0?"""
    if temperature == 0:
        return _largest(logits)
    ends = np.cumsum(_tempered(logits, temperature), axis=-1)
    return np.minimum((ends <= np.asarray(uniform)[:, None]).sum(axis=-1), np.shape(logits)[-1] - 1)


@mistake(on="near_tie")
def takes_a_tiny_temperature_for_zero(logits, temperature, uniform):
    """Where two logits are almost alike, your temperature 0 still draws between them.
    You put a tiny number in its place, but the difference may be just as tiny, and then both tokens keep a chance.
    At 0 the token with the largest logit gets everything, however small its lead."""
    return _drawn(_tempered(logits, max(temperature, 1e-6)), uniform)


@mistake(on="end")
def counts_past_the_vocabulary(logits, temperature, uniform):
    """With `uniform` close to 1 you return a number that no token has: the size of the vocabulary.
    Where rounding leaves no cumulative sum that exceeds `uniform`, all of them have been passed.
    The stub says which token to take then.
    Which tokens have a probability above 0?"""
    if temperature == 0:
        return _largest(logits)
    return (np.cumsum(_tempered(logits, temperature), axis=-1) <= np.asarray(uniform)[:, None]).sum(axis=-1)


@mistake(on=("cold", "large"))
def draws_from_bare_exponentials(logits, temperature, uniform):
    """Where the logits are large, or the temperature is low, you return token 0.
    Exponentials are then infinite or 0, the weights are NaN, and no comparison with NaN is true.
    What do you subtract before `exp`, since lesson 01? Or which function of this lesson does it for you?"""
    if temperature == 0:
        return _largest(logits)
    powers = np.exp(np.asarray(logits) / temperature)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.where(np.isnan(weights).any(axis=-1), 0, _drawn(weights, uniform))


def takes_the_nearest_end(logits, temperature, uniform):
    """You take the token whose end is nearest to `uniform`.
    It may be the piece before the one that `uniform` lies on, or the one behind.
    Lay the pieces end to end: which end is the first one beyond `uniform`?"""
    if temperature == 0:
        return _largest(logits)
    ends = np.cumsum(np.asarray(_tempered(logits, temperature)), axis=-1)
    return np.abs(ends - np.asarray(uniform)[:, None]).argmin(axis=-1)
