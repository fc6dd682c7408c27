"""What people get wrong when they keep one more token."""

from array_api_compat import array_namespace

from autograder.mistakes import mistake


def puts_the_newest_in_front(past, new):
    """What you keep begins with the newest tokens, and the old ones come after them.
    A text grows at its end, and the causal mask counts on that: the last query lines up with the last key.
    In which order do you join the two?"""
    return new if past is None else array_namespace(new).concat([new, past], axis=-2)


def forgets_what_was_kept(past, new):
    """Your new tokens meet one another, and nothing that was kept.
    The past is the reason for a cache: it holds the keys and values of all tokens before.
    Where do `past_key` and `past_value` come in?"""
    return new


def keeps_nothing_new(past, new):
    """What you keep is the past as it came, without the newest tokens.
    In the next call they would be missing, and even now no new token sees itself.
    What has to be joined before you attend?"""
    return new if past is None else past


@mistake(axis=(0, 1, -1, -3))
def joins_along_another_axis(past, new, *, axis):
    """You join old and new along axis {axis:g}, which is not the axis of the tokens.
    Keys are (..., tokens, features): more tokens make the second-to-last axis longer.
    Name the axis when you join."""
    return new if past is None else array_namespace(new).concat([past, new], axis=axis)


def adds_the_newest_to_the_past(past, new):
    """You add old and new, number by number, so nothing grows.
    A cache keeps each token by itself.
    Join the two along the axis of the tokens."""
    return new if past is None else past + new


def lets_the_oldest_go(past, new):
    """What you keep never grows: for each new token, an old one goes.
    That would be a window. Here the stub names no limit, so all tokens stay.
    Which slice do you take?"""
    return new if past is None else array_namespace(new).concat([past, new], axis=-2)[..., new.shape[-2] :, :]
