import math
import torch
import torch.nn.functional as F
from torch import nn


def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    head_size, left_over = divmod(model_size, heads)
    if left_over != 0:
        raise ValueError(f"heads={heads} does not divide model_size={model_size}")
    column = torch.arange(model_size, device=x.device).view(heads, head_size)
    return x[:, :, column].movedim(2, 1)


def merge_heads__1(x):
    heads = x.shape[1]
    if heads == 1:
        return x.squeeze(1)
    half = heads // 2
    return torch.cat((merge_heads__1(x[:, :half]), merge_heads__1(x[:, half:])), dim=2)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """One key after the other, with a running maximum, in float64."""
    kind = torch.result_type(query, w_output)
    batch, queries, model_size = query.shape
    keys = key.shape[1]
    size = model_size // heads

    def project(x, w):
        y = x.double() @ w.double()
        return torch.stack([y[..., i * size:(i + 1) * size] for i in range(heads)], dim=1)

    q, k, v = project(query, w_query), project(key, w_key), project(value, w_value)
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=query.device)
    mask = mask.expand(batch, heads, queries, keys)
    top = torch.full((batch, heads, queries, 1), -1e300, dtype=torch.float64, device=query.device)
    total = torch.zeros_like(top)
    summed = torch.zeros_like(q)
    for j in range(keys):
        may = mask[..., j:j + 1]
        score = (q * k[:, :, j:j + 1]).sum(-1, keepdim=True) / math.sqrt(size)
        new_top = torch.maximum(top, torch.where(may, score, top)).detach()
        part = torch.where(may, torch.exp(torch.where(may, score - new_top, torch.zeros_like(score))),
                           torch.zeros_like(score))
        shrink = torch.exp(top - new_top)
        total = total * shrink + part
        summed = summed * shrink + part * v[:, :, j:j + 1]
        top = new_top
    context = summed / torch.where(total > 0, total, torch.ones_like(total))
    side_by_side = torch.cat([context[:, i] for i in range(heads)], dim=-1)
    return (side_by_side @ w_output.double()).to(kind)


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """PyTorch's own attention; rows that may look at nothing look at all, and are wiped afterwards."""
    def cut(x):
        return x.unflatten(-1, (heads, x.shape[-1] // heads)).transpose(1, 2)

    q, k, v = cut(query @ w_query), cut(key @ w_key), cut(value @ w_value)
    if mask is None:
        found = F.scaled_dot_product_attention(q, k, v)
    else:
        full = mask.expand(q.shape[0], heads, q.shape[2], k.shape[2])
        alive = full.any(dim=-1, keepdim=True)
        found = F.scaled_dot_product_attention(q, k, v, attn_mask=full | ~alive)
        found = torch.where(alive, found, torch.zeros_like(found))
    return found.transpose(1, 2).flatten(2) @ w_output


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if heads < 1 or model_size // heads * heads != model_size:
            raise ValueError(f"cannot cut {model_size} columns into {heads} equal heads")
        self.number_of_heads = heads
        self.drop_rate = dropout
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.query = nn.Linear(model_size, model_size, bias=bias)

    def fold(self, x):
        """Heads beside the batch items: (batch * heads, tokens, head_size)."""
        batch, tokens, model_size = x.shape
        x = x.reshape(batch, tokens, self.number_of_heads, model_size // self.number_of_heads)
        return x.permute(0, 2, 1, 3).reshape(batch * self.number_of_heads, tokens, -1)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        batch, queries, model_size = query.shape
        keys = key.shape[1]
        heads = self.number_of_heads
        q, k, v = self.fold(self.query(query)), self.fold(self.key(key)), self.fold(self.value(value))
        scores = torch.bmm(q / math.sqrt(model_size // heads), k.transpose(1, 2))
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            allowed = mask.expand(batch, heads, queries, keys).reshape(batch * heads, queries, keys)
            alive = allowed.any(-1, keepdim=True)
            safe = scores.masked_fill(~allowed & alive, -math.inf)
            logs = safe - torch.logsumexp(safe, dim=-1, keepdim=True)
            weights = logs.exp().masked_fill(~alive, 0.0)
        survivors = F.dropout(torch.ones_like(weights), self.drop_rate, self.training)
        context = torch.bmm(weights * survivors, v).view(batch, heads, queries, -1)
        out = self.output(context.permute(0, 2, 1, 3).reshape(batch, queries, model_size))
        return (out, weights.view(batch, heads, queries, keys)) if return_weights else out


WHY = {
    "split_heads__1": "picks columns by an index table, then moves the axis",
    "merge_heads__1": "recursion by halves with cat; one head is a squeeze",
    "multi_head_attention__1": "online softmax, key after key, in float64, cast back",
    "multi_head_attention__2": "scaled_dot_product_attention, dead rows opened and wiped afterwards",
    "MultiHeadAttention__1": "heads folded into the batch axis, bmm, logsumexp, dropout on a tensor of ones, projections made in another order",
}
