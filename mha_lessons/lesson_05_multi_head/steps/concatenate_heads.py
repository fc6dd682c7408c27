"""What people get wrong about `concatenate_heads`, and what helps them."""

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
    """Your heads stand in reverse order, so each one meets the rows of `w_output` that belong to another.
    The first block of rows is for head 0.
    Where does a new result go in your list, at its end or at its front?"""
    return concatenate_heads(*each[::-1])


@concatenate_heads.misconception(first=(-1, 1))
def joins_the_heads_one_place_off(*each, first):
    """Each head stands one place off, so it meets rows of `w_output` that belong to its neighbour.
    The first block of rows is for head 0, the next for head 1, up to the last.
    An index of -1 is no error: it means the last one. Is 1 added to the number of a head, or taken away?"""
    return concatenate_heads(*each[first:], *each[:first])


@concatenate_heads.misconception
def divides_by_the_number_of_heads(*each):
    """Every number of your output is divided by the number of heads, as a mean over heads would be.
    Heads stand side by side, so that nothing of any head is lost; how much each of them counts, `w_output` decides.
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
    A negative number says something, too. Between heads and output weights stands no activation."""
    return concatenate_heads(*each) * (concatenate_heads(*each) > 0)


ONE_OF_MANY = {"mean": "mean", "sum": "sum", "largest number": "max"}


def one_of_many(x, made, axis):
    """One result for all along this axis: their mean, their sum, or the largest number in each place."""
    return getattr(array_namespace(x), ONE_OF_MANY[made])(x, axis=axis)


@concatenate_heads.misconception(made=tuple(ONE_OF_MANY))
def repeats_one_result_of_all_heads(*each, made):
    """Your heads were made one, by the {made} over the heads, and that was repeated until it was wide enough.
    The shape fits, but what each head found by itself is lost before `w_output` sees it.
    Heads stand side by side: how does each keep columns of its own?"""
    return concatenate_heads(*[one_of_many(array_namespace(*each).stack(each), made, axis=0)] * len(each))


concatenate_heads.hints_for(
    "stacks_the_heads_and_reshapes",
    "interleaves_the_heads",
    hints=(
        "Think of one token, and of the row that meets the output weights. "
        "It holds all that head 0 found for this token, then all that head 1 found, and so on. "
        "The output weights count on this order: they have a block of rows for each head. "
        "Numbers in another order meet weights that were made for others, and no shape tells you.",
        "Look at the place where the heads come together, and try it on two results that tell their owner: two tokens "
        "and three columns each, one full of 0, the other full of 1. "
        "Every row should read 0 0 0 1 1 1. "
        "What do your rows read? "
        "If you do not join, but take pieces of `w_output`, print which of its rows each head meets.",
        "`torch.cat` makes one axis longer and keeps each result as a block. "
        "Name the axis on which the columns lie, counted from the end, so that it fits whatever stands in front. "
        "No new axis is needed, and no reshape after it. "
        "If you work with pieces of `w_output`, a head gets head_size rows that are neighbours, without gaps.",
    ),
)

concatenate_heads.hints_for(
    "joins_the_heads_in_reverse",
    "joins_the_heads_one_place_off",
    "repeats_the_last_head",
    hints=(
        "What your loop makes has one place for each head: head 0 has the first, head 1 the second. "
        "Once a result has its place, later turns leave it alone. "
        "The output weights know a head by its place and by nothing else. "
        "So each head must be there once, and where it belongs.",
        "Print the first number of each head's result as it is joined, and beside it the first number of each head, "
        "computed alone. "
        "Do both lists agree, in the same order? "
        "If they are turned round, look at the line that adds a result to the others. "
        "If all numbers are equal, ask when each result is computed, and what it is kept in.",
        "In each turn, compute the result at once, with the matrices of this turn, and put it behind the results that "
        "are there. "
        "`append` does that to a list. "
        "A function that is called only after the loop, or one tensor that every turn fills anew, knows what the last "
        "turn has left, and nothing else.",
    ),
)

concatenate_heads.hints_for(
    "overlaps_the_columns_of_the_heads",
    hints=(
        "A joined row has a place for every number of every head. "
        "The blocks are as wide as one head has columns, and they lie side by side without gap or overlap. "
        "So where a block starts depends on how many numbers stand before it. "
        "How many heads stand before it is another count.",
        "Look at the line that chooses the columns for a head's result. "
        "For three heads of five columns, print the first and the last place of each block. "
        "They should be 0 and 4, 5 and 9, 10 and 14. "
        "Which of your numbers are others, and what was multiplied to get them? "
        "When all heads have a block, no place of the row is empty.",
        "The start of a block is the number of the head, times the columns of one head; the end is one block further. "
        "Or do without any starts: keep the results in a list, and let `torch.cat` lay them side by side along the "
        "axis of the columns.",
    ),
)

concatenate_heads.hints_for(
    "divides_by_the_number_of_heads",
    "bends_the_heads",
    "repeats_one_result_of_all_heads",
    hints=(
        "Between the heads and the output there is one thing only, and it is a product with weights that learn. "
        "These weights can make a head louder or quieter, or turn its sign. "
        "For that they need each result as the head has found it. "
        "A step in between changes what was found, though nobody asked for it.",
        "Take one token. "
        "Write down what its joined row should be: the numbers of head 0, then those of head 1, as `attention_head` "
        "gives them. "
        "Print your own row beside it. "
        "If both agree, go on to what comes out of the output weights, and to how pieces of it are put together.",
        "After the heads only two steps are left: join, and multiply by the output weights. "
        "Any other step there can go, be it a `mean`, a division or an activation. "
        "If each head meets its own piece of the output weights, the products are added up, and a sum has no divisor.",
    ),
)
