"""Slips in answers to lesson 15 (round 10)."""


def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask
    elif convention == "blocked" or "blocked_float":
        return mask == 0
    elif convention == "additive":
        return mask > -1e3
    else:
        raise ValueError("allowed, blocked, additive or blocked_float")


def from_gpt2__1(state):
    size = state["c_proj.weight"].shape[0]
    for start, name in enumerate(["query", "key", "value"]):
        ours = {}
        columns = slice(start * size, (start + 1) * size)
        ours[name + ".weight"] = state["c_attn.weight"][:, columns].T.clone()
        ours[name + ".bias"] = state["c_attn.bias"][columns].clone()
    ours["output.weight"] = state["c_proj.weight"].T.clone()
    ours["output.bias"] = state["c_proj.bias"].clone()
    return ours


TRUTH = {
    "to_allowed__1": '`or "blocked_float"` is always true, so additive is never reached and unknown conventions raise no error: for \"additive\" it happens to be right (0 = may look), so it shows only with conventions that do not exist.',
    "from_gpt2__1": "The dictionary is made anew in each turn of the loop, so only value and output are left: four entries instead of eight.",
}
