"""Right answers to lesson 15 (round 16)."""

import torch



def to_allowed__1(mask, convention):
    match convention:
        case "allowed":
            return mask.clone()
        case "blocked":
            return mask.logical_not()
        case "additive" | "blocked_float":
            return mask.eq(0)
        case other:
            raise ValueError(f"{other!r}: choose allowed, blocked, additive or blocked_float")


def from_torch__1(state):
    result = {}
    for kind in ("weight", "bias"):
        stacked = state.get(f"in_proj_{kind}")
        if stacked is None:
            continue
        size = len(stacked) // 3
        for first, name in zip(range(0, 3 * size, size), ("query", "key", "value")):
            result[f"{name}.{kind}"] = stacked[first : first + size].clone()
        result[f"output.{kind}"] = state[f"out_proj.{kind}"].clone()
    return result


def from_gpt2__1(state):
    names = ("query", "key", "value", "output")

    def pieces(kind):
        inner = state[f"c_attn.{kind}"].movedim(0, -1)
        outer = state[f"c_proj.{kind}"].movedim(0, -1)
        return [*torch.tensor_split(inner, 3, dim=0), outer]

    return {
        f"{name}.{kind}": piece.clone(memory_format=torch.contiguous_format)
        for kind in ("weight", "bias")
        for name, piece in zip(names, pieces(kind))
    }


WHY = {
    "to_allowed__1": 'A match statement; both numeric conventions share one case, because in each of them 0 means "may look".',
    "from_torch__1": 'Loops over the two kinds, weight and bias, and skips the kind that the state lacks; the blocks of rows are slices that start at the steps of a range.',
    "from_gpt2__1": 'Turns all tensors first (a bias with one axis turns into itself by movedim) and cuts rows afterwards, all in one dictionary comprehension.',
}
