"""Wrong answers to lesson 15 (round 18)."""




def to_allowed__1(mask, convention):
    if convention == "allowed":
        return mask.clone()
    if convention == "blocked":
        return ~mask
    if convention == "additive":
        return mask != float("-inf")
    if convention == "blocked_float":
        return mask == 0
    raise ValueError("convention must be allowed, blocked, additive or blocked_float")


def from_torch__1(state):
    result = {}
    q, k, v = state["in_proj_weight"].chunk(3, dim=0)
    for name, matrix in (("query", q), ("key", k), ("value", v), ("output", state["out_proj.weight"])):
        result[name + ".weight"] = matrix.T.clone()
    if "in_proj_bias" in state:
        q, k, v = state["in_proj_bias"].chunk(3)
        for name, vector in (("query", q), ("key", k), ("value", v), ("output", state["out_proj.bias"])):
            result[name + ".bias"] = vector.clone()
    return result


def from_gpt2__1(state):
    q, k, v = state["c_attn.weight"].chunk(3, dim=1)
    bq, bk, bv = state["c_attn.bias"].chunk(3)
    return {
        "query.weight": q.t().clone(),
        "key.weight": k.t().clone(),
        "value.weight": v.t().clone(),
        "output.weight": state["c_proj.weight"].clone(),
        "query.bias": bq.clone(),
        "key.bias": bk.clone(),
        "value.bias": bv.clone(),
        "output.bias": state["c_proj.bias"].clone(),
    }


TRUTH = {
    "to_allowed__1": 'In the additive convention only minus infinity counts as blocked, so an entry of -1e4 or -1e9 is taken for allowed.',
    "from_torch__1": 'Transposes all weight matrices, though both layers store them as (out, in).',
    "from_gpt2__1": 'c_proj.weight is not transposed; it is square, so this raises no error, but GPT-2 stores it as (in, out) too.',
}
