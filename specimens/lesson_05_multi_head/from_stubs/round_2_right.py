import math
import torch
from torch import nn
import torch.nn.functional as F
from mha_ref import attention_head, attention_weights, masked_attention


def multi_head_by_loop__1(x, w_query, w_key, w_value, w_output, mask=None):
    number_of_heads, model_size, head_size = w_query.shape
    number_of_tokens = x.shape[-2]
    may_look = torch.ones(number_of_tokens, number_of_tokens, dtype=torch.bool, device=x.device)
    if mask is not None:
        may_look = may_look & mask
    answer = x.new_zeros(*x.shape[:-1], w_output.shape[-1])
    for head in range(number_of_heads):
        query = x @ w_query[head]
        key = x @ w_key[head]
        value = x @ w_value[head]
        # walk over the keys one by one, and keep the running maximum, sum and mix of each query
        lowest = torch.finfo(query.dtype).min
        biggest = torch.full(query.shape[:-1], lowest, dtype=query.dtype, device=x.device)
        total = torch.zeros_like(biggest)
        mix = torch.zeros_like(value)
        for j in range(number_of_tokens):
            score = (query * key[..., j : j + 1, :]).sum(-1) / math.sqrt(head_size)
            seen = may_look[..., :, j].expand(score.shape)
            new_biggest = torch.where(seen, torch.maximum(biggest, score), biggest).detach()
            shrink = torch.exp(biggest - new_biggest)
            term = torch.exp(torch.where(seen, score - new_biggest, torch.zeros_like(score))) * seen
            total = total * shrink + term
            mix = mix * shrink[..., None] + term[..., None] * value[..., j : j + 1, :]
            biggest = new_biggest
        mix = mix / torch.where(total > 0, total, torch.ones_like(total))[..., None]
        rows = w_output[head * head_size : (head + 1) * head_size]
        answer = answer + mix @ rows
    return answer


def multi_head_by_loop__2(x, w_query, w_key, w_value, w_output, mask=None):
    big = lambda t: t.double()
    q = torch.einsum("...td,hde->...hte", big(x), big(w_query))
    k = torch.einsum("...td,hde->...hte", big(x), big(w_key))
    v = torch.einsum("...td,hde->...hte", big(x), big(w_value))
    scores = torch.einsum("...qe,...ke->...qk", q, k) * w_query.size(2) ** -0.5
    if mask is not None:
        m = mask.broadcast_to(*x.shape[:-1], x.shape[-2]).unsqueeze(-3)
        dead = ~m.any(dim=-1, keepdim=True)
        scores = scores.masked_fill(~m & ~dead, -math.inf)
    weights = (scores - torch.logsumexp(scores, dim=-1, keepdim=True)).exp()
    if mask is not None:
        weights = weights.masked_fill(dead, 0)
    w_o = big(w_output).unflatten(0, (w_query.size(0), w_query.size(2)))
    return torch.einsum("...hqk,...hke,hem->...qm", weights, v, w_o).to(x.dtype)


def multi_head_by_loop__3(x, w_query, w_key, w_value, w_output, mask=None):
    if mask is None:
        extended = None
    else:
        # dead rows may look at everything for the moment, and are wiped out at the end
        mask = mask.expand(*x.shape[:-1], x.shape[-2])
        alive = mask.any(dim=-1, keepdim=True)
        extended = mask | ~alive

    def go(i):
        if i == w_query.shape[0]:
            return []
        q, k, v = [x.matmul(w[i]) for w in (w_query, w_key, w_value)]
        z = F.scaled_dot_product_attention(q, k, v, attn_mask=extended)
        if extended is not None:
            z = torch.where(alive, z, torch.zeros_like(z))
        return [z] + go(i + 1)

    return F.linear(torch.cat(go(0), dim=-1), w_output.T)


def parameter_count__1(model_size, heads, bias=True, head_size=None, value_size=None):
    sizes = []
    for size in (head_size, head_size, value_size):
        if size is None:
            size, rest = divmod(model_size, heads)
            if rest != 0:
                raise ValueError(f"{heads} heads do not divide {model_size}")
        sizes.append(size)
    with torch.device("meta"):
        modules = nn.ModuleList()
        for _ in range(heads):
            modules.extend(nn.Linear(model_size, size, bias=bias) for size in sizes)
        modules.append(nn.Linear(heads * sizes[-1], model_size, bias=bias))
    return sum(map(torch.Tensor.numel, modules.parameters()))


def parameter_count__2(model_size, heads, bias=True, head_size=None, value_size=None):
    if None in (head_size, value_size):
        assert model_size % heads == 0, "heads must divide model_size"
    wide_qk = model_size if head_size is None else heads * head_size
    wide_v = model_size if value_size is None else heads * value_size
    return 2 * model_size * (wide_qk + wide_v) + bool(bias) * (2 * wide_qk + wide_v + model_size)


WHY = {
    "multi_head_by_loop__1": "online softmax, key by key, with running maximum; output summed from blocks of rows of w_output",
    "multi_head_by_loop__2": "all heads at once by einsum, float64 inside, logsumexp, w_output unflattened to (heads, head_size, model)",
    "multi_head_by_loop__3": "recursion over heads with torch's fused attention; dead rows opened and wiped after",
    "parameter_count__1": "builds each head's nn.Linear on the meta device and counts the parameters",
    "parameter_count__2": "closed formula in the widths of all heads, assert for the refusal",
}
