"""Wrong answers to lesson 15 (round 16)."""

import torch



def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask.clone()
    if convention == "blocked":
        return ~mask
    if convention == "additive":
        return mask == mask.amax(dim=-1, keepdim=True)
    if convention == "blocked_float":
        return mask == 0
    raise ValueError('one of "allowed", "blocked", "additive", "blocked_float"')


def to_allowed__2(mask, convention):
    conversions = {
        "allowed": lambda m: m,
        "blocked": torch.logical_not,
        "additive": lambda m: m > -5000,
        "blocked_float": lambda m: m.bool(),
    }
    if convention not in conversions:
        raise ValueError(f"{convention!r} is none of {list(conversions)}")
    return conversions[convention](mask)


def from_torch__1(state):
    result = {}
    blocks = state["in_proj_weight"].chunk(3, dim=0)
    for name, block in zip(["query", "key", "value"], blocks):
        result[name + ".weight"] = block.T.clone()
    result["output.weight"] = state["out_proj.weight"].T.clone()
    if "in_proj_bias" in state:
        for name, block in zip(["query", "key", "value"], state["in_proj_bias"].chunk(3)):
            result[name + ".bias"] = block.clone()
        result["output.bias"] = state["out_proj.bias"].clone()
    return result


def from_torch__2(state):
    result = {"output.weight": state["out_proj.weight"].clone()}
    for n, name in enumerate(("query", "key", "value")):
        result[f"{name}.weight"] = state["in_proj_weight"][n::3].clone()
    if "in_proj_bias" in state:
        for n, name in enumerate(("query", "key", "value")):
            result[f"{name}.bias"] = state["in_proj_bias"][n::3].clone()
        result["output.bias"] = state["out_proj.bias"].clone()
    return result


def from_gpt2__1(state):
    names = ["query", "key", "value"]
    weights = state["c_attn.weight"].chunk(3, dim=1)
    biases = state["c_attn.bias"].chunk(3)
    result = {}
    for name, weight, bias in zip(names, weights, biases):
        result[f"{name}.weight"] = weight.T.clone()
        result[f"{name}.bias"] = bias.clone()
    result["output.weight"] = state["c_proj.weight"].clone()
    result["output.bias"] = state["c_proj.bias"].clone()
    return result


def from_gpt2__2(state):
    size = state["c_proj.weight"].shape[0]
    weights = state["c_attn.weight"].reshape(3, size, size)
    biases = state["c_attn.bias"].reshape(3, size)
    result = {}
    for n, name in enumerate(["query", "key", "value"]):
        result[name + ".weight"] = weights[n].T.clone()
        result[name + ".bias"] = biases[n].clone()
    result["output.weight"] = state["c_proj.weight"].T.clone()
    result["output.bias"] = state["c_proj.bias"].clone()
    return result


TRUTH = {
    "to_allowed__1": 'Takes the largest number of each row for "may look" in an additive mask, so a row where all are blocked becomes a row where all (or some) may look.',
    "to_allowed__2": 'Reads blocked_float as if 1 meant "may look", the opposite of what it says, because a number 1 turns into True.',
    "from_torch__1": 'Transposes the weights although both layers store them as (out, in), so the layer multiplies by the transposed matrices (no error, as they are square).',
    "from_torch__2": 'Takes every third row for query, key and value, as if their rows took turns, instead of three blocks one below the other.',
    "from_gpt2__1": 'Turns only c_attn and leaves c_proj as it is because it is square and fits, so the output projection is transposed.',
    "from_gpt2__2": 'Cuts c_attn by reshape to (3, model_size, model_size), which cuts the numbers in reading order across rows instead of into three blocks of columns.',
}
