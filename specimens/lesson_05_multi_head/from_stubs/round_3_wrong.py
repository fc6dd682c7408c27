import os
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from mha_ref import attention_head, attention_weights, masked_attention


# all heads in one einsum, the way of JAX
def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    H, D, K = w_query.shape
    q = torch.einsum("...td,hdk->...htk", x, w_query)
    k = torch.einsum("...td,hdk->...htk", x, w_key)
    v = torch.einsum("...td,hdk->...htk", x, w_value)
    logits = torch.einsum("...htk,...hsk->...hts", q, k) / math.sqrt(K)
    if mask is None:
        p = logits.softmax(-1)
    else:
        logits = logits.masked_fill(~mask, float("-inf"))
        alive = mask.any(-1, keepdim=True)
        logits = torch.where(alive, logits, torch.zeros_like(logits))
        p = logits.softmax(-1) * alive
    o = torch.einsum("...hts,...hsk->...htk", p, v)
    return torch.einsum("...htk,hkd->...td", o, w_output.reshape(H, K, D))


# additive mask made with a logarithm, nan cleaned at the end
def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    def one_head(wq, wk, wv):
        q, k, v = x @ wq, x @ wk, x @ wv
        scores = q @ k.transpose(-1, -2) * wq.shape[-1] ** -0.5
        if mask is not None:
            scores = scores + torch.log(mask.to(scores.dtype))
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
        return weights @ v

    heads = [one_head(*ws) for ws in zip(w_query, w_key, w_value)]
    return torch.cat(heads, dim=-1) @ w_output


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    num_heads = w_query.size(0)
    d_model = x.size(-1)
    scale = (d_model / num_heads) ** 0.5
    pieces = []
    for h in range(num_heads):
        query = torch.matmul(x, w_query[h])
        key = torch.matmul(x, w_key[h])
        value = torch.matmul(x, w_value[h])
        energy = torch.matmul(query, key.mT) / scale
        if mask is not None:
            energy = energy.masked_fill(mask == 0, -1e9)
        pieces.append(torch.matmul(energy.softmax(dim=-1), value))
    return torch.cat(pieces, dim=-1).matmul(w_output)


def multi_head_by_loop__4(x, w_query, w_key, w_value, w_output, mask=None):
    size = w_query.shape[2]
    result = 0
    for i in range(w_query.shape[0]):
        scores = (x @ w_query[i]) @ (x @ w_key[i]).mT / size ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        result = result + weights @ (x @ w_value[-i]) @ w_output[i * size:(i + 1) * size]
    return result


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    default, rest = divmod(model_size, heads)
    if rest:
        raise ValueError(f"{heads} heads do not divide {model_size}")
    qk = heads * (default if head_size is None else head_size)
    vv = heads * (default if value_size is None else value_size)
    pairs = [(model_size, qk), (model_size, qk), (model_size, vv), (vv, model_size)]
    return sum(rows * cols + (cols if bias else 0) for rows, cols in pairs)


# lets torch count
def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and model_size % heads != 0:
        raise ValueError("model_size must be divisible by heads")
    head_size = model_size // heads if head_size is None else head_size
    value_size = model_size // heads if value_size is None else value_size
    layer = nn.ModuleDict({
        "q": nn.Linear(model_size, heads * head_size, bias=bias, device="meta"),
        "k": nn.Linear(model_size, heads * head_size, bias=bias, device="meta"),
        "v": nn.Linear(model_size, heads * value_size, bias=bias, device="meta"),
        "o": nn.Linear(model_size, model_size, bias=bias, device="meta"),
    })
    return sum(p.numel() for p in layer.parameters())


def parameter_count__3(model_size, heads, bias=True, head_size=None, value_size=None):
    if None in (head_size, value_size):
        assert model_size % heads == 0, "heads must divide model_size"
    if head_size is None:
        head_size = model_size // heads
    if value_size is None:
        value_size = model_size // heads
    query_width = key_width = heads * head_size
    value_width = heads * value_size
    weights = model_size * (query_width + key_width + value_width) + value_width * model_size
    biases = query_width + key_width + value_width + value_width
    return weights + bias * biases


def parameter_count__4(model_size, heads, bias=True, head_size=None, value_size=None):
    def default_size():
        if model_size % heads != 0:
            ValueError("heads have to divide model_size")
        return model_size // heads

    dk = head_size if head_size is not None else default_size()
    dv = value_size if value_size is not None else default_size()
    per_head = 2 * model_size * dk + model_size * dv
    if bias:
        per_head += dk + dv
    out = heads * dv * model_size + (model_size if bias else 0)
    return heads * per_head + out


TRUTH = {
    "multi_head_by_loop__1": ("one", "the mask gets no axis for the heads: a mask (batch, tokens, tokens) is lined up with the heads (silently when batch equals heads, else an error)"),
    "multi_head_by_loop__2": ("odd", "the mask is added as a logarithm and nan is cleaned only forward: with a row that may look at nothing the gradients of x, w_query and w_key are nan"),
    "multi_head_by_loop__3": ("two", "scales by the root of model_size / heads instead of head_size, and a query that may look at nothing gets the mean of the values instead of zeros"),
    "multi_head_by_loop__4": ("slip", "takes w_value[-i] instead of w_value[i]: right for one or two heads, from three on the value matrices are in the wrong order"),
    "parameter_count__1": ("one", "refuses heads that do not divide model_size even when both sizes are given"),
    "parameter_count__2": ("one", "the output projection takes in model_size numbers instead of heads * value_size"),
    "parameter_count__3": ("slip", "the bias of the output has heads * value_size numbers instead of model_size"),
    "parameter_count__4": ("two", "the ValueError is made but not raised, so heads that do not divide are accepted; and the bias of queries (or keys) is counted once instead of twice"),
}
