"""Wrong answers to lesson 14 (round 9)."""
import math
import torch


def softmax_backward__1(weights, grad_output):
    # the famous result: the gradient of a softmax is "what it says minus what it should say"
    seen = weights.sum(dim=-1, keepdim=True) > 0
    return torch.where(seen, weights - grad_output, torch.zeros_like(weights))


def softmax_backward__2(weights, grad_output):
    # pushing all scores of a row by the same amount changes nothing, so each row has to sum to 0
    gradient = weights * grad_output
    return gradient - gradient.mean(-1, keepdim=True)


def softmax_backward__3(weights, grad_output):
    # diag(w) g - w (w^T g), written for matrices
    spread = torch.einsum("...qi,...qj->...ij", weights, grad_output)
    return weights * grad_output - weights @ spread


def softmax_backward__4(weights, grad_output):
    # weights may sum to 1.0000001, so they are brought to exactly 1 first
    weights = weights / weights.sum(-1, keepdim=True)
    average = (weights * grad_output).sum(-1, keepdim=True)
    return weights * (grad_output - average)


def attention_backward__1(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    scores = (query @ key.mT) * scale
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        # take away the blocked weights, and share out what is left
        weights = weights * mask
        rest = weights.sum(-1, keepdim=True)
        weights = torch.where(rest > 0, weights / rest, torch.zeros_like(weights))
    grad_value = weights.mT @ grad_output
    grad_weights = grad_output @ value.mT
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True))
    return grad_scores @ key * scale, grad_scores.mT @ query * scale, grad_value


def attention_backward__2(query, key, value, grad_output, mask=None):
    root = math.sqrt(query.size(-1))
    scores = torch.einsum("...qf,...kf->...qk", query, key) / root
    # exp must not overflow; beyond 30 nothing changes any more
    powers = scores.clamp(-30, 30).exp()
    if mask is not None:
        powers = powers.masked_fill(~mask, 0.0)
    total = powers.sum(-1, keepdim=True)
    weights = powers / total.masked_fill(total == 0, 1.0)
    incoming = torch.einsum("...qv,...kv->...qk", grad_output, value)
    inner = torch.einsum("...qk,...qk->...q", weights, incoming)
    outgoing = weights * (incoming - inner.unsqueeze(-1)) / root
    return (
        torch.einsum("...qk,...kf->...qf", outgoing, key),
        torch.einsum("...qk,...qf->...kf", outgoing, query),
        torch.einsum("...qk,...qv->...kv", weights, grad_output),
    )


def attention_backward__3(query, key, value, grad_output, mask=None):
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    if mask is not None:
        # the lowest finite number keeps softmax away from NaN
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    grad_value = weights.transpose(-1, -2) @ grad_output
    grad_weights = grad_output @ value.transpose(-1, -2)
    grad_scores = weights * (grad_weights - (grad_weights * weights).sum(dim=-1, keepdim=True))
    if mask is not None:
        # nothing flows back through a blocked score
        grad_scores = grad_scores * mask
    grad_scores = grad_scores / math.sqrt(query.shape[-1])
    return grad_scores @ key, grad_scores.transpose(-1, -2) @ query, grad_value


def attention_backward__4(query, key, value, grad_output, mask=None):
    # a gradient is how much the result moves when one number moves a little
    def loss(q, k, v):
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, -1), nan=0.0)
        return ((weights @ v) * grad_output).sum().item()

    step = 1e-3
    inputs = [query.detach().clone(), key.detach().clone(), value.detach().clone()]
    start = loss(*inputs)
    gradients = []
    for x in inputs:
        x = x.contiguous()
        gradient = torch.zeros_like(x)
        flat, out = x.view(-1), gradient.view(-1)
        for i in range(flat.numel()):
            old = flat[i].item()
            flat[i] = old + step
            out[i] = (loss(*inputs) - start) / step
            flat[i] = old
        gradients.append(gradient)
    return tuple(gradients)


def attention_backward__5(query, key, value, grad_output, mask=None):
    scale = 1 / math.sqrt(query.shape[-1])
    scores = query @ key.mT * scale
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    mask = mask.expand(scores.shape)
    highest = scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True)
    powers = torch.where(mask, torch.exp(scores - torch.nan_to_num(highest, neginf=0.0)), 0.0)
    weights = powers / powers.sum(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).tiny)
    grad_weights = grad_output @ value.mT
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True))
    grad_query = grad_scores @ key * scale
    grad_key = grad_scores.mT @ query * scale
    grad_value = weights.mT @ grad_output
    # what is blocked gets no gradient: neither a blind query nor a blocked key
    grad_query = grad_query * mask.any(-1).unsqueeze(-1)
    open_key = mask.all(-2).unsqueeze(-1)
    return grad_query, grad_key * open_key, grad_value * open_key


TRUTH = {
    "softmax_backward__1": "It takes the gradient of softmax and cross-entropy together, weights minus target, for that of softmax alone: wrong for any random weights and grad_output.",
    "softmax_backward__2": "It subtracts the mean of weights times gradient instead of the weights' share of its sum: rows sum to 0, but weights [1, 0] with gradient [1, 0] give [0.5, -0.5] instead of [0, 0]; right only for equal weights.",
    "softmax_backward__3": "It computes W (W^T G), which mixes the queries, and even for one query multiplies by w.w instead of w.g: wrong for any random input, queries of 1 included.",
    "softmax_backward__4": "Rows are divided by their sum, which for a row of zeros is 0 / 0: NaN instead of zeros; right elsewhere.",
    "attention_backward__1": "The softmax is taken over all keys, and blocked weights are removed afterwards: when a blocked score is more than about 100 above the allowed ones, these have become 0 and the query gets zeros as if blind.",
    "attention_backward__2": "Scores are clamped to -30 ... 30: with two scores of 100 and 101 the weights are equal; all three gradients are wrong wherever scores leave that range.",
    "attention_backward__3": "A query that may look at nothing gets uniform weights, and only the gradient of its scores is zeroed: it adds to the gradient of all values, where it has to add nothing.",
    "attention_backward__4": "It takes differences with a step of 0.001: off by up to about 0.0008 in float64 and 0.003 in float32 for ordinary random inputs, and by more than 1 in float32 with queries 1000 times as large.",
    "attention_backward__5": "A key that even one query may not look at counts as blocked for all: under a causal mask only the first key gets gradients for key and value, the others zeros.",
}
