"""Right answers to lesson 15, other people's layers (round 8)."""

import torch


def to_allowed__1(mask, convention):
    readers = {
        "allowed": lambda m: m.clone(),
        "blocked": lambda m: torch.logical_xor(m, torch.ones_like(m)),
        "additive": lambda m: m > -5000,
        "blocked_float": lambda m: m < 0.5,
    }
    if convention not in readers:
        raise ValueError(f"unknown convention {convention!r}; known: {', '.join(readers)}")
    return readers[convention](mask)


def to_allowed__2(mask, convention):
    neutral = {"allowed": True, "blocked": False, "additive": 0, "blocked_float": 0}[convention]
    flat = [entry == neutral for entry in mask.flatten().tolist()]
    return torch.tensor(flat, dtype=torch.bool, device=mask.device).reshape(mask.shape)


def from_torch__1(state):
    size = state["in_proj_weight"].shape[1]
    ours = {}
    for start, name in zip(range(0, 3 * size, size), ("query", "key", "value")):
        for theirs in [t for t in ("in_proj_weight", "in_proj_bias") if t in state]:
            part = state[theirs].narrow(0, start, size)
            ours[name + "." + theirs.rsplit("_", 1)[1]] = torch.empty_like(part).copy_(part)
    for theirs in [t for t in state if t.startswith("out_proj.")]:
        ours[theirs.replace("out_proj", "output")] = state[theirs].clone()
    return ours


def from_gpt2__1(state):
    size = state["c_proj.weight"].shape[0]
    packed = state["c_attn.weight"].reshape(size, 3, size)
    ours = {}
    for i, name in enumerate(("query", "key", "value")):
        ours[f"{name}.weight"] = torch.stack([packed[:, i, out] for out in range(size)])
        ours[f"{name}.bias"] = torch.cat([state["c_attn.bias"][i * size:(i + 1) * size]])
    ours["output.weight"] = torch.stack(state["c_proj.weight"].unbind(1))
    ours["output.bias"] = state["c_proj.bias"] + 0
    return ours


WHY = {
    "to_allowed__1": "A table of functions; thresholds in the middle.",
    "to_allowed__2": "Plain Python numbers, compared with what means 'may look'; an unknown convention raises a KeyError.",
    "from_torch__1": "Copies into new memory by copy_; goes over the names that are there, so biases need no case.",
    "from_gpt2__1": "No .T and no clone: columns are stacked as rows; cat and + 0 make the other copies.",
}
