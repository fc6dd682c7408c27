"""Weights of other people's attention layers under our names: from one `state_dict()` to another, as copies."""

from array_api_compat import array_namespace

NAMES = "query", "key", "value", "output"


def from_torch(state):
    """Return what our MultiHeadAttention loads, from the state dict of a torch.nn.MultiheadAttention.

    state: in_proj_weight (3 · model_size, model_size) and in_proj_bias (3 · model_size,), blocks of query, key, value;
    out_proj.weight (model_size, model_size) and out_proj.bias (model_size,). A layer without biases has none here.
    Source: the documentation of torch.nn.MultiheadAttention.
    """
    weights = *thirds(state["in_proj_weight"]), state["out_proj.weight"]  # four of (model_size, model_size)
    ours = under_our_names("weight", weights)
    if "in_proj_bias" in state:
        biases = *thirds(state["in_proj_bias"]), state["out_proj.bias"]  # four of (model_size,)
        ours |= under_our_names("bias", biases)
    return ours


def from_gpt2(state):
    """Return what our MultiHeadAttention loads, from the state dict of GPT-2's attention in `transformers`.

    state: c_attn.weight (model_size, 3 · model_size) and c_attn.bias (3 · model_size,), blocks of query, key, value;
    c_proj.weight (model_size, model_size) and c_proj.bias (model_size,). Weights are stored as (in, out) there.
    Source: Radford et al., Language models are unsupervised multitask learners (2019), and its published code.
    """
    block = state["c_attn.weight"].T  # (3 · model_size, model_size)
    weights = *thirds(block), state["c_proj.weight"].T  # four of (model_size, model_size)
    biases = *thirds(state["c_attn.bias"]), state["c_proj.bias"]  # four of (model_size,)
    return under_our_names("weight", weights) | under_our_names("bias", biases)


def thirds(block):
    """Cut a block into three along its first axis. block: (3 · size, ...) -> (size, ...), three times."""
    size = block.shape[0] // 3
    return block[:size, ...], block[size : 2 * size, ...], block[2 * size :, ...]  # (size, ...) each


def under_our_names(kind, parts):
    """Return copies of query's, key's, value's and output's part in a dictionary; kind: "weight" or "bias"."""
    return {f"{name}.{kind}": array_namespace(part).asarray(part, copy=True) for name, part in zip(NAMES, parts)}
