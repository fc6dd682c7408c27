"""What people get wrong about `give_weights`."""

from ..exercises import give_weights


@give_weights.misconception(on="weights")
def averages_the_returned_weights(out, weights):
    """With `return_weights=True` your weights are a mean over the heads.
    That is what PyTorch's layer returns, if no one tells it otherwise.
    Here each head's map is wanted: (batch, heads, queries, keys)."""
    return out, weights.mean(axis=1)


@give_weights.misconception(on="weights")
def returns_the_weights_alone(out, weights):
    """With `return_weights=True` you return the weights, and the output is gone.
    Who asks for the weights wants them beside the output.
    Return both, the output first."""
    return weights


@give_weights.misconception(on="weights")
def returns_the_weights_first(out, weights):
    """With `return_weights=True` the two things come in the other order: first the weights, then the output.
    Whoever unpacks them gets one for the other.
    The output comes first."""
    return weights, out


@give_weights.misconception(on="weights")
def does_not_return_the_weights(out, weights):
    """With `return_weights=True` you return the output alone.
    The weights are wanted beside it, one map for each head, as they are before dropout.
    Where does your code ask for `return_weights`?"""
    return out
