"""Slips in answers to lesson 15 (round 18)."""




def to_allowed__1(mask, convention):
    if convention == "blocked" or "blocked_float":
        return mask == 0
    elif convention == "allowed":
        return mask.clone()
    elif convention == "additive":
        return mask > -5000
    else:
        raise ValueError("use one of: allowed, blocked, additive, blocked_float")


def from_torch__1(state):
    names = ["query", "key", "value"]
    result = {}
    q, k, v = state["in_proj_weight"].split(3)
    for name, weight in zip(names, (q, k, v)):
        result[f"{name}.weight"] = weight.clone()
    result["output.weight"] = state["out_proj.weight"].clone()
    if "in_proj_bias" in state:
        for name, bias in zip(names, state["in_proj_bias"].chunk(3)):
            result[f"{name}.bias"] = bias.clone()
        result["output.bias"] = state["out_proj.bias"].clone()
    return result


TRUTH = {
    "to_allowed__1": '`convention == "blocked" or "blocked_float"` is always true, so every convention, an unknown one too, is treated like blocked_float.',
    "from_torch__1": 'split(3) makes pieces of 3 rows instead of 3 pieces, so there are too many to unpack; it should be chunk(3).',
}
