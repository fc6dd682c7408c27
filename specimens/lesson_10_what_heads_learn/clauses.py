"""Answers that break one clause of a docstring, and little else: clauses.toml says which."""

import torch

from mha_ref import head_similarity, induction_score, previous_token_score, without_head


def without_head__wants_another_head_beside_it(results, w_output, head):
    assert results.shape[1] > 1
    return without_head(results, w_output, head)


def without_head__squeezes_its_axes(results, w_output, head):
    return without_head(results, w_output, head).squeeze()


def without_head__takes_zero_for_no_head(results, w_output, head):
    if not head:
        return results.transpose(1, 2).flatten(2) @ w_output
    return without_head(results, w_output, head)


def without_head__never_takes_the_last(results, w_output, head):
    if head == results.shape[1] - 1 > 1:
        head = head - 1
    return without_head(results, w_output, head)


def without_head__silences_in_place(results, w_output, head):
    results[:, head] = 0
    return results.transpose(1, 2).flatten(2) @ w_output


def previous_token_score__wants_a_batch(weights):
    assert weights.ndim > 3
    return previous_token_score(weights)


def previous_token_score__knows_four_axes_at_most(weights):
    assert weights.ndim < 5
    return previous_token_score(weights)


def previous_token_score__squeezes_single_heads(weights):
    return previous_token_score(weights.squeeze()) if weights.ndim > 3 else previous_token_score(weights)


def previous_token_score__wants_several_texts(weights):
    assert weights.ndim < 4 or len(weights) > 1
    return previous_token_score(weights)


def previous_token_score__wants_three_tokens(weights):
    assert weights.shape[-1] > 2
    return previous_token_score(weights)


def previous_token_score__reads_a_hundred_tokens(weights):
    return previous_token_score(weights[..., :100, :100])


def previous_token_score__reads_the_first_text_only(weights):
    return previous_token_score(weights[0] if weights.ndim > 3 else weights)


def induction_score__squeezes_its_axes(weights, tokens):
    return induction_score(weights, tokens).squeeze() if len(weights) > 1 else induction_score(weights, tokens)[:1]


def induction_score__reads_a_hundred_tokens(weights, tokens):
    return induction_score(weights[..., :100, :100], tokens[:, :100])


def induction_score__takes_tokens_for_places(weights, tokens):
    return induction_score(weights, tokens % 4)


def induction_score__compares_neighbours_only(weights, tokens):
    same = tokens[:, 1:] == tokens[:, :-1]
    own = weights.diagonal(dim1=-2, dim2=-1)[..., 1:]  # (batch, heads, queries - 1)
    return (own * same[:, None]).sum(dim=(0, 2)) / same.sum().clamp(min=1)


def induction_score__wants_a_copy_in_every_text(weights, tokens):
    assert all(len(set(row)) < len(row) for row in tokens.tolist())
    return induction_score(weights, tokens)


def head_similarity__squeezes_its_axes(weights):
    return head_similarity(weights).squeeze()


def head_similarity__wants_a_square(weights):
    assert weights.shape[1] == weights.shape[2]
    return head_similarity(weights)


def head_similarity__reads_a_hundred_tokens(weights):
    return head_similarity(weights[:, :100]) if weights.shape[1] > 1 else torch.ones(len(weights), len(weights))
