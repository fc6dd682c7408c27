"""What people get wrong about `default_sequences`."""

from autograder.mistakes import mistake


def takes_values_from_the_query_by_default(query, key=None, value=None):
    """Where only a query and a key are given, your layer takes the values from the query.
    A value belongs to its key: the query gets it when that key fits.
    So a missing value is the same as the key, whatever the key is by then."""
    return query, query if key is None else key, query if value is None else value


def forgets_that_value_may_be_given(query, key=None, value=None):
    """The value that your layer is given has no influence: the key is used instead.
    A missing value is the same as the key, but a given value should be used.
    Ask whether `value` is None before you replace it."""
    key = query if key is None else key
    return query, key, key


def looks_at_the_query_alone(query, key=None, value=None):
    """Your layer looks at the query's own sequence even where it is given others.
    A missing key is the same as the query, but a given key should be used.
    Ask whether `key` is None before you replace it."""
    return query, query, query


@mistake(on="value_alone")
def replaces_a_value_that_comes_without_a_key(query, key=None, value=None):
    """Where a value is given but no key, your layer ignores the value and uses the query.
    The two defaults are separate: a missing key is the query, but a given value should still be used.
    What does your line about a missing key do to the value?"""
    return query, query if key is None else key, query if key is None else key if value is None else value


@mistake(on="value_alone")
def takes_a_missing_key_from_the_value(query, key=None, value=None):
    """Where a value is given but no key, your layer makes its keys from the value.
    A missing key is the same as the query, whatever the value is.
    In which order do you fill in the two, and what does each line look at?"""
    key = (query if value is None else value) if key is None else key
    return query, key, key if value is None else value
