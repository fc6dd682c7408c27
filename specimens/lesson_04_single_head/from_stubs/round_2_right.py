import math

import torch
import torch.nn.functional as F
from torch import nn


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    project = lambda w: F.linear(x, w.t())
    q, k, v = project(w_query), project(w_key), project(w_value)
    tokens = x.shape[-2]
    if mask is None:
        mask = torch.ones((tokens, tokens), dtype=torch.bool, device=x.device)
    mask = mask.expand(x.shape[:-1] + (tokens,))
    nobody = ~mask.any(-1, keepdim=True)
    # a lonely query looks everywhere for a moment, and its row is set to zero afterwards
    mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask | nobody)
    return torch.where(nobody, torch.zeros_like(mixed), mixed)


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        bound = model_size ** -0.5
        self.query = nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))
        self.key = nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))
        self.value = nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))

    def forward(self, x, mask=None):
        if mask is not None:
            mask = mask.expand(x.shape[:-1] + x.shape[-2:-1])
        if x.dim() > 2:   # item by item, down to one sequence
            masks = [None] * x.shape[0] if mask is None else mask
            return torch.stack([self.forward(item, m) for item, m in zip(x, masks)])
        q, k, v = x @ self.query, x @ self.key, x @ self.value
        rows = []
        for i in range(x.shape[0]):
            seen = slice(None) if mask is None else mask[i].nonzero()[:, 0]
            if k[seen].shape[0] == 0:
                rows.append(0 * (v.sum(0) + q[i] @ k.sum(0)))   # zeros that still hang on the graph
                continue
            s = (k[seen] * q[i]).sum(-1) / math.sqrt(q.shape[-1])
            rows.append((torch.exp(s - torch.logsumexp(s, 0))[:, None] * v[seen]).sum(0))
        return torch.stack(rows)


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.head_size = head_size
        for name in "query key value".split():
            self.add_module(name, nn.Linear(model_size, head_size, bias=False))

    def forward(self, x, mask=None):
        # one product for all three, keys in front, double inside
        joined = torch.cat([self.query.weight, self.key.weight, self.value.weight])
        q, k, v = torch.einsum("...tm,hm->...th", x, joined).double().split(self.head_size, dim=-1)
        scores = torch.einsum("...qh,...kh->...kq", q, k).div(self.head_size ** 0.5)
        allowed = torch.ones_like(scores, dtype=torch.bool)
        if mask is not None:
            allowed = allowed & torch.broadcast_to(mask, scores.shape).transpose(-1, -2)
        top = scores.masked_fill(~allowed, -1e300).amax(-2, keepdim=True).detach()
        e = torch.exp((scores - top).masked_fill(~allowed, -1e300)).masked_fill(~allowed, 0)
        total = e.sum(-2, keepdim=True)
        weights = e / torch.where(total > 0, total, torch.ones_like(total))
        return torch.einsum("...kq,...kv->...qv", weights, v).to(x.dtype)


WHY = {
    "attention_head__1": "F.linear and the built-in attention; dead rows look everywhere and are zeroed afterwards",
    "AttentionHead__1": "nn.Parameter matrices, recursion over batch axes, loop over queries with logsumexp on the picked keys",
    "AttentionHead__2": "one joined projection split in three, scores with keys in front, double inside, cast back",
}
