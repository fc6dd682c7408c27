"""What people get wrong about `masked_attention`, and what helps them."""

import math

import numpy as np

import mha_ref
from autograder.activations import ACTIVATIONS

from ..exercises import masked_attention
from .masked_softmax import ONE_PASS


@masked_attention.misconception
def mixes_the_keys(query, key, value, mask=None):
    """Your output is a mean of the keys.
    A key is what a token offers for comparison; what it hands over is its value.
    Which of the two do your weights mix?"""
    return masked_attention(query, key, key, mask)


@masked_attention.misconception
def swaps_key_and_value(query, key, value, mask=None):
    """Key and value have changed places: queries were compared with values, and keys were mixed.
    A key is for comparing, a value is for handing over.
    Check the order of your arguments, and of the parameters they go to."""
    return masked_attention(query, value, key, mask)


@masked_attention.misconception
def compares_with_the_values(query, key, value, mask=None):
    """The keys have no influence on your output: the queries were compared with the values.
    Scores come from query and key; the value enters at the end, when the weights are known.
    Which array stands in your scores?"""
    return masked_attention(query, value, value, mask)


@masked_attention.misconception
def mixes_the_queries(query, key, value, mask=None):
    """Your output is a mean of the queries.
    A query is what a token looks for; what is handed over is the value of the tokens it finds.
    Which array do your weights mix?"""
    return masked_attention(query, key, query, mask)


@masked_attention.misconception
def takes_arguments_as_value_key_query(query, key, value, mask=None):
    """Query and value have changed places, as if the order were value, key, query.
    Some code elsewhere uses that order; here it is query, key, value.
    Compare the order of your parameters with the stub's."""
    return masked_attention(value, key, query, mask)


@masked_attention.misconception
def masks_the_output(query, key, value, mask=None):
    """The mask was multiplied into the output, when the values were mixed already.
    The output has an axis for features where the mask has its keys, so this cannot take single keys out.
    A mask acts on scores, before softmax."""
    return masked_attention(query, key, value) if mask is None else masked_attention(query, key, value) * mask


@masked_attention.misconception
def adds_the_query_back(query, key, value, mask=None):
    """The query was added to your output.
    A sum of this kind (a residual connection) stands outside attention, and a later lesson uses it there.
    Here the output is the weighted mean of the values and nothing else."""
    return masked_attention(query, key, value, mask) + query


@masked_attention.misconception
def adds_the_value_back(query, key, value, mask=None):
    """The value was added to your output.
    Each token's own value is in the weighted mean already, with the weight that its score earned.
    The output is this mean and nothing else."""
    return masked_attention(query, key, value, mask) + value


@masked_attention.misconception(decimals=(1, 2, 3, 4))
def rounds_the_output(query, key, value, mask=None, *, decimals):
    """Your output is rounded, and what is cut off is lost to all that follows. Decimals that are left: {decimals}.
    Rounding is for numbers that people read, and other code goes on with these.
    Is there a `round` in your last line?"""
    return np.round(masked_attention(query, key, value, mask), decimals)


@masked_attention.misconception
def scales_by_the_value_size(query, key, value, mask=None):
    """The scores were divided by the root of the value's size.
    What a dot product of query and key sums over is their features, and values may be longer or shorter than that.
    From which array do you take the size?"""
    return masked_attention(query * np.sqrt(query.shape[-1] / value.shape[-1]), key, value, mask)


@masked_attention.misconception
def needs_a_mask(query, key, value, mask=None):
    """Without a mask your code stops with an error.
    A mask of None forbids nothing: every query may look at every key.
    Ask `mask is None` before you use it."""
    if mask is None:
        raise TypeError
    return masked_attention(query, key, value, mask)


@masked_attention.misconception(empty=(0.0, np.nan))
def reads_no_mask_as_nothing_allowed(query, key, value, mask=None, *, empty):
    """Where no mask is given, every number of your output is {empty:g}.
    Was nothing summed up, or did `mask=None` block every key? For `np.where`, None counts as False.
    Without a mask every key is allowed, so ask `mask is None` before you use it."""
    if mask is None:
        return masked_attention(query, key, value) * 0 + empty
    return masked_attention(query, key, value, mask)


@masked_attention.misconception
def counts_tokens_from_the_front(query, key, value, mask=None):
    """Where no mask is given, your code makes one, and with a batch in front it has the wrong size.
    The first length of a shape is the number of tokens only without a batch.
    Which two axes hold the numbers of queries and keys, counted from the end?"""
    everything = np.ones((query.shape[0], key.shape[0]), dtype=bool)
    return masked_attention(query, key, value, everything if mask is None else mask)


@masked_attention.misconception(counted=("queries", "keys"))
def makes_a_square_mask_of_none(query, key, value, mask=None, *, counted):
    """Where no mask is given, your code makes one, and it is a square: both its lengths are the number of {counted}.
    There can be more keys than queries, or fewer.
    A mask has a row for each query and a column for each key; from which two arrays do you read the sizes?"""
    tokens = {"queries": query, "keys": key}[counted].shape[-2]
    return masked_attention(query, key, value, np.ones((tokens, tokens), dtype=bool) if mask is None else mask)


@masked_attention.misconception
def is_always_causal(query, key, value, mask=None):
    """Later tokens are hidden, though nobody asked for it.
    Attention is causal only where a causal mask is given.
    Hide what the mask hides, and nothing else; is there a triangle left in your code?"""
    causal = mha_ref.causal_mask(query.shape[-2], key.shape[-2])
    return masked_attention(query, key, value, causal if mask is None else mask & causal)


@masked_attention.misconception
def uses_masks_of_two_axes_only(query, key, value, mask=None):
    """A mask with more than two axes has no influence on your output.
    Such a mask has an answer for each sentence of a batch, as a padding mask does.
    Is there an `if` that lets only some shapes through? Broadcasting takes them all."""
    return masked_attention(query, key, value, mask if mask is None or mask.ndim < 3 else None)


@masked_attention.misconception
def averages_over_the_allowed_keys(query, key, value, mask=None):
    """Your output is the right one, divided once more by the number of keys that take part.
    The weights of a row sum to 1, so their sum of values is a mean already.
    Where does your code count keys, or take a `mean`?"""
    scores = mha_ref.attention_scores(query, key)
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape).sum(axis=-1, keepdims=True)
    return masked_attention(query, key, value, mask) / np.maximum(allowed, 1)


@masked_attention.misconception
def hands_the_masks_out_in_turn(query, key, value, mask=None):
    """Where two axes stand in front, such as texts and heads, and the mask lacks one, masks go to wrong places.
    The axes in front were made one, and the masks were dealt out in turn.
    But a text comes with all its heads, and then the next one. Broadcasting knows that, as long as no axis is lost."""
    if mask is None or mask.ndim < 3:
        return masked_attention(query, key, value, mask)
    flat, front = mask.reshape(-1, *mask.shape[-2:]), query.shape[:-2]
    in_turn = flat[np.arange(math.prod(front)) % len(flat)].reshape(*front, *mask.shape[-2:])
    return masked_attention(query, key, value, in_turn)


@masked_attention.misconception(forgotten=("output", "sum", "sum and output"))
def forgets_to_rescale_what_was_summed_up(query, key, value, mask=None, *, forgotten):
    """You go through the keys with a running maximum, and that is fine. But when a larger score comes, all that was
    summed up so far was made with the old maximum. The {forgotten} of yours stayed as it was.
    By which factor do the old exponentials become those with the new maximum?"""
    scores = mha_ref.attention_scores(query, key)
    hidden = np.where(True if mask is None else mask, scores, -np.inf)
    running = np.maximum.accumulate(hidden, axis=-1)
    stale, fresh = (np.exp(hidden - np.where(np.isinf(top), 0, top)) for top in (running, running[..., -1:]))
    total = (stale if "sum" in forgotten else fresh).sum(axis=-1, keepdims=True)
    return (stale if "output" in forgotten else fresh) / np.where(total == 0, 1, total) @ value


@masked_attention.misconception(by=("ReLU", "GELU", "tanh"))
def bends_the_mean_of_the_values(query, key, value, mask=None, *, by):
    """Your output went through {by}: it is no longer a mean of the values.
    What attention hands on is mixed and not bent; activations stand in other parts of a model.
    What is done to the product of weights and values?"""
    return ACTIVATIONS[by](masked_attention(query, key, value, mask))


masked_attention.hints_for(
    "mixes_the_keys",
    "swaps_key_and_value",
    "compares_with_the_values",
    "mixes_the_queries",
    "takes_arguments_as_value_key_query",
    hints=(
        "Attention has two products, and each of the three arrays has its place in one of them. "
        "In the first, queries meet keys: who fits whom? "
        "Scores come out, and softmax makes shares of them. "
        "In the second, the shares meet the values: what is handed over? "
        "After the first product, query and key have done their work, and are not needed again.",
        "Read your two products aloud, with the names in them. "
        "In the first: what meets the query? "
        "In the second: what meets the shares? "
        "If you call functions, compare the order in which you hand the arrays over with the order in which they "
        "are taken. "
        "Give each array another number of features where you can; then many mix-ups show in a shape.",
        "Query, key, value: keep this order in what you take and in what you pass on. "
        "The scores are a product of the query with the key, whose last two axes are swapped. "
        "Softmax of the scaled scores gives the shares. "
        "The output is the product of the shares with the value, shares on the left. "
        "Compare your names with this, line by line.",
    ),
)

masked_attention.hints_for(
    "masks_the_output",
    hints=(
        "In the output, the values have been mixed already: each query has one row of features, and no columns for "
        "keys any more. "
        "A blocked key is in all of these numbers, as milk is in coffee, and cannot be taken out. "
        "So a mask has to act while there is still one number for each pair of query and key.",
        "Find the line that uses the mask, and print the shape of what it is applied to. "
        "Does the last axis count keys, or features of the values? "
        "If both numbers happen to be equal, no error tells you. "
        "Try values with another number of features, and see whether the line still runs.",
        "The mask leaves the last line and goes into the step from scores to weights. "
        "There the masked softmax takes the scores, of shape (..., queries, keys), together with the mask, and "
        "gives blocked keys a weight of 0. "
        "These weights meet the values as before. "
        "What comes out is returned as it is.",
    ),
)

masked_attention.hints_for(
    "adds_the_query_back",
    "adds_the_value_back",
    "rounds_the_output",
    "averages_over_the_allowed_keys",
    hints=(
        "This part ends with a weighted mean of the values, and other code relies on it. "
        "A mean never lies outside of what it mixes: feature by feature it stays between the smallest value and the "
        "largest. "
        "And it has all the digits that the computer can give. "
        "Whatever is added or cut off afterwards takes these properties away.",
        "Look at what happens to the weighted mean between its product and the `return`. "
        "Is there a plus, a `+=`, a `round`, a conversion? "
        "A good test is a single key. "
        "It gets a weight of 1, so the mean must be its value, in every digit. "
        "What is more in yours, or less?",
        "The product of weights and values is the result, and it is returned as it is. "
        "If you want to see fewer digits, round what you print, or set the print options. "
        "If something is to be added to the result, this is the work of whoever calls, with a line outside of this "
        "part.",
    ),
)

masked_attention.hints_for(
    "scales_by_the_value_size",
    hints=(
        "A sum of more terms spreads more widely, and the root is there to undo this. "
        "So it must count the terms of the sum: one for each feature that query and key have in common. "
        "The value has no part in a score. "
        "Its size may be anything, and when it changes, the scores must not.",
        "Find the number under the root, and follow it back to a shape. "
        "Then try it: keep query and key, and give the values twice as many features. "
        "Print the weights before and after. "
        "They should be the same numbers; if they move, the size of the value has found its way into the scores.",
        "The scores are divided by the square root of the last size of the query. "
        "(The key has the same one.) "
        "It is best read in the line where the scores are made, where no value is in sight. "
        "If `attention_scores` makes them, it divides as well, and there is no size for you to name.",
    ),
)

masked_attention.hints_for(
    "needs_a_mask",
    "reads_no_mask_as_nothing_allowed",
    hints=(
        "None is not a mask that blocks everything. "
        "It says that there is no mask, so nobody forbids anything, and what remains is plain attention. "
        "But None has no shape and no `~`, and where a yes or no is wanted it counts as no. "
        "So it has to be dealt with before a line treats it as an array.",
        "Call your code without a mask, and look at the first line that meets it. "
        "What does this line make of None: an error, a False, a NaN? "
        "If there is an `if`, read it aloud for None and for an array. "
        "Which way does each of them go? "
        "If no mask occurs in your code at all, look for an output that is made of zeros and never filled.",
        "One question decides: is the mask None? "
        "If so, the weights come from the plain softmax of the scores; if not, from the masked one. "
        "Another way is to make a mask that is True at every place, at the very beginning, and to go on as usual. "
        "Ask with `is`, since a whole array is neither true nor false.",
    ),
)

masked_attention.hints_for(
    "counts_tokens_from_the_front",
    "makes_a_square_mask_of_none",
    hints=(
        "A mask that allows everything is as good as none, if it fits the scores. "
        "Scores have a row for each query and a column for each key, and a batch may stand in front. "
        "So its two sizes come from two arrays, and from the end of their shapes.",
        "Call your code without a mask, on queries (2, 3, 6) and keys (2, 5, 6). "
        "Print the shape of the mask that it makes. "
        "The scores have the shape (2, 3, 5): do the last two numbers agree? "
        "If not, which shape does each number come from, and which place in it?",
        "The features stand last in a shape, and the tokens right before them. "
        "Read the rows from the query and the columns from the key, both at this place. "
        "Or make the scores first: their own shape is what is wanted. "
        "Or make no mask at all, and use the plain softmax where there is none.",
    ),
)

masked_attention.hints_for(
    "is_always_causal",
    hints=(
        "Attention knows nothing of order: every query compares itself with all keys, wherever they stand. "
        "To hide what comes later is a decision of whoever calls, and a causal mask says so. "
        "One who reads a whole sentence wants to look both ways. "
        "So this part must not bring in a rule that nobody gave.",
        "Look for everything that knows of order: `tri`, `tril`, `triu`, a comparison of positions, an "
        "`is_causal=True`, a loop over keys that ends at the number of the query. "
        "Then let nothing be hidden, and print the weights of the first query. "
        "Every key should have some.",
        "Take out what makes the triangle. "
        "A mask that comes in is used as it is, and without one every key is allowed. "
        "Whoever must not look ahead will bring a causal mask, and your code treats it like any other. "
        "If there is a loop over keys, it runs over all of them.",
    ),
)

masked_attention.hints_for(
    "uses_masks_of_two_axes_only",
    hints=(
        "A mask may come with two axes, for everybody alike, or with more, where each sentence has permissions of its "
        "own. "
        "A padding mask is of the second kind: it has a batch in front. "
        "In both cases its last axis is the keys, and broadcasting lines it up with the scores from the right. "
        "So the number of axes is no reason to treat it differently.",
        "Call your code with a padding mask, of shape (batch, 1, keys), and hide the last key of the first sentence. "
        "Then change this key's value. "
        "The output must stay as it was. "
        "If it moves, look for an `if` that asks the mask for its shape, its `ndim` or its length, and see which way "
        "this mask goes.",
        "One question about the mask is needed: is it None? "
        "If it is not, it goes as it is to the masked softmax, together with the scores. "
        "Whatever stands in front of its last two axes, or is missing there, is stretched without your help.",
    ),
)

masked_attention.hints_for(
    "hands_the_masks_out_in_turn",
    hints=(
        "An axis of length 1 in a mask means: the same for all. "
        "A mask (texts, 1, 1, keys) has one row for each text, and all heads of that text share it. "
        "Broadcasting stretches such an axis where it stands. "
        "If texts and heads are folded into one axis, it has to be stretched before, or others get the masks.",
        "Take 2 texts, 3 heads and a mask for each text: call the masks A and B. "
        "In memory the folded axis goes through all heads of a text first, so the masks must come as A A A B B B. "
        "Print the order in which yours come. "
        "`tile` and a remainder give A B A B A B.",
        "The safest way folds nothing: queries, keys, values and mask keep their axes, and `@` works on the last two. "
        "If you do fold, stretch the mask to the full shape of the scores first, with all axes in front. "
        "Then fold both in the same way.",
    ),
)

masked_attention.hints_for("forgets_to_rescale_what_was_summed_up", hints=ONE_PASS)

masked_attention.hints_for(
    "bends_the_mean_of_the_values",
    hints=(
        "A weighted mean lies among the numbers that it is made of. "
        "Values of 2 and 4 give something between 2 and 4, and values of -2 and -4 something below zero. "
        "A function after it moves the result somewhere else, and a negative value can no longer say what it says. "
        "Whatever bends numbers stands elsewhere in a model, in the feed-forward part for example.",
        "Give all keys the same value, once a row of 3, once a row of -3. "
        "Whatever the weights are, these rows should come out as they went in. "
        "Which of your two results differs? "
        "Then read backwards from `return` to the product of weights and values, and note each function on the way.",
        "The last step is the product of the weights with the values. "
        "Return what this product gives, without `relu`, `tanh` or another function around it. "
        "If it is made in a loop, look at what is done to each sum before it is stored.",
    ),
)
