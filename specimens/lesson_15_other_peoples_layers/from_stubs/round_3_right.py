


def to_allowed__1(mask, convention):
    blocked_when = {
        "allowed": lambda entry: entry.logical_not(),
        "blocked": lambda entry: entry.bool(),
        "additive": lambda entry: entry.lt(-100.0),
        "blocked_float": lambda entry: entry.gt(0.5),
    }
    try:
        rule = blocked_when[convention]
    except KeyError:
        raise ValueError(f"unknown convention {convention!r}; known: {', '.join(blocked_when)}") from None
    return ~rule(mask)


WHY = {
    "to_allowed__1": "table of rules for blocked, turned round at the end",
}
