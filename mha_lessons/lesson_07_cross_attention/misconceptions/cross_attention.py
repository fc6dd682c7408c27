"""What people get wrong about `cross_attention`."""

import numpy as np
from array_api_compat import array_namespace

import mha_ref
from autograder.mistakes import mistake
from mha_ref import combine_masks, multi_head_attention

from .. import functional
from ..exercises import cross_attention


@mistake(turned=(False, True))
def lets_the_memory_ask(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, turned):
    """Your queries come from `memory`, and keys and values from `x`: the two are swapped.
    The sequence that asks makes the queries, and gets one row of the result for each of its tokens.
    Which sequence asks here, and which is asked?"""
    mask = mask.mT if turned and mask is not None else mask
    return cross_attention(memory, x, w_query, w_key, w_value, w_output, heads, mask)


def does_not_pass_the_mask_on(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """`mask` has no effect on your result: it looks at tokens of the memory that the mask hides.
    These are usually padding, which means nothing.
    Does the mask reach the scores, before softmax?"""
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads)


def looks_at_x_alone(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """The memory has no influence on your result: queries, keys and values all come from `x`.
    That is self-attention.
    Which two of the three belong to the sequence that is looked at?"""
    return cross_attention(x, x, w_query, w_key, w_value, w_output, heads, mask)


def looks_at_the_memory_from_the_memory(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """`x` has no influence on your result: queries, keys and values all come from `memory`.
    So the memory looks at itself.
    Which of the three belongs to the sequence that asks?"""
    return cross_attention(memory, memory, w_query, w_key, w_value, w_output, heads, mask)


def carries_away_values_of_x(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your queries and keys are right, but the values come from `x`.
    A weight belongs to a token of the memory, so it must meet that token's value.
    The token that is found by its key passes on its own value: which sequence is it in?"""
    return multi_head_attention(x, memory, x, w_query, w_key, w_value, w_output, heads, mask)


def searches_among_keys_of_x(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your values come from `memory`, but the keys come from `x`.
    A key says where its value can be found, so both belong to the same token.
    Which sequence do you want to search?"""
    return multi_head_attention(x, x, memory, w_query, w_key, w_value, w_output, heads, mask)


def carries_x_by_the_memory(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your queries and keys come from `memory`, and your values from `x`.
    Some libraries take their arguments in another order, value first or query last.
    Check the order: which of the three comes first, and which sequence asks?"""
    return multi_head_attention(memory, memory, x, w_query, w_key, w_value, w_output, heads, mask)


def looks_at_both_sequences(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your queries look at `memory` and at `x`, joined into one sequence.
    Such models exist, but they need no second kind of attention.
    Here the decoder looks at its own words in a separate step. What is left to look at?"""
    xp = array_namespace(x)
    both = xp.concat([memory, x], axis=1)
    if mask is not None:
        mask = xp.concat([mask, xp.ones((*mask.shape[:-1], x.shape[1]), dtype=xp.bool)], axis=-1)
    return multi_head_attention(x, both, both, w_query, w_key, w_value, w_output, heads, mask)


def looks_at_the_sum_of_both(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your keys and values come from the sum of `x` and `memory`.
    That works only where the two have equal lengths, and mixes tokens that only share a position.
    The weights should find out which words belong together. What do keys and values need to know?"""
    return multi_head_attention(x, x + memory, x + memory, w_query, w_key, w_value, w_output, heads, mask)


def hides_the_later_sources(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your queries see only the beginning of the memory: there is a causal mask in your code.
    It belongs where a sequence looks at its own future.
    The memory is a complete sentence. Is there anything in it that must not be known yet?"""
    past = mha_ref.causal_mask(x.shape[1], memory.shape[1], like=x)
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, combine_masks(mask, past))


def cuts_the_memory_to_the_length_of_x(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your result uses only as many tokens of the memory as `x` has.
    The two sequences may have different lengths: the weights are a table of queries by keys, which need not be square.
    Where does your code cut the memory, or count its tokens?"""
    queries = x.shape[1]
    mask = None if mask is None else mask[..., :queries]
    return cross_attention(x, memory[:, :queries], w_query, w_key, w_value, w_output, heads, mask)


def adds_x_to_what_was_found(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your result is the right one plus `x`.
    Such a sum, a residual connection, belongs to the layer around attention, which you will write soon.
    What does cross-attention alone return?"""
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask) + x


def projects_twice(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Queries, keys and values pass through their matrices twice in your code.
    The formula multiplies once, and `multi_head_attention` already does so with the matrices.
    Which does it need as its first three arguments, the sequences or their projections?"""
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


@mistake(whose=tuple(OTHER_MEMORIES))
def looks_at_the_memory_of_another_item(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, whose):
    """In a batch, each of your items looks at {whose}.
    A translation has its own source: item 0 of `x` belongs to item 0 of the memory, item 1 to item 1.
    Does something change the axis of the batch: an index, a roll, a mean, another order?"""
    memory = OTHER_MEMORIES[whose](memory)
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)


@mistake(token=tuple(SINGLE_TOKENS))
def looks_at_one_token_of_the_memory(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, token):
    """Your queries find only the {token} token of the memory.
    Before attention, models passed on a single vector like this, and long sentences did not fit into it.
    Here a query chooses among all tokens. Which index comes before the keys and values?"""
    return cross_attention(x, memory[SINGLE_TOKENS[token]], w_query, w_key, w_value, w_output, heads)


@mistake(which=("x", "memory"))
def normalises_what_it_projects(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """In your code `{which}` is normalised before it is projected.
    A norm belongs to the layer around attention, which you will write soon.
    What does cross-attention alone do first with a sequence?"""
    x, memory = (functional.normalise(x), memory) if which == "x" else (x, functional.normalise(memory))
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)
