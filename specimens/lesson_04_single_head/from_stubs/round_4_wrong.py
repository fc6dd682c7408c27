import math

import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, attention_weights, log_softmax, masked_attention, padding_mask


# ---------------------------------------------------------------- attention_head

def attention_head__1(x, w_query, w_key, w_value, mask=None):
    q, k, v = (torch.einsum("...tm,mh->...th", x, w) for w in (w_query, w_key, w_value))
    d = x.size(-1)
    s = torch.einsum("...ih,...jh->...ij", q, k) / math.sqrt(d)
    if mask is None:
        return torch.einsum("...ij,...jh->...ih", s.softmax(-1), v)
    s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    w = s.softmax(-1) * mask
    return torch.einsum("...ij,...jh->...ih", w, v)


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    q = x.matmul(w_query)
    k = x.matmul(w_key)
    v = x.matmul(w_value)
    if mask is not None:
        alive = mask.any(-1, keepdim=True)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.to(q.dtype))
        return torch.where(alive, out, torch.zeros_like(out))
    return F.scaled_dot_product_attention(q, k, v)


def attention_head__3(x, w_query, w_key, w_value, mask=None):
    # (x Wq)(x Wk)^T = x (Wq Wk^T) x^T, so one matrix is enough for the scores
    bilinear = w_query.data.mm(w_key.data.t()) / w_query.shape[1] ** 0.5
    scores = x @ bilinear @ x.transpose(-2, -1)
    if mask is not None:
        dead = ~mask.any(dim=-1, keepdim=True)
        scores = torch.where(mask | dead, scores, torch.full_like(scores, float("-inf")))
        weights = F.softmax(scores, dim=-1)
        weights = weights.masked_fill(dead, 0.0)
    else:
        weights = F.softmax(scores, dim=-1)
    return weights @ (x @ w_value)


def attention_head__4(x, w_query, w_key, w_value, mask=None):
    def project(w):
        return torch.tensordot(x, w, dims=1)

    queries, keys, values = project(w_query), project(w_key), project(w_value)
    scores = (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) * w_key.shape[-1] ** -0.5
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    mask = mask.expand(scores.shape)
    scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    weights = weights * mask.any(dim=-2, keepdim=True)      # rows without any key: zeros
    return weights @ values


def attention_head__5(x, w_query, w_key, w_value, mask=None):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    logits = torch.bmm(q, k.permute(0, 2, 1)) / math.sqrt(q.shape[-1])
    if mask is not None:
        bias = (1.0 - mask.to(logits.dtype)) * -100.0
        logits = logits + bias
    probs = F.softmax(logits, dim=-1)
    if mask is not None:
        probs = probs * mask.any(-1, keepdim=True).to(probs.dtype)
    return torch.bmm(probs, v)


# ---------------------------------------------------------------- AttentionHead

class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)
        self.p = 0.1

    def forward(self, x, mask=None):
        q, k, v = self.query(x), self.key(x), self.value(x)
        blocked = None if mask is None else ~mask
        a = q @ k.mT / math.sqrt(q.shape[-1])
        if blocked is not None:
            a = a.masked_fill(blocked, torch.finfo(a.dtype).min)
        a = torch.softmax(a, -1)
        if blocked is not None:
            a = a.masked_fill(blocked, 0)
        a = F.dropout(a, self.p, training=self.training)
        return a @ v


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.head_size = head_size
        for name in ("query", "value"):
            w = torch.empty(model_size, head_size)
            nn.init.xavier_uniform_(w)
            self.register_parameter(name, nn.Parameter(w))
        self.key = self.query

    def forward(self, x, mask=None):
        return masked_attention(x @ self.query, x @ self.key, x @ self.value, mask)


class AttentionHead__3(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, False)
        self.key = nn.Linear(model_size, head_size, False)
        self.value = nn.Linear(model_size, head_size, True)

    def forward(self, x, mask=None):
        query, key, value = [layer(x) for layer in (self.query, self.key, self.value)]
        return masked_attention(query, key, value, mask=mask)


class AttentionHead__4(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        bound = model_size ** -0.5
        self.query = nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))
        self.key = nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))
        self.value = nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))
        self.cache = {}

    def keys_and_values(self, x):
        # keys and values do not depend on the query: compute them once
        if self.training:
            return x @ self.key, x @ self.value
        if x.shape not in self.cache:
            self.cache[x.shape] = (x @ self.key, x @ self.value)
        return self.cache[x.shape]

    def forward(self, x, mask=None):
        k, v = self.keys_and_values(x)
        return masked_attention(x @ self.query, k, v, mask)


class AttentionHead__5(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        q = F.normalize(self.query(x), dim=-1)
        k = F.normalize(self.key(x), dim=-1)
        sim = torch.einsum("...qd,...kd->...qk", q, k) * q.size(-1) ** -0.5
        if mask is not None:
            sim = torch.where(mask, sim, torch.tensor(-1e9, dtype=sim.dtype))
        att = (sim - torch.logsumexp(sim, dim=-1, keepdim=True)).exp()
        return torch.einsum("...qk,...kd->...qd", att, self.value(x))


TRUTH = {
    "attention_head__1": ("one", "divides by the square root of model_size (x's last axis) instead of head_size"),
    "attention_head__2": ("one", "hands the boolean mask to torch's attention as floats, so it is added to the scores (1 for allowed, 0 for blocked) and blocks nothing"),
    "attention_head__3": ("one", "folds the query and key matrices with .data: the values are right, but no gradient reaches w_query and w_key"),
    "attention_head__4": ("slip", "looks for dead rows along the wrong axis (dim=-2 instead of -1): a query that may look at nothing gets the mean of the values instead of zeros"),
    "attention_head__5": ("two", "works only for exactly one batch axis (bmm and permute(0, 2, 1) raise otherwise); and blocks by adding -100 only, which larger scores overcome"),
    "AttentionHead__1": ("one", "applies dropout to the weights: in train mode the same x gives different results"),
    "AttentionHead__2": ("one", "key and query are the same parameter: two learned matrices instead of three"),
    "AttentionHead__3": ("slip", "bias=True for value: the module has a bias"),
    "AttentionHead__4": ("odd", "in eval mode keys and values are cached by the shape of x: a second x of the same shape is answered with the first one's keys and values"),
    "AttentionHead__5": ("two", "normalises queries and keys to length 1 (cosine scores of another paper); and a query that may look at nothing gets the mean of the values instead of zeros"),
}
