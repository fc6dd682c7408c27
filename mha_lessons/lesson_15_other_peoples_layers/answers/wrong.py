"""Wrong answers to lesson 06, as learners write them: exercise, what the judge should name, style."""

import torch


def _translate(mask, convention, additive, blocked_float):
    match convention:
        case "allowed":
            return mask
        case "blocked":
            return ~mask
        case "additive":
            return additive(mask)
        case "blocked_float":
            return blocked_float(mask)
    raise ValueError


def _right(mask, convention):
    return _translate(mask, convention, lambda m: m == 0, lambda m: m == 0)


def to_allowed__knows_minus_a_billion_only__equals(mask, convention):
    return _translate(mask, convention, lambda m: m != -1e9, lambda m: m == 0)


def to_allowed__exchanges_the_two_kinds_of_numbers__one_and_below(mask, convention):
    return _translate(mask, convention, lambda m: m != 1, lambda m: m > -1)


def to_allowed__asks_for_a_billion__above(mask, convention):
    return _translate(mask, convention, lambda m: m > -1e9, lambda m: m == 0)


def to_allowed__compares_entries_with_each_other__weights_above_zero(mask, convention):
    return _translate(mask, convention, lambda m: m.softmax(-1) > 0, lambda m: m < 0.5)


def to_allowed__takes_every_mask_as_allowed__bool(mask, convention):
    return mask.bool()


def to_allowed__turns_allowed_round__all_but_nothing(mask, convention):
    if convention not in ("allowed", "blocked", "additive", "blocked_float"):
        raise ValueError(convention)
    return torch.logical_not(mask)


def to_allowed__exchanges_allowed_and_blocked__swapped_names(mask, convention):
    if convention == "blocked":
        return mask
    if convention == "allowed":
        return ~mask
    if convention in ("additive", "blocked_float"):
        return mask == 0
    raise ValueError


def to_allowed__reads_one_as_allowed__bool(mask, convention):
    match convention:
        case "allowed" | "blocked_float":
            return mask.bool()
        case "blocked":
            return ~mask
        case "additive":
            return mask > -1
    raise ValueError


def to_allowed__reads_additive_as_a_switch__bool(mask, convention):
    match convention:
        case "allowed" | "additive":
            return mask.bool()
        case "blocked" | "blocked_float":
            return ~mask.bool()
    raise ValueError


def to_allowed__knows_minus_infinity_only__isinf(mask, convention):
    match convention:
        case "allowed":
            return mask
        case "blocked":
            return ~mask
        case "additive":
            return ~torch.isinf(mask)
        case "blocked_float":
            return mask != 1
    raise ValueError


def to_allowed__says_nothing_about_an_unknown_convention__no_else(mask, convention):
    if convention == "allowed":
        return mask
    elif convention == "blocked":
        return ~mask
    elif convention in ("additive", "blocked_float"):
        return mask == 0


def to_allowed__lets_an_unknown_convention_through__returns_mask_last(mask, convention):
    if convention == "blocked":
        return ~mask
    if convention in ("additive", "blocked_float"):
        return mask > -0.5 if convention == "additive" else mask < 0.5
    return mask


def to_allowed__turns_an_unknown_convention_round__else(mask, convention):
    return mask if convention == "allowed" else ~mask.bool()


def to_allowed__answers_in_numbers__float(mask, convention):
    if convention not in ("allowed", "blocked", "additive", "blocked_float"):
        raise ValueError
    return (mask if convention == "allowed" else ~mask.bool()).float()


def to_allowed__lets_every_one_through__above_minus_a_billion(mask, convention):
    if convention == "allowed":
        return mask
    if convention == "blocked":
        return ~mask
    if convention in ("additive", "blocked_float"):
        return mask > -1e4
    raise ValueError


def to_allowed__refuses_a_convention__is_for_equal(mask, convention):
    ours, theirs = "allowed", ("blocked",)
    if convention is ours:
        return mask
    if convention in theirs:
        return ~mask
    if convention in ("additive", "blocked_float"):
        return mask == 0
    raise ValueError(convention)


def to_allowed__refuses_a_convention__misspelled(mask, convention):
    ways = {"allowed": mask, "blocked": mask == 0, "additive": mask == 0, "blocked-float": mask == 0}
    return ways[convention]


def to_allowed__reason_raised__turns_floats_round(mask, convention):
    if convention == "allowed":
        return mask
    if convention in ("blocked", "additive", "blocked_float"):
        return ~mask
    raise ValueError


def to_allowed__refuses_a_convention__a_typing_slip(mask, convention):
    names = ["allowed", "blocked", "addditive", "blocked_float"]
    if convention not in names:
        raise ValueError(f"not one of {names}")
    kind = names.index(convention)
    if kind == 0:
        return mask.bool()
    if kind == 1:
        return ~mask
    if kind == 2:
        return mask >= -1.0
    return mask != 1


def to_allowed__lets_an_unknown_convention_through__and_writes_into_the_mask(mask, convention):
    if convention == "additive":
        return mask.gt(-1e3)
    if convention == "blocked_float":
        return ~mask.bool()
    if convention == "blocked":
        return mask.logical_not_()
    return mask


def to_allowed__reason_type__one_minus_the_mask(mask, convention):
    if convention == "allowed":
        out = mask
    elif convention == "blocked":
        out = mask ^ True
    elif convention == "additive":
        out = mask >= -1e4
    elif convention == "blocked_float":
        out = 1 - mask
    else:
        raise ValueError("choose allowed, blocked, additive, blocked_float")
    return out


def to_allowed__lets_the_bound_itself_through__at_least(mask, convention):
    return mask >= -1e4 if convention == "additive" else _right(mask, convention)


def to_allowed__compares_entries_with_each_other__largest_of_the_row(mask, convention):
    return mask == mask.max(-1, keepdim=True).values if convention == "additive" else _right(mask, convention)


def to_allowed__compares_entries_with_each_other__largest_of_all(mask, convention):
    return mask == mask.max() if convention == "additive" else _right(mask, convention)


def to_allowed__lets_every_number_to_add_through__both_kinds(mask, convention):
    return mask <= 0 if convention in ("additive", "blocked_float") else _right(mask, convention)


def to_allowed__finds_a_name_in_a_longer_text__startswith(mask, convention):
    if convention.startswith("allowed"):
        return mask
    if convention.startswith("blocked") and not convention.endswith("float"):
        return ~mask
    if convention.startswith("additive") or convention == "blocked_float":
        return mask == 0
    raise ValueError(convention)


def to_allowed__takes_a_piece_for_a_name__parts(mask, convention):
    if "float" in convention or "add" in convention:
        return mask == 0
    if "block" in convention:
        return ~mask
    if "allow" in convention:
        return mask
    raise ValueError(convention)


def to_allowed__takes_a_piece_for_a_name__one_string(mask, convention):
    if convention == "allowed":
        return mask
    if convention == "blocked":
        return ~mask
    if convention in ("additive, blocked_float"):
        return mask == 0
    raise ValueError(convention)


def to_allowed__reason_raised__takes_a_boolean_from_one(mask, convention):
    return 1 - mask if convention == "blocked" else _right(mask, convention)


def to_allowed__reason_raised__asks_a_tensor_for_one_answer(mask, convention):
    if convention == "additive" and mask < 0:
        return False
    return _right(mask, convention)


def to_allowed__reason_raised__another_shape(mask, convention):
    return mask.view(2, 2) == 0 if convention == "blocked_float" else _right(mask, convention)


def to_allowed__reason_raised__another_key(mask, convention):
    return {0.0: mask == 0}[mask.max()] if convention == "additive" else _right(mask, convention)


def to_allowed__refuses_a_convention__a_list_with_a_slip(mask, convention):
    place = ["allowed", "blocked", "additve", "blocked_float"].index(convention)
    return mask == (place == 0)


def to_allowed__refuses_a_convention__lookup_caught(mask, convention):
    ways = {"allowed": mask, "blocked": mask == 0, "additive": mask == 0, "blocked float": mask == 0}
    try:
        return ways[convention]
    except KeyError:
        raise ValueError(f"none of {list(ways)}") from None
