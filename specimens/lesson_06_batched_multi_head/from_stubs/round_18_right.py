"""Right answers to lesson 06 (round 18)."""

import torch

from mha_ref import masked_softmax, softmax


def split_heads__1(x, heads):
    if x.shape[-1] % heads != 0:
        raise ValueError("heads must divide model_size")
    return torch.stack(torch.chunk(x, heads, dim=2), dim=1)


def merge_heads__1(x):
    return torch.cat(x.unbind(dim=1), dim=-1)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    size = w_query.shape[0]
    cut = (size, heads, size // heads)
    q = torch.einsum("bqm,mhd->bhqd", query, w_query.reshape(cut))
    k = torch.einsum("bkm,mhd->bhkd", key, w_key.reshape(cut))
    v = torch.einsum("bkm,mhd->bhkd", value, w_value.reshape(cut))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * (size // heads) ** -0.5
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    return torch.einsum("bhqk,bhkd,hdm->bqm", weights, v, w_output.reshape(heads, size // heads, size))


WHY = {
    "split_heads__1": 'Right: the columns are cut by chunk and the pieces stacked.',
    "merge_heads__1": 'Right: the heads are taken apart and joined along the columns.',
    "multi_head_attention__1": 'Right: the weights are cut into heads instead of the projected tokens, and einsum does the rest.',
}
