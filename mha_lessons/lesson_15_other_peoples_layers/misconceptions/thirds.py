"""What people get wrong where a block is cut into query, key and value."""

from autograder.mistakes import mistake

from ..exercises import thirds


@mistake(
    order=("key, query, value", "query, value, key", "value, key, query", "key, value, query", "value, query, key")
)
def reads_the_blocks_in_another_order(block, *, order):
    """Your blocks are read in the order {order}.
    All three have the same shape, so nothing stops a layer from loading them.
    In which order does the other layer put them, and which piece gets which name?"""
    query, key, value = thirds(block)
    named = {"query": query, "key": key, "value": value}
    read = dict(zip(order.split(", "), named.values()))
    return read["query"], read["key"], read["value"]


@mistake(
    of=("weights", "biases"),
    order=("key, query, value", "query, value, key", "value, key, query", "key, value, query", "value, query, key"),
)
def reads_one_kind_of_block_in_another_order(block, *, of, order):
    """Only your {of} are read in the order {order}.
    The weights and the biases hold the same three projections, one after the other.
    Do both parts of your code give the pieces the same names, in the same order?"""
    is_meant = (block.ndim > 1) == (of == "weights")
    return reads_the_blocks_in_another_order(block, order=order) if is_meant else thirds(block)


@mistake(of=("both blocks", "the weights", "the biases"))
def takes_every_third(block, *, of):
    """Your pieces of {of} are made from every third row or column: 0, 3, 6 and so on for the query.
    The three projections lie in blocks, one after the other; they are not shuffled like cards.
    Where does the first block begin, and where does it end?"""
    is_meant = of == "both blocks" or (block.ndim > 1) == (of == "the weights")
    return (block[0::3], block[1::3], block[2::3]) if is_meant else thirds(block)


def cuts_along_the_other_axis(block):
    """Your pieces are cut along the wrong axis: each holds a part of every projection.
    Only one axis of the block is three times as long as the model size. Which one is it here?"""
    size = -(-block.shape[-1] // 3)
    return block[..., :size], block[..., size : 2 * size], block[..., 2 * size :]


def takes_the_first_block_three_times(block):
    """Query, key and value have the same numbers: all three are the first block.
    A layer loads that without an error, too.
    Does the place where you cut move from piece to piece?"""
    first, _, _ = thirds(block)
    return first, first, first


@mistake(
    pieces=("query, query, value", "query, key, key", "query, value, value", "query, query, key", "key, key, value")
)
def takes_one_block_twice(block, *, pieces):
    """Your query, key and value get the blocks of {pieces}: one came twice, and one not at all.
    A layer loads that without an error, too.
    Do both ends of your slices move on from piece to piece?"""
    named = dict(zip(("query", "key", "value"), thirds(block)))
    return tuple(named[name] for name in pieces.split(", "))
