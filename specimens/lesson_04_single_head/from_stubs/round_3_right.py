import io
import math
import os
import random
import torch
from torch import nn
from mha_ref import attention_scores, attention_weights, log_softmax, masked_attention, padding_mask


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    # all three at once, in float64, through log weights
    sizes = [w_query.shape[1], w_key.shape[1], w_value.shape[1]]
    joined = torch.cat([w_query, w_key, w_value], dim=1).double()
    q, k, v = torch.split(x.double() @ joined, sizes, dim=-1)
    logits = torch.einsum("...if,...jf->...ij", q, k) / math.sqrt(sizes[0])
    if mask is None:
        mask = torch.ones((), dtype=torch.bool)
    mask = mask.expand(logits.shape)
    alive = mask.any(dim=-1, keepdim=True)
    # dead rows look at everything for a moment, and are put to zero afterwards
    logits = torch.where(mask | ~alive, logits, torch.full_like(logits, -math.inf))
    weights = (logits - torch.logsumexp(logits, dim=-1, keepdim=True)).exp()
    return torch.where(alive, weights @ v, torch.zeros_like(v[..., :1, :])).to(x.dtype)


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        bound = 1.0 / math.sqrt(model_size)

        def matrix():
            return nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))

        self.query, self.key, self.value = matrix(), matrix(), matrix()

    def _one(self, x, allowed):
        """A single sequence: x (tokens, model), allowed (tokens, tokens)."""
        q, k, v = x @ self.query, x @ self.key, x @ self.value
        rows = []
        for i in range(x.shape[0]):
            chosen = allowed[i].nonzero().squeeze(-1)
            if chosen.numel() == 0:
                rows.append((q[i] + k[i] + v[i]) * 0)
                continue
            s = (k[chosen] * q[i]).sum(-1) / math.sqrt(q.shape[-1])
            rows.append(torch.softmax(s, dim=0) @ v[chosen])
        return torch.stack(rows)

    def forward(self, x, mask=None):
        tokens = x.shape[-2]
        shape = x.shape[:-1] + (tokens,)
        if mask is None:
            mask = torch.tensor(True)
        flat_mask = mask.expand(shape).reshape(-1, tokens, tokens)
        flat_x = x.reshape(-1, tokens, x.shape[-1])
        done = [self._one(a, m) for a, m in zip(flat_x, flat_mask)]
        return torch.stack(done).reshape(x.shape[:-1] + (self.value.shape[1],))


WHY = {
    "attention_head__1": "one joined projection, float64 inside, logsumexp, dead rows put to zero by where",
    "AttentionHead__1": "nn.Parameter matrices, flattens the leading axes and goes token by token over the allowed keys",
}
