"""Wrong answers to lesson 15 (round 19)."""

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
    raise ValueError('convention must be "allowed", "blocked", "additive" or "blocked_float"')


def to_allowed__2(mask, convention):
    if convention == "allowed":
        return mask.bool()
    elif convention == "blocked":
        return torch.logical_not(mask)
    elif convention == "additive":
        return mask > -1000
    else:
        return mask < 0.5


def from_torch__1(state):
    result = {}
    for i, name in enumerate(["query", "key", "value"]):
        result[f"{name}.weight"] = state["in_proj_weight"][i::3].clone()
        if "in_proj_bias" in state:
            result[f"{name}.bias"] = state["in_proj_bias"][i::3].clone()
    result["output.weight"] = state["out_proj.weight"].clone()
    if "out_proj.bias" in state:
        result["output.bias"] = state["out_proj.bias"].clone()
    return result


def from_torch__2(state):
    ours = {}
    for kind in ("weight", "bias"):
        if "in_proj_" + kind not in state:
            continue
        pieces = state["in_proj_" + kind].chunk(3, dim=0)
        ours.update({f"{name}.{kind}": piece for name, piece in zip(("query", "key", "value"), pieces)})
        ours["output." + kind] = state["out_proj." + kind]
    return ours


def from_gpt2__1(state):
    wq, wk, wv = state["c_attn.weight"].T.chunk(3, dim=0)
    bq, bk, bv = state["c_attn.bias"].chunk(3)
    return {
        "query.weight": wq.clone(), "key.weight": wk.clone(), "value.weight": wv.clone(),
        "query.bias": bq.clone(), "key.bias": bk.clone(), "value.bias": bv.clone(),
        "output.weight": state["c_proj.weight"].clone(),
        "output.bias": state["c_proj.bias"].clone(),
    }


def from_gpt2__2(state):
    model_size = state["c_proj.weight"].shape[0]
    matrices = state["c_attn.weight"].reshape(3, model_size, model_size)
    biases = state["c_attn.bias"].reshape(3, model_size)
    result = {}
    for name, matrix, bias in zip(["query", "key", "value"], matrices, biases):
        result[name + ".weight"] = matrix.T.clone()
        result[name + ".bias"] = bias.clone()
    result["output.weight"] = state["c_proj.weight"].T.clone()
    result["output.bias"] = state["c_proj.bias"].clone()
    return result


TRUTH = {
    "to_allowed__1": 'Of an additive mask only minus infinity counts as blocked, so -1e4 and other large negative numbers come out as allowed.',
    "to_allowed__2": 'Any text that is none of the first three is taken for "blocked_float", so an unknown convention raises no error.',
    "from_torch__1": 'The rows for query, key and value are taken in turn (every third row), although each of them is one block of neighbouring rows.',
    "from_torch__2": 'The pieces are views into the tensors of the given state and not copies, so they share their memory with it.',
    "from_gpt2__1": 'Only c_attn is turned from (in, out) to (out, in); c_proj is square, keeps its shape either way, and is left unturned.',
    "from_gpt2__2": 'The matrix of c_attn is reshaped to three matrices instead of cut into blocks of columns, so each of them mixes query, key and value.',
}
