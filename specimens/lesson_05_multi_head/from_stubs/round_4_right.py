import math
import os
import torch
from torch import nn
from mha_ref import attention_head, attention_weights, masked_attention


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    number_of_heads, _, head_size = w_query.shape
    tokens = x.shape[-2]
    q, k, v = (torch.einsum("...td,hdk->...htk", x, w) for w in (w_query, w_key, w_value))
    s = torch.einsum("...htk,...hsk->...hts", q * head_size ** -0.5, k)
    if mask is not None:
        forbidden = ~mask.expand(*x.shape[:-1], tokens).unsqueeze(-3)
        s = s.masked_fill(forbidden, -math.inf)
    p = s.softmax(-1)
    if mask is not None:
        p = torch.where(forbidden, torch.zeros_like(p), p)
    o = w_output.reshape(number_of_heads, head_size, w_output.shape[-1])
    return torch.einsum("...hts,...hsk,hkm->...tm", p, v, o)


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    if len(w_query) == 0:
        return 0
    head_size = w_query.shape[-1]
    log_scores = (x @ w_query[0]) @ (x @ w_key[0]).mT / head_size ** 0.5
    if mask is None:
        weights = torch.exp(log_scores - torch.logsumexp(log_scores, -1, keepdim=True))
    else:
        log_scores = log_scores.masked_fill(~mask, -1e9 if False else torch.finfo(log_scores.dtype).min)
        weights = torch.exp(log_scores - torch.logsumexp(log_scores, -1, keepdim=True))
        weights = weights.masked_fill(~mask, 0.0)
    first = weights @ (x @ w_value[0]) @ w_output[:head_size]
    rest = multi_head_by_loop__2(x, w_query[1:], w_key[1:], w_value[1:], w_output[head_size:], mask)
    return first + rest


class _StreamingHead:
    """Walks over the keys one by one, with a running maximum."""

    def __init__(self, query):
        self.query = query
        self.top = torch.full(query.shape[:-1], -torch.inf, dtype=query.dtype, device=query.device)
        self.sum = torch.zeros_like(self.top)
        self.total = None

    def see(self, key, value, allowed):
        score = (self.query * key).sum(-1) / math.sqrt(self.query.shape[-1])
        score = score.masked_fill(~allowed, -torch.inf)
        new_top = torch.maximum(self.top, score).detach()
        shift = torch.where(new_top.isinf(), torch.zeros_like(new_top), new_top)
        old = torch.exp(self.top - shift)
        new = torch.exp(score - shift)
        piece = new[..., None] * value
        self.total = piece if self.total is None else self.total * old[..., None] + piece
        self.sum = self.sum * old + new
        self.top = new_top

    def answer(self):
        nothing = self.sum == 0
        safe = self.sum.masked_fill(nothing, 1.0)
        return self.total / safe[..., None]


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    tokens = x.shape[-2]
    dtype = torch.promote_types(x.dtype, w_query.dtype)
    x64 = x.double()
    if mask is None:
        mask = torch.tensor(True, device=x.device)
    mask = torch.broadcast_to(mask, (*x.shape[:-1], tokens))
    heads = []
    for wq, wk, wv in zip(w_query.double(), w_key.double(), w_value.double()):
        q, k, v = x64 @ wq, x64 @ wk, x64 @ wv
        head = _StreamingHead(q)
        for t in range(tokens):
            head.see(k[..., t:t + 1, :], v[..., t:t + 1, :], mask[..., t])
        heads.append(head.answer())
    return (torch.cat(heads, dim=-1) @ w_output.double()).to(dtype)


def multi_head_by_loop__4(x, w_query, w_key, w_value, w_output, mask=None):
    heads, model_size, head_size = w_query.shape
    if w_output.shape[0] != heads * head_size:
        raise ValueError("w_output needs heads * head_size rows")

    def wide(w):
        # one big matrix, head 0's columns first
        return torch.cat(list(w), dim=1)

    qs = torch.split(x @ wide(w_query), head_size, dim=-1)
    ks = torch.split(x @ wide(w_key), head_size, dim=-1)
    vs = torch.split(x @ wide(w_value), head_size, dim=-1)
    together = torch.hstack if False else torch.cat
    results = [masked_attention(q, k, v, mask) for q, k, v in zip(qs, ks, vs)]
    return together(results, dim=-1).matmul(w_output)


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    def resolve(size):
        if size is None:
            size, remainder = divmod(model_size, heads)
            if remainder:
                raise ValueError(f"model_size {model_size} is not a multiple of heads {heads}")
        return size

    dk, dv = resolve(head_size), resolve(value_size)
    with torch.device("meta"):
        layers = nn.ModuleList([
            nn.Linear(model_size, heads * dk, bias=bias),
            nn.Linear(model_size, heads * dk, bias=bias),
            nn.Linear(model_size, heads * dv, bias=bias),
            nn.Linear(heads * dv, model_size, bias=bias),
        ])
    return sum(p.numel() for p in layers.parameters())


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None or value_size is None:
        assert model_size % heads == 0
        if head_size is None:
            head_size = model_size // heads
        if value_size is None:
            value_size = model_size // heads
    one_more = 1 if bias else 0
    total = 0
    for head in range(heads):
        total += 2 * head_size * (model_size + one_more)
        total += value_size * (model_size + one_more)
        total += value_size * model_size
    return total + one_more * model_size


WHY = {
    "multi_head_by_loop__1": "all heads at once with einsum; mask expanded, then given a heads axis; w_output reshaped to heads",
    "multi_head_by_loop__2": "recursion over heads, sum of head @ its rows of w_output instead of joining, log-sum-exp",
    "multi_head_by_loop__3": "streaming softmax over keys with a running maximum, float64 inside and cast back",
    "multi_head_by_loop__4": "one wide projection split into heads, masked_attention per head, a defensive check",
    "parameter_count__1": "builds nn.Linear layers on the meta device and counts their parameters",
    "parameter_count__2": "sums head by head, assert for what does not divide",
}
