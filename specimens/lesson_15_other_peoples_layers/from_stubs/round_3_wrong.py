import torch


# ---------------------------------------------------------------- to_allowed
def to_allowed__1(mask, convention):
    readers = {
        "allowed": lambda m: m,
        "blocked": lambda m: ~m,
        "additive": lambda m: torch.isfinite(m),
        "blocked_float": lambda m: m == 0,
    }
    if convention not in readers:
        raise ValueError(f"convention must be one of {sorted(readers)}")
    return readers[convention](mask)


def to_allowed__2(mask, convention):
    if convention.startswith("blocked"):
        return mask.bool().logical_not()
    if convention == "additive":
        return mask > -1000
    return mask.bool()


def to_allowed__3(mask, convention):
    if convention == "allowed":
        result = mask.clone()
    elif convention == "blocked":
        result = torch.logical_not(mask)
    elif convention == "additive":
        result = torch.eq(mask, 0)
    elif convention == "blocked_float":
        result = torch.eq(mask, 1)
    else:
        raise ValueError("use allowed, blocked, additive or blocked_float")
    return result


def to_allowed__4(mask, convention):
    known = ["allowed", "blocked", "additive", "blocked_float"]
    if convention not in known:
        raise KeyError(f"{convention}: not in {known}")
    if known.index(convention) == 0:
        return mask
    if known.index(convention) == 2:
        # what would softmax give it, when all scores are the same?
        return torch.softmax(mask.double(), dim=-1) > 0
    return mask == 0


TRUTH = {
    "to_allowed__1": ("one", "additive: blocks only infinities, so that -1e4 or -1e9 counts as may look"),
    "to_allowed__2": ("one", "an unknown convention raises no error: it is read as allowed (or, if it starts with 'blocked', as blocked)"),
    "to_allowed__3": ("slip", "blocked_float compares with 1 instead of 0: polarity turned round in this convention"),
    "to_allowed__4": ("odd", "additive: asks whether softmax of the row is positive, so in a row where all are -1e4 everything counts as allowed"),
}
