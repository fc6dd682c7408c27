"""Wrong answers to lesson 15 (round 9)."""


def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask.clone()
    elif convention == "blocked" or "blocked_float":
        return mask != 1
    elif convention == "additive":
        return mask > -1e4
    else:
        raise ValueError('use "allowed", "blocked", "additive" or "blocked_float"')


def from_torch__1(state):
    result = {}
    for kind in "weight", "bias":
        if "in_proj_" + kind not in state:
            continue
        blocks = state["in_proj_" + kind].chunk(3)
        for name, block in zip(["query", "key", "value"], blocks):
            result["{name}.{kind}"] = block.clone()
        result[f"output.{kind}"] = state[f"out_proj.{kind}"].clone()
    return result


def from_gpt2__1(state):
    names = "query", "key", "value"
    result = {}
    for entry, tensor in state:
        if entry == "c_attn.weight":
            for name, block in zip(names, tensor.chunk(3, dim=1)):
                result[f"{name}.weight"] = block.T.clone()
        elif entry == "c_attn.bias":
            for name, block in zip(names, tensor.chunk(3)):
                result[f"{name}.bias"] = block.clone()
        elif entry == "c_proj.weight":
            result["output.weight"] = tensor.T.clone()
        elif entry == "c_proj.bias":
            result["output.bias"] = tensor.clone()
    return result


TRUTH = {
    "to_allowed__1": '`== "blocked" or "blocked_float"` is always true: everything but "allowed" ends there, so that additive masks become True everywhere (0 and -1e4 and -inf are all unequal to 1), and an unknown convention raises no error.',
    "from_torch__1": "The f in front of the string is missing: query, key and value are all stored under the name '{name}.{kind}', one over the other; the result has three entries instead of eight, for a layer without biases two instead of four.",
    "from_gpt2__1": ".items() is missing, and the loop over a dictionary gives only its keys, whose letters it tries to unpack: ValueError: too many values to unpack (expected 2), for every input.",
}
