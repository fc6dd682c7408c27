"""What people get wrong about `MultiHeadAttention`, and what helps them."""

import numpy as np

from autograder.activations import layer_norm
from autograder.layers import multi_head_layer

from ..exercises import MultiHeadAttention, default_sequences
from .attend_by_heads import FOLLOW_THE_MASK
from .multi_head_attention import NOTHING_ADDED, NOTHING_AROUND_IT


@MultiHeadAttention.misconception(biases=("added", "forgotten"))
def takes_the_matrices_of_linear_on_their_side(query, *, biases, **rest):
    """The matrices of queries, keys and values met the tokens on their side, with rows where columns belong.
    `nn.Linear` stores its matrix as (out, in), so a product with `.weight` needs it turned, and leaves the bias out.
    Called as a function, the projection turns the matrix and adds the bias by itself."""
    for name in ("query", "key", "value"):
        rest[f"w_{name}"] = rest[f"w_{name}"].mT
        rest[f"b_{name}"] = rest.get(f"b_{name}") if biases == "added" else None
    return multi_head_layer(query, **rest)


@MultiHeadAttention.misconception(bias=("added", "forgotten"))
def takes_the_matrix_of_the_output_on_its_side(query, w_output, b_output=None, *, bias, **rest):
    """The matrix of the output projection met the heads' results on its side, with rows where columns belong.
    `nn.Linear` stores its matrix as (out, in), so a product with `.weight` needs it turned, and leaves the bias out.
    Called as a function, the projection turns the matrix and adds the bias by itself."""
    b_output = b_output if bias == "added" else None
    return multi_head_layer(query, w_output=w_output.mT, b_output=b_output, **rest)


@MultiHeadAttention.misconception
def leaves_the_mask_unread(query, mask=None, **rest):
    """The mask has no influence: your layer does the same as without one.
    `mask` may be left out in a call, so no error reminds you of it.
    Which parameter of `forward` have you not used yet? Or, if you have used it: does softmax read the new scores, or
    the old ones?"""
    return multi_head_layer(query, **rest)


MultiHeadAttention.hints_for("leaves_the_mask_unread", hints=FOLLOW_THE_MASK)


@MultiHeadAttention.misconception
def never_calls_the_output_projection(query, **rest):
    """The output projection, with its bias, has no influence on your output: the heads lie side by side, and it ends
    there.
    The shape is right without it, so nobody complains.
    Its product lets the heads meet. Which of your four modules is not called in `forward`?"""
    return multi_head_layer(query, **rest | dict(w_output=np.eye(query.shape[-1]), b_output=None))


@MultiHeadAttention.misconception
def calls_the_output_projection_twice(query, w_output, b_output=None, **rest):
    """Your heads' results went through the output projection twice.
    It is called once, at the very end.
    Follow the merged heads through your last lines: where does the projection come, and where again?"""
    b_output = None if b_output is None else b_output @ w_output + b_output
    return multi_head_layer(query, w_output=w_output @ w_output, b_output=b_output, **rest)


@MultiHeadAttention.misconception
def adds_the_query_to_the_output_of_the_layer(query, **rest):
    """The query was added to your output.
    A sum of this kind, a residual connection, stands around attention in a whole model, and a later lesson puts it
    there.
    Here the output is what the output projection gives, and nothing beside it."""
    result = multi_head_layer(query, **rest)
    return (result[0] + query, result[1]) if isinstance(result, tuple) else result + query


@MultiHeadAttention.misconception(which=("query, key and value", "query"))
def normalises_what_the_layer_gets(query, key=None, value=None, *, which, **rest):
    """A layer norm stands in front of your projections: that is where {which} went first.
    Such a norm often stands in front of attention, and a later lesson puts it there; it is no part of this layer.
    Project the sequences as they come in."""
    _, key, value = default_sequences(query, key, value)
    others = (key, value) if which == "query" else map(layer_norm, (key, value))
    return multi_head_layer(layer_norm(query), **dict(zip(("key", "value"), others)), **rest)


@MultiHeadAttention.misconception
def adds_the_query_and_normalises_in_the_layer(query, **rest):
    """The query was added to your output, and the sum went through a layer norm.
    Both stand around attention in a whole model, and a later lesson puts them there.
    Here the output is what the output projection gives, and nothing beside it."""
    result = multi_head_layer(query, **rest)
    return (layer_norm(result[0] + query), result[1]) if isinstance(result, tuple) else layer_norm(result + query)


@MultiHeadAttention.misconception
def adds_the_bias_of_the_output_for_each_head(query, heads, b_output=None, **rest):
    """The bias of the output projection is in your output once for each head.
    `nn.Linear` adds its bias whenever it is called, and yours is called in each round of a loop.
    Put the heads side by side first, and call it once."""
    return multi_head_layer(query, heads, b_output=None if b_output is None else heads * b_output, **rest)


MultiHeadAttention.hints_for(
    "normalises_what_the_layer_gets",
    "adds_the_query_and_normalises_in_the_layer",
    hints=NOTHING_AROUND_IT,
)


def as_if_called(weights, query="query", key="key", value="value", output="output"):
    """The weights and biases of a layer that calls these projections where it should call query, key, value, output."""
    called = dict(query=query, key=key, value=value, output=output).items()
    return weights | {f"{kind}_{name}": weights.get(f"{kind}_{other}") for kind in "wb" for name, other in called}


EXCHANGED = {
    "queries and keys": dict(query="key", key="query"),
    "keys and values": dict(key="value", value="key"),
    "queries and values": dict(query="value", value="query"),
    "values and output": dict(value="output", output="value"),
}


@MultiHeadAttention.misconception(which=tuple(EXCHANGED))
def exchanges_two_projections(query, *, which, **rest):
    """The projections of {which} changed places, with their weights and biases.
    All four have the same shape, so nothing complains.
    The order is query, key, value, also for the blocks of one fused projection.
    Which sequence goes through which projection in your code?"""
    return multi_head_layer(query, **as_if_called(rest, **EXCHANGED[which]))


ROTATED = {
    "keys, values and queries": dict(query="key", key="value", value="query"),
    "values, queries and keys": dict(query="value", key="query", value="key"),
}


@MultiHeadAttention.misconception(made_by=tuple(ROTATED))
def calls_each_projection_in_the_next_ones_place(query, *, made_by, **rest):
    """Queries, keys and values were made by the projections of {made_by}, in this order.
    All have the same shape, so nothing complains.
    The order is query, key, value, also for the blocks of one fused projection.
    Check what you unpack, or the rows that you take."""
    return multi_head_layer(query, **as_if_called(rest, **ROTATED[made_by]))


IN_PLACE = {
    "queries made your keys": dict(key="query"),
    "queries made your values": dict(value="query"),
    "keys made your queries": dict(query="key"),
    "keys made your values": dict(value="key"),
    "values made your queries": dict(query="value"),
    "values made your keys": dict(key="value"),
    "queries made your keys and values": dict(key="query", value="query"),
    "keys made your queries and values": dict(query="key", value="key"),
    "values made your queries and keys": dict(query="value", key="value"),
    "values made your output": dict(output="value"),
}


@MultiHeadAttention.misconception(which=tuple(IN_PLACE))
def calls_one_projection_in_place_of_another(query, *, which, **rest):
    """The projection of the {which}, too.
    All four have the same shape, so nothing complains, and one of them is never used.
    Each learns a view of its own. Look at the names in the lines of `forward` that call them."""
    return multi_head_layer(query, **as_if_called(rest, **IN_PLACE[which]))


@MultiHeadAttention.misconception
def cuts_a_fused_projection_head_by_head(query, heads, w_query, w_key, w_value, **rest):
    """Your fused projection was cut into heads first, and each head's piece into query, key and value.
    Some models store their weights like that. Here the blocks are all queries, then all keys, then all values.
    Cut the result in three first, and then split each of the three into heads."""

    def dealt(*three):
        fused = np.concatenate(three, axis=-1)
        fused = fused.reshape(*fused.shape[:-1], heads, 3, -1)
        return (fused[..., part, :].reshape(three[0].shape) for part in range(3))

    biases = [rest.pop(f"b_{name}", None) for name in ("query", "key", "value")]
    biases = biases if biases[0] is None else dealt(*biases)
    rest |= {f"b_{name}": b for name, b in zip(("query", "key", "value"), biases)}
    return multi_head_layer(query, heads, *dealt(w_query, w_key, w_value), **rest)


@MultiHeadAttention.misconception(on="dead_row")
def gives_zeros_to_a_query_that_sees_nothing(query, heads, mask=None, **rest):
    """A query that may look at nothing gets zeros from your layer; it should get the bias of the output.
    What is zero there are its weights, and so what its heads found.
    The output projection comes after that, and adds its bias to every row alike.
    Let the mask act on the weights, and leave the output as it is."""
    out = multi_head_layer(query, heads, mask=mask, **rest)
    if mask is None or isinstance(out, tuple):
        return out
    keys = query if rest.get("key") is None else rest["key"]
    whole = np.broadcast_to(mask, (len(query), heads, query.shape[1], keys.shape[1]))
    return out * whole.any(axis=(1, 3))[..., None]


CALL_THE_PROJECTION = (
    "An `nn.Linear` is more than its matrix. "
    "It has a bias beside it, it stores the matrix as (out, in), and it knows how both are used. "
    "Who takes `.weight` and multiplies by hand has to remember all of this. "
    "Who calls the module need not.",
    "Search your code for `.weight`, `.bias` and `F.linear`. "
    "Is a projection used in pieces, where it could be called? "
    "Look at `__init__`, too: are all four projections made with the `bias` that came in? "
    "Then set the biases of the values and of the output to large numbers, one after the other. "
    "Each time the output should move by much.",
    "Let all four projections be called, each with its input in brackets, as one calls a function. "
    "Then the matrix is turned, and the bias is added, without a word of yours. "
    "If you keep `nn.Parameter` instead, store the matrix as (in, out), multiply from the right, and add the bias "
    "after it.",
)

MultiHeadAttention.hints_for(
    "takes_the_matrices_of_linear_on_their_side",
    "takes_the_matrix_of_the_output_on_its_side",
    hints=CALL_THE_PROJECTION,
)

MultiHeadAttention.hints_for(
    "never_calls_the_output_projection",
    "calls_the_output_projection_twice",
    "adds_the_bias_of_the_output_for_each_head",
    hints=(
        "A token meets four projections on its way: three before the heads attend, and one after. "
        "The fourth is where the findings of different heads come together. "
        "Without it, they stay in columns of their own. "
        "If it is there twice, what was mixed is mixed a second time.",
        "Read `forward` from its end. "
        "Which variable is returned, and which line made it? "
        "Between the merge and the `return`, count how often the output projection is called, and look into the "
        "functions that you call there. "
        "Once is right, and what it gives should be what you return.",
        "Merge the heads first, so that each row holds all of them. "
        "Hand the merged rows to the output projection, once, and give what comes back a name. "
        "This name is returned, with the weights beside it or without them, and nothing else is done to it.",
    ),
)

MultiHeadAttention.hints_for(
    "adds_the_query_to_the_output_of_the_layer",
    hints=NOTHING_ADDED,
)

ONE_PROJECTION_EACH = (
    "The projections look alike: same kind, same shape. "
    "What makes one of them the projection of the keys is that keys are made with it, in every call, by its matrix "
    "and its bias. "
    "Weights that somebody else has trained work only if each is used for what its name says.",
    "Write three short lines: the sequence, the projection that it goes through, the name of what comes out. "
    "In each line the same word should stand three times. "
    "Check the calls in `forward`, the order of what you loop over or unpack, the blocks of a fused projection, and "
    "any bias that you add by hand.",
    "The query goes through the projection called query, the key through key, the value through value, and the merged "
    "heads through output. "
    "In a fused projection the blocks come in the same order: queries, keys, values. "
    "A matrix and the bias that is added after it come from the same projection.",
)

MultiHeadAttention.hints_for(
    "exchanges_two_projections",
    "calls_each_projection_in_the_next_ones_place",
    "calls_one_projection_in_place_of_another",
    hints=ONE_PROJECTION_EACH,
)

MultiHeadAttention.hints_for(
    "cuts_a_fused_projection_head_by_head",
    hints=(
        "A fused projection has two levels. "
        "On the outer one, three projections stand side by side. "
        "On the inner one, each of the three holds its heads side by side. "
        "Cut the outer level first. "
        "If heads are cut first, pieces of the queries end up where keys should be.",
        "Look at the first step after the fused projection: does it make heads, or does it make three parts? "
        "Number the columns, for a model size of 4 and 2 heads. "
        "The queries should be 0 to 3, the keys 4 to 7, the values 8 to 11. "
        "Which columns do your three tensors hold?",
        "First take the result apart along its last axis, into three parts of model_size columns each; `chunk` can do "
        "that. "
        "These parts are the queries, the keys and the values. "
        "Then split each of the three into heads, all in the same way.",
    ),
)

MultiHeadAttention.hints_for(
    "gives_zeros_to_a_query_that_sees_nothing",
    hints=(
        "A query that may look at nothing gets weights of zero, and so its heads find zeros. "
        "The output projection then does what it does for every row: a row of zeros times a matrix, plus the bias, is "
        "the bias. "
        "No special case is needed for that.",
        "Look for steps after the output projection that touch its result: a product with the mask or with something "
        "made of it, a `masked_fill`, a `torch.where`. "
        "Then hide all keys from one query, and print its row before that projection and after it. "
        "Before, there should be zeros. "
        "After, there should be the bias of the output. "
        "If it is zeros as well, a step behind the projection has cleared them.",
        "Let the weights of such a query be zeros; `masked_softmax` makes them so. "
        "From there on, treat all rows alike: mix, merge, project. "
        "Take out the step that clears rows of the output, and the bias will be there by itself.",
    ),
)
