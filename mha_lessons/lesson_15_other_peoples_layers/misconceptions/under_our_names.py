"""What people get wrong where pieces get our names."""

from autograder.mistakes import mistake

from ..exercises import under_our_names


def leaves_the_biases_behind(kind, parts):
    """Your dictionary has the weights but no biases.
    `load_state_dict` refuses it; with `strict=False` it would load, and the biases would stay as they were drawn.
    The other layer keeps its biases beside its weights, in the same order."""
    return under_our_names(kind, parts) if kind == "weight" else {}


def leaves_the_output_behind(kind, parts):
    """Your dictionary has query, key and value, but nothing for the output projection.
    The other layer keeps it as a separate matrix, outside the large block.
    What is it called there, and what is it called here?"""
    query, key, value, _ = parts
    return {name: x for name, x in under_our_names(kind, (query, key, value, value)).items() if "output" not in name}


def starts_biases_at_zero(kind, parts):
    """Your biases are zeros, but those of the other layer are not.
    When that layer is new, its biases are zeros, so a test with a new layer would not show the difference.
    The numbers are there to be copied."""
    return under_our_names(kind, parts if kind == "weight" else [0 * part for part in parts])


@mistake(
    names=("q_proj, k_proj, v_proj, out_proj", "q, k, v, o", "w_query, w_key, w_value, w_output", "q, k, v, output")
)
def uses_other_names(kind, parts, *, names):
    """Your entries are named {names}, as in other libraries.
    A layer loads by name, and ours does not know these names.
    What does `MultiHeadAttention(4, 2).state_dict()` say?"""
    return {f"{name}.{kind}": x for name, x in zip(names.split(", "), under_our_names(kind, parts).values())}


def keeps_the_name_of_the_output(kind, parts):
    """Your output projection still has a name that ends in "proj", as in the other layer.
    A layer loads by name, and ours does not know this one.
    What is it called in our layer?"""
    *ours, output = under_our_names(kind, parts).items()
    return dict(ours) | {f"out_proj.{kind}": output[1]}


def joins_names_with_an_underscore(kind, parts):
    """Your names are joined with an underscore, as in "query_weight".
    In a state dict, a dot separates a part of a layer from what that part holds.
    The query of our layer is such a part."""
    return {name.replace(".", "_"): x for name, x in under_our_names(kind, parts).items()}
