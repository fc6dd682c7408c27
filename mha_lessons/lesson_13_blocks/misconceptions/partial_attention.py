"""What people get wrong about attention to one part of the keys."""

import numpy as np

from autograder.mistakes import mistake
from mha_ref.attention import scale

from ..exercises import partial_attention


def _scores_of(query, key, mask):
    scores = scale(query @ key.mT, query.shape[-1])
    return scores if mask is None else np.where(mask, scores, -np.inf)


@mistake(subtracts=("the maximum", "nothing"))
def forgets_to_normalise_a_block(query, key, value, mask=None, *, subtracts):
    """Your blocks are sums of exponentials times values, never divided by the sum of the exponentials, and they are
    merged as if they were means. `merge_attention` expects an output whose weights sum to 1. Is the output of each
    block a mean?"""
    scores, lse = _scores_of(query, key, mask), partial_attention(query, key, value, mask)[1]
    top = np.max(np.asarray(scores), axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0) if subtracts == "the maximum" else 0
    return np.exp(scores - top) @ value, lse


def merges_by_the_largest_score(query, key, value, mask=None):
    """You merge the blocks by their largest scores. What a block weighs is the sum of all its exponentials, and the
    largest is only one of them. Which function in this lesson gives the logarithm of that sum?"""
    output, _ = partial_attention(query, key, value, mask)
    return output, np.max(np.asarray(_scores_of(query, key, mask)), axis=-1)


def takes_the_lse_of_unscaled_scores(query, key, value, mask=None):
    """Your weights come from scaled scores, but the log-sum-exp comes from scores that are not scaled. Both have to
    come from the same scores, or a block weighs too much or too little. Where does your code divide by the root?"""
    output, _ = partial_attention(query, key, value, mask)
    return output, partial_attention(query * query.shape[-1] ** 0.5, key, value, mask)[1]


def takes_the_lse_of_unmasked_scores(query, key, value, mask=None):
    """Without `causal` your result is right. With it, hidden keys get no weight but still count in the log-sum-exp of
    their block. They must be missing from both. Is the mask applied before the log-sum-exp is taken?"""
    return partial_attention(query, key, value, mask)[0], partial_attention(query, key, value)[1]


def gives_every_block_the_same_lse(query, key, value, mask=None):
    """You merge the blocks as if they all had the same log-sum-exp. That makes a plain mean, in which the scores of a
    block do not count. What has to be computed for each block besides its output?"""
    output, lse = partial_attention(query, key, value, mask)
    return output, np.where(np.isfinite(np.asarray(lse)), np.zeros_like(lse), lse)
