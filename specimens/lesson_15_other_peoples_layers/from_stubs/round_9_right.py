"""Right answers to lesson 15 (round 9)."""
import numpy as np
import torch


def to_allowed__1(mask, convention):
    # number by number, in plain Python
    def one(entry):
        match convention:
            case "allowed":
                return entry
            case "blocked":
                return not entry
            case "additive":
                return entry > -5000.0
            case "blocked_float":
                return entry < 0.5

    assert convention in ("allowed", "blocked", "additive", "blocked_float"), f"unknown: {convention}"
    entries = [one(entry) for entry in mask.detach().flatten().tolist()]
    return torch.tensor(entries, dtype=torch.bool, device=mask.device).reshape(mask.shape)


def to_allowed__2(mask, convention):
    # every convention has one number that means "may look"; how near is each entry to it?
    open_value = {"allowed": 1.0, "blocked": 0.0, "additive": 0.0, "blocked_float": 0.0}[convention]
    distance = (mask.double() - open_value).abs()
    return torch.where(distance < 0.5, 1, 0).to(torch.bool)


def from_torch__1(state):
    size = state["out_proj.weight"].size(0)
    sources = {
        "query": ("in_proj_", 0),
        "key": ("in_proj_", 1),
        "value": ("in_proj_", 2),
        "output": ("out_proj.", 0),
    }
    result = {}
    for kind in "bias", "weight":
        for name, (prefix, block) in sources.items():
            if prefix + kind in state:
                rows = torch.arange(size) + block * size
                result[".".join((name, kind))] = state[prefix + kind].detach().index_select(0, rows)
    return result


def from_gpt2__1(state):
    def columns(matrix, first, end):
        """Each column becomes a row."""
        return torch.stack([matrix[:, column] for column in range(first, end)])

    size = len(state["c_proj.bias"])
    ours = {f"output.{kind}": None for kind in ("weight", "bias")}
    for source, names in {"c_proj": ["output"], "c_attn": ["query", "key", "value"]}.items():
        cuts = np.arange(len(names) + 1) * size
        for name, first, end in zip(names, cuts[:-1], cuts[1:]):
            ours[f"{name}.weight"] = columns(state[f"{source}.weight"].detach(), int(first), int(end))
            ours[f"{name}.bias"] = torch.cat([state[f"{source}.bias"].detach()[int(first) : int(end)]])
    return ours


WHY = {
    "to_allowed__1": "Entry by entry in plain Python with match, and an AssertionError for another convention; any number of axes, also none.",
    "to_allowed__2": "No cases: the distance to the one number that means may look, in double precision (infinity included); another convention is a KeyError of the dictionary.",
    "from_torch__1": "Rows are picked with index_select, which always copies; one loop for weights, biases and the output; another order of the names.",
    "from_gpt2__1": "The transpose is made by stacking the columns as rows, one by one; the biases are copied by cat; the output's names come first.",
}
