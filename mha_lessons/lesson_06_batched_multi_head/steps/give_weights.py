"""What people get wrong about `give_weights`, and what helps them."""

from ..exercises import give_weights


@give_weights.misconception(on="weights")
def averages_the_returned_weights(out, weights):
    """With `return_weights=True` your weights are a mean over the heads.
    That is what PyTorch's layer returns, if nobody tells it otherwise.
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


give_weights.hints_for(
    "returns_the_weights_alone",
    "returns_the_weights_first",
    "does_not_return_the_weights",
    hints=(
        "A layer is called in two ways. "
        "Mostly one wants the output, and gets one tensor. "
        "Who wants to look inside asks for the weights as well, and gets a pair, in an order that was agreed on. "
        "A caller who unpacks the pair into two names relies on that.",
        "Call your layer both ways, and print the shapes of all that comes back. "
        "With the weights it should be two things: (batch, queries, model_size), the same as in the other call, and "
        "then (batch, heads, queries, keys). "
        "What stands in which place in yours? "
        "Which line asks for the parameter?",
        "The last line of `forward` depends on one question: were the weights asked for? "
        "If so, it returns a pair, the output in front and the weights behind. "
        "If not, it returns the output. "
        "Both were computed before, in the same way for both calls.",
    ),
)

THE_WEIGHTS_THAT_WERE_USED = (
    "The returned weights are a window: they show how the output came about. "
    "So what stands there is what the values were mixed with, one map for each head, after the mask and after "
    "softmax. "
    "Dropout is the exception: it is left out, since holes made by dice say nothing about attention.",
    "Find the line that mixes the values, and the tensor that multiplies them. "
    "With dropout of 0, print it beside the weights that you return, for a mask that hides everything from one query. "
    "Both should be equal, entry by entry, with zeros for that query. "
    "If not, where does the returned tensor come from?",
    "The weights come from softmax, or with a mask from `masked_softmax`, which gives zeros where nothing may be "
    "seen. "
    "Keep them under a name, and return this name. "
    "Dropout gets a name of its own for what it makes. "
    "Between softmax and `return` nothing else is done to the weights.",
)

give_weights.hints_for(
    "averages_the_returned_weights",
    hints=THE_WEIGHTS_THAT_WERE_USED,
)
