"""Slips in answers to lesson 15 (round 15)."""





def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask.clone()
    elif convention == "additive":
        return mask > -1
    elif convention == "blocked" or "blocked_float":
        return mask == 0
    else:
        raise ValueError("the conventions are allowed, blocked, additive, blocked_float")


def from_torch__1(state):
    result = {}
    for kind in ("weight", "bias"):
        if f"in_proj_{kind}" in state:
            query, value, key = state[f"in_proj_{kind}"].chunk(3)
            result[f"query.{kind}"] = query.clone()
            result[f"key.{kind}"] = key.clone()
            result[f"value.{kind}"] = value.clone()
            result[f"output.{kind}"] = state[f"out_proj.{kind}"].clone()
    return result


TRUTH = {
    "to_allowed__1": '`convention == "blocked" or "blocked_float"` is true for every text, so an unknown convention never reaches the error and is silently read as "blocked".',
    "from_torch__1": "The three blocks are unpacked as query, value, key instead of query, key, value, so keys and values get each other's weights and biases.",
}
