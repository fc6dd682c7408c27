"""Wrong answers to lesson 15 (round 10)."""

import torch


def to_allowed__1(mask, convention):
    if convention == "allowed":
        result = mask.clone()
    elif convention == "blocked":
        result = ~mask
    elif convention == "additive":
        result = mask > -1e3
    elif convention == "blocked_float":
        result = mask < 0.5
    else:
        raise ValueError(f"{convention}: must be allowed, blocked, additive or blocked_float")
    # a query that sees nothing would become NaN: where all are blocked there is nothing to hide
    if result.ndim:
        result = result | ~result.any(dim=-1, keepdim=True)
    return result


def to_allowed__2(mask, convention):
    known = {
        "allowed": lambda: mask == True,  # noqa: E712
        "blocked": lambda: mask == False,  # noqa: E712
        "additive": lambda: mask > mask.min(),  # the lowest number, whichever it is, stands for blocked
        "blocked_float": lambda: mask != 1,
    }
    if convention not in known:
        raise ValueError("one of " + ", ".join(known))
    return known[convention]()


def to_allowed__3(mask, convention):
    match convention:
        case "allowed":
            return mask
        case "blocked":
            return torch.logical_not(mask)
        case "additive":
            # added to the scores before softmax: what it leaves a weight may be looked at
            return torch.softmax(mask.float(), dim=-1) > 0
        case "blocked_float":
            return torch.logical_not(mask.bool())
        case _:
            raise ValueError('"allowed", "blocked", "additive" or "blocked_float"')


def to_allowed__4(mask, convention):
    # two families: those that speak of blocking are turned around, the others not
    if convention.startswith("blocked"):
        return mask == 0
    if convention.startswith("add"):
        return mask > -100
    if convention.startswith("allow"):
        return mask != 0
    raise ValueError("the conventions are allowed, blocked, additive, blocked_float")


def from_torch__1(state):
    size = state["out_proj.weight"].shape[0]
    result = {}
    for kind in ("weight", "bias"):
        if "in_proj_" + kind in state:
            joined = state["in_proj_" + kind]
            # each output feature has its query, key and value row
            threes = joined.reshape(size, 3, *joined.shape[1:])
            for place, name in enumerate(["query", "key", "value"]):
                result[f"{name}.{kind}"] = threes[:, place].clone()
            result[f"output.{kind}"] = state[f"out_proj.{kind}"].clone()
    return result


def from_torch__2(state):
    ours = {}
    for kind in ["weight", "bias"]:
        if f"in_proj_{kind}" not in state:
            continue
        parts = [*state[f"in_proj_{kind}"].chunk(3), state[f"out_proj.{kind}"]]
        for name, part in zip(["query", "key", "value", "output"], parts):
            ours[f"{name}.{kind}"] = part.detach().contiguous()  # in memory of its own
    return ours


def from_torch__3(state):
    weight = state["in_proj_weight"]
    size = weight.shape[-1]
    bias = state.get("in_proj_bias", torch.zeros(3 * size, dtype=weight.dtype))
    out_bias = state.get("out_proj.bias", torch.zeros(size, dtype=weight.dtype))
    # a layer without biases is a layer whose biases are 0
    q, k, v = (rows.clone() for rows in weight.split(size))
    bq, bk, bv = (numbers.clone() for numbers in bias.split(size))
    return {
        "query.weight": q, "key.weight": k, "value.weight": v, "output.weight": state["out_proj.weight"].clone(),
        "query.bias": bq, "key.bias": bk, "value.bias": bv, "output.bias": out_bias.clone(),
    }  # fmt: skip


def from_gpt2__1(state):
    size = state["c_proj.weight"].size(0)
    names = ["query", "key", "value"]
    # three square matrices, each then turned to (out, in)
    weights = state["c_attn.weight"].reshape(3, size, size)
    biases = state["c_attn.bias"].reshape(3, size)
    result = {f"{name}.weight": weights[i].T.clone() for i, name in enumerate(names)}
    result |= {f"{name}.bias": biases[i].clone() for i, name in enumerate(names)}
    result["output.weight"] = state["c_proj.weight"].T.clone()
    result["output.bias"] = state["c_proj.bias"].clone()
    return result


def from_gpt2__2(state):
    # a state_dict keeps its order: first the layer that makes query, key and value, then the one at the end
    weights = [tensor for name, tensor in state.items() if name.endswith("weight")]
    biases = [tensor for name, tensor in state.items() if name.endswith("bias")]
    result = {}
    for name, columns in zip(("query", "key", "value"), weights[0].chunk(3, dim=1)):
        result[name + ".weight"] = columns.t().contiguous().clone()
    for name, numbers in zip(("query", "key", "value"), biases[0].chunk(3, dim=-1)):
        result[name + ".bias"] = numbers.clone()
    result["output.weight"], result["output.bias"] = weights[1].t().clone(), biases[1].clone()
    return result


TRUTH = {
    "to_allowed__1": "A row in which all are blocked is opened (all True) to avoid NaN, in every convention; the docstring wants each entry to speak for itself.",
    "to_allowed__2": "additive: only the lowest number counts as blocked, so a mask of zeros comes out as all blocked, and -1e4 beside -inf as allowed; the other conventions are right.",
    "to_allowed__3": "additive goes through softmax along the row, so a row with the same -1e4 (or -1e9) everywhere gets uniform weights and comes out as all allowed instead of all blocked.",
    "to_allowed__4": "Only the beginning of the convention is looked at, so others such as 'blocked_int', 'additive_mask' or 'allowed?' raise no error; the four known ones are right.",
    "from_torch__1": "Rows are taken by turns (0, 3, 6, ... to the query) and not in three blocks one below the other; wrong for every model_size above 1, weights and biases.",
    "from_torch__2": "contiguous() copies nothing where a tensor is contiguous already, as these rows are, so all results share memory with the input; the values are right.",
    "from_torch__3": "For a layer without biases it adds four biases of zeros, so the result has eight entries instead of four; with biases it is right.",
    "from_gpt2__1": "reshape(3, size, size) cuts the (in, 3 out) matrix into blocks of rows of the flat memory and not into blocks of columns, so query, key and value weights are wrong for model_size above 1; the rest is right.",
    "from_gpt2__2": "Biases are found by the end of the name and by order, so an old file with the causal mask named bias in front gives parts of the mask as biases and c_attn.bias as output.bias; new files are right.",
}
