"""Right answers to lesson 15 (round 15)."""

import torch



def to_allowed__1(mask, convention):
    may_look = {"allowed": True, "blocked": False, "additive": 0, "blocked_float": 0}
    if convention not in may_look:
        raise ValueError(f"{convention!r} is none of {', '.join(may_look)}")
    return mask == may_look[convention]


def from_torch__1(state):
    result = {}
    for kind in ("weight", "bias"):
        parts = [state.get(f"in_proj_{kind}"), state.get(f"out_proj.{kind}")]
        if parts[0] is None:
            continue
        blocks = torch.cat(parts).detach().chunk(4, dim=0)
        result |= {f"{name}.{kind}": block.clone() for name, block in zip(("query", "key", "value", "output"), blocks)}
    return result


def from_gpt2__1(state):
    size = state["c_proj.bias"].numel()
    places = {"query": ("c_attn", 0), "key": ("c_attn", 1), "value": ("c_attn", 2), "output": ("c_proj", 0)}
    result = {}
    for name, (layer, number) in places.items():
        columns = slice(number * size, (number + 1) * size)
        turned = state[f"{layer}.weight"].detach()[:, columns].t()
        result[f"{name}.weight"] = turned.clone(memory_format=torch.contiguous_format)
        result[f"{name}.bias"] = state[f"{layer}.bias"].detach()[columns].clone()
    return result


WHY = {
    "to_allowed__1": 'In each convention exactly one value means "may look", so a small table of these values and a single == do for all four.',
    "from_torch__1": "The output's weight is put below the other three, so that all four names take their block in one zip, and the same two lines serve weights and biases.",
    "from_gpt2__1": 'A table says in which matrix and at which block of columns each projection lies, and all four are cut out by the same slice, c_proj as block 0 of its own matrix.',
}
