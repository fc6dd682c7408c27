"""What people get wrong about `MultiHeadAttention`."""

import numpy as np

from autograder.mistakes import mistake
from mha_lessons.lesson_02_scaled_dot_product.activations import layer_norm

from ..exercises import default_sequences
from ..functional import multi_head_layer


@mistake(biases=("added", "forgotten"))
def takes_the_matrices_of_linear_on_their_side(query, *, biases, **rest):
    """The matrices of queries, keys and values were transposed when they met the tokens.
    `nn.Linear` stores its matrix as (out, in), so a product with `.weight` needs a transpose, and leaves the bias out.
    If you call the projection, it transposes the matrix and adds the bias by itself."""
    for name in ("query", "key", "value"):
        rest[f"w_{name}"] = rest[f"w_{name}"].mT
        rest[f"b_{name}"] = rest.get(f"b_{name}") if biases == "added" else None
    return multi_head_layer(query, **rest)


@mistake(bias=("added", "forgotten"))
def takes_the_matrix_of_the_output_on_its_side(query, w_output, b_output=None, *, bias, **rest):
    """The matrix of the output projection was transposed when it met the heads' results.
    `nn.Linear` stores its matrix as (out, in), so a product with `.weight` needs a transpose, and leaves the bias out.
    If you call the projection, it transposes the matrix and adds the bias by itself."""
    b_output = b_output if bias == "added" else None
    return multi_head_layer(query, w_output=w_output.mT, b_output=b_output, **rest)


def leaves_the_mask_unread(query, mask=None, **rest):
    """The mask has no influence: your layer does the same without it.
    `mask` is optional, so no error reminds you of it.
    Which parameter of `forward` have you not used yet? Or, if you have used it: does softmax read the new scores, or
    the old ones?"""
    return multi_head_layer(query, **rest)


def never_calls_the_output_projection(query, **rest):
    """The output projection, with its bias, has no influence on your output: you return the heads side by
    side.
    The shape is right without it, so there is no error.
    It combines the heads. Which of your four modules do you not call in `forward`?"""
    return multi_head_layer(query, **rest | dict(w_output=np.eye(query.shape[-1]), b_output=None))


def calls_the_output_projection_twice(query, w_output, b_output=None, **rest):
    """Your heads' results went through the output projection twice.
    It is called once, at the very end.
    Follow the merged heads through your last lines: where do you call the projection, and where again?"""
    b_output = None if b_output is None else b_output @ w_output + b_output
    return multi_head_layer(query, w_output=w_output @ w_output, b_output=b_output, **rest)


def adds_the_query_to_the_output_of_the_layer(query, **rest):
    """The query was added to your output.
    In a whole model such a sum, a residual connection, goes around attention, as in lesson
    07.
    Here the output is what the output projection gives, and nothing else."""
    result = multi_head_layer(query, **rest)
    return (result[0] + query, result[1]) if isinstance(result, tuple) else result + query


@mistake(which=("query, key and value", "query"))
def normalises_what_the_layer_gets(query, key=None, value=None, *, which, **rest):
    """A layer norm comes before your projections: {which} went through it.
    Such a norm often comes before attention, as in lesson 07, but it is not part of this layer.
    Project the sequences as they come in."""
    _, key, value = default_sequences(query, key, value)
    others = (key, value) if which == "query" else map(layer_norm, (key, value))
    return multi_head_layer(layer_norm(query), **dict(zip(("key", "value"), others)), **rest)


def adds_the_query_and_normalises_in_the_layer(query, **rest):
    """The query was added to your output, and the sum went through a layer norm.
    In a whole model both go around attention, as in lesson 07.
    Here the output is what the output projection gives, and nothing else."""
    result = multi_head_layer(query, **rest)
    return (layer_norm(result[0] + query), result[1]) if isinstance(result, tuple) else layer_norm(result + query)


def adds_the_bias_of_the_output_for_each_head(query, heads, b_output=None, **rest):
    """The bias of the output projection is in your output once for each head.
    `nn.Linear` adds its bias whenever it is called, and you call it in each round of a loop.
    Put the heads side by side first, and call it once."""
    return multi_head_layer(query, heads, b_output=None if b_output is None else heads * b_output, **rest)


def _as_if_called(weights, query="query", key="key", value="value", output="output"):
    """The weights and biases of a layer that calls these projections where it should call query, key, value, output."""
    called = dict(query=query, key=key, value=value, output=output).items()
    return weights | {f"{kind}_{name}": weights.get(f"{kind}_{other}") for kind in "wb" for name, other in called}


EXCHANGED = {
    "queries and keys": dict(query="key", key="query"),
    "keys and values": dict(key="value", value="key"),
    "queries and values": dict(query="value", value="query"),
    "values and output": dict(value="output", output="value"),
}


@mistake(which=tuple(EXCHANGED))
def exchanges_two_projections(query, *, which, **rest):
    """The projections of {which} are swapped, with their weights and biases.
    All four have the same shape, so there is no error.
    The order is query, key, value, also for the blocks of one fused projection.
    Which sequence goes through which projection in your code?"""
    return multi_head_layer(query, **_as_if_called(rest, **EXCHANGED[which]))


ROTATED = {
    "keys, values and queries": dict(query="key", key="value", value="query"),
    "values, queries and keys": dict(query="value", key="query", value="key"),
}


@mistake(made_by=tuple(ROTATED))
def calls_each_projection_in_the_next_ones_place(query, *, made_by, **rest):
    """Queries, keys and values were made by the projections of {made_by}, in this order.
    All have the same shape, so there is no error.
    The order is query, key, value, also for the blocks of one fused projection.
    Check what you unpack, or the rows that you take."""
    return multi_head_layer(query, **_as_if_called(rest, **ROTATED[made_by]))


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


@mistake(which=tuple(IN_PLACE))
def calls_one_projection_in_place_of_another(query, *, which, **rest):
    """The projection of the {which}, too.
    All four have the same shape, so there is no error, and one of them is never used.
    Each learns something different. Look at the names in the lines of `forward` that call them."""
    return multi_head_layer(query, **_as_if_called(rest, **IN_PLACE[which]))


def cuts_a_fused_projection_head_by_head(query, heads, w_query, w_key, w_value, **rest):
    """You cut the fused projection into heads first, and each head's piece into query, key and value.
    Some models store their weights like that. Here the blocks are all queries, then all keys, then all values.
    Cut the result into three first, and then split each of the three into heads."""

    def dealt(*three):
        fused = np.concatenate(three, axis=-1)
        fused = fused.reshape(*fused.shape[:-1], heads, 3, -1)
        return (fused[..., part, :].reshape(three[0].shape) for part in range(3))

    biases = [rest.pop(f"b_{name}", None) for name in ("query", "key", "value")]
    biases = biases if biases[0] is None else dealt(*biases)
    rest |= {f"b_{name}": b for name, b in zip(("query", "key", "value"), biases)}
    return multi_head_layer(query, heads, *dealt(w_query, w_key, w_value), **rest)


@mistake(on="dead_row")
def gives_zeros_to_a_query_that_sees_nothing(query, heads, mask=None, **rest):
    """A query with no allowed key gets zeros from your layer; it should get the bias of the output projection.
    Only its weights are zero, and so is what its heads found.
    The output projection comes after that, and adds its bias to every row.
    Let the mask act on the weights, and leave the output as it is."""
    out = multi_head_layer(query, heads, mask=mask, **rest)
    if mask is None or isinstance(out, tuple):
        return out
    keys = query if rest.get("key") is None else rest["key"]
    whole = np.broadcast_to(mask, (len(query), heads, query.shape[1], keys.shape[1]))
    return out * whole.any(axis=(1, 3))[..., None]
