import io
import math
import os
import random
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, attention_weights, log_softmax, masked_attention, padding_mask


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    kind = x.dtype
    x64 = x.double()
    # one product for all three, then cut apart
    sizes = [w.shape[1] for w in (w_query, w_key, w_value)]
    together = x64 @ torch.cat([w_query, w_key, w_value], dim=1).double()
    q, k, v = together.split(sizes, dim=-1)
    scores = (q[..., :, None, :] * k[..., None, :, :] / math.sqrt(sizes[0])).sum(dim=-1)
    scores = torch.nan_to_num(scores)
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=x.device)
    mask = mask.expand(scores.shape)
    alive = mask.any(dim=-1, keepdim=True)
    safe = scores.masked_fill(~mask & alive, -math.inf)
    safe = safe - safe.detach().amax(dim=-1, keepdim=True)
    weights = torch.exp(safe - torch.logsumexp(safe, dim=-1, keepdim=True)) * alive
    return torch.einsum("...qk,...kv->...qv", weights, v).to(kind)


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        q, k, v = (F.linear(x.double(), layer.weight.double()) for layer in (self.query, self.key, self.value))
        if mask is None:
            return F.scaled_dot_product_attention(q, k, v).to(x.dtype)
        tokens = x.shape[-2]
        mask = mask.expand(*x.shape[:-2], tokens, tokens)
        alive = mask.any(dim=-1, keepdim=True)
        # a row of zeros is opened, so that the softmax has something to work with, and its output is put to zero
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask | ~alive)
        return torch.where(alive, out, torch.zeros_like(out)).to(x.dtype)


WHY = {
    "attention_head__1": "float64 inside, one product for the three matrices, outer product of queries and keys, logsumexp, cast back",
    "AttentionHead__1": "nn.Linear without bias, float64 inside, torch's scaled_dot_product_attention with dead rows opened and zeroed",
}
