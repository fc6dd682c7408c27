"""What people get wrong about distances: how many positions each key lies before each query."""

from ..exercises import distances


def puts_the_first_query_at_the_first_key(queries, keys):
    """In your version the first query lines up with the first key.
    With as many queries as keys that makes no difference; with fewer, every query is too far to the left.
    The last query should line up with the last key: which position does the first one have then?"""
    return distances(queries, keys) - (keys - queries)


def counts_its_own_place_as_one(queries, keys):
    """Your distances are too large by one: a key at the query's own position counts as one position away.
    It is 0 positions away.
    Did you count one of the two from 0, and the other from 1?"""
    return distances(queries, keys) + 1


def gives_keys_the_rows(queries, keys):
    """Your result has a row for each key and a column for each query.
    Scores have it the other way round, and so has what is added to them or hides them.
    Which of your two `arange` gets the new axis?"""
    return distances(queries, keys).T
