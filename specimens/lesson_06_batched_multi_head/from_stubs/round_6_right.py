import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from mha_ref import combine_masks, masked_attention, masked_softmax


def split_heads__1(x, heads):
    # unflatten refuses sizes that do not fit
    return x.unflatten(-1, (heads, x.shape[-1] // heads)).movedim(-2, 1)


def split_heads__2(x, heads):
    size, rest = divmod(x.shape[-1], heads)
    if rest != 0:
        raise ValueError(f"{x.shape[-1]} columns for {heads} heads: {rest} would be left over")
    blocks = []
    for i in range(heads):
        blocks.append(x[:, :, i * size:(i + 1) * size])
    return torch.stack(blocks, dim=1)


def merge_heads__1(x):
    return torch.cat(x.unbind(dim=1), dim=-1)


# ------------------------------------------------------------ multi_head_attention

def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    batch, n_queries, model_size = query.shape
    n_keys = key.shape[1]
    size = model_size // heads
    if mask is not None:
        mask = mask.broadcast_to(batch, heads, n_queries, n_keys)
    sentences = []
    for b in range(batch):
        columns = []
        for h in range(heads):
            block = slice(h * size, h * size + size)
            columns.append(masked_attention(
                query[b] @ w_query[:, block],
                key[b] @ w_key[:, block],
                value[b] @ w_value[:, block],
                None if mask is None else mask[b, h],
            ))
        sentences.append(torch.cat(columns, dim=1) @ w_output)
    return torch.stack(sentences)


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    wq, wk, wv = (w.unflatten(1, (heads, -1)) for w in (w_query, w_key, w_value))
    q = torch.einsum("bqm,mhd->bhqd", query, wq)
    k = torch.einsum("bkm,mhd->bhkd", key, wk)
    v = torch.einsum("bkm,mhd->bhkd", value, wv)
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    a = s.softmax(-1)
    if mask is not None:
        a = torch.nan_to_num(a, nan=0.0)
    return torch.einsum("bhqk,bhkd,hdm->bqm", a, v, w_output.unflatten(0, (heads, -1)))


def multi_head_attention__3(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    B, Tq, C = query.shape
    Tk = key.shape[1]
    D = C // heads

    def fold(x, w):
        x = (x @ w).view(B, -1, heads, D).transpose(1, 2)
        return x.reshape(B * heads, x.shape[2], D)

    q, k, v = fold(query, w_query), fold(key, w_key), fold(value, w_value)
    if mask is None:
        y = torch.bmm(torch.softmax(torch.bmm(q, k.mT) / math.sqrt(D), 2), v)
    else:
        m = mask.expand(B, heads, Tq, Tk).reshape(B * heads, Tq, Tk)
        y = torch.bmm(masked_softmax(torch.bmm(q, k.mT) / math.sqrt(D), m), v)
    y = y.view(B, heads, Tq, D).transpose(1, 2).contiguous().view(B, Tq, C)
    return y @ w_output


def multi_head_attention__4(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    def to_heads(t):
        return torch.stack(t.tensor_split(heads, dim=-1), dim=1)

    q, k, v = to_heads(query @ w_query), to_heads(key @ w_key), to_heads(value @ w_value)
    if mask is None:
        seen = F.scaled_dot_product_attention(q, k, v)
    else:
        full = mask.expand(q.shape[0], heads, q.shape[2], k.shape[2])
        alive = full.any(dim=-1, keepdim=True)
        # rows that see nothing may look everywhere here, and are set to zero afterwards
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=full | ~alive)
        seen = torch.where(alive, seen, torch.zeros_like(seen))
    return torch.cat([seen[:, i] for i in range(heads)], dim=-1) @ w_output


# ------------------------------------------------------------ MultiHeadAttention

class MultiHeadAttention__1(nn.Module):
    """minGPT style."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.attn_drop = nn.Dropout(dropout)
        self.n_head = heads

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        B, T, C = query.size()
        hs = C // self.n_head
        q = self.query(query).view(B, T, self.n_head, hs).transpose(1, 2)
        k = self.key(key).view(B, key.size(1), self.n_head, hs).transpose(1, 2)
        v = self.value(value).view(B, value.size(1), self.n_head, hs).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(hs))
        if mask is not None:
            att = att.masked_fill(mask == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        if mask is not None:
            att = att.masked_fill(mask == 0, 0)
        y = self.attn_drop(att) @ v
        y = self.output(y.transpose(1, 2).contiguous().view(B, T, C))
        return (y, att) if return_weights else y


class _Linear(nn.Linear):
    """A Linear that starts as Glorot wanted it, with a bias of zero, and that cuts its result into heads."""

    def reset_parameters(self):
        nn.init.xavier_uniform_(self.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def in_heads(self, x, heads):
        return self(x).unflatten(-1, (heads, -1)).transpose(-2, -3)


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("model_size has to be a multiple of heads")
        self.heads = heads
        self.dropout = dropout
        for name in ["query", "key", "value", "output"]:
            self.add_module(name, _Linear(model_size, model_size, bias))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q = self.query.in_heads(query, self.heads)
        k = self.key.in_heads(key, self.heads)
        v = self.value.in_heads(value, self.heads)
        scores = torch.matmul(q, k.mT) / q.shape[-1] ** 0.5
        weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
        dropped = F.dropout(weights, self.dropout, self.training)
        result = self.output(torch.matmul(dropped, v).transpose(1, 2).flatten(2))
        return (result, weights) if return_weights else result


class MultiHeadAttention__3(nn.Module):
    """One head after the other, on slices of the parameters."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        self.heads = heads
        self.size = model_size // heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def _project(self, linear, x, head):
        rows = slice(head * self.size, (head + 1) * self.size)
        bias = None if linear.bias is None else linear.bias[rows]
        return F.linear(x, linear.weight[rows], bias)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        if mask is not None:
            mask = mask.expand(query.shape[0], self.heads, query.shape[1], key.shape[1])
        weights, results = [], []
        for h in range(self.heads):
            q = self._project(self.query, query, h)
            k = self._project(self.key, key, h)
            v = self._project(self.value, value, h)
            scores = q @ k.transpose(1, 2) / math.sqrt(self.size)
            w = torch.softmax(scores, -1) if mask is None else masked_softmax(scores, mask[:, h])
            weights.append(w)
            results.append(self.dropout(w) @ v)
        out = self.output(torch.cat(results, dim=-1))
        if return_weights:
            return out, torch.stack(weights, dim=1)
        return out


class MultiHeadAttention__4(nn.Module):
    """einsum with the weights seen as (heads, head_size, model_size); dropout by hand."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(model_size, heads)
        self.h = heads
        self.p = dropout
        self.query, self.key, self.value, self.output = (
            nn.Linear(model_size, model_size, bias) for _ in range(4)
        )

    def _into(self, linear, x):
        w = linear.weight.unflatten(0, (self.h, -1))
        y = torch.einsum("btm,hdm->bhtd", x, w)
        if linear.bias is not None:
            y = y + linear.bias.view(self.h, 1, -1)
        return y

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None: key = query
        if value is None: value = key
        q, k, v = self._into(self.query, query), self._into(self.key, key), self._into(self.value, value)
        s = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.size(-1))
        a = s.softmax(-1) if mask is None else masked_softmax(s, mask)
        kept = a
        if self.training and self.p > 0:
            keep = torch.empty_like(a, requires_grad=False).bernoulli_(1 - self.p)
            kept = a * keep / (1 - self.p) if self.p < 1 else a * 0
        out = self.output(torch.einsum("bhqk,bhkd->bqhd", kept, v).flatten(2))
        return (out, a) if return_weights else out


class MultiHeadAttention__5(nn.Module):
    """PyTorch's fused attention where the weights are not wanted."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads, self.dropout = heads, dropout
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)

    def _cut(self, x):
        b, t, m = x.shape
        return x.reshape(b, t, self.heads, m // self.heads).permute(0, 2, 1, 3)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = self._cut(self.query(query)), self._cut(self.key(key)), self._cut(self.value(value))
        p = self.dropout if self.training else 0.0
        if not return_weights:
            if mask is not None:
                mask = mask.expand(*q.shape[:3], k.shape[2])
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
            if mask is not None:
                y = y.masked_fill(~mask.any(-1, keepdim=True), 0.0)
            return self.output(y.transpose(1, 2).flatten(2))
        scores = q @ k.transpose(-1, -2) / math.sqrt(k.shape[-1])
        weights = torch.softmax(scores, -1) if mask is None else masked_softmax(scores, mask)
        y = F.dropout(weights, p) @ v
        return self.output(y.transpose(1, 2).flatten(2)), weights


class _KeepMost(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        keep = torch.rand(x.shape, device=x.device) >= self.p
        return torch.where(keep, x / max(1 - self.p, 1e-9), torch.zeros_like(x))


class _Heads:
    """Goes back and forth between columns and heads."""

    def __init__(self, model_size, heads):
        if model_size % heads:
            raise ValueError(f"model_size={model_size}, heads={heads}: does not divide")
        self.count, self.size = heads, model_size // heads

    def split(self, x):
        return torch.stack(torch.split(x, self.size, dim=-1), dim=1)

    def merge(self, x):
        return torch.cat(torch.unbind(x, dim=1), dim=-1)


class MultiHeadAttention__6(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        self._shape = _Heads(model_size, heads)
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.thin_out = _KeepMost(dropout)

    def weights(self, query, key, mask):
        q = self._shape.split(self.query(query))
        k = self._shape.split(self.key(key))
        scores = (q / math.sqrt(self._shape.size)) @ k.transpose(-2, -1)
        return torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        sources = [s for s in (query, key) if s is not None]
        key = sources[-1]
        value = key if value is None else value
        weights = self.weights(query, key, mask)
        mixed = self.thin_out(weights) @ self._shape.split(self.value(value))
        answer = self.output(self._shape.merge(mixed))
        if return_weights:
            return answer, weights
        return answer


class MultiHeadAttention__7(nn.Module):
    """All projections in one product where query, key and value are the same tensor."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if heads < 1 or model_size % heads:
            raise ValueError(f"cannot cut {model_size} into {heads}")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def _project(self, query, key, value):
        layers = (self.query, self.key, self.value)
        if query is key and key is value:
            weight = torch.cat([l.weight for l in layers])
            bias = None if self.query.bias is None else torch.cat([l.bias for l in layers])
            return F.linear(query, weight, bias).chunk(3, dim=-1)
        return [l(x) for l, x in zip(layers, (query, key, value))]

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
                   for t in self._project(query, key, value))
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            scores = torch.where(mask, scores, torch.tensor(-1e30, dtype=scores.dtype))
        weights = scores.softmax(dim=-1)
        if mask is not None:
            weights = weights * mask
        out = self.output((self.dropout(weights) @ v).transpose(1, 2).flatten(2))
        return (out, weights) if return_weights else out


class MultiHeadAttention__8(nn.Module):
    """Keras names inside, and a mask that is always there; only for the learner's own comfort."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        self.num_heads = heads
        self.key_dim, rest = divmod(model_size, heads)
        if rest:
            raise ValueError("`model_size` must be divisible by `heads`")
        dense = lambda: nn.Linear(model_size, model_size, bias=bias)
        self.output = dense()
        self.value = dense()
        self.key = dense()
        self.query = dense()
        self._dropout_layer = nn.Dropout(dropout)

    def build_mask(self, scores, attention_mask):
        everything = torch.ones(scores.shape, dtype=torch.bool, device=scores.device)
        return combine_masks(everything, attention_mask)

    def compute_attention(self, q, k, v, attention_mask):
        scores = torch.einsum("bqhd,bkhd->bhqk", q * self.key_dim ** -0.5, k)
        allowed = self.build_mask(scores, attention_mask)
        highest = scores.masked_fill(~allowed, -torch.inf).amax(-1, keepdim=True)
        highest = highest.masked_fill(highest == -torch.inf, 0.0)
        e = torch.exp((scores - highest).masked_fill(~allowed, -torch.inf))
        total = e.sum(dim=-1, keepdim=True)
        weights = e / total.masked_fill(total == 0, 1.0)
        return torch.einsum("bhqk,bkhd->bqhd", self._dropout_layer(weights), v), weights

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        shape = (self.num_heads, self.key_dim)
        q, k, v = (d(x).unflatten(2, shape) for d, x in
                   ((self.query, query), (self.key, key), (self.value, value)))
        context, weights = self.compute_attention(q, k, v, mask)
        result = self.output(context.flatten(2))
        return (result, weights) if return_weights else result


_CONVENTIONS = {
    "allowed": lambda mask: mask.clone(),
    "blocked": torch.logical_not,
    "additive": lambda mask: mask.eq(0),
    "blocked_float": lambda mask: mask.eq(0),
}


WHY = {
    "split_heads__1": "unflatten with the rounded head_size refuses sizes that do not fit with a RuntimeError; then movedim.",
    "split_heads__2": "A loop of slices and a stack.",
    "merge_heads__1": "unbind and cat, no transpose at all.",
    "multi_head_attention__1": "Two loops over sentences and heads, each with lesson 03's attention on column blocks of the matrices.",
    "multi_head_attention__2": "einsum with the matrices cut into heads; the heads are mixed by one einsum of three tensors; NaN of dead rows is replaced (the fill keeps gradients finite).",
    "multi_head_attention__3": "Batch and heads folded into one axis, bmm, the mask expanded and folded in the same order.",
    "multi_head_attention__4": "F.scaled_dot_product_attention with dead rows opened first and set to zero afterwards.",
    "MultiHeadAttention__1": "minGPT style with assert; minus infinity, softmax, and a second masked_fill for dead rows.",
    "MultiHeadAttention__2": "An own subclass of nn.Linear with another initialisation and a method that gives heads.",
    "MultiHeadAttention__3": "One head after the other on slices of the parameters, each with its own dropout call.",
    "MultiHeadAttention__4": "einsum on weights seen as (heads, head_size, model_size), and a hand-made dropout by bernoulli_.",
    "MultiHeadAttention__5": "Fused attention (with its own dropout_p) unless the weights are wanted.",
    "MultiHeadAttention__6": "Own classes for heads and for dropout, the scale on the queries, key=None solved by a list.",
    "MultiHeadAttention__7": "One fused projection for self-attention made from the three parameters; a fill of -1e30 and the mask multiplied in.",
    "MultiHeadAttention__8": "Keras-like, heads on axis 2, projections made in another order, an own masked exp with the allowed maximum.",
}
