"""Right answers to lesson 14 (round 10)."""

import math

import torch


def softmax_backward__1(weights, grad_output):
    rows, grads = weights.reshape(-1, weights.shape[-1]).double(), grad_output.reshape(-1, weights.shape[-1]).double()
    result = torch.empty_like(rows)
    for number, (row, grad) in enumerate(zip(rows, grads)):
        jacobian = torch.diag(row).addr(row, row, alpha=-1)  # diag(w) - w w^T, and it is symmetric
        result[number] = torch.mv(jacobian, grad)
    return result.to(weights.dtype).view(weights.shape)


def softmax_backward__2(weights, grad_output):
    # each key trades with every other one: w_i w_j (g_i - g_j), one distance around the circle after the other
    result = torch.zeros_like(weights)
    for step in range(1, weights.shape[-1]):
        other_weights, other_grads = weights.roll(step, -1), grad_output.roll(step, -1)
        result = torch.addcmul(result, weights * other_weights, grad_output - other_grads)
    return result


def attention_backward__1(query, key, value, grad_output, mask=None):
    front, (queries, features), keys = query.shape[:-2], query.shape[-2:], key.shape[-2]
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=query.device)
    allowed = mask.expand(*front, queries, keys).reshape(-1, queries, keys)
    flat = [x.reshape(-1, *x.shape[-2:]).double() for x in (query, key, value, grad_output)]
    grads = [torch.zeros_like(x) for x in flat[:3]]
    for item, (q, k, v, g) in enumerate(zip(*flat)):
        for place in range(queries):
            seen = allowed[item, place].nonzero()[:, 0]  # only the keys that this query sees take part
            if len(seen) == 0:
                continue
            weights = torch.softmax(k[seen] @ q[place] / math.sqrt(features), 0)
            arrives = v[seen] @ g[place]
            grad_scores = weights * (arrives - weights.dot(arrives)) / math.sqrt(features)
            grads[0][item, place] = grad_scores @ k[seen]
            grads[1][item].index_add_(0, seen, torch.outer(grad_scores, q[place]))
            grads[2][item].index_add_(0, seen, torch.outer(weights, g[place]))
    return tuple(grad.to(x.dtype).reshape(x.shape) for grad, x in zip(grads, (query, key, value)))


def attention_backward__2(query, key, value, grad_output, mask=None):
    size = query.size(-1)
    scores = torch.einsum("...qf,...kf->...kq", query, key) / size**0.5  # turned: one column per query
    hidden = torch.zeros_like(scores, dtype=torch.bool) if mask is None else ~torch.atleast_2d(mask).mT
    hidden = hidden.broadcast_to(scores.shape)
    peak = torch.where(hidden, torch.finfo(scores.dtype).min, scores).amax(-2, keepdim=True)
    powers = torch.where(hidden, 0, torch.where(hidden, 0, scores - peak).exp())
    total = powers.sum(-2, keepdim=True)
    weights = powers / total.clamp(min=1)  # the best key alone brings 1
    output = weights.mT @ value
    delta = torch.linalg.vecdot(output, grad_output)[..., None, :]  # as in FlashAttention: from the output, not the weights
    grad_scores = weights * (torch.einsum("...kv,...qv->...kq", value, grad_output) - delta)
    return [
        torch.einsum("...kq,...kf->...qf", grad_scores, key) / size**0.5,
        torch.einsum("...kq,...qf->...kf", grad_scores, query) / size**0.5,
        torch.einsum("...kq,...qv->...kv", weights, grad_output),
    ]


WHY = {
    "softmax_backward__1": "The whole Jacobian diag(w) - w w^T of each row, in double precision, in a loop with addr and mv.",
    "softmax_backward__2": "Sums of pairs w_i w_j (g_i - g_j) by rolling the rows around; equal to the usual formula because a row sums to 1, and zeros for a row of zeros.",
    "attention_backward__1": "One query at a time, only over the keys it sees (nonzero), in double precision, with index_add_ into the gradients; blind queries are skipped.",
    "attention_backward__2": "Scores turned (keys, queries) with einsum, softmax by hand along -2, the inner sum taken from output and grad_output as in FlashAttention; a list is returned.",
}
