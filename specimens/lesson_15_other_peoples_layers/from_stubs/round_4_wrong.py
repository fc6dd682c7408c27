import torch


# ---------------------------------------------------------------- to_allowed
def to_allowed__1(mask, convention):
    table = {
        "allowed": lambda m: m.bool(),
        "blocked": torch.logical_not,
        "additive": lambda m: torch.isfinite(m),
        "blocked_float": lambda m: m < 0.5,
    }
    if convention not in table:
        raise ValueError(f"unknown convention {convention!r}; one of {', '.join(table)}")
    return table[convention](mask)


def to_allowed__2(mask, convention):
    if convention in ("allowed"):
        return mask.clone()
    if convention in ("blocked"):
        return mask.logical_not()
    if convention in ("additive"):
        return mask > -5e3
    if convention in ("blocked_float"):
        return mask == 0
    raise ValueError("convention must be allowed, blocked, additive or blocked_float")


def to_allowed__3(mask, convention):
    if convention == "allowed":
        return mask
    elif convention == "blocked":
        return ~mask
    elif convention == "additive":
        top = mask.max(dim=-1, keepdim=True).values
        return mask >= top
    elif convention == "blocked_float":
        mask -= 1
        return mask != 0
    else:
        raise KeyError(convention)


TRUTH = {}
TRUTH["to_allowed__1"] = ("one", "in the additive convention only infinities count as blocked: -1e4 and -1e9 come out as allowed")
TRUTH["to_allowed__2"] = ("odd", "the parentheses make no tuple, so `in` looks for a piece of text: an empty text, 'allow' or 'float' pass instead of raising")
TRUTH["to_allowed__3"] = ("two", "additive compares with the row's largest entry, so a row that is blocked throughout comes out as allowed; and blocked_float subtracts in place and changes the input")
