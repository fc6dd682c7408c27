"""What people get wrong about `mix_heads`, and what helps them."""

from autograder.activations import ACTIVATIONS, layer_norm

from ..exercises import mix_heads


@mix_heads.misconception
def forgets_the_output_weights(merged, w_output):
    """The output weights have no influence on your result: the heads lie side by side, and it ends there.
    Where all heads together are as wide as the model, even the shape is right, so nobody complains.
    The last step lets the heads meet. Which parameter have you not used yet?"""
    return merged


@mix_heads.misconception
def transposes_the_output_weights(merged, w_output):
    """The output weights were turned round, as rows into columns.
    Here they are stored as (in, out), and tokens are rows, so they multiply from the right as they are.
    `nn.Linear` keeps its weight the other way round, which is where the habit comes from."""
    return merged @ w_output.mT


@mix_heads.misconception
def applies_the_output_weights_twice(merged, w_output):
    """The output weights were applied twice.
    Heads are mixed once, at the very end.
    Follow the result through your last lines: where is it multiplied by the output weights, and where again?"""
    return merged @ w_output @ w_output


@mix_heads.misconception
def adds_the_unmixed_heads(merged, w_output):
    """Your output is the mixture plus the heads' results as they were before it.
    The mixture alone is handed on.
    A sum with something earlier does exist (a residual connection), but it stands outside attention."""
    return merged @ w_output + merged


@mix_heads.misconception(by=("ReLU", "GELU", "tanh"))
def bends_the_mixture(merged, w_output, *, by):
    """Your output went through {by} after the output weights had mixed the heads.
    Attention hands on the mixture as it is; activations stand in other parts of a model.
    What happens between your last product and `return`?"""
    return ACTIVATIONS[by](merged @ w_output)


@mix_heads.misconception
def normalises_the_mixture(merged, w_output):
    """Each row of your output has mean 0 and variance 1: it went through a layer norm.
    A norm of this kind stands around attention in a whole model, and is no part of it.
    What happens between your last product and `return`?"""
    return layer_norm(merged @ w_output)


mix_heads.hints_for(
    "forgets_the_output_weights",
    hints=(
        "Side by side, the heads have not met. "
        "Each sits in columns of its own, and what it found stays there. "
        "Only a step that makes each new number out of all heads lets them work together. "
        "Whatever is meant to count must change the result when it changes: ask this of every weight that you are "
        "given.",
        "Make the output weights twice as large and compute again. "
        "Nothing moves in your result, and almost every number of it should. "
        "Now look at the last lines. "
        "Is what you return the joined heads? "
        "Or is there a product with the output weights whose result no line reads?",
        "One step is missing between the join and the `return`. "
        "The joined rows stand on the left of a product, the output weights on the right. "
        "In a layer, the projection called output is called with the joined rows. "
        "What comes out of this step is what you return.",
    ),
)

mix_heads.hints_for(
    "transposes_the_output_weights",
    hints=(
        "The two sides of this matrix mean different things. "
        "Its rows belong to what goes in, the columns of all heads. "
        "Its columns belong to what comes out, the columns of the model. "
        "Turned round, the numbers of a head meet weights that were made for something else, and if the matrix is "
        "square, no shape tells you.",
        "Look at the operation that brings in the output weights. "
        "Is there a `.T`, a `.mT` or a `transpose`? "
        "Is it `F.linear`, which turns the matrix that it gets? "
        "In an `einsum`, the letter that is summed over should be the first of the matrix, the one of its rows.",
        "The joined rows stand on the left, the matrix on the right, as it came in, with `@` between them. "
        "Then each number of a joined row meets a row of the matrix, the one that was made for it. "
        "Nothing has to be turned for that.",
    ),
)

mix_heads.hints_for(
    "applies_the_output_weights_twice",
    "adds_the_unmixed_heads",
    "bends_the_mixture",
    "normalises_the_mixture",
    hints=(
        "The end is a short chain: the joined heads go in, their mixture comes out, and the mixture is the result. "
        "Each link is used once. "
        "Nothing goes through the output weights a second time, and nothing goes round them to be added behind.",
        "Read your code backwards, from `return`. "
        "Which variable is returned, which line made it, and out of what? "
        "On this way you should meet the output weights once, and before them the joined heads. "
        "If a name is used for several things, give each step a name of its own, and read again.",
        "Let one line hand the joined heads to the output weights, and return what it gives. "
        "After that line comes no other product, and no sum with something earlier. "
        "If a function that you call mixes the heads already, do not mix its result again.",
    ),
)
