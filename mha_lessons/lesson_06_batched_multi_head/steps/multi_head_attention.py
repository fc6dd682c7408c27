"""What people get wrong about `multi_head_attention`, and what helps them."""

import numpy as np

from autograder.activations import layer_norm

from ..exercises import multi_head_attention


@multi_head_attention.misconception
def adds_the_query_to_the_result(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """The query was added to your output.
    A sum of this kind, a residual connection, stands around attention in a whole model, and the next lesson puts it
    there.
    Here the output is what the heads found, and nothing beside it."""
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask) + query


@multi_head_attention.misconception
def uses_the_value_weights_as_output(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """`w_output` does not change your result: the last product took `w_value` a second time.
    The four matrices have the same shape, so nothing complains.
    Which one lets the heads' results meet, at the very end?"""
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_value, heads, mask)


@multi_head_attention.misconception
def swaps_value_and_output_weights(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """`w_value` and `w_output` changed places.
    They have the same shape, so nothing complains.
    One makes values before the heads attend, the other mixes what the heads found, at the very end."""
    return multi_head_attention(query, key, value, w_query, w_key, w_output, w_value, heads, mask)


@multi_head_attention.misconception
def mixes_each_head_by_the_first_rows(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your heads' results were added up before the output: all of them went through the same rows of `w_output`.
    Each head has rows of its own there, so that the model can tell who found what.
    Put the heads side by side first, then multiply once."""
    size = w_output.shape[0] // heads
    same = np.concatenate([w_output[:size]] * heads)
    return multi_head_attention(query, key, value, w_query, w_key, w_value, same, heads, mask)


@multi_head_attention.misconception(which=("first", "last"))
def keeps_the_output_of_one_head(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """Only the {which} head has an influence on your output, through its own rows of `w_output`.
    The output is a sum over all heads, each through rows of its own.
    Does each turn of your loop add to the sum, or replace it? Or does the loop end too early?"""
    size = w_output.shape[0] // heads
    block = np.arange(heads).repeat(size) == (0 if which == "first" else heads - 1)
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output * block[:, None], heads, mask)


@multi_head_attention.misconception
def shares_the_first_block_of_weights(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """All your heads are the same one: each was projected with the first block of columns.
    Head i has the columns from i · head_size on, in each of the three matrices.
    Does your slice move on with the head?"""
    size = w_query.shape[-1] // heads
    first = (np.tile(w[:, :size], heads) for w in (w_query, w_key, w_value))
    return multi_head_attention(query, key, value, *first, w_output, heads, mask)


OTHERS = {"w_query": 0, "w_key": 1}


@multi_head_attention.misconception(which=tuple(OTHERS))
def swaps_the_output_weights_with_others(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which
):
    """`{which}` and `w_output` changed places.
    They have the same shape, so nothing complains.
    One works on the tokens before the heads attend, the other mixes what the heads found, at the very end."""
    matrices = [w_query, w_key, w_value, w_output]
    matrices[OTHERS[which]], matrices[3] = w_output, matrices[OTHERS[which]]
    return multi_head_attention(query, key, value, *matrices, heads, mask)


@multi_head_attention.misconception(which=tuple(OTHERS))
def uses_other_weights_as_output(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """`w_output` does not change your result: the last product took `{which}` a second time.
    The four matrices have the same shape, so nothing complains.
    Which one lets the heads' results meet, at the very end?"""
    again = (w_query, w_key)[OTHERS[which]]
    return multi_head_attention(query, key, value, w_query, w_key, w_value, again, heads, mask)


def blocks_on_the_diagonal(w, heads):
    """The same matrix, with zeros wherever rows and columns belong to different heads."""
    of_head = np.arange(len(w)) // (len(w) // heads)
    return np.where(of_head[:, None] == of_head, w, 0)


@multi_head_attention.misconception
def keeps_each_head_in_its_own_columns(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Each of your heads is multiplied by its own square block of `w_output`, so what it found stays in its own
    columns, and no head meets another.
    A head has its own *rows* there, and they reach all columns.
    Put the heads side by side first, then multiply once, by the whole matrix."""
    alone = blocks_on_the_diagonal(w_output, heads)
    return multi_head_attention(query, key, value, w_query, w_key, w_value, alone, heads, mask)


@multi_head_attention.misconception
def splits_the_columns_before_projecting(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Each of your heads sees only a block of the tokens' features: they are split before the projection.
    A head may read all features; what is split is the result of the projection.
    Which comes first in your code?"""
    alone = (blocks_on_the_diagonal(w, heads) for w in (w_query, w_key, w_value))
    return multi_head_attention(query, key, value, *alone, w_output, heads, mask)


@multi_head_attention.misconception
def mixes_the_mean_of_the_heads(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your heads' results were averaged before the output: their mean went through the first rows of `w_output`.
    Each head has rows of its own there, so that the model can tell who found what.
    Put the heads side by side first, then multiply once."""
    size = w_output.shape[0] // heads
    same = np.concatenate([w_output[:size]] * heads) / heads
    return multi_head_attention(query, key, value, w_query, w_key, w_value, same, heads, mask)


@multi_head_attention.misconception(which=("query, key and value", "query"))
def normalises_the_sequences_first(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """A layer norm stands in front of your projections: that is where {which} went first.
    Such a norm often stands in front of attention, and the next lesson puts it there; it is no part of attention.
    Project the sequences as they come in."""
    sequences = layer_norm(query), *((key, value) if which == "query" else map(layer_norm, (key, value)))
    return multi_head_attention(*sequences, w_query, w_key, w_value, w_output, heads, mask)


@multi_head_attention.misconception
def adds_the_query_and_normalises(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """The query was added to your output, and the sum went through a layer norm.
    Both stand around attention in a whole model, and the next lesson puts them there.
    Here the output is what the heads found, and nothing beside it."""
    return layer_norm(multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask) + query)


NOTHING_ADDED = (
    "What attention gives back for a query is what was found in the tokens that it looks at. "
    "Whether the query itself is kept beside it is decided by the model around the layer. "
    "Many models do keep it, by a sum of their own. "
    "If the layer adds it as well, it counts twice.",
    "Set the output weights to zeros, and in a layer the bias of the output, too. "
    "Then attention should give 0 everywhere, and yours gives the query. "
    "Read the last lines, and look for the query in a `+` or a `+=`. "
    "A name that was used again may hide it.",
    "After the merge comes the product with the output weights, in a layer with its bias, and what that gives is "
    "returned. "
    "The query is needed where it is projected, and nowhere after that. "
    "The sum is left to the one who calls you.",
)

multi_head_attention.hints_for(
    "adds_the_query_to_the_result",
    hints=NOTHING_ADDED,
)

NOTHING_AROUND_IT = (
    "In a whole model, attention has neighbours: a norm in front of it or behind it, and a sum with what came in. "
    "They are parts of the model around it, which puts them where it wants them. "
    "If attention brought its own, they would be there twice, and weights that somebody else has trained would no "
    "longer fit.",
    "Multiply all that comes in by 10, and hold the scores back by making the query weights zeros. "
    "The output should be 10 times as large then, and in a layer without biases, too. "
    "If it keeps its size, a norm is at work. "
    "Look for `LayerNorm`, `layer_norm`, or a mean and a standard deviation, in `__init__` and in what runs.",
    "Between what comes in and the three products stands nothing, and between the last product and `return` stands "
    "nothing. "
    "Take out the norm there, and a sum with the query beside it if there is one. "
    "Whoever builds a model calls both, in a layer of its own.",
)

multi_head_attention.hints_for(
    "normalises_the_sequences_first",
    "adds_the_query_and_normalises",
    hints=NOTHING_AROUND_IT,
)

multi_head_attention.hints_for(
    "uses_the_value_weights_as_output",
    "swaps_value_and_output_weights",
    "uses_other_weights_as_output",
    "swaps_the_output_weights_with_others",
    hints=(
        "These matrices stand on the two sides of attention. "
        "`w_query`, `w_key` and `w_value` come before it: one asks, one is asked, one is handed over. "
        "`w_output` comes after it, and makes each new number out of all heads. "
        "All have the same shape, but they never meet the same tensor.",
        "Search for `w_output` and the others in your code, the line with `def` included. "
        "Each should be there twice: once as a parameter, in the order of the stub, and once in a product. "
        "Beside each product, write whether it happens before the split or after the merge.",
        "Before the split, each sequence is multiplied by the matrix of its own name: the query's by `w_query`, the "
        "keys' by `w_key`, the values' by `w_value`. "
        "After the merge, the heads side by side are multiplied by `w_output`. "
        "Among the parameters, the four matrices come in the order query, key, value, output.",
    ),
)

multi_head_attention.hints_for(
    "mixes_each_head_by_the_first_rows",
    "mixes_the_mean_of_the_heads",
    "keeps_the_output_of_one_head",
    "shares_the_first_block_of_weights",
    "keeps_each_head_in_its_own_columns",
    hints=(
        "Each head owns a block of the big matrices: some columns in `w_query`, `w_key` and `w_value`, some rows in "
        "`w_output`. "
        "The blocks follow each other in the order of the heads. "
        "A block is as long as the whole matrix on its other side: each head reads all features, and reaches all of "
        "them. "
        "What no head uses is never read, and could hold anything.",
        "Set the last column of `w_query`, `w_key` and `w_value` to zeros, then the last row of `w_output`, one after "
        "the other. "
        "Do the same with the last quarter of its first row. "
        "Each time something in the output should move. "
        "Where nothing does, that part is not read. "
        "Find the slice that chooses the block, or the sum that adds up the heads.",
        "No slice is needed at all: multiply by the whole matrix and split what comes out; merge what was found and "
        "multiply by the whole `w_output`. "
        "If you do slice, begin and end move on by head_size from head to head, in columns for the first three and in "
        "rows for the last.",
    ),
)

multi_head_attention.hints_for(
    "splits_the_columns_before_projecting",
    hints=(
        "What is split into heads are the *results* of the projections. "
        "A query of one head has few features, but each of them is made of all the features of its token. "
        "If you cut the token first, each head knows only a part of it: one may know the gender, another one the "
        "number, and none knows both. "
        "No head can choose what it needs any more.",
        "Find the reshape or the slices that make the heads, and the products with the matrices. "
        "Which of them comes first? "
        "Then look at one head's product: the side of the token should be `model_size` wide. "
        "If it is `model_size / heads`, the token was cut. "
        "Also look at slices of a matrix: were its rows cut together with its columns?",
        "First multiply whole tokens with the whole matrix, for queries, keys and values alike. "
        "Then split what comes out into blocks of neighbouring columns, one block for each head. "
        "If you loop over the heads, cut the columns of a matrix and leave its rows alone: each row belongs to one "
        "feature of the token, and all of them are needed.",
    ),
)
