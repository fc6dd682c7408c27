"""What people get wrong about `cross_attention`."""

import numpy as np
from array_api_compat import array_namespace

import mha_ref
from mha_ref import combine_masks, multi_head_attention

from .. import functional
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
    Most often they are padding, and what is there means nothing.
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
    So the memory looks at itself, and no one has asked it anything.
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
    Read the order again: what is the first of the three, and which sequence asks?"""
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
    x, memory = (functional.normalise(x), memory) if which == "x" else (x, functional.normalise(memory))
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)
