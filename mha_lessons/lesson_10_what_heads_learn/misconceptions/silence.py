"""What people get wrong about `silence`: which numbers become zero where a head is taken out."""

import numpy as np
from array_api_compat import array_namespace

from ..exercises import silence


def _zeros_where(results, hidden):
    """Return the results with zeros where `hidden`, broadcastable to them, says so."""
    xp = array_namespace(results)
    return xp.where(xp.asarray(hidden), 0.0, results)


def _numbered(results, axis):
    """Return the numbers of the places along an axis, with new axes behind them."""
    return np.arange(results.shape[axis]).reshape(-1, *[1] * (results.ndim - 1 - axis))


def keeps_that_head_alone(results, head):
    """Your output is what this head contributes by itself; all the others are silent.
    The question is what the layer does without it, so the others stay and this one goes.
    What do you set to zero, this head or all the others?"""
    return _zeros_where(results, _numbered(results, 1) != head)


def counts_heads_from_one(results, head):
    """You took out the neighbour of the head that was asked for, as if heads were counted from 1.
    Heads are counted from 0, like everything in Python.
    Is a 1 added to `head`, or subtracted from it?"""
    return silence(results, (head - 1) % results.shape[1])


def takes_out_no_head(results, head):
    """Your output is that of the whole layer, with all its heads.
    One head should contribute nothing, and here it still does.
    Where does `head` come in, and does your change reach the product?"""
    return results


def takes_out_a_text(results, head):
    """Your output has a whole text of zeros, and in the other texts no head is missing.
    The first axis of `results` is the batch, and the heads are on the second.
    On which axis does your index `head` fall?"""
    return _zeros_where(results, _numbered(results, 0) == head)


def takes_out_a_token(results, head):
    """In your output one token has become zero, and in the other tokens all heads are still at work.
    A head reaches every token, so it has to be silenced at all of them.
    On which axis does your index `head` fall?"""
    return _zeros_where(results, _numbered(results, 2) == head)


def takes_a_column_from_each_head(results, head):
    """You silenced one column of every head.
    A head is a whole block of columns, and the other heads should lose none of theirs.
    On which axis does your index `head` fall?"""
    return _zeros_where(results, _numbered(results, 3) == head)


def silences_this_head_and_the_later_ones(results, head):
    """You silenced this head and all that come after it.
    Only one should go.
    Does your slice have an end?"""
    return _zeros_where(results, _numbered(results, 1) >= head)


def silences_the_heads_up_to_it(results, head):
    """You silenced this head and all that come before it.
    Only one should go.
    Does your slice have a beginning?"""
    return _zeros_where(results, _numbered(results, 1) <= head)


def silences_the_heads_before_it(results, head):
    """The heads before this one are silent, and this one is still at work.
    A slice that ends with `head` does not include it.
    Only one head should become zero."""
    return _zeros_where(results, _numbered(results, 1) < head)


def makes_up_for_the_missing_head(results, head):
    """Your other heads have grown, as if they had to make up for the one that is missing.
    Dropout rescales what is left; here nothing is rescaled, since we want to see the gap.
    Is there a factor that should not be there?"""
    heads = results.shape[1]
    return silence(results, head) * (heads / max(heads - 1, 1))


def puts_the_mean_of_the_heads_there(results, head):
    """You replaced the head by the mean of all heads.
    Then something of it, and of the others, still reaches the output through its rows.
    A head that contributes nothing hands on zeros."""
    xp = array_namespace(results)
    mean = xp.mean(results, axis=1, keepdims=True)
    return xp.where(xp.asarray(_numbered(results, 1) == head), mean, results)


def puts_its_mean_over_the_tokens_there(results, head):
    """You replaced the head by its mean over all tokens.
    This is another experiment, called mean ablation.
    Here the head should contribute nothing, so what it hands on is zero."""
    xp = array_namespace(results)
    mean = xp.mean(results, axis=2, keepdims=True)
    return xp.where(xp.asarray(_numbered(results, 1) == head), mean, results)


def hands_on_ones(results, head):
    """The head that you took out hands on ones, and its rows of the matrix add up in the output.
    A factor of 1 would change nothing, but a result of 1 does contribute.
    What does a silent head hand on?"""
    xp = array_namespace(results)
    return xp.where(xp.asarray(_numbered(results, 1) == head), xp.ones_like(results), results)


def turns_the_head_round(results, head):
    """The head is still at work in your output, with the opposite sign: you took it away twice.
    Taken away once, nothing of it is left.
    What do you subtract its part from?"""
    xp = array_namespace(results)
    return xp.where(xp.asarray(_numbered(results, 1) == head), -results, results)
