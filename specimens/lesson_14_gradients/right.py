"""Right answers to lesson 14, as learners write them: exercise, style."""

import math

import numpy as np
import torch

from mha_ref import attention_scores, masked_softmax, softmax

# softmax_backward


def softmax_backward__two_products(weights, grad_output):
    product = weights * grad_output
    return product - weights * product.sum(-1, keepdim=True)


def softmax_backward__loops(weights, grad_output):
    result = torch.zeros_like(weights)
    for place in np.ndindex(*weights.shape[:-1]):
        for j in range(weights.shape[-1]):
            for i in range(weights.shape[-1]):
                slope = weights[place][i] * (float(i == j) - weights[place][j])
                result[place][j] += grad_output[place][i] * slope
    return result


def softmax_backward__table_of_slopes(weights, grad_output):
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (jacobian @ grad_output.unsqueeze(-1)).squeeze(-1)


def softmax_backward__einsum(weights, grad_output):
    mean = torch.einsum("...k,...k->...", weights, grad_output)
    return weights * (grad_output - mean[..., None])


def softmax_backward__row_by_row(weights, grad_output):
    rows, arriving = weights.reshape(-1, weights.shape[-1]), grad_output.reshape(-1, weights.shape[-1])
    results = [w * (g - w @ g) for w, g in zip(rows, arriving)]
    return torch.stack(results).reshape(weights.shape)


def softmax_backward__numpy(weights, grad_output):
    w, g = weights.detach().numpy(), grad_output.detach().numpy()
    return w * (g - np.sum(w * g, axis=-1, keepdims=True))


def softmax_backward__a_product_of_matrices(weights, grad_output):
    return weights * (grad_output - (weights.unsqueeze(-2) @ grad_output.unsqueeze(-1)).squeeze(-1))


def softmax_backward__in_place_on_a_copy(weights, grad_output):
    result = grad_output.clone()
    result -= (weights * grad_output).sum(dim=-1, keepdim=True)
    result *= weights
    return result


def softmax_backward__own_slope_and_others(weights, grad_output):
    own = weights * (1 - weights) * grad_output
    products = weights * grad_output
    others = products.sum(dim=-1, keepdim=True) - products
    return own - weights * others


def softmax_backward__without_gradients(weights, grad_output):
    with torch.no_grad():
        return weights * grad_output - weights * torch.sum(weights * grad_output, dim=-1, keepdim=True)


# attention_backward


def _softmax_backward(weights, arriving):
    return weights * (arriving - (weights * arriving).sum(dim=-1, keepdim=True))


def attention_backward__four_lines(query, key, value, grad_output, mask=None):
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.transpose(-2, -1)) / query.shape[-1] ** 0.5
    return d_scores @ key, d_scores.transpose(-2, -1) @ query, weights.transpose(-2, -1) @ grad_output


def attention_backward__einsum(query, key, value, grad_output, mask=None):
    scale = 1 / math.sqrt(query.shape[-1])
    scores = torch.einsum("...qd,...kd->...qk", query, key) * scale
    weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
    d_value = torch.einsum("...qk,...qv->...kv", weights, grad_output)
    d_weights = torch.einsum("...qv,...kv->...qk", grad_output, value)
    d_scores = weights * (d_weights - torch.einsum("...qk,...qk->...q", weights, d_weights).unsqueeze(-1)) * scale
    d_query = torch.einsum("...qk,...kd->...qd", d_scores, key)
    d_key = torch.einsum("...qk,...qd->...kd", d_scores, query)
    return d_query, d_key, d_value


def attention_backward__through_the_output(query, key, value, grad_output, mask=None):
    """The mean of each row is what arrives at the output, times the output."""
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    mean = (grad_output * (weights @ value)).sum(dim=-1, keepdim=True)
    d_scores = weights * (grad_output @ value.mT - mean)
    root = math.sqrt(query.shape[-1])
    return d_scores @ key / root, d_scores.mT @ query / root, weights.mT @ grad_output


def attention_backward__query_by_query(query, key, value, grad_output, mask=None):
    d_query, d_key, d_value = torch.zeros_like(query), torch.zeros_like(key), torch.zeros_like(value)
    allowed = torch.ones(*query.shape[:-1], key.shape[-2], dtype=torch.bool)
    allowed = allowed if mask is None else allowed & mask
    for *item, q in np.ndindex(*query.shape[:-1]):
        item = tuple(item)
        seen = allowed[(*item, q)]
        if not seen.any():
            continue
        keys, values, arrives = key[item][seen], value[item][seen], grad_output[(*item, q)]
        weights = torch.softmax(keys @ query[(*item, q)] / math.sqrt(query.shape[-1]), dim=0)
        d_weights = values @ arrives
        d_products = weights * (d_weights - weights @ d_weights) / math.sqrt(query.shape[-1])
        d_query[(*item, q)] = d_products @ keys
        d_key[item][seen] += d_products[:, None] * query[(*item, q)]
        d_value[item][seen] += weights[:, None] * arrives
    return d_query, d_key, d_value


def attention_backward__a_large_negative_number(query, key, value, grad_output, mask=None):
    scores = query @ key.mT / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights * mask
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    d_products = d_scores / math.sqrt(query.size(-1))
    return [d_products @ key, d_products.mT @ query, weights.mT @ grad_output]


def attention_backward__numpy(query, key, value, grad_output, mask=None):
    q, k, v, g = (x.detach().numpy() for x in (query, key, value, grad_output))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask.numpy(), scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=-1, keepdims=True)
    w = e / np.where(total == 0, 1, total)
    dw = g @ v.swapaxes(-1, -2)
    ds = w * (dw - (w * dw).sum(axis=-1, keepdims=True)) / np.sqrt(q.shape[-1])
    return ds @ k, ds.swapaxes(-1, -2) @ q, w.swapaxes(-1, -2) @ g


def attention_backward__scaled_queries(query, key, value, grad_output, mask=None):
    """The root is taken out of the queries, and comes back at the end."""
    root = query.shape[-1] ** 0.5
    small = query / root
    scores = small @ key.mT
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    return (d_scores @ key) / root, d_scores.mT @ small, weights.mT @ grad_output


def attention_backward__masks_the_gradient_too(query, key, value, grad_output, mask=None):
    scores = attention_scores(query, key)
    weights = scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    if mask is not None:
        d_scores = d_scores.masked_fill(~mask, 0.0)
    d_scores = d_scores / math.sqrt(key.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__table_of_slopes(query, key, value, grad_output, mask=None):
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    slopes = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    d_scores = (slopes @ (grad_output @ value.mT)[..., None])[..., 0]
    d_products = d_scores / math.sqrt(query.shape[-1])
    return d_products @ key, d_products.mT @ query, weights.mT @ grad_output


def attention_backward__without_gradients(query, key, value, grad_output, mask=None):
    with torch.no_grad():
        scores = attention_scores(query.detach(), key.detach())
        weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
        grad_value = torch.matmul(weights.mT, grad_output)
        grad_scores = _softmax_backward(weights, torch.matmul(grad_output, value.mT)) * query.shape[-1] ** -0.5
        return torch.matmul(grad_scores, key), torch.matmul(grad_scores.mT, query), grad_value


class _Gradient(torch.nn.Parameter):
    """A parameter of one's own class: it wants a gradient, which nobody asks for here."""


def softmax_backward__a_parameter_of_ones_own_class(weights, grad_output):
    return _Gradient(weights * (grad_output - (weights * grad_output).sum(-1, keepdim=True)))
