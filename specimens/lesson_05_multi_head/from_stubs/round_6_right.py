import math

import torch
from torch import nn

from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    head_size = w_query.shape[2]
    blocks = w_output.split(head_size, dim=0)
    return sum(
        attention_head(x, wq, wk, wv, mask) @ block
        for wq, wk, wv, block in zip(w_query, w_key, w_value, blocks)
    )


def _weights(scores, allowed):
    if allowed is None:
        allowed = torch.ones((), dtype=torch.bool)
    allowed = allowed.expand(scores.shape)
    low = torch.finfo(scores.dtype).min
    top = torch.where(allowed, scores, low).amax(dim=-1, keepdim=True).detach()
    # blocked scores are set to the top before exp, so that exp cannot overflow there
    e = torch.exp(torch.where(allowed, scores, top) - top) * allowed
    return e / e.sum(-1, keepdim=True).clamp(min=1.0)


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    n_heads, _, d = w_query.shape
    pieces = []
    for h in range(n_heads):
        q = torch.einsum("...td,dh->...th", x, w_query[h])
        k = torch.einsum("...td,dh->...th", x, w_key[h])
        v = torch.einsum("...td,dh->...th", x, w_value[h])
        scores = torch.einsum("...qh,...kh->...qk", q / math.sqrt(d), k)
        pieces.append(torch.einsum("...qk,...kh->...qh", _weights(scores, mask), v))
    out = torch.cat(pieces, dim=-1)
    return torch.einsum("...th,hd->...td", out, w_output)


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    result = torch.empty_like(x[..., :0])
    i = 0
    while i < w_query.shape[0]:
        queries = torch.matmul(x, w_query[i])
        keys = torch.matmul(x, w_key[i])
        values = torch.matmul(x, w_value[i])
        score = torch.matmul(queries, torch.swapaxes(keys, -1, -2)) * w_query.shape[-1] ** -0.5
        if mask is not None:
            score = score.masked_fill(mask.logical_not(), -math.inf)
            attention = score.softmax(dim=-1)
            attention = attention.masked_fill(mask.logical_not(), 0.0)
        else:
            attention = score.softmax(dim=-1)
        result = torch.cat((result, torch.matmul(attention, values)), dim=-1)
        i += 1
    return torch.matmul(result, w_output)


class _Projections(nn.Module):
    def __init__(self, model_size, qk, v, bias):
        super().__init__()
        kw = dict(bias=bias, device="meta")
        self.q = nn.Linear(model_size, qk, **kw)
        self.k = nn.Linear(model_size, qk, **kw)
        self.v = nn.Linear(model_size, v, **kw)
        self.o = nn.Linear(v, model_size, **kw)


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    def size(given):
        if given is not None:
            return given
        if model_size % heads:
            raise ValueError(f"cannot share {model_size} columns among {heads} heads")
        return model_size // heads

    layer = _Projections(model_size, heads * size(head_size), heads * size(value_size), bias)
    return sum(p.numel() for p in layer.parameters())


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    share = model_size / heads
    k = share if head_size is None else head_size
    v = share if value_size is None else value_size
    assert k == int(k) and v == int(v), "heads do not divide model_size"
    one_head = 2 * k + v                        # columns of query, key and value
    numbers = heads * one_head * model_size     # into the heads
    numbers += heads * v * model_size           # and back
    if bias:
        numbers += heads * one_head + model_size
    return numbers


WHY = {
    "multi_head_by_loop__1": "No concatenation: each head meets its own block of rows of w_output, and the products are added up.",
    "multi_head_by_loop__2": "einsum throughout, and an own masked softmax with the maximum taken over the allowed keys only; the scale is put on the queries.",
    "multi_head_by_loop__3": "A while loop that grows the result by cat; softmax of minus infinity gives NaN in dead rows, which a second masked_fill sets to zero (gradients stay finite, since the fill lies on both sides).",
    "parameter_count__1": "Builds the four Linear layers on the meta device and counts their parameters.",
    "parameter_count__2": "Divides in floats, refuses with an AssertionError, and gives a float where a size is None.",
}
