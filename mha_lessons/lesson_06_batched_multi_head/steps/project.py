"""What people get wrong about `project`."""

from mha_lessons.lesson_04_single_head.exercises import project


@project.misconception
def makes_everything_from_the_query(query, key, value, w_query, w_key, w_value):
    """All three projections were made of the first sequence, so it looks at itself, whatever the others hold.
    Queries come from the sequence that asks, keys and values from what it is to look at.
    Which sequence is in your second and third product?"""
    return query @ w_query, query @ w_key, query @ w_value


@project.misconception
def makes_values_from_the_query(query, key, value, w_query, w_key, w_value):
    """Your values were made of the sequence that asks.
    A query looks through the keys, and takes home what belongs to them: each value must lie beside its key.
    Which sequence does `w_value` multiply in your code?"""
    return query @ w_query, key @ w_key, query @ w_value


@project.misconception
def makes_keys_from_the_query(query, key, value, w_query, w_key, w_value):
    """Your keys were made of the sequence that asks, so the queries were compared with their own tokens.
    Keys belong to the tokens that are looked at, one beside each value.
    Which sequence does `w_key` multiply in your code?"""
    return query @ w_query, query @ w_key, value @ w_value


@project.misconception
def makes_values_from_the_keys(query, key, value, w_query, w_key, w_value):
    """Your values were made of the keys' sequence.
    The two are the same sequence most of the time, which hides this well.
    But they come as two inputs, and may differ: what is compared, and what is handed over.
    Which one does `w_value` multiply?"""
    return query @ w_query, key @ w_key, key @ w_value


@project.misconception
def makes_keys_from_the_values(query, key, value, w_query, w_key, w_value):
    """Your keys were made of the values' sequence.
    The two are the same sequence most of the time, which hides this well.
    But they come as two inputs, and may differ: what is compared, and what is handed over.
    Which one does `w_key` multiply?"""
    return query @ w_query, value @ w_key, value @ w_value


@project.misconception
def swaps_key_and_value_sequences(query, key, value, w_query, w_key, w_value):
    """The sequences of keys and of values changed places: what should be compared was handed over.
    (Keras' own layer wants value before key; here it is query, key, value.)
    Compare the order of your parameters, and of your arguments, with the stub's."""
    return query @ w_query, value @ w_key, key @ w_value


@project.misconception
def swaps_query_and_key_sequences(query, key, value, w_query, w_key, w_value):
    """Queries were made of the keys' sequence, and keys of the queries'.
    Who asks and who is asked changed places, so the output belongs to other tokens.
    Which sequence does `w_query` multiply in your code?"""
    return key @ w_query, query @ w_key, value @ w_value


@project.misconception
def takes_sequences_as_value_key_query(query, key, value, w_query, w_key, w_value):
    """The first sequence was taken for the values, and the third for the queries.
    Some hand-written layers elsewhere use the order value, key, query; here it is query, key, value.
    In self-attention all three are equal, and it goes unnoticed. Check your parameters' order."""
    return value @ w_query, key @ w_key, query @ w_value


@project.misconception
def makes_queries_from_the_keys(query, key, value, w_query, w_key, w_value):
    """Your queries were made of the keys' sequence, so the tokens that are looked at ask themselves.
    The output has one row for each token that asks, and the first sequence holds those.
    Which sequence does `w_query` multiply in your code?"""
    return key @ w_query, key @ w_key, value @ w_value


@project.misconception(which=("queries", "keys", "values"))
def transposes_one_of_the_weights(query, key, value, w_query, w_key, w_value, *, which):
    """The matrix of the {which} met the tokens on its side, with rows where columns belong; the other two are right.
    A matrix that multiplies from the right is (in, out). `nn.Linear` stores its own as (out, in), and turns it when
    it is called.
    Compare the three products with each other. What is different in one of them?"""
    turned = dict(queries=w_query, keys=w_key, values=w_value)
    turned[which] = turned[which].mT
    return project(query, key, value, *turned.values())
