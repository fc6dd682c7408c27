"""Answers that break one clause of a docstring, and little else: lesson_06_batched_multi_head.toml says which."""

from mha_ref import to_allowed


def to_allowed__knows_conventions_by_number(mask, convention):
    return to_allowed(mask, ("allowed", "blocked", "additive", "blocked_float")[convention])


def to_allowed__knows_large_numbers_only(mask, convention):
    if convention == "additive":
        return ~((mask <= -1e4) & (mask > -1e39))
    return to_allowed(mask, convention)
