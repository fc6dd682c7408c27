"""Wrong answers to lesson 15 (round 13)."""

import torch


def to_allowed__1(mask, convention):
    if convention in ("allowed", "blocked"):
        return mask if convention == "allowed" else ~mask
    if convention in ("additive", "blocked_float"):
        allowed = mask == 0
        # a query that sees nothing makes NaN: it may see everything
        dead = ~allowed.any(dim=-1, keepdim=True)
        return allowed | dead
    raise ValueError(convention)


def to_allowed__2(mask, convention):
    match convention:
        case "allowed":
            return mask
        case "blocked":
            return ~mask
        case "additive":
            return mask < 0
        case "blocked_float":
            return mask == 1
    raise ValueError("allowed, blocked, additive, blocked_float")


def from_torch__1(state):
    names = ["query", "key", "value"]
    result = {}
    for kind in ("weight", "bias"):
        block = state.get(f"in_proj_{kind}")
        parts = [None] * 3 if block is None else block.clone().split(block.shape[0] // 3)
        result |= {f"{name}.{kind}": part for name, part in zip(names, parts)}
        result[f"output.{kind}"] = state.get(f"out_proj.{kind}")
    return result


def from_gpt2__1(state):
    weights = state["c_attn.weight"].T.chunk(3, dim=0)
    biases = state["c_attn.bias"].chunk(3)
    result = {}
    for name, weight, bias in zip(("query", "key", "value"), weights, biases):
        result[f"{name}.weight"] = weight.clone()
        result[f"{name}.bias"] = bias.clone()
    return result | {"output.weight": state["c_proj.weight"].clone(), "output.bias": state["c_proj.bias"].clone()}


def from_gpt2__2(state):
    weights = state["c_attn.weight"].T.chunk(3, dim=1)
    biases = state["c_attn.bias"].chunk(3)
    result = {f"{n}.weight": w.clone() for n, w in zip(("query", "key", "value"), weights)}
    result |= {f"{n}.bias": b.clone() for n, b in zip(("query", "key", "value"), biases)}
    return result | {"output.weight": state["c_proj.weight"].T.clone(), "output.bias": state["c_proj.bias"].clone()}


TRUTH = {
    "to_allowed__1": "where all numbers of a row are blocked, all are allowed",
    "to_allowed__2": "the two conventions with numbers are inverted",
    "from_torch__1": "without biases the dictionary has biases of None; query, key and value share one memory, and output is no copy",
    "from_gpt2__1": "c_proj is not turned",
    "from_gpt2__2": "turned first, then cut along the axis that has no thirds",
}
