"""Wrong answers to lesson 15, other people's layers (round 8)."""

import torch

NAMES = ("query", "key", "value")


def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask.clone()
    if convention == "blocked":
        return ~mask
    if convention == "additive":
        return ~torch.isinf(mask)
    if convention == "blocked_float":
        return mask == 0
    raise ValueError(f"{convention!r}: allowed, blocked, additive or blocked_float")


def to_allowed__2(mask, convention):
    match convention:
        case "allowed":
            return mask
        case "blocked":
            return mask.logical_not()
        case "additive":
            return mask > -1.0
        case "blocked_float":
            return mask.to(torch.bool)
    raise ValueError("allowed, blocked, additive, blocked_float")


def to_allowed__3(mask, convention):
    if convention == "allowed":
        allowed = mask
    elif convention == "blocked":
        allowed = ~mask
    elif convention == "additive":
        allowed = mask > -5e3
    elif convention == "blocked_float":
        allowed = mask < 0.5
    else:
        raise ValueError("convention must be allowed, blocked, additive or blocked_float")
    # a row without any True would become NaN in softmax
    return allowed | ~allowed.any(dim=-1, keepdim=True)


def to_allowed__4(mask, convention):
    if convention == "allowed":
        return mask
    if mask.dtype == torch.bool:
        return ~mask
    if convention == "additive":
        return mask == 0
    return mask != 1


def to_allowed__5(mask, convention):
    if convention not in ("allowed", "blocked", "additive", "blocked_float"):
        raise ValueError(convention)
    if convention == "additive":
        return mask.eq(0)
    blocked = mask.bool()
    return blocked if convention == "allowed" else blocked.logical_not_()


def from_torch__1(state):
    ours = dict(zip((f"{n}.weight" for n in NAMES), state["in_proj_weight"].chunk(3)))
    ours["output.weight"] = state["out_proj.weight"].clone()
    if "in_proj_bias" in state:
        ours.update(zip((f"{n}.bias" for n in NAMES), state["in_proj_bias"].chunk(3)))
        ours["output.bias"] = state["out_proj.bias"].clone()
    return ours


def from_torch__2(state):
    size = state["out_proj.weight"].shape[0]
    ours = {}
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" not in state:
            continue
        packed = state[f"in_proj_{kind}"]
        for i, name in enumerate(NAMES):
            part = packed[i * size:(i + 1) * size]
            ours[f"{name}.{kind}"] = (part.T if kind == "weight" else part).clone()
        out = state[f"out_proj.{kind}"]
        ours[f"output.{kind}"] = (out.T if kind == "weight" else out).clone()
    return ours


def from_torch__3(state):
    size = state["in_proj_weight"].shape[1]
    weight = state["in_proj_weight"].reshape(size, 3, size)
    ours = {f"{n}.weight": weight[:, i].clone() for i, n in enumerate(NAMES)}
    ours["output.weight"] = state["out_proj.weight"].clone()
    if "in_proj_bias" in state:
        bias = state["in_proj_bias"].reshape(size, 3)
        ours |= {f"{n}.bias": bias[:, i].clone() for i, n in enumerate(NAMES)}
        ours["output.bias"] = state["out_proj.bias"].clone()
    return ours


def from_torch__4(state):
    size = state["in_proj_weight"].shape[1]
    weights = state["in_proj_weight"].split(size)
    zeros = state["in_proj_weight"].new_zeros(3 * size)
    biases = state.get("in_proj_bias", zeros).split(size)
    ours = {}
    for name, weight, bias in zip(NAMES, weights, biases):
        ours[name + ".weight"] = weight.clone()
        ours[name + ".bias"] = bias.clone()
    ours["output.weight"] = state["out_proj.weight"].clone()
    ours["output.bias"] = state.get("out_proj.bias", zeros[:size]).clone()
    return ours


def from_gpt2__1(state):
    ours = {}
    weights = state["c_attn.weight"].chunk(3, dim=1)
    biases = state["c_attn.bias"].chunk(3)
    for name, weight, bias in zip(NAMES, weights, biases):
        ours[f"{name}.weight"] = weight.t().clone()
        ours[f"{name}.bias"] = bias.clone()
    ours["output.weight"] = state["c_proj.weight"].clone()
    ours["output.bias"] = state["c_proj.bias"].clone()
    return ours


def from_gpt2__2(state):
    ours = {}
    weight = state["c_attn.weight"].T.contiguous()
    bias = state["c_attn.bias"].clone()
    size = weight.shape[1]
    for i, name in enumerate(NAMES):
        ours[f"{name}.weight"] = weight[i * size:(i + 1) * size]
        ours[f"{name}.bias"] = bias[i * size:(i + 1) * size]
    ours["output.weight"] = state["c_proj.weight"].T.clone()
    ours["output.bias"] = state["c_proj.bias"].clone()
    return ours


def from_gpt2__3(state):
    # throw away the causal mask of old files first
    for name in list(state):
        if not name.startswith("c_"):
            state.pop(name)
    q, k, v = (part.T.clone() for part in state["c_attn.weight"].chunk(3, dim=-1))
    bq, bk, bv = (part.clone() for part in state["c_attn.bias"].chunk(3, dim=-1))
    return {
        "query.weight": q, "key.weight": k, "value.weight": v,
        "output.weight": state["c_proj.weight"].T.clone(),
        "query.bias": bq, "key.bias": bk, "value.bias": bv,
        "output.bias": state["c_proj.bias"].clone(),
    }


def from_gpt2__4(state):
    size = state["c_attn.weight"].shape[0]
    # blocks of (out, in), one for each of the three
    weight = state["c_attn.weight"].reshape(3, size, size).transpose(1, 2)
    bias = state["c_attn.bias"].reshape(3, size)
    ours = {"output.weight": state["c_proj.weight"].T.clone(), "output.bias": state["c_proj.bias"].clone()}
    for i, name in enumerate(NAMES):
        ours[name + ".weight"] = weight[i].clone()
        ours[name + ".bias"] = bias[i].clone()
    return ours


TRUTH = {
    "to_allowed__1": "additive: only infinities are blocked, so -1e4 counts as allowed.",
    "to_allowed__2": "blocked_float has the wrong polarity: 1 becomes True.",
    "to_allowed__3": "A row where all are blocked is opened completely.",
    "to_allowed__4": "An unknown convention raises no error: it is read as one of the four.",
    "to_allowed__5": "bool() of a boolean mask is the mask itself, and logical_not_ then changes the input (blocked).",
    "from_torch__1": "chunk gives views: query, key and value share memory with the state.",
    "from_torch__2": "Transposes weights that are stored as (out, in) already.",
    "from_torch__3": "Reads the rows as interleaved (query, key, value, query, ...), not as three blocks.",
    "from_torch__4": "A layer without biases gets biases of zeros: eight tensors, not four.",
    "from_gpt2__1": "The weight of the output is not transposed.",
    "from_gpt2__2": "The three weights are slices of one tensor, and so are the three biases: they share memory.",
    "from_gpt2__3": "Takes further entries out of the caller's dictionary.",
    "from_gpt2__4": "reshape(3, size, size) cuts c_attn.weight into blocks of rows, where the three are blocks of columns.",
}
