"""What people get wrong about distances: how many places each key lies before each query."""

from ..exercises import distances


@distances.misconception
def puts_the_first_query_at_the_first_key(queries, keys):
    """In your version the first query is at the first key.
    With as many queries as keys that makes no difference; with fewer, every query is too far to the left.
    The last query should be at the last key: which place has the first one then?"""
    return distances(queries, keys) - (keys - queries)


@distances.misconception
def counts_its_own_place_as_one(queries, keys):
    """Your distances are too large by one: a key at the query's own place counts as one place away.
    It is 0 places away.
    Did you count one of the two from 0, and the other from 1?"""
    return distances(queries, keys) + 1


@distances.misconception
def gives_keys_the_rows(queries, keys):
    """Your result has a row for each key and a column for each query.
    Scores have it the other way round, and what belongs to them has their shape.
    Which of your two `arange` gets the new axis?"""
    return distances(queries, keys).T
