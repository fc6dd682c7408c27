"""Right answers to lesson 06, in styles that are not ours."""

import numpy as np
import torch


def to_allowed__dictionary_of_functions(mask, convention):
    readers = {
        "allowed": lambda m: m,
        "blocked": torch.logical_not,
        "additive": lambda m: m > -1,
        "blocked_float": lambda m: m < 0.5,
    }
    if convention not in readers:
        raise ValueError(f"{convention}: none of {', '.join(readers)}")
    return readers[convention](mask)


def to_allowed__match(mask, convention):
    match convention:
        case "allowed":
            return mask.clone()
        case "blocked":
            return mask == False  # noqa: E712
        case "additive":
            return torch.exp(mask) > 0
        case "blocked_float":
            return ~mask.bool()
    raise ValueError('one of "allowed", "blocked", "additive", "blocked_float"')


def to_allowed__key_error(mask, convention):
    turn = {"allowed": False, "blocked": True, "additive": True, "blocked_float": True}[convention]
    return mask.to(torch.bool) ^ turn


def to_allowed__in_numpy(mask, convention):
    if convention not in ("allowed", "blocked", "additive", "blocked_float"):
        raise ValueError("allowed, blocked, additive, blocked_float")
    m = np.asarray(mask)
    return torch.from_numpy(m.copy() if convention == "allowed" else np.logical_not(m))


def to_allowed__is_it_low(mask, convention):
    assert convention in {"allowed", "blocked", "additive", "blocked_float"}
    if mask.dtype == torch.bool:
        return mask if convention == "allowed" else torch.bitwise_not(mask)
    return torch.isclose(mask, torch.zeros_like(mask))


def to_allowed__exponentials(mask, convention):
    as_allowed = dict(
        allowed=lambda m: m == True,  # noqa: E712
        blocked=lambda m: m == False,  # noqa: E712
        additive=lambda m: torch.exp(m.double()) > 0.5,
        blocked_float=lambda m: torch.round(1 - m.double()).bool(),
    )
    try:
        return as_allowed[convention](mask)
    except KeyError:
        raise ValueError(f"{convention!r} is none of {sorted(as_allowed)}") from None


def to_allowed__fills_an_empty_mask(mask, convention):
    if convention not in ("allowed", "blocked", "additive", "blocked_float"):
        raise ValueError("convention: allowed, blocked, additive or blocked_float, not " + repr(convention))
    answer = torch.zeros(mask.shape, dtype=torch.bool, device=mask.device)
    if convention == "allowed":
        answer[mask] = True
    elif convention == "blocked":
        answer[~mask] = True
    elif convention == "additive":
        answer |= mask > -5000
    else:
        answer |= mask.lt(0.5)
    return answer
