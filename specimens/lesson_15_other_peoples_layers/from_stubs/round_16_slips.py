"""Slips in answers to lesson 15 (round 16)."""





def from_torch__1(state):
    query, value, key = state["in_proj_weight"].chunk(3)
    result = {
        "query.weight": query.clone(),
        "key.weight": key.clone(),
        "value.weight": value.clone(),
        "output.weight": state["out_proj.weight"].clone(),
    }
    if "in_proj_bias" in state:
        query, key, value = state["in_proj_bias"].chunk(3)
        result["query.bias"] = query.clone()
        result["key.bias"] = key.clone()
        result["value.bias"] = value.clone()
        result["output.bias"] = state["out_proj.bias"].clone()
    return result


TRUTH = {
    "from_torch__1": 'The three blocks are unpacked as query, value, key, so the weights of keys and values are swapped (the biases are right).',
}
