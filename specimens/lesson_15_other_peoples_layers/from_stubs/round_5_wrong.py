import torch


def to_allowed__1(mask, convention):
    table = {
        "allowed": lambda m: m.clone(),
        "blocked": torch.logical_not,
        "additive": torch.isfinite,           # minus infinity is what blocks
        "blocked_float": lambda m: m < 0.5,
    }
    if convention not in table:
        raise ValueError(f"{convention!r} is none of {sorted(table)}")
    return table[convention](mask)


def to_allowed__2(mask, convention):
    # one way for all of them: what would softmax do with it?
    if convention == "allowed":
        logits = torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))
    elif convention == "blocked":
        logits = torch.zeros(mask.shape).masked_fill(mask, float("-inf"))
    elif convention == "additive":
        logits = mask.float()
    elif convention == "blocked_float":
        logits = torch.zeros(mask.shape).masked_fill(mask == 1, float("-inf"))
    else:
        raise ValueError("allowed, blocked, additive or blocked_float, not " + str(convention))
    return torch.softmax(logits, dim=-1) > 0


def to_allowed__3(mask, convention):
    match convention:
        case "blocked":
            return ~mask
        case "additive":
            return mask > -1e4
        case "blocked_float":
            return mask.sub_(1).bool()
        case _:
            return mask.bool()


TRUTH = {
    "to_allowed__1": ("one", "additive: only minus infinity blocks, -1e4 and other large negative numbers are taken as allowed"),
    "to_allowed__2": ("one", "additive: asks whether the softmax of the row is above zero, so a row where all are -1e4 becomes all allowed; entries do not speak for themselves"),
    "to_allowed__3": ("two", "blocked_float changes the input in place; and an unknown convention raises nothing but is treated as allowed"),
}
