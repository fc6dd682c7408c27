"""Right answers to lesson 15 (round 19)."""

import torch


def to_allowed__1(mask, convention):
    readers = {
        "allowed": torch.clone,
        "blocked": torch.logical_not,
        "additive": lambda numbers: numbers.gt(-5000),
        "blocked_float": lambda numbers: numbers.lt(0.5),
    }
    if convention not in readers:
        raise ValueError(f"{convention!r} is none of {', '.join(readers)}")
    return readers[convention](mask)


def from_torch__1(state):
    ours = {}
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" in state:
            parts = [*state[f"in_proj_{kind}"].unflatten(0, (3, -1)).unbind(0), state[f"out_proj.{kind}"]]
            for name, part in zip(("query", "key", "value", "output"), parts):
                ours[f"{name}.{kind}"] = part.clone()
    return ours


def from_gpt2__1(state):
    size = state["c_proj.bias"].shape[0]
    turned = torch.einsum("inj->nji", state["c_attn.weight"].reshape(size, 3, size))
    ours = {"output.weight": state["c_proj.weight"].t().clone(), "output.bias": state["c_proj.bias"].clone()}
    for n, name in enumerate(("query", "key", "value")):
        ours[name + ".weight"] = turned[n].clone()
        ours[name + ".bias"] = state["c_attn.bias"][n * size : (n + 1) * size].clone()
    return ours


WHY = {
    "to_allowed__1": 'Right: a dictionary of four functions.',
    "from_torch__1": 'Right: the blocks of rows are cut with unflatten and unbind, in one loop over the kinds.',
    "from_gpt2__1": 'Right: einsum turns the three blocks of columns, and clone gives each its own memory.',
}
