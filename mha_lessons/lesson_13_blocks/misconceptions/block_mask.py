"""What people get wrong about the mask of one block."""

import numpy as np

from mha_ref.masks import causal_mask

from ..exercises import block_mask


def counts_each_block_from_zero(queries, keys, start, stop):
    """Every block gets the mask of the first one, as if its keys were at positions 0, 1, 2 and so on. The keys of a
    later block have later positions. What has to be added to the numbers of the columns?"""
    return block_mask(queries, keys, 0, stop - start)


def makes_a_causal_mask_of_each_block(queries, keys, start, stop):
    """Each of your blocks has its own causal mask, as if it were the whole text: the last query lines up with the last
    key of the *block*. So queries miss keys of earlier blocks. Which positions do the queries have in the text?"""
    return causal_mask(queries, stop - start)


def puts_the_first_query_at_key_zero(queries, keys, start, stop):
    """Your first query lines up with the first key. It is the last query that lines up with the last key, so with fewer
    queries than keys the first one comes later in the text. By how much do the rows have to move?"""
    return block_mask(queries, queries, start, stop)


def masks_the_past_of_a_block(queries, keys, start, stop):
    """Allowed and hidden are exchanged in your mask: queries see the keys after them. A key is allowed if its
    position is at most that of the query. Which way round is your comparison?"""
    return ~block_mask(queries, keys, start, stop)


def hides_the_own_key(queries, keys, start, stop):
    """In your causal attention, a query does not see the key at its own position. It should see every key up to its
    own, that one included. Does your comparison let equality through?"""
    return block_mask(queries, keys, start + 1, stop + 1)


def sees_one_key_ahead(queries, keys, start, stop):
    """In your causal attention, each query sees one key too many, the one right after it. Its own position is the last
    one that it may see. Is a position off by one, or a block?"""
    return block_mask(queries, keys, start - 1, stop - 1)


def hides_or_shows_whole_blocks(queries, keys, start, stop):
    """Your queries see a whole block as soon as they see its first key. The mask should cut through the block that
    holds the query's own key. Compare position by position there."""
    return np.repeat(block_mask(queries, keys, start, start + 1), stop - start, axis=-1)


def shows_finished_blocks_only(queries, keys, start, stop):
    """Your queries see a block only if they see all of it, so the keys of a query's own block are missing. The mask
    should cut through that block. Compare position by position there."""
    return np.repeat(block_mask(queries, keys, stop - 1, stop), stop - start, axis=-1)
