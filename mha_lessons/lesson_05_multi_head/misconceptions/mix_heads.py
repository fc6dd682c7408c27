"""What people get wrong about `mix_heads`."""

from autograder.mistakes import mistake
from mha_lessons.lesson_02_scaled_dot_product.activations import ACTIVATIONS, layer_norm


def forgets_the_output_weights(merged, w_output):
    """The output weights have no influence on your result: the heads lie side by side, and it ends there.
    Where all heads together are as wide as the model, even the shape is right, so there is no error.
    The last step combines the heads. Which parameter have you not used yet?"""
    return merged


def transposes_the_output_weights(merged, w_output):
    """The output weights were transposed, or stand on the left of the product.
    Here they are stored as (in, out), and tokens are rows, so you can multiply by them from the right as they are.
    `nn.Linear` stores its weight as (out, in), which is where the habit comes from."""
    return merged @ w_output.mT


def applies_the_output_weights_twice(merged, w_output):
    """The output weights were applied twice.
    Heads are mixed once, at the very end.
    Follow the result through your last lines: where is it multiplied by the output weights, and where again?"""
    return merged @ w_output @ w_output


def adds_the_unmixed_heads(merged, w_output):
    """Your output is the mixture plus the heads' unmixed results.
    Only the mixture is the output.
    Models do add something earlier (a residual connection), but outside attention."""
    return merged @ w_output + merged


@mistake(by=("ReLU", "GELU", "tanh"))
def bends_the_mixture(merged, w_output, *, by):
    """Your output went through {by} after the output weights had mixed the heads.
    Attention returns the mixture as it is; activations belong to other parts of a model.
    What happens between your last product and `return`?"""
    return ACTIVATIONS[by](merged @ w_output)


def normalises_the_mixture(merged, w_output):
    """Each row of your output has mean 0 and variance 1: it went through a layer norm.
    In a whole model there is such a norm around attention, but it is not part of attention.
    What happens between your last product and `return`?"""
    return layer_norm(merged @ w_output)
