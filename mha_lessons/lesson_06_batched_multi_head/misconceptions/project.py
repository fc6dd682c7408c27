"""What people get wrong about `project`."""

from autograder.mistakes import mistake
from mha_lessons.lesson_04_single_head.exercises import project


def makes_everything_from_the_query(query, key, value, w_query, w_key, w_value):
    """All three projections use the first sequence, so it looks at itself, whatever the others hold.
    Queries come from the sequence that asks, keys and values from those that it looks at.
    Which sequence is in your second and third product?"""
    return query @ w_query, query @ w_key, query @ w_value


def makes_values_from_the_query(query, key, value, w_query, w_key, w_value):
    """Your values come from the sequence that asks.
    A query looks through the keys, and gets the values that belong to them.
    Which sequence does `w_value` multiply in your code?"""
    return query @ w_query, key @ w_key, query @ w_value


def makes_keys_from_the_query(query, key, value, w_query, w_key, w_value):
    """Your keys come from the sequence that asks, so the queries are compared with their own tokens.
    Keys belong to the tokens that are looked at, one for each value.
    Which sequence does `w_key` multiply in your code?"""
    return query @ w_query, query @ w_key, value @ w_value


def makes_values_from_the_keys(query, key, value, w_query, w_key, w_value):
    """Your values come from the keys' sequence.
    The two are usually the same sequence, which hides this mistake.
    But they are two inputs and may differ: one is compared, the other is passed on.
    Which one does `w_value` multiply?"""
    return query @ w_query, key @ w_key, key @ w_value


def makes_keys_from_the_values(query, key, value, w_query, w_key, w_value):
    """Your keys come from the values' sequence.
    The two are usually the same sequence, which hides this mistake.
    But they are two inputs and may differ: one is compared, the other is passed on.
    Which one does `w_key` multiply?"""
    return query @ w_query, value @ w_key, value @ w_value


def swaps_key_and_value_sequences(query, key, value, w_query, w_key, w_value):
    """The sequences of keys and values are swapped: what should be compared is passed on.
    (Keras' own layer wants value before key; here it is query, key, value.)
    Compare the order of your parameters, and of your arguments, with the stub's."""
    return query @ w_query, value @ w_key, key @ w_value


def swaps_query_and_key_sequences(query, key, value, w_query, w_key, w_value):
    """Your queries come from the keys' sequence, and your keys from the queries'.
    The two roles are swapped, so the output belongs to the wrong tokens.
    Which sequence does `w_query` multiply in your code?"""
    return key @ w_query, query @ w_key, value @ w_value


def takes_sequences_as_value_key_query(query, key, value, w_query, w_key, w_value):
    """You use the first sequence for the values, and the third for the queries.
    Some layers use the order value, key, query; here it is query, key, value.
    In self-attention this goes unnoticed, since all three are the same. Check the order of your parameters."""
    return value @ w_query, key @ w_key, query @ w_value


def makes_queries_from_the_keys(query, key, value, w_query, w_key, w_value):
    """Your queries come from the keys' sequence, so the tokens that are looked at ask themselves.
    The output has one row for each token that asks, and those are in the first sequence.
    Which sequence does `w_query` multiply in your code?"""
    return key @ w_query, key @ w_key, value @ w_value


@mistake(which=("queries", "keys", "values"))
def transposes_one_of_the_weights(query, key, value, w_query, w_key, w_value, *, which):
    """The matrix of the {which} was transposed when it met the tokens; the other two are right.
    A matrix that multiplies from the right is (in, out). `nn.Linear` stores (out, in), and transposes its matrix when
    it is called.
    Compare the three products. What is different in one of them?"""
    turned = dict(queries=w_query, keys=w_key, values=w_value)
    turned[which] = turned[which].mT
    return project(query, key, value, *turned.values())
