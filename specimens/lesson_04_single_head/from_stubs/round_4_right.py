import math

import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, attention_weights, log_softmax, masked_attention, padding_mask


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v)
    hopeless = ~mask.any(dim=-1, keepdim=True)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask | hopeless)
    return out.masked_fill(hopeless, 0.0)


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    tokens, model_size = x.shape[-2:]
    head_size = w_query.shape[1]
    allowed = torch.ones((), dtype=torch.bool) if mask is None else mask
    allowed = allowed.expand(*x.shape[:-1], tokens).reshape(-1, tokens, tokens)
    wide = x.double().reshape(-1, tokens, model_size)
    # x Wq Wk^T x^T, both matrices folded into one
    core = w_query.double() @ w_key.double().T
    results = []
    for sequence, may in zip(wide, allowed):
        values = sequence @ w_value.double()
        scores = torch.einsum("im,mn,jn->ij", sequence, core, sequence) / head_size ** 0.5
        rows = []
        for i in range(tokens):
            picked = may[i].nonzero().squeeze(1)
            if len(picked) == 0:
                rows.append(values[0] * 0)
                continue
            s = scores[i].index_select(0, picked)
            rows.append(torch.exp(s - torch.logsumexp(s, 0)) @ values.index_select(0, picked))
        results.append(torch.stack(rows))
    return torch.stack(results).reshape(*x.shape[:-1], w_value.shape[1]).to(x.dtype)


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.model_size = model_size
        self.head_size = head_size
        self.query = nn.Parameter(torch.randn(model_size, head_size) / math.sqrt(model_size))
        self.key = nn.Parameter(torch.randn(model_size, head_size) / math.sqrt(model_size))
        self.value = nn.Parameter(torch.randn(model_size, head_size) / math.sqrt(model_size))

    def extra_repr(self):
        return f"{self.model_size} -> {self.head_size}"

    def forward(self, x, mask=None):
        fused = torch.cat((self.query, self.key, self.value), dim=1)     # one product instead of three
        q, k, v = torch.matmul(x, fused).chunk(3, dim=-1)
        scores = q.matmul(k.transpose(-2, -1)).div(math.sqrt(self.head_size))
        if mask is None:
            return scores.softmax(dim=-1).matmul(v)
        alive = mask.any(dim=-1, keepdim=True)
        scores = scores.masked_fill(~(mask | ~alive), -math.inf)
        weights = scores.softmax(dim=-1)
        return torch.where(alive, weights, torch.zeros_like(weights)).matmul(v)


WHY = {
    "attention_head__1": "torch's own scaled_dot_product_attention with the boolean mask, dead rows opened first and zeroed afterwards",
    "attention_head__2": "loops over sequences and queries in float64, both matrices folded into one, log-sum-exp over the selected keys, cast back",
    "AttentionHead__1": "nn.Parameter matrices, concatenated to one product and chunked, dead rows opened and zeroed",
}
