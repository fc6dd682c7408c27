"""Wrong answers to lesson 14, as learners write them: exercise, what the judge should name, style."""

import math

import torch

from mha_ref import attention_scores, masked_softmax, softmax

# softmax_backward


def softmax_backward__takes_each_weight_by_itself__sigmoid(weights, grad_output):
    return grad_output * weights * (1 - weights)


def softmax_backward__takes_each_weight_by_itself__diagonal(weights, grad_output):
    jacobian = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    return grad_output * torch.diagonal(jacobian, dim1=-2, dim2=-1)


def softmax_backward__forgets_the_mean__exponential(weights, grad_output):
    return torch.mul(weights, grad_output)


def softmax_backward__passes_the_gradient_through__copy(weights, grad_output):
    return grad_output.clone()


def softmax_backward__subtracts_the_plain_mean__mean(weights, grad_output):
    return weights * (grad_output - torch.mean(grad_output, dim=-1, keepdim=True))


def softmax_backward__subtracts_the_sum__of_the_gradient(weights, grad_output):
    total = grad_output.sum(-1).unsqueeze(-1)
    return weights * grad_output - weights * total


def softmax_backward__averages_by_the_number_of_keys__mean_of_products(weights, grad_output):
    mean = torch.mean(weights * grad_output, dim=-1, keepdim=True)
    return weights * (grad_output - mean)


def softmax_backward__averages_over_the_queries__dim_minus_two(weights, grad_output):
    return weights * (grad_output - (weights * grad_output).sum(dim=-2, keepdim=True))


def softmax_backward__averages_over_the_queries__dim_one(weights, grad_output):
    return weights * (grad_output - (weights * grad_output).sum(dim=1, keepdim=True))


def softmax_backward__lets_all_weights_rise_together__loops(weights, grad_output):
    slopes = weights[..., :, None] * weights[..., None, :]
    diagonal = torch.eye(weights.shape[-1], dtype=torch.bool)
    slopes = torch.where(diagonal, (weights * (1 - weights))[..., None], slopes)
    return (slopes @ grad_output[..., None])[..., 0]


def softmax_backward__adds_up_everything__no_axis(weights, grad_output):
    return weights * (grad_output - torch.sum(weights * grad_output))


def softmax_backward__loses_the_axis_of_the_mean__no_keepdim(weights, grad_output):
    mean = (weights * grad_output).sum(dim=-1)
    return weights * (grad_output - mean)


def softmax_backward__is_the_backward_of_log_softmax__as_in_torch(weights, grad_output):
    return grad_output - weights * grad_output.sum(-1, keepdim=True)


def softmax_backward__subtracts_what_arrives_from_the_weights__cross_entropy(weights, grad_output):
    targets = grad_output
    return weights - targets


def softmax_backward__turns_the_sign_of_the_gradient__order(weights, grad_output):
    mean = (weights * grad_output).sum(dim=-1, keepdim=True)
    return weights * (mean - grad_output)


def softmax_backward__takes_the_weights_for_scores__again(weights, grad_output):
    w = torch.softmax(weights, dim=-1)
    return w * (grad_output - (w * grad_output).sum(dim=-1, keepdim=True))


def softmax_backward__returns_the_table_of_slopes__jacobian(weights, grad_output):
    return torch.diag_embed(weights) - weights.unsqueeze(-1) @ weights.unsqueeze(-2)


def softmax_backward__forgets_the_weights_in_front__brackets(weights, grad_output):
    return grad_output - torch.einsum("...k,...k->...", weights, grad_output)[..., None]


def softmax_backward__multiplies_the_mean_by_nothing__precedence(weights, grad_output):
    return weights * grad_output - (weights * grad_output).sum(dim=-1, keepdim=True)


def softmax_backward__goes_through_the_logarithm__autograd_like(weights, grad_output):
    scores = torch.log(weights)
    w = torch.exp(scores - scores.logsumexp(dim=-1, keepdim=True))
    return w * (grad_output - (w * grad_output).sum(dim=-1, keepdim=True)) + 0 * scores


def softmax_backward__reason_mutated__in_place(weights, grad_output):
    grad_output -= (weights * grad_output).sum(dim=-1, keepdim=True)
    return weights * grad_output


# attention_backward


def _softmax_backward(weights, arriving):
    return weights * (arriving - (weights * arriving).sum(dim=-1, keepdim=True))


def _weights(query, key, mask):
    scores = attention_scores(query, key)
    return softmax(scores) if mask is None else masked_softmax(scores, mask)


def attention_backward__forgets_the_scale_on_the_way_back__four_lines(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__multiplies_on_the_way_back__undone(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) * math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__scales_one_gradient_alone__query(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    return d_scores @ key / math.sqrt(query.shape[-1]), d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__passes_the_gradient_through__no_softmax(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = grad_output @ value.mT / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__takes_each_weight_by_itself__sigmoid(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = weights * (1 - weights) * (grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__forgets_the_mean__no_brackets(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = weights * (grad_output @ value.mT) / query.shape[-1] ** 0.5
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__swaps_the_gradients_of_query_and_key__names(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    d_key, d_query = d_scores @ key, d_scores.mT @ query
    return d_query, d_key, weights.mT @ grad_output


def attention_backward__forgets_to_transpose_the_gradient__key(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores @ query, weights.mT @ grad_output


def attention_backward__forgets_to_transpose_the_weights__value(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_value = weights @ grad_output
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, d_value


def attention_backward__returns_the_gradients_in_another_order__as_found(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_value = weights.mT @ grad_output
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_value, d_scores @ key, d_scores.mT @ query


def attention_backward__ignores_the_mask__attention_weights(query, key, value, grad_output, mask=None):
    weights = softmax(attention_scores(query, key))
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__leaves_dead_rows_nan__minus_infinity(query, key, value, grad_output, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__spreads_dead_rows_evenly__a_billion(query, key, value, grad_output, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores if mask is None else scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(dim=-1)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__turns_the_mask_round__not(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, None if mask is None else ~mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__forgets_to_scale__both_ways(query, key, value, grad_output, mask=None):
    scores = query @ key.mT
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__weights_unscaled_scores__products(query, key, value, grad_output, mask=None):
    scores = query @ key.mT
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__adds_up_the_batch__einsum(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return (
        torch.einsum("...qk,...kd->...qd", d_scores, key).flatten(0, -3).sum(0) if key.ndim > 2 else d_scores @ key,
        torch.einsum("...qk,...qd->kd", d_scores, query),
        torch.einsum("...qk,...qv->kv", weights, grad_output),
    )


def attention_backward__hides_gradients_as_scores_are_hidden__masked_fill(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    if mask is not None:
        d_scores = d_scores.masked_fill(~mask, -torch.inf)
    d_scores = d_scores / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__ignores_the_gradient_that_arrives__ones(query, key, value, grad_output, mask=None):
    weights, ones = _weights(query, key, mask), torch.ones_like(grad_output)
    d_scores = _softmax_backward(weights, ones @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ ones


def attention_backward__multiplies_each_by_itself__same_names(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ query, d_scores.mT @ key, weights.mT @ grad_output


def attention_backward__turns_all_axes_throughout__capital_t(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.T) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.T @ query, weights.T @ grad_output


def attention_backward__scales_the_values_gradient__all_three(query, key, value, grad_output, mask=None):
    weights, root = _weights(query, key, mask), math.sqrt(query.shape[-1])
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    return d_scores @ key / root, d_scores.mT @ query / root, weights.mT @ grad_output / root


def attention_backward__gives_the_scores_to_softmax_backward__names(query, key, value, grad_output, mask=None):
    scores, weights = attention_scores(query, key), _weights(query, key, mask)
    scores = scores if mask is None else scores.masked_fill(~mask, 0.0)
    d_scores = _softmax_backward(scores, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__replaces_nan_at_the_end__nan_to_num(query, key, value, grad_output, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return tuple(torch.nan_to_num(x) for x in (d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output))


def attention_backward__masks_the_gradient_alone__where(query, key, value, grad_output, mask=None):
    weights = softmax(attention_scores(query, key))
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    if mask is not None:
        d_scores = torch.where(mask, d_scores, 0.0)
    d_scores = d_scores / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__masks_the_gradient_alone__of_the_weights(query, key, value, grad_output, mask=None):
    weights = torch.softmax(query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1)
    d_weights = grad_output @ value.transpose(-2, -1)
    if mask is not None:
        d_weights = d_weights.masked_fill(~mask, 0.0)
    d_scores = _softmax_backward(weights, d_weights) / query.shape[-1] ** 0.5
    return d_scores @ key, d_scores.transpose(-2, -1) @ query, weights.transpose(-2, -1) @ grad_output


def attention_backward__lets_values_through_the_mask__and_masks_the_gradient(query, key, value, grad_output, mask=None):
    weights, plain = _weights(query, key, mask), softmax(attention_scores(query, key))
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    d_scores = d_scores if mask is None else d_scores * mask
    return d_scores @ key, d_scores.mT @ query, plain.mT @ grad_output


def attention_backward__ignores_the_mask__an_unused_parameter(query, key, value, grad_output, mask=None):
    weights = (query @ key.mT * query.shape[-1] ** -0.5).softmax(-1)
    d_weights = grad_output @ value.mT
    d_scores = weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True)) * query.shape[-1] ** -0.5
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__forgets_to_scale__and_hands_on_none(query, key, value, grad_output, mask=None):
    weights = masked_softmax(query @ key.mT, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__weights_unscaled_scores__and_hands_on_none(query, key, value, grad_output, mask=None):
    weights = masked_softmax(query @ key.mT, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__forgets_the_scale_on_the_way_back__and_hands_on_none(query, key, value, grad_output, mask=None):
    weights = masked_softmax(attention_scores(query, key), mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT)
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__reason_raised__right_but_for_none(query, key, value, grad_output, mask=None):
    weights = masked_softmax(attention_scores(query, key), mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, weights.mT @ grad_output


def attention_backward__sends_the_scores_to_the_values__products(query, key, value, grad_output, mask=None):
    scores = attention_scores(query, key)
    weights = _weights(query, key, mask)
    d_scores = _softmax_backward(weights, grad_output @ value.mT) / math.sqrt(query.shape[-1])
    return d_scores @ key, d_scores.mT @ query, scores.mT @ grad_output
