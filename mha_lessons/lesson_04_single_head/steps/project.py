"""What people get wrong about `project`, and what helps them."""

import numpy as np

import mha_ref
from autograder.activations import ACTIVATIONS, NORMS

from ..exercises import project


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
