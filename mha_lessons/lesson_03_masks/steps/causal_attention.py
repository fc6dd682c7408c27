"""What people get wrong about `causal_attention`, and what helps them."""

import numpy as np

import mha_ref

from ..exercises import causal_attention, masked_attention


@causal_attention.misconception
def forgets_the_causal_mask(query, key, value):
    """Changing a later token changes earlier outputs: every query looks at every key, the future included.
    Either no causal mask reaches your softmax, or it allows everything.
    Follow the mask through your code: where is it made, and who uses it?"""
    return masked_attention(query, key, value)


@causal_attention.misconception
def hides_the_last_key_only(query, key, value):
    """The last key is hidden from all queries but the last; the rest of the future is visible.
    Each query has a future of its own, and for the first query it is nearly everything.
    A row for each query, with its own last allowed key, is what the mask needs."""
    mask = np.ones((query.shape[-2], key.shape[-2]), bool)
    mask[:-1, -1] = False
    return masked_attention(query, key, value, mask)


@causal_attention.misconception
def forgets_the_oldest_keys(query, key, value):
    """Where there are more keys than queries, the oldest keys have no influence on your output: only as many keys as
    queries were used.
    The extra keys come first, so they lie in the past of every query.
    Keep all keys, and fit the mask to them."""
    queries = query.shape[-2]
    mask = mha_ref.causal_mask(queries, queries)
    return masked_attention(query, key[..., -queries:, :], value[..., -queries:, :], mask)


@causal_attention.misconception(axis=(0, 1))
def takes_the_sizes_from_the_front(query, key, value, *, axis):
    """The sizes of your mask come from axis {axis}, counted from the front.
    Which axis that is depends on what stands before it: a batch in front moves tokens and features one place on.
    Counted from the end, every axis keeps its number. Which numbers have tokens and features there?"""
    mask = mha_ref.causal_mask(query.shape[axis], key.shape[axis])
    return masked_attention(query, key, value, mask)


@causal_attention.misconception
def takes_the_sizes_from_the_features(query, key, value):
    """The sizes of your mask are lengths of the last axis, and that axis holds features.
    A mask has a row for each query and a column for each key.
    On which axis do queries and keys lie, counted from the end?"""
    mask = mha_ref.causal_mask(query.shape[-1], key.shape[-1])
    return masked_attention(query, key, value, mask)


@causal_attention.misconception(size=("queries", "keys"))
def makes_a_square_mask(query, key, value, *, size):
    """Your mask is a square: both its sizes are the number of {size}.
    Where there are fewer queries than keys, it does not fit the scores.
    A mask has a row for each query and a column for each key. Where do you find each of the two numbers?"""
    tokens = (query if size == "queries" else key).shape[-2]
    return masked_attention(query, key, value, mha_ref.causal_mask(tokens, tokens))


@causal_attention.misconception(seen=("first", "one at its own place"))
def lets_the_first_query_see_one_key(query, key, value, *, seen):
    """With more keys than queries your first query looks at one key alone, the {seen}.
    It is first among the queries, but the older keys lie before it, and it sees all of them.
    Do you begin with a row that is right for equal lengths only?"""
    out = causal_attention(query, key, value)
    place = 0 if seen == "first" else key.shape[-2] - query.shape[-2]
    return np.concatenate([value[..., place : place + 1, :], out[..., 1:, :]], axis=-2)


causal_attention.hints_for(
    "lets_the_first_query_see_one_key",
    hints=(
        "Somebody who writes the next words of a text does not begin with an empty page. "
        "The text so far is there as keys and values, and the queries are its last tokens. "
        "So the first query is first among those who ask, and may still have many tokens before it. "
        "It sees all of these, and itself.",
        "Take 2 queries and 5 keys. The last query sees 5 keys, so the first one sees 4. "
        "Print how many keys your code gives it. "
        "Then look for a start that is made by hand: a base case, an `if` for the first query, a result that begins "
        "with one value.",
        "Treat the first query as all the others: it sees the keys up to its own place, and this place is moved by how "
        "many more keys than queries there are. "
        "In a recursion, the last query left has that many keys before it, so it needs attention as well, over all "
        "keys that are left.",
    ),
)

causal_attention.hints_for(
    "forgets_the_causal_mask",
    hints=(
        "A leak makes no error, and the numbers look just as good with it. "
        "The formula of attention does not know which token comes later, so a mask has to bring this in. "
        "And the mask works only if three things are true: it is made, it has False at the right places, and it is "
        "used where scores become weights.",
        "Print the weights of the first query, for as many queries as keys. "
        "Has any key but the first one a weight? "
        "Then look for your mask, and print it. "
        "If there is no False in it, the mistake is where it is made. "
        "If it is right, follow it from there: which call takes it in? "
        "And is the result of this call the one that you return?",
        "Two lines work together. "
        "The first makes the causal mask from the number of queries and the number of keys, and gives it a name. "
        "The second computes attention and gets this name beside query, key and value. "
        "If the mask is left out of that call, it counts as None there, and None allows everything.",
    ),
)

causal_attention.hints_for(
    "hides_the_last_key_only",
    hints=(
        "The future is not one place. "
        "It is another stretch for each query: long for the first, shorter from row to row, and empty for the last. "
        "What is hidden in a row always reaches to its right end. "
        "To hide the last key alone is right for one query only, the last but one.",
        "Print the mask, or the scores after masking, for four queries and four keys. "
        "Count what is hidden in each row: it should be three, two, one and none. "
        "What do you count in yours? "
        "Look for an index that names a single column, such as -1, where a whole part of the row should be meant.",
        "In each row, all keys are hidden whose position is larger than the query's place. "
        "The causal mask does it for all rows at once: places as a column, positions as a row, one comparison. "
        "If you write it as a loop over queries, the hidden part is a slice. "
        "It begins one after the query's place, and goes on to the end.",
    ),
)

causal_attention.hints_for(
    "forgets_the_oldest_keys",
    hints=(
        "A model that writes keeps the keys and values of all that was said, and only the newest tokens ask. "
        "So the extra keys are its memory. "
        "They stand in front, they are past for every query, and everybody may look at them. "
        "Without them the triangle looks right, and the model has forgotten how the text began.",
        "Print the shapes of key and value as they come in, and where they are used. "
        "Has the number of tokens shrunk to that of the queries? "
        "Look for a slice on the axis of the tokens, often with a minus in it, or for a loop over keys that counts "
        "the queries. "
        "How many columns does your mask have for 2 queries and 5 keys?",
        "Leave key and value whole, with all their tokens. "
        "The mask then has a row for each query and a column for each key, and where there are more keys it is "
        "wider than high. "
        "All old keys are True in every row. "
        "So the mask fits the scores by itself, and nothing has to be cut.",
    ),
)

causal_attention.hints_for(
    "takes_the_sizes_from_the_front",
    "takes_the_sizes_from_the_features",
    "makes_a_square_mask",
    hints=(
        "The mask lies on the scores, so it needs their two sizes: how many tokens ask, and how many are asked. "
        "These are two numbers, from two arrays, and they may differ. "
        "Both arrays are laid out as (..., tokens, features). "
        "The dots can stand for nothing or for a batch, so only the end of a shape is a safe place to count from.",
        "Take a batch, with fewer queries than keys and another number of features. "
        "Print the shape of the scores, and below it the shape of your mask. "
        "The last two numbers should agree. "
        "For each of them, go back to the line it comes from: which array is it, and which axis? "
        "`len` gives the length of the first axis, whatever that is.",
        "The number of rows is a size of the query, the number of columns is a size of the key. "
        "In both arrays it stands right before the features: the last axis but one. "
        "The mask is made from these two numbers, rows first. "
        "Or read both from the scores, where they are the last two sizes.",
    ),
)
