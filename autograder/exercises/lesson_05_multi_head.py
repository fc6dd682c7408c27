"""Lesson 05: several heads beside each other, what they cost, and what people believe about them."""

import math

import numpy as np
from array_api_compat import array_namespace

import mha_ref
from autograder import inputs
from autograder.activations import ACTIVATIONS, layer_norm
from autograder.exercise import LAYER_OF_TORCH, Exercise, Question, Refused, Step, TestWriting
from autograder.exercises.lesson_00_start_here import weighted_mean
from autograder.exercises.lesson_01_softmax import softmax
from autograder.exercises.lesson_02_scaled_dot_product import attention_scores
from autograder.exercises.lesson_03_masks import masked_attention
from autograder.exercises.lesson_04_single_head import attention_head
from autograder.properties import (
    a_head_is_its_own_matrices_and_rows,
    all_else_is_the_bias_of_the_output,
    batch_items_do_not_touch_each_other,
    blocked_tokens_have_no_influence,
    equal_sizes_are_counted_like_others,
    equal_values_come_out_as_they_are,
    every_row_of_every_matrix_counts,
    heads_may_change_places,
    heads_share_one_budget,
    queries_and_keys_grow_with_head_size,
    scores_are_products_of_queries_and_keys,
    tokens_may_change_places,
    twice_the_output_weights_twice_the_output,
    twice_the_size_four_times_the_weights,
    values_and_output_grow_with_value_size,
    values_are_only_mixed,
)
from autograder.variants import varied

# do you remember lessons 01 and 04?

remember_the_map = Question(
    answer=(5, 5),
    points=0,
    wrong={
        (5, 4): "That is the shape of the queries, and of the keys. The shares come when the two have met: "
        "a row for each who asks, a column for each who is asked. Look at lesson 04, *Three matrices*.",
        (5, 6): "That is what the words receive in the end. The shares say how much each word takes from each other. "
        "Look at lesson 04, *Three matrices*.",
        (4, 4): "That would compare features with features. The dot product sums over features; words meet words. "
        "Look at lesson 04, *Three matrices*.",
        (16, 16): "16 is the size of a word. The matrices have turned it into 4 before anything is compared. "
        "Look at lesson 04, *Three matrices*.",
        (5, 16): "That is the shape of the words themselves. Shares say who looks at whom. "
        "Look at lesson 04, *Three matrices*.",
    },
    hints=(
        "Each word gives one row of shares. "
        "For whom is there a share in it? "
        "No mask hides anybody here, so every word looks at every word, and at itself as well. "
        "Think of a table, and count its rows and its columns.",
        "Queries are (5, 4), and so are keys. "
        "In their product the features are gone: the 4 of the one meets the 4 of the other. "
        "Softmax changes numbers and no shapes. "
        "And the values come in only when the shares are ready.",
        "A row for each word that asks, a column for each word that is asked. "
        "It is the same 5 words. "
        "The numbers 16, 4 and 6 all count features. "
        "The first two are summed up on the way, and the 6 comes in later.",
    ),
)

remember_the_cut = Question(
    answer="b",
    points=0,
    wrong={
        "a": "The numbers are the same. But torch has no notes about them, so no slope finds the way back through. "
        "Look at lesson 04, *How a matrix learns*.",
        "c": "One matrix still learns: the values are mixed after this line, and slopes reach them. "
        "Which two matrices were at work before it? Look at lesson 04, *How a matrix learns*.",
    },
    hints=(
        "`tolist()` gives plain Python numbers. "
        "What does torch know of where they come from? "
        "Autograd keeps a note of every operation. "
        "A number that is written down anew has no notes behind it. "
        "Which matrices were at work before this line?",
        "Slopes go back from the loss, step by step. "
        "Which steps lie in front of this line, and which behind it? "
        "Draw the way from the words to the loss, with the three matrices where they are used. "
        "Then cut it where this line stands.",
        "The shares are made of two matrices, and cut off from both. "
        "The values do not pass through this line: they meet the shares after it. "
        "So which matrix can a slope still reach, when it comes back from the loss?",
    ),
)

remember_the_logarithms = Question(
    answer=0.6,
    points=0,
    wrong={
        6: "6 is the exponential of the first score. A weight is a share: divide by the sum of all three exponentials. "
        "Look at lesson 01, *Only differences count*.",
        0.62: "Here the scores themselves were divided by their sum. Softmax takes exponentials first. "
        "Look at lesson 01, *A score is not yet a share*.",
        2 / 3: "That is 6 out of 9. The score log 1 is 0, but its exponential is 1, so it takes a share as well. "
        "Look at lesson 01, *Only differences count*.",
        1.792: "That is log 6, the score as it was. Softmax takes exponentials, and then shares. "
        "Look at lesson 01, *Only differences count*.",
        0.3: "That is the second weight. The first one belongs to log 6. Look at lesson 01, *Only differences count*.",
    },
    hints=(
        "Softmax begins with exponentials. "
        "What is the exponential of a logarithm? "
        "The one undoes the other: the exponential of log 2 is 2. "
        "So you need no computer here. "
        "What does softmax do with the three numbers that you have then?",
        "The three exponentials are 6, 3 and 1. "
        "What is missing is the division, which turns them into shares of one whole. "
        "Add up all three first. "
        "Then each weight is one of the numbers, divided by this sum. "
        "Which number belongs to the first weight?",
        "The first weight is 6 out of the sum of all three, and the sum is 6 + 3 + 1. "
        "To check your answer, work out the other two weights in the same way. "
        "Together with the first they must give 1, one whole.",
    ),
)

concatenate_heads = Step(mha_ref.concatenate_heads)
mix_heads = Step(mha_ref.mix_heads)
multi_head_by_loop = Exercise(
    mha_ref.multi_head_by_loop,
    inputs.per_head,
    points=3,
    library="torch",
    forbids=LAYER_OF_TORCH,
    hints=(
        "A layer with several heads is one head, done several times, and one product at the end. "
        "Each head reads the whole of `x` through three matrices of its own, and knows nothing of the others. "
        "Their results lie side by side, as many rows as before and more columns. "
        "Only `w_output` brings them together.",
        "The first axis of `w_query`, `w_key` and `w_value` counts the heads: `w_query[0]` belongs to head 0. "
        "`attention_head` is imported, and does the work of one head, mask included. "
        "So what you write is a loop, a list that grows, one line that joins, and one that mixes. "
        "Along which axis do the columns of a head lie, whatever stands in front?",
        "In the loop, call `attention_head` with `x`, this head's three matrices and the mask, and keep the result. "
        "After the loop, `torch.cat` joins a list of tensors along the axis that you name; left alone it takes axis 0, "
        "and that is not where columns lie. "
        "Then multiply by `w_output` from the right. "
        "If shapes do not fit there, a head is missing in the list, or the tokens are no longer the rows.",
    ),
    properties=(
        a_head_is_its_own_matrices_and_rows,
        heads_may_change_places,
        batch_items_do_not_touch_each_other,
        blocked_tokens_have_no_influence,
        tokens_may_change_places,
        twice_the_output_weights_twice_the_output,
        equal_values_come_out_as_they_are,
        values_are_only_mixed,
        scores_are_products_of_queries_and_keys,
        every_row_of_every_matrix_counts,
    ),
)
parameter_count = Exercise(
    mha_ref.parameter_count,
    inputs.model_heads,
    points=3,
    hints=(
        "A matrix that makes `b` numbers out of `a` numbers has a times b entries, and its bias has b. "
        "There are four such projections: for queries, for keys, for values, and the output. "
        "Write down for each how many numbers go in and how many come out. "
        "The rest is adding up.",
        "Queries and keys: model_size in, and one head_size for each head out. "
        "Values: model_size in, and one value_size for each head out. "
        "The output takes in what the heads hand over, so which of the two sizes is it made of? "
        "Before all this, a size of None gets its default, if heads divide.",
        "Work with two numbers: the columns of all heads' keys, and the columns of all heads' values. "
        "Two projections are made of the first, two of the second; each has model_size on its other side. "
        "Biases count what comes out, and the output projection gives back model_size. "
        "`model_size % heads` is 0 where heads divide.",
    ),
    properties=(
        queries_and_keys_grow_with_head_size,
        values_and_output_grow_with_value_size,
        all_else_is_the_bias_of_the_output,
        equal_sizes_are_counted_like_others,
        heads_share_one_budget,
        twice_the_size_four_times_the_weights,
    ),
)
test_multi_head_by_loop = TestWriting(
    multi_head_by_loop,
    catches=(
        "forgets_the_output_weights",
        "shares_the_weights_of_head_0",
        "gives_every_head_the_same_map",
        "attends_once_for_all_heads",
        "scales_by_all_heads_together",
        "masks_the_first_head_only",
    ),
    points=3,
    hints=(
        "You have a version that you trust: one head, from lesson 04. "
        "What several heads should give can be computed from it, in loops as slow as you like. "
        "A test that compares numbers with such a computation catches all mistakes that change numbers.",
        "Choose the inputs with care. "
        "Two heads or more, random weights that differ from head to head, more than one token. "
        "And call the version twice: once without a mask, once with one, or a mistake in the masking stays unseen.",
        "For each head, `attention_head` with its three matrices gives some columns; its rows of `w_output` turn them "
        "into a piece of the output, and the pieces add up. "
        "Assert that the version's result and this sum agree with `torch.allclose`, and give it an `atol` of 1e-5: "
        "sums in another order differ in their last digits.",
    ),
)


# side by side


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


# the mixture


@mix_heads.misconception
def forgets_the_output_weights(merged, w_output):
    """The output weights have no influence on your result: the heads lie side by side, and it ends there.
    Where all heads together are as wide as the model, even the shape is right, so nobody complains.
    The last step lets the heads meet. Which parameter have you not used yet?"""
    return merged


@mix_heads.misconception
def transposes_the_output_weights(merged, w_output):
    """The output weights were turned round, as rows into columns.
    Here they are stored as (in, out), and tokens are rows, so they multiply from the right as they are.
    `nn.Linear` keeps its weight the other way round, which is where the habit comes from."""
    return merged @ w_output.mT


@mix_heads.misconception
def applies_the_output_weights_twice(merged, w_output):
    """The output weights were applied twice.
    Heads are mixed once, at the very end.
    Follow the result through your last lines: where is it multiplied by the output weights, and where again?"""
    return merged @ w_output @ w_output


@mix_heads.misconception
def adds_the_unmixed_heads(merged, w_output):
    """Your output is the mixture plus the heads' results as they were before it.
    The mixture alone is handed on.
    A sum with something earlier does exist (a residual connection), but it stands outside attention."""
    return merged @ w_output + merged


@mix_heads.misconception(by=("ReLU", "GELU", "tanh"))
def bends_the_mixture(merged, w_output, *, by):
    """Your output went through {by} after the output weights had mixed the heads.
    Attention hands on the mixture as it is; activations stand in other parts of a model.
    What happens between your last product and `return`?"""
    return ACTIVATIONS[by](merged @ w_output)


@mix_heads.misconception
def normalises_the_mixture(merged, w_output):
    """Each row of your output has mean 0 and variance 1: it went through a layer norm.
    A norm of this kind stands around attention in a whole model, and is no part of it.
    What happens between your last product and `return`?"""
    return layer_norm(merged @ w_output)


mix_heads.hints_for(
    "forgets_the_output_weights",
    hints=(
        "Side by side, the heads have not met. "
        "Each sits in columns of its own, and what it found stays there. "
        "Only a step that makes each new number out of all heads lets them work together. "
        "Whatever is meant to count must change the result when it changes: ask this of every weight that you are "
        "given.",
        "Make the output weights twice as large and compute again. "
        "Nothing moves in your result, and almost every number of it should. "
        "Now look at the last lines. "
        "Is what you return the joined heads? "
        "Or is there a product with the output weights whose result no line reads?",
        "One step is missing between the join and the `return`. "
        "The joined rows stand on the left of a product, the output weights on the right. "
        "In a layer, the projection called output is called with the joined rows. "
        "What comes out of this step is what you return.",
    ),
)

mix_heads.hints_for(
    "transposes_the_output_weights",
    hints=(
        "The two sides of this matrix mean different things. "
        "Its rows belong to what goes in, the columns of all heads. "
        "Its columns belong to what comes out, the columns of the model. "
        "Turned round, the numbers of a head meet weights that were made for something else, and if the matrix is "
        "square, no shape tells you.",
        "Look at the operation that brings in the output weights. "
        "Is there a `.T`, a `.mT` or a `transpose`? "
        "Is it `F.linear`, which turns the matrix that it gets? "
        "In an `einsum`, the letter that is summed over should be the first of the matrix, the one of its rows.",
        "The joined rows stand on the left, the matrix on the right, as it came in, with `@` between them. "
        "Then each number of a joined row meets a row of the matrix, the one that was made for it. "
        "Nothing has to be turned for that.",
    ),
)

mix_heads.hints_for(
    "applies_the_output_weights_twice",
    "adds_the_unmixed_heads",
    "bends_the_mixture",
    "normalises_the_mixture",
    hints=(
        "The end is a short chain: the joined heads go in, their mixture comes out, and the mixture is the result. "
        "Each link is used once. "
        "Nothing goes through the output weights a second time, and nothing goes round them to be added behind.",
        "Read your code backwards, from `return`. "
        "Which variable is returned, which line made it, and out of what? "
        "On this way you should meet the output weights once, and before them the joined heads. "
        "If a name is used for several things, give each step a name of its own, and read again.",
        "Let one line hand the joined heads to the output weights, and return what it gives. "
        "After that line comes no other product, and no sum with something earlier. "
        "If a function that you call mixes the heads already, do not mix its result again.",
    ),
)


# the loop


def _each(x, w_query, w_key, w_value, mask):
    return [mha_ref.attention_head(x, *weights, mask) for weights in zip(w_query, w_key, w_value)]


def _first_of_all(w):
    """The first head's matrix for every head; only indices, so that it works in every library."""
    return w[[0] * len(w)]


@multi_head_by_loop.misconception
def shares_the_weights_of_head_0(x, w_query, w_key, w_value, w_output, mask=None):
    """All your heads are the same head: each of them uses the matrices of head 0.
    Heads can differ only because each has three matrices of its own.
    Is there a 0 where the number of the head should be?"""
    w_query, w_key, w_value = (_first_of_all(w) for w in (w_query, w_key, w_value))
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask)


@multi_head_by_loop.misconception
def gives_every_head_the_same_map(x, w_query, w_key, w_value, w_output, mask=None):
    """All your heads attend alike: their queries and keys are made with the matrices of head 0.
    Their values differ, but each head should also look at the tokens in its own way.
    Look at the index of `w_query` and of `w_key`."""
    return multi_head_by_loop(x, _first_of_all(w_query), _first_of_all(w_key), w_value, w_output, mask)


@multi_head_by_loop.misconception(shared=("w_query", "w_key", "w_value"))
def shares_one_of_the_matrices(x, w_query, w_key, w_value, w_output, mask=None, *, shared):
    """Every head uses the `{shared}` of head 0; the ones of the other heads have no influence on your output.
    Some models share matrices on purpose, to save memory, but then only one is given.
    Here each head has three of its own. Look at the indices."""
    weights = dict(w_query=w_query, w_key=w_key, w_value=w_value)
    weights[shared] = _first_of_all(weights[shared])
    return multi_head_by_loop(x, **weights, w_output=w_output, mask=mask)


def _in_order(w, order):
    """The heads' matrices, of which head i gets the one of that order."""
    heads = range(len(w))
    return w[[{"before": i - 1, "after": (i + 1) % len(w), "from the end": -1 - i, "minus": -i}[order] for i in heads]]


@multi_head_by_loop.misconception(
    mixed=("w_query", "w_key", "w_value"), order=("before", "after", "from the end", "minus")
)
def takes_the_matrix_of_another_head(x, w_query, w_key, w_value, w_output, mask=None, *, mixed, order):
    """Some of your heads use the `{mixed}` of another head, beside two matrices of their own.
    The three matrices of a head have learned together, and only they fit together.
    Look at the index of `{mixed}` in each turn: is something added to it, taken away, or counted from the other end?"""
    weights = dict(w_query=w_query, w_key=w_key, w_value=w_value)
    weights[mixed] = _in_order(weights[mixed], order)
    return multi_head_by_loop(x, **weights, w_output=w_output, mask=mask)


@multi_head_by_loop.misconception
def attends_once_for_all_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """Your code makes one map for all heads: their columns are joined first, and then attend as one long head.
    A single softmax gives each query a single way to look.
    Let each head attend by itself, with its own few columns, and join the results afterwards."""
    query, key, value = (mha_ref.concatenate_heads(*(x @ w for w in stack)) for stack in (w_query, w_key, w_value))
    return mix_heads(masked_attention(query, key, value, mask), w_output)


@multi_head_by_loop.misconception
def averages_the_maps(x, w_query, w_key, w_value, w_output, mask=None):
    """All your heads use one map: the mean of their attention weights.
    An average over heads is good for a picture, but it forgets who looked where.
    Each head mixes its values with its own weights."""
    maps = [mha_ref.masked_weights(x @ q, x @ k, mask) for q, k in zip(w_query, w_key)]
    mean = sum(maps[1:], start=maps[0]) / len(maps)
    return mix_heads(concatenate_heads(*(weighted_mean(mean, x @ w) for w in w_value)), w_output)


@multi_head_by_loop.misconception
def lets_the_heads_compete(x, w_query, w_key, w_value, w_output, mask=None):
    """Your attention weights sum to 1 over the heads, not over the keys.
    Each head has one whole of its own to share among the keys that it may look at.
    In a tensor with one axis for heads, one for queries and one for keys: along which does your softmax run?"""
    scores = [np.asarray(attention_scores(x @ q, x @ k)) for q, k in zip(w_query, w_key)]
    filled = np.stack(scores) if mask is None else np.where(mask, scores, -np.inf)
    each = [m @ np.asarray(x @ w) for m, w in zip(np.nan_to_num(softmax(filled, axis=0)), w_value)]
    return np.concatenate(each, axis=-1) @ np.asarray(w_output)


@multi_head_by_loop.misconception
def scales_by_all_heads_together(x, w_query, w_key, w_value, w_output, mask=None):
    """Your scores are divided by the root of the columns of *all* heads together.
    The dot product of one head sums over its own columns, and these are fewer.
    Take the size from the query of one head, after its projection."""
    return multi_head_by_loop(x, w_query / len(w_query) ** 0.5, w_key, w_value, w_output, mask)


@multi_head_by_loop.misconception
def scales_by_an_equal_share_of_the_model(x, w_query, w_key, w_value, w_output, mask=None):
    """Your scores were divided by the root of model_size / heads. Heads often are as wide as that, but nobody says so
    here: how many products a score adds up is written in the last axis of `w_query`.
    From which tensor does your divisor come?"""
    share, size = x.shape[-1] / len(w_query), w_query.shape[-1]
    return multi_head_by_loop(x, w_query * math.sqrt(size / share), w_key, w_value, w_output, mask)


@multi_head_by_loop.misconception
def scales_by_the_count_of_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """Your scores are divided by the root of the number of heads.
    What the root stands for is the number of terms in a dot product: the columns of one head.
    Which length of which tensor is that?"""
    w_query = w_query * (w_query.shape[-1] / len(w_query)) ** 0.5
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask)


@multi_head_by_loop.misconception
def adds_the_heads_before_mixing(x, w_query, w_key, w_value, w_output, mask=None):
    """Every head meets the same rows of the output weights, the first ones, as if all heads were added up.
    The rows of `w_output` come in blocks, one for each head, and a sum would make the heads forget who said what.
    Give each head its own block, or put the heads side by side first."""
    each = _each(x, w_query, w_key, w_value, mask)
    return mix_heads(sum(each[1:], start=each[0]), w_output[: w_query.shape[-1]])


@multi_head_by_loop.misconception
def returns_one_head_unmixed(x, w_query, w_key, w_value, w_output, mask=None):
    """Your result is that of head 0 alone, as narrow as one head.
    The results of all heads belong side by side, and `w_output` makes them as wide as the model again.
    Does `return` stand inside the loop? Then it ends in the first turn."""
    return attention_head(x, w_query[0], w_key[0], w_value[0], mask)


@multi_head_by_loop.misconception
def returns_the_last_head_unmixed(x, w_query, w_key, w_value, w_output, mask=None):
    """Your result is that of the last head alone, as narrow as one head.
    Every turn of the loop replaces what the turn before had made.
    Keep all the results, put them side by side, and let `w_output` mix them."""
    return attention_head(x, w_query[-1], w_key[-1], w_value[-1], mask)


@multi_head_by_loop.misconception(which=("first", "last"))
def mixes_one_head_only(x, w_query, w_key, w_value, w_output, mask=None, *, which):
    """Only the {which} head has an influence on your output, through its own rows of `w_output`.
    The output holds what all heads have found.
    Does your loop end too early, or does each turn replace what the turns before have made?"""
    head, size = (0 if which == "first" else -1), w_query.shape[-1]
    rows = w_output[:size] if which == "first" else w_output[-size:]
    return attention_head(x, w_query[head], w_key[head], w_value[head], mask) @ rows


@multi_head_by_loop.misconception(which=("first", "last"))
def leaves_one_head_out(x, w_query, w_key, w_value, w_output, mask=None, *, which):
    """The {which} head has no influence on your output.
    Heads are counted from 0, and the number of them is the length of the first axis of `w_query`.
    Where does your loop begin, and where does it end?"""
    left = slice(1, None) if which == "first" else slice(None, -1)
    size = w_query.shape[-1]
    rows = w_output[size:] if which == "first" else w_output[:-size]
    return multi_head_by_loop(x, w_query[left], w_key[left], w_value[left], rows, mask)


@multi_head_by_loop.misconception
def loops_over_two_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """Only heads 0 and 1 have an influence on your output.
    How many there are is the business of the caller, and the weights say it: their first axis counts the heads.
    Ask for its length instead of writing a number down."""
    rows = w_output[: 2 * w_query.shape[-1]]
    return multi_head_by_loop(x, w_query[:2], w_key[:2], w_value[:2], rows, mask)


def _pieces(model_size, heads, size):
    """For each head some of the columns of x."""
    return [slice(head * size, min((head + 1) * size, model_size)) for head in range(heads)]


@multi_head_by_loop.misconception(rounded=("down", "up", "not at all"))
def gives_every_head_a_piece_of_x(x, w_query, w_key, w_value, w_output, mask=None, *, rounded):
    """Each of your heads reads only a piece of every token, a few columns of `x` and as many rows of its matrices.
    A token goes into every head whole: that is why its matrices have model_size rows.
    What a head has fewer of is what it *makes*, not what it reads."""
    heads, model_size, size = w_query.shape
    share = {"down": model_size // heads, "up": -(-model_size // heads), "not at all": size}[rounded]
    each = []
    for head, s in enumerate(_pieces(model_size, heads, share)):
        each.append(attention_head(x[..., s], w_query[head, s], w_key[head, s], w_value[head, s], mask))
    return mix_heads(concatenate_heads(*each), w_output)


@multi_head_by_loop.misconception
def cuts_the_values_out_of_x(x, w_query, w_key, w_value, w_output, mask=None):
    """What your heads hand on are columns of `x` itself; `w_value` has no influence.
    Head 0 mixes the first columns, head 1 the next, as if `x` had been cut into values.
    A head makes its values from the whole token, with its own matrix."""
    heads, model_size, size = w_query.shape
    each = []
    for head, s in enumerate(_pieces(model_size, heads, size)):
        each.append(masked_attention(x @ w_query[head], x @ w_key[head], x[..., s], mask))
    return mix_heads(concatenate_heads(*each), w_output)


@multi_head_by_loop.misconception
def chains_the_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """Your second head reads what the first has made, the third what the second has made, and so on.
    Heads stand side by side: each of them reads `x` itself, and knows nothing of the others.
    Does a line in your loop overwrite `x`?"""
    each = []
    for weights in zip(w_query, w_key, w_value):
        x = attention_head(x, *weights, mask)
        each.append(x)
    return mix_heads(concatenate_heads(*each), w_output)


@multi_head_by_loop.misconception
def adds_what_a_head_found_to_x(x, w_query, w_key, w_value, w_output, mask=None):
    """Your second head reads `x` and what the first has found, the third what both have found, and so on.
    Heads stand side by side: each of them reads `x` as it came, and their parts are added up at the end.
    Does a line in your loop overwrite `x`?"""
    size, before = w_query.shape[-1], x
    for head in range(len(w_query)):
        rows = w_output[head * size : (head + 1) * size]
        x = x + attention_head(x, w_query[head], w_key[head], w_value[head], mask) @ rows
    return x - before


@multi_head_by_loop.misconception(
    turned=("every second head, from the first on,", "every second head, from the second on,")
)
def turns_the_mask_round_for_some_heads(x, w_query, w_key, w_value, w_output, mask=None, *, turned):
    """Without a mask your result is right. With one, {turned} does the opposite: it looks at blocked keys only.
    All heads get the same mask, and a name that is set anew in a loop keeps its new meaning in the next turn.
    Which line turns the mask round, and how often?"""
    if mask is None:
        return multi_head_by_loop(x, w_query, w_key, w_value, w_output)
    masks = [mask if (head % 2 == 1) == ("first" in turned) else ~mask for head in range(len(w_query))]
    each = [attention_head(x, *four) for four in zip(w_query, w_key, w_value, masks)]
    return mix_heads(concatenate_heads(*each), w_output)


@multi_head_by_loop.misconception
def keeps_every_head_in_its_own_columns(x, w_query, w_key, w_value, w_output, mask=None):
    """Each head changes only a few columns of your output: a square piece of `w_output` was used for each.
    Then the heads never meet.
    The block of a head has some of the rows, but *all* the columns, so that every head may write everywhere."""
    size = w_query.shape[-1]
    blocks = [slice(head * size, (head + 1) * size) for head in range(len(w_query))]
    each = _each(x, w_query, w_key, w_value, mask)
    return concatenate_heads(*(result @ w_output[block, block] for result, block in zip(each, blocks)))


@multi_head_by_loop.misconception
def reads_the_stacked_weights_on(x, w_query, w_key, w_value, w_output, mask=None):
    """Your heads work with matrices that nobody gave them: each holds pieces of several.
    A reshape reads numbers on in the order in which they lie, and in the stack all of head 0 comes before head 1.
    Move the axis of the heads first, and reshape then; or take the matrices one by one."""
    heads, model_size, size = w_query.shape
    misread = [w.reshape(model_size, heads, size).swapaxes(0, 1) for w in (w_query, w_key, w_value)]
    return multi_head_by_loop(x, *misread, w_output, mask)


@multi_head_by_loop.misconception
def masks_the_first_head_only(x, w_query, w_key, w_value, w_output, mask=None):
    """The mask reaches head 0 alone; the other heads look at blocked keys.
    One leaking head is enough: what it saw is mixed into the whole output.
    Every head gets the same mask."""
    size = w_query.shape[-1]
    first = multi_head_by_loop(x, w_query[:1], w_key[:1], w_value[:1], w_output[:size], mask)
    if len(w_query) == 1:
        return first
    return first + multi_head_by_loop(x, w_query[1:], w_key[1:], w_value[1:], w_output[size:])


@multi_head_by_loop.misconception
def indexes_the_mask_by_head(x, w_query, w_key, w_value, w_output, mask=None):
    """Each of your heads gets one slice of the mask, as if it were stacked head by head.
    Weights are stacked like this; the mask is not: it says which tokens may look at which, for all heads the same.
    Hand on the whole of it."""
    masks = [None if mask is None else mask[head] for head in range(len(w_query))]
    each = [attention_head(x, *four) for four in zip(w_query, w_key, w_value, masks)]
    return mix_heads(concatenate_heads(*each), w_output)


@multi_head_by_loop.misconception
def lines_up_the_texts_of_a_mask_with_the_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """A mask with an axis for the batch meets your axis of heads: its first text goes to head 0, the next to head 1.
    If texts and heads are not equally many, the code stops.
    With all heads at once, scores have one axis more than the mask. Which one?"""
    query, key, value = (x[..., None, :, :] @ w for w in (w_query, w_key, w_value))
    each = masked_attention(query, key, value, mask)
    return mix_heads(concatenate_heads(*(each[..., head, :, :] for head in range(len(w_query)))), w_output)


@multi_head_by_loop.misconception
def joins_the_heads_as_rows(x, w_query, w_key, w_value, w_output, mask=None):
    """Your heads stand below each other, so what meets `w_output` has too many rows and too few columns.
    A token should keep one row, and find in it the columns of all heads.
    `torch.cat` makes the first axis longer if you say nothing. Which axis should grow?"""
    each = _each(x, w_query, w_key, w_value, mask)
    return mix_heads(array_namespace(*each).concat(each, axis=-2), w_output)


@multi_head_by_loop.misconception(axis=(0, 1, -2))
def stacks_the_heads_without_joining(x, w_query, w_key, w_value, w_output, mask=None, *, axis):
    """Your heads lie on an axis of their own, so what meets `w_output` still has the columns of one head.
    (In the error, torch counts all axes but the last as rows.)
    `torch.stack` makes a new axis; here an old one should grow longer. Which tool does that, and along which axis?"""
    each = _each(x, w_query, w_key, w_value, mask)
    return mix_heads(array_namespace(*each).stack(each, axis=axis), w_output)


@multi_head_by_loop.misconception
def brings_one_head_to_the_output_weights(x, w_query, w_key, w_value, w_output, mask=None):
    """What meets `w_output` is as narrow as one head, and `w_output` has rows for all of them.
    Heads that are added up, or that overwrite each other, leave so few columns. So does a product inside the loop.
    Keep all results, lay them side by side, and multiply once. What is it that you multiply now?"""
    return mix_heads(attention_head(x, w_query[-1], w_key[-1], w_value[-1], mask), w_output)


@multi_head_by_loop.misconception
def joins_one_head_too_few(x, w_query, w_key, w_value, w_output, mask=None):
    """What meets `w_output` lacks the columns of one head.
    Heads are counted from 0, and their number is the length of the first axis of `w_query`.
    How many results are in your list after the loop, for three heads?"""
    each = _each(x, w_query[1:], w_key[1:], w_value[1:], mask)
    return mix_heads(concatenate_heads(*each), w_output)


@multi_head_by_loop.misconception
def multiplies_the_output_weights_from_the_left(x, w_query, w_key, w_value, w_output, mask=None):
    """`w_output` stands on the left of your product, and there its columns meet the tokens.
    Its rows should meet the columns of the heads.
    Which of the two comes first in `@`?"""
    return w_output @ concatenate_heads(*_each(x, w_query, w_key, w_value, mask))


@multi_head_by_loop.misconception
def adds_x_to_the_mixture(x, w_query, w_key, w_value, w_output, mask=None):
    """`x` was added to your output.
    Such a sum (a residual connection) stands outside attention; lesson 07 puts it there.
    Here the output is what the heads have found, mixed, and nothing else."""
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask) + x


multi_head_by_loop.hints_for(
    "shares_the_weights_of_head_0",
    "gives_every_head_the_same_map",
    "shares_one_of_the_matrices",
    "takes_the_matrix_of_another_head",
    hints=(
        "A head is what its three matrices make of it. "
        "`w_query` decides how it asks, `w_key` what it compares with, `w_value` what it hands over. "
        "Where heads share one of them by accident, they are alike in that respect, and the matrices of the others "
        "learn nothing, since nobody reads them.",
        "Set one matrix of the last head to zeros and compute again: the output should move. "
        "Do so for each of the three kinds. "
        "Where nothing moves, follow that stack through your code. "
        "Which index does it get in each turn? "
        "Was a query, a key, a value or a map made once, before the loop?",
        "In each turn, take one matrix of each kind, all three with the number of this turn. "
        "Whatever is made of them is made inside the turn as well. "
        "You can loop over numbers and use the number as an index, or let `zip` hand you the three matrices that "
        "belong together.",
    ),
)

multi_head_by_loop.hints_for(
    "attends_once_for_all_heads",
    "averages_the_maps",
    "lets_the_heads_compete",
    hints=(
        "Each head asks a question of its own, and answers it with a row of shares that sums to 1. "
        "Two heads and one query, that is two rows, and two times a whole. "
        "If heads share one row, or have to divide one whole between them, no head can choose where it looks.",
        "Print the attention weights for a small input and two heads, right before they meet the values. "
        "You should find two maps, different ones, and in both of them each row should sum to 1. "
        "If not, find the step where the heads come together. "
        "Is it before the scores, in the softmax, or after it?",
        "Scores, softmax and the mean of the values belong to one head, and use the query, key and value of this head "
        "alone. "
        "`attention_head` does all of that. "
        "The first thing that meets anything of another head is the finished result, when the results are joined.",
    ),
)

multi_head_by_loop.hints_for(
    "scales_by_all_heads_together",
    "scales_by_an_equal_share_of_the_model",
    "scales_by_the_count_of_heads",
    hints=(
        "The root is there for the softmax. "
        "A sum of many products spreads far, and softmax would then give nearly all to one key. "
        "Divided by the root of the number of products, the spread comes back to about 1. "
        "Divided by more than that, shares get too even; divided by less, they get too sharp.",
        "Print the number under your root, and beside it the shape of one head's query. "
        "Take three heads of four columns for it. "
        "A score of one head then adds up 4 products. "
        "There are 3 heads, and together they have 12 columns. "
        "Which of the three numbers do you see, and from which shape did you take it?",
        "Take the size from the last axis of a tensor that goes into this dot product: the query or the key of one "
        "head, after the projection. "
        "Or leave the root to `attention_head`, which takes it from there by itself; then no root of your own, and no "
        "factor on the query, is needed.",
    ),
)

multi_head_by_loop.hints_for(
    "adds_the_heads_before_mixing",
    "keeps_every_head_in_its_own_columns",
    hints=(
        "Rows of `w_output` belong to heads, columns belong to the model. "
        "A head owns a block of rows over the full width, and through it reaches every column of the output. "
        "No two heads share a row, and no column is closed to any head.",
        "If you use pieces of `w_output`, print for each head the shape of its piece and the number of its first row. "
        "Shapes should be (head_size, model_size), and first rows should go up by head_size. "
        "If you use it in one go, print the shape of what meets it: is that as wide as all heads together?",
        "Lay the heads side by side along their columns and multiply once by the whole of `w_output`; each head then "
        "finds its rows by itself. "
        "In pieces it goes like this: slice the rows only, one block for each head, multiply, and add up the "
        "products.",
    ),
)

multi_head_by_loop.hints_for(
    "returns_one_head_unmixed",
    "returns_the_last_head_unmixed",
    "mixes_one_head_only",
    "brings_one_head_to_the_output_weights",
    hints=(
        "A loop forgets. "
        "What one turn has computed is lost in the next, unless something outside the loop keeps it. "
        "So several heads need a place that is empty before the first turn, takes in one more result in each turn, "
        "and is used when the last turn is over.",
        "There are three lines to look at. "
        "Is the place for the results made before the loop, and not anew in each turn? "
        "Does a turn add to it, or does `=` replace what was there? "
        "How far to the right does `return` stand, under the loop or inside it? "
        "Print after the loop how many results were kept.",
        "Begin with an empty list in front of the loop. "
        "As its last act, each turn appends the result of its head. "
        "After the loop, as far left as the word `for`, come the lines that join all results and multiply them by "
        "`w_output`, and then the `return`.",
    ),
)

multi_head_by_loop.hints_for(
    "leaves_one_head_out",
    "loops_over_two_heads",
    "joins_one_head_too_few",
    hints=(
        "A layer may have one head or sixteen, and the code should read the same for both. "
        "A loop that is right visits each head once, from the first to the last. "
        "If it passes by a head, three matrices and a block of rows of `w_output` are there for nothing, and they "
        "never learn.",
        "Print the number of the head in each turn, for stacks of two, three and five heads. "
        "You should see every number from 0 up to the last one. "
        "Where one is missing, look at the limits of `range`, at slices, and at heads that have a line of their own.",
        "`range` with a single number starts at 0 and stops before that number. "
        "So if you hand it the number of matrices in a stack, as it is, both limits are right, and nothing is added "
        "or taken away. "
        "Or let `zip` go through the three stacks, and no number is needed.",
    ),
)

multi_head_by_loop.hints_for(
    "gives_every_head_a_piece_of_x",
    "cuts_the_values_out_of_x",
    "chains_the_heads",
    "adds_what_a_head_found_to_x",
    hints=(
        "All heads read the same text, and each reads all of it: every token, with every feature. "
        "What makes heads different are their matrices. "
        "A head is narrow because its matrices make few columns out of many. "
        "Nothing that comes in is cut for that, and nothing is changed for the next head.",
        "In each turn, print the shape and the first number of what the three matrices are multiplied onto. "
        "The shape should be that of `x`, and the number the same in all turns. "
        "A smaller shape points to a slice, another number to a line that changes `x`. "
        "And are the values made by a product, like queries and keys?",
        "For each head there are three products, and on the left of all three stands `x`, whole, as it came in. "
        "The matrices are whole, too: a slice of rows means that something of the token is not read. "
        "Give the result of a head a name of its own, so that `x` stays what it is.",
    ),
)

multi_head_by_loop.hints_for(
    "reads_the_stacked_weights_on",
    hints=(
        "A stack of matrices lies in memory as one long line: all rows of head 0, then all rows of head 1. "
        "In one wide matrix each row holds a piece of every head. "
        "These are two different orders of the same numbers, and a reshape never changes the order, so alone it "
        "cannot lead from one to the other.",
        "Find the line where a stack gets another shape, and try it on a stack of two matrices, one full of 0, the "
        "other full of 1. "
        "In the wide matrix every row should hold 0 in its left half and 1 in its right half. "
        "What do your rows hold?",
        "Before the reshape, the axis of heads has to move behind the axis of rows, so that it stands next to the "
        "columns. "
        "Or take no detour: an index on the first axis of the stack gives one head's matrix, ready to use, and a loop "
        "needs no other.",
    ),
)

multi_head_by_loop.hints_for(
    "joins_the_heads_as_rows",
    "stacks_the_heads_without_joining",
    "multiplies_the_output_weights_from_the_left",
    hints=(
        "A product `a @ b` joins the columns of a with the rows of b, and both must be equally many. "
        "Rows of `w_output` are the columns of all heads, side by side. "
        "So the joined heads come first, with one row for each token, and as many columns as all heads have together.",
        "Take three heads, five tokens and four columns for each head. "
        "Print the shape of one result, of what you have joined, and of `w_output`. "
        "You should see (5, 4), then (5, 12), then 12 rows. "
        "In the second shape, which number is another, or is there one number too many?",
        "`torch.cat` with a list joins without a new axis, and its `dim` says which axis grows. "
        "Tokens stay as they are, so it is the axis of the columns, and that one is always the last. "
        "In the product, what you have joined stands on the left of `@`.",
    ),
)

multi_head_by_loop.hints_for(
    "turns_the_mask_round_for_some_heads",
    hints=(
        "Some functions want True for what is allowed, others for what is blocked, so a mask sometimes has to be "
        "turned round. Turned twice, it is what it was before. "
        "A loop does to a name whatever its lines say, as often as it runs: what is turned in each turn is right in "
        "one, wrong in the next, and right again.",
        "Use three heads and a causal mask, and print the mask at the start of each turn of your loop. "
        "It should look the same all three times: a triangle of True below. "
        "If it changes between two turns, look for the line that gives the name `mask` a new value. "
        "Does it stand inside the loop?",
        "Turn the mask round once, before the loop, and give the result a name of its own, such as `blocked`. "
        "Inside the loop both names are only read. "
        "Or hand the mask on as it came: `attention_head` takes True for allowed, as everything in this course does.",
    ),
)

multi_head_by_loop.hints_for(
    "masks_the_first_head_only",
    "indexes_the_mask_by_head",
    "lines_up_the_texts_of_a_mask_with_the_heads",
    hints=(
        "A mask speaks about tokens: this query may look at that key. "
        "It has axes for queries and keys, perhaps some in front for a batch, and here none for heads. "
        "So there is nothing in it to hand out among the heads. "
        "What is hidden from one is hidden from all.",
        "In each turn, print the shape of the mask that this head gets. "
        "It should be the shape of the mask that came in, in every turn. "
        "If an axis is gone, something takes an index of it. "
        "If there is no mask in later turns, a condition or a default value stands in its way.",
        "Hand the mask to every head by its name, without an index and without a condition. "
        "In a `zip` over the weights it has no place, because `zip` would take it apart row by row. "
        "A mask of None can be handed on in the same way: `attention_head` knows what it means.",
    ),
)

multi_head_by_loop.hints_for(
    "adds_x_to_the_mixture",
    hints=(
        "Attention answers one question: what do the tokens hear from those that they look at? "
        "Whether a token also keeps what it was before is decided by the model around it. "
        "If the layer added `x` by itself, a model with a residual connection would add it twice, and no model could "
        "do without it.",
        "Set all of `w_output` to zeros and compute: every number of the result should be 0. "
        "Yours gives back `x`. "
        "Read your last lines, and look for `x` in a `+` or a `+=`, or as the start of a sum over the heads.",
        "`x` is needed where the heads make their queries, keys and values, and nowhere after that. "
        "What the product with `w_output` gives can be returned as it is. "
        "If you add up one product for each head, begin with the first product, or with zeros.",
    ),
)


# counting: keys and values are the columns of all heads together


def _columns(model_size, heads, head_size, value_size):
    sizes = (model_size // heads if size is None else size for size in (head_size, value_size))
    return tuple(heads * size for size in sizes)


def _weights(model_size, heads, head_size, value_size):
    return 2 * model_size * sum(_columns(model_size, heads, head_size, value_size))


@parameter_count.misconception
def forgets_the_biases(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count is the same with biases and without, and it holds none.
    A projection with a bias learns one number more for each number that comes out of it.
    What has to be added where `bias` is True?"""
    return parameter_count(model_size, heads, False, head_size, value_size)


@parameter_count.misconception
def always_counts_biases(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count holds biases, also where `bias` is False.
    Many models leave them out, so the caller may choose.
    Which line should run only if there are any?"""
    return parameter_count(model_size, heads, True, head_size, value_size)


@parameter_count.misconception
def turns_the_bias_round(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count holds biases where `bias` is False, and none where it is True.
    `bias` says whether the projections have them, and then they are learned, too.
    Look at the condition."""
    return parameter_count(model_size, heads, not bias, head_size, value_size)


@parameter_count.misconception(squares=(3, 4))
def counts_squares_of_the_model_size(model_size, heads, bias=True, head_size=None, value_size=None, *, squares):
    """Your count is {squares} times the square of the model size, whatever else is given.
    A square stands for one matrix from the model size to the model size, without a bias.
    Sizes of heads and biases can change the count. Write down for each projection what goes in and comes out."""
    return squares * model_size**2


@parameter_count.misconception(squares=(3, 4))
def counts_squares_and_their_biases(model_size, heads, bias=True, head_size=None, value_size=None, *, squares):
    """You count {squares} square matrices, each with a bias as long as the model size.
    That fits as long as all heads together are exactly as wide as the model.
    With sizes of their own the matrices are no longer square. Which sides has each of them?"""
    return squares * (model_size**2 + (model_size if bias else 0))


@parameter_count.misconception
def counts_four_square_matrices_with_true_biases(model_size, heads, bias=True, head_size=None, value_size=None):
    """The four matrices are counted as squares of the model size.
    They are square only if all heads together are as wide as the model.
    How many columns do the matrices for queries, keys and values have, and how many rows the output matrix?"""
    weights = 4 * model_size**2
    return (
        weights
        + parameter_count(model_size, heads, bias, head_size, value_size)
        - _weights(model_size, heads, head_size, value_size)
    )


@parameter_count.misconception(forgotten=("query", "value", "output"))
def forgets_a_projection(model_size, heads, bias=True, head_size=None, value_size=None, *, forgotten):
    """Your count lacks one of the four projections, as large as that of the {forgotten}, bias and all.
    (Query and key have projections of the same size, so those two cannot be told apart by counting.)
    Go through query, key, value and output: is each of them in your sum?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    lost = {"query": (keys, keys), "value": (values, values), "output": (values, model_size)}[forgotten]
    return parameter_count(model_size, heads, bias, head_size, value_size) - model_size * lost[0] - bias * lost[1]


@parameter_count.misconception(kept=("query", "value", "output"))
def counts_one_projection_only(model_size, heads, bias=True, head_size=None, value_size=None, *, kept):
    """Your count is that of one projection, the one of the {kept}.
    There are four, and all of them are learned.
    If your code has all four, look at how they come together: `=` replaces what was there, `+=` adds to it."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    into, out_of = {"query": (model_size, keys), "value": (model_size, values), "output": (values, model_size)}[kept]
    return into * out_of + (out_of if bias else 0)


@parameter_count.misconception
def counts_only_the_output_bias_of_the_output(model_size, heads, bias=True, head_size=None, value_size=None):
    """The matrix of the output projection is missing in your count, or that of the values, which is as large.
    The output matrix mixes the heads: a row for each number that they hand over, a column for each of the model.
    How many entries is that, and have you counted them for both?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) - model_size * values


@parameter_count.misconception
def counts_only_the_bias_of_the_queries_or_keys(model_size, heads, bias=True, head_size=None, value_size=None):
    """The matrix of the queries is missing in your count, or that of the keys; its bias is there.
    (The two have the same size, so counting cannot tell which.)
    There are four projections, and each has a matrix. Which of them have you not counted?"""
    keys, _ = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) - model_size * keys


@parameter_count.misconception(forgotten=("query", "value", "output"))
def forgets_a_bias(model_size, heads, bias=True, head_size=None, value_size=None, *, forgotten):
    """One of the biases is missing in your count, as long as that of the {forgotten}.
    (The biases of query and key have the same length, so these two cannot be told apart by counting.)
    Each of the four projections has a bias, as long as what comes out of it."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    lost = {"query": keys, "value": values, "output": model_size}[forgotten]
    return parameter_count(model_size, heads, bias, head_size, value_size) - (lost if bias else 0)


@parameter_count.misconception
def always_gives_the_output_a_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """Without biases your count still holds one, as long as the model size: that of the output projection.
    `bias` speaks of all four projections.
    Does it reach the fourth?"""
    extra = 0 if bias else model_size
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@parameter_count.misconception
def counts_a_single_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """Only one bias is in your count, as long as the model size.
    Each of the four projections has a bias of its own.
    How long is each, if a bias holds one number for each number that comes out?"""
    return _weights(model_size, heads, head_size, value_size) + (model_size if bias else 0)


@parameter_count.misconception(numbers=(1, 4))
def counts_a_bias_as_one_number(model_size, heads, bias=True, head_size=None, value_size=None, *, numbers):
    """The biases add only {numbers} to your count.
    A bias is no single number: it is a vector, with one number for each number that comes out of the projection.
    How many come out of each of the four?"""
    return _weights(model_size, heads, head_size, value_size) + (numbers if bias else 0)


@parameter_count.misconception(biases=(3, 4))
def makes_all_biases_of_the_model_size(model_size, heads, bias=True, head_size=None, value_size=None, *, biases):
    """You count {biases} biases, each as long as the model size.
    A bias is as long as what comes *out* of its projection.
    For queries, keys and values that is the width of all heads together, which need not be the model size."""
    return _weights(model_size, heads, head_size, value_size) + (biases * model_size if bias else 0)


@parameter_count.misconception
def makes_the_output_bias_as_wide_as_the_heads(model_size, heads, bias=True, head_size=None, value_size=None):
    """The bias of the output has as many numbers in your count as all values together.
    That is what goes *into* the output projection. A bias has one number for each number that comes out.
    How wide is the output of the layer?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    extra = values - model_size if bias else 0
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@parameter_count.misconception
def counts_keys_as_wide_as_values(model_size, heads, bias=True, head_size=None, value_size=None):
    """One of queries and keys is counted with `value_size` instead of `head_size`, bias and all.
    Queries meet keys in a dot product, so these two always have the same size.
    `value_size` belongs to two projections: values, and the output."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count + (values - keys) * (model_size + (1 if bias else 0))


@parameter_count.misconception
def counts_biases_by_what_goes_in(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your biases are as long as what goes *into* each projection.
    A bias is added to the result, so it has one number for each number that comes out.
    Which is that for queries, keys and values, and which for the output?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return _weights(model_size, heads, head_size, value_size) + (3 * model_size + values if bias else 0)


@parameter_count.misconception
def counts_the_biases_of_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """The biases of queries, keys and values are counted for one head only.
    Every head has a bias for each of its three projections.
    How long are they for all heads together?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    biases = (2 * keys + values) // heads + model_size
    return _weights(model_size, heads, head_size, value_size) + (biases if bias else 0)


@parameter_count.misconception
def makes_the_biases_of_every_head_as_long_as_the_model(model_size, heads, bias=True, head_size=None, value_size=None):
    """Every head has three biases in your count, each as long as the model size.
    A bias has one number for each number that comes out, and of one head come only its own few columns.
    How many numbers are in the query of one head, and how many in its value?"""
    return _weights(model_size, heads, head_size, value_size) + ((3 * heads + 1) * model_size if bias else 0)


@parameter_count.misconception
def gives_every_head_an_output_bias(model_size, heads, bias=True, head_size=None, value_size=None):
    """The bias of the output is counted once for each head.
    The output projection comes after the heads were put side by side, so there is one for all of them.
    Its bias is as long as the model size, once."""
    extra = (heads - 1) * model_size if bias else 0
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@parameter_count.misconception(factor=(2, 4, 8))
def multiplies_the_whole_count(model_size, heads, bias=True, head_size=None, value_size=None, *, factor):
    """Your whole count has a factor of {factor:g} too much.
    It fits a count of bytes, of layers, or of something that was added up once more than it should.
    This function counts numbers, in one layer. Which factor stands for no side of a matrix?"""
    return factor * parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(squares=(2, 3, 8, 12))
def counts_the_feed_forward_network(model_size, heads, bias=True, head_size=None, value_size=None, *, squares):
    """Your count holds {squares:g} square matrices of the model size beside the four projections.
    Such matrices belong to other parts of a model, a feed-forward network say, which follows attention.
    Count what this layer learns: queries, keys, values and the output."""
    return parameter_count(model_size, heads, bias, head_size, value_size) + squares * model_size**2


@parameter_count.misconception(vectors=(2, 4))
def counts_the_layer_norm(model_size, heads, bias=True, head_size=None, value_size=None, *, vectors):
    """Your count holds {vectors:g} vectors of the model size too many, with biases and without.
    So long are the parameters of a layer norm, for example, which stands beside attention and not in it.
    Count four projections, and nothing else."""
    return parameter_count(model_size, heads, bias, head_size, value_size) + vectors * model_size


@parameter_count.misconception
def gives_every_head_the_whole_width(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your heads are each as wide as the whole model, so more heads mean a larger count.
    Unless another size is given, the heads make that width together: each makes model_size / heads columns.
    What is the default of a size that is None?"""
    head_size, value_size = (model_size if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception
def counts_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your count is that of one head, with an output matrix that takes in one head.
    The layer has several, side by side, and the output matrix takes in all of them.
    Where does the number of heads come into your sum?"""
    head_size, value_size = (model_size // heads if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, 1, bias, head_size, value_size)


@parameter_count.misconception
def counts_one_head_and_the_whole_output(model_size, heads, bias=True, head_size=None, value_size=None):
    """Queries, keys and values are counted for one head only, the output projection for all of them.
    Every head has three matrices of its own.
    Where does the number of heads come into your sum?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    weights = model_size * (2 * keys + values) // heads + model_size * values
    return weights + ((2 * keys + values) // heads + model_size if bias else 0)


@parameter_count.misconception
def output_takes_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output matrix takes in the values of one head.
    The results of all heads lie side by side when they reach it.
    How many numbers are that for one token?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count - model_size * (values - values // heads)


@parameter_count.misconception
def counts_everything_for_every_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your whole sum is multiplied by the number of heads, and the heads were in it before.
    If the projections already hold the columns of all heads, they need no further factor.
    And there is one output projection, not one for each head."""
    return heads * parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception
def counts_the_output_for_every_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """The output matrix is counted once for each head.
    It stands after the heads, takes in all their results at once, and there is only one.
    Which part of your sum belongs inside the factor for the heads, and which outside?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) + (heads - 1) * model_size * values


@parameter_count.misconception
def counts_the_output_and_its_bias_for_every_head(model_size, heads, bias=True, head_size=None, value_size=None):
    """The output projection, matrix and bias, is counted once for each head.
    It stands after the heads, takes in all their results at once, and there is only one.
    Which part of your sum belongs inside the factor for the heads, and which outside?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    output = model_size * values + (model_size if bias else 0)
    return parameter_count(model_size, heads, bias, head_size, value_size) + (heads - 1) * output


@parameter_count.misconception
def cuts_the_input_before_projecting(model_size, heads, bias=True, head_size=None, value_size=None):
    """In your count the matrices of a head have only model_size / heads rows, as if the input were cut into pieces.
    It is not cut: every head reads the whole token, and makes few numbers of many with its own matrices.
    How many numbers go into each head?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count - (model_size - model_size // heads) * (2 * keys + values)


@parameter_count.misconception
def counts_square_head_matrices(model_size, heads, bias=True, head_size=None, value_size=None):
    """In your count the matrices of a head are square, with head_size or value_size on both sides.
    A head makes few numbers out of many: the whole token goes in, and the size of a head comes out.
    What is the other side of these matrices?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    weights = (2 * keys**2 + values**2) // heads + model_size * values
    return weights + (2 * keys + values + model_size if bias else 0)


@parameter_count.misconception
def ignores_the_head_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """`head_size` has no influence on your count.
    A caller may give the queries and keys a size of their own; only None means model_size / heads.
    Is the default used even where a size was given?"""
    return parameter_count(model_size, heads, bias, None, value_size)


@parameter_count.misconception
def ignores_the_value_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """`value_size` has no influence on your count.
    A caller may give the values a size of their own; only None means model_size / heads.
    Two of the four projections depend on it. Which?"""
    return parameter_count(model_size, heads, bias, head_size, None)


@parameter_count.misconception
def values_default_to_the_head_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where only `head_size` is given, your values get the same size.
    Each of the two sizes has its default by itself: model_size / heads.
    What happens in your code when `value_size` is None and `head_size` is not?"""
    return parameter_count(model_size, heads, bias, head_size, head_size if value_size is None else value_size)


@parameter_count.misconception
def keys_default_to_the_value_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where only `value_size` is given, your queries and keys get the same size.
    Each of the two sizes has its default by itself: model_size / heads.
    What happens in your code when `head_size` is None and `value_size` is not?"""
    return parameter_count(model_size, heads, bias, value_size if head_size is None else head_size, value_size)


@parameter_count.misconception
def has_defaults_only_if_both_sizes_are_missing(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your sizes get their default only if both are None; if one of them is given, the other stays None.
    Then your code counts with None, and stops.
    Ask the question for each of the two sizes by itself."""
    if (head_size is None) != (value_size is None):
        raise TypeError
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception
def uses_the_head_size_for_everything(model_size, heads, bias=True, head_size=None, value_size=None):
    """All four projections are made of `head_size` in your count.
    Queries and keys meet in a dot product, so these two share a size; values may be longer or shorter.
    Which two projections depend on `value_size`?"""
    return parameter_count(model_size, heads, bias, head_size, head_size)


@parameter_count.misconception
def uses_the_value_size_for_everything(model_size, heads, bias=True, head_size=None, value_size=None):
    """All four projections are made of `value_size` in your count.
    Queries and keys meet in a dot product, so these two share a size, `head_size`.
    Which two projections depend on it?"""
    return parameter_count(model_size, heads, bias, value_size, value_size)


@parameter_count.misconception
def swaps_head_and_value_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """`head_size` and `value_size` have changed places in your count.
    `head_size` is for queries and keys, `value_size` is for values and for what the output takes in.
    With biases, the two sizes do not count alike."""
    return parameter_count(model_size, heads, bias, value_size, head_size)


@parameter_count.misconception
def output_takes_the_width_of_the_keys(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output matrix has a row for each column of the keys.
    What the heads hand over is a mixture of *values*; keys only decide on the weights.
    Which size is that, times how many heads?"""
    keys, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) + model_size * (keys - values)


@parameter_count.misconception
def output_takes_the_model_size(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output matrix is square, model size by model size.
    It gives back the model size, that is right.
    But what it takes in are the values of all heads side by side. Is that always as wide as the model?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    return parameter_count(model_size, heads, bias, head_size, value_size) + model_size * (model_size - values)


@parameter_count.misconception
def output_stays_as_wide_as_the_heads(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your output projection gives back as many numbers as the heads hand over.
    It has to lead back to the model size, so that the result can stand where `x` stood.
    What are the two sides of its matrix, and how long is its bias?"""
    _, values = _columns(model_size, heads, head_size, value_size)
    count = parameter_count(model_size, heads, bias, head_size, value_size)
    return count + (values - model_size) * (values + (1 if bias else 0))


@parameter_count.misconception
def values_are_as_wide_as_the_keys(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your projection of the values is as wide as that of the keys.
    The values have a size of their own, `value_size`.
    What goes into the output matrix must come out of the values' projection."""
    keys, values = _columns(model_size, heads, head_size, value_size)
    extra = (keys - values) * (model_size + (1 if bias else 0))
    return parameter_count(model_size, heads, bias, head_size, value_size) + extra


@parameter_count.misconception
def takes_the_sizes_of_all_heads_together(model_size, heads, bias=True, head_size=None, value_size=None):
    """You read `head_size` and `value_size` as the width of all heads together.
    They are the sizes of *one* head, and there are several, side by side.
    Where does the number of heads come in when a size is given?"""
    keys, values = (model_size if size is None else size for size in (head_size, value_size))
    return 2 * model_size * (keys + values) + (2 * keys + values + model_size if bias else 0)


@parameter_count.misconception(on="indivisible")
def rounds_the_head_size_down(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the heads do not divide the model size, your code cuts off the rest and counts on.
    Then the heads together are narrower than the model, and nobody is told.
    Where you divide, ask first whether anything is left over, and refuse with a ValueError if so."""
    share = model_size // heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible")
def rounds_the_head_size_up(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the heads do not divide the model size, your code rounds up and counts on.
    Then the heads together are wider than the model, and nobody is told.
    Where you divide, ask first whether anything is left over, and refuse with a ValueError if so."""
    share = -(-model_size // heads)
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible")
def counts_parts_of_columns(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the heads do not divide the model size, your heads get a broken number of columns.
    No tensor has three and a third columns, so there is nothing to count.
    Where you divide, ask first whether anything is left over, and refuse with a ValueError if so."""
    share = model_size / heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible", sizes=("head_size", "value_size"))
def refuses_for_one_size_only(model_size, heads, bias=True, head_size=None, value_size=None, *, sizes):
    """Where the heads do not divide the model size, your code refuses only if `{sizes}` is None.
    The default of the other size is model_size / heads, too, and may be needed while the first is given.
    Ask the question for each of the two."""
    if (head_size if sizes == "head_size" else value_size) is None:
        return parameter_count(model_size, heads, bias, head_size, value_size)
    share = model_size // heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible")
def refuses_only_if_both_sizes_are_missing(model_size, heads, bias=True, head_size=None, value_size=None):
    """Where the heads do not divide the model size, your code refuses only if both sizes are None.
    One None is enough: that size would be model_size / heads, and this is no whole number.
    Ask the question for each of the two sizes by itself."""
    if head_size is None and value_size is None:
        return parameter_count(model_size, heads, bias, head_size, value_size)
    share = model_size // heads
    head_size, value_size = (share if size is None else size for size in (head_size, value_size))
    return parameter_count(model_size, heads, bias, head_size, value_size)


@parameter_count.misconception(on="indivisible")
def refuses_where_nothing_is_divided(model_size, heads, bias=True, head_size=None, value_size=None):
    """Your code refuses heads that do not divide the model size, also where both sizes are given.
    Then nothing has to be divided, because the output matrix leads back to the model size from any width.
    Ask the question only where a size is None."""
    if model_size % heads:
        raise Refused
    return parameter_count(model_size, heads, bias, head_size, value_size)


parameter_count.hints_for(
    "forgets_the_biases",
    "always_counts_biases",
    "turns_the_bias_round",
    "always_gives_the_output_a_bias",
    hints=(
        "The count has two parts. "
        "The matrices are always there; the biases are there or not, and `bias` says which. "
        "So the same sizes have two right answers. "
        "The one with biases is larger, by as many numbers as come out of the four projections together.",
        "Call your function twice with the same sizes, with `bias=True` and with `bias=False`, and subtract. "
        "For a model size of 8 and 2 heads the difference should be 32: four projections, and 8 numbers come out of "
        "each. "
        "A difference of 0 says that `bias` is not asked, a negative one that the answer is turned round.",
        "Make two sums, one of the matrices, one of the biases. "
        "The second joins the first only if `bias` is true: with an `if`, or multiplied by `bias`, since True counts "
        "as 1 and False as 0. "
        "The matrices stand outside of this condition.",
    ),
)

parameter_count.hints_for(
    "counts_squares_of_the_model_size",
    "counts_squares_and_their_biases",
    "counts_four_square_matrices_with_true_biases",
    hints=(
        "A square matrix is the special case: all heads together are as wide as the model. "
        "It is so common that it looks like a law. "
        "Here a caller may choose other widths, and then each matrix is a rectangle, with two sides that have to be "
        "found one by one.",
        "Make a small table with four lines: query, key, value, output. "
        "In each, write how many numbers go in and how many come out. "
        "You will need the model size, the number of heads, `head_size` and `value_size`. "
        "Which of these names are missing in the part of your sum that counts the matrices?",
        "For each line of the table, multiply what goes in by what comes out. "
        "Where biases are wanted, add what comes out once more. "
        "From the first three come the columns of all heads together, and from the fourth comes the model size. "
        "The sum of the four lines is the count.",
    ),
)

parameter_count.hints_for(
    "forgets_a_projection",
    "counts_one_projection_only",
    "counts_only_the_bias_of_the_queries_or_keys",
    "counts_only_the_output_bias_of_the_output",
    hints=(
        "Follow one token through the layer, and count the matrices that it meets. "
        "Three make its query, its key and its value. "
        "Then the heads attend, and that needs no parameters at all. "
        "One more matrix leads back to the model. "
        "None of these four can stand in for another, even where two have the same size.",
        "Write your sum as four lines, each with the name of a projection beside it, and in each line the matrix and "
        "then the bias. "
        "Compare this with what your code adds up. "
        "Which line is missing, or holds only a bias? "
        "A factor of 2 for queries and keys stands for two lines.",
        "The matrices of queries and keys have model_size rows, and a column for each number in the keys of all "
        "heads. "
        "That of the values is like them, with the values of all heads. "
        "The matrix of the output has a row for each number in the values of all heads, and model_size columns. "
        "Each has its bias.",
    ),
)

parameter_count.hints_for(
    "forgets_a_bias",
    "counts_a_single_bias",
    "counts_a_bias_as_one_number",
    "makes_all_biases_of_the_model_size",
    "makes_the_output_bias_as_wide_as_the_heads",
    "counts_biases_by_what_goes_in",
    "counts_the_biases_of_one_head",
    "makes_the_biases_of_every_head_as_long_as_the_model",
    "gives_every_head_an_output_bias",
    hints=(
        "Think of a bias as one more row of its matrix. "
        "It is as long as the other rows, however many these are. "
        "So the four biases belong to the four matrices one by one, and each takes its length from one side of its "
        "matrix, the side of what comes out. "
        "The other side plays no part in it.",
        "Count the biases alone. "
        "Your function does it for you: the answer with `bias=True` minus the answer with `bias=False`. "
        "Choose 12 for the model size, 3 heads, 5 for `head_size` and 7 for `value_size`. "
        "The four biases have 15, 15, 21 and 12 numbers, 63 together. "
        "What do you get, and which of the four explains the difference?",
        "Queries and keys: the columns of all heads' keys, each. "
        "Values: the columns of all heads' values. "
        "Output: model_size, once, however many heads there are. "
        "These four lengths are added up. "
        "If you count head by head, the first three belong inside that count, and the fourth outside.",
    ),
)

parameter_count.hints_for(
    "counts_one_head",
    "counts_one_head_and_the_whole_output",
    "output_takes_one_head",
    "takes_the_sizes_of_all_heads_together",
    hints=(
        "What is said of one head is never the side of a matrix that serves all heads. "
        "Between the two stands the number of heads. "
        "It comes in wherever heads lie side by side: in the queries, in the keys, in the values, and in what the "
        "output matrix takes in. "
        "That makes four places.",
        "Keep `head_size` and `value_size` at fixed numbers, leave the biases out, and double the number of heads. "
        "All four matrices should double, and so the count, too. "
        "Which part of your sum has not doubled? "
        "That is the part that holds one head where all of them should be.",
        "Make two numbers first: the columns of all heads' keys, and the columns of all heads' values. "
        "Each is the size of one head times the number of heads, whether this size was given or is model_size / heads. "
        "Then build all four projections out of these two and the model size.",
    ),
)

parameter_count.hints_for(
    "counts_everything_for_every_head",
    "counts_the_output_for_every_head",
    "counts_the_output_and_its_bias_for_every_head",
    hints=(
        "There are two ways to count several heads, and both are right. "
        "One head at a time: small matrices, times the number of heads. "
        "All heads at once: wide matrices, and no factor. "
        "If a part of the sum begins in one way and goes on in the other, its heads are counted twice.",
        "Give `head_size` and `value_size` fixed numbers, leave the biases out, and double the number of heads. "
        "The count should double, and yours grows by more. "
        "So some part of it is multiplied by the number of heads twice. "
        "Look for a factor, or a loop over heads, around something that is already as wide as all heads together.",
        "Decide for one of two ways. "
        "Either count for one head: its three projections, and its own rows of the output matrix, and multiply by the "
        "number of heads. "
        "Or count the matrices of all heads together, and multiply by nothing more. "
        "In both ways, the bias of the output is added once, at the end.",
    ),
)

parameter_count.hints_for(
    "multiplies_the_whole_count",
    "counts_the_feed_forward_network",
    "counts_the_layer_norm",
    hints=(
        "A model is a pile of parts, and many texts give one number for the pile. "
        "Attention is one part of it, with four projections that learn. "
        "Other parts stand before and behind, and each is counted by itself. "
        "Numbers are counted here, and not the bytes that they take.",
        "Call your function for a model size of 1, with one head and without biases. "
        "There are four matrices with one number each, so 4 should come out. "
        "What do you get, and which line made the rest? "
        "Look for a number of your own in the code, such as a 2, a 4 or an 8, and ask what it stands for.",
        "Write four terms, one for each projection, and a name beside each: query, key, value, output. "
        "Add them up once. "
        "What has none of the four names goes out, and so does a factor that stands in front of the whole sum.",
    ),
)

parameter_count.hints_for(
    "cuts_the_input_before_projecting",
    "counts_square_head_matrices",
    hints=(
        "The matrix of a head is tall and narrow: a row for each number of the token, and a few columns. "
        "Heads divide what comes out between them, and never what goes in. "
        "So the long side is the same for every head, whatever its own size may be.",
        "Count a single matrix: that of the queries of one head, for a model size of 12, 3 heads and a `head_size` of "
        "5. "
        "The token brings 12 numbers, and 5 come out, so there are 60 entries. "
        "How many does your code count for it, and which of the two sides is another than you thought?",
        "In the three projections of a head, one side is the whole model_size and the other is the size of the head. "
        "The output matrix is the only one with another side: a row for each number that all heads hand over, and "
        "again model_size, for what comes out.",
    ),
)

parameter_count.hints_for(
    "ignores_the_head_size",
    "ignores_the_value_size",
    "values_default_to_the_head_size",
    "keys_default_to_the_value_size",
    "has_defaults_only_if_both_sizes_are_missing",
    "gives_every_head_the_whole_width",
    hints=(
        "Two sizes come in, and each is a number or None. "
        "A number is taken as it is. "
        "None has one meaning, model_size divided by the number of heads. "
        "What happens to one of them does not depend on the other. "
        "So there are four cases, and each of them has an answer of its own.",
        "Print both sizes after your lines for the defaults, with a model size of 12 and 3 heads. "
        "Hand over None and None, then 5 and None, then None and 7, then 5 and 7. "
        "You should see 4 and 4, 5 and 4, 4 and 7, 5 and 7. "
        "Which of the eight numbers differ?",
        "Write two lines of the same pattern, one for each size: if it is None, it becomes the default, and if it "
        "is not, it stays. "
        "The default is made of model_size and heads alone. "
        "From there on use these two results, and no longer what came in.",
    ),
)

parameter_count.hints_for(
    "counts_keys_as_wide_as_values",
    "uses_the_head_size_for_everything",
    "uses_the_value_size_for_everything",
    "swaps_head_and_value_size",
    "output_takes_the_width_of_the_keys",
    "values_are_as_wide_as_the_keys",
    hints=(
        "Follow a value through the layer. "
        "It is made in one width, mixed without a change of width, and handed to the output matrix. "
        "Queries and keys are gone by then: scores are all that is left of them. "
        "So there are two pairs, queries and keys, values and what they go into, and nothing ties one pair to the "
        "other.",
        "Let one size grow by 1 and leave the other. "
        "Without biases, `head_size` should add 2 · heads · model_size, and `value_size` as much. "
        "With biases, `head_size` should add 2 · heads more than that, and `value_size` only heads more. "
        "Where your numbers are others, some projection is made of the wrong size.",
        "Give two widths a name: that of all heads' keys, and that of all heads' values. "
        "Queries and keys come out in the first width, values in the second, and the second is also what goes into "
        "the output. "
        "So each of the two names is the side of two matrices. "
        "The biases of queries, keys and values follow the same widths.",
    ),
)

parameter_count.hints_for(
    "output_takes_the_model_size",
    "output_stays_as_wide_as_the_heads",
    hints=(
        "The output matrix is a bridge between two widths. "
        "On one side stand the heads, with all their values side by side. "
        "On the other side stands the model. "
        "The two widths are often the same number, and then nobody sees which is which. "
        "But they are two ideas, and each has its own side of the matrix.",
        "Take a model size of 12, 3 heads and a `value_size` of 7. "
        "The heads hand over 21 numbers for each token, and the layer gives back 12. "
        "Which two sides has the matrix that does this, and how long is its bias? "
        "Compare with the two sides that your code multiplies.",
        "One side is the values of all heads, heads times `value_size`. "
        "The other is model_size, since the result goes where `x` came from. "
        "The bias belongs to what comes out, so it is as long as the second side. "
        "If both of your sides have one name, that is the line to change.",
    ),
)

parameter_count.hints_for(
    "rounds_the_head_size_down",
    "rounds_the_head_size_up",
    "counts_parts_of_columns",
    "refuses_for_one_size_only",
    "refuses_only_if_both_sizes_are_missing",
    "refuses_where_nothing_is_divided",
    hints=(
        "Only a size of None makes a division necessary, for then the width of the model is split evenly. "
        "And that works only if nothing is left over. "
        "So an error needs two facts together: at least one size is None, and the heads do not divide the model size.",
        "Take a model size of 14 and 4 heads. "
        "Call with the two sizes None and None, then 5 and None, then None and 5, then 5 and 5. "
        "The first three should stop with an error, and the last should give a number. "
        "Which of the four goes another way in your code, and which line lets it?",
        "Ask before you divide. "
        "One condition joins two questions: is either of the sizes None, and does the remainder of model_size by "
        "heads differ from 0? "
        "Where both are so, raise a ValueError. "
        "After this line model_size / heads is a whole number wherever it is used.",
    ),
)


# what to predict, to calculate, to choose


@varied(carried=((10, 20), *((i, ai) for i in (10, 15, 20, 30) for ai in (40, 50, 60))))
def love_from_two_heads(carried):
    """*I* carries {carried[0]}, *love* carries 0, *AI* carries {carried[1]}"""
    i, ai = carried

    def found(*shares):
        """What heads hand over that give these shares to I and to AI; love's own share brings nothing."""
        return tuple(round(to_i * i + to_ai * ai, 1) for to_i, to_ai in shares)

    answer = first, second = found((0.7, 0.1), (0.1, 0.7))
    mean, both = round(sum(answer) / 2, 1), round(sum(answer), 1)
    return Question(
        answer=answer,
        wrong={
            (second, first): "Both numbers are right, but they have changed places. "
            "Head 0 is the one in which love looks at I.",
            found((0.8, 0.4), (0.4, 0.8)): "You took the columns under love: how much the others look at it. "
            "Whoever asks has a row. Which shares does love itself give?",
            found((0.1, 0.1), (0.3, 0.3)): "You took the first row of each map, and that is what *I* receives. "
            "Love stands in the second row.",
            found((0.3, 0.3), (0.1, 0.1)): "You took the last row of each map, and that is what *AI* receives. "
            "Love stands in the second row.",
            (mean, mean): f"{mean:g} is the mean of the two heads. Heads are not averaged: "
            "each hands over its own mixture.",
            mean: f"{mean:g} is the mean of the two heads. Heads are not averaged: "
            "each hands over a number of its own.",
            both: f"{both:g} is the sum of the two heads. Heads are put side by side, so two numbers are left.",
            (both, both): f"{both:g} is the sum of the two heads. Heads are put side by side: "
            "each keeps its own number.",
            **dict.fromkeys(
                (found((0.7, 0), (0, 0.7)), found((0, 0.7), (0.7, 0))),
                "You took the largest share of each head only, 0.7. The other two words have shares, too: add up all.",
            ),
            found((0.7, 0), (0, 0.1)): "You took *I* in head 0 and love's smallest share of *AI*: "
            "both belong to head 0. Add up each row.",
            found((0.7, 0.1), (0, 0.7)): f"Head 0 is right. In head 1, *I* has a share of 0.1, and it carries {i}.",
            **dict.fromkeys(
                ((0.7, 0.7), (0.9, 1.5), (1.0, 1.0)),
                "These are shares. Multiply each with what that word carries, and add up the three products.",
            ),
            (first, first): "Head 0 is right. Head 1 has other shares: 0.1 for *I* and 0.7 for *AI*.",
            (second, second): "Head 1 is right. Head 0 has other shares: 0.7 for *I* and 0.1 for *AI*.",
            (0.0, 0.0): "0 is what *love* itself carries. It receives a mixture of what all three words carry.",
            (float(i), float(ai)): "That is what the words carry. Love receives a mixture of it, "
            "by the shares in its row.",
        },
        hints=(
            "In each head, love has one row of three shares. "
            "Multiply each share with what that word carries, and add up. "
            "That is the weighted mean of lesson 00, once in each head. "
            "The two results are not added, and not averaged: each head hands over its own.",
            "The rows of love are 0.7, 0.2, 0.1 in head 0 and 0.1, 0.2, 0.7 in head 1. "
            f"The words carry {i}, 0 and {ai}. "
            f"So head 0 takes most from the word that carries {i}, and head 1 most from the word that carries {ai}.",
            f"Head 0: 0.7 times {i}, plus 0.2 times 0, plus 0.1 times {ai}. "
            "Head 1 in the same way, with its own row. "
            "Give both numbers, the one of head 0 first. "
            f"The second one is larger, since head 1 looks most at the {ai}.",
        ),
    )


shapes_in_a_layer = Question(
    answer=((128, 64), (128, 128), (128, 64), (128, 768)),
    wrong={
        ((128, 768), (128, 128), (128, 768), (128, 768)): "You gave each head the whole width. "
        "Twelve heads make 768 columns together: how many does one make?",
        ((128, 768), (128, 128), (128, 768), (128, 9216)): "You gave each head the whole width. "
        "Twelve heads make 768 columns together: how many does one make?",
        ((12, 128, 64), (12, 128, 128), (12, 128, 64), (128, 768)): "The sizes are right, but you told of all heads at "
        "once. The first three questions are about one head.",
        ((128, 12), (128, 128), (128, 12), (128, 768)): "12 is the number of heads. A head has 768 / 12 columns.",
        ((128, 64), (64, 64), (128, 64), (128, 768)): "All but the map. It has a row for each query and a column for "
        "each key, and these are tokens.",
        ((128, 64), (128, 64), (128, 64), (128, 768)): "All but the map. It has a row for each query and a column for "
        "each key, and these are tokens.",
        ((128, 64), (12, 128, 128), (128, 64), (128, 768)): "That is the object of all maps. "
        "The question is about the map of one head.",
        ((128, 64), (128, 128), (128, 64), (1536, 64)): "All but the last. "
        "Side by side means more columns; you put the heads below each other, and made more rows.",
        ((128, 64), (128, 128), (128, 64), (12, 128, 64)): "All but the last. That is a stack of twelve results. "
        "Side by side means that every token keeps one row.",
        ((128, 64), (128, 128), (128, 64), (128, 64)): "All but the last. Adding the heads would leave 64 columns; "
        "side by side nothing is lost.",
        ((128, 64), (128, 128), (128, 768), (128, 768)): "All but the third. 768 columns are all heads side by side; "
        "the question is about the result of one.",
        ((128, 768), (128, 128), (128, 64), (128, 768)): "All but the first. The words have 768 columns, and the query "
        "is what one head has made of them.",
        ((768, 64), (128, 128), (128, 64), (128, 768)): "All but the first. (768, 64) is the matrix that makes the "
        "queries. What comes out has a row for each token.",
        ((128, 64), (128, 128), (128, 64), (768, 768)): "All but the last. That would be the output matrix. "
        "Side by side there is still one row for each token.",
        ((128, 64), (128, 128), (128, 64), (128, 12, 64)): "All but the last. Side by side means one long row for each "
        "token, not a table.",
        ((128, 64), (128, 128), (128, 128), (128, 768)): "All but the third. The map mixes values, "
        "so the result is as wide as the values of one head.",
        ((64, 128), (128, 128), (64, 128), (768, 128)): "The sizes are right, but tokens are rows here: "
        "they come first.",
    },
    hints=(
        "Tokens are rows, and there are always 128 of them. "
        "What changes is how many columns they have. "
        "So ask the same thing four times: how many columns has a query of one head, a row of its map, its result, "
        "and a row of all results together?",
        "One head has 768 / 12 columns. "
        "A map compares each token with each token, so no features are left in it. "
        "The result of a head is a mixture of its values, and a mixture has as many columns as the things that are "
        "mixed.",
        "Side by side there are 12 times as many columns as in one head, and still one row for each token. "
        "To check the last shape: all heads together are as wide as the model. "
        "Give four pairs, and in each pair the tokens come first.",
    ),
)
head_of_1024 = Question(
    answer=(64, 8),
    tolerance=1e-3,
    wrong={
        (64, 32): "32 is the root of 1024. A dot product of one head has only as many terms as the head has columns.",
        (64, 64): "64 is the head size. What is divided by is its root.",
        (64, 4): "4 is the root of the number of heads. A dot product of one head has as many terms as it has columns.",
        (64, 16): "16 is the number of heads. The divisor is the root of the number of terms in one dot product.",
        (16, 4): "16 is the number of heads. Together they make 1024 columns. How many does each of them make?",
        (16, 8): "16 is the number of heads. Together they make 1024 columns. How many does each of them make?",
        (1024, 16): "That would be one head that makes all columns, and 16 is the number of heads. "
        "Together the sixteen make 1024 columns.",
        (128, 8): "16 heads of 128 would make 2048 columns. How many does each make if together they make 1024?",
        (1024, 32): "That would be one head that makes all 1024 columns. Here sixteen heads make them together.",
        (64, 0.125): "Multiplying by 1/8 is right. The question is what the scores are divided by.",
        (64, 4096): "4096 is 64 times 64. The divisor is the root of 64, not its square.",
        (8, 64): "Both numbers are right, but they have changed places: first the size, then the divisor.",
    },
    hints=(
        "Side by side, the 16 heads make 1024 columns, and all of them make equally many. "
        "So the head size is one division. "
        "In a small model with 12 columns and 3 heads, each head would make 4. "
        "The second number needs the first one.",
        "The divisor is the one of lesson 02: the root of the number of terms in a dot product. "
        "The scores are made inside one head, from its own queries and keys. "
        "How many numbers does one query have there, and how many one key?",
        "A dot product in one head has as many terms as the head has columns, not as many as the model. "
        "So begin with the head size, and take the root of that. "
        "Both of your numbers are whole numbers, and the second is smaller.",
    ),
)
shape_of_all_maps = Question(
    answer=(32, 8, 128, 128),
    wrong={
        (8, 32, 128, 128): "The sizes are right. The axis of heads was to come right after that of the batch.",
        (256, 128, 128): "256 maps, that is right. Give batch and heads an axis each.",
        (32, 128, 128): "That is one map for each text. Each of the 8 heads has a map of its own.",
        (32, 128, 128, 8): "The sizes are right. Behind the batch come the heads, and then a map: queries and keys.",
        (32, 1, 128, 128): "That is one map for each text. Each of the 8 heads has a map of its own.",
        (8, 128, 128): "That is one text. There are 32 of them in the batch.",
        (32, 8, 128, 64): "64 would be columns of a head. A map has a row for each query and a column for each key.",
        (32, 128, 8, 128): "The sizes are right. Behind the batch come the heads, and then a map: queries and keys.",
        (32, 8, 64, 64): "A map compares tokens with tokens, however many columns a head has. How many tokens are "
        "there?",
        (32, 8, 16, 16): "You divided the tokens among the heads. Every head sees all 128 tokens; what it has fewer of "
        "is columns.",
        (32, 8, 128, 16): "You divided the tokens among the heads. Every head sees all 128 tokens; what it has fewer "
        "of is columns.",
    },
    hints=(
        "For one text and one head, a map has a row for each query and a column for each key. "
        "Both are the tokens of the text. "
        "Features were summed up when the scores were made, so their number is not in this shape.",
        "Every head has such a map, and every text of the batch has its own. "
        "So two more axes stand in front of rows and columns. "
        "The question says which of the two comes first: heads stand right after the batch.",
        "The order is batch, heads, queries, keys. "
        "Put one number of the question in each of the four places. "
        "Two of the four numbers are equal, since the tokens of a text look at each other: they ask, and they are "
        "asked.",
    ),
)


def _each_place(answer, messages):
    """Each answer with exactly one place turned round -> its message."""
    return {tuple(a != (i == n) for i, a in enumerate(answer)): message for n, message in enumerate(messages)}


right_shape_without_output = Question(
    answer=(True, False, False, True),
    wrong=_each_place(
        (True, False, False, True),
        (
            "Look at the first: 8 heads of 64 are 512 columns side by side. How many should the output have?",
            "Look at the second: 8 heads of 128 are 1024 columns side by side. How many should the output have?",
            "Look at the third: 2 heads of 3 are 6 columns side by side. How many should the output have?",
            "Look at the fourth: 12 heads of 64 are 768 columns side by side. How many should the output have?",
        ),
    )
    | {
        (False, False, False, False): "Multiply heads and head_size in each row. "
        "Where that is the model size, the joined results look like an output.",
        (True, True, True, True): "Multiply heads and head_size in each row. It is not the model size everywhere.",
        (True, False, True, False): "Look at the third and the fourth: 2 heads of 3 are 6 columns side by side, "
        "and 12 heads of 64 are 768. How many should the output have?",
        (False, True, True, False): "You marked the layers where the shape betrays the mistake. "
        "The question is where it fits.",
    },
    hints=(
        "How many columns do all heads have together, side by side? "
        "That is how wide the output is, if nothing is multiplied afterwards. "
        "Work it out for each row of the table, and write it beside the row. "
        "Then compare it with what should come out.",
        "The output should have as many columns as `x`, that is model_size. "
        "With W_O it always has them, whatever the heads bring along. "
        "Without it the joined results come out as they are. "
        "In which rows of the table is that the same width?",
        "Multiply heads and head_size, row by row, and compare with model_size. "
        "In the second row, for example, 8 times 128 is 1024: is that the number under model_size? "
        "Do the same with the other three, and give four answers, True or False.",
    ),
)
equal_start = Question(
    answer="b",
    wrong={
        "a": "Each has matrices of its own, but equal numbers in them. "
        "Equal numbers get equal slopes. What could make the first difference?",
        "c": "A slope knows nothing of waste: it tells each parameter where downhill is. "
        "What does it tell two parameters that are in the same position?",
        "d": "Nothing is forbidden here. Every slope exists, and every step can be taken.",
    },
    hints=(
        "Think of one number in head 0 and the same number in head 1. "
        "Which slopes do they get? "
        "A slope tells how the loss moves when this number moves. "
        "Two numbers that are equal, and do the same work in the same formula: can one of them move it more?",
        "If you exchange the two heads, with their blocks of the output matrix, nothing at all changes. "
        "So training cannot tell which of the two is which. "
        "What could then make one of them take another step than the other?",
        "Equal numbers, equal slopes, equal steps. "
        "What are they after the first step? "
        "And after the second, which begins where the first has ended? "
        "Nothing in these formulas is thrown with dice. "
        "So which answer tells how it goes on?",
    ),
)
equal_maps = Question(
    answer="c",
    wrong={
        "a": "Values are what is mixed. They have no part in the shares, so the maps may well differ.",
        "b": "The keys are then equal, but each head still asks with queries of its own.",
        "d": "Keys and values are then equal, but each head still asks with queries of its own.",
    },
    hints=(
        "A map is made of scores. "
        "What are scores made of? "
        "Write down the formula of one head, and draw a ring around everything that stands inside softmax. "
        "Only matrices inside the ring can change the map. "
        "Which ones are they?",
        "Scores compare queries with keys. "
        "If one of the two differs between heads, the scores do too. "
        "So it is not enough to share one of these matrices, since the other one is random, and different in each "
        "head. "
        "What is enough?",
        "Both sides of the dot product have to be equal. "
        "Values come in only afterwards, when the map is finished, so it does not matter whether their matrix is "
        "shared. "
        "Which answer names the matrices of both sides, and nothing else?",
    ),
)
parameters_of_512 = Question(
    answer=(1_048_576, 1_050_624, 1_048_576),
    tolerance=1e-9,
    points=2,
    wrong={
        (1_048_576, 1_050_624, 2_097_152): "The first two are right. "
        "With 16 heads each is half as wide, so twice as many heads make no difference.",
        (1_048_576, 1_050_624, 524_288): "The first two are right. "
        "With 16 heads each is half as wide, but there are twice as many.",
        (1_048_576, 1_050_624, 1_050_624): "The first two are right, and so is the idea that 16 heads count like 8. "
        "But the third was asked without biases.",
        **{
            (8_388_608, 8_388_608 + biases, 16_777_216): "You counted every head as wide as the whole model. "
            "Eight heads make 512 columns together."
            for biases in (0, 4, 32, 512, 2048, 4096, 12_800, 16_384)
        },
        (1_048_576, 1_050_624, 16_777_216): "The first two are right. With 16 heads each is a sixteenth as wide.",
        (1_048_576, 1_048_580, 1_048_576): "A bias is a vector, not a single number: "
        "one number for each number that comes out.",
        (1_048_576, 1_049_088, 1_048_576): "You counted one bias. Each of the four projections has one.",
        (1_048_576, 1_050_112, 1_048_576): "You counted three biases. The output projection has one too.",
        (
            1_048_576,
            1_048_832,
            1_048_576,
        ): "You counted four biases of one head. Each of the 8 heads has its own, and the output has one of 512.",
        (1_048_576, 1_049_280, 1_048_576): "You counted the biases of one head, and that of the output. "
        "Each of the 8 heads has its own.",
        **dict.fromkeys(
            ((1_050_000, 1_050_000, 1_050_000), (1_048_000, 1_050_000, 1_048_000), (1_050_000, 1_052_000, 1_050_000)),
            "These are rounded. Count exactly: the biases are so few that rounding hides them.",
        ),
        (2_048, 4_096, 2_048): "You added up rows. A matrix of 512 by 512 has 512 times 512 numbers.",
        (1_048_576, 1_061_376, 1_048_576): "You counted biases of 512 for each head. "
        "A head's bias has one number for each column of the head.",
        (1_048_576, 1_064_960, 1_048_576): "You counted biases of 512 for each head. "
        "A head's bias has one number for each column of the head, and the output has one bias for all heads.",
        (786_432, 787_968, 786_432): "You counted three projections. Which matrix comes after the heads?",
        (786_432, 788_480, 786_432): "Your matrices are those of queries, keys and values. "
        "Which matrix comes after the heads?",
        (262_144, 262_656, 262_144): "That is one square matrix. There are four projections.",
        (1_048_576, 1_048_576, 1_048_576): "Without biases that is right. How many numbers do four biases add?",
    },
    hints=(
        "The table above gives the sum without biases. "
        "Put in 512 for d, and you have the first of your three numbers. "
        "Then ask two questions: how many numbers do the biases add, and where in the sum does the number of heads "
        "stand?",
        "512 times 512 is 262 144, and there are four projections. "
        "Each bias adds as many numbers as come out. "
        "A small layer to try: with d = 2 there are 16 numbers without biases, and four biases of 2 numbers add 8 to "
        "that.",
        "Four biases of 512 numbers come on top. "
        "And look for h in the sum: what do 16 heads change? "
        "There are twice as many of them, and each has half as many columns as before. "
        "Give three whole numbers, in the order of the question.",
    ),
)
