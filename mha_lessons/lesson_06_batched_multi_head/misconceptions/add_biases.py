"""What people get wrong about `add_biases`."""

from autograder.mistakes import mistake
from mha_lessons.lesson_02_scaled_dot_product.activations import ACTIVATIONS, NORMS
from mha_lessons.lesson_04_single_head.misconceptions.project import BENT, _bent

from ..exercises import add_biases


def leaves_out_the_biases_of_the_projections(query, key, value, b_query=None, b_key=None, b_value=None):
    """The biases of query, key and value have no influence on your output.
    `nn.Linear` adds its bias when it is called; a product with `.weight` alone leaves it out.
    Call the projection as a function."""
    return query, key, value


def adds_the_bias_of_the_query_to_all(query, key, value, b_query=None, b_key=None, b_value=None):
    """You use one bias for queries, keys and values.
    Each projection has its own bias, but all have the same size, so there is no error.
    Does each sequence go through its own projection?"""
    return add_biases(query, key, value, b_query, b_query, b_query)


def leaves_out_the_bias_of_the_values(query, key, value, b_query=None, b_key=None, b_value=None):
    """The bias of the value projection has no influence on your output.
    All four projections have one, if the layer was made with `bias=True`.
    Is one of them made differently?"""
    return add_biases(query, key, value, b_query, b_key, 0)


def leaves_out_the_bias_of_the_queries(query, key, value, b_query=None, b_key=None, b_value=None):
    """The bias of the query projection has no influence on your output.
    All four projections have one, if the layer was made with `bias=True`.
    Is one of them made differently?"""
    return (query, *add_biases(query, key, value, b_query, b_key, b_value)[1:])


@mistake(twice=("query, key and value", "query", "value"))
def adds_a_bias_of_the_projections_twice(query, key, value, b_query=None, b_key=None, b_value=None, *, twice):
    """Your projections add a bias twice: that of {twice}.
    `nn.Linear` adds its bias when it is called, so you need not add it.
    Where is the word `bias` in your `forward`?"""
    biased = add_biases(query, key, value, b_query, b_key, b_value)
    again = add_biases(*biased, b_query, b_key, b_value)
    names = ("query", "key", "value")
    return tuple(two if name in twice else one for name, one, two in zip(names, biased, again))


@mistake(which=tuple(BENT), by=("ReLU", "GELU", "tanh"))
def bends_what_the_projections_give(query, key, value, b_query=None, b_key=None, b_value=None, *, which, by):
    """Your {which} went through {by} after they were projected.
    There is no activation between a projection and what uses it: every sign and every size has a meaning.
    Follow the results of the three modules to the place where they are used."""
    return _bent(add_biases(query, key, value, b_query, b_key, b_value), which, ACTIVATIONS[by])


@mistake(which=("queries, keys and values", "queries and keys"), norm=tuple(NORMS))
def normalises_what_the_projections_give(query, key, value, b_query=None, b_key=None, b_value=None, *, which, norm):
    """Your {which} went through {norm} after they were projected, all heads in one row.
    A projection is used as it is: the length of a query says how sure it is of its choice.
    Which lines come between the three modules and the scores?"""
    return _bent(add_biases(query, key, value, b_query, b_key, b_value), which, NORMS[norm])
