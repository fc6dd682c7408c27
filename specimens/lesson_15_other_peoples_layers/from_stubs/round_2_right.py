import torch


def to_allowed__1(mask, convention):
    rules = {"allowed": (+1, 0.5), "blocked": (-1, -0.5), "additive": (+1, -5000.0), "blocked_float": (-1, -0.5)}
    try:
        sign, threshold = rules[convention]
    except KeyError:
        raise ValueError(f"{convention!r} is none of {sorted(rules)}") from None
    return mask.to(torch.float64) * sign > threshold


WHY = {}
WHY["to_allowed__1"] = "one threshold for each convention on float64 numbers; halfway for the boolean ones, -5000 for additive"
