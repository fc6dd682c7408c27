import os
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from mha_ref import attention_head, attention_weights, masked_attention


# no concatenation: every head meets its own rows of w_output; log-sum-exp instead of softmax
def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    heads, model_size, head_size = w_query.shape
    blocks = w_output.split(head_size, dim=0)
    total = None
    for wq, wk, wv, wo in zip(w_query.unbind(0), w_key.unbind(0), w_value.unbind(0), blocks):
        query = x @ wq / math.sqrt(head_size)
        scores = torch.einsum("...ik,...jk->...ij", query, x @ wk)
        if mask is not None:
            dead = ~mask.any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~(mask | dead), -math.inf)
        weights = (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()
        if mask is not None:
            weights = weights.masked_fill(~mask, 0)
        part = weights @ ((x @ wv) @ wo)
        total = part if total is None else total + part
    return total


# recursion over the heads, the built-in for one head
def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    n = x.shape[-2]
    allowed = None
    alive = None
    if mask is not None:
        full = mask.expand(torch.broadcast_shapes(mask.shape, (n, n)))
        alive = full.any(-1, keepdim=True)
        allowed = full | ~alive        # a dead row looks everywhere, and is thrown away below

    def collect(i):
        if i == w_query.shape[0]:
            return []
        q, k, v = (x @ w[i] for w in (w_query, w_key, w_value))
        head = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
        if alive is not None:
            head = torch.where(alive, head, torch.zeros_like(head))
        return [head] + collect(i + 1)

    return F.linear(torch.cat(collect(0), dim=-1), w_output.t())


# all heads at once with an axis in front of everything, float64 inside
class _Heads:
    def __init__(self, x, *matrices):
        kind = torch.result_type(x, matrices[0])
        self.kind = kind if kind.is_floating_point else torch.get_default_dtype()
        x = x.double()
        shape = (matrices[0].shape[0],) + (1,) * (x.dim() - 2) + matrices[0].shape[1:]
        self.q, self.k, self.v = (x.unsqueeze(0) @ m.double().reshape(shape) for m in matrices)

    def attend(self, mask):
        s = (self.q.unsqueeze(-2) * self.k.unsqueeze(-3)).sum(-1) / self.q.shape[-1] ** 0.5
        if mask is None:
            mask = torch.ones(s.shape[-2:], dtype=torch.bool, device=s.device)
        mask = mask.expand(s.shape[1:])
        low = s.detach().masked_fill(~mask, torch.finfo(s.dtype).min).amax(-1, keepdim=True)
        e = torch.where(mask, s - low, torch.zeros_like(s)).exp() * mask
        total = e.sum(-1, keepdim=True)
        return (e / torch.where(total > 0, total, torch.ones_like(total))) @ self.v


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    assert w_query.shape == w_key.shape == w_value.shape
    model = _Heads(x, w_query, w_key, w_value)
    per_head = model.attend(mask)                       # (heads, ..., tokens, head_size)
    side_by_side = per_head.movedim(0, -2).flatten(-2)  # (..., tokens, heads * head_size)
    return (side_by_side @ w_output.double()).to(model.kind)


# lets torch count
def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    def resolve(size):
        if size is not None:
            return size
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide a model size of {model_size}")
        return model_size // heads

    qk, v = heads * resolve(head_size), heads * resolve(value_size)
    shapes = [(model_size, qk), (model_size, qk), (model_size, v), (v, model_size)]
    layers = nn.ModuleList(nn.Linear(i, o, bias=bool(bias), device="meta") for i, o in shapes)
    return sum(p.numel() for p in layers.parameters())


# adds up head by head
def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    default_size, remainder = divmod(model_size, heads)
    if remainder != 0 and (head_size is None or value_size is None):
        raise ZeroDivisionError("a default size would not be a whole number")
    if head_size is None:
        head_size = default_size
    if value_size is None:
        value_size = default_size
    rows_in = model_size + int(bool(bias))  # a bias is one more row, whose input is always 1
    count = 0
    for _ in range(heads):
        for columns in (head_size, head_size, value_size):
            count += rows_in * columns
        count += value_size * model_size
    if bias:
        count += model_size
    return count


WHY = {
    "multi_head_by_loop__1": "adds up head by head with its own rows of w_output, log-sum-exp, scales the query, no concatenation",
    "multi_head_by_loop__2": "recursion over heads with torch's built-in attention; dead rows look everywhere and are zeroed after",
    "multi_head_by_loop__3": "a helper class with the head axis in front, no loop, float64 inside and cast back, own softmax",
    "parameter_count__1": "nn.Linear layers on the meta device, counted with numel",
    "parameter_count__2": "a loop over heads, a bias as one more row, another error type",
}
