"""What people get wrong about `project`."""

import numpy as np

import mha_ref
from autograder.mistakes import mistake
from mha_lessons.lesson_02_scaled_dot_product.activations import ACTIVATIONS, NORMS

from ..exercises import project


def transposes_the_weights(query, key, value, w_query, w_key, w_value):
    """You transposed the matrices before multiplying, or they stand on the left of the product.
    `nn.Linear` stores its matrix as (outputs, inputs), and transposes it by itself.
    A matrix that multiplies from the right is (inputs, outputs): model_size first.
    Write down the two shapes that meet in your product."""
    return query @ w_query.mT, key @ w_key.mT, value @ w_value.mT


def multiplies_weights_from_the_left(query, key, value, w_query, w_key, w_value):
    """In your products the matrix is on the left of the words.
    Tokens are rows here. A matrix on the left mixes rows, so it mixes different tokens; on the right it mixes the
    features of one token.
    Which two sizes have to meet in the middle?"""
    return w_query @ query, w_key @ key, w_value @ value


def uses_the_query_weights_for_keys(query, key, value, w_query, w_key, w_value):
    """You made the keys with the matrix of the queries, and not with their own.
    What a token looks for and what it offers are two different things, so each has a matrix of its own.
    Which matrix is in the line that makes the keys?"""
    return query @ w_query, key @ w_query, value @ w_value


def uses_the_key_weights_for_queries(query, key, value, w_query, w_key, w_value):
    """You made the queries with the matrix of the keys, and not with their own.
    What a token looks for and what it offers are two different things, so each has a matrix of its own.
    Which matrix is in the line that makes the queries?"""
    return query @ w_key, key @ w_key, value @ w_value


def uses_the_key_weights_for_values(query, key, value, w_query, w_key, w_value):
    """Your output mixes something made with the matrix of the keys; `w_value` has no effect.
    By its key a token is found; by its value it hands something over, and the value has a matrix of its own.
    Which matrix makes your values, and do you mix those values?"""
    return query @ w_query, key @ w_key, value @ w_key


def uses_the_query_weights_for_values(query, key, value, w_query, w_key, w_value):
    """Your output mixes something made with the matrix of the queries; `w_value` has no effect.
    With its query a token asks; with its value it hands something over, and the value has a matrix of its own.
    Which matrix is in the line that makes the values, and do you mix those values?"""
    return query @ w_query, key @ w_key, value @ w_query


def uses_the_value_weights_for_keys(query, key, value, w_query, w_key, w_value):
    """Your queries are compared with something made with the matrix of the values; `w_key` has no effect.
    A key is for comparing, a value for handing over, so each has a matrix of its own.
    Which matrix is in the line that makes the keys, and do you compare the queries with those keys?"""
    return query @ w_query, key @ w_value, value @ w_value


def uses_the_value_weights_for_queries(query, key, value, w_query, w_key, w_value):
    """You made the queries with the matrix of the values, and not with their own.
    A query says what a token looks for, a value what it hands over, so each has a matrix of its own.
    Which matrix is in the line that makes the queries?"""
    return query @ w_value, key @ w_key, value @ w_value


def uses_the_query_weights_for_all(query, key, value, w_query, w_key, w_value):
    """You made queries, keys and values with one matrix, that of the queries, and did not use the other two.
    Looking for, offering and carrying are three roles, and there are three matrices so that each can be learned by
    itself.
    Look at the names in all three products."""
    return query @ w_query, key @ w_query, value @ w_query


def uses_the_key_weights_for_all(query, key, value, w_query, w_key, w_value):
    """You made queries, keys and values with one matrix, that of the keys, and did not use the other two.
    Looking for, offering and carrying are three roles, and there are three matrices so that each can be learned by
    itself.
    Look at the names in all three products."""
    return query @ w_key, key @ w_key, value @ w_key


def uses_the_value_weights_for_all(query, key, value, w_query, w_key, w_value):
    """You made queries, keys and values with one matrix, that of the values, and did not use the other two.
    Looking for, offering and carrying are three roles, and there are three matrices so that each can be learned by
    itself.
    Look at the names in all three products."""
    return query @ w_value, key @ w_value, value @ w_value


def swaps_query_and_key_weights(query, key, value, w_query, w_key, w_value):
    """The matrices of queries and keys are swapped, or their results are, or you transposed the scores.
    In each case a score is where the score of the opposite direction belongs: rows are for the tokens that ask.
    Check the order of the names, where they come in and where you use them, and the letters of an `einsum`."""
    return query @ w_key, key @ w_query, value @ w_value


def swaps_key_and_value_weights(query, key, value, w_query, w_key, w_value):
    """The matrices of keys and values are swapped, or their results are: tokens are compared by what they
    carry, and hand over what they offer.
    The order is query, key, value everywhere in this course.
    Check the names, where they come in and where you use them."""
    return query @ w_query, key @ w_value, value @ w_key


def swaps_query_and_value_weights(query, key, value, w_query, w_key, w_value):
    """The matrices of queries and values are swapped, or their results are.
    Some libraries take them in the order value, key, query; here it is query, key, value.
    Check the names, where they come in and where you use them."""
    return query @ w_value, key @ w_key, value @ w_query


def takes_weights_as_key_value_query(query, key, value, w_query, w_key, w_value):
    """Each matrix is one place off: you made queries, keys and values with the matrices of keys, values and
    queries.
    The order is query, key, value everywhere in this course.
    Check the order of your parameters, or of what you unpack."""
    return query @ w_key, key @ w_value, value @ w_query


def takes_weights_as_value_query_key(query, key, value, w_query, w_key, w_value):
    """Each matrix is one place off: you made queries, keys and values with the matrices of values, queries and
    keys.
    The order is query, key, value everywhere in this course.
    Check the order of your parameters, or of what you unpack."""
    return query @ w_value, key @ w_query, value @ w_key


def forgets_to_project_the_values(query, key, value, w_query, w_key, w_value):
    """The values are the tokens as they came in: the matrix meant for them has no influence on your result.
    What a token hands over is learned, too, with a matrix of its own, and it may have a different size from the token.
    Which of your three products is missing, or not used?"""
    return query @ w_query, key @ w_key, value


def forgets_to_project_the_keys(query, key, value, w_query, w_key, w_value):
    """The keys are the tokens as they came in: the matrix meant for them has no influence on your result.
    What a token offers is learned, with a matrix of its own.
    Which of your three products is missing, or not used?"""
    return query @ w_query, key, value @ w_value


def forgets_to_project_the_queries(query, key, value, w_query, w_key, w_value):
    """The queries are the tokens as they came in: the matrix meant for them has no influence on your result.
    What a token looks for is learned, with a matrix of its own.
    Which of your three products is missing, or not used?"""
    return query, key @ w_key, value @ w_value


def projects_the_values_alone(query, key, value, w_query, w_key, w_value):
    """You compared the tokens themselves with each other: the matrices of queries and keys have no influence.
    Without these two matrices a token mostly finds itself, as in the lesson's first picture.
    Make the queries and the keys first, and compare those."""
    return query, key, value @ w_value


def forgets_every_projection(query, key, value, w_query, w_key, w_value):
    """Your result does not depend on any of the three matrices: you compared and mixed the tokens themselves.
    That was attention in lesson 03, where nothing could be learned.
    Make queries, keys and values first, and then use those."""
    return query, key, value


def projects_keys_to_values(query, key, value, w_query, w_key, w_value):
    """You made the values from the keys: you multiplied the tokens by two matrices, one after the other.
    Each of the three starts from the tokens as they came in.
    Does a line overwrite a variable that the next line reads?"""
    return query @ w_query, key @ w_key, key @ w_key @ w_value


def projects_queries_to_keys(query, key, value, w_query, w_key, w_value):
    """You made the keys from the queries: you multiplied the tokens by two matrices, one after the other.
    Each of the three starts from the tokens as they came in.
    Does a line overwrite a variable that the next line reads?"""
    return query @ w_query, query @ w_query @ w_key, value @ w_value


def projects_queries_to_values(query, key, value, w_query, w_key, w_value):
    """You made the values from the queries: you multiplied the tokens by two matrices, one after the other.
    Each of the three starts from the tokens as they came in.
    Does a line overwrite a variable that a later line reads?"""
    return query @ w_query, key @ w_key, query @ w_query @ w_value


def projects_one_after_the_other(query, key, value, w_query, w_key, w_value):
    """You made the keys from the queries, and the values from these keys: each matrix multiplied the result of the one
    before.
    Each of the three starts from the tokens as they came in.
    Does your code overwrite the variable that holds the tokens?"""
    query = query @ w_query
    return query, query @ w_key, query @ w_key @ w_value


def multiplies_weights_element_by_element(query, key, value, w_query, w_key, w_value):
    """You multiplied tokens and matrices number by number, as `*` does.
    A projection makes each new feature from all the old ones: a sum of products, for each column of the matrix.
    Which operator does that?"""
    return query * w_query, key * w_key, value * w_value


def bends_the_projections(query, key, value, w_query, w_key, w_value):
    """Your queries, keys and values hold no negative numbers: everything below 0 was set to 0, as ReLU does.
    There is no activation between a projection and the scores.
    A query that dislikes a feature has to be able to say so, with a negative number."""
    return tuple(np.maximum(x, 0) for x in project(query, key, value, w_query, w_key, w_value))


def bends_the_projections_with_tanh(query, key, value, w_query, w_key, w_value):
    """Your queries, keys and values were squeezed between -1 and 1, as tanh does.
    There is no activation between a projection and the scores.
    The longer a query, the surer it is of its choice, so it must be free to have any length."""
    return tuple(np.tanh(x) for x in project(query, key, value, w_query, w_key, w_value))


def normalises_the_projections(query, key, value, w_query, w_key, w_value):
    """You applied softmax to queries, keys and values.
    It belongs to the scores, where it shares out a query's attention over the keys.
    Features are not shares: they may be negative, and they need not sum to 1."""
    return tuple(mha_ref.softmax(x) for x in project(query, key, value, w_query, w_key, w_value))


def divides_the_projections_by_their_length(query, key, value, w_query, w_key, w_value):
    """Your queries, keys and values all have length 1: you divided each row by its own length.
    That keeps their direction and loses their size.
    A long query chooses sharply, and a long value carries much, so leave the projections as they are."""
    return tuple(_one_long(x) for x in project(query, key, value, w_query, w_key, w_value))


def divides_the_values_by_their_length(query, key, value, w_query, w_key, w_value):
    """Your values all have length 1: you divided each row by its own length.
    That loses how much a token hands over, and keeps only the direction.
    Attention mixes values as the projection makes them."""
    query, key, value = project(query, key, value, w_query, w_key, w_value)
    return query, key, _one_long(value)


def turns_square_weights_only(query, key, value, w_query, w_key, w_value):
    """You transposed square matrices; with other sizes all is well.
    A square matrix does not show which of its axes is which: here rows are inputs and columns are outputs.
    Where in your code does a size, or the matrix of an `nn.Linear`, decide what is transposed?"""
    turned = (w.mT if w.shape[-1] == w.shape[-2] else w for w in (w_query, w_key, w_value))
    return project(query, key, value, *turned)


BENT = {"queries, keys and values": (0, 1, 2), "queries and keys": (0, 1), "values": (2,)}


def _bent(projected, which, function):
    """Queries, keys and values, some of them after a function."""
    return tuple(function(x) if place in BENT[which] else x for place, x in enumerate(projected))


@mistake(which=("queries and keys", "values"), by=("ReLU", "GELU", "tanh"))
def bends_some_of_the_projections(query, key, value, w_query, w_key, w_value, *, which, by):
    """Your {which} went through {by} after they were projected.
    There is no activation between a projection and its use: every sign and every size means something.
    Follow the results of the three products to the lines where you use them."""
    return _bent(project(query, key, value, w_query, w_key, w_value), which, ACTIVATIONS[by])


def bends_the_projections_with_gelu(query, key, value, w_query, w_key, w_value):
    """Your queries, keys and values went through GELU: nearly everything negative is gone.
    There is no activation between a projection and the scores.
    A query that dislikes a feature has to be able to say so, with a negative number."""
    return _bent(project(query, key, value, w_query, w_key, w_value), "queries, keys and values", ACTIVATIONS["GELU"])


@mistake(norm=tuple(NORMS))
def normalises_what_was_projected(query, key, value, w_query, w_key, w_value, *, norm):
    """Your queries, keys and values went through {norm} after they were projected.
    Use a projection as it is: the longer a query, the surer it is of its choice, and a long value carries much.
    Which lines come between the three products and the scores?"""
    return _bent(project(query, key, value, w_query, w_key, w_value), "queries, keys and values", NORMS[norm])


def _one_long(x):
    return x / (x**2).sum(axis=-1, keepdims=True) ** 0.5
