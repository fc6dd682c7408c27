"""What people get wrong about `default_sequences`, and what helps them."""

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


default_sequences.hints_for(
    "takes_values_from_the_query_by_default",
    "forgets_that_value_may_be_given",
    "looks_at_the_query_alone",
    "replaces_a_value_that_comes_without_a_key",
    "takes_a_missing_key_from_the_value",
    hints=(
        "None means that the caller leaves the choice to you. "
        "Anything else is a choice that was made, and it holds. "
        "The two defaults form a chain: the key follows the query, and the value follows the key. "
        "So they are filled in one after the other.",
        "Print the three sequences right after your lines for the defaults, for four calls: with a query alone, with "
        "a query and a key, with all three, with a query and a value. "
        "In the second call, the value should be the key. "
        "In the third, each should be what you handed over. "
        "In the fourth, the key should be the query, and the value your own. "
        "Then see which of them the projections are called with.",
        "Ask two questions, in this order. "
        "Is the key None? "
        "Then it is the query. "
        "Is the value None? "
        "Then it is the key, as the key is by now. "
        "What is not None stays. "
        "The three projections then use the three names, each its own.",
    ),
)
