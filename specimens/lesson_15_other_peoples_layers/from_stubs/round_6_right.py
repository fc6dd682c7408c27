import torch


_CONVENTIONS = {
    "allowed": lambda mask: mask.clone(),
    "blocked": torch.logical_not,
    "additive": lambda mask: mask.eq(0),
    "blocked_float": lambda mask: mask.eq(0),
}


def to_allowed__1(mask, convention):
    try:
        return _CONVENTIONS[convention](mask)
    except KeyError:
        raise ValueError(f"{convention!r} is none of {', '.join(_CONVENTIONS)}") from None


def to_allowed__2(mask, convention):
    match convention:
        case "allowed":
            return mask
        case "blocked":
            return mask ^ True
        case "additive":
            return mask > -1e3
        case "blocked_float":
            return ~mask.bool()
    raise KeyError("convention is one of: allowed, blocked, additive, blocked_float")


WHY = {
    "to_allowed__1": "A table of functions; both kinds of numbers are compared with 0.",
    "to_allowed__2": "match, xor, a threshold between 0 and -1e4, and a KeyError that names the four.",
}
