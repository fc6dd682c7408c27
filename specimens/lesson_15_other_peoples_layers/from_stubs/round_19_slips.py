"""Slips in answers to lesson 15 (round 19)."""




def to_allowed__1(mask, convention):
    if convention == "blocked" or "blocked_float":
        return mask == 0
    if convention == "allowed":
        return mask.clone()
    if convention == "additive":
        return mask > -1000
    raise ValueError("allowed, blocked, additive or blocked_float, please")


def from_torch__1(state):
    names = ["query", "key", "value"]
    result = {}
    for name, rows in zip(names, state["in_proj_weight"].chunk(3)):
        result[name + ".weight"] = rows.clone()
    result["output.weight"] = state["out_proj_weight"].clone()
    if "in_proj_bias" in state:
        for name, part in zip(names, state["in_proj_bias"].chunk(3)):
            result[name + ".bias"] = part.clone()
        result["output.bias"] = state["out_proj.bias"].clone()
    return result


TRUTH = {
    "to_allowed__1": '`convention == "blocked" or "blocked_float"` is always true, because a text that is not empty counts as true, so an "allowed" mask is turned around and an unknown convention raises no error.',
    "from_torch__1": 'The key is called out_proj.weight, with a dot, and out_proj_weight raises a KeyError.',
}
