import torch


def to_allowed__1(mask, convention):
    rules = (("allowed", 1), ("blocked", 0), ("additive", 0), ("blocked_float", 0))
    names = [name for name, _ in rules]
    if not isinstance(convention, str) or convention not in names:
        raise ValueError("convention must be one of " + ", ".join(names) + f", not {convention!r}")
    return torch.eq(mask, dict(rules)[convention])


WHY = {}
WHY["to_allowed__1"] = "one comparison for all four: the value that means 'may look', compared with eq"
