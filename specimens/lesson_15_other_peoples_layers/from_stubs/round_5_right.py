


def to_allowed__1(mask, convention):
    blocked_by = {
        "allowed": lambda m: m.logical_not(),
        "blocked": lambda m: m.bool(),
        "additive": lambda m: m.ne(0),
        "blocked_float": lambda m: m.eq(1),
    }
    try:
        blocked = blocked_by[convention](mask)
    except KeyError:
        raise ValueError(f"convention {convention!r}: choose one of {', '.join(blocked_by)}") from None
    return blocked ^ True


WHY = {
    "to_allowed__1": "a table of what is blocked, then xor with True",
}
