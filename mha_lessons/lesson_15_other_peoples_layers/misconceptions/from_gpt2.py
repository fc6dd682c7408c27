"""What people get wrong about the weights of GPT-2's attention."""

from autograder.mistakes import mistake

from ..exercises import from_gpt2


@mistake(which=("c_attn", "c_proj", "c_attn and c_proj"))
def forgets_the_turn(state, *, which):
    """Your weights from {which} are still stored as they came: (in, out).
    What is square loads without an error.
    GPT-2 multiplies by its weights from the right. Which way round does `nn.Linear` want them?"""
    ours, outer = from_gpt2(state), "output.weight"
    left = {"c_attn": set(ours) - {outer}, "c_proj": {outer}}.get(which, set(ours))
    return {name: x.T if name in left and "weight" in name else x for name, x in ours.items()}


@mistake(then=("and turned", "and not turned"))
def reshapes_into_three_matrices(state, *, then):
    """Your block was reshaped into three matrices, {then}: the shapes are right, but the numbers are in the wrong ones.
    A reshape reads row by row, and each row here holds a part of query, key and value.
    Along which axis do the three lie side by side?"""
    size = len(state["c_attn.weight"])
    pieces = state["c_attn.weight"].reshape(3, size, size)
    pieces = [piece.T if then == "and turned" else piece for piece in pieces]
    return from_gpt2(state) | dict(zip(("query.weight", "key.weight", "value.weight"), pieces))


@mistake(on="old_file", kept=("under their old names", "under a new name"))
def lets_further_entries_through(state, *, kept):
    """Your dictionary has entries that do not belong to the layer, {kept}.
    Old GPT-2 files hold a causal mask that is called `bias`.
    Ask for the four entries by name, and take no others."""
    prefix = "" if kept == "under their old names" else "output."
    further = {f"{prefix}{name}": x for name, x in state.items() if "c_" not in name}
    return from_gpt2(state) | further


@mistake(on="old_file")
def takes_what_ends_in_bias(state):
    """For a file that holds more than the layer's weights, your `output.bias` is another entry ending in "bias".
    Which one your code keeps depends on their order.
    What is the full name of the entry that you want?"""
    last = [x for name, x in state.items() if name.endswith("bias") and not name.startswith("c_attn")][-1]
    return from_gpt2(state) | {"output.bias": last}


@mistake(on="old_file")
def counts_on_the_order_of_entries(state):
    """With a file that holds more than the layer's weights, your code mixes them up, or stops.
    It goes by their order, or takes each entry for a weight.
    Ask the dictionary for the names that you need."""
    names = "c_attn.weight", "c_attn.bias", "c_proj.weight", "c_proj.bias"
    return from_gpt2(dict(zip(names, list(state.values())[:4])))
