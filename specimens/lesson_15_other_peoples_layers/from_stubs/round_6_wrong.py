import torch


def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask
    if convention == "blocked":
        return ~mask
    if convention == "additive":
        return ~torch.isinf(mask)
    if convention == "blocked_float":
        return mask == 0
    raise ValueError(f"{convention!r}: use allowed, blocked, additive or blocked_float")


def to_allowed__2(mask, convention):
    match convention:
        case "allowed":
            return mask
        case "blocked":
            return torch.logical_not(mask)
        case "additive":
            return mask >= 0
        case "blocked_float":
            return 1 - mask
        case _:
            raise ValueError(convention)


def to_allowed__3(mask, convention):
    if convention == "allowed":
        return mask.bool()
    elif convention == "blocked":
        return ~mask.bool()
    elif convention == "additive":
        return mask > -1
    else:  # blocked_float
        return mask < 0.5


def to_allowed__4(mask, convention):
    table = {
        "allowed": lambda m: m,
        "blocked": lambda m: ~m,
        "additive": lambda m: m > -5000,
        "blocked_float": lambda m: m != 1,
    }
    if convention not in table:
        raise ValueError(f"unknown convention {convention!r}, choose one of {list(table)}")
    allowed = table[convention](mask)
    # a row without any True would make softmax divide by zero
    empty = ~allowed.any(dim=-1, keepdim=True)
    return allowed | empty


TRUTH = {
    "to_allowed__1": "Believes additive masks block with minus infinity only; -1e4 or -1e9 count as allowed.",
    "to_allowed__2": "Gives numbers, not booleans, for blocked_float.",
    "to_allowed__3": "Any unknown convention falls into the last branch, and a typing slip is no error.",
    "to_allowed__4": "Opens up rows where all are blocked, though each entry speaks for itself.",
}
