"""What people get wrong about `previous_token_score`."""

from array_api_compat import array_namespace

from autograder.mistakes import mistake

from ..exercises import previous_token_score


def _mean_of_diagonal(weights, offset):
    """Return the mean of a diagonal for each head."""
    xp = array_namespace(weights)
    return _mean_of_queries(xp.linalg.diagonal(weights, offset=offset))


def _mean_of_queries(x):
    """Average over all axes but that of the heads: (..., heads, queries) -> (heads,)."""
    xp = array_namespace(x)
    return xp.mean(x, axis=tuple(axis for axis in range(x.ndim) if axis != x.ndim - 2))


def counts_the_first_query_with_a_zero(weights):
    """Your scores are too small: the first query counts in your mean, with a weight of 0.
    It has no token before it, so it is left out.
    By how many queries do you divide?"""
    queries = weights.shape[-2]
    return previous_token_score(weights) * (queries - 1) / queries


def lets_the_first_query_find_the_last_key(weights):
    """Your first query looks at the last key: its position minus 1 is -1, and that counts from the end.
    The first token has none before it, so its query is left out.
    Where does your loop begin?"""
    queries = weights.shape[-2]
    wrapped = _mean_of_queries(weights[..., :1, -1])
    return (previous_token_score(weights) * (queries - 1) + wrapped) / queries


@mistake(first=(0, 1))
def looks_at_its_own_token(weights, *, first):
    """You read the weight that each query gives to its own position.
    The token before it is one key to the left.
    Which diagonal of a pattern holds it?"""
    return _mean_of_diagonal(weights[..., first:, first:], 0)


def looks_one_token_ahead(weights):
    """You read the weight on the key right after the query.
    In a causal pattern it is always 0; the token before is on the other side of the diagonal.
    Rows are queries, and columns are keys: which way does your diagonal move?"""
    return _mean_of_diagonal(weights, 1)


def looks_two_tokens_back(weights):
    """You read the weight on the key two positions before the query.
    The previous token is one position back.
    Is 1 subtracted twice?"""
    if weights.shape[-1] < 3:
        return 0 * previous_token_score(weights)
    return _mean_of_diagonal(weights, -2)


def takes_all_that_came_before(weights):
    """You added up the weight on all tokens before the query.
    The score is about one of them, the one right before.
    How many keys does your slice hold?"""
    xp = array_namespace(weights)
    before = xp.tril(weights, k=-1)
    return _mean_of_queries(xp.sum(before, axis=-1)[..., 1:])


def gives_one_number_for_all_heads(weights):
    """You returned one number for all heads together.
    Which head looks at the token before is what we want to know.
    Over which axes may the mean go, and which one has to stay?"""
    xp = array_namespace(weights)
    return xp.mean(xp.linalg.diagonal(weights, offset=-1))


def keeps_the_leading_axes(weights):
    """You kept the axes in front of the heads, and returned a score for each text, or for each layer and text.
    One for each head is wanted, averaged over all of them.
    Over which axes does your mean go?"""
    xp = array_namespace(weights)
    return xp.mean(xp.linalg.diagonal(weights, offset=-1), axis=-1)


def averages_the_heads_away(weights):
    """You returned a number for each query, averaged over the heads.
    The heads should stay and the queries should go.
    Over which axes does your mean go?"""
    xp = array_namespace(weights)
    before = xp.linalg.diagonal(weights, offset=-1)
    return xp.mean(before, axis=tuple(range(before.ndim - 1)))


def adds_up_the_queries(weights):
    """Your scores are sums over the queries, and grow with the length of the text.
    A mean says the same for short texts and long ones.
    By what does the sum have to be divided?"""
    return previous_token_score(weights) * (weights.shape[-2] - 1)


def averages_over_all_keys(weights):
    """Your scores are far too small: each diagonal was divided by the number of all weights in the pattern.
    One weight counts for each query, the one on the token before.
    Over how many numbers does your mean go?"""
    queries = weights.shape[-2]
    return previous_token_score(weights) * (queries - 1) / queries**2


def counts_how_often_it_is_the_largest(weights):
    """You counted how often the token before has the largest weight.
    The score is the weight itself: 0.4 counts as 0.4, whether it is the largest or not.
    Take the mean of the weights themselves, not of yes and no."""
    xp = array_namespace(weights)
    before = xp.linalg.diagonal(weights, offset=-1)
    largest = before == xp.max(weights, axis=-1)[..., 1:]
    return _mean_of_queries(xp.astype(largest, weights.dtype))


def reads_the_last_query_only(weights):
    """You read only the weights of the last query.
    All queries but the first have a token before them, and all count.
    Which rows of the pattern does your index take?"""
    return _mean_of_queries(weights[..., -1:, -2])


def reads_the_first_text_alone(weights):
    """Where there are axes in front of the heads, you read the first text alone.
    The score is a mean over all of them: texts, and layers, if there are any.
    Which axes does your mean go over, and does an index pick a single text?"""
    return previous_token_score(weights[(0,) * (weights.ndim - 3)])


@mistake(left_out=("second", "last"))
def leaves_out_one_query_more(weights, *, left_out):
    """Your mean leaves out the {left_out} query.
    Only the first has no token before it. All others count.
    A table that was cut has a shorter diagonal: how many weights go into your mean?"""
    if weights.shape[-1] < 3:
        return previous_token_score(weights) + array_namespace(weights).nan
    return previous_token_score(weights[..., 1:, 1:] if left_out == "second" else weights[..., :-1, :-1])


def averages_the_square_below_the_first_row(weights):
    """You took the mean over a whole square: every query but the first, with every key but the last.
    In this square the token before the query is on the diagonal, and one weight of each row counts.
    How do you read the diagonal of a square?"""
    xp = array_namespace(weights)
    return _mean_of_queries(xp.mean(weights[..., 1:, :-1], axis=-1))


def shares_out_among_the_earlier_tokens(weights):
    """You divided each weight by all that its query gives to earlier tokens.
    What a query gives to itself is then left out, and the score becomes too large.
    The weights of a row sum to 1 already: which division is too many?"""
    xp = array_namespace(weights)
    before = xp.sum(xp.tril(weights, k=-1), axis=-1)[..., 1:]
    return _mean_of_queries(xp.linalg.diagonal(weights, offset=-1) / before)


def makes_the_scores_sum_to_one(weights):
    """Your scores sum to 1 over the heads.
    Each head has a score of its own, and all of them may look at the token before, or none.
    Which division is too many?"""
    scores = previous_token_score(weights)
    return scores / array_namespace(weights).sum(scores)


def weighs_it_against_its_own_token_alone(weights):
    """You divided each weight by what its query gives to the token before and to itself, so your scores are too large.
    What goes to tokens further back is left out.
    The weights of a row sum to 1 already: which division is too many?"""
    xp = array_namespace(weights)
    before, itself = xp.linalg.diagonal(weights, offset=-1), xp.linalg.diagonal(weights)[..., 1:]
    return _mean_of_queries(before / (before + itself))
