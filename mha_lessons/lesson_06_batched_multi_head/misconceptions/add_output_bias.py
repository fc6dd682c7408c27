"""What people get wrong about `add_output_bias`."""

from autograder.mistakes import mistake
from mha_lessons.lesson_02_scaled_dot_product.activations import ACTIVATIONS, layer_norm

from ..exercises import add_output_bias


def leaves_out_the_bias_of_the_output(mixed, b_output=None):
    """The bias of the output projection has no influence on your output.
    `nn.Linear` adds its bias when it is called; a product with `.weight` alone leaves it out.
    All four projections have a bias, if the layer was made with `bias=True`."""
    return mixed


def adds_the_bias_of_the_output_twice(mixed, b_output=None):
    """The bias of the output projection is in your output twice.
    `nn.Linear` adds its bias when it is called, so you need not add it.
    If a loop over the heads calls the projection in each round, the bias is added in each round."""
    return mixed if b_output is None else mixed + 2 * b_output


@mistake(by=("ReLU", "GELU", "tanh"))
def bends_the_output_of_the_layer(mixed, b_output=None, *, by):
    """Your output went through {by} after the output projection.
    Attention returns what this projection gives; activations belong to other parts of a model.
    What happens between its call and `return`?"""
    return ACTIVATIONS[by](add_output_bias(mixed, b_output))


def normalises_the_output_of_the_layer(mixed, b_output=None):
    """Each row of your output has mean 0 and variance 1: it went through a layer norm.
    In a whole model there is such a norm around attention, but it is not part of this layer.
    What happens between the output projection and `return`?"""
    return layer_norm(add_output_bias(mixed, b_output))
