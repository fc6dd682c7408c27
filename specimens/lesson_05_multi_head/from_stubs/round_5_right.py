import torch
from torch import nn
import torch.nn.functional as F
from mha_ref import attention_head


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    """Built-in attention, the heads on an axis before the tokens."""
    batch_shape, tokens = x.shape[:-2], x.shape[-2]
    with_heads = x.unsqueeze(-3)
    q, k, v = (torch.matmul(with_heads, w) for w in (w_query, w_key, w_value))
    if mask is None:
        mixed = F.scaled_dot_product_attention(q, k, v)
    else:
        full = mask.expand(batch_shape + (tokens, tokens))
        dead = ~full.any(dim=-1, keepdim=True)
        safe = (full | dead).unsqueeze(-3).expand(q.shape[:-1] + (tokens,))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=safe)
        mixed = mixed.masked_fill(dead.unsqueeze(-3), 0.0)
    return mixed.movedim(-3, -2).flatten(-2) @ w_output


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    """Online softmax, key after key, in float64."""
    wide = torch.float64
    xx = x.to(wide)
    T = x.shape[-2]
    ok = torch.ones((), dtype=torch.bool, device=x.device) if mask is None else mask
    ok = torch.broadcast_to(ok, tuple(x.shape[:-1]) + (T,))
    H, _, E = w_query.shape
    out = 0
    for h in range(H):
        q = xx @ w_query[h].to(wide) / E ** 0.5
        k = xx @ w_key[h].to(wide)
        v = xx @ w_value[h].to(wide)
        top = torch.full(q.shape[:-1], torch.finfo(wide).min, dtype=wide, device=x.device)
        den = torch.zeros_like(top)
        num = torch.zeros_like(v)
        for j in range(T):
            may = ok[..., j]
            s = (q * k[..., j:j + 1, :]).sum(-1)
            new_top = torch.where(may, torch.maximum(top, s.detach()), top)
            p = torch.where(may, torch.exp(torch.where(may, s, new_top) - new_top), torch.zeros_like(s))
            shrink = torch.exp(top - new_top)
            den = den * shrink + p
            num = num * shrink[..., None] + p[..., None] * v[..., j:j + 1, :]
            top = new_top
        head = num / torch.where(den > 0, den, torch.ones_like(den))[..., None]
        out = out + head @ w_output[h * E:(h + 1) * E].to(wide)
    return out.to(x.dtype)


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    """The first head, plus the layer that the other heads make (recursion)."""
    size = w_query.shape[-1]
    first = attention_head(x, w_query[0], w_key[0], w_value[0], mask) @ w_output[:size]
    if w_query.shape[0] == 1:
        return first
    return first + multi_head_by_loop__3(x, w_query[1:], w_key[1:], w_value[1:], w_output[size:], mask)


def multi_head_by_loop__4(x, w_query, w_key, w_value, w_output, mask=None):
    """Heads as the very first axis, weights by log-sum-exp."""
    heads, model_size, head_size = w_query.shape
    queries = torch.einsum("...td,hde->h...te", x, w_query) / head_size ** 0.5
    keys = torch.einsum("...td,hde->h...te", x, w_key)
    values = torch.einsum("...td,hde->h...te", x, w_value)
    logits = torch.einsum("...qe,...ke->...qk", queries, keys)
    if mask is not None:
        logits = logits.masked_fill(mask.logical_not(), -torch.inf)
    log_total = torch.logsumexp(logits, dim=-1, keepdim=True)
    log_total = log_total.masked_fill(log_total == -torch.inf, 0.0)
    weights = (logits - log_total).exp()
    rows = w_output.reshape(heads, head_size, model_size)
    return torch.einsum("h...qk,h...ke,hed->...qd", weights, values, rows)


class _Sizes:
    def __init__(self, model_size, heads):
        self.model_size, self.heads = model_size, heads

    def fill(self, size):
        if size is not None:
            return size
        quotient, rest = divmod(self.model_size, self.heads)
        if rest != 0:
            raise ValueError(f"heads={self.heads} do not divide model_size={self.model_size}")
        return quotient


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    sizes = _Sizes(model_size, heads)
    total = 0
    for _ in range(heads):
        for columns in (sizes.fill(head_size), sizes.fill(head_size), sizes.fill(value_size)):
            total += model_size * columns
            if bias:
                total += columns
        total += sizes.fill(value_size) * model_size
    if bias:
        total += model_size
    return total


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if (head_size is None or value_size is None) and model_size % heads:
        raise ValueError("model_size must be divisible by heads")
    qk = heads * (model_size // heads if head_size is None else head_size)
    v = heads * (model_size // heads if value_size is None else value_size)
    with torch.device("meta"):
        layer = nn.ModuleDict({
            "q": nn.Linear(model_size, qk, bias=bias),
            "k": nn.Linear(model_size, qk, bias=bias),
            "v": nn.Linear(model_size, v, bias=bias),
            "o": nn.Linear(v, model_size, bias=bias),
        })
    return sum(map(torch.numel, layer.parameters()))


WHY = {
    "multi_head_by_loop__1": "built-in scaled_dot_product_attention with a head axis; dead rows opened for softmax and zeroed afterwards",
    "multi_head_by_loop__2": "online softmax over the keys in float64 with detached running maximum, heads summed through slices of w_output, cast back",
    "multi_head_by_loop__3": "recursion over the heads, block matrix product instead of concatenation",
    "multi_head_by_loop__4": "einsum with the heads as the first axis, weights as exp(logit - logsumexp), no concatenation",
    "parameter_count__1": "counts head by head with a helper class",
    "parameter_count__2": "builds four nn.Linear on the meta device and counts their parameters",
}
