"""What people get wrong about `induction_score`: how weights become one number for each head."""

from array_api_compat import array_namespace

from mha_ref import behind_copies

from ..exercises import induction_score


def _parts(weights, behind):
    """Return the weights behind copies, (batch, heads, queries, keys), where copies are, and who has one.

    behind: (batch, queries, keys). Who calls this finds it, so that other mistakes can be made there.
    """
    xp = array_namespace(weights)
    asked = xp.astype(xp.any(behind, axis=-1), weights.dtype)  # (batch, queries)
    return xp.where(behind[:, None, :, :], weights, 0.0), xp.astype(behind, weights.dtype), asked


def averages_over_all_queries(weights, tokens):
    """Your scores are too small: queries whose token was never there before count as well, with a 0.
    They have nothing to find, so they say nothing about a head.
    Over how many queries should the mean go?"""
    xp = array_namespace(weights)
    found, _, _ = _parts(weights, behind_copies(tokens))
    return xp.mean(xp.sum(found, axis=-1), axis=(0, 2))


def averages_over_the_copies(weights, tokens):
    """Where a token came several times, you took the mean of the weights behind its copies.
    A head may split its attention among them, so the weights of one query are added up.
    The mean comes later, over the queries."""
    xp = array_namespace(weights)
    found, behind, _ = _parts(weights, behind_copies(tokens))
    return xp.sum(found, axis=(0, 2, 3)) / xp.sum(behind)


def takes_the_largest_weight(weights, tokens):
    """Where a token came several times, you took the largest of the weights behind its copies.
    A head may split its attention among them, so the weights of one query are added up.
    Which of your steps goes over the keys?"""
    xp = array_namespace(weights)
    found, _, asked = _parts(weights, behind_copies(tokens))
    return xp.sum(xp.max(found, axis=-1), axis=(0, 2)) / xp.sum(asked)


def averages_each_text_first(weights, tokens):
    """You took a mean for each text, and then the mean of these.
    A text with one query that counts then weighs as much as a text with ten.
    Put all queries that count into one mean, whichever text they are in."""
    xp = array_namespace(weights)
    found, _, asked = _parts(weights, behind_copies(tokens))
    each = xp.sum(xp.sum(found, axis=-1), axis=-1)  # (batch, heads)
    number = xp.sum(asked, axis=-1)  # (batch,)
    there = xp.astype(number > 0, weights.dtype)
    return xp.sum(each / xp.where(number > 0, number, 1.0)[:, None], axis=0) / xp.sum(there)


def gives_one_score_for_all_heads(weights, tokens):
    """You returned one number for all heads together.
    Which head looks behind copies is what we want to know.
    Over which axes may the mean go, and which one has to stay?"""
    xp = array_namespace(weights)
    return xp.mean(induction_score(weights, tokens))


def keeps_each_text_apart(weights, tokens):
    """You returned a score for each text and each head.
    One for each head is wanted, over all texts of the batch together.
    Over which axes does your mean go?"""
    xp = array_namespace(weights)
    found, _, asked = _parts(weights, behind_copies(tokens))
    return xp.sum(xp.sum(found, axis=-1), axis=-1) / xp.sum(asked, axis=-1)[:, None]


def adds_up_without_dividing(weights, tokens):
    """Your scores are sums, and grow with the number of queries.
    The mean says the same whether a text is long or short.
    By what does the sum have to be divided?"""
    xp = array_namespace(weights)
    found, _, _ = _parts(weights, behind_copies(tokens))
    return xp.sum(found, axis=(0, 2, 3))


def averages_over_every_key(weights, tokens):
    """Your scores are far too small: you took a mean over all keys, most of which are not behind a copy.
    The weights of one query are shares of a whole, so those that count are added up.
    Which of your steps goes over the keys?"""
    xp = array_namespace(weights)
    found, _, asked = _parts(weights, behind_copies(tokens))
    return xp.sum(xp.mean(found, axis=-1), axis=(0, 2)) / xp.sum(asked)


def divides_by_a_query_count_of_one_text(weights, tokens):
    """You divided by the queries that count in one text, so your scores grow with the batch.
    The sum goes over all texts, and so must the number that divides it."""
    xp = array_namespace(weights)
    found, _, asked = _parts(weights, behind_copies(tokens))
    return xp.sum(found, axis=(0, 2, 3)) / xp.mean(xp.sum(asked, axis=-1))


def counts_how_often_the_largest_is_behind_a_copy(weights, tokens):
    """You counted how often a head's largest weight is behind a copy.
    The score is about the weights themselves: 0.4 behind a copy counts as 0.4, whether it is the largest or not.
    Add up the weights, without asking which is the largest."""
    xp = array_namespace(weights)
    _, behind, asked = _parts(weights, behind_copies(tokens))
    largest = xp.astype(weights == xp.max(weights, axis=-1, keepdims=True), weights.dtype)
    return xp.sum(largest * behind[:, None, :, :], axis=(0, 2, 3)) / xp.sum(asked)


def averages_the_copies_of_each_query(weights, tokens):
    """Where a query has several copies to look behind, you took the mean of its weights there, and then the mean over
    the queries.
    A head may split its attention among the copies, so the weights of one query are added up.
    Which of your two steps should divide?"""
    xp = array_namespace(weights)
    found, behind, asked = _parts(weights, behind_copies(tokens))
    number = xp.sum(behind, axis=-1)[:, None, :]  # (batch, 1, queries)
    means = xp.sum(found, axis=-1) / xp.where(number > 0, number, 1.0)
    return xp.sum(means, axis=(0, 2)) / xp.sum(asked)


def divides_by_the_queries_with_later_copies(weights, tokens):
    """You counted copies that come after the query, and none that came before it.
    Rows are queries and columns are keys, so earlier keys are on the left of the diagonal.
    Which side of the table do you keep?"""
    xp = array_namespace(weights)
    copies = xp.triu(tokens[:, :, None] == tokens[:, None, :], k=1)
    behind = xp.concat([xp.zeros_like(copies[:, :, :1]), copies[:, :, :-1]], axis=-1)
    found = xp.sum(xp.where(behind[:, None, :, :], weights, 0.0), axis=(0, 2, 3))
    return found / xp.sum(xp.astype(xp.any(copies, axis=-1), weights.dtype))


def divides_the_queries_by_the_weight(weights, tokens):
    """Your scores are 1 or above: you divided the number of queries by the weight that they put there.
    A mean is the sum divided by the number of things in it.
    Which of your two numbers belongs above, and which below?"""
    return 1 / induction_score(weights, tokens)
