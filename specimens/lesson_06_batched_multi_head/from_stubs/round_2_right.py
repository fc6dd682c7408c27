import math

import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import masked_softmax

WHY = {}


WHY["split_heads__1"] = "index arithmetic: a (heads, head_size) table of column numbers, gathered at once, then the axes are moved"


def split_heads__1(x, heads):
    if heads < 1:
        raise ValueError("at least one head")
    columns = x.shape[-1]
    head_size, left_over = divmod(columns, heads)
    if left_over:
        raise ValueError(f"{heads} heads do not divide a model_size of {columns}")
    table = torch.arange(columns, device=x.device).reshape(heads, head_size)
    return x[:, :, table].movedim(2, 1)


WHY["merge_heads__1"] = "every head is placed by zero padding left and right, and the padded heads are added"


def merge_heads__1(x):
    heads, head_size = x.shape[1], x.shape[3]
    placed = [F.pad(x[:, h], (h * head_size, (heads - 1 - h) * head_size)) for h in range(heads)]
    return torch.stack(placed).sum(dim=0)


WHY["multi_head_attention__1"] = "online softmax: streams over the keys one at a time with a running maximum, sum and weighted values"


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, queries, model_size = query.shape
    keys = key.shape[1]
    size = model_size // heads
    q = (query @ w_query).view(batch, queries, heads, size).transpose(1, 2) * size ** -0.5
    k = (key @ w_key).view(batch, keys, heads, size).transpose(1, 2)
    v = (value @ w_value).view(batch, keys, heads, size).transpose(1, 2)
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=query.device)
    mask = mask.expand(batch, heads, queries, keys)

    top = q.new_full((batch, heads, queries), torch.finfo(q.dtype).min)
    total = q.new_zeros(batch, heads, queries)
    mixed = q.new_zeros(batch, heads, queries, size)
    for j in range(keys):
        may_look = mask[..., j]
        score = (q * k[:, :, j:j + 1]).sum(dim=-1)
        new_top = torch.where(may_look, torch.maximum(top, score.detach()), top)
        shrink = torch.exp(top - new_top)
        share = torch.exp(torch.where(may_look, score - new_top, 0.0)) * may_look
        total = total * shrink + share
        mixed = mixed * shrink.unsqueeze(-1) + share.unsqueeze(-1) * v[:, :, j:j + 1]
        top = new_top
    alive = total > 0
    mixed = mixed / torch.where(alive, total, torch.ones_like(total)).unsqueeze(-1)
    return mixed.transpose(1, 2).reshape(batch, queries, model_size) @ w_output


WHY["multi_head_attention__2"] = "the heads folded into the batch axis, bmm, log-sum-exp for the weights; each head's output through its own rows of w_output, and the sum of it"


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    b, n, d = query.shape
    m = key.shape[1]
    s = d // heads

    def fold(t, w):
        return torch.cat(torch.split(t @ w, s, dim=-1), dim=0)          # (heads * batch, tokens, s), head by head

    scores = torch.bmm(fold(query, w_query), fold(key, w_key).transpose(1, 2)).div(math.sqrt(s))
    if mask is not None:
        seen = torch.broadcast_to(mask, (b, heads, n, m)).transpose(0, 1).reshape(heads * b, n, m)
        dead = ~seen.any(dim=-1, keepdim=True)
        scores = scores.masked_fill(~(seen | dead), -math.inf)
        weights = (scores - torch.logsumexp(scores, dim=-1, keepdim=True)).exp().masked_fill(dead, 0)
    else:
        weights = (scores - torch.logsumexp(scores, dim=-1, keepdim=True)).exp()
    per_head = torch.bmm(weights, fold(value, w_value)).chunk(heads, dim=0)
    out = 0
    for h, block in enumerate(per_head):
        out = out + block @ w_output[h * s:(h + 1) * s]
    return out


WHY["MultiHeadAttention__1"] = "float64 inside and cast back at the end; throws its own dropout with torch.rand; a loop over the heads"


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if heads <= 0 or model_size % heads:
            raise ValueError("heads must divide model_size, but %d does not divide %d" % (heads, model_size))
        self.number_of_heads = heads
        self.columns_of_a_head = model_size // heads
        self.probability = float(dropout)
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)

    @staticmethod
    def _exactly(layer, tensor):
        result = tensor.double() @ layer.weight.double().T
        return result if layer.bias is None else result + layer.bias.double()

    def _drop(self, weights):
        if not self.training or self.probability == 0:
            return weights
        if self.probability >= 1:
            return weights * 0
        kept = torch.rand(weights.shape, device=weights.device) >= self.probability
        return weights * kept / (1 - self.probability)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        all_queries = self._exactly(self.query, query)
        all_keys = self._exactly(self.key, key)
        all_values = self._exactly(self.value, value)
        full = (query.shape[0], self.number_of_heads, query.shape[1], key.shape[1])
        allowed = None if mask is None else mask.broadcast_to(full)
        weights_of_heads, results = [], []
        for head in range(self.number_of_heads):
            begin = head * self.columns_of_a_head
            end = begin + self.columns_of_a_head
            scores = all_queries[..., begin:end] @ all_keys[..., begin:end].transpose(1, 2)
            scores = scores / math.sqrt(self.columns_of_a_head)
            if allowed is None:
                weights = torch.softmax(scores, dim=-1)
            else:
                look = allowed[:, head]
                highest = torch.where(look, scores, -math.inf).amax(dim=-1, keepdim=True).detach()
                highest = torch.where(torch.isinf(highest), torch.zeros_like(highest), highest)
                powers = torch.exp(torch.where(look, scores - highest, 0.0)) * look
                weights = powers / powers.sum(dim=-1, keepdim=True).clamp(min=0.5)
            weights_of_heads.append(weights)
            results.append(self._drop(weights) @ all_values[..., begin:end])
        answer = self._exactly(self.output, torch.cat(results, dim=-1)).to(query.dtype)
        if return_weights:
            return answer, torch.stack(weights_of_heads, dim=1).to(query.dtype)
        return answer


WHY["MultiHeadAttention__2"] = "projections made in a loop with add_module, the scale kept as a buffer, einsums over unflattened axes, nn.Dropout"


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size != heads * (model_size // heads):
            raise ValueError("model_size is not a multiple of heads")
        for role in ["query", "key", "value", "output"]:
            self.add_module(role, nn.Linear(in_features=model_size, out_features=model_size, bias=bias))
        self.register_buffer("scale", torch.tensor(math.sqrt(model_size // heads), dtype=torch.float64), persistent=False)
        self.shape = (heads, model_size // heads)
        self.thrower = nn.Dropout(p=dropout, inplace=False)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        q = self.query(query).unflatten(-1, self.shape)
        k = self.key(key).unflatten(-1, self.shape)
        v = self.value(value).unflatten(-1, self.shape)
        s = torch.einsum("bihc,bjhc->bhij", q, k) / self.scale
        p = s.softmax(-1) if mask is None else masked_softmax(s, mask)
        o = torch.einsum("bhij,bjhc->bihc", self.thrower(p), v)
        o = self.output(o.flatten(start_dim=-2))
        if not return_weights:
            return o
        return o, p
