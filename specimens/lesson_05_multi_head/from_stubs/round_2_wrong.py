import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from mha_ref import attention_head, attention_weights, masked_attention


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    heads, d, h = w_query.shape
    q, k, v = (torch.einsum("...nd,hdk->h...nk", x, w) for w in (w_query, w_key, w_value))
    # masked_attention broadcasts over leading axes, so all heads run at once
    if mask is not None:
        mask = mask.expand(*x.shape[:-1], x.shape[-2])
        mask = mask.unsqueeze(0).expand(heads, *mask.shape)
    s = torch.einsum("h...ik,h...jk->h...ij", q, k) * h ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
        s = s.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    p = s.softmax(-1)
    if mask is not None:
        p = p * mask
    ctx = torch.einsum("h...ij,h...jk->...ikh", p, v)
    return ctx.flatten(-2) @ w_output


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    def stable_exp(s, allowed):
        # subtract the biggest score so that exp cannot overflow
        if allowed is None:
            return torch.exp(s - s.max())
        biggest = s.max()
        return torch.where(allowed, torch.exp(s - biggest), torch.zeros_like(s))

    outs = []
    for wq, wk, wv in zip(w_query, w_key, w_value):
        q, k, v = x @ wq, x @ wk, x @ wv
        s = q @ k.mT / math.sqrt(q.size(-1))
        e = stable_exp(s, mask)
        z = e.sum(-1, keepdim=True)
        p = e / torch.where(z == 0, torch.ones_like(z), z)
        outs.append(p @ v)
    return torch.cat(outs, -1) @ w_output


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    d_model = x.shape[-1]
    num_heads = w_query.shape[0]
    d_k = d_model / num_heads
    results = []
    for head in range(num_heads):
        q = torch.matmul(x, w_query[head])
        k = torch.matmul(x, w_key[head])
        v = torch.matmul(x, w_value[head])
        logits = torch.matmul(q, k.transpose(-1, -2)) / d_k ** 0.5
        if mask is not None:
            logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
        results.append(torch.softmax(logits, dim=-1) @ v)
    return torch.concat(results, dim=-1) @ w_output


def multi_head_by_loop__4(x, w_query, w_key, w_value, w_output, mask=None):
    i = 0
    result = None
    while i < len(w_query):
        z = attention_head(x, w_query[i], w_key[-i], w_value[i], mask)
        result = z if result is None else torch.cat((result, z), dim=-1)
        i += 1
    return result @ w_output


def multi_head_by_loop__5(x, w_query, w_key, w_value, w_output, mask=None):
    n = x.shape[-2]
    bias = torch.zeros(n, n, dtype=x.dtype, device=x.device)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=x.dtype, device=x.device).masked_fill(~mask, -torch.inf)
    out = 0
    for i, block in enumerate(w_output.split(w_value.shape[-1], dim=0)):
        q = x @ w_query[i]
        k = x @ w_key[i]
        v = x @ w_value[i]
        a = torch.softmax((q / q.shape[-1] ** 0.5) @ k.transpose(-2, -1) + bias, dim=-1)
        a = torch.nan_to_num(a)          # rows that may look at nothing
        out = out + a @ v @ block
    return out


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    d_head, rest = divmod(model_size, heads)
    if rest:
        raise ValueError(f"embed_dim {model_size} must be divisible by num_heads {heads}")
    qk = d_head if head_size is None else head_size
    vv = d_head if value_size is None else value_size
    inputs = model_size + bool(bias)
    return heads * (qk + qk + vv) * inputs + (heads * vv + bool(bias)) * model_size


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None:
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        head_size = model_size // heads
    if value_size is None:
        value_size = head_size
    layers = {
        "q": (model_size, heads * head_size),
        "k": (model_size, heads * head_size),
        "v": (model_size, heads * value_size),
        "o": (heads * value_size, model_size),
    }
    total = 0
    for fan_in, fan_out in layers.values():
        total += fan_in * fan_out
        if bias:
            total += fan_out
    return total


def parameter_count__3(model_size, heads, bias=True, head_size=None, value_size=None):
    def size(given):
        if given is not None:
            return given
        if model_size % heads:
            raise ValueError("model_size is not a multiple of heads")
        return model_size // heads

    with torch.device("meta"):
        layer = nn.ModuleDict({
            "query": nn.Linear(model_size, heads * size(head_size), bias=bias),
            "key": nn.Linear(model_size, heads * size(head_size), bias=bias),
            "value": nn.Linear(model_size, heads * size(value_size), bias=bias),
            "output": nn.Linear(model_size, model_size, bias=bias),
        })
    return sum(p.numel() for p in layer.parameters())


def parameter_count__4(model_size, heads, bias=True, head_size=None, value_size=None):
    dk = head_size if head_size is not None else model_size // heads
    dv = value_size if value_size is not None else model_size // heads
    total = 0
    for _ in range(heads):
        total += 2 * model_size * dk + model_size * dv      # this head's W_q, W_k, W_v
        total += dv * model_size                            # this head's rows of W_o
        if bias:
            total += 2 * dk + dv + model_size
    return total


def parameter_count__5(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None and value_size is None and model_size % heads != 0:
        raise ValueError("heads do not divide model_size")
    default = model_size // heads
    hs = default if head_size is None else head_size
    vs = default if value_size is None else value_size
    weights = model_size * heads * (2 * hs + 2 * vs)
    biases = heads * (2 * hs + vs) + model_size
    return weights + biases if bias else weights


TRUTH = {
    "multi_head_by_loop__1": ("one", "flattens (head_size, heads), so the columns of the heads are interleaved instead of head 0 first, and meet the wrong rows of w_output"),
    "multi_head_by_loop__2": ("one", "subtracts the one largest score of the whole tensor instead of each row's own largest, so with large scores whole rows underflow to zeros"),
    "multi_head_by_loop__3": ("two", "divides by sqrt(model_size / heads) instead of sqrt(head_size), and fills hidden scores with the smallest number, so a query that may look at nothing gets the average of all values instead of zeros"),
    "multi_head_by_loop__4": ("slip", "w_key[-i] instead of w_key[i]: with three or more heads, heads meet another head's key matrix (one or two heads come out right)"),
    "multi_head_by_loop__5": ("odd", "the values are right, but a query that may look at nothing makes NaN gradients: softmax of a row of -inf is only patched afterwards by nan_to_num"),
    "parameter_count__1": ("one", "refuses heads that do not divide model_size even when both sizes are given"),
    "parameter_count__2": ("one", "value_size None follows the given head_size instead of being model_size / heads (so it also misses the refusal when only head_size is given)"),
    "parameter_count__3": ("one", "the output projection takes in model_size numbers instead of heads * value_size"),
    "parameter_count__4": ("two", "counts the output bias once per head instead of once, and never refuses heads that do not divide model_size (floor division)"),
    "parameter_count__5": ("slip", "'and' for 'or': refuses only when both sizes are None, so with one None and heads that do not divide, it rounds down silently"),
}
