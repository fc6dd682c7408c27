"""What people get wrong about `attention_head`."""

import math

from array_api_compat import array_namespace

import mha_ref
from autograder.mistakes import mistake

from ..exercises import attention_head


def forgets_to_pass_the_mask(x, w_query, w_key, w_value, mask=None):
    """Your head looks at hidden tokens, too: wherever a query has an allowed key, the mask has no effect on your
    result.
    The mask comes in as a parameter, and it has to take effect where scores become weights.
    Does it get there, through every call on the way?"""
    return attention_head(x, w_query, w_key, w_value)


def scales_by_the_model_size(x, w_query, w_key, w_value, mask=None):
    """You divided the scores by the root of the token's size, model_size.
    A dot product of query and key sums over *their* features, and after the projection there are head_size of them.
    From which tensor do you take the size, and from which of its axes?"""
    return attention_head(x, w_query * math.sqrt(w_query.shape[-1] / x.shape[-1]), w_key, w_value, mask)


def scales_twice(x, w_query, w_key, w_value, mask=None):
    """In effect you divided the scores by head_size itself: by its root twice, or by the number without a root.
    One division by the root makes their standard deviation about 1.
    `masked_attention` and `attention_scores` already divide, so is there a second division in your own code?"""
    return attention_head(x, w_query / math.sqrt(w_query.shape[-1]), w_key, w_value, mask)


def adds_the_input_back(x, w_query, w_key, w_value, mask=None):
    """You added the input tokens to your output.
    Such a sum (a residual connection) comes outside the head, and a later lesson uses it there.
    Here the output is the weighted mean of the values and nothing else."""
    return attention_head(x, w_query, w_key, w_value, mask) + x


def answers_for_the_first_token_only(x, w_query, w_key, w_value, mask=None):
    """Your output has an answer for only one token, the first.
    In self-attention every token asks, so there are as many rows as tokens.
    Is there an index that takes one row out?"""
    return attention_head(x, w_query, w_key, w_value, mask)[..., :1, :]


def averages_the_tokens_of_the_output(x, w_query, w_key, w_value, mask=None):
    """The axis of the tokens is gone: you averaged your answers into one.
    Every token asks a question of its own and gets an answer of its own.
    Keep all rows, as many as there are tokens."""
    return attention_head(x, w_query, w_key, w_value, mask).mean(axis=-2)


@mistake(which=("last", "first"))
def leaves_one_token_out(x, w_query, w_key, w_value, mask=None, *, which):
    """The {which} token has no influence on any other: no query is compared with its key, and none receives its value.
    All tokens may look at every token, themselves included.
    Where does your loop or your slice over the keys begin, and where does it end?"""
    tokens = x.shape[-2]
    seen = array_namespace(x).arange(tokens) != (tokens - 1 if which == "last" else 0)
    return attention_head(x, w_query, w_key, w_value, seen if mask is None else mask & seen)


@mistake(diagonal=(0, -1))
def compares_with_earlier_tokens_only(x, w_query, w_key, w_value, mask=None, *, diagonal):
    """Scores for later tokens stayed at 0, as if they had never been computed.
    A 0 is a score like any other, so those tokens still get a share, whatever their keys are.
    Every query is compared with every key: does the inner loop run over all tokens?"""
    query, key, value = mha_ref.project(x, x, x, w_query, w_key, w_value)
    scores = array_namespace(x).tril(mha_ref.attention_scores(query, key), k=diagonal)
    return mha_ref.masked_softmax(scores, scores == scores if mask is None else mask) @ value


def shifts_the_keys_by_one(x, w_query, w_key, w_value, mask=None):
    """Each share goes to the wrong token's value: keys and values are one position apart.
    If a query finds a token by its key, it should receive the value of that same token.
    Is something rolled, or an index one too low, on one side only?"""
    query, key, value = mha_ref.project(x, x, x, w_query, w_key, w_value)
    return mha_ref.masked_attention(query, array_namespace(x).roll(key, 1, axis=-2), value, mask)


def normalises_the_tokens_first(x, w_query, w_key, w_value, mask=None):
    """You normalised every token before projecting it: you subtracted its mean and divided by its spread.
    Such a layer norm often comes before attention, and a later lesson puts it there, but it is not part of a head.
    Project the tokens as they come in."""
    x = x - x.mean(axis=-1, keepdims=True)
    return attention_head(x / ((x**2).mean(axis=-1, keepdims=True) + 1e-5) ** 0.5, w_query, w_key, w_value, mask)


def hides_each_token_from_itself(x, w_query, w_key, w_value, mask=None):
    """No token looks at itself in your code, although nothing forbids it.
    A word may well be its own best answer, and what it carries is part of the mixture.
    Only the mask hides tokens. Is there an `eye`, a diagonal, or a loop that leaves out the token that asks?"""
    others = array_namespace(x).eye(x.shape[-2]) == 0
    return attention_head(x, w_query, w_key, w_value, others if mask is None else mask & others)


def hides_blocked_tokens_on_both_sides(x, w_query, w_key, w_value, mask=None):
    """You combined the mask with its transpose: if token i may not look at token j, then j may not look at i.
    Looking has a direction. Hiding a word from me says nothing about what that word may see.
    Row i, column j is about i looking at j. Is there a transpose of the mask?"""
    if mask is None:
        return attention_head(x, w_query, w_key, w_value)
    square = array_namespace(x).broadcast_to(mask, (*x.shape[:-1], x.shape[-2]))
    return attention_head(x, w_query, w_key, w_value, square & square.mT)


def turns_hidden_tokens_into_zeros_first(x, w_query, w_key, w_value, mask=None):
    """Tokens that no query may look at become zeros before they ask, so their own rows come out wrong.
    A mask hides a token as a key. As a query it still asks, with its own numbers.
    What does the line that changes `x` add to the mask on the scores?"""
    return attention_head(_seen(x, mask), w_query, w_key, w_value, mask)


def _seen(x, mask):
    """The tokens, with zeros in place of those that no query may look at."""
    if mask is None:
        return x
    xp = array_namespace(x)
    seen = xp.any(xp.broadcast_to(mask, (*x.shape[:-1], x.shape[-2])), axis=-2)
    return xp.where(seen[..., None], x, 0.0)


def turns_hidden_tokens_into_zeros(x, w_query, w_key, w_value, mask=None):
    """You set hidden tokens to zeros, but the queries still look at them.
    A key of zeros has a score of 0, and the exponential of 0 is 1: it still takes a share from the others.
    A mask works on scores, before softmax. Does yours get there?"""
    return attention_head(_seen(x, mask), w_query, w_key, w_value)
