"""Wrong answers to lesson 15 (round 15)."""

import torch



def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask.clone()
    if convention == "blocked":
        return ~mask
    if convention == "additive":
        return torch.isfinite(mask)
    if convention == "blocked_float":
        return mask == 0
    raise ValueError(f"unknown convention {convention!r}: use allowed, blocked, additive or blocked_float")


def to_allowed__2(mask, convention):
    match convention:
        case "allowed":
            allowed = mask.clone()
        case "blocked":
            allowed = mask.logical_not()
        case "additive":
            allowed = mask > -1
        case "blocked_float":
            allowed = mask < 0.5
        case _:
            raise ValueError("the convention is one of allowed, blocked, additive, blocked_float")
    nothing = ~allowed.any(dim=-1, keepdim=True)
    return allowed | nothing


def from_torch__1(state):
    result = {"output.weight": state["out_proj.weight"]}
    for name, part in zip(["query", "key", "value"], state["in_proj_weight"].chunk(3, dim=0)):
        result[f"{name}.weight"] = part
    if "in_proj_bias" in state:
        result["output.bias"] = state["out_proj.bias"]
        for name, part in zip(["query", "key", "value"], state["in_proj_bias"].chunk(3)):
            result[f"{name}.bias"] = part
    return result


def from_torch__2(state):
    size = state["out_proj.weight"].shape[0]
    no_bias = state["out_proj.weight"].new_zeros(3 * size)
    in_bias = state.get("in_proj_bias", no_bias)
    out_bias = state.get("out_proj.bias", no_bias[:size])
    new = {}
    for i, name in enumerate(("query", "key", "value")):
        rows = slice(i * size, (i + 1) * size)
        new[name + ".weight"] = state["in_proj_weight"][rows].clone()
        new[name + ".bias"] = in_bias[rows].clone()
    new["output.weight"] = state["out_proj.weight"].clone()
    new["output.bias"] = out_bias.clone()
    return new


def from_gpt2__1(state):
    query, key, value = state["c_attn.weight"].T.chunk(3, dim=0)
    query_bias, key_bias, value_bias = state["c_attn.bias"].chunk(3)
    return {
        "query.weight": query.clone(), "query.bias": query_bias.clone(),
        "key.weight": key.clone(), "key.bias": key_bias.clone(),
        "value.weight": value.clone(), "value.bias": value_bias.clone(),
        "output.weight": state["c_proj.weight"].clone(), "output.bias": state["c_proj.bias"].clone(),
    }


def from_gpt2__2(state):
    result = {}
    for name, tensor in state.items():
        layer, kind = name.split(".")
        turned = tensor.T if kind == "weight" else tensor
        if layer == "c_attn":
            for part, block in zip(("query", "key", "value"), turned.chunk(3, dim=0)):
                result[f"{part}.{kind}"] = block.clone()
        else:
            result[f"output.{kind}"] = turned.clone()
    return result


TRUTH = {
    "to_allowed__1": 'In the additive convention only minus infinity is taken for blocked, so -1e4 or -1e9, which block as well, count as "may look".',
    "to_allowed__2": 'A row in which all are blocked is opened completely, to avoid NaN later, although each entry speaks for itself.',
    "from_torch__1": "chunk gives views of the layer's own memory and nothing is cloned, so whoever changes the result changes the layer, and the tensors are no copies.",
    "from_torch__2": 'For a layer without biases four biases of zeros are invented, although the result must then have the four weights only.',
    "from_gpt2__1": 'c_attn.weight is turned from (in, out) to (out, in) but c_proj.weight is not, which nobody notices by the shape because it is square.',
    "from_gpt2__2": "Every entry of the state is taken for a layer's weight or bias, so the further entries of old files, a causal mask named bias for one, raise an error instead of being left out.",
}
