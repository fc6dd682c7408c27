"""What people get wrong about `concatenate_heads`."""

from array_api_compat import array_namespace

from autograder.mistakes import mistake

from ..exercises import concatenate_heads


@mistake(axis=(0, -3))
def stacks_the_heads_and_reshapes(*each, axis):
    """The shape fits, but the columns of one row come from several tokens of the same head.
    The heads were stacked as blocks of rows, and the reshape read them in that order.
    Each row should hold the columns of all heads for *one* token. Along which axis do you join?"""
    return array_namespace(*each).stack(each, axis=axis).reshape(*each[0].shape[:-1], -1)


def interleaves_the_heads(*each):
    """The columns of your heads alternate: the first of each head, then the second of each, and so on.
    The rows of `w_output` come in blocks: all those of head 0, then all those of head 1.
    Keep the columns of each head together, as one block."""
    return array_namespace(*each).stack(each, axis=-1).reshape(*each[0].shape[:-1], -1)


def joins_the_heads_in_reverse(*each):
    """Your heads are in reverse order, so each one meets the rows of `w_output` that belong to another.
    The first block of rows is for head 0.
    Where in your list does a new result go, at the end or at the front?"""
    return concatenate_heads(*each[::-1])


@mistake(first=(-1, 1))
def joins_the_heads_one_place_off(*each, first):
    """Each head is one position off, so it meets rows of `w_output` that belong to its neighbour.
    The first block of rows is for head 0, the next for head 1, and so on.
    An index of -1 raises no error: it means the last one. Do you add 1 to the number of a head, or subtract it?"""
    return concatenate_heads(*each[first:], *each[:first])


def divides_by_the_number_of_heads(*each):
    """Every number of your output is divided by the number of heads, as in a mean over heads.
    Heads lie side by side, so that nothing is lost; `w_output` decides how much each of them counts.
    Is there a `mean`, or a division, after the loop?"""
    return concatenate_heads(*each) / len(each)


def repeats_the_last_head(*each):
    """Every block of columns holds the result of the last head.
    Each head has its own result, and the results belong side by side.
    Does your loop overwrite something that it should keep, or read it only after the loop has ended?"""
    return concatenate_heads(*[each[-1]] * len(each))


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


def bends_the_heads(*each):
    """The heads' results were cut off below 0, as by a ReLU, before `w_output` mixed them.
    Negative numbers carry information, too. There is no activation between the heads and the output weights."""
    return concatenate_heads(*each) * (concatenate_heads(*each) > 0)


ONE_OF_MANY = {"mean": "mean", "sum": "sum", "largest number": "max"}


def _one_of_many(x, made, axis):
    """One result for all along this axis: their mean, their sum, or the largest number in each place."""
    return getattr(array_namespace(x), ONE_OF_MANY[made])(x, axis=axis)


@mistake(made=tuple(ONE_OF_MANY))
def repeats_one_result_of_all_heads(*each, made):
    """Your heads were combined into one, the {made} over the heads, and that was repeated until it was wide enough.
    The shape fits, but what each head found on its own is lost before `w_output` sees it.
    Heads lie side by side: how can each keep its own columns?"""
    return concatenate_heads(*[_one_of_many(array_namespace(*each).stack(each), made, axis=0)] * len(each))
