"""What people get wrong about `head_similarity`: what of two patterns is compared."""

from array_api_compat import array_namespace

from autograder.mistakes import mistake
from mha_ref import cosines


def compares_query_by_query(weights):
    """You took the cosine of every two rows of weights, and then the mean over the queries.
    Then a row in which two heads spread their weight thinly counts as much as a row in which they look sharply.
    The whole pattern is one vector: make it flat before you compare."""
    xp = array_namespace(weights)
    units = weights / xp.linalg.vector_norm(weights, axis=-1, keepdims=True)
    return xp.mean(xp.sum(units[:, None] * units[None, :], axis=-1), axis=-1)


def compares_means_over_the_queries(weights):
    """You averaged the queries first, and compared how much each key gets in all.
    Two heads may give a key the same total, but from quite different queries.
    Keep the whole pattern."""
    return cosines(array_namespace(weights).mean(weights, axis=-2))


def compares_the_last_query_only(weights):
    """You compared the rows of one query.
    A pattern has a row for each query, and all of them count.
    Does your index leave anything out?"""
    return cosines(weights[:, -1, :])


def compares_the_first_query_only(weights):
    """You compared the rows of the first query.
    In a causal pattern the first query sees a single key, so all heads look the same there.
    A pattern has a row for each query, and all of them count."""
    return cosines(weights[:, 0, :])


def compares_the_queries(weights):
    """Your table has a row for each query: you compared queries with each other, not heads.
    What is one vector here?
    It is the whole pattern of one head, with all its queries in a row."""
    xp = array_namespace(weights)
    return cosines(xp.reshape(xp.moveaxis(weights, 1, 0), (weights.shape[1], -1)))


def gives_a_table_for_each_query(weights):
    """You returned a table of heads for each query.
    One table is wanted, for whole patterns.
    Make each pattern flat before you compare."""
    xp = array_namespace(weights)
    units = weights / xp.linalg.vector_norm(weights, axis=-1, keepdims=True)
    rows = xp.moveaxis(units, 1, 0)  # (queries, heads, keys)
    return rows @ rows.mT


def compares_the_favourite_keys(weights):
    """You counted how often two heads have their largest weight on the same key.
    A cosine knows more: how far they agree on all the other keys, too.
    Compare the weights themselves."""
    xp = array_namespace(weights)
    best = xp.argmax(weights, axis=-1)  # (heads, queries)
    return xp.mean(xp.astype(best[:, None] == best[None, :], weights.dtype), axis=-1)


def adds_up_what_they_share(weights):
    """You added up the smaller one of every two weights: the share of attention that two heads have in common.
    That is a different measure, not the cosine.
    The cosine is the dot product of two patterns scaled to length 1."""
    xp = array_namespace(weights)
    smaller = xp.minimum(weights[:, None], weights[None, :])
    return xp.sum(smaller, axis=(-2, -1)) / weights.shape[-2]


def mixes_the_heads_when_flattening(weights):
    """Each of your vectors holds weights of several heads.
    `reshape` reads the numbers in their order and never exchanges axes: the heads come first, and stay first.
    Which of your two sizes should be the number of heads, the first or the second?"""
    return cosines(array_namespace(weights).reshape(weights, (-1, weights.shape[0])).mT)


@mistake(of=("rows", "columns"))
def makes_other_vectors(weights, *, of):
    """Your table is too large: it compares pieces of the patterns, and not whole patterns.
    Each head gives one vector, its queries behind one another, and the table has a row for each head.
    Which axes become one when you flatten, and which one stays?"""
    xp = array_namespace(weights)
    heads, _, keys = weights.shape
    rows = xp.reshape(weights, (-1, keys if of == "rows" else heads))
    lengths = xp.linalg.vector_norm(rows, axis=-1, keepdims=True)
    units = rows / xp.where(lengths > 0, lengths, 1.0)
    return units @ units.mT
