"""Right answers to lesson 14 (round 9)."""
import math
import numpy as np
import torch


def softmax_backward__1(weights, grad_output):
    # The Jacobian is symmetric, so its product with g is the slope of softmax in direction g: an imaginary step.
    step = 1e-60
    w, g = weights.detach().double(), grad_output.detach().double()
    moved = torch.complex(w, w * (g * step))
    total = moved.sum(-1, keepdim=True)
    blind = w.sum(-1, keepdim=True) == 0
    total = torch.where(blind, torch.ones_like(total), total)
    # imaginary part of moved / total, written out
    slope = (moved.imag * total.real - moved.real * total.imag) / total.real.square()
    return (slope / step).to(weights.dtype)


def softmax_backward__2(weights, grad_output):
    w = weights.detach().cpu().double().numpy()
    g = grad_output.detach().cpu().double().numpy()
    result = np.zeros(w.shape)
    for place in np.ndindex(w.shape[:-1]):
        row = w[place]
        jacobian = np.diag(row) - np.outer(row, row)
        result[place] = jacobian @ g[place]
    return torch.from_numpy(result).to(weights)


def attention_backward__1(query, key, value, grad_output, mask=None):
    class Sums:
        """Gradients, gathered key by key, from attention's output and log-sum-exp alone."""

        def __init__(self):
            self.scale = 1 / math.sqrt(query.shape[-1])
            self.q, self.k, self.v, self.g = (x.detach().double() for x in (query, key, value, grad_output))
            self.grad_q = torch.zeros_like(self.q)
            self.grad_k = torch.zeros_like(self.k)
            self.grad_v = torch.zeros_like(self.v)
            shape = self.q.shape[:-1] + (self.k.shape[-2],)
            self.look = torch.ones(shape, dtype=torch.bool) if mask is None else torch.broadcast_to(mask, shape)

        def scores(self, j):
            column = (self.q * self.k[..., j, None, :]).sum(-1) * self.scale
            return column.masked_fill(~self.look[..., j], -math.inf)

        def run(self):
            top = torch.full(self.q.shape[:-1], -math.inf, dtype=torch.float64)
            keys = range(self.k.shape[-2])
            for j in keys:
                top = torch.maximum(top, self.scores(j))
            top = top.masked_fill(top == -math.inf, 0.0)
            total = torch.zeros_like(top)
            output = torch.zeros_like(self.g)
            for j in keys:
                power = (self.scores(j) - top).exp()
                total += power
                output += power[..., None] * self.v[..., j, None, :]
            total[total == 0] = 1.0
            delta = (self.g * output).sum(-1) / total
            for j in keys:
                weight = (self.scores(j) - top).exp() / total
                self.grad_v[..., j, :] = (weight[..., None] * self.g).sum(-2)
                slope = weight * ((self.g * self.v[..., j, None, :]).sum(-1) - delta) * self.scale
                self.grad_q += slope[..., None] * self.k[..., j, None, :]
                self.grad_k[..., j, :] = (slope[..., None] * self.q).sum(-2)
            return self.grad_q.to(query.dtype), self.grad_k.to(key.dtype), self.grad_v.to(value.dtype)

    return Sums().run()


def attention_backward__2(query, key, value, grad_output, mask=None):
    front, (queries, features) = query.shape[:-2], query.shape[-2:]
    keys = key.shape[-2]
    if mask is None:
        mask = torch.tensor(True)
    mask = mask.expand(*front, queries, keys).reshape(-1, queries, keys)
    q, k, v, g = (x.detach().reshape(-1, *x.shape[-2:]) for x in (query, key, value, grad_output))
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for b in range(mask.shape[0]):
        for i in range(queries):
            seen = mask[b, i].nonzero().flatten()
            if len(seen) == 0:
                continue
            some_k, some_v = k[b, seen], v[b, seen]
            w = torch.mv(some_k, q[b, i]).div(features**0.5).softmax(0)
            gw = torch.mv(some_v, g[b, i])
            gs = (torch.diag(w) - torch.outer(w, w)).mv(gw) / features**0.5
            dq[b, i] = gs @ some_k
            dk[b].index_add_(0, seen, torch.outer(gs, q[b, i]))
            dv[b].index_add_(0, seen, torch.outer(w, g[b, i]))
    return [dq.reshape(query.shape), dk.reshape(key.shape), dv.reshape(value.shape)]


WHY = {
    "softmax_backward__1": "The slope of softmax in the direction of the gradient, by a step along the imaginary axis in double precision: exact to rounding, no weighted mean is written.",
    "softmax_backward__2": "Numpy, row by row, with the whole Jacobian diag(w) - w w^T; the result goes back to the dtype of the weights.",
    "attention_backward__1": "Key by key, never a matrix of weights: the scores are computed three times, and the weighted mean comes from output and grad_output; a helper class, double precision inside.",
    "attention_backward__2": "Loops over batch and queries; only the allowed keys are picked out, and their gradients are added back with index_add_; the three results are a list.",
}
