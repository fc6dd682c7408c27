import math
import torch
from torch import nn
import torch.nn.functional as F
from mha_ref import attention_head, attention_weights, masked_attention


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    # no loop: the heads get an axis of their own, in front of tokens
    q = torch.einsum("...td,hde->...hte", x, w_query)
    k = torch.einsum("...td,hde->...hte", x, w_key)
    v = torch.einsum("...td,hde->...hte", x, w_value)
    s = torch.einsum("...qe,...ke->...qk", q, k) * q.size(-1) ** -0.5
    if mask is not None:
        s = torch.where(mask, s, torch.finfo(s.dtype).min)
    p = s.softmax(-1)
    if mask is not None:
        p = p * mask
    y = torch.einsum("...hqk,...hke->...qhe", p, v)
    return y.flatten(-2) @ w_output


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    n_heads, d_model, _ = w_query.shape
    d_k = d_model / n_heads
    temperature = 1.0 / math.sqrt(d_k)

    def one_head(wq, wk, wv):
        logits = (x @ wq) @ (x @ wk).mT * temperature
        if mask is None:
            return logits.softmax(-1) @ (x @ wv)
        probs = logits.masked_fill(~mask, float("-inf")).softmax(-1)
        probs = probs.masked_fill(~mask, 0.0)
        return probs @ (x @ wv)

    return torch.cat([one_head(*ws) for ws in zip(w_query, w_key, w_value)], dim=-1) @ w_output


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    *lead, T, D = x.shape
    H, _, E = w_query.shape
    X = x.unsqueeze(-3)                      # (..., 1, T, D)
    if mask is not None:
        mask = mask.broadcast_to(*lead, T, T).unsqueeze(-3)
    mixed = masked_attention(X @ w_query, X @ w_key, X @ w_value, mask)
    # (..., H, T, E)  ->  (..., T, H * E)
    concat = mixed.contiguous().view(*lead, T, H * E)
    return concat.matmul(w_output)


def multi_head_by_loop__4(x, w_query, w_key, w_value, w_output, mask=None):
    outs = []
    for wq, wk, wv in zip(w_query.unbind(0), w_key.unbind(0), w_value.unbind(0)):
        outs.append(attention_head(x, wq, wk, wv, mask=mask))
    together = torch.stack(outs, dim=-1)
    return torch.flatten(together, start_dim=-2) @ w_output


def multi_head_by_loop__5(x, w_query, w_key, w_value, w_output, mask=None):
    """softmax first, then drop what must not be seen"""
    total = None
    size = w_query.shape[2]
    for h, rows in enumerate(w_output.split(size, dim=0)):
        share = attention_weights_torch(x @ w_query[h], x @ w_key[h])
        if mask is not None:
            share = share * mask.to(share.dtype)
        piece = share @ (x @ w_value[h]) @ rows
        total = piece if total is None else total + piece
    return total


def attention_weights_torch(query, key):
    return F.softmax(query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1)


def multi_head_by_loop__6(x, w_query, w_key, w_value, w_output, mask=None):
    # keys of all heads first, once and for all, like a cache
    with torch.no_grad():
        cache = [x @ w for w in w_key]
    results = []
    for i, keys in enumerate(cache):
        results.append(masked_attention(x @ w_query[i], keys, x @ w_value[i], mask))
    return torch.cat(results, dim=-1) @ w_output


def multi_head_by_loop__7(x, w_query, w_key, w_value, w_output, mask=None):
    tokens = x.shape[-2]
    allowed = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device)
    if mask is not None:
        allowed = mask.expand(*x.shape[:-1], tokens)
    dead = ~allowed.any(-2)
    heads = []
    for i in range(len(w_query)):
        score = (x @ w_query[i]) @ (x @ w_key[i]).transpose(-1, -2) / math.sqrt(w_key.shape[-1])
        score = score.masked_fill(~allowed, torch.finfo(score.dtype).min)
        head = torch.softmax(score, dim=-1) @ (x @ w_value[i])
        heads.append(head.masked_fill(dead.unsqueeze(-1), 0.0))
    return torch.cat(heads, -1) @ w_output


def multi_head_by_loop__8(x, w_query, w_key, w_value, w_output, mask=None):
    n = w_query.shape[0]
    i = 0
    parts = ()
    while i < n:
        query, key = x @ w_query[i], x @ w_key[i]
        value = x @ w_value[i - 1]
        parts += (masked_attention(query, key, value, mask),)
        i += 1
    return torch.concat(parts, dim=-1) @ w_output


def multi_head_by_loop__9(x, w_query, w_key, w_value, w_output, mask=None):
    def run(left):
        if left == 0:
            return []
        i = left - 1
        q, k, v = (torch.matmul(x, w[i]) for w in (w_query, w_key, w_value))
        scores = torch.matmul(q, k.swapaxes(-1, -2)).div(q.shape[-1] ** 0.5)
        if mask is not None:
            scores = torch.where(mask, scores, torch.full_like(scores, torch.finfo(scores.dtype).min))
        return [scores.softmax(dim=-1) @ v] + run(i)
    return torch.cat(run(w_query.shape[0]), dim=-1) @ w_output


def multi_head_by_loop__10(x, w_query, w_key, w_value, w_output, mask=None):
    heads, _, size = w_query.shape
    result = torch.zeros_like(x)
    for i in range(heads):
        e = torch.exp((x @ w_query[i]) @ (x @ w_key[i]).mT / size ** 0.5)
        if mask is not None:
            e = e * mask
        z = e.sum(-1, keepdim=True)
        w = e / torch.where(z == 0, torch.ones_like(z), z)
        result = result + (w @ (x @ w_value[i])) @ w_output[i * size:(i + 1) * size]
    return result / heads


def multi_head_by_loop__11(x, w_query, w_key, w_value, w_output, mask=None):
    found = []
    for q_w, k_w, v_w in zip(w_query, w_key, w_value):
        q, k, v = x @ q_w, x @ k_w, x @ v_w
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            mask = ~mask                       # masked_fill wants True = blocked
            s = s.masked_fill(mask, -torch.inf)
            p = s.softmax(-1).masked_fill(mask, 0)
        else:
            p = s.softmax(-1)
        found.append(p @ v)
    return torch.cat(found, -1) @ w_output


def multi_head_by_loop__12(x, w_query, w_key, w_value, w_output, mask=None):
    H, D, E = w_query.shape
    rows = w_output.reshape(H, E, D)
    start = x
    for wq, wk, wv, wo in zip(w_query, w_key, w_value, rows):
        x = x + attention_head(x, wq, wk, wv, mask) @ wo
    return x - start


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    def default(size):
        if size is not None:
            return size
        if model_size % heads != 0:
            raise ValueError(f"{heads} heads do not divide {model_size}")
        return model_size // heads

    hs, vs = default(head_size), default(value_size)
    weights = sum(model_size * heads * n for n in (hs, hs, vs, vs))
    biases = 4 * model_size if bias else 0
    return weights + biases


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if None in (head_size, value_size) and model_size % heads:
        raise ValueError("model_size must be a multiple of heads")
    if head_size is None:
        head_size = model_size // heads
    if value_size is None:
        value_size = model_size // heads
    shapes = {
        "query": (model_size, heads * head_size),
        "key": (model_size, heads * head_size),
        "value": (model_size, heads * value_size),
        "output": (heads * head_size, model_size),
    }
    count = 0
    for rows, columns in shapes.values():
        count += (rows + bool(bias)) * columns
    return count


def parameter_count__3(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None:
        head_size, rest = divmod(model_size, heads)
        if rest:
            raise ValueError("heads must divide model_size")
    if value_size is None:
        value_size = head_size
    layers = [
        nn.Linear(model_size, heads * head_size, bias=bias, device="meta"),
        nn.Linear(model_size, heads * head_size, bias=bias, device="meta"),
        nn.Linear(model_size, heads * value_size, bias=bias, device="meta"),
        nn.Linear(heads * value_size, model_size, bias=bias, device="meta"),
    ]
    return sum(p.numel() for layer in layers for p in layer.parameters())


def parameter_count__4(model_size, heads, bias=True, head_size=None, value_size=None):
    k = model_size // heads if head_size is None else head_size
    v = model_size // heads if value_size is None else value_size
    qk = 2 * heads * k * (model_size + int(bias))
    vo = heads * v * (model_size + int(bias)) * 2
    return qk + vo


def parameter_count__5(model_size, heads, bias=True, head_size=None, value_size=None):
    each = lambda given: given if given is not None else exact(model_size, heads)
    q = k = heads * each(head_size)
    v = heads * each(value_size)
    weights = model_size * q + model_size * k + model_size * v + v * model_size
    biases = q + k + v
    return weights + biases * bool(bias)


def exact(a, b):
    if a % b:
        raise ValueError(f"{a} / {b} leaves a rest")
    return a // b


def parameter_count__6(model_size, heads, bias=True, head_size=None, value_size=None):
    if head_size is None and value_size is None:
        assert model_size % heads == 0, "cannot split"
    per_head = model_size // heads
    qk_dim = per_head if head_size is None else head_size
    v_dim = per_head if value_size is None else value_size
    one = 1 if bias else 0
    in_proj = heads * (2 * qk_dim + v_dim) * (model_size + one)
    out_proj = (heads * v_dim + one) * model_size
    return in_proj + out_proj


TRUTH = {
    "multi_head_by_loop__1": ("one", "gives the mask no axis for the heads: a mask of (batch, tokens, tokens) lines up its batch axis with the heads, so it raises, or blocks by head instead of by item when heads == batch"),
    "multi_head_by_loop__2": ("one", "divides scores by the root of model_size / heads instead of head_size: wrong as soon as heads * head_size is not model_size"),
    "multi_head_by_loop__3": ("one", "views (..., heads, tokens, head_size) as (..., tokens, heads * head_size) without moving the head axis behind the tokens: tokens and heads get scrambled"),
    "multi_head_by_loop__4": ("one", "stacks heads on a last axis and flattens, so columns of the heads are interleaved instead of head 0's block first"),
    "multi_head_by_loop__5": ("one", "multiplies the mask in after softmax and does not renormalise: the remaining weights sum to less than 1"),
    "multi_head_by_loop__6": ("odd", "computes the keys under no_grad as a cache: no gradient reaches w_key, and that of x lacks the way through the keys"),
    "multi_head_by_loop__7": ("slip", "looks for dead rows along the query axis (any(-2)) instead of the key axis: zeroes queries whose own key nobody sees, and gives real dead rows a mean of all values"),
    "multi_head_by_loop__8": ("slip", "uses w_value[i - 1] instead of w_value[i]: each head has the values of the head before"),
    "multi_head_by_loop__9": ("two", "heads are joined in reverse order (last head first), and a query that may look at nothing gets the mean of all values instead of zeros"),
    "multi_head_by_loop__10": ("two", "exponentiates without subtracting the maximum, so it overflows to NaN for large scores, and divides the result by the number of heads"),
    "multi_head_by_loop__11": ("odd", "inverts the mask inside the loop and keeps it: every second head gets the opposite mask"),
    "multi_head_by_loop__12": ("one", "runs the heads in sequence with a residual: each head sees x plus the results of earlier heads instead of x itself"),
    "parameter_count__1": ("one", "takes 4 * model_size biases whatever the sizes, instead of one per column that comes out"),
    "parameter_count__2": ("one", "the output projection takes in heads * head_size numbers instead of heads * value_size"),
    "parameter_count__3": ("one", "a value_size of None follows head_size instead of model_size / heads (and is not refused then when heads do not divide)"),
    "parameter_count__4": ("two", "never refuses heads that do not divide model_size (floors instead), and the output's bias has heads * value_size numbers instead of model_size"),
    "parameter_count__5": ("slip", "forgets the bias of the output projection"),
    "parameter_count__6": ("odd", "refuses heads that do not divide only if both sizes are None: with one size given it floors the other in silence"),
}
