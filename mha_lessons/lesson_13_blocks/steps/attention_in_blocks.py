"""What people get wrong about `attention_in_blocks`."""

import numpy as np

from mha_ref.blocks import block_mask, merge_attention, partial_attention

from ..exercises import attention_in_blocks


def parts_of(query, key, value, block, causal, last=None):
    """Output, log-sum-exp and number of keys of each block."""
    query, key, value = map(np.asarray, (query, key, value))
    queries, keys = query.shape[-2], key.shape[-2]
    for start in range(0, keys if last is None else last, block):
        stop = min(start + block, keys)
        mask = block_mask(queries, keys, start, stop) if causal else None
        part = partial_attention(query, key[..., start:stop, :], value[..., start:stop, :], mask)
        yield *part, stop - start


@attention_in_blocks.misconception
def drops_the_keys_left_over(query, key, value, block, causal=False):
    """Where the blocks do not divide the keys evenly, the last keys are missing from your result. The last block may be
    shorter than the others. How many times does your loop run with 7 keys and blocks of 3?"""
    query, key, value = map(np.asarray, (query, key, value))
    output, lse = np.zeros((*query.shape[:-1], value.shape[-1]), query.dtype), np.full(query.shape[:-1], -np.inf)
    for part_output, part_lse, _ in parts_of(query, key, value, block, causal, key.shape[-2] // block * block):
        output, lse = merge_attention(output, lse, part_output, part_lse)
    return output


@attention_in_blocks.misconception
def keeps_the_last_block_only(query, key, value, block, causal=False):
    """Your result is attention to the last block alone. Each pass of the loop starts over, and what was there before is
    lost. What does each new block have to be merged with, and under which name do you keep that?"""
    *_, (output, _, _) = parts_of(query, key, value, block, causal)
    return output


@attention_in_blocks.misconception
def stops_after_the_first_block(query, key, value, block, causal=False):
    """Your result is attention to the first block alone. The loop ends in its first pass, or the later blocks are not
    merged. Is the `return` inside the loop?"""
    output, _, _ = next(parts_of(query, key, value, block, causal))
    return output


@attention_in_blocks.misconception
def averages_the_blocks(query, key, value, block, causal=False):
    """Your result is the plain mean of all blocks. A block whose keys fit the query better gets more of the attention.
    Which two results do you need from each block, so that you can merge them?"""
    return np.stack([np.asarray(output) for output, _, _ in parts_of(query, key, value, block, causal)]).mean(axis=0)


@attention_in_blocks.misconception
def adds_the_blocks(query, key, value, block, causal=False):
    """Your result is the plain sum of all blocks. In each of them the weights already sum to 1, so together they sum to
    the number of blocks. How much of the whole is each block?"""
    return sum(np.asarray(output) for output, _, _ in parts_of(query, key, value, block, causal))


@attention_in_blocks.misconception
def weighs_blocks_by_their_size(query, key, value, block, causal=False):
    """Each of your blocks counts by the number of its keys. It is the scores that count: a single key can get nearly
    all the attention. Which number says how much a block weighs for a query?"""
    parts = [(np.asarray(output), size) for output, _, size in parts_of(query, key, value, block, causal)]
    return sum(output * size for output, size in parts) / key.shape[-2]


@attention_in_blocks.misconception
def keeps_the_block_with_the_best_score(query, key, value, block, causal=False):
    """For each query your result is that of a single block, the one with the largest sum. All blocks have a share in
    the whole. Do you compare log-sum-exps where they should be merged?"""
    outputs, lses, _ = zip(*parts_of(query, key, value, block, causal))
    best = np.stack([np.asarray(x) for x in lses]).argmax(axis=0)[None, ..., None]
    return np.take_along_axis(np.stack([np.asarray(x) for x in outputs]), best, axis=0)[0]


@attention_in_blocks.misconception
def leaves_causal_unread(query, key, value, block, causal=False):
    """With `causal=True` your result is the same as without. A query must not see the keys that come after it. Where in
    your code does `causal` come in?"""
    return attention_in_blocks(query, key, value, block)


@attention_in_blocks.misconception
def hides_the_future_unasked(query, key, value, block, causal=False):
    """Your attention hides the keys after a query even where `causal` is False. Unless that is asked for, every query
    sees every key. What does your mask depend on?"""
    return attention_in_blocks(query, key, value, block, True)


@attention_in_blocks.misconception
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
