"""What people get wrong about `concatenate_heads`."""

from array_api_compat import array_namespace

from ..exercises import concatenate_heads


@concatenate_heads.misconception(axis=(0, -3))
def stacks_the_heads_and_reshapes(*each, axis):
    """The shape fits, but the columns of one row come from several tokens of the same head.
    The heads were put below each other, as blocks of rows, and a reshape reads on in that order.
    In each row belong the columns of all heads for *one* token. Along which axis do you join?"""
    return array_namespace(*each).stack(each, axis=axis).reshape(*each[0].shape[:-1], -1)


@concatenate_heads.misconception
def interleaves_the_heads(*each):
    """The columns of your heads alternate: the first of each head, then the second of each, and so on.
    Rows of `w_output` come in blocks, first all those of head 0, then all those of head 1.
    Put each head's columns down as one block, before the next head begins."""
    return array_namespace(*each).stack(each, axis=-1).reshape(*each[0].shape[:-1], -1)


@concatenate_heads.misconception
def joins_the_heads_in_reverse(*each):
    """Your heads are in reverse order, so each one meets the rows of `w_output` that belong to another.
    The first block of rows is for head 0.
    Where does a new result go in your list, at its end or at its front?"""
    return concatenate_heads(*each[::-1])


@concatenate_heads.misconception(first=(-1, 1))
def joins_the_heads_one_place_off(*each, first):
    """Each head is one place off, so it meets rows of `w_output` that belong to its neighbour.
    The first block of rows is for head 0, the next for head 1, up to the last.
    An index of -1 is no error: it means the last one. Is 1 added to the number of a head, or taken away?"""
    return concatenate_heads(*each[first:], *each[:first])


@concatenate_heads.misconception
def divides_by_the_number_of_heads(*each):
    """Every number of your output is divided by the number of heads, as a mean over heads would be.
    Heads are side by side, so that nothing of any head is lost; how much each of them counts, `w_output` decides.
    Is there a `mean`, or a division, after the loop?"""
    return concatenate_heads(*each) / len(each)


@concatenate_heads.misconception
def repeats_the_last_head(*each):
    """Every block of columns holds the result of the last head.
    Each head has a result of its own, and each of them belongs side by side with the others.
    Is something overwritten in your loop that should be kept, or looked up after the loop has ended?"""
    return concatenate_heads(*[each[-1]] * len(each))


@concatenate_heads.misconception
def overlaps_the_columns_of_the_heads(*each):
    """Your blocks of columns overlap, so a head overwrites part of the one before, and the last columns stay empty.
    A block begins where the last one ended: after the *columns* of all heads before it, not after as many columns as
    there are heads.
    By which number do you multiply the number of the head?"""
    xp, size = array_namespace(*each), each[0].shape[-1]
    pieces = [head[..., : len(each)] for head in each[:-1]] + [each[-1]]
    filled = xp.concat(pieces, axis=-1) if size > len(each) else concatenate_heads(*each)
    empty = xp.zeros_like(concatenate_heads(*each))[..., filled.shape[-1] :]
    return xp.concat([filled, empty], axis=-1)


@concatenate_heads.misconception
def bends_the_heads(*each):
    """What the heads have found was cut off below 0, as ReLU does, before `w_output` mixed it.
    A negative number says something, too. Between heads and output weights is no activation."""
    return concatenate_heads(*each) * (concatenate_heads(*each) > 0)


ONE_OF_MANY = {"mean": "mean", "sum": "sum", "largest number": "max"}


def one_of_many(x, made, axis):
    """One result for all along this axis: their mean, their sum, or the largest number in each place."""
    return getattr(array_namespace(x), ONE_OF_MANY[made])(x, axis=axis)


@concatenate_heads.misconception(made=tuple(ONE_OF_MANY))
def repeats_one_result_of_all_heads(*each, made):
    """Your heads were made one, by the {made} over the heads, and that was repeated until it was wide enough.
    The shape fits, but what each head found by itself is lost before `w_output` sees it.
    Heads are side by side: how does each keep columns of its own?"""
    return concatenate_heads(*[one_of_many(array_namespace(*each).stack(each), made, axis=0)] * len(each))
