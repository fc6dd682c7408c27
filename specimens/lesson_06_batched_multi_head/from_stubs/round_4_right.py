import math
import functools
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, causal_mask, masked_attention, masked_softmax, multi_head_by_loop, padding_mask, parameter_count

WHY = {}


def split_heads__1(x, heads):
    whole, rest = divmod(x.shape[2], heads)
    if rest:
        raise ValueError(f"{heads} heads do not divide {x.shape[2]} columns")
    return x.mT.unflatten(1, (heads, whole)).mT.contiguous()


WHY["split_heads__1"] = "transposes tokens and columns first, cuts the columns' axis, transposes back"


def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    where = torch.arange(heads * head_size)
    return x[:, where // head_size, :, where % head_size].permute(1, 2, 0)


WHY["merge_heads__1"] = "gathers column by column with fancy indexing; the indexed axis comes first and is moved to the end"


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Streams over the keys, one at a time (online softmax)."""
    b, n, m = query.shape
    t = key.shape[1]
    d = m // heads
    q = (query @ w_query).reshape(b, n, heads, d).transpose(1, 2) / math.sqrt(d)
    k = (key @ w_key).reshape(b, t, heads, d).transpose(1, 2)
    v = (value @ w_value).reshape(b, t, heads, d).transpose(1, 2)
    allowed = torch.ones((), dtype=torch.bool) if mask is None else mask
    allowed = allowed.expand(b, heads, n, t)
    lowest = torch.finfo(q.dtype).min
    best = torch.full((b, heads, n), lowest, dtype=q.dtype)
    total = torch.zeros_like(best)
    mix = torch.zeros_like(q)
    for j in range(t):
        ok = allowed[..., j]
        score = (q * k[:, :, j:j + 1]).sum(-1)
        new = torch.where(ok, torch.maximum(best, score.detach()), best)
        shrink = torch.exp(best - new)
        part = torch.exp(torch.where(ok, score - new, torch.zeros_like(score))) * ok
        total = total * shrink + part
        mix = mix * shrink[..., None] + part[..., None] * v[:, :, j:j + 1]
        best = new
    safe = torch.where(total > 0, total, torch.ones_like(total))
    return (mix / safe[..., None]).transpose(1, 2).reshape(b, n, m) @ w_output


WHY["multi_head_attention__1"] = "online softmax over the keys, with a running maximum that is kept out of the gradient"


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"heads ({heads}) must divide model_size ({model_size})")
        self.number_of_heads = heads
        self.probability = float(dropout)
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        h = self.number_of_heads
        q = self.query(query).unflatten(2, (h, -1))
        k = self.key(key).unflatten(2, (h, -1))
        v = self.value(value).unflatten(2, (h, -1))
        scores = torch.einsum("bqhd,bkhd->bhqk", q * q.shape[-1] ** -0.5, k)
        if mask is not None:
            mask = mask.expand(scores.shape)
            empty = mask.logical_not().all(dim=-1, keepdim=True)
            # an empty row looks everywhere for a moment, so that nothing is nan, and is cleared afterwards
            scores = scores.masked_fill((mask | empty).logical_not(), -math.inf)
            log_weights = scores - torch.logsumexp(scores, dim=-1, keepdim=True)
            weights = log_weights.exp() * empty.logical_not()
        else:
            weights = torch.softmax(scores, dim=-1)
        used = weights
        if self.training and self.probability > 0.0:
            kept = torch.rand(weights.shape) >= self.probability
            used = weights * (kept.to(weights.dtype) / max(1.0 - self.probability, 1e-12))
        mixed = torch.einsum("bhqk,bkhd->bqhd", used, v).flatten(2)
        output = self.output(mixed)
        if return_weights:
            return output, weights
        return output


WHY["MultiHeadAttention__1"] = "einsum, log-sum-exp, dropout by hand with torch.rand"


class MultiHeadAttention__2(nn.Module):
    class _Head:
        """One head of a layer: knows which columns are its own."""

        def __init__(self, owner, start, stop):
            self.owner, self.start, self.stop = owner, start, stop

        def project(self, layer, x):
            part = slice(self.start, self.stop)
            return F.linear(x, layer.weight[part], None if layer.bias is None else layer.bias[part])

        def weights(self, query, key, mask):
            q, k = self.project(self.owner.query, query), self.project(self.owner.key, key)
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.stop - self.start)
            return torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads have to divide model_size")
        self.heads = heads
        self.dropout = nn.Dropout(p=dropout)
        for name in "query key value output".split():
            setattr(self, name, nn.Linear(model_size, model_size, bias=bias))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        size = query.shape[-1] // self.heads
        if mask is not None:
            mask = torch.broadcast_to(mask, (query.shape[0], self.heads, query.shape[1], key.shape[1]))
        all_weights = []
        answer = None
        for number in range(self.heads):
            head = self._Head(self, number * size, (number + 1) * size)
            weights = head.weights(query, key, None if mask is None else mask[:, number])
            all_weights.append(weights)
            mixed = self.dropout(weights) @ head.project(self.value, value)
            share = mixed @ self.output.weight[:, head.start:head.stop].T
            answer = share if answer is None else answer + share
        if self.output.bias is not None:
            answer = answer + self.output.bias
        return (answer, torch.stack(all_weights, dim=1)) if return_weights else answer


WHY["MultiHeadAttention__2"] = "a helper class per head that slices the layers' weights; outputs summed head by head instead of concatenated"
