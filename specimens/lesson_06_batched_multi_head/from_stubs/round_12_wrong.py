"""Wrong answers to lesson 06 (round 12)."""

import torch


def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    return x.reshape(batch, tokens, heads * head_size)


def merge_heads__2(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=1)


def merge_heads__3(x):
    b, h, t, s = x.size()
    return torch.einsum("bhts->btsh", x).reshape(b, t, -1)


TRUTH = {
    "merge_heads__1": "no transpose: a reshape puts several tokens of head 0 into one row",
    "merge_heads__2": "along the tokens, not along the columns: (batch, heads · tokens, head_size)",
    "merge_heads__3": "interleaved: column 0 of every head first",
}
