"""Right answers in the idiom of well-known public implementations, written anew from understanding.

Each keeps the shapes of its model's code; what our contract asks besides (a row of zeros where nothing may be looked
at, queries that stand at the last keys, heads that divide) is added in a line.
"""

import torch


def _zeros_for_nan(weights):
    return torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)


def multi_head_by_loop__as_in_llms_from_scratch(x, w_query, w_key, w_value, w_output, mask=None):
    """A wrapper that stacks single heads."""

    def head(W_q, W_k, W_v):
        scores = (x @ W_q) @ (x @ W_k).transpose(-2, -1) / W_k.shape[-1] ** 0.5
        weights = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
        return _zeros_for_nan(torch.softmax(weights, dim=-1)) @ (x @ W_v)

    context = torch.cat([head(*matrices) for matrices in zip(w_query, w_key, w_value)], dim=-1)
    return context @ w_output
