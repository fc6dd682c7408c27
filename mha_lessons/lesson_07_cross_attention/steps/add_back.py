"""What people get wrong about `add_back`, and what helps them."""

from ..exercises import add_back


@add_back.misconception
def leaves_out_the_residuals(x, change):
    """What each part finds takes the place of `x`: the residual connections are missing.
    A part says what to *add* to a token. What the token knew before must not get lost.
    What stands on the right side of your `x = ...`?"""
    return change


add_back.hints_for(
    "leaves_out_the_residuals",
    hints=(
        "Think of `x` as a page that is passed round. "
        "Each part reads it and writes a remark below what is there. "
        "At the end one can read all the remarks, and the first words too. "
        "If each part hands on its remark alone, the next one does not know which word it is about. "
        "And the short way back, by which gradients reach the first layer, is gone.",
        "Set all weights and biases of your layer to zero, and give it an input. "
        "No part finds anything then, so the result should be the input, unchanged. "
        "What comes out? "
        "Look at the lines in `forward` that make a new `x`. "
        "Is each of them a sum of the old `x` and something else, or is it the something alone?",
        "Each of the three steps makes its new `x` of two things: the `x` of before, as it was in front of the norm, "
        "and what the part has found, with dropout on it. "
        "The sign between them is a plus. "
        "This holds for the last step, too, also where it stands behind `return`.",
    ),
)
