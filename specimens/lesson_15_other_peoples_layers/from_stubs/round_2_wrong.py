import torch


def to_allowed__1(mask, convention):
    match convention:
        case "allowed":
            return mask.clone()
        case "blocked":
            return torch.logical_not(mask)
        case "additive":
            return torch.isfinite(mask)
        case "blocked_float":
            return mask < 0.5
        case _:
            raise ValueError("allowed, blocked, additive or blocked_float, please")


def to_allowed__2(mask, convention):
    if convention not in ("allowed", "blocked", "additive", "blocked_float"):
        raise ValueError(f"unknown convention {convention!r}: use allowed, blocked, additive or blocked_float")
    if convention == "additive":
        # what survives the softmax may be looked at
        return torch.softmax(mask.float(), dim=-1) > 0
    if convention == "allowed":
        return mask.bool()
    return mask == 0


def to_allowed__3(mask, convention):
    table = {
        "allowed": lambda m: m == True,  # noqa: E712
        "blocked": lambda m: m == False,  # noqa: E712
        "additive": lambda m: m > -1e4,
        "blocked_float": lambda m: m == 1,
    }
    if convention not in table:
        raise ValueError("convention must be one of " + ", ".join(table))
    return table[convention](mask)


def to_allowed__4(mask, convention):
    if convention == "blocked":
        mask = ~mask
    elif convention == "blocked_float":
        mask = 1 - mask
    elif convention == "additive":
        mask[mask <= -1e4] = -1
        mask += 1
    return mask.bool()


TRUTH = {}
TRUTH["to_allowed__1"] = ("one", "additive: only minus infinity counts as blocked, so -1e4 or -1e9 are read as 'may look'")
TRUTH["to_allowed__2"] = ("one", "additive: looks at the softmax of the whole row instead of each entry, so a row where all are blocked by -1e4 comes out as all allowed")
TRUTH["to_allowed__3"] = ("slip", "blocked_float has the wrong polarity: 1 comes out as 'may look' (the == 1 was meant to be == 0)")
TRUTH["to_allowed__4"] = ("two", "any unknown convention is taken for 'allowed' instead of raising an error; and additive works in place, so the input is changed")
