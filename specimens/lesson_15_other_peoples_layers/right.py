"""Right answers to lesson 15, in styles that are not ours."""

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


# from_torch


def from_torch__split(state):
    size = state["out_proj.weight"].size(0)
    wq, wk, wv = state["in_proj_weight"].split(size, dim=0)
    ours = dict(zip(["query.weight", "key.weight", "value.weight"], (w.clone() for w in (wq, wk, wv))))
    ours["output.weight"] = state["out_proj.weight"].clone()
    if state.get("in_proj_bias") is not None:
        bq, bk, bv = state["in_proj_bias"].split(size)
        ours |= {"query.bias": bq.clone(), "key.bias": bk.clone(), "value.bias": bv.clone()}
        ours["output.bias"] = state["out_proj.bias"].clone()
    return ours


def from_torch__slices_and_a_loop(state):
    new = {}
    d = state["in_proj_weight"].shape[1]
    for i, name in enumerate(("query", "key", "value")):
        new[name + ".weight"] = state["in_proj_weight"][i * d : (i + 1) * d].detach().clone()
        if "in_proj_bias" in state:
            new[name + ".bias"] = state["in_proj_bias"][i * d : (i + 1) * d].detach().clone()
    for old in ("out_proj.weight", "out_proj.bias"):
        if old in state:
            new[old.replace("out_proj", "output")] = torch.tensor(state[old].tolist())
    return new


def from_torch__pieces_of_one_copy_and_their_copies(state):
    copied = {name: x.clone() for name, x in state.items()}
    w = copied["in_proj_weight"].view(3, -1, copied["in_proj_weight"].shape[-1])
    found = {"value.weight": w[2], "key.weight": w[1], "query.weight": w[0], "output.weight": copied["out_proj.weight"]}
    if len(copied) == 4:
        b = copied["in_proj_bias"].reshape(3, -1)
        found |= {"query.bias": b[0], "key.bias": b[1], "value.bias": b[2], "output.bias": copied["out_proj.bias"]}
    return {name: x.contiguous().clone() for name, x in found.items()}


def from_torch__numpy_in_between(state):
    ours = {}
    for old, x in state.items():
        kind = "bias" if "bias" in old else "weight"
        pieces = [x.numpy()] if old.startswith("out") else np.split(x.numpy(), 3)
        names = ["output"] if old.startswith("out") else ["query", "key", "value"]
        ours |= {f"{name}.{kind}": torch.from_numpy(piece.copy()) for name, piece in zip(names, pieces)}
    return ours


def from_torch__deep_copy_of_all(state):
    import copy

    state = copy.deepcopy(state)
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" in state:
            block = state.pop(f"in_proj_{kind}")
            pieces = (piece.clone() for piece in torch.tensor_split(block, 3))
            state[f"query.{kind}"], state[f"key.{kind}"], state[f"value.{kind}"] = pieces
            state[f"output.{kind}"] = state.pop(f"out_proj.{kind}")
    return state


def from_torch__an_ordered_dictionary(state):
    from collections import OrderedDict

    with torch.no_grad():
        parts = [*state["in_proj_weight"].chunk(3), state["out_proj.weight"]]
        ours = OrderedDict((f"{n}.weight", p * 1) for n, p in zip(["query", "key", "value", "output"], parts))
        try:
            parts = [*state["in_proj_bias"].chunk(3), state["out_proj.bias"]]
        except KeyError:
            return ours
        ours.update((f"{n}.bias", p + 0) for n, p in zip(["query", "key", "value", "output"], parts))
    return ours


def from_torch__a_helper(state):
    def piece(kind, third):
        rows = len(state[f"in_proj_{kind}"]) // 3
        return state[f"in_proj_{kind}"].narrow(0, third * rows, rows).clone()

    kinds = [kind for kind in ("weight", "bias") if f"out_proj.{kind}" in state]
    ours = {f"{name}.{kind}": piece(kind, n) for n, name in enumerate(("query", "key", "value")) for kind in kinds}
    return ours | {f"output.{kind}": state[f"out_proj.{kind}"].clone() for kind in kinds}


def from_torch__indices(state):
    size, ours = len(state["out_proj.weight"]), {}
    rows = torch.arange(3 * size).view(3, size)
    for kind in ["weight"] + ["bias"] * ("in_proj_bias" in state):
        for name, these in zip(["query", "key", "value"], rows):
            ours[f"{name}.{kind}"] = state[f"in_proj_{kind}"][these]
        ours[f"output.{kind}"] = torch.empty_like(state[f"out_proj.{kind}"]).copy_(state[f"out_proj.{kind}"])
    return ours


def from_torch__parameters(state):
    ours = {}
    for kind in filter(lambda kind: f"in_proj_{kind}" in state, ("weight", "bias")):
        q, k, v = state[f"in_proj_{kind}"].chunk(3)
        for name, x in dict(query=q, key=k, value=v, output=state[f"out_proj.{kind}"]).items():
            ours[f"{name}.{kind}"] = torch.nn.Parameter(x.clone())
    return ours


# from_gpt2


def from_gpt2__columns_then_turned(state):
    q, k, v = state["c_attn.weight"].chunk(3, dim=1)
    bq, bk, bv = state["c_attn.bias"].chunk(3)
    return {
        "query.weight": q.T.clone(),
        "query.bias": bq.clone(),
        "key.weight": k.T.clone(),
        "key.bias": bk.clone(),
        "value.weight": v.T.clone(),
        "value.bias": bv.clone(),
        "output.weight": state["c_proj.weight"].T.clone(),
        "output.bias": state["c_proj.bias"].clone(),
    }


def from_gpt2__contiguous_pieces(state):
    size, ours = len(state["c_attn.weight"]), {}
    for n, name in enumerate(["query", "key", "value"]):
        columns = slice(n * size, (n + 1) * size)
        ours[f"{name}.weight"] = state["c_attn.weight"][:, columns].t().clone().contiguous()
        ours[f"{name}.bias"] = state["c_attn.bias"][columns].clone()
    ours["output.weight"], ours["output.bias"] = state["c_proj.weight"].t().clone(), state["c_proj.bias"].clone()
    return ours


def from_gpt2__by_way_of_torch(state):
    in_proj = {"in_proj_weight": state["c_attn.weight"].T, "in_proj_bias": state["c_attn.bias"]}
    return from_torch__split(
        in_proj | {"out_proj.weight": state["c_proj.weight"].T, "out_proj.bias": state["c_proj.bias"]}
    )


def from_gpt2__reshape_with_the_axis_of_three(state):
    size = state["c_proj.weight"].shape[0]
    weights = state["c_attn.weight"].reshape(size, 3, size).permute(1, 2, 0)
    biases = state["c_attn.bias"].reshape(3, size)
    ours = {f"{name}.weight": weights[n].clone() for n, name in enumerate(("query", "key", "value"))}
    ours |= {f"{name}.bias": biases[n].clone() for n, name in enumerate(("query", "key", "value"))}
    return ours | {"output.weight": state["c_proj.weight"].T.clone(), "output.bias": state["c_proj.bias"].clone()}


def from_gpt2__einops(state):
    from einops import rearrange

    q, k, v = rearrange(state["c_attn.weight"], "i (three o) -> three o i", three=3)
    names = ("query", "key", "value", "output")
    weights = (q, k, v, rearrange(state["c_proj.weight"], "i o -> o i"))
    biases = (*rearrange(state["c_attn.bias"], "(three o) -> three o", three=3), state["c_proj.bias"])
    return {
        f"{n}.{kind}": x.clone() for kind, xs in dict(weight=weights, bias=biases).items() for n, x in zip(names, xs)
    }


def from_gpt2__identity_through_the_layer(state):
    """What the layer makes of the unit vectors are the rows of its weight."""
    size = len(state["c_proj.bias"])
    unit = torch.eye(size)
    query, key, value = (unit @ state["c_attn.weight"]).split(size, dim=-1)
    parts = dict(query=query, key=key, value=value, output=unit @ state["c_proj.weight"])
    ours = {f"{name}.weight": part.transpose(0, 1).clone() for name, part in parts.items()}
    biases = [*state["c_attn.bias"].split(size), state["c_proj.bias"]]
    return ours | {f"{name}.bias": bias.clone() for name, bias in zip(parts, biases)}


def from_gpt2__a_loop_over_wanted_entries(state):
    homes = {"c_attn": ["query", "key", "value"], "c_proj": ["output"]}
    ours = {}
    for old, names in homes.items():
        for kind in ("weight", "bias"):
            for name, piece in zip(names, state[f"{old}.{kind}"].chunk(len(names), dim=-1)):
                ours[f"{name}.{kind}"] = (piece.T if kind == "weight" else piece).detach().clone()
    return ours


def from_gpt2__numbers_in_numpy(state):
    w, b = state["c_attn.weight"].numpy().copy(), state["c_attn.bias"].numpy().copy()
    names = ["query", "key", "value"]
    ours = {f"{n}.weight": torch.from_numpy(x.T.copy()) for n, x in zip(names, np.split(w, 3, axis=1))}
    ours |= {f"{n}.bias": torch.from_numpy(x) for n, x in zip(names, np.split(b, 3))}
    ours["output.weight"] = torch.from_numpy(state["c_proj.weight"].numpy().T.copy())
    ours["output.bias"] = state["c_proj.bias"].clone()
    return ours


def from_gpt2__sorted_entries(state):
    wanted = sorted(name for name in state if name.startswith("c_"))
    attn_bias, attn_weight, proj_bias, proj_weight = (state[name] for name in wanted)
    q, k, v = attn_weight.tensor_split(3, dim=1)
    ours = {"query.weight": q.mT, "key.weight": k.mT, "value.weight": v.mT, "output.weight": proj_weight.mT}
    ours["query.bias"], ours["key.bias"], ours["value.bias"] = attn_bias.tensor_split(3)
    return {name: x.clone() for name, x in ours.items()} | {"output.bias": proj_bias.clone()}
