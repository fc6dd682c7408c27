"""Wrong answers to lesson 15 (round 11)."""

import torch


def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask
    elif convention == "blocked":
        return ~mask
    elif convention == "additive":
        return torch.isfinite(mask)
    elif convention == "blocked_float":
        return mask == 0
    raise ValueError("allowed, blocked, additive or blocked_float")


def to_allowed__2(mask, convention):
    ways = {
        "allowed": lambda m: m,
        "blocked": torch.logical_not,
        "additive": lambda m: m > -1e4,
        "blocked_float": lambda m: m.bool(),
    }
    if convention not in ways:
        raise ValueError(f"one of {sorted(ways)}")
    return ways[convention](mask)


def from_torch__1(state):
    names = ("query", "key", "value")
    result = {}
    for name, weight in zip(names, state["in_proj_weight"].chunk(3, dim=1)):
        result[f"{name}.weight"] = weight.clone()
    if "in_proj_bias" in state:
        for name, bias in zip(names, state["in_proj_bias"].chunk(3)):
            result[f"{name}.bias"] = bias.clone()
        result["output.bias"] = state["out_proj.bias"].clone()
    result["output.weight"] = state["out_proj.weight"].clone()
    return result


def from_torch__2(state):
    size = state["out_proj.weight"].shape[0]
    nothing = torch.zeros(3 * size, dtype=state["out_proj.weight"].dtype)
    weights = state["in_proj_weight"].split(size)
    biases = state.get("in_proj_bias", nothing).split(size)
    result = {
        "output.weight": state["out_proj.weight"].clone(),
        "output.bias": state.get("out_proj.bias", nothing[:size]).clone(),
    }
    for name, weight, bias in zip(("query", "key", "value"), weights, biases):
        result[name + ".weight"], result[name + ".bias"] = weight.clone(), bias.clone()
    return result


def from_gpt2__1(state):
    query, key, value = state["c_attn.weight"].chunk(3, dim=1)
    query_bias, key_bias, value_bias = state["c_attn.bias"].chunk(3)
    result = {
        "query.weight": query,
        "key.weight": key,
        "value.weight": value,
        "output.weight": state["c_proj.weight"],
        "query.bias": query_bias,
        "key.bias": key_bias,
        "value.bias": value_bias,
        "output.bias": state["c_proj.bias"],
    }
    return {name: tensor.clone() for name, tensor in result.items()}


def from_gpt2__2(state):
    size = state["c_proj.bias"].numel()
    weights = state["c_attn.weight"].reshape(3, size, size)
    biases = state["c_attn.bias"].reshape(3, size)
    result = {"output.weight": state["c_proj.weight"].T.clone(), "output.bias": state["c_proj.bias"].clone()}
    for i, name in enumerate(["query", "key", "value"]):
        result[f"{name}.weight"] = weights[i].T.clone()
        result[f"{name}.bias"] = biases[i].clone()
    return result


TRUTH = {
    "to_allowed__1": "additive: only minus infinity counts as blocked; -1e4 and -1e9 are finite",
    "to_allowed__2": "blocked_float: 1 is taken for allowed, though it means blocked",
    "from_torch__1": "columns are cut, not rows: each weight has a third of the columns and three times the rows",
    "from_torch__2": "a layer without biases gets biases of zero, where there should be four weights alone",
    "from_gpt2__1": "nothing is transposed: GPT-2 has (in, out), ours is (out, in)",
    "from_gpt2__2": "reshape takes thirds of the rows in memory, not blocks of columns: each matrix is made of a mix of all three",
}
