"""What people get wrong about the mask of one block."""

import numpy as np

from mha_ref.masks import causal_mask

from ..exercises import block_mask


@block_mask.misconception
def counts_each_block_from_zero(queries, keys, start, stop):
    """Every block gets the mask of the first one, as if its keys had the places 0, 1, 2 and so on. The keys of a later
    block have later places. What has to be added to the numbers of the columns?"""
    return block_mask(queries, keys, 0, stop - start)


@block_mask.misconception
def makes_a_causal_mask_of_each_block(queries, keys, start, stop):
    """Within each block you make a causal mask of its own, as if the block were the whole text: the last query at the
    last key of the *block*. Queries see keys of later blocks that way. Which places do the queries have in the text?"""
    return causal_mask(queries, stop - start)


@block_mask.misconception
def puts_the_first_query_at_key_zero(queries, keys, start, stop):
    """Your first query is at the first key. The last query is at the last key, so with fewer queries than keys the
    first one is further back in the text. By how much do the rows have to move?"""
    return block_mask(queries, queries, start, stop)


@block_mask.misconception
def masks_the_past_of_a_block(queries, keys, start, stop):
    """Allowed and hidden have changed places in your mask: queries see the keys after them. A key is allowed if its
    place is at most that of the query. Which way round is your comparison?"""
    return ~block_mask(queries, keys, start, stop)


@block_mask.misconception
def hides_the_own_key(queries, keys, start, stop):
    """In your causal attention a query does not see the key at its own place. It sees every key up to and including its
    own. Does your comparison let equality through?"""
    return block_mask(queries, keys, start + 1, stop + 1)


@block_mask.misconception
def sees_one_key_ahead(queries, keys, start, stop):
    """In your causal attention each query sees one key too many, the one right after it. Its own place is the last one
    that it may see. Is a place off by one, or a block?"""
    return block_mask(queries, keys, start - 1, stop - 1)


@block_mask.misconception
def hides_or_shows_whole_blocks(queries, keys, start, stop):
    """A query sees a block whole as soon as it sees its first key. The block that holds the query's own key is the
    one in which the mask cuts through. Compare place by place there."""
    return np.repeat(block_mask(queries, keys, start, start + 1), stop - start, axis=-1)


@block_mask.misconception
def shows_finished_blocks_only(queries, keys, start, stop):
    """A query sees a block only if it sees all of it, so the keys of the block that it is in are missing. The mask cuts
    through that block. Compare place by place there."""
    return np.repeat(block_mask(queries, keys, stop - 1, stop), stop - start, axis=-1)
