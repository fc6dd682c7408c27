"""What people get wrong about `default_sequences`."""

from ..exercises import default_sequences


@default_sequences.misconception
def takes_values_from_the_query_by_default(query, key=None, value=None):
    """Where only a query and a key are given, your layer takes the values from the query.
    A value belongs to its key: it is what the query takes home when that key fits.
    So a missing value is the same as the key, whatever the key is by then."""
    return query, query if key is None else key, query if value is None else value


@default_sequences.misconception
def forgets_that_value_may_be_given(query, key=None, value=None):
    """The value that your layer was given has no influence: the key is used in its place.
    A missing value is the same as the key; one that is there counts.
    Ask whether `value` is None before you replace it."""
    key = query if key is None else key
    return query, key, key


@default_sequences.misconception
def looks_at_the_query_alone(query, key=None, value=None):
    """Your layer looks at the query's own sequence, also where it was given others.
    A missing key is the same as the query; one that is there counts.
    Ask whether `key` is None before you replace it."""
    return query, query, query


@default_sequences.misconception(on="value_alone")
def replaces_a_value_that_comes_without_a_key(query, key=None, value=None):
    """Where a value is given and no key, your layer throws the value away and takes the query.
    The two defaults are two questions: a missing key is the query, and a value that is there counts all the same.
    What does your line about a missing key do to the value?"""
    return query, query if key is None else key, query if key is None else key if value is None else value


@default_sequences.misconception(on="value_alone")
def takes_a_missing_key_from_the_value(query, key=None, value=None):
    """Where a value is given and no key, your layer makes its keys from the value.
    A missing key is the same as the query, whatever the value is.
    In which order do you ask for the two, and what does each question look at?"""
    key = (query if value is None else value) if key is None else key
    return query, key, key if value is None else value
