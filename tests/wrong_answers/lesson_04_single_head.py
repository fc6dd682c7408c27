"""Wrong answers to lesson 04, as learners write them: exercise, what the judge should name, style."""

import math

import torch
import torch.nn.functional as F
from torch import nn


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


def attention_head__reason_values__half_precision(x, w_query, w_key, w_value, mask=None):
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


class AttentionHead__turns_square_weights_only__parameters_on_their_side(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Parameter(torch.randn(head_size, model_size)) for _ in range(3))

    def forward(self, x, mask=None):
        return _attend(*(F.linear(x, w) for w in (self.query, self.key, self.value)), mask)
