"""Lesson 12: where tokens are, and what people believe about it."""

import mha_ref
from autograder.exercise import Exercise, Step, TestWriting
from autograder.question import Question, slips

from . import cases
from .properties import (
    a_query_pays_nothing_for_itself,
    a_turn_keeps_the_length,
    a_window_never_shows_the_future,
    at_position_0_nothing_is_turned,
    each_position_costs_the_same,
    every_number_is_a_sine_or_a_cosine,
    later_heads_see_farther,
    more_positions_change_no_row,
    scores_stay_where_all_positions_move,
    the_first_position_is_not_turned,
    the_newest_keys_are_seen,
    two_turns_are_one,
)

sinusoidal_positions = Exercise(
    mha_ref.sinusoidal_positions,
    cases.tokens_size,
    points=2,
    library="torch",
    properties=(the_first_position_is_not_turned, every_number_is_a_sine_or_a_cosine, more_positions_change_no_row),
    counts=cases.in_single_precision,
)
apply_rotary = Exercise(
    mha_ref.apply_rotary,
    cases.turned,
    points=3,
    library="torch",
    properties=(
        at_position_0_nothing_is_turned,
        a_turn_keeps_the_length,
        two_turns_are_one,
        scores_stay_where_all_positions_move,
    ),
)
alibi_bias = Exercise(
    mha_ref.alibi_bias,
    cases.heads_queries_keys,
    points=2,
    library="torch",
    properties=(a_query_pays_nothing_for_itself, each_position_costs_the_same, later_heads_see_farther),
    counts=cases.without_the_future,
)
window_mask = Exercise(
    mha_ref.window_mask,
    cases.sizes_window,
    points=2,
    library="torch",
    properties=(a_window_never_shows_the_future, the_newest_keys_are_seen),
)
rotary_angles = Step(mha_ref.rotary_angles)
interleave = Step(mha_ref.interleave)
distances = Step(mha_ref.distances)
alibi_slopes = Step(mha_ref.alibi_slopes)


def turns_complex_numbers(x, positions, base=10000.0):
    """takes each pair for a complex number"""
    import torch

    speeds = base ** (-torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1])
    turns = torch.exp(1j * positions[:, None] * speeds)
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * turns).flatten(-2).to(x.dtype)


def makes_its_angles_in_float32(x, positions, base=10000.0):
    """makes its angles in float32"""
    import torch

    angles = positions[:, None] / base ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    partner = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * angles.cos().repeat_interleave(2, dim=-1) + partner * angles.sin().repeat_interleave(2, dim=-1)


def turns_by_matrices(x, positions, base=10000.0):
    """multiplies each pair by a matrix of its own"""
    import torch

    angles = positions[:, None] * base ** (-torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    matrices = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)  # (tokens, pairs, 2, 2)
    return (matrices.to(x.dtype) @ x.unflatten(-1, (-1, 2))[..., None]).flatten(-3)


test_apply_rotary = TestWriting(
    apply_rotary,
    also_right=(turns_complex_numbers, makes_its_angles_in_float32, turns_by_matrices),
    catches=(
        "adds_a_vector_for_the_position",
        "squares_the_position",
        "adds_where_it_should_subtract",
        "reads_what_it_has_overwritten",
        "turns_each_column_by_an_angle_of_its_own",
        "counts_the_positions_itself",
    ),
    points=3,
)


# what to predict, to calculate, to choose

shuffled_under_a_causal_mask = Question(
    answer="b",
    wrong={
        "a": "Without a mask that would be so. Here a token sees itself and those that come before it. "
        "Which ones come before it after the shuffle?",
        "c": "Then the first row would stay the same, too. But after the shuffle another word is first, and it sees "
        "only itself. Would its output be the same vector?",
    },
)

columns_of_the_pairs = Question(
    answer=(0, 3, 1, 4, 2, 5),
    wrong={
        (0, 2, 4, 1, 3, 5): "This goes the other way: it takes neighbours apart into two halves. "
        "Which of their columns is the partner of their column 0? It belongs beside it.",
        (0, 1, 2, 3, 4, 5): "That leaves all columns where they are. The partner of their column 0 is column 3.",
        (3, 0, 4, 1, 5, 2): "The pairs are right, but within each pair the two are exchanged. "
        "Which of the two comes first?",
        (3, 4, 5, 0, 1, 2): "That exchanges the halves. What belongs beside column 0 is its partner.",
        (0, 5, 1, 4, 2, 3): "You folded the row in the middle. Column 0 goes with 3, and 1 goes with 4.",
        (1, 4, 2, 5, 3, 6): "You counted from 1. Columns are counted from 0.",
    },
)


repaired_by_a_window = Question(
    answer=("broken", "repaired"),
    wrong=slips(
        ("broken", "repaired"),
        ("broken", "repaired"),
        (
            "Look at the learned table first. What does the model find in its row for position 200, "
            "and does a mask change that row?",
            "You are right about the learned table. For rotary, ask which distances are left when the window is on, "
            "and whether the model met them in training.",
        ),
    ),
)
reach_of_two_layers = Question(
    answer=126,
    tolerance=0,
    wrong={
        64: "That is the window of one layer, with the token itself. What has the farthest key already seen, "
        "one layer below?",
        63: "That is the reach of one layer. What has the farthest key already seen, one layer below?",
        128: "Twice the window counts the token itself twice. A window of 64 reaches 63 positions back.",
        127: "That is how many tokens can have an influence, the last one included. How far back is the first of them?",
        4096: "The reach of two layers adds up; it does not multiply. From 63 positions back, how much farther does "
        "the layer below look?",
        3969: "The reach of two layers adds up; it does not multiply.",
        255: "Without a window that would be so. With one, how far back does each layer look?",
    },
)


# from memory: about earlier lessons, unmarked


remember_what_one_token_leaves = Question(
    answer=160,
    points=0,
    wrong={
        80: "That is half of it. Count keys *and* values, of both heads that are kept: see lesson 11, *What it costs*.",
        40: "That is what one layer keeps. Each layer keeps its own keys and values: see lesson 11, *What it costs*.",
        1280: "You counted the query heads. They share, and only what they share is kept: see lesson 11, *Heads "
        "that share*.",
        640: "You counted 16 heads, and one of the two things that a head keeps. Which heads have keys? See "
        "lesson 11, *Heads that share*.",
        320: "You counted one layer, with all query heads. Which heads have keys and values? See lesson 11, "
        "*Heads that share*.",
        20: "That is half of what one layer keeps. Count keys *and* values, of both heads, in all layers: see "
        "lesson 11, *What it costs*.",
        240: "Did you count queries as well? They are not needed again: see lesson 11, *What is the same every time*.",
    },
)

remember_a_loss_beside_another = Question(
    answer=2,
    points=0,
    wrong={
        0.5: "The less a model expected the right token, the *larger* its loss: see lesson 09, *How surprised is it?*",
        4: "4 is one divided by the second probability, and the loss is its logarithm. Now do the same for the "
        "first, and compare. See lesson 09, *How surprised is it?*",
        0.6931: "That is the loss of the first model. How many times does it fit into that of the second? See "
        "lesson 09, *How surprised is it?*",
        1.3863: "That is the loss of the second model. Divide it by that of the first: see lesson 09, *How "
        "surprised is it?*",
        1: "Both are surprised, but the second one more. What is minus the logarithm of each probability? See "
        "lesson 09, *How surprised is it?*",
    },
)


# to predict before a run, unmarked


predict_without_positions = Question(
    answer="rise",
    points=0,
    wrong={
        "fall": "Later characters do have more to read. But the model was trained on 64 characters: has a query "
        "ever seen 200 keys there?",
        "stay": "No position goes in, so nothing seems new. But the mask gives a clue: how many keys does a query "
        "see at position 200, and how many did it ever see in training?",
    },
)
predict_the_last_column = Question(
    answer=("worse", "worse"),
    points=0,
    wrong={
        (
            "worse",
            "better",
        ): "The first is right. The sinusoids do exist for every position; but which of them have the layers "
        "behind met in training?",
        (
            "better",
            "better",
        ): "At 64 characters both are better. At 256 most vectors for positions are new: how does a model like "
        "what it has never met?",
        (
            "better",
            "worse",
        ): "The table has 256 rows, but how many of them were used in training? It saw texts of 64 characters.",
    },
)
predict_rotary_beyond = Question(
    answer="breaks",
    points=0,
    wrong={
        "holds": "It is true that its scores depend on distance alone. But which distances between a query and a key "
        "came up in texts of 64 characters?",
    },
)
predict_alibi_beyond = Question(
    answer="holds",
    points=0,
    wrong={
        "breaks": "The distances are new, as they were to rotary. But here a new distance changes one number, the "
        "price: how far is that from prices in training?",
    },
)
