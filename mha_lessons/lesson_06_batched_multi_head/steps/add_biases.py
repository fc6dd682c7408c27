"""What people get wrong about `add_biases`, and what helps them."""

from autograder.activations import ACTIVATIONS, NORMS
from mha_lessons.lesson_04_single_head.steps.project import BENT, PLAIN_PROJECTIONS, bent

from ..exercises import add_biases
from .multi_head_attention_class import CALL_THE_PROJECTION, ONE_PROJECTION_EACH


@add_biases.misconception
def leaves_out_the_biases_of_the_projections(query, key, value, b_query=None, b_key=None, b_value=None):
    """The biases of query, key and value have no influence on your output.
    `nn.Linear` adds its bias when it is called; a product with `.weight` alone leaves it out.
    Call the projection as a function."""
    return query, key, value


@add_biases.misconception
def adds_the_bias_of_the_query_to_all(query, key, value, b_query=None, b_key=None, b_value=None):
    """One bias was used for queries, keys and values.
    Each projection has a bias of its own, and all of them have the same size, so nothing complains.
    Does each sequence go through its own projection?"""
    return add_biases(query, key, value, b_query, b_query, b_query)


@add_biases.misconception
def leaves_out_the_bias_of_the_values(query, key, value, b_query=None, b_key=None, b_value=None):
    """The bias of the value projection has no influence on your output.
    All four projections have one, if the layer was made with `bias=True`.
    Is one of them made differently?"""
    return add_biases(query, key, value, b_query, b_key, 0)


@add_biases.misconception
def leaves_out_the_bias_of_the_queries(query, key, value, b_query=None, b_key=None, b_value=None):
    """The bias of the query projection has no influence on your output.
    All four projections have one, if the layer was made with `bias=True`.
    Is one of them made differently?"""
    return (query, *add_biases(query, key, value, b_query, b_key, b_value)[1:])


@add_biases.misconception(twice=("query, key and value", "query", "value"))
def adds_a_bias_of_the_projections_twice(query, key, value, b_query=None, b_key=None, b_value=None, *, twice):
    """What was added twice in your projections is the bias: that of {twice}.
    `nn.Linear` adds its bias when it is called, so nothing is left to add.
    Where does the word `bias` stand in your `forward`?"""
    biased = add_biases(query, key, value, b_query, b_key, b_value)
    again = add_biases(*biased, b_query, b_key, b_value)
    names = ("query", "key", "value")
    return tuple(two if name in twice else one for name, one, two in zip(names, biased, again))


@add_biases.misconception(which=tuple(BENT), by=("ReLU", "GELU", "tanh"))
def bends_what_the_projections_give(query, key, value, b_query=None, b_key=None, b_value=None, *, which, by):
    """Your {which} went through {by} after they were projected.
    Between a projection and what uses it stands no activation: any sign and any size means something.
    Follow what the three modules give to the place where it is used."""
    return bent(add_biases(query, key, value, b_query, b_key, b_value), which, ACTIVATIONS[by])


@add_biases.misconception(which=("queries, keys and values", "queries and keys"), norm=tuple(NORMS))
def normalises_what_the_projections_give(query, key, value, b_query=None, b_key=None, b_value=None, *, which, norm):
    """Your {which} went through {norm} after they were projected, all heads in one row.
    A projection is used as it is: how long a query is says how sure it is of its choice.
    Which lines stand between the three modules and the scores?"""
    return bent(add_biases(query, key, value, b_query, b_key, b_value), which, NORMS[norm])


add_biases.hints_for(
    "leaves_out_the_biases_of_the_projections",
    "adds_a_bias_of_the_projections_twice",
    hints=CALL_THE_PROJECTION,
)

add_biases.hints_for(
    "adds_the_bias_of_the_query_to_all",
    hints=ONE_PROJECTION_EACH,
)

add_biases.hints_for(
    "leaves_out_the_bias_of_the_values",
    "leaves_out_the_bias_of_the_queries",
    hints=(
        "The layer has four biases or none, and its parameter `bias` decides this for all projections together. "
        "So all four are made in the same way, and used in the same way. "
        "A projection that is treated differently from its neighbours deserves a second look.",
        "Begin with `__init__`: does each of the four projections get the `bias` that came in? "
        "Then go to `forward`: is one of them multiplied by hand, while the others are called? "
        "Set one bias after the other to large numbers of several sizes. "
        "Only that of the keys may leave the output as it is.",
        "Make the four projections by the same line, with `bias` handed on to each, and call all of them as "
        "functions. "
        "If you keep biases as `nn.Parameter`, each is added to its own projected sequence, before the split into "
        "heads.",
    ),
)


add_biases.hints_for(
    "bends_what_the_projections_give",
    "normalises_what_the_projections_give",
    hints=PLAIN_PROJECTIONS,
)
