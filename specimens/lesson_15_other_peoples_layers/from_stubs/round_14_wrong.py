"""Wrong answers to lesson 15 (round 14)."""

import torch


def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask.clone()
    if convention == "blocked":
        return ~mask
    if convention == "additive":
        return mask > -1e9
    if convention == "blocked_float":
        return mask == 0
    raise ValueError(f"{convention}: use allowed, blocked, additive or blocked_float")


def to_allowed__2(mask, convention):
    match convention:
        case "allowed":
            return mask
        case "blocked":
            return torch.logical_not(mask)
        case "additive":
            return mask == 0
        case "blocked_float":
            return mask.bool()
        case _:
            raise ValueError("allowed, blocked, additive, blocked_float")


def from_torch__1(state):
    ours = {"output.weight": state["out_proj.weight"].clone()}
    for i, name in enumerate(("query", "key", "value")):
        ours[f"{name}.weight"] = state["in_proj_weight"][i::3].clone()
        if "in_proj_bias" in state:
            ours[f"{name}.bias"] = state["in_proj_bias"][i::3].clone()
    if "out_proj.bias" in state:
        ours["output.bias"] = state["out_proj.bias"].clone()
    return ours


def from_torch__2(state):
    result = {}
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" not in state:
            continue
        for name, part in zip(("query", "key", "value"), state[f"in_proj_{kind}"].detach().chunk(3)):
            result[f"{name}.{kind}"] = part
        result[f"output.{kind}"] = state[f"out_proj.{kind}"].detach()
    return result


def from_gpt2__1(state):
    query, key, value = state["c_attn.weight"].T.chunk(3, dim=0)
    names = {"query": query, "key": key, "value": value, "output": state["c_proj.weight"]}
    biases = dict(zip(("query", "key", "value"), state["c_attn.bias"].chunk(3))) | {"output": state["c_proj.bias"]}
    return {f"{n}.weight": w.clone() for n, w in names.items()} | {f"{n}.bias": b.clone() for n, b in biases.items()}


TRUTH = {
    "to_allowed__1": "In \"additive\", -1e4 passes as allowed: its limit is too low.",
    "to_allowed__2": "In \"blocked_float\" 1 means blocked, and it reads it as allowed.",
    "from_torch__1": "It deals the rows out in turn (or by threes), where query, key and value are blocks of rows one below the other.",
    "from_torch__2": "detach shares the memory: the results are no copies.",
    "from_gpt2__1": "c_proj.weight is not transposed; it is stored as (in, out) too.",
}
