"""Right answers to lesson 06, in styles that are not ours."""

import functools
import math

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import masked_softmax


def _cut(x, heads):
    batch, tokens, model_size = x.shape
    assert model_size % heads == 0
    return x.view(batch, tokens, heads, model_size // heads).transpose(1, 2)


def _join(x):
    batch, heads, tokens, size = x.shape
    return x.transpose(1, 2).contiguous().view(batch, tokens, heads * size)


def _weights(query, key, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.nan_to_num(torch.softmax(scores, dim=-1))


# split_heads


def split_heads__view_and_transpose(x, heads):
    b, t, d = x.shape
    if d % heads:
        raise ValueError(f"{d} columns, {heads} heads")
    return x.view(b, t, heads, d // heads).transpose(1, 2)


def split_heads__chunks(x, heads):
    if x.size(-1) % heads != 0:
        raise ValueError("heads do not divide")
    return torch.stack(torch.chunk(x, heads, dim=-1), dim=1)


def split_heads__unflatten(x, heads):
    assert x.shape[-1] % heads == 0, "heads do not divide"
    return x.unflatten(-1, (heads, -1)).movedim(-2, -3)


def split_heads__permute_with_minus_one(x, heads):
    size, rest = divmod(x.shape[2], heads)
    if rest:
        raise ValueError(f"{rest} columns are left over")
    return x.reshape(*x.shape[:2], -1, size).permute(0, 2, 1, 3)


def split_heads__fills_by_loops(x, heads):
    batch, tokens, model_size = x.shape
    if model_size / heads != model_size // heads:
        raise ValueError("no whole number of columns")
    size = model_size // heads
    out = torch.zeros(batch, heads, tokens, size, dtype=x.dtype)
    for b in range(batch):
        for h in range(heads):
            for t in range(tokens):
                out[b, h, t] = x[b, t, h * size : h * size + size]
    return out


def split_heads__lets_torch_refuse(x, heads):
    return torch.einsum("bths->bhts", x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads))


def split_heads__table_of_columns(x, heads):
    if not isinstance(heads, int) or heads < 1:
        raise ValueError("heads must be a positive integer")
    width = x.shape[-1]
    if width % heads != 0:
        raise ValueError(f"{heads} heads do not divide {width} columns")
    columns = torch.arange(width, device=x.device).reshape(heads, width // heads)
    picked = x[:, :, columns]  # (batch, tokens, heads, size)
    return torch.einsum("bthd->bhtd", picked)


def split_heads__cuts_off_one_at_a_time(x, heads):
    size, left_over = divmod(x.shape[-1], heads)
    assert left_over == 0, "heads must divide model_size"

    def cut(rest, how_many):
        if how_many == 1:
            return (rest,)
        return (rest.narrow(-1, 0, size),) + cut(rest.narrow(-1, size, rest.shape[-1] - size), how_many - 1)

    return torch.stack(cut(x, heads), dim=-3)


# merge_heads


def merge_heads__contiguous_view(x):
    b, h, t, s = x.size()
    return x.transpose(1, 2).contiguous().view(b, t, h * s)


def merge_heads__cat_of_unbound(x):
    return torch.cat(x.unbind(dim=1), dim=-1)


def merge_heads__permute_reshape(x):
    return x.permute(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def merge_heads__einsum_flatten(x):
    return torch.einsum("...hts->...ths", x).flatten(-2)


def merge_heads__loop_over_tokens(x):
    rows = [torch.cat([x[:, head, token] for head in range(x.shape[1])], dim=-1) for token in range(x.shape[2])]
    return torch.stack(rows, dim=1)


def merge_heads__double_inside(x):
    return x.double().movedim(1, 2).flatten(2)


def merge_heads__reduce(x):
    return functools.reduce(lambda left, right: torch.cat((left, right), dim=2), x.unbind(1))


def merge_heads__fills_column_by_column(x):
    batch, heads, tokens, size = x.shape
    together = x.new_empty((batch, tokens, heads * size))
    for item in range(batch):
        for head in range(heads):
            for column in range(size):
                together[item, :, head * size + column] = x[item, head, :, column]
    return together


# multi_head_attention


def multi_head_attention__fused_function(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q, k, v = (_cut(x @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
    return _join(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)) @ w_output


def multi_head_attention__loop_over_heads(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    size, rest = divmod(w_query.shape[1], heads)
    assert rest == 0
    if mask is not None:
        mask = mask.broadcast_to(query.shape[0], heads, query.shape[1], key.shape[1])
    out = 0
    for h in range(heads):
        block = slice(h * size, (h + 1) * size)
        q, k, v = query @ w_query[:, block], key @ w_key[:, block], value @ w_value[:, block]
        weights = _weights(q, k, None if mask is None else mask[:, h])
        out = out + weights @ v @ w_output[block]
    return out


def multi_head_attention__einsum_with_heads_in_the_weights(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    d = w_query.shape[0]
    wq, wk, wv = (w.reshape(d, heads, -1) for w in (w_query, w_key, w_value))
    q, k, v = (torch.einsum("btd,dhs->bhts", x, w) for x, w in ((query, wq), (key, wk), (value, wv)))
    mixed = torch.einsum("bhqk,bhks->bqhs", _weights(q, k, mask), v)
    return torch.einsum("bqhs,hsd->bqd", mixed, w_output.reshape(heads, -1, d))


def multi_head_attention__scales_the_query_first(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    head_dim = query.size(-1) // heads
    q = _cut(query @ w_query * head_dim**-0.5, heads)
    scores = torch.matmul(q, _cut(key @ w_key, heads).transpose(-2, -1))
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(-1e30, dtype=scores.dtype))
    attn = scores.softmax(-1)
    if mask is not None:
        attn = attn * mask
    return _join(attn @ _cut(value @ w_value, heads)) @ w_output


def multi_head_attention__item_by_item(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    if mask is not None:
        mask = mask.expand(query.shape[0], heads, query.shape[1], key.shape[1])
    outs = []
    for b in range(query.shape[0]):
        q, k, v = (_cut((x[b : b + 1]) @ w, heads) for x, w in ((query, w_query), (key, w_key), (value, w_value)))
        outs.append(_join(_weights(q, k, None if mask is None else mask[b : b + 1]) @ v) @ w_output)
    return torch.cat(outs)


def multi_head_attention__heads_folded_into_the_batch(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    b, s = query.shape[0], query.shape[2] // heads
    q, k, v = (
        _cut(x @ w, heads).reshape(b * heads, -1, s) for x, w in ((query, w_query), (key, w_key), (value, w_value))
    )
    scores = torch.bmm(q, k.transpose(1, 2)) / s**0.5
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, -torch.inf).expand(b, heads, *scores.shape[1:]).flatten(0, 1)
    mixed = torch.nan_to_num(scores.softmax(2)) @ v
    return _join(mixed.view(b, heads, -1, s)) @ w_output


class _Running:
    """Softmax-weighted mean of values that come in pieces."""

    def __init__(self, like, shape, width):
        self.best = like.new_full((*shape, 1), -math.inf)
        self.total = like.new_zeros((*shape, 1))
        self.mean = like.new_zeros((*shape, width))

    def see(self, scores, allowed, values):
        scores = scores.masked_fill(~allowed, -math.inf)
        best = torch.maximum(self.best, scores.detach().amax(-1, keepdim=True))
        safe = best.masked_fill(best == -math.inf, 0.0)
        shrink = (self.best - safe).exp()
        powers = (scores - safe).exp()
        self.total = self.total * shrink + powers.sum(-1, keepdim=True)
        self.mean = self.mean * shrink + powers @ values
        self.best = best

    def result(self):
        nothing = self.total == 0
        return self.mean / self.total.masked_fill(nothing, 1.0)


def multi_head_attention__keys_in_pieces(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    if query.shape[-1] % heads:
        raise ValueError(f"heads={heads} does not divide model_size={query.shape[-1]}")
    q, k, v = query @ w_query, key @ w_key, value @ w_value
    q, k, v = (t.unflatten(-1, (heads, -1)).movedim(-2, 1) for t in (q, k, v))
    shape = q.shape[:3]
    n_keys = k.shape[2]
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=query.device)
    allowed = mask.expand(*shape, n_keys)
    running = _Running(q, shape, v.shape[-1])
    step = 2
    for start in range(0, n_keys, step):
        block = slice(start, start + step)
        running.see(q @ k[:, :, block].mT / math.sqrt(q.shape[-1]), allowed[..., block], v[:, :, block])
    return running.result().movedim(1, -2).flatten(-2) @ w_output


def multi_head_attention__logarithms_item_by_item(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    batch, n_queries, model_size = query.shape
    n_keys = key.shape[1]
    head_size = model_size // heads
    if head_size * heads != model_size:
        raise ValueError("model_size must be a multiple of heads")
    kind = query.dtype
    query, key, value, w_query, w_key, w_value, w_output = (
        t.double() for t in (query, key, value, w_query, w_key, w_value, w_output)
    )
    if mask is not None:
        mask = torch.broadcast_to(mask, (batch, heads, n_queries, n_keys))
    answers = []
    for b in range(batch):
        answer = torch.zeros(n_queries, model_size, dtype=torch.float64, device=query.device)
        for h in range(heads):
            cols = range(h * head_size, (h + 1) * head_size)
            q = query[b] @ w_query[:, cols]
            k = key[b] @ w_key[:, cols]
            v = value[b] @ w_value[:, cols]
            scores = q @ k.T / head_size**0.5
            if mask is None:
                weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
            else:
                weights = masked_softmax(scores, mask[b, h])
            # W_O row block by row block: the same as cat and one product
            answer = answer + weights @ v @ w_output[cols, :]
        answers.append(answer)
    return torch.stack(answers).to(kind)


# MultiHeadAttention


class MultiHeadAttention__fused_projection(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads, self.size = heads, model_size
        self.in_proj = nn.Linear(model_size, 3 * model_size, bias=bias)
        self.out_proj = nn.Linear(model_size, model_size, bias=bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        d = self.size
        q = self.in_proj(query)[..., :d]
        k = self.in_proj(key)[..., d : 2 * d]
        v = self.in_proj(value)[..., 2 * d :]
        weights = _weights(_cut(q, self.heads), _cut(k, self.heads), mask)
        out = self.out_proj(_join(self.drop(weights) @ _cut(v, self.heads)))
        if return_weights:
            return out, weights
        return out


class MultiHeadAttention__other_names(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError(f"{model_size} / {heads}")
        self.num_heads = heads
        self.q_proj = nn.Linear(model_size, model_size, bias)
        self.k_proj = nn.Linear(model_size, model_size, bias)
        self.v_proj = nn.Linear(model_size, model_size, bias)
        self.out_proj = nn.Linear(model_size, model_size, bias)
        self.p = dropout

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = key if key is not None else query
        value = value if value is not None else key
        q, k, v = self.q_proj(query), self.k_proj(key), self.v_proj(value)
        q, k, v = (_cut(x, self.num_heads) for x in (q, k, v))
        weights = _weights(q, k, mask)
        dropped = F.dropout(weights, self.p, training=self.training)
        out = self.out_proj(_join(dropped @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__fused_function_where_no_weights_are_wanted(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads, self.dropout = heads, dropout
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (_cut(f(x), self.heads) for f, x in ((self.query, query), (self.key, key), (self.value, value)))
        p = self.dropout if self.training else 0.0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        out = self.output(_join(out))
        return (out, _weights(q, k, mask)) if return_weights else out


class MultiHeadAttention__parameters_by_hand(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads = heads
        for name in ("query", "key", "value", "output"):
            setattr(self, f"w_{name}", nn.Parameter(torch.randn(model_size, model_size) / model_size**0.5))
            setattr(self, f"b_{name}", nn.Parameter(torch.zeros(model_size)) if bias else None)
        self.dropout = nn.Dropout(dropout)

    def _project(self, name, x):
        bias = getattr(self, f"b_{name}")
        out = x @ getattr(self, f"w_{name}")
        return out if bias is None else out + bias

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (_cut(self._project(n, x), self.heads) for n, x in (("query", query), ("key", key), ("value", value)))
        weights = _weights(q, k, mask)
        out = self._project("output", _join(self.dropout(weights) @ v))
        return (out, weights) if return_weights else out


class MultiHeadAttention__one_head_after_another(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads do not divide")
        self.heads, self.size = heads, model_size // heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = self.query(query), self.key(key), self.value(value)
        if mask is not None:
            mask = mask.broadcast_to(q.shape[0], self.heads, q.shape[1], k.shape[1])
        maps, found = [], []
        for h in range(self.heads):
            block = slice(h * self.size, (h + 1) * self.size)
            w = _weights(q[..., block], k[..., block], None if mask is None else mask[:, h])
            maps.append(w)
            found.append(self.dropout(w) @ v[..., block])
        out = self.output(torch.cat(found, dim=-1))
        return (out, torch.stack(maps, dim=1)) if return_weights else out


class MultiHeadAttention__dropout_by_hand(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("model_size % heads must be 0")
        self.heads = heads
        self.dropout = dropout
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.query = nn.Linear(model_size, model_size, bias=bias)
        for layer in (self.query, self.key, self.value, self.output):
            nn.init.xavier_uniform_(layer.weight)

    def _keep(self, weights):
        """Dropout by hand."""
        if not self.training or self.dropout == 0:
            return weights
        if self.dropout >= 1:
            return weights * 0
        survives = torch.rand(weights.shape, device=weights.device) >= self.dropout
        return weights * survives / (1 - self.dropout)

    def _one_head(self, q, k, v, mask):
        scores = torch.bmm(q, k.transpose(1, 2)) * q.shape[-1] ** -0.5
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            low = torch.finfo(scores.dtype).min
            weights = torch.softmax(torch.where(mask, scores, low), dim=-1) * mask
        return torch.bmm(self._keep(weights), v), weights

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        q = self.query(query).chunk(self.heads, dim=-1)
        k = self.key(key).chunk(self.heads, dim=-1)
        v = self.value(value).chunk(self.heads, dim=-1)
        if mask is None:
            masks = [None] * self.heads
        else:
            masks = mask.expand(query.shape[0], self.heads, query.shape[1], key.shape[1]).unbind(1)
        pairs = [self._one_head(*parts) for parts in zip(q, k, v, masks)]
        out = self.output(torch.cat([mixed for mixed, _ in pairs], dim=-1))
        if return_weights:
            return out, torch.stack([weights for _, weights in pairs], dim=1)
        return out


class MultiHeadAttention__einsum_with_weights(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        head_size, rest = divmod(model_size, heads)
        if rest:
            raise ValueError("heads must divide model_size")
        self.model_size, self.heads, self.head_size = model_size, heads, head_size
        for name in ("query", "key", "value", "output"):
            self.add_module(name, nn.Linear(model_size, model_size, bias))
        self.attention_dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = key if key is not None else query
        value = value if value is not None else key

        def into_heads(t, layer):
            w = layer.weight.T.reshape(self.model_size, self.heads, self.head_size)
            y = torch.einsum("btm,mhd->bhtd", t, w)
            if layer.bias is not None:
                y = y + layer.bias.reshape(self.heads, 1, self.head_size)
            return y

        q = into_heads(query, self.query) / math.sqrt(self.head_size)
        k = into_heads(key, self.key)
        v = into_heads(value, self.value)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
        weights = F.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
        mixed = torch.einsum("bhqk,bhkd->bqhd", self.attention_dropout(weights), v)
        out = F.linear(mixed.flatten(2), self.output.weight, self.output.bias)
        return (out, weights) if return_weights else out


# results of a class of one's own


class _Heads(torch.Tensor):
    """A tensor that says how many heads it has, and no more."""

    @property
    def heads(self):
        return self.shape[-3]


def split_heads__a_tensor_of_ones_own_class(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(-2, -3).as_subclass(_Heads)
