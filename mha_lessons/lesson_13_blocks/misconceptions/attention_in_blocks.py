"""What people get wrong about `attention_in_blocks`."""

import numpy as np

from autograder.mistakes import mistake
from mha_ref.attention import scale
from mha_ref.blocks import block_mask, merge_attention, partial_attention

from ..exercises import attention_in_blocks


def _parts_of(query, key, value, block, causal, last=None, hidden=None):
    """Output, log-sum-exp and number of keys of each block.

    hidden: what a query gets from a block that it must not see, made from the values; None: zeros.
    """
    query, key, value = map(np.asarray, (query, key, value))
    queries, keys = query.shape[-2], key.shape[-2]
    for start in range(0, keys if last is None else last, block):
        stop = min(start + block, keys)
        mask = block_mask(queries, keys, start, stop) if causal else None
        part = partial_attention(query, key[..., start:stop, :], value[..., start:stop, :], mask)
        if hidden and causal:
            sees = np.asarray(mask).any(axis=-1, keepdims=True)
            part = np.where(sees, part[0], hidden(value[..., start:stop, :])), part[1]
        yield *part, stop - start


def _nothing(value):
    """What softmax makes of minus infinity alone."""
    return value[..., :1, :] * np.nan


def _mean(value):
    """What softmax makes of the same large negative number in place of every score."""
    return value.mean(axis=-2, keepdims=True)


HIDDEN = None, _mean, _nothing


def drops_the_keys_left_over(query, key, value, block, causal=False):
    """Where the blocks do not divide the keys evenly, the last keys are missing from your result. The last block may be
    shorter than the others. How many times does your loop run with 7 keys and blocks of 3?"""
    query, key, value = map(np.asarray, (query, key, value))
    output, lse = np.zeros((*query.shape[:-1], value.shape[-1]), query.dtype), np.full(query.shape[:-1], -np.inf)
    for part_output, part_lse, _ in _parts_of(query, key, value, block, causal, key.shape[-2] // block * block):
        output, lse = merge_attention(output, lse, part_output, part_lse)
    return output


def stops_before_the_last_block(query, key, value, block, causal=False):
    """The last block of keys is missing from your result: your loop ends before it, even where the blocks divide the
    keys evenly. With 6 keys and blocks of 3, which starts does your `range` give?"""
    query, key, value = map(np.asarray, (query, key, value))
    output, lse = np.zeros((*query.shape[:-1], value.shape[-1]), query.dtype), np.full(query.shape[:-1], -np.inf)
    for part_output, part_lse, _ in _parts_of(query, key, value, block, causal, key.shape[-2] - block):
        output, lse = merge_attention(output, lse, part_output, part_lse)
    return output


def keeps_the_last_block_only(query, key, value, block, causal=False):
    """Your result is attention to the last block alone. Each pass of the loop starts over, and what was there before is
    lost. What does each new block have to be merged with, and under which name do you keep that?"""
    *_, (output, _, _) = _parts_of(query, key, value, block, causal)
    return output


def stops_after_the_first_block(query, key, value, block, causal=False):
    """Your result is attention to the first block alone. The loop ends in its first pass, or the later blocks are not
    merged. Is the `return` inside the loop?"""
    output, _, _ = next(_parts_of(query, key, value, block, causal))
    return output


@mistake(hidden=HIDDEN)
def averages_the_blocks(query, key, value, block, causal=False, *, hidden):
    """Your result is the plain mean of all blocks. A block whose keys fit the query better gets more of the attention.
    Which two results do you need from each block, so that you can merge them?"""
    parts = _parts_of(query, key, value, block, causal, hidden=hidden)
    return np.stack([np.asarray(output) for output, _, _ in parts]).mean(axis=0)


@mistake(hidden=HIDDEN)
def adds_the_blocks(query, key, value, block, causal=False, *, hidden):
    """Your result is the plain sum of all blocks. In each of them the weights already sum to 1, so together they sum to
    the number of blocks. How much of the whole is each block?"""
    return sum(np.asarray(output) for output, _, _ in _parts_of(query, key, value, block, causal, hidden=hidden))


@mistake(hidden=HIDDEN)
def weighs_blocks_by_their_size(query, key, value, block, causal=False, *, hidden):
    """Each of your blocks counts by the number of its keys. It is the scores that count: a single key can get nearly
    all the attention. Which number says how much a block weighs for a query?"""
    parts = _parts_of(query, key, value, block, causal, hidden=hidden)
    return sum(np.asarray(output) * size for output, _, size in parts) / key.shape[-2]


def weighs_blocks_by_the_keys_that_are_seen(query, key, value, block, causal=False):
    """Each of your blocks counts by the number of keys that a query may see in it. It is the scores that count: a
    single key can get nearly all the attention. Which number says how much a block weighs for a query?"""
    queries, keys = query.shape[-2], key.shape[-2]
    counts = [
        block_mask(queries, keys, start, min(start + block, keys)).sum(-1, keepdims=True)
        if causal
        else min(block, keys - start)
        for start in range(0, keys, block)
    ]
    parts = [np.asarray(output) for output, _, _ in _parts_of(query, key, value, block, causal)]
    return sum(output * count for output, count in zip(parts, counts)) / sum(counts)


def keeps_the_block_with_the_best_score(query, key, value, block, causal=False):
    """For each query your result is that of a single block, the one with the largest sum. All blocks have a share in
    the whole. Do you compare log-sum-exps where they should be merged?"""
    outputs, lses, _ = zip(*_parts_of(query, key, value, block, causal))
    best = np.stack([np.asarray(x) for x in lses]).argmax(axis=0)[None, ..., None]
    return np.take_along_axis(np.stack([np.asarray(x) for x in outputs]), best, axis=0)[0]


def leaves_causal_unread(query, key, value, block, causal=False):
    """With `causal=True` your result is the same as without. A query must not see the keys that come after it. Where in
    your code does `causal` come in?"""
    return attention_in_blocks(query, key, value, block)


def hides_the_future_unasked(query, key, value, block, causal=False):
    """Your attention hides the keys after a query even where `causal` is False. Unless that is asked for, every query
    sees every key. What does your mask depend on?"""
    return attention_in_blocks(query, key, value, block, True)


def overlaps_neighbouring_blocks(query, key, value, block, causal=False):
    """Your blocks overlap: the first key of a block is also in the block before it, so it counts twice. A slice stops
    before its second number. Where does a block end, and where does the next one begin?"""
    query, key, value = map(np.asarray, (query, key, value))
    queries, keys = query.shape[-2], key.shape[-2]
    output, lse = np.zeros((*query.shape[:-1], value.shape[-1]), query.dtype), np.full(query.shape[:-1], -np.inf)
    for start in range(0, keys, block):
        stop = min(start + block + 1, keys)
        mask = block_mask(queries, keys, start, stop) if causal else None
        part = partial_attention(query, key[..., start:stop, :], value[..., start:stop, :], mask)
        output, lse = merge_attention(output, lse, *part)
    return output


def makes_nan_of_a_hidden_block(query, key, value, block, causal=False):
    """Where all keys of a block are hidden from a query, your result is NaN: there every score is -inf, and -inf minus
    -inf is not a number. It spoils the other blocks, too, since 0 times NaN is NaN. Which number could you subtract in
    such a block instead?"""
    right = np.asarray(attention_in_blocks(query, key, value, block, causal))
    queries, keys = query.shape[-2], key.shape[-2]
    hidden = np.arange(keys - queries, keys) < (keys - 1) // block * block
    return np.where(hidden[:, None] & causal, np.nan, right)


def _running(query, key, value, block, causal, maximum=np.maximum, of_sum=np.exp, of_output=np.exp, **odd):
    """Numerator and denominator, block by block, after a running maximum.

    maximum: of the old one and that of a block. of_sum, of_output: what rescales them, of the old maximum minus the
    new one. odd: `padding`, how many keys of zeros are put behind the last; `nothing`, what divides where the sum is 0.
    """
    query, key, value = map(np.asarray, (query, key, value))
    padding, nothing = odd.get("padding", 0), odd.get("nothing", 0)
    key, value = (np.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, padding), (0, 0)]) for x in (key, value))
    queries, keys = query.shape[-2], key.shape[-2]
    top, below, above = np.full((*query.shape[:-1], 1), NONE), 0, 0
    for start in range(0, keys, block):
        stop = min(start + block, keys)
        scores = scale(query @ key[..., start:stop, :].mT, query.shape[-1])
        if causal:
            scores = np.where(block_mask(queries, keys - padding, start, stop), scores, -np.inf)
        new = maximum(top, scores.max(axis=-1, keepdims=True))
        powers, step = np.exp(scores - new), (top if start else new) - new  # before the first block nothing is kept
        above = above * of_output(step) + powers @ value[..., start:stop, :]
        below = below * of_sum(step) + powers.sum(axis=-1, keepdims=True)
        top = new
    return above / np.where(below == 0, nothing, below)


NONE = -1e30  # the largest score so far, where there is none


def _one(step):
    """The factor of what is not rescaled."""
    return np.ones_like(step)


def rescales_the_output_alone(query, key, value, block, causal=False):
    """Your maximum can grow from block to block, and then only the weighted values are rescaled. The sum of the
    exponentials still has the old maximum in it, so you divide by a mixture. Both were made with the old maximum. What
    has to happen to the sum, too, when a larger score comes?"""
    return _running(query, key, value, block, causal, of_sum=_one)


def rescales_the_sum_alone(query, key, value, block, causal=False):
    """Your maximum can grow from block to block, and then only the sum of the exponentials is rescaled. The weighted
    values still have the old maximum in them. Both were made with the old maximum. What has to happen to them, too,
    when a larger score comes?"""
    return _running(query, key, value, block, causal, of_output=_one)


def never_rescales(query, key, value, block, causal=False):
    """You subtract the largest score so far, but what was summed before it came in stays as it was. Its exponentials
    were made with a smaller maximum, so earlier blocks weigh too much. By which factor do they change when the maximum
    grows?"""
    return _running(query, key, value, block, causal, of_sum=_one, of_output=_one)


def rescales_the_wrong_way_round(query, key, value, block, causal=False):
    """When the maximum grows, you make the sums of earlier blocks larger. With a larger maximum, every exponential is
    smaller, even those of earlier blocks. In the exponent of that factor, which of the two maxima is subtracted from
    which?"""
    return _running(query, key, value, block, causal, of_sum=_shrunk, of_output=_shrunk)


def _shrunk(step):
    """The factor upside down."""
    return np.exp(-step)


def gives_each_block_a_maximum_of_its_own(query, key, value, block, causal=False):
    """Each of your blocks subtracts its own maximum, but they are summed as if it were the same one. A block of
    small scores counts as much as one of large scores. What do the exponentials of different blocks need before they
    may be added?"""

    def latest(old, new):
        return np.where(np.isfinite(new), new, 0)

    return _running(query, key, value, block, causal, latest, _one, _one)


def counts_keys_of_zeros(query, key, value, block, causal=False):
    """Where the blocks do not divide the keys evenly, your weights sum to less than 1: keys of zeros fill the last
    block and count, since e^0 is 1. How can the last block be shorter, or its empty rows hidden?"""
    return _running(query, key, value, block, causal, padding=-key.shape[-2] % block)


@mistake(on=("large", "low", "gap", "hidden_large"), nothing=(0, 1))
def takes_exponentials_without_a_maximum(query, key, value, block, causal=False, *, nothing):
    """Where scores are far from 0, your result is lost: their exponentials overflow, or all of them become 0.
    Only differences from the largest score so far are safe. When a later block has a larger one, what was summed before
    has to be rescaled. What do you subtract before `exp`?"""
    return _running(query, key, value, block, causal, lambda old, new: np.zeros_like(new), nothing=nothing)


@mistake(on=("large", "gap", "hidden_large"))
def keeps_the_maximum_of_the_first_block(query, key, value, block, causal=False):
    """Where a later block has far larger scores than the first one, your result is not a number: an exponential
    overflows. What is subtracted has to be the largest score so far, and when it grows, what was summed before is
    rescaled. Whose maximum do you subtract in a later block?"""
    return _running(query, key, value, block, causal, lambda old, new: np.where(old > NONE, old, new))


@mistake(on="low")
def holds_the_largest_score_above_a_number(query, key, value, block, causal=False):
    """Where all scores of a query lie far below zero, your result is not a number: all exponentials have become 0, and
    so has their sum. What is subtracted has to be the largest score itself, however low it is. Does yours begin at a
    number, or is it held above one?"""
    return _running(query, key, value, block, causal, lambda old, new: np.maximum(np.maximum(old, new), 0))


@mistake(on="low")
def takes_0_for_the_maximum_of_a_hidden_block(query, key, value, block, causal=False):
    """Where scores lie far below zero and a whole block is hidden, your result is not a number. The largest score so
    far has become 0 there, and all that was gathered is rescaled away. A hidden block must not change it. What do you
    take for the maximum of such a block?"""

    def at_least_0(old, new):
        return np.maximum(old, np.where(np.isfinite(new), new, 0))

    return _running(query, key, value, block, causal, at_least_0)


@mistake(on=("low", "hidden_large"))
def hides_with_a_number_above_the_scores(query, key, value, block, causal=False):
    """Where scores lie far below zero, hidden keys get the attention: the number in place of their scores is larger
    than the scores that are seen. Minus infinity never is. What do you write where a key is hidden?"""
    query, key, value = map(np.asarray, (query, key, value))
    scores = scale(query @ key.mT, query.shape[-1])
    if causal:
        scores = np.where(block_mask(*scores.shape[-2:], 0, scores.shape[-1]), scores, -1e5)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers @ value / powers.sum(axis=-1, keepdims=True)


def _whole(query, key, value, causal):
    """Attention to all keys at once, and its log-sum-exp."""
    query, key, value = map(np.asarray, (query, key, value))
    queries, keys = query.shape[-2], key.shape[-2]
    return partial_attention(query, key, value, block_mask(queries, keys, 0, keys) if causal else None)


@mistake(on="low")
def loses_queries_whose_scores_are_low(query, key, value, block, causal=False):
    """Where all scores of a query lie far below zero, your result is 0. Their exponentials have become 0, or something
    in your code outweighs them: a maximum or a log-sum-exp that begins at a number, or is held above one. Nothing seen
    yet is minus infinity. With which numbers does your loop begin?"""
    right, lse = _whole(query, key, value, causal)
    return np.where(lse[..., None] > -1e4, right, 0)


def begins_with_a_log_sum_exp_of_0(query, key, value, block, causal=False):
    """Your weights sum to less than 1, as if there were one more key, with a score of 0 and nothing in its value. A
    log-sum-exp of 0 is such a key, since e^0 is 1; so is a sum that begins at 1. What is the logarithm of nothing?"""
    right, lse = _whole(query, key, value, causal)
    return right * np.exp(lse - np.logaddexp(lse, 0))[..., None]
