"""Lesson 04: three learned matrices, what people do with them, and what torch does for them."""

import math

import numpy as np
from array_api_compat import array_namespace

import mha_ref
from autograder import inputs
from autograder.activations import ACTIVATIONS, NORMS
from autograder.exercise import Exercise, ModuleExercise, Question, Step, TestWriting
from autograder.properties import (
    batch_items_do_not_touch_each_other,
    blocked_tokens_have_no_influence,
    rows_with_nothing_allowed_are_zero,
    scores_are_products_of_queries_and_keys,
    values_are_only_mixed,
)
from autograder.variants import varied

# do you remember lessons 02 and 03?

remember_the_padding = Question(
    answer=(2, 1, 6),
    points=0,
    wrong={
        (2, 1, 1, 6): "That is the mask with its axis for heads, and `[:, 0]` takes this axis out. "
        "Look at lesson 03, *Shapes that fit, and one that only seems to*.",
        (2, 6): "Here the axis of the queries is gone as well. It stays, with length 1: the row is for all queries. "
        "Look at lesson 03, *Shapes that fit, and one that only seems to*.",
        (2, 6, 6): "That has a row for each query. Padding is hidden from all queries alike, so one row is enough. "
        "Look at lesson 03, *Shapes that fit, and one that only seems to*.",
        (1, 6): "That is one sentence, and there are two. In `[:, 0]` the colon keeps the whole batch. "
        "Look at lesson 03, *Write the padding mask*.",
        (1, 1, 6): "That has one sentence, and there are two. In `[:, 0]` the colon keeps the whole batch, "
        "and the 0 takes out the axis behind it. Look at lesson 03, *Write the padding mask*.",
        (2, 1, 4): "4 is the length of the first sentence. A mask has a column for each place, a padded one too. "
        "Look at lesson 03, *Write the padding mask*.",
    },
    hints=(
        "A padding mask has four axes: batch, heads, queries, keys. "
        "Two of them have the length 1, because what is padding is padding for every head and for every query. "
        "Write down the four lengths, for 2 sentences of 6 places.",
        "`[:, 0]` keeps the first axis whole, and takes out the second. "
        "A colon says: all of this axis. "
        "A number says: this one place, and then the axis is gone. "
        "Axes that are not named in the brackets stay as they are.",
        "Before, the shape is (2, 1, 1, 6). "
        "Strike out the second of these lengths, and leave the others in their order. "
        "What is left are the axes that a layer with one head works with: batch, queries, keys. "
        "How long is each of them?",
    ),
)

remember_a_blocked_key = Question(
    answer=8,
    points=0,
    wrong={
        22: "That is the mean of all three values, as if there were no mask. A blocked key gets the weight 0. "
        "Look at lesson 03, *A mask says who may look at whom*.",
        16 / 3: "Here three keys have shared, and one share was thrown away. "
        "A blocked key is missing from the sum as well, so two keys share one whole. "
        "Look at lesson 03, *What if one zeroes afterwards?*",
        16: "That is the sum of the two values. They are mixed, with weights that sum to 1. "
        "Look at lesson 03, *A mask says who may look at whom*.",
        50: "That is the value of the blocked key, and nobody may look there. "
        "Look at lesson 03, *A mask says who may look at whom*.",
    },
    hints=(
        "Cross out the blocked key. "
        "Which values are left to be mixed? "
        "The blocked one counts neither in the weighted sum nor below the line of softmax. "
        "So its 50 leaves no trace in the result, and the result lies between the other two values.",
        "The scores are equal, so the keys that are left share alike. "
        "How much does each get? "
        "With three keys it would be a third. "
        "But one of the three is out, and the shares of the others must still sum to 1.",
        "One half of 6 and one half of 10. "
        "With equal shares the mean of two values lies in the middle between them. "
        "Nothing is divided by three, since the third key has no share at all. "
        "What are the two halves together?",
    ),
)

remember_a_sure_row = Question(
    answer="b",
    points=0,
    wrong={
        "a": "Large scores make sure weights, and not large slopes. "
        "Put the weights 1 and 0 into the formula for the slopes, and see what comes out. "
        "Look at lesson 02, *Nothing left to learn from*.",
        "c": "Weights sum to 1. If one rises, others must fall, so they cannot all rise. "
        "Look at lesson 02, *Nothing left to learn from*.",
    },
    hints=(
        "How strongly a weight follows a score is a slope. "
        "Lesson 02 has a formula for the slopes of softmax. "
        "It needs the weights alone, and no scores. "
        "So put the three weights of this row into it, and see what a tiny push can do.",
        "The slopes are w(1 - w), and minus the product of two weights. "
        "Put in 1 and 0. "
        "To compare: in a row that is undecided between two keys, each weight is 0.5, and the slope w(1 - w) is "
        "0.25. "
        "How much is left of it here?",
        "With the weights 1, 0 and 0, each product w(1 - w) has a 0 in it, and so has each product of two weights. "
        "So all slopes are 0. "
        "What does that say about the weights, if a score moves a tiny bit?",
    ),
)

project = Step(mha_ref.project)

attention_head = Exercise(
    mha_ref.attention_head,
    inputs.one_head,
    points=2,
    library="torch",
    hints=(
        "A head is the attention of lesson 03 with one step in front of it. "
        "Until now somebody handed you query, key and value. "
        "Here you make them yourself, all three from the same words, each with a matrix of its own. "
        "What follows is known to you, and imported.",
        "Write down the shapes. The words are (tokens, model_size), a matrix is (model_size, head_size). "
        "Which one stands on the left, so that the two model sizes meet and disappear? "
        "Do this three times, and start from `x` each time. "
        "The mask takes no part in it; it goes on to the attention.",
        "Three matrix products make three tensors out of `x`, one with each matrix. "
        "Give them to `masked_attention` in the order query, key, value, and the mask after them. "
        "It divides by the root, uses softmax and mixes the values, and it knows what a mask of None means. "
        "Return what comes back.",
    ),
    properties=(
        rows_with_nothing_allowed_are_zero,
        batch_items_do_not_touch_each_other,
        blocked_tokens_have_no_influence,
        values_are_only_mixed,
        scores_are_products_of_queries_and_keys,
    ),
)

AttentionHead = ModuleExercise(
    mha_ref.attention_head,
    inputs.self_layer,
    sizes=dict(model_size=lambda i: len(i["w_query"]), head_size=lambda i: i["w_query"].shape[-1]),
    at_work="autograder.judging.modules.attention:attention_head",
    points=3,
    hints=(
        "A module has two parts. "
        "`__init__` runs once, when the head is built: there the three matrices are made and kept as attributes. "
        "`forward` runs on every call: there the matrices meet the words, and what you wrote as a function happens "
        "again. "
        "Numbers that are learned live in the first part, numbers that pass through in the second.",
        "In `__init__`, after `super().__init__()`, give the module three attributes named query, key and value. "
        "Each leads from model_size to head_size, without a bias. "
        "In `forward` use these attributes by `self.`, each on the same `x`. "
        "Nothing is to be kept from one call to the next.",
        "`nn.Linear` takes the number of inputs, the number of outputs, and `bias=False`. "
        "A linear layer is called with the words in brackets, and gives their projection. "
        "`forward` makes three projections, hands them with the mask to `masked_attention`, "
        "and returns what comes back. "
        "With `nn.Parameter`, which wraps a tensor of random numbers, you could call your own `attention_head`.",
    ),
    properties=(
        rows_with_nothing_allowed_are_zero,
        batch_items_do_not_touch_each_other,
        blocked_tokens_have_no_influence,
        values_are_only_mixed,
        scores_are_products_of_queries_and_keys,
    ),
)

test_attention_head = TestWriting(
    attention_head,
    catches=(
        "forgets_to_pass_the_mask",
        "uses_the_query_weights_for_keys",
        "swaps_key_and_value_weights",
        "forgets_to_project_the_values",
        "scales_by_the_model_size",
        "projects_keys_to_values",
    ),
    points=2,
    hints=(
        "A slow version that you trust is the best judge of a fast one. "
        "Run both on the same random numbers and assert that the results are close. "
        "What is left to think of are the sizes, and the mask, of which the slow version knows nothing.",
        "If all sizes differ, most mix-ups of matrices stop with an error or give another shape. "
        "If all sizes are equal, they run, and give other numbers. "
        "Both count as caught, if you compare. "
        "But the root of the wrong size shows only where model_size and head_size differ.",
        "For the mask: hide the last tokens from everybody, and keep the rows of the tokens that are left. "
        "They must equal the slow version's result for a sentence that ends there. "
        "Compare with `torch.allclose`. If the shapes differ, it may stop with an error, and that counts as caught.",
    ),
)


# project: which matrix meets which words


@project.misconception
def transposes_the_weights(query, key, value, w_query, w_key, w_value):
    """Your matrices were turned on their side before they met the words.
    `nn.Linear` stores its matrix as (outputs, inputs), and turns it by itself.
    A matrix that multiplies from the right is (inputs, outputs): model_size first.
    Write down the two shapes that meet in your product."""
    return query @ w_query.mT, key @ w_key.mT, value @ w_value.mT


@project.misconception
def multiplies_weights_from_the_left(query, key, value, w_query, w_key, w_value):
    """A matrix stands on the left of the words in your products.
    Tokens are rows here. A matrix on the left mixes rows, so it mixes different tokens; on the right it mixes the
    features of one token.
    Which two sizes have to meet in the middle?"""
    return w_query @ query, w_key @ key, w_value @ value


@project.misconception
def uses_the_query_weights_for_keys(query, key, value, w_query, w_key, w_value):
    """The keys were made with the matrix of the queries; their own was not used for them.
    What a token looks for and what it offers are two different things, so each has a matrix of its own.
    Which matrix stands in the line that makes the keys?"""
    return query @ w_query, key @ w_query, value @ w_value


@project.misconception
def uses_the_key_weights_for_queries(query, key, value, w_query, w_key, w_value):
    """The queries were made with the matrix of the keys; their own was not used for them.
    What a token looks for and what it offers are two different things, so each has a matrix of its own.
    Which matrix stands in the line that makes the queries?"""
    return query @ w_key, key @ w_key, value @ w_value


@project.misconception
def uses_the_key_weights_for_values(query, key, value, w_query, w_key, w_value):
    """What your output mixes was made with the matrix of the keys; `w_value` does not count.
    By its key a token is found; its value is what it hands over, and has a matrix of its own.
    Which matrix makes your values, and are the values what you mix?"""
    return query @ w_query, key @ w_key, value @ w_key


@project.misconception
def uses_the_query_weights_for_values(query, key, value, w_query, w_key, w_value):
    """What your output mixes was made with the matrix of the queries; `w_value` does not count.
    With its query a token asks; its value is what it hands over to others, and has a matrix of its own.
    Which matrix stands in the line that makes the values, and are they what you mix?"""
    return query @ w_query, key @ w_key, value @ w_query


@project.misconception
def uses_the_value_weights_for_keys(query, key, value, w_query, w_key, w_value):
    """What your queries are compared with was made with the matrix of the values; `w_key` does not count.
    A key is for comparing, a value for handing over, so each has a matrix of its own.
    Which matrix stands in the line that makes the keys, and are they what you compare with?"""
    return query @ w_query, key @ w_value, value @ w_value


@project.misconception
def uses_the_value_weights_for_queries(query, key, value, w_query, w_key, w_value):
    """The queries were made with the matrix of the values; their own was not used for them.
    A query is what a token looks for, a value what it hands over, so each has a matrix of its own.
    Which matrix stands in the line that makes the queries?"""
    return query @ w_value, key @ w_key, value @ w_value


@project.misconception
def uses_the_query_weights_for_all(query, key, value, w_query, w_key, w_value):
    """One matrix, that of the queries, made queries, keys and values; the other two were not used.
    Looking for, offering and carrying are three roles, and there are three matrices so that each can be learned by
    itself.
    Look at the names in all three products."""
    return query @ w_query, key @ w_query, value @ w_query


@project.misconception
def uses_the_key_weights_for_all(query, key, value, w_query, w_key, w_value):
    """One matrix, that of the keys, made queries, keys and values; the other two were not used.
    Looking for, offering and carrying are three roles, and there are three matrices so that each can be learned by
    itself.
    Look at the names in all three products."""
    return query @ w_key, key @ w_key, value @ w_key


@project.misconception
def uses_the_value_weights_for_all(query, key, value, w_query, w_key, w_value):
    """One matrix, that of the values, made queries, keys and values; the other two were not used.
    Looking for, offering and carrying are three roles, and there are three matrices so that each can be learned by
    itself.
    Look at the names in all three products."""
    return query @ w_value, key @ w_value, value @ w_value


@project.misconception
def swaps_query_and_key_weights(query, key, value, w_query, w_key, w_value):
    """The matrices of queries and keys have changed places, or what they made has, or the scores were turned on their
    side.
    In each case a score stands where that of the other direction belongs: rows are for those who ask.
    Check the order of the names, where they come in and where you use them, and the letters of an `einsum`."""
    return query @ w_key, key @ w_query, value @ w_value


@project.misconception
def swaps_key_and_value_weights(query, key, value, w_query, w_key, w_value):
    """The matrices of keys and values have changed places, or what they made has: tokens are compared by what they
    carry, and hand over what they offer.
    The order is query, key, value everywhere in this course.
    Check the names, where they come in and where you use them."""
    return query @ w_query, key @ w_value, value @ w_key


@project.misconception
def swaps_query_and_value_weights(query, key, value, w_query, w_key, w_value):
    """The matrices of queries and values have changed places, or what they made has.
    Some code elsewhere takes them in the order value, key, query; here it is query, key, value.
    Check the names, where they come in and where you use them."""
    return query @ w_value, key @ w_key, value @ w_query


@project.misconception
def takes_weights_as_key_value_query(query, key, value, w_query, w_key, w_value):
    """Each matrix has moved by one place: queries, keys and values were made with the matrices of keys, values and
    queries.
    The order is query, key, value everywhere in this course.
    Check the order of your parameters, or of what you unpack."""
    return query @ w_key, key @ w_value, value @ w_query


@project.misconception
def takes_weights_as_value_query_key(query, key, value, w_query, w_key, w_value):
    """Each matrix has moved by one place: queries, keys and values were made with the matrices of values, queries and
    keys.
    The order is query, key, value everywhere in this course.
    Check the order of your parameters, or of what you unpack."""
    return query @ w_value, key @ w_query, value @ w_key


@project.misconception
def forgets_to_project_the_values(query, key, value, w_query, w_key, w_value):
    """The values are the tokens as they came in: the matrix that is meant for them has no
    influence on your result.
    What a token hands over is learned too, by a matrix of its own, and it may have another size than the token.
    Which of your three products is missing, or not used?"""
    return query @ w_query, key @ w_key, value


@project.misconception
def forgets_to_project_the_keys(query, key, value, w_query, w_key, w_value):
    """The keys are the tokens as they came in: the matrix that is meant for them has no
    influence on your result.
    What a token offers is learned, by a matrix of its own.
    Which of your three products is missing, or not used?"""
    return query @ w_query, key, value @ w_value


@project.misconception
def forgets_to_project_the_queries(query, key, value, w_query, w_key, w_value):
    """The queries are the tokens as they came in: the matrix that is meant for them has no
    influence on your result.
    What a token looks for is learned, by a matrix of its own.
    Which of your three products is missing, or not used?"""
    return query, key @ w_key, value @ w_value


@project.misconception
def projects_the_values_alone(query, key, value, w_query, w_key, w_value):
    """The tokens themselves were compared with each other: the matrices of queries and keys have no influence.
    Without these two matrices a token finds mostly itself, because nothing is more similar to it.
    What a token looks for and what it offers both have to be made first."""
    return query, key, value @ w_value


@project.misconception
def forgets_every_projection(query, key, value, w_query, w_key, w_value):
    """Your result does not depend on any of the three matrices: the tokens themselves were compared and mixed.
    That was the attention of the lesson before, where nothing could be learned.
    Make queries, keys and values first, and then go on with these."""
    return query, key, value


@project.misconception
def projects_keys_to_values(query, key, value, w_query, w_key, w_value):
    """Your values were made out of keys: two matrices were multiplied onto the tokens, one after the other.
    Each of the three starts from the tokens as they came in.
    Does a line overwrite a variable that the next line reads?"""
    return query @ w_query, key @ w_key, key @ w_key @ w_value


@project.misconception
def projects_queries_to_keys(query, key, value, w_query, w_key, w_value):
    """Your keys were made out of queries: two matrices were multiplied onto the tokens, one after the other.
    Each of the three starts from the tokens as they came in.
    Does a line overwrite a variable that the next line reads?"""
    return query @ w_query, query @ w_query @ w_key, value @ w_value


@project.misconception
def projects_queries_to_values(query, key, value, w_query, w_key, w_value):
    """Your values were made out of queries: two matrices were multiplied onto the tokens, one after the other.
    Each of the three starts from the tokens as they came in.
    Does a line overwrite a variable that a later line reads?"""
    return query @ w_query, key @ w_key, query @ w_query @ w_value


@project.misconception
def projects_one_after_the_other(query, key, value, w_query, w_key, w_value):
    """Keys were made out of queries, and values out of these keys: each matrix was multiplied onto what the one before
    had made.
    Each of the three starts from the tokens as they came in.
    Does your code overwrite the variable that holds the tokens?"""
    query = query @ w_query
    return query, query @ w_key, query @ w_key @ w_value


@project.misconception
def multiplies_weights_element_by_element(query, key, value, w_query, w_key, w_value):
    """Tokens and matrices were multiplied number by number, as `*` does.
    A projection makes each new feature out of all the old ones: a sum of products, for each column of the matrix.
    Which operator does that?"""
    return query * w_query, key * w_key, value * w_value


@project.misconception
def bends_the_projections(query, key, value, w_query, w_key, w_value):
    """Queries, keys and values hold no negative numbers: what was below 0 has been cut off, as ReLU does.
    Between a projection and the scores stands no activation.
    A query that dislikes a feature has to be able to say so, with a negative number."""
    return tuple(np.maximum(x, 0) for x in project(query, key, value, w_query, w_key, w_value))


@project.misconception
def bends_the_projections_with_tanh(query, key, value, w_query, w_key, w_value):
    """Queries, keys and values were pressed between -1 and 1, as tanh does.
    Between a projection and the scores stands no activation.
    How long a query is says how sure it is of its choice, so its length must stay free."""
    return tuple(np.tanh(x) for x in project(query, key, value, w_query, w_key, w_value))


@project.misconception
def normalises_the_projections(query, key, value, w_query, w_key, w_value):
    """Softmax was applied to queries, keys and values.
    It belongs to the scores, where it shares out a query's attention over the keys.
    Features are no shares: they may be negative, and need not sum to 1."""
    return tuple(mha_ref.softmax(x) for x in project(query, key, value, w_query, w_key, w_value))


@project.misconception
def divides_the_projections_by_their_length(query, key, value, w_query, w_key, w_value):
    """Queries, keys and values were all made one long: each row was divided by its own length.
    Their direction is left, and how much there is of it is lost.
    A long query chooses sharply, a long value carries much, so both must be free. Leave the projections as they are."""
    return tuple(_one_long(x) for x in project(query, key, value, w_query, w_key, w_value))


@project.misconception
def divides_the_values_by_their_length(query, key, value, w_query, w_key, w_value):
    """Your values were made one long: each row was divided by its own length.
    How much a token hands over is then lost, and only the direction is left.
    Attention mixes values as the projection makes them."""
    query, key, value = project(query, key, value, w_query, w_key, w_value)
    return query, key, _one_long(value)


@project.misconception
def turns_square_weights_only(query, key, value, w_query, w_key, w_value):
    """Matrices that are square were used lying on their side; with other sizes all is well.
    A square matrix does not show which of its axes is which: rows are what goes in here, columns what comes out.
    Where in your code does a size, or the matrix of an `nn.Linear`, decide what is turned?"""
    turned = (w.mT if w.shape[-1] == w.shape[-2] else w for w in (w_query, w_key, w_value))
    return project(query, key, value, *turned)


BENT = {"queries, keys and values": (0, 1, 2), "queries and keys": (0, 1), "values": (2,)}


def bent(projected, which, function):
    """Queries, keys and values, some of them after a function."""
    return tuple(function(x) if place in BENT[which] else x for place, x in enumerate(projected))


@project.misconception(which=("queries and keys", "values"), by=("ReLU", "GELU", "tanh"))
def bends_some_of_the_projections(query, key, value, w_query, w_key, w_value, *, which, by):
    """Your {which} went through {by} after they were projected.
    Between a projection and what uses it stands no activation: any sign and any size means something.
    Follow what comes out of the three products to the place where it is used."""
    return bent(project(query, key, value, w_query, w_key, w_value), which, ACTIVATIONS[by])


@project.misconception
def bends_the_projections_with_gelu(query, key, value, w_query, w_key, w_value):
    """Queries, keys and values went through GELU: nearly all that was negative is gone.
    Between a projection and the scores stands no activation.
    A query that dislikes a feature has to be able to say so, with a negative number."""
    return bent(project(query, key, value, w_query, w_key, w_value), "queries, keys and values", ACTIVATIONS["GELU"])


@project.misconception(norm=tuple(NORMS))
def normalises_what_was_projected(query, key, value, w_query, w_key, w_value, *, norm):
    """Queries, keys and values went through {norm} after they were projected.
    A projection is used as it is: how long a query is says how sure it is of its choice, and a long value carries much.
    Which lines stand between the three products and the scores?"""
    return bent(project(query, key, value, w_query, w_key, w_value), "queries, keys and values", NORMS[norm])


def _one_long(x):
    return x / (x**2).sum(axis=-1, keepdims=True) ** 0.5


project.hints_for(
    "transposes_the_weights",
    "multiplies_weights_from_the_left",
    "multiplies_weights_element_by_element",
    "turns_square_weights_only",
    hints=(
        "A projection asks each token some questions, and each *column* of the matrix is one question. "
        "Its numbers say how much each old feature counts in the answer. "
        "So a new feature is a sum over all old features of the same token, with the numbers of one column. "
        "Old features are mixed in this way; different tokens never are.",
        "Test one product alone, with a square matrix of zeros that has a single 1, in row 0 and column 1. "
        "It should carry the first feature of each token to the second place, and leave zeros elsewhere. "
        "If the second goes to the first place, the matrix lies on its side. "
        "If whole tokens change places, it stands on the wrong side. "
        "If nothing moves, the sum is missing.",
        "The tokens stand on the left, the matrix on the right, with the matrix product between them. "
        "The last axis of the tokens meets the first axis of the matrix, and both are features of a token. "
        "A matrix of shape (inputs, outputs) needs no transpose. "
        "`nn.Linear` and `F.linear` turn theirs by themselves, as they store it the other way round.",
    ),
)

project.hints_for(
    "uses_the_query_weights_for_keys",
    "uses_the_key_weights_for_queries",
    "uses_the_key_weights_for_values",
    "uses_the_query_weights_for_values",
    "uses_the_value_weights_for_keys",
    "uses_the_value_weights_for_queries",
    "uses_the_query_weights_for_all",
    "uses_the_key_weights_for_all",
    "uses_the_value_weights_for_all",
    hints=(
        "There are three jobs, and three matrices for them. "
        "All start as random numbers of the same kind, and they become different only because they are used for "
        "different things. "
        "If one matrix does a second job, the matrix of that job is never used. "
        "Then it has no influence, so it gets no slope and learns nothing, and no error says so.",
        "Make a small table with three lines: query, key, value. "
        "Beside each write which matrix made it, and then where it goes: to the left of the scores, to the right of "
        "the scores, or into the mixture. "
        "Each matrix should occur once. "
        "In torch the slopes help as well: after `backward()`, a matrix that was not used has None or zeros in "
        "`.grad`.",
        "There are three products, one for each job, and in each the names should agree from left to right: the "
        "query comes from the queries' matrix, the key from the keys' matrix, the value from the values' matrix. "
        "Afterwards each is used under its own name: query and key for the scores, value for the mixture. "
        "A line that was copied has to be changed at every name.",
    ),
)

project.hints_for(
    "swaps_query_and_key_weights",
    "swaps_key_and_value_weights",
    "swaps_query_and_value_weights",
    "takes_weights_as_key_value_query",
    "takes_weights_as_value_query_key",
    hints=(
        "Wherever three things are handed over, their order is an agreement between two lines: the one that gives "
        "and the one that takes. "
        "Python sees that there are three. "
        "It cannot see which is which, and often their shapes are equal. "
        "So a wrong order runs without an error, and all that changes is who does which job.",
        "Mark every place where the three stand in a row: parameters, calls, unpacked tuples, matrices that are put "
        "side by side and split again. "
        "Write q, k, v beside each, in the order it has. "
        "Do all of them read alike? "
        "If so, look at the scores. "
        "Their rows belong to the query, and their columns to the key, also in the result of an `einsum`.",
        "Keep one order, query, key, value: in what you take, in what you make, and in what you pass on. "
        "Passing arguments by name is safer still. "
        "In the scores the query is on the left, and the key, with its last two axes swapped, is on the right. "
        "Then each row belongs to the one who asks, and softmax shares along it.",
    ),
)

project.hints_for(
    "forgets_to_project_the_values",
    "forgets_to_project_the_keys",
    "forgets_to_project_the_queries",
    "projects_the_values_alone",
    "forgets_every_projection",
    hints=(
        "A token's vector says everything about it at once. "
        "A projection takes from it what matters for one job. "
        "Since its matrix is learned, the model can find out by itself what that is. "
        "A job that uses the plain vector has nothing to learn with, and its matrix lies idle. "
        "So all three jobs need a product, each with a matrix of its own.",
        "Look at the three arrays that meet in the attention: on the left of the scores, on the right of the "
        "scores, and in the mixture. "
        "For each, go back to the line that made it. "
        "Is it still the input itself? "
        "Perhaps the product was made, but its result has no name, or the next line reads the older name.",
        "In front of the attention stand three products, one each for queries, keys and values. "
        "Each takes the tokens and the matrix of that job. "
        "Give each of the three results a name that the input does not have. "
        "Then the attention reads these three names, and does not read the input any more.",
    ),
)

project.hints_for(
    "projects_keys_to_values",
    "projects_queries_to_keys",
    "projects_queries_to_values",
    "projects_one_after_the_other",
    hints=(
        "The three projections stand side by side; they are no chain. "
        "Each looks at a token as it came in, from a direction of its own. "
        "In a chain, the second matrix sees only what the first one has left, and what the first one dropped cannot "
        "come back. "
        "A value should be free to carry what the query or the key had no use for.",
        "Look for a name that stands for two things, one after the other: first for the input, then for something "
        "made from it. "
        "Print the first few numbers of the input before each of the three products. "
        "They should not change. "
        "If you have a loop over the matrices, what does its second round start from?",
        "Each product has the input on its left side, and its result gets a name of its own. "
        "No line writes to the name of the input. "
        "This also holds where queries come from one sequence, and keys and values from another one: each starts "
        "from its sequence as it came in.",
    ),
)

PLAIN_PROJECTIONS = (
    "A projection is a plain weighted sum, and should stay one. "
    "Its numbers may have any sign and any size, and both mean something. "
    "A negative score pushes a key away, a large one makes the choice sharp, and a large value has much to say. "
    "The one place where attention bends numbers is softmax, and there it bends scores.",
    "Go through all that happens after the three products: up to the scores for query and key, up to the "
    "mixture for the value. "
    "Is there a function that gives back an array of the same shape, such as `relu`, `tanh`, `softmax`, "
    "`normalize`, or a division by a norm? "
    "Print the smallest and the largest number before it and after it.",
    "What the three products give goes on as it is: query and key into the scores, the value into the mixture. "
    "No other function stands between. "
    "The one division is that of the scores, by the root of the size of query and key. "
    "The one softmax is that of the scores, over the keys.",
)

project.hints_for(
    "bends_the_projections",
    "bends_the_projections_with_tanh",
    "normalises_the_projections",
    "divides_the_projections_by_their_length",
    "divides_the_values_by_their_length",
    "bends_some_of_the_projections",
    "bends_the_projections_with_gelu",
    "normalises_what_was_projected",
    hints=PLAIN_PROJECTIONS,
)


# attention_head: what the three are used for


@attention_head.misconception
def forgets_to_pass_the_mask(x, w_query, w_key, w_value, mask=None):
    """Hidden tokens are looked at like all others: wherever a query may look at something, your result is as without a
    mask.
    The mask comes in as a parameter, and has to take effect where scores become weights.
    Does it get there, through every call on the way?"""
    return attention_head(x, w_query, w_key, w_value)


@attention_head.misconception
def scales_by_the_model_size(x, w_query, w_key, w_value, mask=None):
    """The scores were divided by the root of the token's size, model_size.
    A dot product of query and key sums over *their* features, and after the projection these are head_size many.
    From which tensor do you take the size?"""
    return attention_head(x, w_query * math.sqrt(w_query.shape[-1] / x.shape[-1]), w_key, w_value, mask)


@attention_head.misconception
def scales_twice(x, w_query, w_key, w_value, mask=None):
    """In effect the scores were divided by the whole head_size: by its root twice, or by the number without a root.
    The root, once, makes their standard deviation about 1.
    `masked_attention` and `attention_scores` divide by themselves, so is there a second division in your own code?"""
    return attention_head(x, w_query / math.sqrt(w_query.shape[-1]), w_key, w_value, mask)


@attention_head.misconception
def adds_the_input_back(x, w_query, w_key, w_value, mask=None):
    """The tokens that came in were added to your output.
    A sum of this kind (a residual connection) stands outside attention, and a later lesson uses it there.
    Here the output is the weighted mean of the values and nothing else."""
    return attention_head(x, w_query, w_key, w_value, mask) + x


@attention_head.misconception
def answers_for_the_first_token_only(x, w_query, w_key, w_value, mask=None):
    """Your output has an answer for one token only, the first.
    In self-attention every token asks, so there are as many rows as tokens.
    Is there an index that takes one row out?"""
    return attention_head(x, w_query, w_key, w_value, mask)[..., :1, :]


@attention_head.misconception
def averages_the_tokens_of_the_output(x, w_query, w_key, w_value, mask=None):
    """The axis of the tokens is gone: your answers were averaged into one.
    Every token asks a question of its own and gets an answer of its own.
    Leave the rows side by side, as many as there are tokens."""
    return attention_head(x, w_query, w_key, w_value, mask).mean(axis=-2)


@attention_head.misconception(which=("last", "first"))
def leaves_one_token_out(x, w_query, w_key, w_value, mask=None, *, which):
    """The {which} token has no influence on any other: nobody compares with its key, and nobody receives its value.
    Every token may be looked at by all, itself included.
    Where does your loop or your slice over the keys begin, and where does it end?"""
    tokens = x.shape[-2]
    seen = array_namespace(x).arange(tokens) != (tokens - 1 if which == "last" else 0)
    return attention_head(x, w_query, w_key, w_value, seen if mask is None else mask & seen)


@attention_head.misconception(diagonal=(0, -1))
def compares_with_earlier_tokens_only(x, w_query, w_key, w_value, mask=None, *, diagonal):
    """Scores for later tokens stayed at 0, as if they had never been computed.
    A 0 is a score like any other, so those tokens still get a share, whatever their keys are.
    Every query is compared with every key: does the inner loop run over all tokens?"""
    query, key, value = mha_ref.project(x, x, x, w_query, w_key, w_value)
    scores = array_namespace(x).tril(mha_ref.attention_scores(query, key), k=diagonal)
    return mha_ref.masked_softmax(scores, scores == scores if mask is None else mask) @ value


@attention_head.misconception
def shifts_the_keys_by_one(x, w_query, w_key, w_value, mask=None):
    """Each share belongs to the token before: keys and values were moved against each other by one place.
    What a query finds by a key, it should receive as the value of that same token.
    Is something rolled, or an index one too low, on one side only?"""
    query, key, value = mha_ref.project(x, x, x, w_query, w_key, w_value)
    return mha_ref.masked_attention(query, array_namespace(x).roll(key, 1, axis=-2), value, mask)


@attention_head.misconception
def normalises_the_tokens_first(x, w_query, w_key, w_value, mask=None):
    """Every token was normalised before it was projected: its mean was taken away, and it was divided by its spread.
    Such a layer norm often stands in front of attention, and a later lesson puts it there; it is no part of a head.
    Project the tokens as they come in."""
    x = x - x.mean(axis=-1, keepdims=True)
    return attention_head(x / ((x**2).mean(axis=-1, keepdims=True) + 1e-5) ** 0.5, w_query, w_key, w_value, mask)


@attention_head.misconception
def hides_each_token_from_itself(x, w_query, w_key, w_value, mask=None):
    """No token looks at itself in your code, though nobody forbids it.
    A word may well be its own best answer, and what it carries is part of the mixture.
    Only the mask hides. Is there an `eye`, a diagonal, or a loop that leaves out the token that asks?"""
    others = array_namespace(x).eye(x.shape[-2]) == 0
    return attention_head(x, w_query, w_key, w_value, others if mask is None else mask & others)


@attention_head.misconception
def hides_blocked_tokens_on_both_sides(x, w_query, w_key, w_value, mask=None):
    """A mask was joined with itself, turned on its side: whoever may not be looked at by a token may not look at it.
    Looking has a direction. That you hide a word from me says nothing about what you may see.
    Row i, column j is about i looking at j. Is there a transpose of the mask?"""
    if mask is None:
        return attention_head(x, w_query, w_key, w_value)
    square = array_namespace(x).broadcast_to(mask, (*x.shape[:-1], x.shape[-2]))
    return attention_head(x, w_query, w_key, w_value, square & square.mT)


@attention_head.misconception
def turns_hidden_tokens_into_zeros(x, w_query, w_key, w_value, mask=None):
    """Tokens that nobody may look at became zeros, and were then looked at like all others.
    A key of zeros has a score of 0, and the exponential of 0 is 1: it still takes a share from the others.
    A mask works on scores, before softmax. Does yours get there?"""
    if mask is None:
        return attention_head(x, w_query, w_key, w_value)
    xp = array_namespace(x)
    seen = xp.any(xp.broadcast_to(mask, (*x.shape[:-1], x.shape[-2])), axis=-2)
    return attention_head(xp.where(seen[..., None], x, 0.0), w_query, w_key, w_value)


attention_head.hints_for(
    "forgets_to_pass_the_mask",
    "turns_hidden_tokens_into_zeros",
    hints=(
        "A parameter that may be None is easily lost. "
        "If a call leaves it out, everything runs as if there were none, and no error says so. "
        "The mask has nothing to do in the projections. "
        "It is needed at one spot, where scores become shares, and this spot may lie two or three calls further in.",
        "Begin at that spot and go outwards. "
        "Which call makes the shares, and does the mask stand in it? "
        "Who makes this call, and was the mask handed over there? "
        "Go on up to your own parameters. "
        "Then test it: hide one token from everybody, change the vector of this token, and look at the rows of the "
        "others. "
        "They should not move.",
        "Whatever makes the shares gets the mask as one more argument, beside query, key and value. "
        "In torch's own function its name is `attn_mask`. "
        "If you compute the shares yourself, softmax must read the masked scores and not the plain ones. "
        "And if there is a branch for a mask of None, an array must take the other branch.",
    ),
)

attention_head.hints_for(
    "scales_by_the_model_size",
    "scales_twice",
    hints=(
        "The root answers a question: how many products were added up in one score? "
        "After the projection these are head_size many. "
        "One division by the root of that, and the scores spread by about 1, whatever the size of a head is. "
        "If you divide by more, all scores come close to 0, the shares come close to each other, and the head "
        "hardly chooses.",
        "List all divisions between the projections and softmax, with those that are hidden in calls: "
        "`attention_scores`, `masked_attention` and torch's own function divide by themselves. "
        "Is there one too many? "
        "Print the number that you divide by, and its square. "
        "The square should be the last size of your query, and not that of the input.",
        "There are two good ways. "
        "Give the plain projections to a function that scales by itself, and divide nowhere. "
        "Or make the scores yourself, and divide them once, by the *square root* of the last size of the query, as "
        "it is after the projection. "
        "Never do both, and never leave the root out.",
    ),
)

attention_head.hints_for(
    "adds_the_input_back",
    "normalises_the_tokens_first",
    hints=(
        "In a whole model a head has neighbours: often a normalisation in front of it, and a sum with the input "
        "behind it. "
        "In many programs they stand so close together that they look like one thing. "
        "Yet each is a part of its own, and whoever builds the model puts them together. "
        "The head projects, attends, and gives back a mixture.",
        "Compare your code with the formula: three projections, scores, root, softmax, mixture. "
        "Is there more? "
        "Look at both ends. "
        "Multiply the input by 2, and the values should double; if they stay, it was normalised. "
        "Then give the head a single token: the output should be its value, that is its product with the values' "
        "matrix, and nothing more.",
        "The three products read the input as it was handed in, with no mean taken away and no division. "
        "And what the attention gives back is the result; nothing is added to it. "
        "In general it could not be: the size of a value may be another than that of a token, and then the two "
        "shapes do not fit.",
    ),
)

attention_head.hints_for(
    "answers_for_the_first_token_only",
    "averages_the_tokens_of_the_output",
    hints=(
        "As many rows as go in come out, and row i of the result is the answer to token i. "
        "Within a row, values of many tokens have been mixed, and with that the mixing is over. "
        "To make one row of them all, for a verdict on a whole sentence say, is the work of another part, behind "
        "the attention.",
        "Take a sentence in which the number of tokens, the features and the size of the head are all different, "
        "and print the shape after each line. "
        "Where does the number of tokens go? "
        "Look for an index or a slice on the last axis but one, for a `mean` or a `sum` over it, and for a `return` "
        "inside a loop.",
        "The shares are (..., tokens, tokens) and the values are (..., tokens, value_size). "
        "Their product has a row for each token, and all of these rows are the result. "
        "No index and no mean comes after it. "
        "If you loop over the tokens, collect the rows in a list, and stack them when the loop has ended.",
    ),
)

attention_head.hints_for(
    "leaves_one_token_out",
    "compares_with_earlier_tokens_only",
    "hides_each_token_from_itself",
    "hides_blocked_tokens_on_both_sides",
    hints=(
        "Each token asks all tokens, itself included, so n tokens make n times n scores. "
        "A pair may be forbidden by a mask, and by nothing else. "
        "If a loop or a slice leaves pairs out, this is a rule that nobody gave. "
        "And where their places in the table stay 0, softmax does not even take them for hidden.",
        "Print the scores of one sentence, just before softmax, without a mask. "
        "There should be a row and a column for each token, and a score at every place. "
        "Is a column missing or blocked, or is there a triangle of zeros? "
        "Then look where loops and slices begin and end: `range(i)`, `1:` and `:-1` are the likely ones.",
        "The inner loop runs over all tokens, from the first to the last, wherever the outer loop has come to. "
        "Keys and values are used whole. "
        "Or make the table with one matrix product, of the queries with the keys, whose last two axes are swapped. "
        "To hide a pair is left to the mask.",
    ),
)

attention_head.hints_for(
    "shifts_the_keys_by_one",
    hints=(
        "The key and the value of a token belong together, like a label and its box. "
        "One compares with the label, and takes what is in the box. "
        "Nothing holds the two together but their number: key j and value j are the same token. "
        "If one side moves by a place, each label sticks to the box of a neighbour, and no shape shows it.",
        "Let one key fit a query very well and all others badly, so that nearly the whole share goes to it. "
        "Which value comes out, the one with the same number? "
        "Then look for a `roll`, for an index with plus or minus 1, or for a list that begins with another token, "
        "on the side of the keys or on that of the values.",
        "Keys and values are made from the same tokens in the same order, and both go into the attention like that. "
        "In loops, one counter picks the key for the score, and the same counter picks the value for the mixture. "
        "Column j of the scores and row j of the values have to be the same token.",
    ),
)


# questions


@varied(sentences=(2, 3, 6), words=(5, 7, 9), features=(16, 24, 32), size=(4, 8, 10), values=(3, 6, 12))
def head_output_shape(sentences, words, features, size, values):
    """A batch of {sentences} sentences has {words} words each, with {features} features:
    `x` is `({sentences}, {words}, {features})`.
    `w_query` and `w_key` are `({features}, {size})`, `w_value` is `({features}, {values})`.
    """
    one_number = "That is one number for each word. What a word receives is a mixture of values. How long are these?"
    return Question(
        answer=(sentences, words, values),
        wrong={
            (sentences, words, size): f"{size} is the size of queries and keys. They are compared, "
            "and their features are summed away. What is handed over are values.",
            (sentences, words, features): f"{features} is the size of a word. The head mixes values, "
            "and `w_value` has made these out of the words.",
            (sentences, words, words): "That is the shape of the shares, words against words. "
            "With them the values are still to be mixed.",
            (sentences, size, values): f"{size} is the size of queries and keys. Each of the {words} words asks, "
            "so each of them gets an answer.",
            (words, sentences, values): "The sizes are right. The batch stays where it is in `x`, in front.",
            (sentences * words, values): f"The {sentences} sentences of {words} words stay apart: "
            "the batch keeps an axis of its own.",
            (sentences, values): "That is one answer for each sentence. Every word asks, so every word gets an answer.",
            (sentences, words): one_number,
            (words, values): f"The batch stays in front: each of the {sentences} sentences gets an output of its own.",
            (sentences, values, words): "The sizes are right. Words are rows and features are columns: "
            "words come first.",
            (sentences, words, size + values): f"{size} and {values} are not put together: the {size} features of "
            "queries and keys are summed away in the scores. What comes out is made of values.",
            (sentences, words, 1): one_number,
            (sentences, words, 2 * size + values): "You put queries, keys and values side by side. "
            "Queries and keys only decide on the shares; what comes out is made of values.",
            (sentences, words, 3 * size): f"{size}, {size} and {values} are not put together. "
            "Queries and keys only decide on the shares.",
            (features, values): f"That is the shape of `w_value`. Multiplied onto the words, its {features} meets "
            "theirs and disappears.",
            (sentences, features, values): f"The {features} features of the words meet the {features} rows of the "
            "matrix and disappear. What is left of `x`?",
        },
        hints=(
            "Each word gets one answer, and the answer is a mixture of values. "
            "So two sizes come from the words, and one from the values. "
            f"The {features} features of a word go into the matrices and do not come out. "
            "Which of the matrices makes the values?",
            "Go step by step. "
            "Which shapes do query, key and value have? "
            "Which shape do the shares have? "
            f"In each projection the {features} of `x` meets the {features} of a matrix, and both are gone. "
            "What comes out has as many columns as the matrix.",
            f"The shares are ({sentences}, {words}, {words}) and the values are ({sentences}, {words}, {values}). "
            f"In their product two of the {words} meet and disappear. "
            f"The other {words} in the shares counts the words that ask, and it stays. "
            "So do the sentences in front. "
            "What is left?",
        ),
    )


share_of_street = Question(
    answer=0.15,
    wrong={
        0.2: "That is its share in the other sentence. All shares are divided by a new sum, "
        "and *animal* has gone from 0.4 to 0.3.",
        0.3: "Did you give *street* what *animal* has lost, 0.2 + 0.1, or as much as *animal*, or exchange the two? "
        "No score of theirs has moved. Only the sum that divides them has, and it is the same for both.",
        0.4: "You took it that the new word helps *street*. But *it* asks the same question as before, and *street* "
        "offers the same key.",
        0.6: "You doubled where you should halve. In the first sentence *street* has half of what *animal* has.",
        0.1: "You took the same difference away from both. Shares are e to the score, over a sum: a new sum "
        "divides, it does not subtract.",
        0.5: "You added up two of the shares. The sum that divides them is another one, and the same for both.",
        0.05: "That is what *street* loses. What is left to it?",
        0.7: "That is all that *animal* leaves over. The other ten words have shares in it, too.",
    },
    tolerance=1e-3,
    hints=(
        "What does the score of *street* depend on? "
        "On what *it* looks for, and on what *street* offers. "
        "Has either of them changed? "
        "The head sees the words as they come from the list, and only the last word of the sentence is another one.",
        "Both scores are as they were. "
        "Only the sum that divides them has changed, the same for both nouns. "
        "So both shares grow or shrink together, by the same factor. "
        "By which factor did the share of *animal* go from 0.4 to 0.3?",
        "If both are divided by a new sum, one over the other stays as it was. "
        "It was 0.4 to 0.2: *animal* had twice as much as *street*. "
        "So it still has twice as much. "
        "How much is that for *street*, if *animal* has 0.3 now?",
    ),
)

slope_at_two = Question(
    answer=6,
    wrong={
        1: "1 is the loss at w = 2. The question is how fast it changes there.",
        2: "That is the outer factor, 2u with u = 1. A nudge of w moves u three times as far.",
        3: "That is the inner factor. The square on the outside has a slope too: 2u.",
        18: "Did a 3 get in twice? The inner factor is 3, once. The outer one is 2u, and u = 3w - 5 is 1 at w = 2.",
        30: "Did the 5 get in? It moves nothing by itself: it decides how large u = 3w - 5 is. What is u at 2?",
        9: "That is the 3 squared. A nudge of w moves u three times as far, once; the other factor is 2u.",
        36: "You took u = 3w. It is 3w - 5, and at w = 2 that is 1.",
        24: "That is the slope at w = 3, in the cell above.",
        -6: "The size is right. At w = 2, is 3w - 5 above or below 0?",
        6.09: "You nudged w up by 0.01, and the square bends a little on the way. "
        "With the two factors of the chain rule the slope is exact.",
        6.009: "You nudged w up by 0.001, and the square bends a little on the way. "
        "With the two factors of the chain rule the slope is exact.",
        12: "You put w itself where u belongs. The outer factor is 2u with u = 3w - 5.",
    },
    tolerance=1e-4,
    hints=(
        "Two factors multiply: how fast 3w - 5 moves when w moves, and how fast u squared moves when u moves. "
        "Here u stands for 3w - 5. "
        "The first factor is the same everywhere. "
        "The second depends on how large u is, so on where w stands.",
        "The first factor is 3. "
        "For the second you need the value of 3w - 5 at w = 2. "
        "The line that was printed above does the same at w = 3: there 3w - 5 is 4, and the slope is 3 · 2 · 4. "
        "What changes at w = 2?",
        "At w = 2, u is 1, so the second factor is 2 times 1. "
        "Multiply it by 3. "
        "You can check the slope by a nudge: at w = 2.01 the loss is 1.03 squared, about 1.06, and it was 1. "
        "How many times the nudge is that?",
    ),
)

slopes_for_one_word = Question(
    answer="c",
    wrong={
        "a": "Try it with the formula: softmax of a single score. What is the share, whatever the score is?",
        "b": "It is the other way round. Queries and keys decide between words. What is there to decide?",
        "d": "One matrix has an influence still: the output is the word's value, with a share of 1.",
    },
    hints=(
        "A matrix gets a slope of 0 if moving its numbers does not move the output. "
        "So take the three matrices one by one, and give each a small push in your mind. "
        "What moves next: scores, shares, values? "
        "And does the output move at last?",
        "With one word there is one score. "
        "What does softmax make of a single number? "
        "Try it with the score 3, and then with 7: the same exponential stands above the line and below it. "
        "So what is left for queries and keys to decide?",
        "The share is 1, whatever query and key are. "
        "So which matrix does the output still depend on? "
        "A share of 1 takes the value whole, so the output is the value of this one word. "
        "Which of the three matrices makes the value?",
    ),
)

linear_weight_shape = Question(
    answer=(4, 6),
    wrong={
        (6, 4): "That is the order in which you give the sizes, and how our own matrices lie. "
        "`nn.Linear` stores its matrix on its side.",
        (4, 7): "A bias would be a parameter of its own, beside the matrix, and there is none here.",
        (6,): "That is one row of it: the six numbers that make one output.",
        (4,): "That would be the shape of the bias, and there is none.",
        (24,): "The number of numbers is right. They are stored as a table of two axes.",
        (6, 6): "Six inputs become four outputs, so both sizes are in the shape.",
        (4, 4): "Six inputs become four outputs, so both sizes are in the shape.",
    },
    hints=(
        "Six numbers come in, four go out. "
        "The only question is the order of the two sizes. "
        "Our own matrices are (inputs, outputs), and they multiply from the right. "
        "The text above tells how `nn.Linear` keeps its matrix, and what it does before it multiplies.",
        "It computes `x @ weight.mT`. "
        "Which shape must `weight.mT` have, if x is (..., 6) and the result (..., 4)? "
        "The last length of x meets the first one of `weight.mT`, and the second one comes out. "
        "Then ask how the matrix lay before it was turned.",
        "`weight.mT` is (6, 4). "
        "Let its two axes change places, since `.mT` has turned what is stored. "
        "If you want to see it, make such a layer in a cell of your own and print the shape of its weight. "
        "Which of the two sizes stands in front?",
    ),
)

matrices_that_learn = Question(
    answer=2,
    wrong={
        4: "All four are there. But a module registers parameters and modules that are its "
        "attributes. Two of the four are neither.",
        3: "One of your three is overlooked. Is it an ordinary tensor, or does it stand in an ordinary list?",
        1: "There are two ways to be seen: as a module like `nn.Linear`, and as an `nn.Parameter`. "
        "Among the attributes each of the two occurs once.",
        0: "Some of it does learn. Look at the first line of the four.",
    },
    hints=(
        "Go through the four lines. "
        "For each ask: what kind of thing is the attribute? "
        "It may be a module, a parameter, an ordinary tensor or a list. "
        "The text above says what a module puts on its list, and what it does not look into.",
        "A module registers attributes that are an `nn.Parameter` or a module. "
        "A list is neither, whatever is in it. "
        "A tensor is only a number to compute with, unless something wraps it. "
        "Write yes or no beside each of the four lines, and count.",
        "`torch.randn` gives an ordinary tensor, and the square brackets make an ordinary list: neither is "
        "registered. "
        "The two other attributes are. "
        "If you want to see it, make this head in a cell of your own, and print the names that `named_parameters()` "
        "gives.",
    ),
)


@varied(features=(512, 256, 320, 384, 640, 768, 1024), size=(64, 32, 40, 48, 80, 96, 128))
def parameters_of_a_head(features, size):
    """A head takes words of {features} features, and queries, keys and values all have {size}."""
    one = features * size
    nearly = "Nearly. Parameters are counted to the last one, so do not round."
    return Question(
        answer=3 * one,
        wrong={
            one: "That is one of the matrices. How many does a head have?",
            2 * one: "That is two of the matrices. The values have one too.",
            4 * one: "That is four matrices. A fourth one comes in lesson 05; a single head has three.",
            3 * one + size: f"You counted a bias of {size}. This head has none.",
            3 * features: f"That is 3 times {features}. Each of the three matrices has {features} rows, "
            "but how many columns?",
            3 * (one + size): f"You counted a bias of {size} for each matrix. This head has none.",
            3 * features**2: f"Those are three matrices of {features} by {features}. "
            f"Here each leads from {features} features to {size}.",
            3 * one // 100 * 100: nearly,
            3 * one // 1000 * 1000: nearly,
            features + 2 * size: "You added sizes. A matrix has a number for each row *and* each column: "
            "the sizes multiply.",
            3 * size: f"That is 3 times {size}, the numbers that a word becomes. "
            f"Each is made by a whole column of {features} parameters.",
            3 * (features + size): f"You added {features} and {size}. "
            "A matrix has a number for each row *and* each column: the sizes multiply.",
            3 * size**2: f"Those are three matrices of {size} by {size}. Each takes in words of {features} features.",
        },
        tolerance=0,
        hints=(
            "Count the numbers in one matrix first. "
            "How many rows and columns does it have? "
            "Each feature that comes in has a row, each number that comes out has a column. "
            "A small one to try: from 3 features to 2 it takes 6 numbers.",
            f"A matrix leads from {features} features to {size}, so it holds {features} times {size} numbers. "
            "How many such matrices are there? "
            "Go through the formula of the head, and count the letters W in it. "
            "There are no biases, so nothing is added to that.",
            f"{features} times {size} is {one}. "
            "Queries, keys and values have one each, and here all three have the same size. "
            "There is no output matrix yet: it comes with several heads, in lesson 05. "
            "So multiply once more, and add nothing.",
        ),
    )
