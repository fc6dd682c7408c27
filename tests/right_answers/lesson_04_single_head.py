"""Right answers to lesson 04, in styles that are not ours."""

import math

import torch
import torch.nn.functional as F


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
