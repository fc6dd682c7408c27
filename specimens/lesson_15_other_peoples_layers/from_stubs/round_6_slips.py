


def to_allowed__1(mask, convention):
    if convention == "additive":
        return mask > -1e4
    elif convention == "blocked" or "blocked_float":
        return mask == 0
    elif convention == "allowed":
        return mask.clone()
    else:
        raise ValueError("use allowed, blocked, additive or blocked_float")


def to_allowed__2(mask, convention):
    if convention == "allowed":
        allowed = mask
    if convention == "blocked":
        allowed = ~mask
    if convention == "additive":
        allowed = mask == 0
    if convention == "blocked_float":
        allowed = mask == 0
    else:
        raise ValueError("convention must be allowed, blocked, additive or blocked_float")
    return allowed


TRUTH = {
    'to_allowed__1': '`convention == "blocked" or "blocked_float"` is always true: "allowed" comes back inverted, an unknown convention is not refused; the other three right',
    'to_allowed__2': '`if` four times instead of elif: else belongs to the last one alone -> ValueError "convention must be allowed, blocked, additive or blocked_float" (line `raise ValueError(...)`) for allowed, blocked and additive, although they are among those it names; right for blocked_float',
}
