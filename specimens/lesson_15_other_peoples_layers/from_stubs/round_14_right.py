"""Right answers to lesson 15 (round 14)."""


def to_allowed__1(mask, convention):
    rules = {
        "allowed": lambda m: m.bool(),
        "blocked": lambda m: m.logical_not(),
        "additive": lambda m: m > -5000,
        "blocked_float": lambda m: m < 0.5,
    }
    return rules[convention](mask)


def from_gpt2__1(state):
    size = state["c_proj.bias"].numel()
    ours = {"output.weight": state["c_proj.weight"].t().clone(), "output.bias": state["c_proj.bias"].clone()}
    for i, name in enumerate(["query", "key", "value"]):
        part = slice(i * size, (i + 1) * size)
        ours[name + ".weight"] = state["c_attn.weight"][:, part].t().clone()
        ours[name + ".bias"] = state["c_attn.bias"][part].clone()
    return ours


WHY = {
    "to_allowed__1": "A dictionary of rules; an unknown name is a KeyError.",
    "from_gpt2__1": "It slices columns by number and clones the transpose.",
}
