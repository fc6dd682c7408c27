"""Wrong answers to lesson 10 (round 9)."""
import torch


def without_head__1(results, w_output, head):
    batch, heads, tokens, head_size = results.shape
    output = torch.zeros(batch, tokens, w_output.shape[1], dtype=results.dtype, device=results.device)
    for i in range(heads):
        if i != head:
            output =+ results[:, i] @ w_output[i * head_size : (i + 1) * head_size]
    return output


def previous_token_score__1(weights):
    previous = weights.diagonal(-1)
    previous = previous.mean(dim=-1)
    return previous.reshape(-1, weights.shape[-3]).mean(dim=0)


def induction_score__1(weights, tokens):
    size = tokens.shape[1]
    place = torch.arange(size, device=tokens.device)
    before = torch.roll(tokens, 1, dims=1)
    key_place = place[None, None, :]
    counts = key_place >= 1 & key_place <= place[None, :, None] & before[:, None, :] == tokens[:, :, None]
    sums = (weights * counts[:, None]).sum(dim=-1)
    has_key = counts.any(dim=-1)
    return (sums * has_key[:, None]).sum(dim=(0, 2)) / has_key.sum()


TRUTH = {
    "without_head__1": "`=+` sets where `+=` would add: the output is that of the last head that is not left out alone, wrong from three heads on; right for one and two heads, where no more than one remains.",
    "previous_token_score__1": "diagonal takes axes 0 and 1 unless told (dim1=-2, dim2=-1 are missing): mostly RuntimeError: shape '[-1, 3]' is invalid for input of size 5, for (2, 2, 3, 5, 5) and (5, 5, 5) wrong numbers, for (1, 5, 5) NaN.",
    "induction_score__1": "& binds more tightly than the comparisons, and the brackets are missing, which makes a chained comparison of tensors: RuntimeError: Boolean value of Tensor with more than one value is ambiguous.",
}
