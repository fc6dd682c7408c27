"""What people get wrong about `feed_forward_with_gelu`."""

from autograder.mistakes import mistake

from ..exercises import feed_forward_with_gelu, gelu


def bends_at_the_end(x, w_widen, b_widen, w_narrow, b_narrow):
    """The GELU of your feed-forward part comes after the second linear layer.
    Then the part can hardly take anything away from a feature, and its two linear layers are one.
    Where must the GELU be to keep them apart?"""
    return gelu((x @ w_widen + b_widen) @ w_narrow + b_narrow)


def bends_twice(x, w_widen, b_widen, w_narrow, b_narrow):
    """Your feed-forward part has a GELU in the middle, as it should, and another one at the end.
    What it returns is added to `x`, and it must be able to lower a feature too.
    One of the two is enough. Which?"""
    return gelu(feed_forward_with_gelu(x, w_widen, b_widen, w_narrow, b_narrow))


@mistake(also=("", " as well"))
def bends_before_widening(x, w_widen, b_widen, w_narrow, b_narrow, *, also):
    """In your feed-forward part a GELU comes before the first linear layer{also}.
    It takes away most of what is below zero in the normalised token, which is about half of it.
    Between which two layers does the GELU belong?"""
    wide = gelu(x) @ w_widen + b_widen
    return (gelu(wide) if also else wide) @ w_narrow + b_narrow


def adds_the_bias_after_the_gelu(x, w_widen, b_widen, w_narrow, b_narrow):
    """In your feed-forward part the bias of the first linear layer is added after the GELU.
    The bias sets the height above which a number in the middle speaks up, so the GELU has to come after it.
    In which order are product, bias and GELU?"""
    return (gelu(x @ w_widen) + b_widen) @ w_narrow + b_narrow
