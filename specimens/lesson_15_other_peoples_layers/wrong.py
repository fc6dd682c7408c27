"""Wrong answers to lesson 15, as learners write them: exercise, what the judge should name, style."""

import copy

import numpy as np
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


def to_allowed__knows_one_negative_number_only__equals(mask, convention):
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


def to_allowed__knows_one_negative_number_only__smallest_of_the_type(mask, convention):
    if convention == "additive":
        return mask != torch.finfo(mask.dtype).min
    return _right(mask, convention)


def to_allowed__knows_minus_infinity_only__above_the_smallest(mask, convention):
    return mask > torch.finfo(mask.dtype).min if convention == "additive" else _right(mask, convention)


def to_allowed__knows_minus_infinity_only__from_the_smallest_on(mask, convention):
    return mask >= torch.finfo(mask.dtype).min if convention == "additive" else _right(mask, convention)


def to_allowed__knows_one_negative_number_only__of_float16(mask, convention):
    return ~torch.isclose(mask, torch.tensor(-65504.0)) if convention == "additive" else _right(mask, convention)


def to_allowed__reason_raised__asks_a_mask_for_one_answer(mask, convention):
    return not mask if convention == "blocked" else _right(mask, convention)


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


# from_torch

NAMES = ("query", "key", "value", "output")


def _named(kind, parts, names=NAMES):
    return {f"{name}.{kind}": part.clone() for name, part in zip(names, parts)}


def _of_torch(state, cut=lambda x: x.chunk(3), names=NAMES, turn=lambda x: x, turn_output=lambda x: x):
    parts = [*map(turn, cut(state["in_proj_weight"])), turn_output(state["out_proj.weight"])]
    ours = _named("weight", parts, names)
    if "in_proj_bias" in state:
        ours |= _named("bias", [*cut(state["in_proj_bias"]), state["out_proj.bias"]], names)
    return ours


def from_torch__turns_what_lies_right__all_of_them(state):
    return _of_torch(state, turn=lambda x: x.T, turn_output=lambda x: x.T)


def from_torch__turns_what_lies_right__the_three(state):
    return _of_torch(state, turn=lambda x: x.transpose(0, 1))


def from_torch__turns_what_lies_right__the_last(state):
    return _of_torch(state, turn_output=torch.t)


def from_torch__reads_the_blocks_in_another_order__kqv(state):
    return _of_torch(state, names=("key", "query", "value", "output"))


def from_torch__reads_the_blocks_in_another_order__as_keras_calls(state):
    return _of_torch(state, names=("query", "value", "key", "output"))


def from_torch__reads_the_blocks_in_another_order__vkq(state):
    ours, size = {}, len(state["out_proj.weight"])
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" in state:
            block = state[f"in_proj_{kind}"].clone()
            ours[f"value.{kind}"], ours[f"key.{kind}"] = block[:size], block[size : 2 * size]
            ours[f"query.{kind}"], ours[f"output.{kind}"] = block[2 * size :], state[f"out_proj.{kind}"].clone()
    return ours


def from_torch__takes_every_third__strides(state):
    return _of_torch(state, cut=lambda x: [x[n::3] for n in range(3)])


def from_torch__takes_every_third__reshape(state):
    def cut(x):
        return x.reshape(-1, 3, *x.shape[1:]).unbind(1)

    return _of_torch(state, cut=cut)


def from_torch__takes_every_third__of_the_weights(state):
    def cut(x):
        return x.reshape(-1, 3, x.shape[1]).unbind(1) if x.ndim > 1 else x.chunk(3)

    return _of_torch(state, cut=cut)


def from_torch__reshapes_the_rows_apart__as_gpt2_stores_them(state):
    def cut(x):
        return x.T.reshape(3, x.shape[1], -1) if x.ndim > 1 else x.chunk(3)

    return _of_torch(state, cut=cut)


def from_torch__reshapes_the_rows_apart__three_last(state):
    def cut(x):
        return x.reshape(x.shape[1], -1, 3).unbind(-1) if x.ndim > 1 else x.chunk(3)

    return _of_torch(state, cut=cut)


def from_torch__takes_one_block_twice__a_copied_line(state):
    def cut(x):
        size = len(x) // 3
        return x[:size], x[size : 2 * size], x[size : 2 * size]

    return _of_torch(state, cut=cut)


def from_torch__cuts_along_the_other_axis__dim_of_linear(state):
    return _of_torch(state, cut=lambda x: x.chunk(3, dim=-1))


def from_torch__takes_the_first_block_three_times__no_index(state):
    size = len(state["out_proj.weight"])
    return _of_torch(state, cut=lambda x: [x[:size] for _ in range(3)])


def from_torch__leaves_the_biases_behind__weights_only(state):
    return _named("weight", [*state["in_proj_weight"].chunk(3), state["out_proj.weight"]])


def from_torch__leaves_the_output_behind__three_of_four(state):
    return {name: x for name, x in _of_torch(state).items() if not name.startswith("output")}


def from_torch__starts_biases_at_zero__zeros(state):
    ours = _of_torch(state)
    return {name: torch.zeros_like(x) if "bias" in name else x for name, x in ours.items()}


def from_torch__uses_other_names__q_proj(state):
    return _of_torch(state, names=("q_proj", "k_proj", "v_proj", "out_proj"))


def from_torch__uses_other_names__w_query(state):
    return _of_torch(state, names=("w_query", "w_key", "w_value", "w_output"))


def from_torch__keeps_the_name_of_the_output__out_proj(state):
    return _of_torch(state, names=("query", "key", "value", "out_proj"))


def from_torch__joins_names_with_an_underscore__as_keywords(state):
    return {name.replace(".", "_"): x for name, x in _of_torch(state).items()}


def from_torch__refuses_a_layer_without_biases__key_error(state):
    weights = _named("weight", [*state["in_proj_weight"].chunk(3), state["out_proj.weight"]])
    return weights | _named("bias", [*state["in_proj_bias"].chunk(3), state["out_proj.bias"]])


def from_torch__refuses_a_layer_without_biases__assert(state):
    assert len(state) == 4, "four entries are wanted"
    return _of_torch(state)


def from_torch__fills_in_missing_biases__zeros(state):
    size = len(state["out_proj.weight"])
    zeros = {"in_proj_bias": torch.zeros(3 * size), "out_proj.bias": torch.zeros(size)}
    return _of_torch(zeros | state)


def from_torch__leaves_out_the_output_too__one_if(state):
    ours = _named("weight", state["in_proj_weight"].chunk(3))
    if "in_proj_bias" in state:
        ours |= _of_torch(state)
    return ours


def from_torch__reason_property__views(state):
    return {name: x.view_as(x) for name, x in zip(("query.weight",), state["in_proj_weight"].chunk(3))} | {
        name: x for name, x in _of_torch(state).items() if name != "query.weight"
    }


def from_torch__reason_mutated__pops(state):
    ours = _of_torch(state)
    state.pop("in_proj_weight")
    return ours


def from_torch__reason_type__returns_one_matrix(state):
    return torch.cat([state["in_proj_weight"], state["out_proj.weight"]])


def from_torch__reason_type__gives_none_for_a_bias(state):
    return _of_torch(state) | {"output.bias": state.get("nothing")}


# from_gpt2


def _of_gpt2(state, cut=lambda x: x.chunk(3, dim=-1), names=NAMES, turn=lambda x: x.T, turn_output=lambda x: x.T):
    weights = [*map(turn, cut(state["c_attn.weight"])), turn_output(state["c_proj.weight"])]
    return _named("weight", weights, names) | _named("bias", [*cut(state["c_attn.bias"]), state["c_proj.bias"]], names)


def _still(x):
    return x


def from_gpt2__forgets_the_turn__both(state):
    return _of_gpt2(state, turn=_still, turn_output=_still)


def from_gpt2__forgets_the_turn__c_proj(state):
    return _of_gpt2(state, turn_output=_still)


def from_gpt2__forgets_the_turn__c_attn(state):
    return _of_gpt2(state, turn=_still)


def from_gpt2__forgets_the_turn__turned_twice(state):
    return _of_gpt2(state, turn=lambda x: x.T.T)


def from_gpt2__reshapes_into_three_matrices__view(state):
    size = len(state["c_proj.bias"])

    def cut(x):
        return x.view(3, size, size) if x.ndim == 2 else x.view(3, size)

    return _of_gpt2(state, cut=cut)


def from_gpt2__reshapes_into_three_matrices__without_a_turn(state):
    size = len(state["c_proj.bias"])
    return _of_gpt2(state, cut=lambda x: x.reshape(3, size, *x.shape[:-1]), turn=_still)


def from_gpt2__cuts_along_the_other_axis__first(state):
    return _of_gpt2(state, cut=lambda x: x.chunk(3))


def from_gpt2__takes_every_third__columns(state):
    return _of_gpt2(state, cut=lambda x: [x[..., n::3] for n in range(3)])


def from_gpt2__reads_the_blocks_in_another_order__vkq(state):
    return _of_gpt2(state, names=("value", "key", "query", "output"))


def from_gpt2__reads_the_blocks_in_another_order__kvq(state):
    return _of_gpt2(state, names=("key", "value", "query", "output"))


def from_gpt2__takes_the_first_block_three_times__slice(state):
    size = len(state["c_proj.bias"])
    return _of_gpt2(state, cut=lambda x: [x[..., :size]] * 3)


def from_gpt2__leaves_the_biases_behind__as_bert(state):
    return {name: x for name, x in _of_gpt2(state).items() if name.endswith("weight")}


def from_gpt2__leaves_the_output_behind__c_attn_only(state):
    return _named("weight", (x.T for x in state["c_attn.weight"].chunk(3, dim=1))) | _named(
        "bias", state["c_attn.bias"].chunk(3)
    )


def from_gpt2__starts_biases_at_zero__zeros(state):
    return {name: x * (x.ndim == 2) for name, x in _of_gpt2(state).items()}


def from_gpt2__uses_other_names__q_k_v_o(state):
    return _of_gpt2(state, names=("q", "k", "v", "o"))


def from_gpt2__keeps_the_name_of_the_output__out_proj(state):
    return _of_gpt2(state, names=("query", "key", "value", "out_proj"))


def from_gpt2__joins_names_with_an_underscore__attributes(state):
    return {"_".join(name.split(".")): x for name, x in _of_gpt2(state).items()}


def from_gpt2__lets_further_entries_through__starts_from_all(state):
    kept = {name: x.clone() for name, x in state.items()}
    ours = _of_gpt2(state)
    for name in ("c_attn.weight", "c_attn.bias", "c_proj.weight", "c_proj.bias"):
        kept.pop(name)
    return kept | ours


def from_gpt2__counts_on_the_order_of_entries__unpacks_four(state):
    w, b, w_out, b_out = state.values()
    return _of_gpt2({"c_attn.weight": w, "c_attn.bias": b, "c_proj.weight": w_out, "c_proj.bias": b_out})


def from_gpt2__reason_property__turns_biases_round(state):
    ours = _of_gpt2(state)
    return {name: x.flip(0) if name == "output.bias" else x for name, x in ours.items()}


def from_gpt2__reason_property__no_copies(state):
    return _of_gpt2(state) | {"output.weight": state["c_proj.weight"].T}


def from_gpt2__reason_mutated__turns_in_place(state):
    ours = _of_gpt2(state)
    state["c_proj.weight"].t_()
    return ours


def from_torch__reason_property__cut_after_the_copy(state):
    ours = {}
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" in state:
            parts = *state[f"in_proj_{kind}"].clone().chunk(3), state[f"out_proj.{kind}"].clone()
            ours |= {f"{name}.{kind}": part for name, part in zip(NAMES, parts)}
    return ours


def from_torch__reason_property__pieces_of_one_array(state):
    return {
        f"{name}.{kind}": part
        for kind in ("weight", "bias")
        if f"in_proj_{kind}" in state
        for name, part in zip(
            NAMES, [*np.split(state[f"in_proj_{kind}"].numpy().copy(), 3), state[f"out_proj.{kind}"].numpy().copy()]
        )
    }


def from_torch__reason_property__deep_copy_of_all(state):
    state = copy.deepcopy(state)
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" in state:
            block = state.pop(f"in_proj_{kind}")
            state[f"query.{kind}"], state[f"key.{kind}"], state[f"value.{kind}"] = torch.tensor_split(block, 3)
            state[f"output.{kind}"] = state.pop(f"out_proj.{kind}")
    return state


def from_gpt2__reason_property__turned_copied_and_cut(state):
    ours = {}
    for kind in ("weight", "bias"):
        parts = *state[f"c_attn.{kind}"].T.clone().chunk(3), state[f"c_proj.{kind}"].T.clone()
        ours |= {f"{name}.{kind}": part for name, part in zip(NAMES, parts)}
    return ours


def from_gpt2__takes_what_ends_in_bias__or_in_weight(state):
    ours = {}
    for name, x in state.items():
        kind = "bias" if name.endswith("bias") else "weight"
        if name.startswith("c_attn"):
            ours |= _named(kind, x.T.chunk(3), ("query", "key", "value"))
        else:
            ours[f"output.{kind}"] = x.T.clone() if x.ndim == 2 else x.clone()
    return ours


def from_gpt2__reads_the_blocks_in_another_order__keras(state):
    query, value, key = state["c_attn.weight"].split(len(state["c_attn.weight"]), dim=1)
    parts = {"query": query, "key": key, "value": value, "output": state["c_proj.weight"]}
    ours = {f"{name}.weight": part.t().contiguous().clone() for name, part in parts.items()}
    q, v, k = state["c_attn.bias"].view(3, -1)
    return ours | _named("bias", (q, k, v, state["c_proj.bias"]))


def from_gpt2__reads_one_kind_of_block_in_another_order__keras(state):
    query, value, key = state["c_attn.weight"].T.chunk(3)
    ours = _named("weight", (query, key, value, state["c_proj.weight"].T))
    return ours | _named("bias", (*state["c_attn.bias"].chunk(3), state["c_proj.bias"]))


def from_gpt2__forgets_the_turn__keras_as_well(state):
    query, value, key = state["c_attn.weight"].chunk(3, dim=1)
    ours = _named("weight", (query, key, value, state["c_proj.weight"]))
    query, value, key = state["c_attn.bias"].chunk(3)
    return ours | _named("bias", (query, key, value, state["c_proj.bias"]))


def from_torch__reads_one_kind_of_block_in_another_order__biases(state):
    ours = _of_torch(state)
    if "key.bias" in ours:
        ours["key.bias"], ours["value.bias"] = ours["value.bias"], ours["key.bias"]
    return ours
