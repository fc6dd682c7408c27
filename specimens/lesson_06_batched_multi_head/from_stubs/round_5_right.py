import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, causal_mask, masked_attention, masked_softmax, multi_head_by_loop, padding_mask, parameter_count


def split_heads__1(x, heads):
    size, rest = divmod(x.size(-1), heads)
    if rest != 0:
        raise ValueError(f"model_size {x.size(-1)} cannot be cut for {heads} heads")
    return x.unfold(-1, size, size).movedim(2, 1)


def merge_heads__1(x):
    size = x.shape[3]
    column = torch.arange(x.shape[1] * size, device=x.device)
    head, inside = torch.div(column, size, rounding_mode="floor"), column % size
    # two index lists with a slice between them: their axis comes first
    return x[:, head, :, inside].permute(1, 2, 0)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    given = query.dtype
    query, key, value, w_query, w_key, w_value, w_output = (
        t.double() for t in (query, key, value, w_query, w_key, w_value, w_output))
    b, n_q, d = query.shape
    n_k = key.shape[1]
    size = d // heads
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=query.device)
    mask = mask.broadcast_to(b, heads, n_q, n_k)
    q = (query @ w_query).reshape(b, n_q, heads, size) / math.sqrt(size)
    k = (key @ w_key).reshape(b, n_k, heads, size)
    v = (value @ w_value).reshape(b, n_k, heads, size)
    top = torch.full((b, n_q, heads), -math.inf, dtype=torch.float64, device=query.device)
    total = torch.zeros_like(top)
    acc = torch.zeros_like(q)
    for j in range(n_k):                                    # one key after the other
        ok = mask[..., j].transpose(1, 2)                   # (b, n_q, heads)
        s = (q * k[:, j, None]).sum(-1)
        new_top = torch.where(ok, torch.maximum(top, s.detach()), top)
        safe = torch.where(new_top == -math.inf, 0.0, new_top)
        shrink = (top - safe).exp()
        e = torch.where(ok, s - safe, -math.inf).exp()
        total = total * shrink + e
        acc = acc * shrink[..., None] + e[..., None] * v[:, j, None]
        top = new_top
    out = acc / torch.where(total == 0, 1.0, total)[..., None]
    return (out.reshape(b, n_q, d) @ w_output).to(given)


class MultiHeadAttention__1(nn.Module):
    """One head after the other, with slices of the projections; weights by log-sum-exp."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if heads < 1 or model_size % heads:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.size, self.heads, self.rate = model_size // heads, heads, dropout
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)

    def _project(self, layer, x, rows):
        return F.linear(x, layer.weight[rows], None if layer.bias is None else layer.bias[rows])

    def _weights(self, scores, mask):
        if mask is None:
            return (scores - scores.logsumexp(-1, keepdim=True)).exp()
        dead = ~mask.any(-1, keepdim=True)
        scores = scores.masked_fill(~mask & ~dead, -math.inf)
        return (scores - scores.logsumexp(-1, keepdim=True)).exp().masked_fill(dead, 0.0)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        if mask is not None:
            mask = mask.expand(query.shape[0], self.heads, query.shape[1], key.shape[1])
        answer, kept = 0, []
        for h in range(self.heads):
            rows = slice(h * self.size, (h + 1) * self.size)
            q, k, v = (self._project(l, t, rows) for l, t in
                       ((self.query, query), (self.key, key), (self.value, value)))
            w = self._weights(torch.bmm(q, k.mT) / math.sqrt(self.size), None if mask is None else mask[:, h])
            kept.append(w)
            if self.training and self.rate > 0:
                keep = (torch.rand_like(w) >= self.rate).to(w.dtype)
                w = w * keep / (1 - self.rate) if self.rate < 1 else w * 0
            answer = answer + F.linear(w @ v, self.output.weight[:, rows])
        if self.output.bias is not None:
            answer = answer + self.output.bias
        return (answer, torch.stack(kept, 1)) if return_weights else answer


class MultiHeadAttention__2(nn.Module):
    """The built-in where the weights are not wanted, by hand where they are."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0, "heads have to divide model_size"
        self.num_heads = heads
        self.dropout_probability = dropout
        for name in "query key value output".split():
            self.add_module(name, nn.Linear(model_size, model_size, bias=bias))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        batch, number_of_queries, model_size = query.shape
        q = self.query(query).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        k = self.key(key).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        v = self.value(value).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        p = self.dropout_probability if self.training else 0.0
        dead = None
        if mask is not None:
            mask = mask.expand(batch, self.num_heads, number_of_queries, k.shape[2])
            dead = ~mask.any(dim=-1, keepdim=True)
            mask = mask | dead          # no row without a key; what they get is thrown away below
        weights = None
        if return_weights:
            scores = q @ k.mT / q.shape[-1] ** 0.5
            if mask is not None:
                scores = scores.masked_fill(~mask, float("-inf"))
            weights = torch.softmax(scores, -1)
            if dead is not None:
                weights = weights.masked_fill(dead, 0.0)
            context = F.dropout(weights, p) @ v
        else:
            context = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
            if dead is not None:
                context = context.masked_fill(dead, 0.0)
        out = self.output(context.transpose(1, 2).reshape(batch, number_of_queries, model_size))
        return (out, weights) if return_weights else out


WHY = {
    "split_heads__1": "windows of head_size columns with unfold",
    "merge_heads__1": "picks head and place of every column by index lists",
    "multi_head_attention__1": "online softmax, one key after the other, in float64, cast back",
    "MultiHeadAttention__1": "loop over heads with sliced weights, log-sum-exp, own dropout throws, output summed by heads",
    "MultiHeadAttention__2": "scaled_dot_product_attention, by hand only where weights are wanted; dead rows opened and then emptied",
}
