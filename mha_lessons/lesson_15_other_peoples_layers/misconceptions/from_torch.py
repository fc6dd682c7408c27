"""What people get wrong about the weights of `torch.nn.MultiheadAttention`."""

from autograder.mistakes import mistake

from ..exercises import from_torch


def _turned(state, *names):
    return {name: x.T if name in names else x for name, x in state.items()}


@mistake(which=("query, key and value", "the output projection", "all four projections"))
def turns_what_lies_right(state, *, which):
    """Your weights of {which} are transposed.
    That is what one does with weights that are stored as (in, out).
    How does torch's layer store them, and how does `nn.Linear`?"""
    outer, ours = ("output.weight",), ("query.weight", "key.weight", "value.weight")
    turned = {"query, key and value": ours, "the output projection": outer}.get(which, ours + outer)
    return _turned(from_torch(state), *turned)


@mistake(on="no_bias")
def refuses_a_layer_without_biases(state):
    """Your code stops for a layer that was made with `bias=False`.
    Such a layer is complete: its state dict has the two weights and no entry for a bias.
    How do you ask a dictionary whether it has an entry?"""
    return from_torch({"in_proj_bias": state["in_proj_bias"]} | state)


@mistake(on="no_bias", filled=(0, 1))
def fills_in_missing_biases(state, *, filled):
    """For a layer without biases, your dictionary has biases all the same, filled with {filled}.
    Our layer without biases has no room for them and would refuse to load.
    What is missing from one dictionary should be missing from the other."""
    ours = from_torch(state)
    biases = {name.replace("weight", "bias"): x[:, 0] * 0 + filled for name, x in ours.items() if "weight" in name}
    return biases | ours


@mistake(on="no_bias")
def leaves_out_the_output_too(state):
    """For a layer without biases, your dictionary has no output projection.
    The condition that is meant for the biases decides about more than the biases.
    Which lines belong under it, and which do not?"""
    ours = from_torch(state)
    return ours if "in_proj_bias" in state else {name: x for name, x in ours.items() if "output" not in name}


@mistake(
    how=(
        "turned and cut into (3, size, size)",
        "turned, cut into (3, size, size), and turned back",
        "cut into (size, size, 3)",
        "cut into (size, size, 3), and turned",
        "turned and cut into (size, size, 3)",
    )
)
def reshapes_the_rows_apart(state, *, how):
    """Your block of weights was {how}, so each piece holds numbers of all three projections.
    A reshape reads row by row, and the first rows of the block are the query.
    Which rows are the key, and which axis do they lie along?"""
    block, size = state["in_proj_weight"], state["in_proj_weight"].shape[1]
    block = block.T if how.startswith("turned") else block
    cut = block.reshape(3, size, size) if "(3, " in how else block.reshape(size, size, 3)
    pieces = [cut[n] if "(3, " in how else cut[..., n] for n in range(3)]
    pieces = [piece.T if how.endswith(("back", "and turned")) else piece for piece in pieces]
    return from_torch(state) | dict(zip(("query.weight", "key.weight", "value.weight"), pieces))
