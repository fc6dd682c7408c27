"""What people get wrong about `give_weights`."""

from autograder.mistakes import mistake


@mistake(on="weights")
def averages_the_returned_weights(out, weights):
    """With `return_weights=True` your weights are a mean over the heads.
    That is what PyTorch's layer returns by default.
    Here you should return each head's map: (batch, heads, queries, keys)."""
    return out, weights.mean(axis=1)


@mistake(on="weights")
def returns_the_weights_alone(out, weights):
    """With `return_weights=True` you return only the weights, without the output.
    A caller who asks for the weights wants the output as well.
    Return both, the output first."""
    return weights


@mistake(on="weights")
def returns_the_weights_first(out, weights):
    """With `return_weights=True` the two things come in the other order: first the weights, then the output.
    A caller who unpacks them gets each in place of the other.
    The output comes first."""
    return weights, out


@mistake(on="weights")
def does_not_return_the_weights(out, weights):
    """With `return_weights=True` you return the output alone.
    Return the weights as well: one map for each head, as they are before dropout.
    Where does your code use `return_weights`?"""
    return out
