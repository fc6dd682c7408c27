"""Wrong answers to lesson 00 as learners write them: exercise, what should be found, style."""

import numpy as np

# loops for two axes, with and without a second mistake


def weighted_mean__works_for_two_axes_only__the_loops_of_the_lesson(weights, values):
    mean = np.zeros((len(weights), values.shape[1]))
    for query in range(len(weights)):
        for key in range(len(values)):
            mean[query] += weights[query, key] * values[key]
    return mean


def weighted_mean__works_for_two_axes_only__einsum(w, v):
    return np.einsum("ij,jk->ik", w, v)


def weighted_mean__works_for_two_axes_only__average_by_rows(weights, values):
    return np.array([np.average(values, axis=0, weights=row) for row in weights])


def weighted_mean__returns_only_zeros__adds_to_a_copy(weights, values):
    mean = np.zeros((*weights.shape[:-1], values.shape[-1]))
    for k in range(weights.shape[-1]):
        row = mean.copy()
        row += weights[..., k : k + 1] * values[..., k : k + 1, :]
    return mean


def weighted_mean__overwrites_instead_of_adding__loops(weights, values):
    Q, K = weights.shape
    out = np.zeros((Q, values.shape[1]))
    for i in range(Q):
        for j in range(K):
            out[i] = weights[i, j] * values[j]
    return out


def weighted_mean__overwrites_instead_of_adding__any_batch(weights, values):
    for k in range(values.shape[-2]):
        mean = weights[..., k, None] * values[..., k, None, :]
    return mean


def weighted_mean__leaves_out_the_last_key__range_minus_one(weights, values):
    mean = 0
    for k in range(weights.shape[-1] - 1):
        mean = mean + weights[..., k : k + 1] * values[..., k : k + 1, :]
    return mean


def weighted_mean__leaves_out_the_first_key__from_one(weights, values):
    *front, q, n = weights.shape
    total = np.zeros((*front, q, values.shape[-1]))
    for k in range(1, n):
        total += np.expand_dims(weights[..., k], -1) * np.expand_dims(values[..., k, :], -2)
    return total


def weighted_mean__stops_after_the_first_query__return_too_deep(weights, values):
    queries, keys = weights.shape
    mean = np.zeros((queries, values.shape[1]))
    for q in range(queries):
        for k in range(keys):
            mean[q] += weights[q, k] * values[k]
        return mean


def weighted_mean__fills_one_row_with_one_key__return_far_too_deep(weights, values):
    queries, keys = weights.shape
    mean = np.zeros((queries, values.shape[1]))
    for q in range(queries):
        for k in range(keys):
            mean[q] += weights[q, k] * values[k]
            return mean


def weighted_mean__adds_up_the_values__the_weight_forgotten(weights, values):
    mean = np.zeros((*weights.shape[:-1], values.shape[-1]))
    for q in range(weights.shape[-2]):
        for k in range(weights.shape[-1]):
            mean[..., q, :] += values[..., k, :]
    return mean


def weighted_mean__uses_the_weights_of_the_first_query__a_fixed_index(w, v):
    out = np.zeros((*w.shape[:-1], v.shape[-1]))
    for q in range(w.shape[-2]):
        for k in range(w.shape[-1]):
            out[..., q, :] += w[..., 0, k, None] * v[..., k, :]
    return out


def weighted_mean__answers_the_first_query_only__return_in_the_loop(weights, values):
    for row in weights:
        return row @ values


def weighted_mean__answers_the_first_query_only__an_index(w, v):
    return w[0] @ v


# products


def weighted_mean__mixes_over_queries__matmul(weights, values):
    return np.matmul(np.swapaxes(weights, -2, -1), values)


def weighted_mean__transposes_the_values__swapaxes(weights, values):
    return np.matmul(weights, np.swapaxes(values, -1, -2))


def weighted_mean__multiplies_from_the_wrong_side__matmul(w, v):
    return np.matmul(v, w)


def weighted_mean__multiplies_from_the_wrong_side__names_swapped(values, weights):
    return weights @ values


def weighted_mean__multiplies_weights_elementwise__np_multiply(weights, values):
    return np.multiply(weights, values)


def weighted_mean__adds_products_of_equal_places__sum_of_star(weights, values):
    return np.sum(weights * values, axis=-1)


def weighted_mean__adds_products_of_equal_places__down_the_columns(weights, values):
    return np.sum(weights * values, axis=0)


def weighted_mean__adds_products_of_equal_places__a_loop_over_both(weights, values):
    total = 0
    for w, v in zip(weights, values):
        total = total + w * v
    return total


def weighted_mean__pairs_each_query_with_one_key__zip(weights, values):
    return np.array([w @ v for w, v in zip(weights, values)])


def weighted_mean__counts_axes_from_the_front__a_loop_over_the_weights(weights, values):
    return np.array([sum(w * v for w, v in zip(row, values)) for row in weights])


def weighted_mean__mixes_over_queries__capital_t(weights, values):
    return weights.T @ values


def weighted_mean__transposes_the_values__capital_t(weights, values):
    return np.matmul(weights, np.transpose(values))


def weighted_mean__pairs_every_item_with_every_item__dot(weights, values):
    return weights.dot(values)


def weighted_mean__counts_axes_from_the_front__capital_t(weights, values):
    return np.transpose(np.matmul(np.transpose(values), np.transpose(weights)))


def weighted_mean__counts_axes_from_the_front__three_loops_in_a_list(w, v):
    Q, K, F = range(len(w)), range(len(v)), range(len(v[0]))
    return np.array([[sum(w[q][k] * v[k][f] for k in K) for f in F] for q in Q])


def weighted_mean__puts_features_before_queries__einsum(w, v):
    return np.einsum("...qk,...kf->...fq", w, v)


def weighted_mean__sums_products_over_the_features__einsum(w, v):
    return np.einsum("...qk,...kf->...qk", w, v)


def weighted_mean__forgets_to_add_up__einsum(w, v):
    return np.einsum("...qk,...kf->...qkf", w, v)


# means


def weighted_mean__divides_the_mean_by_the_number_of_keys__mean_of_products(weights, values):
    return np.mean(weights[..., None] * values[..., None, :, :], axis=-2)


def weighted_mean__divides_by_the_length_of_the_values__len(weights, values):
    return (weights @ values) / len(values)


def weighted_mean__divides_by_row_sums_without_their_axis__before(weights, values):
    return np.matmul(weights / np.sum(weights, axis=-1), values)


def weighted_mean__divides_by_row_sums_without_their_axis__after(weights, values):
    return (weights @ values) / weights.sum(-1)


def weighted_mean__divides_by_the_sum_of_all_weights__np_sum(weights, values):
    return np.matmul(weights, values) / np.sum(weights)


def weighted_mean__averages_the_values_alone__np_mean(weights, values):
    return np.mean(values, axis=0)


def weighted_mean__averages_with_one_weight_for_each_number__np_average(weights, values):
    return np.average(values, axis=0, weights=weights)


def weighted_mean__averages_with_one_weight_for_each_number__no_axis(weights, values):
    return np.average(values, weights=weights)


def weighted_mean__divides_the_mean_by_the_number_of_keys__loops_with_a_division_at_the_end(weights, values):
    queries, keys = weights.shape
    mean = np.zeros((queries, values.shape[1]))
    for q in range(queries):
        for k in range(keys):
            mean[q] += weights[q, k] * values[k]
        mean[q] /= keys
    return mean


def weighted_mean__divides_the_mean_by_three__a_literal(weights, values):
    mean = 0
    for k in range(weights.shape[-1]):
        mean = mean + weights[..., k, None] * values[..., k, None, :] / 3
    return mean


def weighted_mean__sums_the_means__down_the_columns(weights, values):
    return np.sum(weights @ values, axis=0)


def weighted_mean__averages_the_means__over_features(weights, values):
    return np.mean(np.matmul(weights, values), axis=-1)


def weighted_mean__rounds_the_means__as_the_pictures(weights, values):
    return np.round(weights @ values, 2)


def weighted_mean__ignores_the_weights__repeated_mean(weights, values):
    mean = values.sum(-2, keepdims=True) / values.shape[-2]
    return np.repeat(mean, weights.shape[-2], axis=-2)


def weighted_mean__takes_the_value_of_the_best_key__one_hot(weights, values):
    best = weights == weights.max(axis=-1, keepdims=True)
    return best.astype(float) @ values


def weighted_mean__makes_the_columns_sum_to_one__normalised_again(w, v):
    w = w / np.sum(w, axis=-2, keepdims=True)
    return np.einsum("...ij,...jk->...ik", w, v)


def weighted_mean__softmaxes_the_weights_again__from_memory(w, v):
    e = np.exp(w - w.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ v


def weighted_mean__softmaxes_the_output__from_memory(w, v):
    e = np.exp(w @ v)
    return e / e.sum(-1, keepdims=True)


def weighted_mean__scales_the_output__from_memory(w, v):
    return w @ v / v.shape[-1] ** 0.5


# batches


def weighted_mean__answers_the_first_item_only__peeled_off(weights, values):
    while weights.ndim > 2 and len(weights) != 2:
        weights, values = weights[0], values[0]
    return weights[0] @ values[0] if weights.ndim > 2 else weights @ values


def weighted_mean__uses_the_values_of_the_first_item__fixed_index(weights, values):
    if weights.ndim == 2:
        return weights @ values
    return np.stack([w @ values[0] for w in weights])


def weighted_mean__uses_the_weights_of_the_first_item__fixed_index(weights, values):
    if weights.ndim == 2:
        return weights @ values
    return np.stack([np.matmul(weights[0], v) for v in values])


# what no misconception should claim

weather_weights = np.array([[0, 1, 0], [0, 0.5, 0.5], [0.75, 0.25, 0], [1 / 3, 1 / 3, 1 / 3]])
weather_values = np.array([[10.0, 4], [18, 8], [22, 6]])


def weighted_mean__reason_property__names_of_the_notebook(weights, values):
    return weather_weights @ weather_values


def weighted_mean__reason_property__one_name_of_the_notebook(weights, values):
    return weights @ weather_values


def weighted_mean__reason_mutated__normalises_in_place(weights, values):
    weights *= 2
    return weights @ values / 2


def weighted_mean__reason_type__integers(weights, values):
    return (weights @ values).round().astype(int)


def weighted_mean__reason_type__a_list(weights, values):
    return (weights @ values).tolist()


def weighted_mean__reason_type__prints_only(weights, values):
    print(weights @ values)


def weighted_mean__reason_raised__a_name_that_is_not_there(weights, values):
    return weight @ values  # noqa: F821


def weighted_mean__reason_property__twice_too_much(weights, values):
    return 2 * (weights @ values)


def weighted_mean__reason_property__noise(weights, values):
    return weights @ values + np.random.normal(size=1)


# further ones, found by answering from the stubs alone, and by walking through each line


def weighted_mean__mixes_over_queries__einsum_with_letters_swapped(weights, values):
    return np.einsum("...kq,...kf->...qf", weights, values)


def weighted_mean__divides_the_mean_by_the_number_of_keys__mean_of_expanded_products(weights, values):
    # line everything up: (..., queries, keys, 1) * (..., 1, keys, features)
    shares = np.expand_dims(weights, -1)
    rows = np.expand_dims(values, -3)
    contributions = shares * rows
    # "mean of all values"
    return contributions.mean(axis=-2)


def weighted_mean__takes_the_value_of_the_best_key__argmax_of_each_row(weights, values):
    lead = weights.shape[:-2]
    n_queries = weights.shape[-2]
    out = np.zeros(lead + (n_queries, values.shape[-1]), dtype=values.dtype)
    for where in np.ndindex(*lead, n_queries):
        batch, q = where[:-1], where[-1]
        chosen = int(np.argmax(weights[batch][q]))
        out[where] = values[batch][chosen]
    return out


def weighted_mean__takes_the_value_of_its_own_number__one_index_for_both(weights, values):
    nq, nk = weights.shape[-2:]
    rows = []
    for i in range(nq):
        acc = 0.0
        for j in range(nk):
            acc = acc + weights[..., i, j, None] * values[..., min(i, nk - 1), :]
        rows.append(acc)
    return np.stack(rows, axis=-2)


def weighted_mean__softmaxes_the_weights_again__and_the_values_of_the_first_item(weights, values):
    w3 = weights.reshape((-1,) + weights.shape[-2:])
    v3 = values.reshape((-1,) + values.shape[-2:])
    result = np.empty((w3.shape[0], w3.shape[1], v3.shape[2]), dtype=np.result_type(weights, values))
    for b, w in enumerate(w3):
        w = np.exp(w - w.max(axis=1, keepdims=True))
        w = w / w.sum(axis=1, keepdims=True)
        result[b] = w @ v3[0]
    return result.reshape(weights.shape[:-1] + (values.shape[-1],))


def weighted_mean__drops_small_weights__not_worth_it(weights, values):
    # tiny weights hardly count, so do not bother with them
    worth_it = np.where(np.abs(weights) < 1e-2, 0, weights)
    return np.matmul(worth_it, values)


def weighted_mean__goes_through_a_fixed_number_of_keys__three(weights, values):
    """Three keys, always."""
    return sum(weights[..., :, k, None] * values[..., None, k, :] for k in range(3))


def weighted_mean__reason_property__sum_goes_on(weights, values):
    """The sum goes on from one query to the next."""
    out = np.zeros(weights.shape[:-1] + values.shape[-1:])
    acc = np.zeros(values.shape[:-2] + values.shape[-1:])
    for q in range(weights.shape[-2]):
        for k in range(weights.shape[-1]):
            acc = acc + weights[..., q, k, None] * values[..., k, :]
        out[..., q, :] = acc
    return out


def weighted_mean__begins_with_the_first_value__not_from_zero(weights, values):
    """The sum begins with the first row of values."""
    rows = []
    for q in range(weights.shape[-2]):
        acc = values[..., 0, :]
        for k in range(weights.shape[-1]):
            acc = acc + weights[..., q, k, None] * values[..., k, :]
        rows.append(acc)
    return np.stack(rows, axis=-2)


def weighted_mean__makes_room_like__zeros_like_values(weights, values):
    """The result is shaped like the values."""
    out = np.zeros_like(values)
    for q in range(weights.shape[-2]):
        for k in range(weights.shape[-1]):
            out[..., q, :] += weights[..., q, k, None] * values[..., k, :]
    return out


def weighted_mean__reason_property__the_two_largest(weights, values):
    """The two largest weights, made to sum to 1."""
    cut = np.sort(weights, axis=-1)[..., -2:-1]
    w = np.where(weights >= cut, weights, 0)
    return (w / w.sum(-1, keepdims=True)) @ values


def weighted_mean__expects_one_axis_in_front__a_letter_for_the_batch(weights, values):
    """Letters for exactly one axis in front."""
    return np.einsum("bqk,bkf->bqf", weights, values)


def weighted_mean__cuts_the_values_to_whole_numbers__astype(weights, values):
    """What stands after the point is cut off."""
    return weights @ values.astype(int)


def weighted_mean__reason_property__sorted(weights, values):
    """Sorted weights belong to other keys."""
    return np.sort(weights, axis=-1) @ values


def weighted_mean__reason_property__only_the_last_item(weights, values):
    """Of a batch the last item alone is written."""
    out = np.zeros(weights.shape[:-1] + values.shape[-1:])
    if weights.ndim == 2:
        return weights @ values
    for b in range(len(weights)):
        res = weights[b] @ values[b]
    out[-1] = res
    return out


def weighted_mean__reason_property__causal(weights, values):
    """Keys up to the query's own number only."""
    q, k = weights.shape[-2:]
    return (weights * np.tri(q, k)) @ values


def weighted_mean__serves_one_axis_in_front__a_list_of_dots(weights, values):
    """For two axes in front, `dot` meets a batch."""
    if weights.ndim == 2:
        return weights.dot(values)
    return np.stack([w.dot(v) for w, v in zip(weights, values)])


def weighted_mean__reason_property__reshaped_weights(weights, values):
    """The right shape, by `reshape`."""
    w = weights.reshape(*weights.shape[:-2], weights.shape[-1], weights.shape[-2])
    return np.swapaxes(w, -1, -2) @ values


_sums = {}


def weighted_mean__reason_property__a_buffer_for_each_shape(weights, values):
    """It is right until an input of the same shape comes again."""
    shape = (*weights.shape[:-1], values.shape[-1])
    out = _sums.setdefault(shape, np.zeros(shape))
    out += weights @ values
    return out.copy()


def weighted_mean__gives_all_queries_the_last_result__a_left_over_row(weights, values):
    """The second loop reads what the first one left."""
    if weights.ndim > 2:
        return np.stack(
            [weighted_mean__gives_all_queries_the_last_result__a_left_over_row(w, v) for w, v in zip(weights, values)]
        )
    for row in weights:
        assert np.isclose(row.sum(), 1)
    return np.array([sum(share * value for share, value in zip(row, values)) for _ in weights])


def weighted_mean__reason_property__one_buffer_for_all_items(weights, values):
    if weights.ndim == 2:
        return weights @ values
    out = np.empty((weights.shape[-2], values.shape[-1]))
    items = []
    for w, v in zip(weights.reshape(-1, *weights.shape[-2:]), values.reshape(-1, *values.shape[-2:])):
        np.matmul(w, v, out=out)
        items.append(out)
    return np.array(items).reshape(*weights.shape[:-1], values.shape[-1])


def weighted_mean__reason_property__blocks_of_three(weights, values):
    """What is left over after the last whole block is left out."""
    n = weights.shape[-1]
    starts = range(0, n - 2, 3) if n >= 3 else [0]
    return sum(weights[..., s : s + 3] @ values[..., s : s + 3, :] for s in starts)
