"""Answers that break one clause of a docstring, and little else: clauses.toml says which."""

from mha_ref import from_gpt2, from_torch, to_allowed


def to_allowed__knows_conventions_by_number(mask, convention):
    return to_allowed(mask, ("allowed", "blocked", "additive", "blocked_float")[convention])


def to_allowed__knows_large_numbers_only(mask, convention):
    if convention == "additive":
        return ~((mask <= -1e4) & (mask > -1e39))
    return to_allowed(mask, convention)


def _pieces(block):
    return block.clone().chunk(3)


def from_torch__mixes_up_the_biases_alone(state):
    ours = from_torch(state)
    if "in_proj_bias" in state:
        ours["key.bias"], ours["query.bias"], ours["value.bias"] = _pieces(state["in_proj_bias"])
    return ours


def from_torch__gives_a_tuple(state):
    return tuple(from_torch(state).values())


def from_torch__gives_lists(state):
    return {name: x.tolist() for name, x in from_torch(state).items()}


def from_torch__keeps_the_large_block_too(state):
    return from_torch(state) | {"in_proj_weight": state["in_proj_weight"].clone()}


def from_torch__gives_views(state):
    pieces = (*state["in_proj_weight"].chunk(3), state["out_proj.weight"])
    return from_torch(state) | dict(zip(("query.weight", "key.weight", "value.weight", "output.weight"), pieces))


def from_torch__takes_entries_out(state):
    ours = from_torch(state)
    state.pop("in_proj_weight")
    return ours


def from_gpt2__mixes_up_the_biases_alone(state):
    ours = from_gpt2(state)
    ours["key.bias"], ours["query.bias"], ours["value.bias"] = _pieces(state["c_attn.bias"])
    return ours


def from_gpt2__gives_a_tuple(state):
    return tuple(from_gpt2(state).values())


def from_gpt2__gives_lists(state):
    return {name: x.tolist() for name, x in from_gpt2(state).items()}


def from_gpt2__keeps_the_large_block_too(state):
    return from_gpt2(state) | {"c_attn.weight": state["c_attn.weight"].clone()}


def from_gpt2__gives_views(state):
    return from_gpt2(state) | {"output.bias": state["c_proj.bias"]}


def from_gpt2__takes_entries_out(state):
    ours = from_gpt2(state)
    del state["c_attn.weight"]
    return ours
