"""What people get wrong about `add_back`."""

from ..exercises import add_back


@add_back.misconception
def leaves_out_the_residuals(x, change):
    """What each part finds takes the place of `x`: the residual connections are missing.
    A part says what to *add* to a token. What the token knew before must not get lost.
    What is on the right side of your `x = ...`?"""
    return change
