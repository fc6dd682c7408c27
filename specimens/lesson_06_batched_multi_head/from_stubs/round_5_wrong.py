import math
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, causal_mask, masked_attention, masked_softmax, multi_head_by_loop, padding_mask, parameter_count


def split_heads__1(x, heads):
    # chunk complains by itself if it cannot cut
    pieces = torch.chunk(x, heads, dim=-1)
    return torch.stack(pieces, dim=1)


def split_heads__2(x, heads):
    size, rest = divmod(x.size(-1), heads)
    if rest:
        raise ValueError(f"{heads} heads do not divide {x.size(-1)}")
    # a window of `size` columns that jumps from head to head
    windows = x.unfold(-1, size, heads)
    return windows.movedim(2, 1)


def merge_heads__1(x):
    y = x.swapaxes(1, 2).squeeze()
    return y.flatten(start_dim=-2)


def merge_heads__2(x):
    B, H, T, D = x.shape
    D = x.shape[2]
    out = x.new_zeros((B, T, x.shape[1] * x.shape[3]))
    for h in range(H):
        out[:, :, h * D:(h + 1) * D] = x[:, h]
    return out


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    B, Q, D = query.shape
    K = key.shape[1]

    def cut(t, w):
        return (t @ w).view(B, -1, heads, D // heads).transpose(1, 2)

    if mask is not None:
        if mask.dim() == 3:                # (batch, queries, keys): the same for all heads
            mask = mask.unsqueeze(1)
        mask = mask.expand(B, heads, Q, K)
    out = F.scaled_dot_product_attention(cut(query, w_query), cut(key, w_key), cut(value, w_value), attn_mask=mask)
    if mask is not None:
        out = out.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    return out.transpose(1, 2).reshape(B, Q, D) @ w_output


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    d_model = query.shape[-1]
    d_head = d_model // heads
    batch, n_q, n_k = query.shape[0], query.shape[1], key.shape[1]
    if mask is None:
        mask = torch.ones(1, 1, 1, 1, dtype=torch.bool)
    mask = torch.broadcast_to(mask, (batch, heads, n_q, n_k))
    outputs = []
    for i, (wq, wk, wv) in enumerate(zip(w_query.split(d_head, 1), w_key.split(d_head, 1), w_value.split(d_head, 1))):
        q, k, v = query @ wq, key @ wk, value @ wv
        logits = torch.baddbmm(torch.zeros((), dtype=q.dtype), q, k.mT, beta=0, alpha=d_model ** -0.5)
        logits = torch.where(mask[:, i], logits, torch.full_like(logits, -1e9))
        outputs.append(logits.softmax(-1) @ v)
    return torch.cat(outputs, -1) @ w_output


def multi_head_attention__3(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    # as in the old TensorFlow code: the heads go into the batch axis, (heads * batch, tokens, size)
    d = query.shape[-1] // heads
    q_ = torch.cat(torch.split(query @ w_query, d, dim=2), dim=0)
    k_ = torch.cat(torch.split(key @ w_key, d, dim=2), dim=0)
    v_ = torch.cat(torch.split(value @ w_value, d, dim=2), dim=0)
    scores = torch.bmm(q_, k_.transpose(1, 2)) / d ** 0.5
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        full = mask.expand(query.shape[0], heads, query.shape[1], key.shape[1])
        weights = masked_softmax(scores, full.reshape(-1, query.shape[1], key.shape[1]))
    mixed = torch.bmm(weights, v_)
    mixed = torch.cat(torch.chunk(mixed, heads, dim=0), dim=2)
    return mixed @ w_output


def multi_head_attention__4(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    b, m, D = query.shape
    n = key.shape[1]
    q = torch.einsum("bmd,dhe->bhme", query, w_query.reshape(D, heads, -1))
    k = torch.einsum("bnd,dhe->bhne", key, w_key.reshape(D, heads, -1))
    v = torch.einsum("bnd,dhe->bhne", value, w_value.reshape(D, heads, -1))
    s = torch.einsum("bhme,bhne->bhmn", q, k) / math.sqrt(D // heads)
    e = torch.exp(s - s.amax(dim=-1, keepdim=True))      # safe: nothing above one
    if mask is not None:
        e = e * mask
    p = e / e.sum(-1, keepdim=True).clamp_min(1e-30)
    return torch.einsum("bhmn,bhne,hed->bmd", p, v, w_output.reshape(heads, -1, D))


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads, self.p = heads, dropout
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(model_size, model_size, bias=bias))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:                    # self-attention
            key, value = query, query
        if value is None:
            value = key
        q, k, v = (layer(t).unflatten(-1, (self.heads, -1)).transpose(1, 2)
                   for layer, t in ((self.query, query), (self.key, key), (self.value, value)))
        scores = q @ k.mT * q.shape[-1] ** -0.5
        weights = torch.softmax(scores, -1) if mask is None else masked_softmax(scores, mask)
        out = F.dropout(weights, self.p, self.training) @ v
        out = self.output(out.transpose(1, 2).flatten(2))
        return (out, weights) if return_weights else out


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0, "does not divide"
        self.h = heads
        self.d = model_size // heads
        self.rate = dropout
        self.query = nn.Linear(model_size, model_size, bias)
        self.key = nn.Linear(model_size, model_size, bias)
        self.value = nn.Linear(model_size, model_size, bias)
        self.output = nn.Linear(model_size, model_size, bias)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        Q, K, V = self.query(query), self.key(key), self.value(value)
        if mask is not None:
            mask = mask.expand(Q.shape[0], self.h, Q.shape[1], K.shape[1])
        all_w, all_o = [], []
        for h in range(self.h):
            cols = slice(h * self.d, (h + 1) * self.d)
            s = torch.einsum("bqd,bkd->bqk", Q[..., cols], K[..., cols]) / math.sqrt(self.d)
            a = s.softmax(-1) if mask is None else masked_softmax(s, mask[:, h])
            a = F.dropout(a, p=self.rate)
            all_w.append(a)
            all_o.append(a @ V[..., cols])
        result = self.output(torch.cat(all_o, dim=-1))
        if return_weights:
            return result, torch.stack(all_w, dim=1)
        return result


class MultiHeadAttention__3(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError(f"model_size {model_size} / heads {heads}")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.drop = nn.Dropout2d(dropout)      # the weights end in a (queries, keys) picture

    def _heads(self, t):
        b, n, d = t.shape
        return t.reshape(b, n, self.heads, d // self.heads).permute(0, 2, 1, 3)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = self._heads(self.query(query)), self._heads(self.key(key)), self._heads(self.value(value))
        scores = torch.matmul(q, k.transpose(-2, -1)) / (q.size(-1) ** 0.5)
        weights = scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)
        context = torch.matmul(self.drop(weights), v).permute(0, 2, 1, 3)
        y = self.output(context.reshape(query.shape))
        if not return_weights:
            return y
        return y, weights


class MultiHeadAttention__4(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        self.size, rest = divmod(model_size, heads)
        if rest:
            raise ValueError("no")
        self.heads = heads
        self.query, self.key, self.value, self.output = [nn.Linear(model_size, model_size, bias) for _ in range(4)]
        self.dropout = nn.Dropout(dropout)
        self.last_mask = None

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        memory = query if key is None else key
        content = memory if value is None else value
        shape = (query.shape[0], self.heads, query.shape[1], memory.shape[1])
        # expand once and remember it: training calls with the same mask again and again
        if mask is not None:
            self.last_mask = mask.expand(shape)
        elif self.last_mask is None or self.last_mask.shape != shape:
            self.last_mask = torch.ones(shape, dtype=torch.bool, device=query.device)
        q = self.query(query).view(shape[0], -1, self.heads, self.size)
        k = self.key(memory).view(shape[0], -1, self.heads, self.size)
        v = self.value(content).view(shape[0], -1, self.heads, self.size)
        weights = masked_softmax(torch.einsum("bqhs,bkhs->bhqk", q, k) / self.size ** 0.5, self.last_mask)
        out = torch.einsum("bhqk,bkhs->bqhs", self.dropout(weights), v)
        out = self.output(out.flatten(2))
        return (out, weights) if return_weights else out


TRUTH = {
    "split_heads__1": ("one", "leaves the check to torch.chunk, which does not complain: 6 columns for 4 heads give 3 heads of 2 without an error"),
    "split_heads__2": ("slip", "unfold steps by heads columns instead of by head_size: right only where both are equal"),
    "merge_heads__1": ("one", "squeeze drops all axes of size one: the batch axis is lost for a batch of one, other axes for one token, one head or head_size 1"),
    "merge_heads__2": ("slip", "overwrites the head size by the number of tokens: cuts at the wrong columns unless tokens equals head_size"),
    "multi_head_attention__1": ("one", "takes a mask of three axes for (batch, queries, keys) and puts the head axis in, instead of (heads, queries, keys)"),
    "multi_head_attention__2": ("two", "scales by the square root of model_size instead of head_size; and fills blocked scores with -1e9, so a query that may look at nothing gets the mean of the values instead of zeros"),
    "multi_head_attention__3": ("one", "folds heads into the batch heads first, but flattens the mask batch first: batch items and heads get each other's masks"),
    "multi_head_attention__4": ("one", "subtracts the maximum over all keys, blocked ones too: where a blocked key's score is far above the allowed ones, those underflow and the result is zeros"),
    "MultiHeadAttention__1": ("one", "where key is None, a given value is thrown away and replaced by query"),
    "MultiHeadAttention__2": ("two", "F.dropout is not told of the mode, so it drops in eval mode too; and the returned weights are those after dropout"),
    "MultiHeadAttention__3": ("one", "Dropout2d drops the whole weights of a head at once instead of each weight by a throw of its own"),
    "MultiHeadAttention__4": ("odd", "keeps the last mask: a later call without a mask (of the same shape) uses the mask of the call before"),
}
