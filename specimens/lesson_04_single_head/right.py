"""Right answers to lesson 04, in styles that are not ours."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def _without_nan(weights):
    return torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)


# attention_head


def attention_head__all_by_hand(x, w_query, w_key, w_value, mask=None):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return _without_nan(torch.softmax(scores, dim=-1)) @ v


def attention_head__einsum(x, w_query, w_key, w_value, mask=None):
    q = torch.einsum("...td,dh->...th", x, w_query)
    k = torch.einsum("...td,dh->...th", x, w_key)
    v = torch.einsum("...td,dv->...tv", x, w_value)
    scores = torch.einsum("...qh,...kh->...qk", q, k) * q.size(-1) ** -0.5
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.einsum("...qk,...kv->...qv", scores.softmax(-1) * mask, v)


def attention_head__fused_projection(x, w_query, w_key, w_value, mask=None):
    sizes = [w.shape[1] for w in (w_query, w_key, w_value)]
    q, k, v = (x @ torch.cat([w_query, w_key, w_value], dim=1)).split(sizes, dim=-1)
    scores = torch.matmul(q, k.mT).div(sizes[0] ** 0.5)
    if mask is None:
        return F.softmax(scores, -1) @ v
    alive = mask.any(-1, keepdim=True)
    weights = F.softmax(torch.where(mask | ~alive, scores, -torch.inf), -1)
    return torch.where(alive, weights, 0.0) @ v


def attention_head__linear_from_functional(x, w_query, w_key, w_value, mask=None):
    q, k, v = (F.linear(x, w.t()) for w in (w_query, w_key, w_value))
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return out if mask is None else out.masked_fill(~mask.any(-1, keepdim=True), 0.0)


def attention_head__projects_the_values_last(x, w_query, w_key, w_value, mask=None):
    scores = (x @ w_query) @ (x @ w_key).mT / w_query.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return _without_nan(scores.softmax(-1)) @ x @ w_value


def attention_head__one_matrix_for_query_and_key(x, w_query, w_key, w_value, mask=None):
    both = w_query @ w_key.T / math.sqrt(w_key.shape[1])
    scores = x @ both @ x.mT
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return _without_nan(scores.softmax(-1)) @ (x @ w_value)


def attention_head__token_by_token(x, w_query, w_key, w_value, mask=None):
    if x.ndim > 2:
        whole = (*x.shape[:-1], x.shape[-2])
        masks = [None] * len(x) if mask is None else mask.expand(whole)
        return torch.stack([attention_head__token_by_token(a, w_query, w_key, w_value, m) for a, m in zip(x, masks)])
    mask = torch.ones(len(x), len(x), dtype=torch.bool) if mask is None else mask.expand(len(x), len(x))
    rows = []
    for i, token in enumerate(x):
        seen = [j for j in range(len(x)) if mask[i, j]]
        if not seen:
            rows.append(0 * token @ w_value)
            continue
        scores = torch.stack([(token @ w_query) @ (x[j] @ w_key) for j in seen]) / math.sqrt(w_key.shape[1])
        rows.append(sum(w * (x[j] @ w_value) for w, j in zip(scores.softmax(0), seen)))
    return torch.stack(rows)


def attention_head__in_double_precision(x, w_query, w_key, w_value, mask=None):
    q, k, v = (x.double() @ w.double() for w in (w_query, w_key, w_value))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e300)
        return ((scores.softmax(-1) * mask) @ v).to(x.dtype)
    return (scores.softmax(-1) @ v).to(x.dtype)


def attention_head__exponentials_and_a_sum(x, w_query, w_key, w_value, mask=None):
    query, key, value = (torch.tensordot(x, w, dims=1) for w in (w_query, w_key, w_value))
    s = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), -math.inf)
    top = s.amax(dim=-1, keepdim=True).nan_to_num(neginf=0.0)
    e = (s - top).exp()
    return e @ value / e.sum(-1, keepdim=True).clamp(min=1e-30)


# AttentionHead


def _attend(q, k, v, mask):
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(-1) @ v
    return torch.nan_to_num(scores.masked_fill(~mask, -torch.inf).softmax(-1)) @ v


class AttentionHead__parameters(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Parameter(torch.randn(model_size, head_size))
        self.key = nn.Parameter(torch.randn(model_size, head_size))
        self.value = nn.Parameter(torch.randn(model_size, head_size))

    def forward(self, x, mask=None):
        return _attend(x @ self.query, x @ self.key, x @ self.value, mask)


class AttentionHead__names_of_torch(nn.Module):
    def __init__(self, model_size, head_size):
        nn.Module.__init__(self)
        self.q_proj, self.k_proj, self.v_proj = [nn.Linear(model_size, head_size, False) for _ in range(3)]

    def forward(self, x, mask=None):
        return _attend(self.q_proj(x), self.k_proj(x), self.v_proj(x), mask)


class AttentionHead__calls_the_function(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        for name in ("w_query", "w_key", "w_value"):
            setattr(self, name, nn.Parameter(nn.init.xavier_uniform_(torch.empty(model_size, head_size))))

    def forward(self, x, mask=None):
        return attention_head__all_by_hand(x, self.w_query, self.w_key, self.w_value, mask)


class AttentionHead__fused_in_one_layer(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.head_size = head_size
        self.qkv = nn.Linear(model_size, 3 * head_size, bias=False)

    def forward(self, x, mask=None):
        return _attend(*self.qkv(x).split(self.head_size, dim=-1), mask)


class AttentionHead__keeps_more_than_it_needs(nn.Module):
    def __init__(self, model_size, head_size, verbose=False):
        super().__init__()
        self.model_size, self.head_size, self.verbose = model_size, head_size, verbose
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x, mask=None):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = torch.einsum("...qf,...kf->...qk", q, k) / self.head_size**0.5
        if mask is None:
            return self.softmax(scores) @ v
        weights = self.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min)) * mask
        return weights @ v


class _Projections(nn.Module):
    """Makes the three layers and hands back what they say about x."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.query = nn.Linear(inputs, outputs, bias=False)
        self.key = nn.Linear(inputs, outputs, bias=False)
        self.value = nn.Linear(inputs, outputs, bias=False)


def attention_head__dead_rows_opened_first(x, w_query, w_key, w_value, mask=None):
    """torch's own attention; rows with nothing allowed are opened first and zeroed afterwards."""
    fused = torch.cat([w_query, w_key, w_value], dim=1)  # one product for all three
    head_size = w_query.shape[1]
    q, k, v = (x @ fused).split([head_size, head_size, w_value.shape[1]], dim=-1)
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v)
    tokens = x.shape[-2]
    allowed = mask.broadcast_to(x.shape[:-2] + (tokens, tokens))
    nobody = allowed.logical_not().all(dim=-1, keepdim=True)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed.logical_or(nobody))
    return torch.where(nobody, torch.zeros_like(out), out)


def attention_head__looks_of_each_token(x, w_query, w_key, w_value, mask=None):
    """Sequence by sequence and token by token, on the keys that the token may look at."""
    tokens, model_size = x.shape[-2:]
    kind = x.dtype
    x, w_query, w_key, w_value = (t.double() for t in (x, w_query, w_key, w_value))
    sequences = x.reshape(-1, tokens, model_size)
    if mask is None:
        mask = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device)
    masks = torch.broadcast_to(mask, (*x.shape[:-1], tokens)).reshape(-1, tokens, tokens)

    def answer(token, sequence, looks):
        dead = not bool(looks.any())
        seen = sequence if dead else sequence[looks]
        asked = w_key.T @ seen.T  # (head_size, seen)
        logits = (token @ w_query) @ asked / math.sqrt(w_key.shape[-1])
        shares = torch.exp(logits - logits.max() - torch.logsumexp(logits - logits.max(), dim=0))
        mean = shares @ (seen @ w_value)
        return mean.clamp(0.0, 0.0) if dead else mean

    rows = [answer(seq[i], seq, m[i]) for seq, m in zip(sequences, masks) for i in range(tokens)]
    return torch.stack(rows).reshape(*x.shape[:-1], w_value.shape[-1]).to(kind)


class AttentionHead__scale_on_either_side(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Parameter(torch.empty(model_size, head_size))
        self.key = nn.Parameter(torch.empty(model_size, head_size))
        self.value = nn.Parameter(torch.empty(model_size, head_size))
        for matrix in self.parameters():
            nn.init.xavier_uniform_(matrix)

    def forward(self, x, mask=None):
        if self.query.ndim != 2 or x.shape[-1] != self.query.shape[0]:
            raise ValueError("x does not have model_size features")
        temperature = self.query.shape[1] ** 0.25  # half the scale on either side
        q = torch.einsum("...tm,mh->...th", x, self.query) / temperature
        k = torch.einsum("...tm,mh->...th", x, self.key) / temperature
        v = torch.einsum("...tm,mh->...th", x, self.value)
        logits = torch.einsum("...ih,...jh->...ij", q, k)
        allowed = torch.ones_like(logits, dtype=torch.bool) if mask is None else mask.expand_as(logits)
        lowest = torch.finfo(logits.dtype).min
        peak = torch.where(allowed, logits, lowest).amax(dim=-1, keepdim=True).detach()
        gap = torch.where(allowed, logits - peak, torch.zeros_like(logits))
        e = gap.exp() * allowed
        return torch.einsum("...ij,...jh->...ih", e / e.sum(dim=-1, keepdim=True).clamp(min=0.5), v)


class AttentionHead__base_class_and_log_softmax(_Projections):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.root = float(head_size) ** 0.5

    def _weights(self, x, mask):
        logits = self.query(x).div(self.root).matmul(self.key(x).transpose(-1, -2))
        if mask is None:
            return F.log_softmax(logits, dim=-1).exp()
        closed = mask.logical_not()
        dead = closed.all(dim=-1, keepdim=True) if mask.ndim else closed
        shut = closed.logical_and(dead.logical_not())
        return F.log_softmax(logits.masked_fill(shut, -math.inf), dim=-1).exp().masked_fill(closed, 0)

    def forward(self, x, mask=None):
        return self._weights(x, mask).matmul(self.value(x))
