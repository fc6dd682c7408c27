"""What people get wrong about `attend_with_cache` as a whole."""

import numpy as np

from autograder.mistakes import mistake
from mha_ref import append_tokens, masked_attention

from ..exercises import attend_with_cache


def _looking_by(mask_of, query, key, value, past_key, past_value):
    """The same cache, with another mask: a function of the number of new tokens and of all."""
    keys, values = append_tokens(past_key, key), append_tokens(past_value, value)
    mask = _like(query, mask_of(query.shape[-2], keys.shape[-2]))
    return masked_attention(query, keys, values, mask), keys, values


def _like(x, mask):
    """The mask in the library of x."""
    if isinstance(x, np.ndarray) or mask is None:
        return mask
    import torch

    return torch.as_tensor(mask, device=x.device)


def masks_the_first_call_alone(query, key, value, past_key=None, past_value=None):
    """As long as nothing is kept, your mask is right; with a past, new tokens see those that come after them.
    A text may go on with several tokens at once, as when someone replies to a chatbot.
    Why should the mask depend on whether there is a past?"""
    if past_key is None:
        return attend_with_cache(query, key, value)
    return _looking_by(lambda new, all: None, query, key, value, past_key, past_value)


def masks_only_where_there_is_a_past(query, key, value, past_key=None, past_value=None):
    """With a past your mask is right; in the first call, the tokens of the prompt see those that come after them.
    The prompt is a text like any other.
    Does the mask get lost where `past_key` is None?"""
    if past_key is not None:
        return attend_with_cache(query, key, value, past_key, past_value)
    return _looking_by(lambda new, all: None, query, key, value, past_key, past_value)


def looks_at_the_past_alone(query, key, value, past_key=None, past_value=None):
    """Your new tokens look at what was kept, but at nothing that is new, not even at themselves.
    A token sees itself and everything before it.
    Join first, then attend."""
    if past_key is None:
        return attend_with_cache(query, key, value)
    keys, values = append_tokens(past_key, key), append_tokens(past_value, value)
    return masked_attention(query, past_key, past_value), keys, values


def returns_what_is_new_alone(query, key, value, past_key=None, past_value=None):
    """Your output is right. But to be kept, you return only the keys and values of the new tokens.
    The next call gets what this one returns, and knows nothing else of the past.
    What has to be kept after this call?"""
    return attend_with_cache(query, key, value, past_key, past_value)[0], key, value


def returns_what_was_kept_before(query, key, value, past_key=None, past_value=None):
    """Your output is right. But to be kept, you return the past without the new tokens.
    In the next call these would be missing.
    What has to be kept after this call?"""
    if past_key is None:
        return attend_with_cache(query, key, value)
    return attend_with_cache(query, key, value, past_key, past_value)[0], past_key, past_value


def exchanges_keys_and_values(query, key, value, past_key=None, past_value=None):
    """Your output is right, but then the values come before the keys.
    The caller hands them back in the order in which they came.
    What does the stub say about the order?"""
    output, keys, values = attend_with_cache(query, key, value, past_key, past_value)
    return output, values, keys


def returns_the_output_last(query, key, value, past_key=None, past_value=None):
    """Your three results are right, but they come in the wrong order.
    The output is the first of them, then what is to be kept.
    Look at your `return`."""
    output, keys, values = attend_with_cache(query, key, value, past_key, past_value)
    return keys, values, output


def returns_the_output_alone(query, key, value, past_key=None, past_value=None):
    """Your result is only the output, but the caller needs three things.
    Without the keys and values it has nothing to give you in the next call.
    What is there to keep?"""
    return attend_with_cache(query, key, value, past_key, past_value)[0]


def gives_the_last_token_alone(query, key, value, past_key=None, past_value=None):
    """Where several tokens come at once, your output has a single row, for the last of them.
    Each new token has a query, and each gets what it found.
    Where do the others get lost?"""
    output, keys, values = attend_with_cache(query, key, value, past_key, past_value)
    return output[..., -1:, :], keys, values


def keeps_the_old_values(query, key, value, past_key=None, past_value=None):
    """Your keys grow, but your values do not: there are more keys than values.
    A key says where to look, a value what is found there. Each token needs both.
    Do you join the values, too?"""
    keys = append_tokens(past_key, key)
    values = value if past_value is None else past_value
    return masked_attention(query, keys, values), keys, values


def looks_with_keys_of_the_past_at_new_values(query, key, value, past_key=None, past_value=None):
    """Your keys are joined in the right order, but your values the other way round.
    The weight of a key falls on the value at the same index, so each token finds another's value.
    Join both in the same order."""
    keys = append_tokens(past_key, key)
    values = value if past_value is None else append_tokens(value, past_value)
    return (
        attend_with_cache(query, keys, values)[0]
        if past_key is None
        else (_looking_by(lambda new, all: np.tri(new, all, all - new, dtype=bool), query, keys, values, None, None))
    )


def fits_the_new_tokens_alone(query, key, value, past_key=None, past_value=None):
    """Without a past your code is right, and with a single new token too. With a past and several new tokens it stops.
    Only the keys have grown: a mask has a row for each query, and a column for each key.
    What in your code counts on a square?"""
    return _looking_by(lambda new, all: np.tri(new, dtype=bool), query, key, value, past_key, past_value)


def finds_nothing_of_the_past(query, key, value, past_key=None, past_value=None):
    """Your tokens look at all keys, and only new values are summed: those of the past are lost.
    Each key has a value, old or new.
    How many values meet the weights in your product?"""
    nothing = None if past_value is None else 0 * past_value
    output, keys, _ = attend_with_cache(query, key, value, past_key, nothing)
    return output, keys, append_tokens(past_value, value)


@mistake(share=("by number", "halves", "sum"))
def looks_at_past_and_new_apart(query, key, value, past_key=None, past_value=None, *, share):
    """With a past, you take one softmax over what was kept and one over the new tokens, and mix the results.
    But old and new keys compete for the same weight.
    How many softmaxes does a token need for one look at everything?"""
    if past_key is None:
        return attend_with_cache(query, key, value)
    new, past = query.shape[-2], past_key.shape[-2]
    seen = _like(query, np.arange(1, new + 1, dtype=np.float32)[:, None])
    by_number = past / (past + seen), seen / (past + seen)
    of_past, of_new = {"by number": by_number, "halves": (0.5, 0.5), "sum": (1, 1)}[share]
    output = of_past * masked_attention(query, past_key, past_value) + of_new * attend_with_cache(query, key, value)[0]
    return output, append_tokens(past_key, key), append_tokens(past_value, value)
