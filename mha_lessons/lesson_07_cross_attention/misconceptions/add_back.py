"""What people get wrong about `add_back`."""


def leaves_out_the_residuals(x, change):
    """What each part finds replaces `x`: the residual connections are missing.
    A part says what to *add* to a token, and the token must keep what it knew before.
    What is on the right-hand side of your `x = ...`?"""
    return change
