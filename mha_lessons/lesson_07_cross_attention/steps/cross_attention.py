"""What people get wrong about `cross_attention`, and what helps them."""

import numpy as np
from array_api_compat import array_namespace

import mha_ref
from autograder import layers
from mha_ref import combine_masks, multi_head_attention

from ..exercises import cross_attention


@cross_attention.misconception(turned=(False, True))
def lets_the_memory_ask(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, turned):
    """Your queries are made of `memory`, and keys and values of `x`: the two have changed places.
    The one who asks makes the queries, and gets one row of the result for each of its tokens.
    Who asks here, and who is asked?"""
    mask = mask.mT if turned and mask is not None else mask
    return cross_attention(memory, x, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception
def does_not_pass_the_mask_on(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """`mask` changes nothing in your result: tokens of the memory that it hides are looked at all the same.
    Most often they are padding, and what stands there means nothing.
    Does the mask arrive where the scores are, before softmax?"""
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads)


@cross_attention.misconception
def looks_at_x_alone(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """The memory does not change your result: queries, keys and values are all made of `x`.
    That is self-attention.
    Which two of the three say something about the sequence that is looked at?"""
    return cross_attention(x, x, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception
def looks_at_the_memory_from_the_memory(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """`x` does not change your result: queries, keys and values are all made of `memory`.
    So the memory looks at itself, and nobody has asked it anything.
    Which of the three belongs to the one who wants to know?"""
    return cross_attention(memory, memory, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception
def carries_away_values_of_x(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your queries and keys are as they should be, but the values are made of `x`.
    A weight belongs to a token of the memory, so it must meet this token's value.
    What is found by its key hands over its own value: which sequence is that?"""
    return multi_head_attention(x, memory, x, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception
def searches_among_keys_of_x(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your values come from `memory`, but the keys are made of `x`: it looks for them in its own sequence.
    A key says where its value can be found, so both belong to the same token.
    Which sequence do you want to search?"""
    return multi_head_attention(x, x, memory, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception
def carries_x_by_the_memory(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Queries and keys are made of `memory` in your code, and values of `x`.
    Some libraries take their arguments in another order, value first or query last.
    Read the order once more: what is the first of the three, and which sequence asks?"""
    return multi_head_attention(memory, memory, x, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception
def looks_at_both_sequences(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your queries look at `memory` and at `x`, joined into one sequence.
    Such models exist, but then there is no need for two kinds of attention.
    Here the own words have a step of their own. What is left to look at?"""
    xp = array_namespace(x)
    both = xp.concat([memory, x], axis=1)
    if mask is not None:
        mask = xp.concat([mask, xp.ones((*mask.shape[:-1], x.shape[1]), dtype=xp.bool)], axis=-1)
    return multi_head_attention(x, both, both, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception
def looks_at_the_sum_of_both(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Keys and values are made of `x` and `memory` added together.
    That runs where the two have equal lengths, and mixes tokens that only happen to have the same number.
    Which words belong together is for the weights to find out. What do keys and values need to know?"""
    return multi_head_attention(x, x + memory, x + memory, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception
def hides_the_later_sources(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your queries see the beginning of the memory only: there is a causal mask in your code.
    It belongs where a sequence looks at its own future.
    The memory is a sentence that has been read to its end. Is there anything in it that must not be known yet?"""
    past = mha_ref.causal_mask(x.shape[1], memory.shape[1], like=x)
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, combine_masks(mask, past))


@cross_attention.misconception
def cuts_the_memory_to_the_length_of_x(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Only as many tokens of the memory as `x` has can influence your result.
    The two sequences need not be equally long: the weights are a table of queries by keys, and it need not be square.
    Where does your code cut the memory, or count its tokens?"""
    queries = x.shape[1]
    mask = None if mask is None else mask[..., :queries]
    return cross_attention(x, memory[:, :queries], w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception
def adds_x_to_what_was_found(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your result is the right one plus `x`.
    This sum, a residual connection, belongs to the layer around attention, where you will write it soon.
    What does cross-attention alone hand back?"""
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask) + x


@cross_attention.misconception
def projects_twice(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Queries, keys and values pass through their matrices twice in your code.
    The formula multiplies once, and `multi_head_attention` does so itself: that is why it asks for the matrices.
    What does it want in the first three places, the sequences or their projections?"""
    projected = x @ w_query, memory @ w_key, memory @ w_value
    return multi_head_attention(*projected, w_query, w_key, w_value, w_output, heads, mask)


OTHER_MEMORIES = {
    "the first item's memory": lambda memory: 0 * memory + memory[:1],
    "the last item's memory": lambda memory: 0 * memory + memory[-1:],
    "the memory of the item before it": lambda memory: array_namespace(memory).roll(memory, 1, axis=0),
    "the memory of the item after it": lambda memory: array_namespace(memory).roll(memory, -1, axis=0),
    "the mean of all memories": lambda memory: 0 * memory + memory.mean(axis=0, keepdims=True),
}
SINGLE_TOKENS = {"first": np.s_[:, :1], "last": np.s_[:, -1:]}


@cross_attention.misconception(whose=tuple(OTHER_MEMORIES))
def looks_at_the_memory_of_another_item(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, whose):
    """In a batch, each item of yours looks at {whose}.
    A translation has its own source: item 0 of `x` belongs to item 0 of the memory, item 1 to item 1.
    Is something done along the axis of the batch: an index, a roll, a mean, another order?"""
    memory = OTHER_MEMORIES[whose](memory)
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception(token=tuple(SINGLE_TOKENS))
def looks_at_one_token_of_the_memory(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, token):
    """All that your queries find is the {token} token of the memory.
    Models before attention handed over a single vector like this, and long sentences did not fit into it.
    Here a query chooses among all tokens. Which index is left over in front of the keys and values?"""
    return cross_attention(x, memory[SINGLE_TOKENS[token]], w_query, w_key, w_value, w_output, heads)


@cross_attention.misconception(which=("x", "memory"))
def normalises_what_it_projects(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """In your code `{which}` is normalised before it is projected.
    A norm belongs to the layer around attention, where you will write it soon.
    What does cross-attention alone do with a sequence first?"""
    x, memory = (layers.normalise(x), memory) if which == "x" else (x, layers.normalise(memory))
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)


cross_attention.hints_for(
    "lets_the_memory_ask",
    "carries_x_by_the_memory",
    "looks_at_the_memory_from_the_memory",
    hints=(
        "Think of attention as a conversation. "
        "A translator who writes a French word has a question, and the English sentence has the answers. "
        "So the question grows out of the word that is being written, and this word is in `x`. "
        "A sentence that was finished long ago has nothing to ask. "
        "This is why the number of answers follows `x`, however long the memory is.",
        "Take 3 tokens in `x` and 5 in the memory. "
        "Then say, or print, the shape of what each projection reads. "
        "The queries should be made of 3 tokens, keys and values of 5, and the result should have 3 rows. "
        "Go back to where each name got its meaning: the order of the arguments in a call, a new value for `x`, or a "
        "mask that was turned to make the shapes fit can exchange two roles.",
        "There are three projections and two sequences. "
        "The matrix for queries meets `x`; the matrices for keys and for values both meet the memory. "
        "If you call `multi_head_attention`, its first argument is the sequence that asks. "
        "Then the mask fits as it comes, with rows for `x` and columns for the memory, and nothing has to be turned.",
    ),
)

cross_attention.hints_for(
    "looks_at_x_alone",
    "carries_away_values_of_x",
    "searches_among_keys_of_x",
    hints=(
        "Think of a library. "
        "A reader brings a question. "
        "The label on the back of a book and the pages inside belong to the same book, and the book stands in the "
        "library. "
        "A reader who searches among her own notes learns nothing new, and a label that leads her to another book "
        "misleads her. "
        "Labels are keys, and pages are values: both belong to the place that is searched.",
        "Make a table of three rows on paper: query, key, value. "
        "Beside each write the sequence that your code makes it of: the input of its projection, or its argument in "
        "the call. "
        "Follow each name back to the line where it got its content, because a variable called `k` can hold anything. "
        "In which rows does `memory` stand, and in which should it stand?",
        "Keys and values are both made of the memory, each with its own matrix. "
        "So the scores get one column for each token of the memory, and the weights in this column meet the value of "
        "the same token. "
        "`x` has done its work once it has become queries; no other projection reads it. "
        "The mask is used as it comes.",
    ),
)

cross_attention.hints_for(
    "looks_at_both_sequences",
    "looks_at_the_sum_of_both",
    hints=(
        "A decoder looks twice, each time with weights of its own: once at its own words, once at the other sentence. "
        "Cross-attention is the second look. "
        "Because the two are apart, each can have its own mask, and each can learn its own way of searching. "
        "If `x` is mixed into what is looked at, one look has to serve both, and what it finds of one sentence is "
        "blurred by the other.",
        "Look for the line in which `x` and `memory` meet before there are any scores: a `cat`, a `concat`, a "
        "`stack`, a plus. "
        "They should meet in the scores only, where a query of one is compared with a key of the other. "
        "Print what goes into the projection of the keys, and the memory below it. "
        "Are the two equal, in shape and in every number?",
        "Leave the two sequences apart. "
        "Keys and values are made of the memory as it came in, with no token and no number of `x` in it. "
        "`x` goes into the queries, and nowhere else. "
        "Then the weights have as many columns as the memory has tokens, and a mask that was made for the memory fits "
        "without any new columns.",
    ),
)

cross_attention.hints_for(
    "does_not_pass_the_mask_on",
    hints=(
        "A function does only what reaches it. "
        "A parameter that stands in the first line of your function and nowhere below is read by nobody, and Python "
        "does not complain. "
        "While there is no padding in a batch, nothing looks wrong either. "
        "A mask matters at one moment, when scores become weights, and the code that works there has to be given the "
        "mask.",
        "Search the body of your function for the word `mask`. "
        "Does it occur at all? "
        "If it does, is what this line makes used by a later line? "
        "Then follow it down to softmax: each call on the way has a place for a mask, often with None as its default. "
        "A default is silent, so nobody tells you that the mask is missing.",
        "Hand the mask to the part that turns scores into weights, without changing it. "
        "That is either an argument of the call that does the attention, or a line of your own before softmax, where "
        "a score that is not allowed becomes minus infinity. "
        "The columns of the mask are the tokens of the memory already. "
        "None allows everything: pass it on, or ask for it first.",
    ),
)

cross_attention.hints_for(
    "hides_the_later_sources",
    "cuts_the_memory_to_the_length_of_x",
    hints=(
        "The third word of one sentence and the third word of the other need not have anything to do with each other. "
        "Languages put their words in different orders, and one sentence may need twice as many as the other. "
        "So the place of a query says nothing about which tokens of the memory it may see. "
        "What may not be seen is said by `mask` alone.",
        "Take 3 tokens in `x`, 6 in the memory and no mask, and change the last token of the memory. "
        "Every row of the result should move. "
        "If some do not, look for what depends on places: a `tril` or `triu`, a causal mask, a slice or a loop over "
        "the memory that ends at the length of `x`. "
        "Which sequence was each size measured on?",
        "The scores have one column for each token of the memory, from the first to the last. "
        "The number of rows is measured on `x`, and the number of columns on the memory. "
        "No triangle is made and nothing is cut, because a product of queries and keys takes any two lengths. "
        "Only the mask that comes in hides a column, and None hides nothing.",
    ),
)

cross_attention.hints_for(
    "adds_x_to_what_was_found",
    "normalises_what_it_projects",
    hints=(
        "Keep a part and its frame apart. "
        "The part answers one question: what has this token found in the memory? "
        "The frame decides what becomes of the answer, for instance that it is added to what was there. "
        "If the part adds `x` too, a frame around it adds `x` a second time, and no error tells you. "
        "So a function for attention hands back what was found, and nothing else.",
        "A quick test: take four matrices of zeros. "
        "Nothing can be found with them, so the result should be zeros, whatever `x` is. "
        "A mask that is False everywhere should give zeros as well. "
        "If you see `x` instead, find where it comes in again after the queries were made: a `+`, a `+=`, or lines "
        "that were taken over from a whole layer.",
        "The last thing that happens is the product with `w_output`, and this product is returned as it is. "
        "`x` has one task in the whole computation: the queries are made of it. "
        "The sum has a line of its own in the layer that you will write, around the call of attention, and there it "
        "is needed once.",
    ),
)

cross_attention.hints_for(
    "projects_twice",
    hints=(
        "A projection turns a token into a query, a key or a value. "
        "Do it again, and you have a query of a query: the shapes still fit, because the matrices are square. "
        "So nothing crashes, and only the numbers tell.",
        "Count for each matrix how often something is multiplied by it. "
        "Count also what happens inside the functions that you call. "
        "A function that is given a matrix uses it, too. "
        "Every count should be one. Which matrix has two?",
        "There are two ways, and each is whole by itself. "
        "Either you project, split, attend and merge on your own, or you hand everything to one function. "
        "If you take the function, the sequences go in as they came, with no product before the call.",
    ),
)


ONE_MEMORY_EACH = (
    "A batch is several problems side by side, and each brings its own `x` and its own memory. "
    "Nothing of one item may get into another. "
    "Inside an item, the memory is a whole sequence: a query compares itself with every token of it, and takes more "
    "from some than from others. "
    "This choice is what attention is for.",
    "Take a batch of two items, with 3 tokens in `x` and 5 in the memory. "
    "Change one token in the memory of item 1: all rows of item 1 should move, and no row of item 0. "
    "Do it for the first token, the last one, and one between. "
    "If it is otherwise, print the shape of the memory at each line, and compare its items with those that came in.",
    "Keys and values are made of the memory as it came in, with all its items and all its tokens in their order. "
    "There is no index on its first two axes, no mean, no sum, no roll and no reshape. "
    "Projecting and splitting into heads leave the axis of the batch where it is, in front.",
)


cross_attention.hints_for(
    "looks_at_the_memory_of_another_item", "looks_at_one_token_of_the_memory", hints=ONE_MEMORY_EACH
)
