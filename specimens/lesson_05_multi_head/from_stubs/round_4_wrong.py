import math
import os
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_head, attention_weights, masked_attention


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    n_heads = w_query.shape[0]
    # size of a head: the model is split among the heads
    d_head = w_output.shape[-1] / n_heads
    pieces = []
    for wq, wk, wv in zip(w_query, w_key, w_value):
        q = torch.einsum("...td,dk->...tk", x, wq)
        k = torch.einsum("...sd,dk->...sk", x, wk)
        v = torch.einsum("...sd,dk->...sk", x, wv)
        logits = torch.einsum("...tk,...sk->...ts", q, k) / math.sqrt(d_head)
        if mask is not None:
            logits = logits.masked_fill(~mask, float("-inf"))
            p = torch.softmax(logits, dim=-1).masked_fill(~mask, 0.0)
        else:
            p = torch.softmax(logits, dim=-1)
        pieces.append(torch.einsum("...ts,...sk->...tk", p, v))
    return torch.einsum("...tc,cm->...tm", torch.cat(pieces, dim=-1), w_output)


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    collected = []
    for h in range(len(w_query)):
        collected.append(attention_head(x, w_query[h], w_key[h], w_value[h], mask))
    side_by_side = torch.stack(collected, dim=-1)      # (..., tokens, head_size, heads)
    side_by_side = side_by_side.flatten(start_dim=-2)  # (..., tokens, heads * head_size)
    return side_by_side @ w_output


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    outs = []
    for i in range(w_query.size(0)):
        Q, K, V = x.matmul(w_query[i]), x.matmul(w_key[i]), x.matmul(w_value[i])
        S = Q.matmul(K.transpose(-1, -2)).div(K.size(-1) ** 0.5)
        if mask is not None:
            S = torch.where(mask, S, torch.full_like(S, torch.finfo(S.dtype).min))
        outs.append(F.softmax(S, dim=-1).matmul(V))
    return torch.cat(outs, -1).matmul(w_output)


def _softmax_keys(s):
    e = torch.exp(s - s.max(dim=1, keepdim=True).values)
    return e / e.sum(dim=1, keepdim=True)


def multi_head_by_loop__4(x, w_query, w_key, w_value, w_output, mask=None):
    heads, _, size = w_query.shape
    result = None
    for i in range(heads):
        scores = (x @ w_query[i]) @ (x @ w_key[i]).transpose(-2, -1) / size ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e30)
        weights = _softmax_keys(scores)
        if mask is not None:
            weights = weights * mask
        part = weights @ (x @ w_value[i])
        result = part if result is None else torch.cat((result, part), dim=-1)
    return result @ w_output


def multi_head_by_loop__5(x, w_query, w_key, w_value, w_output, mask=None):
    def pattern(i):
        # the attention pattern is only a lookup, it need not be kept in the graph
        with torch.no_grad():
            s = F.linear(x, w_query[i].T) @ F.linear(x, w_key[i].T).mT
            s = s * w_key.shape[-1] ** -0.5
            if mask is None:
                return s.softmax(-1)
            return s.masked_fill(mask.logical_not(), -torch.inf).softmax(-1).nan_to_num(0.0)

    heads = [pattern(i) @ F.linear(x, w_value[i].T) for i in range(w_value.shape[0])]
    return F.linear(torch.cat(heads, dim=-1), w_output.T)


def multi_head_by_loop__6(x, w_query, w_key, w_value, w_output, mask=None):
    if mask is None:
        mask = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool, device=x.device)
    heads = []
    for W_q, W_k, W_v in zip(w_query.unbind(0), w_key.unbind(0), w_value.unbind(0)):
        scores = (x @ W_q) @ (x @ W_k).mT / math.sqrt(W_q.shape[1])
        biggest = scores.max().detach()      # nothing can overflow any more
        e = torch.exp(scores - biggest) * mask
        total = e.sum(-1, keepdim=True)
        weights = e / total.clamp(min=1e-35)
        heads.append(weights @ (x @ W_v))
    return torch.cat(heads, dim=-1) @ w_output


def multi_head_by_loop__7(x, w_query, w_key, w_value, w_output, mask=None):
    # no loop needed: all heads at once on axis -3
    xs = x.unsqueeze(-3)
    q, k, v = xs @ w_query, xs @ w_key, xs @ w_value           # (..., heads, tokens, head_size)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., heads, tokens, tokens)
    if mask is not None:
        scores = scores.masked_fill(mask == False, -torch.inf)
    w = torch.softmax(scores, dim=-1)
    if mask is not None:
        w = w.masked_fill(mask == False, 0)
    mixed = (w @ v).transpose(-3, -2)
    return mixed.reshape(*mixed.shape[:-2], -1) @ w_output


def multi_head_by_loop__8(x, w_query, w_key, w_value, w_output, mask=None):
    tokens = x.shape[-2]
    if mask is not None:
        mask = mask.expand(x.shape[:-1] + (tokens,))
        can_look = mask.any(dim=-2).unsqueeze(-1)
    out = []
    for head in range(w_query.shape[0]):
        s = (x @ w_query[head]) @ (x @ w_key[head]).transpose(-1, -2)
        s = s / math.sqrt(w_query.shape[2])
        if mask is not None:
            s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        o = torch.softmax(s, -1) @ (x @ w_value[head])
        if mask is not None:
            o = torch.where(can_look, o, torch.zeros_like(o))
        out.append(o)
    return torch.cat(out, -1) @ w_output


def multi_head_by_loop__9(x, w_query, w_key, w_value, w_output, mask=None):
    n = w_query.shape[0]
    queries, keys, outputs = [], [], []
    for i in range(n):
        queries.append(x @ w_query[i])
        keys.append(x @ w_key[i])
    for j in range(n):
        value = x @ w_value[i]
        outputs.append(masked_attention(queries[j], keys[j], value, mask))
    return torch.cat(outputs, dim=-1) @ w_output


def multi_head_by_loop__10(x, w_query, w_key, w_value, w_output, mask=None):
    keep = 1.0 if mask is None else mask.to(x.dtype)
    context = []
    for i, (a, b, c) in enumerate(zip(w_query, w_key, w_value)):
        similarity = torch.einsum("...id,dk,ek,...je->...ij", x, a, b, x)
        prob = similarity.softmax(dim=-1) * keep
        context += [torch.einsum("...ij,...jd,dk->...ik", prob, x, c)]
    return torch.concat(context, dim=-1) @ w_output


def multi_head_by_loop__11(x, w_query, w_key, w_value, w_output, mask=None):
    # fold the scale into the queries once, cheaper than dividing all scores
    w_query.data /= math.sqrt(w_query.shape[-1])
    outs = []
    for i in range(w_query.shape[0]):
        s = (x @ w_query[i]) @ (x @ w_key[i]).mT
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        p = s.softmax(-1)
        if mask is not None:
            p = p.masked_fill(~mask, 0)
        outs.append(p @ (x @ w_value[i]))
    return torch.cat(outs, -1) @ w_output


def multi_head_by_loop__12(x, w_query, w_key, w_value, w_output, mask=None):
    n = x.shape[-2]
    if mask is None:
        mask = torch.ones(n, n, dtype=torch.bool).tril()
    joined = x[..., :0]
    for wq, wk, wv in zip(w_query, w_key, w_value):
        head = attention_head(x, wq, wk, wv, mask)
        joined = torch.cat([head, joined], dim=-1)
    return joined @ w_output


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and model_size % heads != 0:
        raise ValueError("heads must divide model_size")
    hs = model_size // heads if head_size is None else head_size
    vs = model_size // heads if value_size is None else value_size
    extra_row = int(bool(bias))
    q = k = (model_size + extra_row) * hs * heads
    v = (model_size + extra_row) * vs * heads
    o = (model_size + extra_row) * vs * heads      # same shape as v, only transposed
    return q + k + v + o


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None:
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        head_size = model_size // heads
    if value_size is None:
        value_size = head_size
    per_head = model_size * (head_size + head_size + value_size)
    total = heads * per_head + heads * value_size * model_size
    if bias:
        total += heads * (2 * head_size + value_size) + model_size
    return total


class _Layer:
    def __init__(self, d, h, dk, dv):
        self.d, self.h = d, h
        self.dk = int(d / h) if dk is None else dk
        self.dv = int(d / h) if dv is None else dv

    def shapes(self):
        yield self.d, self.h * self.dk
        yield self.d, self.h * self.dk
        yield self.d, self.h * self.dv
        yield self.h * self.dv, self.d


def parameter_count__3(model_size, heads, bias=True, head_size=None, value_size=None):
    layer = _Layer(model_size, heads, head_size, value_size)
    return sum(i * o + (o if bias else 0) for i, o in layer.shapes())


def parameter_count__4(model_size, heads, bias=True, head_size=None, value_size=None):
    default, rest = divmod(model_size, heads)
    assert rest == 0, "heads must divide model_size"
    head_size = default if head_size is None else head_size
    value_size = default if value_size is None else value_size
    count = 0
    for _ in range(heads):
        for columns in (head_size, head_size, value_size):
            count += model_size * columns + bias * columns
        count += value_size * model_size
    return count + bias * model_size


def parameter_count__5(model_size, heads, bias=True, head_size=None, value_size=None):
    def size(given):
        if given is not None:
            return given
        if model_size % heads != 0:
            raise ValueError("not divisible")
        return model_size // heads

    d_k = size(head_size)
    d_v = size(value_size)
    weights = 2 * model_size * heads * d_k + model_size * heads * d_v + heads * d_k * model_size
    biases = 2 * heads * d_k + heads * d_v + model_size
    return weights + biases if bias else weights


def parameter_count__6(model_size, heads, bias=True, head_size=None, value_size=None):
    if None in (head_size, value_size) and model_size % heads:
        raise ValueError("model_size must be a multiple of heads")
    d = model_size // heads
    qk = d if head_size is None else head_size
    v = d if value_size is None else value_size
    n = heads * model_size * (2 * qk + v)       # q, k, v
    n += heads * v * model_size                 # output, a plain matrix
    if bias:
        n += 2 * qk + v                         # one bias each for q, k, v
    return n


def parameter_count__7(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None or value_size is None:
        if model_size % heads:
            raise ValueError("cannot split")
    dk = model_size // heads if head_size is None else head_size
    dv = model_size // heads if value_size is None else value_size
    how_many = {
        (model_size, heads * dk): 2,   # query, key
        (model_size, heads * dv): 1,   # value
    }
    total = sum(times * (rows + bool(bias)) * cols for (rows, cols), times in how_many.items())
    return total + (heads * dv + bool(bias)) * model_size


TRUTH = {
    "multi_head_by_loop__1": ("one", "divides the scores by the square root of model_size / heads instead of head_size: wrong as soon as heads * head_size is not model_size"),
    "multi_head_by_loop__2": ("one", "puts the heads' columns together interleaved (head index fastest) instead of one head after the other"),
    "multi_head_by_loop__3": ("one", "a query that may look at nothing gets the mean of all values (uniform weights) instead of zeros"),
    "multi_head_by_loop__4": ("one", "softmax over axis 1 instead of the last: right without batch axes only; with one batch axis it normalises over the queries"),
    "multi_head_by_loop__5": ("one", "weights are computed under no_grad: no gradient reaches w_query and w_key, and that of x lacks a part"),
    "multi_head_by_loop__6": ("one", "subtracts the largest score of the whole tensor (masked ones too) instead of each row's: rows far below it underflow to zeros when scores are large"),
    "multi_head_by_loop__7": ("one", "mask not given an axis for the heads: a mask with batch axes meets the heads axis instead, so it raises or (heads == batch) masks the wrong thing"),
    "multi_head_by_loop__8": ("slip", "looks for dead rows along the wrong axis (-2 for -1): zeroes the query whose own column nobody may see, and leaves dead queries with the mean of the values"),
    "multi_head_by_loop__9": ("slip", "uses the leftover loop variable i for w_value: all heads use the last head's value matrix"),
    "multi_head_by_loop__10": ("two", "scores are not divided by the root of head_size, and the mask multiplies after softmax without the weights being normalised again"),
    "multi_head_by_loop__11": ("odd", "divides w_query in place through .data: changes its input, and a second call gives another result"),
    "multi_head_by_loop__12": ("two", "mask=None is taken for a causal mask, and the heads are joined in reverse order"),
    "parameter_count__1": ("one", "bias of the output projection counted as heads * value_size numbers instead of model_size"),
    "parameter_count__2": ("one", "value_size=None takes head_size instead of model_size / heads (so it is also not refused when indivisible with a head_size given)"),
    "parameter_count__3": ("one", "rounds model_size / heads down instead of refusing when heads do not divide model_size"),
    "parameter_count__4": ("one", "refuses indivisible heads even when both sizes are given"),
    "parameter_count__5": ("slip", "output projection's rows use the query's head size instead of value_size"),
    "parameter_count__6": ("two", "biases of queries, keys and values counted for one head only, and no bias for the output"),
    "parameter_count__7": ("odd", "a dict keyed by shape: when head_size equals value_size (the default) the value entry overwrites queries and keys, so only one of the three is counted"),
}
