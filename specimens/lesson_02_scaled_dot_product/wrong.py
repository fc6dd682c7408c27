"""Wrong answers to lesson 02 as learners write them: exercise, what should be found, style."""

import math

import numpy as np
import torch


def _softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# attention_scores


def attention_scores__forgets_to_scale__by_loops(query, key):
    *batch, n, _ = query.shape
    out = np.zeros((*batch, n, key.shape[-2]))
    for i in range(n):
        for j in range(key.shape[-2]):
            out[..., i, j] = (query[..., i, :] * key[..., j, :]).sum(-1)
    return out


def attention_scores__forgets_to_scale__forgot_to_keep_the_quotient(query, key):
    scores = np.einsum("...ij,...kj->...ik", query, key)
    np.divide(scores, np.sqrt(query.shape[-1]))
    return scores


def attention_scores__divides_by_features_without_root__one_item_at_a_time(query, key):
    if query.ndim > 2:
        again = attention_scores__divides_by_features_without_root__one_item_at_a_time
        return np.stack([again(q, k) for q, k in zip(query, key, strict=True)])
    return np.dot(query, key.T) / len(query[0])


def attention_scores__divides_by_features_without_root__both_sides_scaled(query, key):
    d = math.sqrt(query.shape[-1])
    return (query / d) @ (key / d).mT


def attention_scores__divides_by_features_without_root__mean_of_products(query, key):
    return (query[..., :, None, :] * key[..., None, :, :]).mean(axis=-1)


def attention_scores__averages_instead_of_summing__then_scaled(query, key):
    return np.mean(query[..., :, None, :] * key[..., None, :, :], axis=-1) / np.sqrt(key.shape[-1])


def attention_scores__multiplies_by_the_root__a_power(query, key):
    return query @ np.swapaxes(key, -1, -2) * query.shape[-1] ** 0.5


def attention_scores__divides_by_a_fixed_number__as_in_the_paper(query, key):
    d_k = 64
    return query @ np.swapaxes(key, -1, -2) / math.sqrt(d_k)


def attention_scores__divides_by_a_fixed_number__as_in_the_example(query, key):
    return np.matmul(query, key.mT) * (1 / np.sqrt(3))


def attention_scores__divides_by_the_fourth_root__only_the_query(query, key):
    root = np.sqrt(np.sqrt(query.shape[-1]))
    return query / root @ key.mT


def attention_scores__loses_the_root_to_precedence__one_half(query, key):
    return query @ key.mT / (query.shape[-1] ** 1 / 2)


def attention_scores__loses_the_root_to_precedence__minus_one_half(query, key):
    d_k = query.shape[-1]
    return query @ key.mT * d_k**-1 / 2


def attention_scores__rounds_the_root__floor(query, key):
    return query @ key.mT / (query.shape[-1] ** 0.5 // 1)


def attention_scores__takes_the_root_of_the_scores__bracket_too_late(query, key):
    return np.sqrt(query @ key.mT / query.shape[-1])


def attention_scores__divides_by_the_standard_deviation__of_each_row(query, key):
    s = query @ key.mT
    return s / np.std(s, axis=-1, keepdims=True)


def attention_scores__scales_by_the_number_of_keys__einsum(query, key):
    scores = np.einsum("...qd,...kd->...qk", query, key)
    return scores / np.sqrt(scores.shape[-1])


def attention_scores__scales_by_the_first_axis__len(query, key):
    return query @ key.mT / math.sqrt(len(query))


def attention_scores__scales_by_the_second_axis__unpacked(query, key):
    d = query.shape[1]
    return np.matmul(query, key.swapaxes(-1, -2)) / math.sqrt(d)


def attention_scores__scales_by_the_size_of_the_whole_array__of_the_key(query, key):
    return query @ key.mT / np.sqrt(np.size(key))


def attention_scores__divides_by_the_length_of_the_query__of_each_row(query, key):
    return query @ key.mT / np.sqrt(np.sum(query * query, axis=-1))[..., None]


def attention_scores__divides_by_the_length_of_the_query__of_all_rows(query, key):
    return query @ key.mT / np.sqrt((query**2).sum())


def attention_scores__subtracts_the_maximum_too_early__for_stability(query, key):
    s = np.einsum("...qd,...kd->...qk", query, key) / np.sqrt(query.shape[-1])
    s -= np.max(s, axis=-1)[..., None]
    return s


def attention_scores__scales_by_the_number_of_axes__ndim(query, key):
    return query @ key.mT / np.sqrt(np.ndim(key))


def attention_scores__swaps_query_and_key__einsum(query, key):
    return np.einsum("...kd,...qd->...kq", key, query) / query.shape[-1] ** 0.5


def attention_scores__transposes_every_axis__method(query, key):
    return query @ key.transpose() / np.sqrt(key.shape[-1])


def attention_scores__forgets_to_transpose_the_keys__and_to_scale(query, key):
    return query @ key  # the product stops it, before there is anything to scale


def attention_scores__reshapes_the_keys__to_the_wanted_shape(query, key):
    *front, n, d = key.shape
    return query @ np.reshape(key, (*front, d, n)) / np.sqrt(d)


def attention_scores__forgets_to_transpose_the_keys__matmul(query, key):
    return np.matmul(query, key) / np.sqrt(query.shape[-1])


def attention_scores__swaps_the_first_two_axes__moveaxis(query, key):
    return query @ np.moveaxis(key, 0, 1) / np.sqrt(query.shape[-1])


def attention_scores__expects_exactly_one_batch_axis__as_in_torch(query, key):
    return (torch.tensor(query) @ torch.tensor(key).transpose(1, 2) / query.shape[-1] ** 0.5).numpy()


def attention_scores__expects_exactly_one_batch_axis__unpacks_three(query, key):
    batch, _, features = query.shape
    return np.stack([query[b] @ key[b].T / features**0.5 for b in range(batch)])


def attention_scores__compares_across_the_batch__dot(query, key):
    return np.dot(query, key.mT) / np.sqrt(query.shape[-1])


def attention_scores__compares_across_the_batch__tensordot(query, key):
    return np.tensordot(query, key, axes=([-1], [-1])) / np.sqrt(query.shape[-1])


def attention_scores__uses_the_cosine__norms_of_the_scores(query, key):
    lengths = np.linalg.norm(query, axis=-1)[..., :, None] * np.linalg.norm(key, axis=-1)[..., None, :]
    return query @ key.mT / lengths / np.sqrt(query.shape[-1])


def attention_scores__takes_plain_cosines_as_scores__over_both_lengths(query, key):
    lengths = np.linalg.norm(query, axis=-1)[..., :, None] * np.linalg.norm(key, axis=-1)[..., None, :]
    return query @ key.mT / lengths


def attention_scores__measures_a_distance__norm(query, key):
    return -np.linalg.norm(query[..., :, None, :] - key[..., None, :, :], axis=-1) / np.sqrt(query.shape[-1])


def attention_scores__applies_softmax_too_early__torch(query, key):
    q, k = torch.from_numpy(query), torch.from_numpy(key)
    return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1).numpy()


def attention_scores__compares_queries_with_themselves__typing_mistake(query, key):
    scores = np.einsum("...id,...jd->...ij", query, query)
    return scores / np.sqrt(query.shape[-1])


def attention_scores__multiplies_without_the_sum__broadcast(query, key):
    return np.expand_dims(query, -2) * np.expand_dims(key, -3) / np.sqrt(query.shape[-1])


def attention_scores__multiplies_equal_rows_only__sum_of_a_product(query, key):
    return np.sum(np.multiply(query, key), axis=-1) / np.sqrt(query.shape[-1])


def attention_scores__multiplies_equal_rows_only__einsum_with_one_letter(query, key):
    return np.einsum("...qd,...qd->...q", *np.broadcast_arrays(query, key)) / query.shape[-1] ** 0.5


def attention_scores__rounds_the_scores__as_printed(query, key):
    return (query @ key.mT / np.sqrt(query.shape[-1])).round(3)


def attention_scores__divides_by_the_roots_of_a_whole_shape__no_index(query, key):
    return np.matmul(query, key.mT) / np.sqrt(query.shape)


def attention_scores__reason_mutated__scales_in_place(query, key):
    query /= np.sqrt(query.shape[-1])
    return query @ key.mT


def attention_scores__reason_raised__one_sentence_only(query, key):
    _, features = query.shape
    assert key.ndim == 2
    return query @ key.T / features**0.5


def attention_scores__reason_type__list_of_rows(query, key):
    return (query @ key.mT / np.sqrt(query.shape[-1])).tolist()


def attention_scores__reason_shape__one_score_for_each_query(query, key):
    return (query @ key.mT / np.sqrt(query.shape[-1])).sum(axis=-1)


def attention_scores__puts_a_factor_beside_the_root__twice_too_large(query, key):
    return 2 * query @ key.mT / np.sqrt(query.shape[-1])


# attention_weights


def attention_weights__forgets_to_scale__by_hand(query, key):
    e = np.exp(query @ key.mT - (query @ key.mT).max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention_weights__divides_by_features_without_root__scaled_twice(query, key):
    scores = query @ key.mT / np.sqrt(query.shape[-1])
    return _softmax(scores / np.sqrt(query.shape[-1]))


def attention_weights__scales_after_softmax__one_line(query, key):
    return _softmax(np.einsum("...qd,...kd->...qk", query, key)) / query.shape[-1] ** 0.5


def attention_weights__scales_before_and_after_softmax__following_the_formula(query, key):
    scores = query @ key.mT / np.sqrt(query.shape[-1])
    return _softmax(scores) * query.shape[-1] ** -0.5


def attention_weights__forgets_the_softmax__scores_again(query, key):
    return np.matmul(query, key.mT) / np.sqrt(key.shape[-1])


def attention_weights__takes_the_softmax_of_the_queries__bracket(query, key):
    return _softmax(query) @ key.mT / np.sqrt(query.shape[-1])


def attention_weights__swaps_query_and_key__arguments(query, key):
    return _softmax(key @ query.mT / np.sqrt(query.shape[-1]))


def attention_weights__scales_by_the_number_of_queries__shape(query, key):
    return _softmax(query @ key.mT / np.sqrt(query.shape[-2]))


def attention_weights__turns_the_weights_on_their_side__transposed(query, key):
    return _softmax(query @ key.mT / np.sqrt(query.shape[-1])).mT


def attention_weights__turns_the_weights_on_their_side__keys_ask(query, key):
    scores = np.einsum("...qd,...kd->...kq", query, key) / np.sqrt(key.shape[-1])
    return _softmax(scores, axis=-2)


def attention_weights__shares_out_over_the_queries__by_hand(query, key):
    s = query @ key.mT / np.sqrt(query.shape[-1])
    e = np.exp(s - s.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)


def attention_weights__shares_out_over_the_queries__axis_zero(query, key):
    return _softmax(query @ key.mT / np.sqrt(query.shape[-1]), axis=0)


def attention_weights__shares_out_over_the_queries__dim_one(query, key):
    scores = torch.from_numpy(query @ key.mT) / query.shape[-1] ** 0.5
    return torch.softmax(scores, dim=1).numpy()


def attention_weights__divides_by_the_roots_of_a_whole_shape__of_the_key(query, key):
    return _softmax(query @ key.mT / np.sqrt(key.shape))


def attention_weights__rounds_the_weights__to_one_digit(query, key):
    return np.round(_softmax(query @ key.mT / np.sqrt(query.shape[-1])), 1)


# scaled_dot_product_attention


def scaled_dot_product_attention__forgets_to_scale__exp(q, k, v):
    e = np.exp(q @ k.mT)
    return e / e.sum(-1, keepdims=True) @ v


def scaled_dot_product_attention__forgets_to_scale__torch_scale(q, k, v):
    q, k, v = (torch.from_numpy(x) for x in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, scale=1.0).numpy()


def scaled_dot_product_attention__scales_after_softmax__output(q, k, v):
    return _softmax(q @ k.mT) @ v / np.sqrt(q.shape[-1])


def scaled_dot_product_attention__forgets_the_softmax__in_one_line(query, key, value):
    return (query @ key.mT / query.shape[-1] ** 0.5) @ value


def scaled_dot_product_attention__scales_by_the_number_of_keys__len(query, key, value):
    weights = _softmax(query @ key.mT / math.sqrt(value.shape[-2]))
    return np.einsum("...qk,...kv->...qv", weights, value)


def scaled_dot_product_attention__transposes_every_axis__np_transpose(query, key, value):
    return _softmax(query @ np.transpose(key) / np.sqrt(query.shape[-1])) @ value


def scaled_dot_product_attention__swaps_query_and_key__called_the_other_way(query, key, value):
    return _softmax(key @ query.mT / np.sqrt(query.shape[-1])) @ value


def scaled_dot_product_attention__uses_the_cosine__unit_rows(query, key, value):
    q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (query, key))
    return _softmax(q @ k.mT / np.sqrt(q.shape[-1])) @ value


def scaled_dot_product_attention__takes_the_softmax_after_mixing__bracket(query, key, value):
    return _softmax(query @ key.mT @ value / np.sqrt(query.shape[-1]))


def scaled_dot_product_attention__reason_type__returns_the_weights_too(query, key, value):
    weights = _softmax(query @ key.mT / np.sqrt(query.shape[-1]))
    return weights @ value, weights


def scaled_dot_product_attention__subtracts_the_largest_of_all__in_one_line(query, key, value):
    scores = query @ key.mT / np.sqrt(query.shape[-1])
    powers = np.exp(scores - scores.max())
    return powers @ value / powers.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention__takes_the_value_of_the_best_key__index(query, key, value):
    best = (query @ key.mT).argmax(axis=-1)
    return value[best]


def scaled_dot_product_attention__takes_the_value_of_the_best_key__take_along(query, key, value):
    best = np.argmax(query @ key.mT / np.sqrt(query.shape[-1]), axis=-1)
    return np.take_along_axis(value, best[..., None], axis=-2)


def scaled_dot_product_attention__shares_out_over_the_queries__axis_zero(query, key, value):
    return _softmax(query @ key.mT / np.sqrt(query.shape[-1]), axis=0) @ value


def scaled_dot_product_attention__rounds_the_output__two_decimals(query, key, value):
    return np.around(_softmax(query @ key.mT / np.sqrt(query.shape[-1])) @ value, 2)


def scaled_dot_product_attention__forgets_to_scale__and_shares_out_over_the_queries(query, key, value):
    return _softmax(query @ key.mT, axis=0) @ value


def scaled_dot_product_attention__reason_property__adds_a_bias(query, key, value):
    return _softmax(query @ key.mT / np.sqrt(query.shape[-1])) @ value + 0.5


# further ones, found by answering from the stubs alone, and by walking through each line


def attention_scores__scales_by_the_number_of_keys__column_by_column(query, key):
    n_keys = key.shape[-2]
    columns = []
    for j in range(n_keys):
        dots = (query * key[..., j : j + 1, :]).sum(axis=-1)
        columns.append(dots / math.sqrt(n_keys))
    return np.stack(columns, axis=-1)


def attention_scores__reshapes_the_keys__reshape_and_a_power(query, key):
    *lead, keys, features = key.shape
    flipped = key.reshape(*lead, features, keys)
    return (query @ flipped) * features**-0.5


def attention_scores__divides_by_a_fixed_number__and_the_keys_of_the_first_item(query, key):
    q3 = query.reshape(-1, *query.shape[-2:])
    k3 = key.reshape(-1, *key.shape[-2:])
    scale = 8.0
    out = [(q @ k3[0].T) / scale for q in q3]
    return np.array(out).reshape(*query.shape[:-1], key.shape[-2])


def attention_scores__loses_the_root_to_precedence__power_without_brackets(query, key):
    features = query.shape[-1]
    dots = np.sum(query[..., :, None, :] * key[..., None, :, :], axis=-1)
    return dots / features**1 / 2


def attention_scores__rounds_the_root__isqrt(query, key):
    root = math.isqrt(key.shape[-1])
    return np.inner(query, key) / root if query.ndim == 2 else np.einsum("...qd,...kd->...qk", query, key) / root


def attention_scores__takes_a_fixed_number_of_features__five(query, key):
    """Five features, always."""
    return sum(query[..., :, None, f] * key[..., None, :, f] for f in range(5)) / math.sqrt(query.shape[-1])


def attention_scores__leaves_out_one_feature__slices(query, key):
    """The last feature is left out."""
    return query[..., :-1] @ np.swapaxes(key[..., :-1], -1, -2) / np.sqrt(query.shape[-1])


def attention_scores__miscounts_the_features__one_fewer(query, key):
    """The root of one feature fewer."""
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1] - 1)


def attention_scores__reason_property__upper_triangle(query, key):
    """The inner loop begins at the outer one."""
    out = np.zeros(query.shape[:-1] + key.shape[-2:-1])
    for i in range(query.shape[-2]):
        for j in range(i, key.shape[-2]):
            out[..., i, j] = (query[..., i, :] * key[..., j, :]).sum(-1) / math.sqrt(query.shape[-1])
    return out


def attention_scores__reason_property__absolute(query, key):
    """No score below 0."""
    return np.abs(query @ np.swapaxes(key, -1, -2)) / math.sqrt(query.shape[-1])


def attention_scores__bends_the_scores__tanh(query, key):
    """No score above 1."""
    return np.tanh(query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1]))


def attention_scores__centres_the_rows__as_a_correlation(query, key):
    """The mean of each row is taken away."""
    q = query - query.mean(-1, keepdims=True)
    k = key - key.mean(-1, keepdims=True)
    return q @ np.swapaxes(k, -1, -2) / math.sqrt(query.shape[-1])


def attention_scores__reason_property__features_reversed(query, key):
    """Turned round along the features, too."""
    return query @ np.swapaxes(key[..., ::-1], -1, -2) / math.sqrt(query.shape[-1])


def attention_scores__serves_one_batch_axis__a_list_of_products(query, key):
    """Two axes in front are one too many."""
    d = math.sqrt(query.shape[-1])
    if query.ndim == 2:
        return query @ key.T / d
    return np.array([q @ k.T / d for q, k in zip(query, key)])


def attention_scores__reason_property__half_the_features(query, key):
    """Half of the features in the place of the root."""
    return query @ np.swapaxes(key, -1, -2) / (query.shape[-1] >> 1)


def attention_scores__takes_the_largest_product__maximum(query, key):
    """The largest product in the place of the sum."""
    return (query[..., :, None, :] * key[..., None, :, :]).max(-1) / math.sqrt(query.shape[-1])


def attention_weights__forgets_to_subtract_the_maximum__einsum_for_the_sum(query, key):
    logits = np.einsum("...qd,...kd->...qk", query, key) / math.sqrt(query.shape[-1])
    unnormalised = np.exp(logits)
    return unnormalised / np.einsum("...qk->...q", unnormalised)[..., None]


def attention_weights__forgets_to_rescale_the_running_sum__running_sum(query, key):
    # one pass: running maximum and running sum
    scale = 1 / math.sqrt(query.shape[-1])
    scores = [(query * key[..., j, None, :]).sum(-1) * scale for j in range(key.shape[-2])]
    top = scores[0]
    total = np.ones_like(top)
    for s in scores[1:]:
        top = np.maximum(top, s)
        total = total + np.exp(s - top)
    return np.stack([np.exp(s - top) / total for s in scores], axis=-1)


def attention_weights__forgets_to_scale__result_thrown_away(query, key):
    scores = np.matmul(query, np.moveaxis(key, -1, -2))
    np.divide(scores, np.sqrt(query.shape[-1]))
    return _softmax(scores)


def attention_weights__reason_property__causal_and_no_root(query, key):
    d = key.shape[-1]
    scores = query @ np.swapaxes(key, -1, -2) / d
    n, m = scores.shape[-2:]
    future = np.triu(np.ones((n, m), dtype=bool), k=1)
    return _softmax(np.where(future, -1e30, scores), axis=-1)


def attention_weights__clips_the_scores__at_thirty_and_in_place(query, key):
    query *= query.shape[-1] ** -0.5
    scores = np.einsum("...qd,...kd->...qk", query, key)
    e = np.exp(np.clip(scores, -30, 30))
    return e / e.sum(-1, keepdims=True)


def attention_weights__is_causal_without_a_mask__a_triangle(query, key):
    """Nobody asked for a triangle."""
    s = query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1])
    return _softmax(np.where(np.tri(*s.shape[-2:], dtype=bool), s, -1e30))


def attention_weights__reason_property__not_itself(query, key):
    """A query must not look at the key of its own number."""
    s = query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1])
    return _softmax(np.where(np.eye(*s.shape[-2:], dtype=bool), -1e30, s))


def attention_weights__leaves_negative_scores_out__positive_scores_only(query, key):
    """A negative score is taken for a hidden one."""
    s = query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1])
    return _softmax(np.where(s > 0, s, -1e30))


def attention_weights__cuts_negative_scores__relu_with_an_epsilon(query, key):
    """Negative scores count 0."""
    s = np.maximum(query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1]), 0)
    return s / (s.sum(-1, keepdims=True) + 1e-9)


def attention_weights__reason_property__softmax_on_each_side(query, key):
    """Softmax on each side of the product."""
    return _softmax(query) @ np.swapaxes(_softmax(key, axis=-2), -1, -2)


def attention_weights__compares_with_the_first_item__flattened_items(query, key):
    """All items meet the first item's keys."""
    q = query.reshape(-1, *query.shape[-2:])
    k = key.reshape(-1, *key.shape[-2:])
    out = np.stack([_softmax(x @ k[0].T / math.sqrt(x.shape[-1])) for x in q])
    return out.reshape(*query.shape[:-1], key.shape[-2])


def attention_weights__sums_along_a_fixed_axis__sum_over_the_queries(query, key):
    """The maximum over the keys, the sum over the queries."""
    s = query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-2, keepdims=True)


def attention_weights__puts_a_factor_beside_the_root__temperature_two(query, key):
    """A temperature that nobody asked for."""
    s = query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1])
    return _softmax(s / 2)


def scaled_dot_product_attention__looks_across_the_batch__flattened(query, key, value):
    q = query.reshape(-1, query.shape[-1])
    k = key.reshape(-1, key.shape[-1])
    v = value.reshape(-1, value.shape[-1])
    s = q.dot(k.T) / math.sqrt(q.shape[1])
    out = _softmax(s, axis=1).dot(v)
    return out.reshape(*query.shape[:-1], value.shape[-1])


def scaled_dot_product_attention__mixes_the_keys__row_by_row(query, key, value):
    rows = []
    for i in range(query.shape[-2]):
        q = query[..., i, :]
        s = np.einsum("...d,...kd->...k", q, key) / np.sqrt(q.shape[-1])
        p = _softmax(s)
        rows.append(np.einsum("...k,...kd->...d", p, key))
    return np.stack(rows, axis=-2)


def scaled_dot_product_attention__reason_property__streaming_without_a_root(query, key, value):
    acc = total = 0.0
    top = np.full(query.shape[:-1], -np.inf)
    for j in range(key.shape[-2]):
        s = np.sum(query * key[..., j : j + 1, :], axis=-1)
        new = np.maximum(top, s)
        p = np.exp(s - new)
        total = total * np.exp(top - new) + p
        acc = acc + p[..., None] * value[..., j : j + 1, :]
        top = new
    return acc / total[..., None]


def scaled_dot_product_attention__makes_room_like_the_query__zeros_like(query, key, value):
    out = np.zeros_like(query)
    for pos in np.ndindex(*query.shape[:-1]):
        item = pos[:-1]
        s = key[item] @ query[pos] / math.sqrt(query.shape[-1])
        e = np.exp(s - s.max())
        out[pos] = (e / e.sum()) @ value[item]
    return out


def scaled_dot_product_attention__mixes_over_queries__einsum(query, key, value):
    """The values are added up over the queries."""
    w = _softmax(query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1]))
    return np.einsum("...qk,...qv->...kv", w, value)


def scaled_dot_product_attention__makes_room_like__zeros_like_value(query, key, value):
    """The result is shaped like the values."""
    out = np.zeros_like(value)
    w = _softmax(query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1]))
    for i in range(query.shape[-2]):
        out[..., i, :] = (w[..., i, :, None] * value).sum(-2)
    return out


def scaled_dot_product_attention__is_causal_without_a_mask__a_triangle(query, key, value):
    """Nobody asked for a triangle."""
    s = query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1])
    return _softmax(np.where(np.tri(*s.shape[-2:], dtype=bool), s, -1e30)) @ value


def scaled_dot_product_attention__drops_small_weights__below_a_twentieth(query, key, value):
    """Small weights are set to 0."""
    w = _softmax(query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1]))
    return np.where(w < 0.05, 0, w) @ value


def scaled_dot_product_attention__forgets_to_rescale_what_was_summed_up__streaming(query, key, value):
    """Nothing is rescaled when the maximum grows."""
    d = math.sqrt(query.shape[-1])
    acc, total, top = 0.0, 0.0, -np.inf
    for j in range(key.shape[-2]):
        s = (query * key[..., j : j + 1, :]).sum(-1, keepdims=True) / d
        top = np.maximum(top, s)
        p = np.exp(s - top)
        total = total + p
        acc = acc + p * value[..., j : j + 1, :]
    return acc / total


def scaled_dot_product_attention__uses_the_values_of_the_first_item__index_of_zeros(query, key, value):
    """All items mix the first item's values."""
    w = _softmax(query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1]))
    return w @ value[(0,) * (value.ndim - 2)]


def scaled_dot_product_attention__reason_property__pairs_of_keys(query, key, value):
    """Of an odd number of keys the last one is left out."""
    n = max(key.shape[-2] // 2 * 2, 1)
    s = query @ key[..., :n, :].swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    return _softmax(s) @ value[..., :n, :]


def attention_weights__gives_all_queries_the_weights_of_one__one_row_filled_anew(query, key):
    """One row serves for all queries, and keeps what was written last."""
    rows, row = [], np.empty((*key.shape[:-2], key.shape[-2]))
    for q in range(query.shape[-2]):
        row[...] = _softmax((key @ query[..., q, :, None])[..., 0] / math.sqrt(key.shape[-1]))
        rows.append(row)
    return np.stack(rows, axis=-2)


def attention_weights__gives_all_queries_the_weights_of_one__index_stays_zero(query, key):
    scores = query @ key.swapaxes(-1, -2) / math.sqrt(key.shape[-1])
    return np.stack([_softmax(scores[..., 0, :]) for _ in range(scores.shape[-2])], axis=-2)


def scaled_dot_product_attention__shares_out_before_comparing__einsum(query, key, value):
    """Linear attention, without a root."""
    k = np.exp(key) / np.exp(key).sum(axis=-2, keepdims=True)
    return np.einsum("...qf,...kf,...kv->...qv", _softmax(query), k, value)


def scaled_dot_product_attention__shares_out_before_comparing__root_on_both(query, key, value):
    root = math.sqrt(query.shape[-1])
    return _softmax(query / root) @ (_softmax(key / root, -2).swapaxes(-1, -2) @ value)


def scaled_dot_product_attention__makes_zeros_of_nan__isfinite(query, key, value):
    e = np.exp(query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1]))
    w = e / e.sum(-1, keepdims=True)
    return np.where(np.isfinite(w), w, 0) @ value


def attention_scores__bends_the_scores__relu(query, key):
    return np.maximum(query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1]), 0)


def attention_weights__bends_the_scores__tanh(query, key):
    return _softmax(np.tanh(np.einsum("...qf,...kf->...qk", query, key) / math.sqrt(query.shape[-1])))


def attention_scores__holds_the_scores_within_bounds__to_five(query, key):
    return (query @ key.mT / query.shape[-1] ** 0.5).clip(-5, 5)


def attention_weights__caps_the_scores_softly__as_gemma_does(query, key):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return _softmax(50.0 * np.tanh(scores / 50.0))


def scaled_dot_product_attention__puts_a_factor_beside_the_root__two(query, key, value):
    temperature = 2.0
    return _softmax(query @ key.mT / (temperature * math.sqrt(query.shape[-1]))) @ value


def scaled_dot_product_attention__puts_a_factor_beside_the_root__in_the_query(query, key, value):
    query = query / np.sqrt(query.shape[-1]) / 0.1
    return _softmax(query @ key.mT) @ value


def attention_weights__takes_plain_cosines_as_scores__linalg_norm(query, key):
    query = query / np.linalg.norm(query, axis=-1, keepdims=True)
    key = key / np.linalg.norm(key, axis=-1, keepdims=True)
    return _softmax(query @ key.mT)


def scaled_dot_product_attention__normalises_queries_and_keys__standardised(query, key, value):
    query, key = ((x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) for x in (query, key))
    return _softmax(query @ key.mT / math.sqrt(query.shape[-1])) @ value


def scaled_dot_product_attention__bends_the_mean_of_the_values__relu(query, key, value):
    out = _softmax(query @ key.mT / math.sqrt(query.shape[-1])) @ value
    out[out < 0] = 0
    return out
