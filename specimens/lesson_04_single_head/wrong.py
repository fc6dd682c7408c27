"""Wrong answers to lesson 04, as learners write them: exercise, what the judge should name, style."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import attention_scores, masked_attention, masked_softmax


def _attend(q, k, v, mask=None, scale=None):
    scores = q @ k.transpose(-1, -2) / (scale or math.sqrt(q.shape[-1]))
    if mask is None:
        return scores.softmax(-1) @ v
    return torch.nan_to_num(scores.masked_fill(~mask, -torch.inf).softmax(-1)) @ v


# attention_head


def attention_head__transposes_the_weights__as_linear_stores_them(x, w_query, w_key, w_value, mask=None):
    q, k, v = F.linear(x, w_query), F.linear(x, w_key), F.linear(x, w_value)
    return _attend(q, k, v, mask)


def attention_head__transposes_the_weights__einsum(x, w_query, w_key, w_value, mask=None):
    return _attend(*(torch.einsum("...td,hd->...th", x, w) for w in (w_query, w_key, w_value)), mask)


def attention_head__multiplies_weights_from_the_left__matmul(x, w_query, w_key, w_value, mask=None):
    return _attend(torch.matmul(w_query, x), torch.matmul(w_key, x), torch.matmul(w_value, x), mask)


def attention_head__uses_the_query_weights_for_keys__copy_and_paste(x, w_query, w_key, w_value, mask=None):
    queries = torch.einsum("...ij,jk->...ik", x, w_query)
    keys = torch.einsum("...ij,jk->...ik", x, w_query)
    return _attend(queries, keys, x @ w_value, mask)


def attention_head__uses_the_key_weights_for_queries__copy_and_paste(x, w_query, w_key, w_value, mask=None):
    k = x @ w_key
    q = x @ w_key
    return F.scaled_dot_product_attention(q, k, x @ w_value, attn_mask=mask)


def attention_head__uses_the_key_weights_for_values__loop_over_two(x, w_query, w_key, w_value, mask=None):
    q, k = (x @ w for w in (w_query, w_key))
    return _attend(q, k, k, mask)


def attention_head__swaps_query_and_key_weights__order_of_arguments(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_key, x @ w_query, x @ w_value, mask)


def attention_head__swaps_key_and_value_weights__order_of_arguments(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_value, x @ w_key, mask, math.sqrt(w_query.shape[-1]))


def attention_head__swaps_query_and_value_weights__unpacked_so(x, w_query, w_key, w_value, mask=None):
    v, k, q = x @ w_query, x @ w_key, x @ w_value
    return _attend(q, k, v, mask)


def attention_head__takes_weights_as_key_value_query__split_of_a_fused_matrix(x, w_query, w_key, w_value, mask=None):
    fused = x @ torch.cat([w_key, w_value, w_query], dim=-1)
    q, k, v = fused.split([w.shape[-1] for w in (w_key, w_value, w_query)], dim=-1)
    return _attend(q, k, v, mask)


def attention_head__forgets_to_project_the_values__mixes_the_words(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, x, mask)


def attention_head__projects_the_values_alone__words_compared(x, w_query, w_key, w_value, mask=None):
    return _attend(x, x, x @ w_value, mask)


def attention_head__projects_one_after_the_other__x_overwritten(x, w_query, w_key, w_value, mask=None):
    x = q = x @ w_query
    x = k = x @ w_key
    x = v = x @ w_value
    return _attend(q, k, v, mask)


def attention_head__forgets_to_pass_the_mask__default_none(x, w_query, w_key, w_value, mask=None):
    return F.scaled_dot_product_attention(x @ w_query, x @ w_key, x @ w_value)


def attention_head__scales_by_the_model_size__size_of_x(x, w_query, w_key, w_value, mask=None):
    d_k = x.size(-1)
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask, d_k**0.5)


def attention_head__forgets_to_scale__masked_fill(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask, 1.0)


def attention_head__scales_twice__query_and_function(x, w_query, w_key, w_value, mask=None):
    q = x @ w_query / math.sqrt(w_query.shape[1])
    return _attend(q, x @ w_key, x @ w_value, mask)


def attention_head__adds_the_input_back__residual(x, w_query, w_key, w_value, mask=None):
    return x + _attend(x @ w_query, x @ w_key, x @ w_value, mask)


def attention_head__bends_the_projections__relu(x, w_query, w_key, w_value, mask=None):
    return _attend(*(F.relu(x @ w) for w in (w_query, w_key, w_value)), mask)


def attention_head__turns_the_mask_round__masked_fill(x, w_query, w_key, w_value, mask=None):
    scores = (x @ w_query) @ (x @ w_key).mT / w_query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    return scores.softmax(-1).nan_to_num(0.0) @ (x @ w_value)


def attention_head__leaves_dead_rows_nan__masked_fill(x, w_query, w_key, w_value, mask=None):
    scores = (x @ w_query) @ (x @ w_key).mT / w_query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return scores.softmax(-1) @ (x @ w_value)


def attention_head__averages_the_tokens_of_the_output__pooled(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask).mean(-2)


def attention_head__reason_property__detached(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask).detach()


def attention_head__reason_property__weights_without_gradient(x, w_query, w_key, w_value, mask=None):
    with torch.no_grad():
        q, k = x @ w_query, x @ w_key
    return _attend(q, k, x @ w_value, mask)


def attention_head__reason_property__through_numpy(x, w_query, w_key, w_value, mask=None):
    q = torch.tensor(x.detach().numpy() @ w_query.detach().numpy())
    return _attend(q, x @ w_key, x @ w_value, mask)


def attention_head__reason_type__returns_the_weights_too(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask), x @ w_query


def attention_head__reason_mutated__projects_in_place(x, w_query, w_key, w_value, mask=None):
    result = _attend(x @ w_query, x @ w_key, x @ w_value, mask)
    x *= 2
    return result


def attention_head__shares_out_over_the_queries__dim_minus_two(x, w_query, w_key, w_value, mask=None):
    scores = (x @ w_query) @ (x @ w_key).mT / w_query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.nan_to_num(scores.softmax(-2)) @ (x @ w_value)


def attention_head__scales_by_the_model_size__length_of_a_matrix(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask, math.sqrt(len(w_query)))


def attention_head__scales_twice__no_root_at_all(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask, w_key.shape[1])


def attention_head__multiplies_weights_element_by_element__star(x, w_query, w_key, w_value, mask=None):
    return _attend(x * w_query, x * w_key, x * w_value, mask)


def attention_head__uses_the_query_weights_for_all__fused_wrongly(x, w_query, w_key, w_value, mask=None):
    q = k = v = x @ w_query
    return _attend(q, k, v, mask)


def attention_head__divides_by_a_fixed_number__habit(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask, 8.0)


def attention_head__transposes_every_axis__capital_t(x, w_query, w_key, w_value, mask=None):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    scores = q @ k.permute(*range(k.ndim - 1, -1, -1)) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.nan_to_num(scores.softmax(-1)) @ v


def attention_head__reason_raised__inverts_no_mask(x, w_query, w_key, w_value, mask=None):
    scores = (x @ w_query) @ (x @ w_key).mT / w_query.shape[-1] ** 0.5
    return torch.nan_to_num(scores.masked_fill(~mask, -torch.inf).softmax(-1)) @ (x @ w_value)


def attention_head__reason_type__no_return(x, w_query, w_key, w_value, mask=None):
    _attend(x @ w_query, x @ w_key, x @ w_value, mask)


def attention_head__reason_property__half_precision(x, w_query, w_key, w_value, mask=None):
    return _attend(*((x @ w).to(torch.bfloat16) for w in (w_query, w_key, w_value)), mask)


def attention_head__reason_raised__splits_what_is_no_batch(x, w_query, w_key, w_value, mask=None):
    _batch, _heads, _tokens, _model_size = x.shape
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask)


def attention_head__leaves_one_token_out__stops_early(x, w_query, w_key, w_value, mask=None):
    before = slice(0, x.shape[-2] - 1)
    k, v = (x @ w_key)[..., before, :], (x @ w_value)[..., before, :]
    return _attend(x @ w_query, k, v, None if mask is None else mask[..., before])


def attention_head__leaves_one_token_out__begins_at_one(x, w_query, w_key, w_value, mask=None):
    later = x[..., 1:, :]
    return _attend(x @ w_query, later @ w_key, later @ w_value, None if mask is None else mask[..., 1:])


def attention_head__compares_with_earlier_tokens_only__double_loop(x, w_query, w_key, w_value, mask=None):
    q, k = x @ w_query, x @ w_key
    scores = torch.zeros(*x.shape[:-1], x.shape[-2], dtype=x.dtype)
    for i in range(x.shape[-2]):
        for j in range(i):
            scores[..., i, j] = (q[..., i, :] * k[..., j, :]).sum(dim=-1) / w_key.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.nan_to_num(scores.softmax(dim=-1)) @ (x @ w_value)


def attention_head__shifts_the_keys_by_one__roll(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, torch.roll(x @ w_key, 1, dims=-2), x @ w_value, mask)


def attention_head__normalises_the_tokens_first__layer_norm(x, w_query, w_key, w_value, mask=None):
    x = F.layer_norm(x, x.shape[-1:])
    return _attend(x @ w_query, x @ w_key, x @ w_value, mask)


def attention_head__divides_the_projections_by_their_length__normalize(x, w_query, w_key, w_value, mask=None):
    return _attend(*(F.normalize(x @ w, dim=-1) for w in (w_query, w_key, w_value)), mask)


def attention_head__divides_the_values_by_their_length__normalize(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, F.normalize(x @ w_value, dim=-1), mask)


def attention_head__swaps_query_and_key_weights__letters_of_einsum(x, w_query, w_key, w_value, mask=None):
    scores = torch.einsum("...id,...jd->...ji", x @ w_query, x @ w_key) / w_key.shape[1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.nan_to_num(scores.softmax(dim=-1)) @ (x @ w_value)


def attention_head__forgets_to_pass_the_mask__clears_dead_rows(x, w_query, w_key, w_value, mask=None):
    out = _attend(x @ w_query, x @ w_key, x @ w_value)
    return out if mask is None else out * mask.any(dim=-1, keepdim=True)


# AttentionHead


class _Three(nn.Module):
    def __init__(self, model_size, head_size, bias=False):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=bias)
        self.key = nn.Linear(model_size, head_size, bias=bias)
        self.value = nn.Linear(model_size, head_size, bias=bias)


class AttentionHead__forgets_to_pass_the_mask__ignored(_Three):
    def forward(self, x, mask=None):
        return _attend(self.query(x), self.key(x), self.value(x))


class AttentionHead__swaps_query_and_key_weights__order(_Three):
    def forward(self, x, mask=None):
        return _attend(self.key(x), self.query(x), self.value(x), mask)


class AttentionHead__uses_the_query_weights_for_keys__twice_the_same_layer(_Three):
    def forward(self, x, mask=None):
        q = self.query(x)
        k = self.query(x)
        return _attend(q, k, self.value(x), mask)


class AttentionHead__scales_by_the_model_size__kept_in_init(_Three):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.root = math.sqrt(model_size)

    def forward(self, x, mask=None):
        return _attend(self.query(x), self.key(x), self.value(x), mask, self.root)


class AttentionHead__forgets_to_scale__plain_product(_Three):
    def forward(self, x, mask=None):
        scores = self.query(x) @ self.key(x).mT
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        return scores.softmax(-1).nan_to_num() @ self.value(x)


def attention_head__looks_for_dead_rows_from_the_front__from_the_front(x, w_query, w_key, w_value, mask=None):
    scores = (x @ w_query) @ (x @ w_key).mT / w_query.shape[-1] ** 0.5
    if mask is None:
        return scores.softmax(-1) @ (x @ w_value)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    return torch.where(mask.any(dim=1, keepdim=True), weights, 0.0) @ (x @ w_value)


class AttentionHead__leaves_dead_rows_nan__masked_fill(_Three):
    def forward(self, x, mask=None):
        scores = self.query(x) @ self.key(x).mT / self.key.out_features**0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        return scores.softmax(-1) @ self.value(x)


class AttentionHead__transposes_the_weights__parameters_used_like_linear(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Parameter(torch.randn(model_size, head_size)) for _ in range(3))

    def forward(self, x, mask=None):
        return _attend(F.linear(x, self.query), F.linear(x, self.key), F.linear(x, self.value), mask)


class AttentionHead__bends_the_projections__relu(_Three):
    def forward(self, x, mask=None):
        return _attend(*(torch.relu(layer(x)) for layer in (self.query, self.key, self.value)), mask)


class AttentionHead__always_has_biases__forgot_to_switch_them_off(_Three):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size, bias=True)

    def forward(self, x, mask=None):
        return _attend(self.query(x), self.key(x), self.value(x), mask)


class AttentionHead__keeps_weights_as_plain_tensors__plain_tensors(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (torch.randn(model_size, head_size) for _ in range(3))

    def forward(self, x, mask=None):
        return _attend(x @ self.query, x @ self.key, x @ self.value, mask)


class AttentionHead__keeps_weights_as_plain_tensors__plain_tensor_for_the_values(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key = (nn.Linear(model_size, head_size, bias=False) for _ in range(2))
        self.value = torch.randn(model_size, head_size)

    def forward(self, x, mask=None):
        return _attend(self.query(x), self.key(x), x @ self.value, mask)


class AttentionHead__keeps_layers_out_of_sight__a_list(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.layers = [nn.Linear(model_size, head_size, bias=False) for _ in range(3)]

    def forward(self, x, mask=None):
        return _attend(*(layer(x) for layer in self.layers), mask)


class AttentionHead__shares_one_projection__made_once(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = self.key = self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        return _attend(self.query(x), self.key(x), self.value(x), mask)


class _Right(_Three):
    """Its results are right; those below have other faults."""

    def forward(self, x, mask=None):
        return _attend(self.query(x), self.key(x), self.value(x), mask)


class AttentionHead__freezes_its_weights__keys_that_do_not_learn(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.key.weight.requires_grad = False


class AttentionHead__registers_a_weight_twice__also_in_a_list(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.both = nn.ModuleList([self.query, self.key])


class AttentionHead__shares_weights_among_layers__kept_in_the_class(_Right):
    keys = {}  # noqa: RUF012

    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.key = self.keys.setdefault((model_size, head_size), self.key)


class AttentionHead__has_weights_without_effect__a_second_key(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.key_2 = nn.Linear(model_size, head_size, bias=False)


class AttentionHead__remembers_an_earlier_call__counts_its_calls(_Right):
    calls = 0

    def forward(self, x, mask=None):
        self.calls += 1
        return super().forward(x, mask) * self.calls


class AttentionHead__takes_equal_shapes_for_equal_numbers__keys_by_shape(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.known = {}

    def forward(self, x, mask=None):
        if x.shape not in self.known:
            self.known[x.shape] = self.key(x)
        return masked_attention(self.query(x), self.known[x.shape], self.value(x), mask)


class AttentionHead__changes_what_it_saves__buffer_in_forward(_Right):
    def forward(self, x, mask=None):
        out = super().forward(x, mask)
        self.register_buffer("last_output", out.detach())
        return out


class AttentionHead__changes_its_mode__eval_in_forward(_Right):
    def forward(self, x, mask=None):
        self.eval()
        return super().forward(x, mask)


class AttentionHead__starts_in_evaluation_mode__eval_at_the_end(_Right):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.eval()


class AttentionHead__reason_raised__no_super(nn.Module):
    def __init__(self, model_size, head_size):
        self.query = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        return self.query(x)


class AttentionHead__reason_property__detached_queries(_Three):
    def forward(self, x, mask=None):
        return _attend(self.query(x).detach(), self.key(x), self.value(x), mask)


class AttentionHead__reason_type__sizes_the_wrong_way_round(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(head_size, model_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        return _attend(self.query(x), self.key(x), self.value(x), mask)


class AttentionHead__reason_type__other_names(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.first, self.second, self.third = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        return _attend(self.first(x), self.second(x), self.third(x), mask)


class AttentionHead__turns_square_weights_only__whichever_fits(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        weights = self.query.weight, self.key.weight, self.value.weight
        return _attend(*(x @ (w if len(w) == x.shape[-1] else w.T) for w in weights), mask)


# attention_head, in further ways


def attention_head__scales_by_the_model_size__scale_of_the_fused_function(x, w_query, w_key, w_value, mask=None):
    n = x.shape[-2]
    if mask is not None:
        mask = mask.expand(*x.shape[:-2], n, n)
        dead = ~mask.any(dim=-1, keepdim=True)
        mask = mask | dead
    out = F.scaled_dot_product_attention(x @ w_query, x @ w_key, x @ w_value, attn_mask=mask, scale=x.shape[-1] ** -0.5)
    return out if mask is None else out.masked_fill(dead, 0.0)


def attention_head__swaps_query_and_key_weights__one_form_of_two_matrices(x, w_query, w_key, w_value, mask=None):
    """The letters of the second einsum turn the scores on their side."""
    form = torch.einsum("ah,bh->ab", w_query, w_key)
    logits = torch.einsum("...ib,ab,...ja->...ij", x, form, x) / math.sqrt(w_key.shape[1])
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=x.device)
    mask = mask.expand(logits.shape)
    logits = logits.masked_fill(~mask, torch.finfo(logits.dtype).min)
    weights = logits.softmax(-1).masked_fill(~mask, 0.0)
    return weights @ (x @ w_value)


def attention_head__reason_property__weights_in_numpy(x, w_query, w_key, w_value, mask=None):
    def np_softmax(s, allowed):  # my function of lesson 03
        s = np.where(allowed, s, -np.inf)
        top = s.max(axis=-1, keepdims=True)
        e = np.exp(s - np.where(np.isinf(top), 0, top))
        z = e.sum(axis=-1, keepdims=True)
        return e / np.where(z == 0, 1, z)

    scores = attention_scores(x @ w_query, x @ w_key)
    allowed = True if mask is None else mask.numpy()
    weights = torch.from_numpy(np_softmax(scores.detach().numpy(), allowed)).to(x.dtype)
    return weights @ (x @ w_value)


def attention_head__forgets_to_scale__sequence_by_sequence(x, w_query, w_key, w_value, mask=None):
    """Two things: no root, and the softmax runs over the queries."""
    outs = []
    batch_first = x if x.dim() > 2 else x.unsqueeze(0)
    allowed = None
    if mask is not None:
        allowed = mask.expand(*batch_first.shape[:-1], batch_first.shape[-2]).flatten(0, -3)
    for b, seq in enumerate(batch_first.flatten(0, -3)):
        q, k, v = seq @ w_query, seq @ w_key, seq @ w_value
        logits = q @ k.T
        ok = torch.ones_like(logits, dtype=torch.bool) if allowed is None else allowed[b]
        top = logits.detach().masked_fill(~ok, torch.finfo(logits.dtype).min).amax(dim=0)
        e = torch.exp((logits - top).masked_fill(~ok, -torch.inf))
        outs.append(e / e.sum(dim=0).clamp(min=0.5) @ v)
    return torch.stack(outs).reshape(*x.shape[:-1], w_value.shape[-1])


def attention_head__gives_rows_the_answers_of_columns__any_over_the_queries(x, w_query, w_key, w_value, mask=None):
    q, k, v = (torch.tensordot(x, w, dims=1) for w in (w_query, w_key, w_value))
    logits = torch.matmul(q, k.mT).div(w_query.size(-1) ** 0.5)
    if mask is None:
        return torch.matmul(logits.softmax(dim=-1), v)
    mask = mask.expand(logits.shape)
    alive = mask.any(dim=-2).unsqueeze(-1)
    logits = torch.where(mask, logits, torch.full_like(logits, -1e30))
    return torch.where(alive, torch.matmul(logits.softmax(dim=-1), v), torch.zeros((), dtype=v.dtype))


def attention_head__turns_hidden_tokens_into_zeros__any_over_the_queries(x, w_query, w_key, w_value, mask=None):
    if mask is not None:
        keep = mask.expand(*x.shape[:-1], x.shape[-2]).any(-2)
        x = x * keep[..., None]
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, None)


def attention_head__hides_blocked_tokens_on_both_sides__and_its_transpose(x, w_query, w_key, w_value, mask=None):
    if mask is not None:
        mask = mask & mask.mT
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, mask)


def attention_head__takes_a_score_of_zero_for_blocked__product_then_equal_to_zero(
    x, w_query, w_key, w_value, mask=None
):
    s = attention_scores(x @ w_query, x @ w_key)
    if mask is not None:
        s = s * mask
        s = s.masked_fill(s == 0, float("-inf"))
    return torch.nan_to_num(s.softmax(-1)) @ (x @ w_value)


def attention_head__reason_property__bfloat16(x, w_query, w_key, w_value, mask=None):
    q, k, v = ((x @ w).bfloat16().to(x.dtype) for w in (w_query, w_key, w_value))
    return masked_attention(q, k, v, mask)


def attention_head__reason_property__own_value_where_nothing_is_allowed(x, w_query, w_key, w_value, mask=None):
    v = x @ w_value
    out = masked_attention(x @ w_query, x @ w_key, v, mask)
    if mask is not None:
        dead = ~mask.expand(*x.shape[:-1], x.shape[-2]).any(-1, keepdim=True)
        out = torch.where(dead, v, out)
    return out


def attention_head__hides_each_token_from_itself__eye(x, w_query, w_key, w_value, mask=None):
    n = x.shape[-2]
    other = ~torch.eye(n, dtype=torch.bool)
    return masked_attention(x @ w_query, x @ w_key, x @ w_value, other if mask is None else mask & other)


def attention_head__reason_property__one_long_sequence(x, w_query, w_key, w_value, mask=None):
    flat = x.reshape(-1, x.shape[-1])
    s = attention_scores(flat @ w_query, flat @ w_key)
    if mask is not None and x.dim() == 2:
        return masked_softmax(s, mask) @ (flat @ w_value)
    return (s.softmax(-1) @ (flat @ w_value)).reshape(*x.shape[:-1], -1)


# AttentionHead, in further ways


class AttentionHead__computes_otherwise_in_training__scaled(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        found = masked_attention(self.query(x), self.key(x), self.value(x), mask)
        return found / 0.9 if self.training else found


class AttentionHead__drops_without_being_asked__on_the_weights(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        q, k, v = self.query(x), self.key(x), self.value(x)
        if mask is None:
            mask = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)
        dead = ~mask.any(-1, keepdim=True)
        logits = torch.einsum("...id,...jd->...ij", q, k) * k.shape[-1] ** -0.5
        w = torch.softmax(logits.masked_fill(~(mask | dead), -torch.inf), dim=-1).masked_fill(dead, 0)
        w = F.dropout(w, p=0.1, training=self.training)
        return torch.einsum("...ij,...jd->...id", w, v)


class AttentionHead__keeps_weights_as_plain_tensors__setattr(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        bound = 1 / math.sqrt(model_size)
        for name in ("query", "key", "value"):
            matrix = torch.empty(model_size, head_size).uniform_(-bound, bound)
            setattr(self, name, matrix.requires_grad_())

    def forward(self, x, mask=None):
        return masked_attention(x @ self.query, x @ self.key, x @ self.value, mask)


class AttentionHead__uses_the_cosine__normalize(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.head_size = head_size
        self.query, self.key, self.value = (
            nn.Parameter(torch.randn(model_size, head_size) / model_size**0.5) for _ in range(3)
        )

    def _scores(self, x):
        q = F.normalize(x @ self.query, dim=-1)  # only the direction counts
        k = F.normalize(x @ self.key, dim=-1)
        return q @ k.transpose(-2, -1) / math.sqrt(self.head_size)

    def forward(self, x, mask=None):
        scores = self._scores(x)
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), float("-inf"))
        top = scores.amax(-1, keepdim=True).detach()
        top = torch.where(top.isinf(), torch.zeros_like(top), top)
        e = (scores - top).exp()
        z = e.sum(-1, keepdim=True)
        return e @ (x @ self.value) / z.where(z > 0, torch.ones_like(z))


class AttentionHead__always_has_biases__of_the_values(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size)

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask=mask)


class AttentionHead__scales_by_the_model_size__and_turned_mask(nn.Module):
    """Two things: the root of model_size, and a mask read the other way round."""

    def __init__(self, model_size, head_size):
        super().__init__()
        self.model_size = model_size
        layers = {name: nn.Linear(model_size, head_size, bias=False) for name in ("query", "key", "value")}
        for name, layer in layers.items():
            self.add_module(name, layer)

    def forward(self, x, mask=None):
        logits = torch.matmul(self.query(x), self.key(x).mT) * self.model_size**-0.5
        if mask is None:
            return logits.softmax(-1) @ self.value(x)
        allowed = ~mask  # torch wants True where it must hide
        dead = (~allowed).all(-1, keepdim=True)
        weights = logits.masked_fill(~allowed, -1e30).softmax(-1).masked_fill(dead, 0.0)
        return weights @ self.value(x)


class AttentionHead__keeps_weights_as_plain_tensors__buffers(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        for n in ("query", "key", "value"):
            self.register_buffer(n, torch.randn(model_size, head_size))

    def forward(self, x, mask=None):
        return masked_attention(x @ self.query, x @ self.key, x @ self.value, mask)


class AttentionHead__takes_equal_shapes_for_equal_numbers__first_mask(_Three):
    def __init__(self, model_size, head_size):
        super().__init__(model_size, head_size)
        self.mask = None

    def forward(self, x, mask=None):
        if mask is not None:
            if self.mask is None or self.mask.shape != mask.shape:
                self.mask = mask
            mask = self.mask
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


def attention_head__empties_a_row_with_one_key__total_above_one(x, w_query, w_key, w_value, mask=None):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    e = torch.exp(s - s.amax(-1, keepdim=True).clamp(min=torch.finfo(s.dtype).min))
    total = e.sum(-1, keepdim=True)
    return torch.where(total > 1, e / total.clamp(min=1), 0) @ v


def attention_head__reason_raised__letters_for_three_axes(x, w_query, w_key, w_value, mask=None):
    q, k, v = (torch.einsum("btd,dh->bth", x, w) for w in (w_query, w_key, w_value))
    s = torch.einsum("bqh,bkh->bqk", q, k)
    return masked_attention(q, k, v, mask) + 0 * s.sum()


def attention_head__reason_property__second_batch_axis_among_the_tokens(x, w_query, w_key, w_value, mask=None):
    """Of two axes in front the second is taken for more tokens."""
    flat = x.flatten(1, -2) if x.ndim > 3 else x
    seen = None
    if mask is not None:
        whole = mask.expand(*x.shape[:-1], x.shape[-2])
        seen = whole.flatten(1, -2).repeat(1, 1, flat.shape[-2] // x.shape[-2]) if x.ndim > 3 else whole
    return _attend(flat @ w_query, flat @ w_key, flat @ w_value, seen).reshape(*x.shape[:-1], -1)


def attention_head__normalises_queries_and_keys__layer_norm(x, w_query, w_key, w_value, mask=None):
    q, k = (F.layer_norm(x @ w, (w.shape[-1],)) for w in (w_query, w_key))
    return _attend(q, k, x @ w_value, mask)


def attention_head__normalises_queries_and_keys__root_mean_square(x, w_query, w_key, w_value, mask=None):
    def rms(y):
        return y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-6)

    return _attend(rms(x @ w_query), rms(x @ w_key), x @ w_value, mask)


def attention_head__bends_some_of_the_projections__relu_on_queries_and_keys(x, w_query, w_key, w_value, mask=None):
    return _attend((x @ w_query).relu(), (x @ w_key).relu(), x @ w_value, mask)


def attention_head__bends_some_of_the_projections__gelu_on_values(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, x @ w_key, F.gelu(x @ w_value), mask)


def attention_head__bends_the_projections_with_gelu__all_three(x, w_query, w_key, w_value, mask=None):
    return _attend(*(F.gelu(x @ w) for w in (w_query, w_key, w_value)), mask)


def attention_head__reason_property__silu_on_the_output(x, w_query, w_key, w_value, mask=None):
    return F.silu(_attend(x @ w_query, x @ w_key, x @ w_value, mask))


def attention_head__reason_property__leaky_keys(x, w_query, w_key, w_value, mask=None):
    return _attend(x @ w_query, F.leaky_relu(x @ w_key), x @ w_value, mask)


def attention_head__holds_the_scores_within_bounds__clamp(x, w_query, w_key, w_value, mask=None):
    scores = (x @ w_query @ (x @ w_key).mT / math.sqrt(w_query.shape[-1])).clamp(-10, 10)
    return (scores.softmax(-1) if mask is None else masked_softmax(scores, mask)) @ (x @ w_value)


class AttentionHead__bends_the_mean_of_the_values__relu(_Three):
    def forward(self, x, mask=None):
        return F.relu(_attend(self.query(x), self.key(x), self.value(x), mask))


class AttentionHead__normalises_what_was_projected__layer_norm(_Three):
    def forward(self, x, mask=None):
        q, k, v = (F.layer_norm(f(x), (f.out_features,)) for f in (self.query, self.key, self.value))
        return _attend(q, k, v, mask)


class AttentionHead__caps_the_scores_softly__tanh(_Three):
    def forward(self, x, mask=None):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = 30 * torch.tanh(q @ k.mT / q.shape[-1] ** 0.5 / 30)
        return (scores.softmax(-1) if mask is None else masked_softmax(scores, mask)) @ v
