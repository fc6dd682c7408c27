"""Wrong answers to lesson 15 (round 9)."""
import torch


def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask.clone()
    if convention == "blocked":
        return torch.logical_not(mask)
    if convention == "blocked_float":
        return mask < 0.5
    if convention == "additive":
        # softmax does not mind a shift, so only the distance to the row's best entry counts
        return mask > mask.amax(dim=-1, keepdim=True) - 5000
    raise ValueError(f"{convention!r} is none of allowed, blocked, additive, blocked_float")


def to_allowed__2(mask, convention):
    tables = {
        "allowed": lambda m: m.bool(),
        "blocked": lambda m: ~m,
        "additive": lambda m: m > -1e4,
        "blocked_float": lambda m: m == 0,
    }
    if convention not in tables:
        raise ValueError("convention: one of " + ", ".join(tables))
    allowed = tables[convention](mask)
    # a row without any key would become NaN in the softmax: such a row may look at everything
    return allowed | ~allowed.any(dim=-1, keepdim=True)


def to_allowed__3(mask, convention):
    # generous about the spelling; the dtype says the rest
    if "block" in convention:
        return mask == 0
    elif "add" in convention:
        return mask > -5000
    elif "allow" in convention:
        return mask != 0
    raise ValueError("allowed, blocked, additive or blocked_float, please")


def from_torch__1(state):
    names = ("query", "key", "value")
    ours = {}
    # contiguous() makes a tensor with its own memory out of each view
    for name, rows in zip(names, state["in_proj_weight"].chunk(3, dim=0)):
        ours[name + ".weight"] = rows.contiguous()
    ours["output.weight"] = state["out_proj.weight"].contiguous()
    if "in_proj_bias" in state:
        for name, part in zip(names, state["in_proj_bias"].chunk(3)):
            ours[name + ".bias"] = part.contiguous()
        ours["output.bias"] = state["out_proj.bias"].contiguous()
    return ours


def from_torch__2(state):
    # each feature comes with its query, its key and its value: three to a group
    ours = {}
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" not in state:
            continue
        packed = state[f"in_proj_{kind}"]
        for offset, name in enumerate(["query", "key", "value"]):
            ours[f"{name}.{kind}"] = packed[offset::3].clone()
        ours[f"output.{kind}"] = state[f"out_proj.{kind}"].clone()
    return ours


def from_torch__3(state):
    packed = state["in_proj_weight"]
    size = packed.shape[1]
    # our layer always has biases, and no bias is a bias of zero
    bias = state.get("in_proj_bias", packed.new_zeros(3 * size))
    last = state.get("out_proj.bias", packed.new_zeros(size))
    weights = torch.split(packed, size)
    biases = torch.split(bias, size)
    result = {f"{n}.weight": w.detach().clone() for n, w in zip(("query", "key", "value"), weights)}
    result.update({f"{n}.bias": b.detach().clone() for n, b in zip(("query", "key", "value"), biases)})
    result["output.weight"] = state["out_proj.weight"].detach().clone()
    result["output.bias"] = last.detach().clone()
    return result


def from_gpt2__1(state):
    size = state["c_proj.bias"].numel()
    # (in, 3 out) has to become (3 out, in), the shape that nn.Linear asks for
    turned = state["c_attn.weight"].reshape(3 * size, size)
    ours = {}
    for i, name in enumerate(("query", "key", "value")):
        ours[f"{name}.weight"] = turned[i * size:(i + 1) * size].clone()
        ours[f"{name}.bias"] = state["c_attn.bias"][i * size:(i + 1) * size].clone()
    ours["output.weight"] = state["c_proj.weight"].T.clone()
    ours["output.bias"] = state["c_proj.bias"].clone()
    return ours


def from_gpt2__2(state):
    # entry by entry; what is not c_attn keeps its numbers and only gets our name
    ours = {}
    for name, tensor in state.items():
        if name == "c_attn.weight":
            ours["query.weight"], ours["key.weight"], ours["value.weight"] = (w.T.clone() for w in tensor.chunk(3, dim=1))
        elif name == "c_attn.bias":
            ours["query.bias"], ours["key.bias"], ours["value.bias"] = (b.clone() for b in tensor.chunk(3))
        elif name.endswith("weight"):
            ours[name.replace("c_proj", "output")] = tensor.T.clone()
        else:
            ours[name.replace("c_proj", "output")] = tensor.clone()
    return ours


def from_gpt2__3(state):
    # one copy of everything first; after that nothing can touch the original
    weight = state["c_attn.weight"].t().clone()
    bias = state["c_attn.bias"].clone()
    size = weight.shape[1]
    ours = {
        "output.weight": state["c_proj.weight"].t().clone(),
        "output.bias": state["c_proj.bias"].clone(),
    }
    for name, w, b in zip(["query", "key", "value"], weight.view(3, size, size), bias.view(3, size)):
        ours[name + ".weight"] = w
        ours[name + ".bias"] = b
    return ours


def from_gpt2__4(state):
    # the old entries have to go before anything is loaded
    wanted = ("c_attn.weight", "c_attn.bias", "c_proj.weight", "c_proj.bias")
    for name in list(state):
        if name not in wanted:
            state.pop(name)
    w_in, b_in, w_out, b_out = (state[name] for name in wanted)
    size = w_out.shape[0]
    ours = {"output.weight": w_out.transpose(0, 1).clone(), "output.bias": b_out.clone()}
    for start, name in zip(range(0, 3 * size, size), ("query", "key", "value")):
        ours[f"{name}.weight"] = torch.narrow(w_in, 1, start, size).transpose(0, 1).clone()
        ours[f"{name}.bias"] = torch.narrow(b_in, 0, start, size).clone()
    return ours


TRUTH = {
    "to_allowed__1": "An additive entry is compared with the best of its row: a row that is blocked everywhere with finite numbers, [-1e4, -1e4], comes out as all True, and so does -1e4 beside only -inf; a row of only -inf comes out right.",
    "to_allowed__2": "Rows without an allowed key are repaired to all True: in each of the four conventions a row in which all are blocked has to come out all False.",
    "to_allowed__3": "Conventions are recognised by a part of their name: 'unblocked', 'blocked_int', 'added' or 'not allowed' get a mask instead of an error.",
    "from_torch__1": "Blocks of rows are contiguous already, so contiguous() copies nothing: all eight tensors share memory with the state, and changing one in place changes the other.",
    "from_torch__2": "It takes every third row, as if query, key and value were interleaved, instead of three blocks one below the other: wrong numbers for query, key and value from model_size 2 on.",
    "from_torch__3": "For a state without biases it makes up four biases of zeros: eight entries where only the four weights are promised.",
    "from_gpt2__1": "It reshapes c_attn.weight to (3 model_size, model_size) instead of transposing it: the shapes fit, but the numbers of query, key and value are mixed from model_size 2 on.",
    "from_gpt2__2": "Further entries pass through: with an old file's causal mask named bias (or masked_bias) the result has more than the eight tensors.",
    "from_gpt2__3": "The copy is split into views: query, key and value share one memory (the weights one, the biases another) instead of having memory of their own; the numbers are right.",
    "from_gpt2__4": "It removes the further entries from the caller's dictionary: with an entry named bias the input is changed; the result is right.",
}
