"""Wrong answers to lesson 10, as learners write them: exercise, what the judge should name, style."""

import torch
import torch.nn.functional as F


def _merged(results):
    return results.transpose(1, 2).flatten(2)


# without_head


def without_head__keeps_that_head_alone__zeros_like(results, w_output, head):
    alone = torch.zeros_like(results)
    alone[:, head] = results[:, head]
    return _merged(alone) @ w_output


def without_head__takes_out_a_text__plain_index(results, w_output, head):
    there = torch.arange(len(results)) != head
    kept = results * there[:, None, None, None]
    return _merged(kept) @ w_output


def without_head__takes_out_a_token__two_colons(results, w_output, head):
    kept = results.clone()
    kept[:, :, head] = 0
    return _merged(kept) @ w_output


def without_head__takes_a_column_from_each_head__dots(results, w_output, head):
    kept = results.clone()
    kept[..., head] = 0
    return _merged(kept) @ w_output


def without_head__counts_heads_from_one__minus_one(results, w_output, head):
    kept = results.clone()
    kept[:, head - 1] = 0
    return _merged(kept) @ w_output


def without_head__silences_the_heads_before_it__slice(results, w_output, head):
    kept = results.clone()
    kept[:, :head] = 0
    return _merged(kept) @ w_output


def without_head__silences_this_head_and_the_later_ones__slice(results, w_output, head):
    kept = results.clone()
    kept[:, head:] = 0
    return _merged(kept) @ w_output


def without_head__reshapes_straight_back__reshape(results, w_output, head):
    batch, heads, tokens, size = results.shape
    kept = results.clone()
    kept[:, head] = 0
    return kept.reshape(batch, tokens, heads * size) @ w_output


def without_head__empties_a_single_row__index(results, w_output, head):
    w_output = w_output.clone()
    w_output[head] = 0
    return _merged(results) @ w_output


def without_head__empties_columns_of_the_matrix__block(results, w_output, head):
    size = results.shape[-1]
    w_output = w_output.clone()
    w_output[:, head * size : (head + 1) * size] = 0
    return _merged(results) @ w_output


def without_head__makes_up_for_the_missing_head__as_dropout(results, w_output, head):
    heads = results.shape[1]
    kept = results.clone()
    kept[:, head] = 0
    return _merged(kept) @ w_output * heads / max(heads - 1, 1)


# previous_token_score


def previous_token_score__looks_at_its_own_token__diagonal(weights):
    own = weights.diagonal(dim1=-2, dim2=-1)
    return own.movedim(-2, 0).flatten(1).mean(1)


def previous_token_score__looks_one_token_ahead__offset(weights):
    ahead = weights.diagonal(offset=1, dim1=-2, dim2=-1)
    return ahead.movedim(-2, 0).flatten(1).mean(1)


def previous_token_score__keeps_the_leading_axes__mean(weights):
    return weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean(dim=-1)


def previous_token_score__gives_one_number_for_all_heads__mean(weights):
    return weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean()


def previous_token_score__adds_up_the_queries__sum(weights):
    before = weights.diagonal(offset=-1, dim1=-2, dim2=-1).sum(dim=-1)
    return before.reshape(-1, before.shape[-1]).mean(dim=0)


def previous_token_score__counts_the_first_query_with_a_zero__mask(weights):
    tokens = weights.shape[-1]
    share = (weights * torch.diag(torch.ones(tokens - 1), -1)).sum(dim=-1)
    return share.movedim(-2, 0).flatten(1).mean(1)


def previous_token_score__lets_the_first_query_find_the_last_key__loop(weights):
    tokens = weights.shape[-1]
    found = torch.stack([weights[..., q, q - 1] for q in range(tokens)], dim=-1)
    return found.movedim(-2, 0).flatten(1).mean(1)


def previous_token_score__takes_all_that_came_before__tril(weights):
    past = weights.tril(-1).sum(dim=-1)[..., 1:]
    return past.movedim(-2, 0).flatten(1).mean(1)


# induction_score


def _copies(tokens):
    return (tokens[:, :, None] == tokens[:, None, :]).tril(-1)


def induction_score__looks_at_the_copy_itself__no_shift(weights, tokens):
    copies = _copies(tokens)
    return (weights * copies[:, None]).sum(dim=(0, 2, 3)) / copies.any(-1).sum()


def induction_score__averages_over_all_queries__mean(weights, tokens):
    behind = F.pad(_copies(tokens), (1, -1))
    return (weights * behind[:, None]).sum(dim=-1).mean(dim=(0, 2))


def induction_score__averages_over_the_copies__boolean_index(weights, tokens):
    behind = F.pad(_copies(tokens), (1, -1))
    return weights.transpose(0, 1)[:, behind].mean(dim=-1)


def induction_score__takes_the_query_for_a_copy__tril(weights, tokens):
    copies = (tokens[:, :, None] == tokens[:, None, :]).tril()
    behind = F.pad(copies, (1, -1))
    return (weights * behind[:, None]).sum(dim=(0, 2, 3)) / behind.any(-1).sum()


def induction_score__looks_before_the_copy__pad(weights, tokens):
    behind = F.pad(_copies(tokens), (-1, 1))
    return (weights * behind[:, None]).sum(dim=(0, 2, 3)) / behind.any(-1).sum()


def induction_score__takes_the_newest_copy_only__dictionary(weights, tokens):
    found = []
    for b in range(len(tokens)):
        last = {}
        for q, token in enumerate(tokens[b].tolist()):
            if token in last:
                found.append(weights[b, :, q, last[token] + 1])
            last[token] = q
    return torch.stack(found).mean(dim=0)


def induction_score__takes_the_first_copy_only__index_of_a_list(weights, tokens):
    found = []
    for b, row in enumerate(tokens.tolist()):
        for q, token in enumerate(row):
            if token in row[:q]:
                found.append(weights[b, :, q, row.index(token) + 1])
    return torch.stack(found).mean(dim=0)


def induction_score__never_lets_a_query_find_itself__range(weights, tokens):
    found = []
    for b, row in enumerate(tokens.tolist()):
        for q in range(len(row)):
            keys = [j + 1 for j in range(q - 1) if row[j] == row[q]]
            if keys:
                found.append(weights[b, :, q, keys].sum(-1))
    return torch.stack(found).mean(dim=0)


def induction_score__gives_one_score_for_all_heads__mean(weights, tokens):
    behind = F.pad(_copies(tokens), (1, -1))
    found = (weights * behind[:, None]).sum(dim=-1).mean(dim=1)
    return found[behind.any(-1)].mean()


# head_similarity


def head_similarity__takes_the_product_for_the_cosine__flat(weights):
    flat = weights.flatten(1)
    return flat @ flat.T


def head_similarity__compares_query_by_query__torch_function(weights):
    return F.cosine_similarity(weights[:, None], weights[None], dim=-1).mean(dim=-1)


def head_similarity__subtracts_the_mean_first__corrcoef(weights):
    return torch.corrcoef(weights.flatten(1))


def head_similarity__compares_means_over_the_queries__mean(weights):
    units = F.normalize(weights.mean(dim=1), dim=-1)
    return units @ units.T


def head_similarity__makes_one_of_the_two_a_unit__normalize(weights):
    flat = weights.flatten(1)
    return flat @ F.normalize(flat, dim=-1).T


def head_similarity__divides_by_squared_lengths__no_root(weights):
    flat = weights.flatten(1)
    units = flat / (flat**2).sum(dim=-1, keepdim=True)
    return units @ units.T


def head_similarity__says_how_different_they_are__one_minus(weights):
    units = F.normalize(weights.flatten(1), dim=-1)
    return 1 - units @ units.T


def head_similarity__compares_the_last_query_only__index(weights):
    units = F.normalize(weights[:, -1], dim=-1)
    return units @ units.T


def without_head__empties_columns_of_the_matrix__of_the_output(results, w_output, head):
    out, size = _merged(results) @ w_output, results.shape[-1]
    out[..., head * size : (head + 1) * size] = 0
    return out


def _mean_of_heads(x):
    return x.movedim(-2, 0).flatten(1).mean(1)


def previous_token_score__reads_the_first_text_alone__index(weights):
    while weights.ndim > 3:
        weights = weights[0]
    return weights.diagonal(-1, -2, -1).mean(-1)


def previous_token_score__leaves_out_one_query_more__cut_first(weights):
    return _mean_of_heads(weights[..., 1:, 1:].diagonal(-1, -2, -1))


def previous_token_score__leaves_out_one_query_more__cut_last(weights):
    return _mean_of_heads(weights[..., :-1, :-1].diagonal(-1, -2, -1))


def previous_token_score__looks_at_its_own_token__cut_first(weights):
    return _mean_of_heads(weights[..., 1:, 1:].diagonal(0, -2, -1))


def previous_token_score__averages_the_square_below_the_first_row__mean(weights):
    return weights[..., 1:, :-1].movedim(-3, 0).flatten(1).mean(1)


def previous_token_score__shares_out_among_the_earlier_tokens__tril(weights):
    past = weights.tril(-1)[..., 1:, :]
    past = past / past.sum(dim=-1, keepdim=True)
    return _mean_of_heads(past[..., :-1].diagonal(0, -2, -1))


def previous_token_score__makes_the_scores_sum_to_one__divided(weights):
    scores = _mean_of_heads(weights.diagonal(-1, -2, -1))
    return scores / scores.sum()


def _score(weights, behind):
    return (weights * behind[:, None]).sum(dim=(0, 2, 3)) / behind.any(-1).sum()


def induction_score__lets_the_last_key_come_round__tril_afterwards(weights, tokens):
    return _score(weights, (tokens[:, :, None] == tokens[:, None, :]).roll(1, -1).tril())


def induction_score__lets_the_last_key_come_round__no_tril(weights, tokens):
    return _score(weights, (tokens[:, :, None] == tokens[:, None, :]).roll(1, -1))


def induction_score__looks_before_the_copy__roll(weights, tokens):
    return _score(weights, _copies(tokens).roll(-1, -1))


def induction_score__shifts_the_queries__roll(weights, tokens):
    return _score(weights, _copies(tokens).roll(1, -2))


def induction_score__shifts_the_queries__pad(weights, tokens):
    return _score(weights, F.pad(_copies(tokens), (0, 0, 1, -1)))


def induction_score__averages_over_all_queries__and_takes_all_copies(weights, tokens):
    behind = F.pad(tokens[:, :, None] == tokens[:, None, :], (1, -1))
    return (weights * behind[:, None]).sum(dim=-1).mean(dim=(0, 2))


def induction_score__takes_later_copies_alone__triu(weights, tokens):
    copies = (tokens[:, :, None] == tokens[:, None, :]).triu(1)
    return _score(weights, F.pad(copies, (1, -1)))


def induction_score__takes_queries_for_keys__turned(weights, tokens):
    return _score(weights, F.pad(_copies(tokens), (1, -1)).mT)


def head_similarity__mixes_the_heads_when_flattening__turned(weights):
    units = F.normalize(weights.reshape(-1, len(weights)).T, dim=-1)
    return units @ units.T


def head_similarity__makes_other_vectors__rows(weights):
    units = F.normalize(weights.flatten(0, 1), dim=-1)
    return units @ units.T


def head_similarity__makes_other_vectors__heads_behind(weights):
    units = F.normalize(weights.reshape(-1, len(weights)), dim=-1)
    return units @ units.T


def without_head__empties_every_so_many_rows__size_before_heads(results, w_output, head):
    rows = w_output.reshape(results.shape[-1], results.shape[1], -1).clone()
    rows[:, head] = 0
    return _merged(results) @ rows.flatten(0, 1)


def without_head__cuts_the_matrix_from_its_last_axis__as_nn_linear_stores_it(results, w_output, head):
    _, heads, _, size = results.shape
    cut = w_output.reshape(-1, heads, size).clone()
    cut[:, head] = 0
    return _merged(results) @ cut.reshape(w_output.shape)


def without_head__takes_away_what_other_rows_made__size_before_heads(results, w_output, head):
    rows = w_output.reshape(results.shape[-1], results.shape[1], -1)[:, head]
    return _merged(results) @ w_output - results[:, head] @ rows


def without_head__takes_away_what_other_rows_made__from_the_number_on(results, w_output, head):
    own = w_output[head : head + results.shape[-1]]
    return _merged(results) @ w_output - results[:, head] @ own


def _equal(tokens):
    return tokens[:, :, None] == tokens[:, None, :]


def induction_score__takes_later_copies_alone__triu_with_the_diagonal(weights, tokens):
    return _score(weights, F.pad(_equal(tokens).triu(), (1, -1)))


def induction_score__takes_later_copies_alone__triu_and_roll(weights, tokens):
    return _score(weights, _equal(tokens).triu(1).roll(1, -1))


def induction_score__takes_later_copies_alone__triu_and_no_shift(weights, tokens):
    return _score(weights, _equal(tokens).triu(1))


def induction_score__divides_by_the_queries_with_later_copies__triu(weights, tokens):
    copies = _equal(tokens).triu(1)
    behind = F.pad(copies, (1, -1))
    return (weights * behind[:, None]).sum(dim=(0, 2, 3)) / copies.any(-1).sum()


def induction_score__looks_at_the_copy_itself__tril_without_a_number(weights, tokens):
    return _score(weights, _equal(tokens).tril())


def induction_score__averages_over_all_queries__and_takes_the_query_for_a_copy(weights, tokens):
    copies = _equal(tokens).tril()
    behind = F.pad(copies, (1, -1))
    return (weights * behind[:, None]).sum(dim=(0, 2, 3)) / copies.any(-1).sum()


def induction_score__divides_the_queries_by_the_weight__fraction(weights, tokens):
    behind = F.pad(_copies(tokens), (1, -1))
    return behind.any(-1).sum() / (weights * behind[:, None]).sum(dim=(0, 2, 3))


def head_similarity__turns_the_cosine_upside_down__lengths_above(weights):
    flat = weights.flatten(1)
    length = flat.norm(dim=-1)
    return length[:, None] * length / (flat @ flat.T)
