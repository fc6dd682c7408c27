"""Lesson 07: one sequence looks at another, alone and in a decoder layer, and what people believe about it."""

import math
from itertools import product

import numpy as np
from array_api_compat import array_namespace

import mha_ref
from autograder import inputs, layers
from autograder.exercise import LAYER_OF_TORCH, Exercise, ModuleExercise, Question, Step, TestWriting
from autograder.layers import attend_to_itself, attend_to_memory, decoder_layer, multi_head_layer
from autograder.properties import (
    a_blocked_source_has_no_influence,
    each_part_alone_finds_what_it_should,
    each_part_reads_one_normalised_copy,
    every_item_has_its_own_memory,
    every_source_has_influence,
    every_target_is_computed_by_itself,
    nothing_found_leaves_x_as_it_came,
    sources_may_be_shuffled,
    targets_meet_in_self_attention_only,
    twice_the_output_weights_twice_the_output,
)
from mha_ref import combine_masks, multi_head_attention

# do you remember lessons 03 and 06?

remember_the_reshape = Question(
    answer="b",
    points=0,
    wrong={
        "a": "The shape is fine: batch, heads, tokens, columns of a head. "
        "A shape does not tell which number stands where. Look at lesson 06, *The silent reshape*.",
        "c": "For that, each head must hold a piece of every token. But a reshape reads along the line of numbers, "
        "and the first numbers are those of the first tokens. "
        "Look at lesson 06, *The silent reshape*.",
    },
    hints=(
        "In memory a sentence is one line of 72 numbers: all 12 of token 0, all 12 of token 1, and so on. "
        "Heads should share out the columns of each token. "
        "But a reshape cuts the line into pieces. "
        "What lies in the first piece?",
        "A reshape reads this line from its beginning. "
        "Head 0 takes the first 6 · 4 numbers, head 1 takes the next 24, and head 2 the last. "
        "Write above each part of the line to which token it belongs. "
        "Which tokens does head 0 get?",
        "Head 0 takes 24 numbers, and a token has 12. "
        "Whose numbers are these? "
        "In a right cut each head has 4 numbers of each of the 6 tokens, and that makes 24 as well. "
        "So the shape is no help, and only the numbers tell.",
    ),
)

remember_dropout_in_use = Question(
    answer="c",
    points=0,
    wrong={
        "a": "There is another kind of dropout that multiplies in use. "
        "Ours divides by 1 - p while the model learns, so in use nothing is left to do. "
        "Look at lesson 06, *Dropout*.",
        "b": "That is what happens while the model learns. `eval()` says that it is now in use. "
        "Look at lesson 06, *Dropout*.",
    },
    hints=(
        "A layer knows two modes, one for learning and one for use. "
        "Which of the two does `eval()` choose? "
        "Dropout makes connections unreliable on purpose, so that a model looks for others as well. "
        "Does anybody want that from a model that has learned?",
        "Dropout is for learning only. "
        "There some weights become 0, and those that are kept are divided by 1 - p to make up for it. "
        "In the other mode `nn.Dropout` hands on what it was given. "
        "What becomes of the 0.5 then?",
        "In use nothing is dropped. "
        "And since nothing is dropped, nothing has to be balanced: no weight is set to 0, and none is multiplied or "
        "divided. "
        "Two of the three answers change the weight. "
        "Which one leaves it alone?",
    ),
)

remember_who_is_reached = Question(
    answer=4,
    points=0,
    wrong={
        6: "That would be so without a mask. Outputs 0 and 1 come before token 2, and must not see it. "
        "Look at lesson 03, *The causal mask*.",
        3: "Three outputs come later, and three are left if you look the wrong way, back to 0. "
        "A change reaches its own place and all places after it. Look at lesson 03, *A model that peeks*.",
        1: "That is its own output alone. But later tokens look back, and see it too. "
        "Look at lesson 03, *The causal mask*.",
        2: "Those are the outputs that cannot move, 0 and 1. How many are left? "
        "Look at lesson 03, *A model that peeks*.",
        5: "That is how far the token before it would reach. We count from 0, so two tokens come before token 2. "
        "Look at lesson 03, *The causal mask*.",
    },
    hints=(
        "An output can move if its query may look at the token that has changed. "
        "With a causal mask, a query may look at itself and at what stands before it. "
        "So ask each of the six tokens: may you look at token 2?",
        "A token may look at itself and at everything before it. "
        "Which ones may look at token 2? "
        "For those that stand in front of it, token 2 is the future. "
        "In the map of influence of lesson 03 the answer is one column.",
        "Token 2 itself, and all that come later, up to token 5. "
        "Count them, and do not leave out token 2. "
        "The outputs of the tokens 0 and 1 stay as they are to the last digit: this is what the causal mask is for.",
    ),
)

cross_attention = Exercise(
    mha_ref.cross_attention,
    inputs.two_sequences,
    points=2,
    library="torch",
    forbids=LAYER_OF_TORCH,
    hints=(
        "Cross-attention is the attention of lesson 06 with one change: where the tokens come from. "
        "The sequence that wants to know something makes the queries. "
        "The sequence that is looked at makes the keys, to be found by, and the values, to be carried away. "
        "Nothing else is new.",
        "Two of the three projections read the same sequence. "
        "Ask of each matrix: does it make something that looks, or something that is looked at? "
        "The result has one row for each token that looks, so the shape tells you if you have mixed them up, "
        "as long as the two lengths differ.",
        "`multi_head_attention` takes a query, a key and a value sequence, in this order, then the four matrices, "
        "the number of heads and the mask. "
        "One call is enough: give it `x` once and `memory` twice. "
        "The mask is passed on as it comes: its columns are the tokens of the memory already.",
    ),
    properties=(
        a_blocked_source_has_no_influence,
        every_target_is_computed_by_itself,
        twice_the_output_weights_twice_the_output,
        sources_may_be_shuffled,
        every_item_has_its_own_memory,
        every_source_has_influence,
    ),
)
encoder_decoder_masks = Exercise(
    mha_ref.encoder_decoder_masks,
    inputs.two_lengths,
    points=2,
    library="torch",
    hints=(
        "For each of the three masks, ask who looks and who is looked at. "
        "The columns of a mask belong to those who are looked at, and it is their padding that must be hidden. "
        "Only one of the three uses looks at words that are not written yet, so only one mask has to hide a future.",
        "Two of the three look at the source: the source itself, and the target through cross-attention. "
        "In the third the target looks at its own past, so two reasons to hide a key come together there. "
        "`padding_mask`, `causal_mask` and `combine_masks` make everything that you need.",
        "Make the padding mask of the source once and use it twice. "
        "For the target make its padding mask and a square causal mask, and combine the two. "
        "Return source, target, cross, in this order. "
        "Give `causal_mask` one of the tensors by `like=`, so that it answers in torch, on the same device; "
        "`padding_mask` sees that from its lengths.",
    ),
)
DecoderLayer = ModuleExercise(
    layers.decoder_layer,
    inputs.decoder,
    sizes=dict(
        model_size=lambda inputs: inputs["x"].shape[-1],
        heads=lambda inputs: inputs["heads"],
        hidden_size=lambda inputs: inputs["w_widen"].shape[-1],
    ),
    at_work="autograder.judging.modules.attention:decoder_layer",
    points=4,
    hints=(
        "A decoder layer has three parts: look at your own past, look at the memory, think. "
        "Each part reads a normalised copy of what is there, and its result is added to what is there. "
        "So the same line comes three times, with another part in the middle.",
        "In `__init__`, make two layers of `MultiHeadAttention`, three of `nn.LayerNorm`, and a feed-forward part of "
        "two `nn.Linear` with a ReLU between them. "
        "In `forward`, `x` goes through three steps. "
        "The memory is used in the second one alone, as it comes, and each mask in the step that it is named after.",
        "A step: normalise `x`, give this to the part, apply dropout to what comes back, and add it to `x` itself. "
        "Keep the sum under the name `x` for the next step. "
        "`MultiHeadAttention` takes `query`, `key`, `value`, `mask`, in this order, so pass the mask by its name; "
        "key and value have defaults.",
    ),
    properties=(
        nothing_found_leaves_x_as_it_came,
        targets_meet_in_self_attention_only,
        every_item_has_its_own_memory,
        every_source_has_influence,
        each_part_reads_one_normalised_copy,
        each_part_alone_finds_what_it_should,
    ),
)
normalise = Step(layers.normalise)
feed_forward = Step(layers.feed_forward)
add_back = Step(layers.add_back)


def gives_its_third_mask_as_a_copy(source_lengths, target_lengths, sources, targets):
    """gives its first and its third mask as two tensors"""
    source, target, cross = takes_tensors_only(source_lengths, target_lengths, sources, targets)
    return source, target, cross.clone()


def lays_its_masks_out_in_another_order(source_lengths, target_lengths, sources, targets):
    """lays its masks out in another order in memory"""
    source, target, cross = takes_tensors_only(source_lengths, target_lengths, sources, targets)
    return source, target.mT.contiguous().mT, cross


def takes_tensors_only(source_lengths, target_lengths, sources, targets):
    """takes tensors only, and trusts that the lengths fit"""

    def real(lengths, size):
        return (lengths.new_ones(size).cumsum(0) <= lengths[:, None])[:, None, None]

    past = target_lengths.new_ones(targets, targets).tril() > 0
    source = real(source_lengths, sources)
    return source, real(target_lengths, targets) & past, source


test_encoder_decoder_masks = TestWriting(
    encoder_decoder_masks,
    also_right=(takes_tensors_only, gives_its_third_mask_as_a_copy, lays_its_masks_out_in_another_order),
    catches=(
        "takes_the_target_lengths_for_the_cross_mask",
        "forgets_the_padding_in_the_cross_mask",
        "forgets_the_padding_in_the_source_mask",
        "forgets_the_future_of_the_targets",
        "forgets_the_padding_of_the_targets",
        "hides_the_rows_of_padded_targets",
    ),
    points=2,
    hints=(
        "Take a small batch that you can see before your eyes: two sentences, a short and a long one, "
        "with translations of other lengths. "
        "Then say for single places of the masks what must stand there. "
        "Each wrong version differs from the right one in at least one such place.",
        "Let all numbers differ: the two lengths of the sources, the two lengths of the targets, and the sizes. "
        "Shapes alone catch none of the six, so compare what stands in the masks. "
        "The target mask wants a look at three kinds of places: the past, the future, and the padding.",
        "Write down a whole mask as a nested list and compare: `mask[0, 0].tolist() == [[True, False], [True, True]]`. "
        "Do it for the source and the cross mask of each item, and for the target mask of the item with padding. "
        "A padded query keeps its row: it may look at the real words before it.",
    ),
)


# cross_attention


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


_OTHER_MEMORIES = {
    "the first item's memory": lambda memory: 0 * memory + memory[:1],
    "the last item's memory": lambda memory: 0 * memory + memory[-1:],
    "the memory of the item before it": lambda memory: array_namespace(memory).roll(memory, 1, axis=0),
    "the memory of the item after it": lambda memory: array_namespace(memory).roll(memory, -1, axis=0),
    "the mean of all memories": lambda memory: 0 * memory + memory.mean(axis=0, keepdims=True),
}
_SINGLE_TOKENS = {"first": np.s_[:, :1], "last": np.s_[:, -1:]}


@cross_attention.misconception(whose=tuple(_OTHER_MEMORIES))
def looks_at_the_memory_of_another_item(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, whose):
    """In a batch, each item of yours looks at {whose}.
    A translation has its own source: item 0 of `x` belongs to item 0 of the memory, item 1 to item 1.
    Is something done along the axis of the batch: an index, a roll, a mean, another order?"""
    memory = _OTHER_MEMORIES[whose](memory)
    return cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask)


@cross_attention.misconception(token=tuple(_SINGLE_TOKENS))
def looks_at_one_token_of_the_memory(x, memory, w_query, w_key, w_value, w_output, heads, mask=None, *, token):
    """All that your queries find is the {token} token of the memory.
    Models before attention handed over a single vector like this, and long sentences did not fit into it.
    Here a query chooses among all tokens. Which index is left over in front of the keys and values?"""
    return cross_attention(x, memory[_SINGLE_TOKENS[token]], w_query, w_key, w_value, w_output, heads)


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

# encoder_decoder_masks


@encoder_decoder_masks.misconception
def gives_the_cross_mask_the_padding_of_the_targets(source_lengths, target_lengths, sources, targets):
    """Your third mask hides the padding of the targets, and has a column for each target.
    In cross-attention the targets look, and the sources are looked at.
    A mask has its columns for those who are looked at. Whose padding must be hidden?"""
    source, target, _ = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, mha_ref.padding_mask(target_lengths, targets)


def _that_fit(lengths, size, refuses):
    """The lengths of another sequence: cut to this size, as a comparison does, or left for `padding_mask` to refuse."""
    return lengths if refuses else lengths.clip(max=size)


@encoder_decoder_masks.misconception(refuses=(False,))
def takes_the_target_lengths_for_the_cross_mask(source_lengths, target_lengths, sources, targets, *, refuses):
    """Your third mask has the right size, and is made of the lengths of the targets.
    In cross-attention the targets look, and the sources are looked at.
    A mask hides those who are looked at. Whose lengths say which of them are padding?"""
    source, target, _ = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, mha_ref.padding_mask(_that_fit(target_lengths, sources, refuses), sources)


@encoder_decoder_masks.misconception(rows=("one row for all targets", "a row for each target"))
def forgets_the_future_of_the_targets(source_lengths, target_lengths, sources, targets, *, rows):
    """In your second mask, with {rows}, every target may look at all real words, also at those that come later.
    In training they are there to be seen, and a model that sees the word it has to guess learns to copy.
    What has to be combined with the padding?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    padding = mha_ref.padding_mask(target_lengths, targets)
    return source, padding if rows.startswith("one") else padding & (target | True), cross


@encoder_decoder_masks.misconception
def makes_the_cross_mask_causal(source_lengths, target_lengths, sources, targets):
    """Your third mask hides some real words of the source from some of the targets: it is causal.
    A translator has read the source to its end before it writes the first word, and what it needs may stand anywhere.
    What is left to hide in the source?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross & mha_ref.causal_mask(targets, sources, like=cross)


@encoder_decoder_masks.misconception
def makes_the_source_mask_causal(source_lengths, target_lengths, sources, targets):
    """Your first mask hides later words of the source from earlier ones.
    Nobody has to guess the source: all its words are there from the start, and they may look both ways.
    Which of the three masks is for words that are still to be written?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source & mha_ref.causal_mask(sources, sources, like=source), target, cross


@encoder_decoder_masks.misconception
def makes_all_three_masks_causal(source_lengths, target_lengths, sources, targets):
    """All three of your masks hide what stands further on.
    Only one of the three uses guesses the next word from its own past; the other two look at a sentence that is there
    to its end.
    Ask of each mask: who looks at whom?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    over_sources = mha_ref.causal_mask(sources, sources, like=source)
    return source & over_sources, target, cross & mha_ref.causal_mask(targets, sources, like=cross)


@encoder_decoder_masks.misconception(
    shape=("(targets, targets)", "(1, 1, targets, targets)", "(batch, 1, targets, targets)")
)
def forgets_the_padding_of_the_targets(source_lengths, target_lengths, sources, targets, *, shape):
    """Your second mask, of shape {shape}, hides the future and no padding: each item has the same table.
    But each target has a length of its own.
    Which two masks meet here, and where do the target lengths come in?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    past = mha_ref.causal_mask(targets, targets, like=source)
    if shape.startswith("(batch"):
        return source, target | past, cross
    return source, past[None, None] if shape.startswith("(1") else past, cross


@encoder_decoder_masks.misconception
def hides_the_rows_of_padded_targets(source_lengths, target_lengths, sources, targets):
    """In your second mask the rows of padded targets hold no True.
    A mask hides those who are looked at: a padded *key*. What a padded query finds harms nobody, since nobody reads it.
    Which axis does the padding belong on, rows or columns?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target & mha_ref.padding_mask(target_lengths, targets).mT, cross


@encoder_decoder_masks.misconception
def hides_padded_targets_from_the_source(source_lengths, target_lengths, sources, targets):
    """Your third mask has a row for each target, and the rows of padded targets hold no True.
    Who looks is not hidden, only who is looked at, so all rows may be the same: one row with an axis of length 1.
    What decides about a column?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross & mha_ref.padding_mask(target_lengths, targets).mT


@encoder_decoder_masks.misconception
def hides_the_rows_of_padded_sources(source_lengths, target_lengths, sources, targets):
    """Your first mask has a row for each source, and the rows of padded sources hold no True.
    A mask hides those who are looked at. What a padded place finds harms nobody, as long as nobody looks at it.
    Which shape is enough to say which columns are real?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source & source.mT, target, cross


@encoder_decoder_masks.misconception
def forgets_the_padding_of_the_sources(source_lengths, target_lengths, sources, targets):
    """Your first and your third mask allow everything, padded places included.
    The sources of a batch have different lengths, and what fills them up means nothing.
    Who looks at the source, and in which of the three masks must its padding be hidden?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source | True, target, cross | True


@encoder_decoder_masks.misconception
def forgets_the_padding_in_the_source_mask(source_lengths, target_lengths, sources, targets):
    """Your first mask allows everything: the words of the source look at padding, too.
    What stands in the padded places means nothing, and how many there are depends on the other sentences of the batch.
    What do the source lengths tell you?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source | True, target, cross


@encoder_decoder_masks.misconception
def forgets_the_padding_in_the_cross_mask(source_lengths, target_lengths, sources, targets):
    """Your third mask allows everything: when the targets look at the source, they see its padding.
    The encoder has hidden it from the source's own words, but the padded places are still there, with numbers in them.
    Which of your masks says which sources are real?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross | True


@encoder_decoder_masks.misconception(order=((1, 0, 2), (0, 2, 1)))
def returns_the_masks_in_another_order(source_lengths, target_lengths, sources, targets, *, order):
    """Your three masks are as they should be, but they come in another order.
    Whoever calls this function takes the first for the source, the second for the target, the third for
    cross-attention.
    Compare your `return` with the docstring."""
    masks = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return tuple(masks[place] for place in order)


@encoder_decoder_masks.misconception(refuses=(False,))
def swaps_the_lengths_of_source_and_target(source_lengths, target_lengths, sources, targets, *, refuses):
    """Your masks for the source are made of the target's lengths, and the other way round.
    A padding mask has two ingredients, lengths and a size, and both belong to the same sequence.
    Check each pair in your code."""
    swapped = _that_fit(target_lengths, sources, refuses), _that_fit(source_lengths, targets, refuses)
    return encoder_decoder_masks(*swapped, sources, targets)


@encoder_decoder_masks.misconception
def counts_the_start_sign(source_lengths, target_lengths, sources, targets):
    """Your second mask takes each target for one word longer than its length says.
    Did you add one for a start sign, or let a position that equals the length count as real?
    The lengths are used as they come: a sign that belongs to the sentence is counted in them already."""
    return encoder_decoder_masks(source_lengths, (target_lengths + 1).clip(max=targets), sources, targets)


@encoder_decoder_masks.misconception
def cuts_the_masks_to_the_longest_sentence(source_lengths, target_lengths, sources, targets):
    """Your masks are as wide as the longest sentence of the batch, not as wide as `sources` and `targets` say.
    A batch may be padded to more places than any of its sentences has, and the scores have a column for each place.
    Where does your code replace or forget the two sizes?"""
    return encoder_decoder_masks(source_lengths, target_lengths, int(source_lengths.max()), int(target_lengths.max()))


@encoder_decoder_masks.misconception
def joins_an_array_and_a_tensor(source_lengths, target_lengths, sources, targets):
    """Your second mask holds the numbers 1 and 0, not True and False.
    Such numbers come when a tensor of PyTorch meets an array of NumPy, or when masks are multiplied.
    Is one of the two masks that you join NumPy's, and what tells its maker to answer in PyTorch?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target * 1, cross


_TURNED = {"In all three of your masks": (0, 1, 2), "In your first mask": (0,), "In your second mask": (1,)}
_TURNED |= {"In your third mask": (2,), "In your first and your third mask": (0, 2)}


@encoder_decoder_masks.misconception(where=tuple(_TURNED))
def marks_what_is_hidden(source_lengths, target_lengths, sources, targets, *, where):
    """{where} True stands where nobody may look.
    Some layers of other libraries want it like this; in this course True means "may look".
    Turn it round: with `~` at the end, or better, in each comparison."""
    masks = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return tuple(~mask if place in _TURNED[where] else mask for place, mask in enumerate(masks))


@encoder_decoder_masks.misconception
def repeats_the_rows_of_the_padding(source_lengths, target_lengths, sources, targets):
    """Your first and third mask say the right thing, and hold their row many times, once for each token that looks.
    All who look may see the same columns, so an axis of length 1 is enough, and that is the shape asked for.
    Leave the stretching to broadcasting."""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source | (source.mT & False), target, cross | (target[..., :1] & False)


@encoder_decoder_masks.misconception
def takes_the_source_for_the_target(source_lengths, target_lengths, sources, targets):
    """Source and target have changed places in all three of your masks.
    The source is what is read; the target is what is written, one word after the other.
    Which of the two has a future that must be hidden?"""
    return encoder_decoder_masks(target_lengths, source_lengths, targets, sources)


@encoder_decoder_masks.misconception
def leaves_out_the_cross_mask(source_lengths, target_lengths, sources, targets):
    """Your function returns two masks; there are three uses of attention, and each has its own.
    That two of them happen to be equal does not make them one: the caller unpacks three.
    Which use is left over?"""
    return encoder_decoder_masks(source_lengths, target_lengths, sources, targets)[:2]


@encoder_decoder_masks.misconception
def drops_the_axes_for_heads_and_queries(source_lengths, target_lengths, sources, targets):
    """Your first and third mask have two axes, (batch, sources).
    Scores have four: batch, heads, queries, keys. Lined up from the right, your batch would meet the queries.
    Which two axes of length 1 are missing between batch and sources?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source[:, 0, 0], target, cross[:, 0, 0]


@encoder_decoder_masks.misconception
def drops_the_axes_that_have_length_1(source_lengths, target_lengths, sources, targets):
    """Your first and third mask have two axes, (batch, sources), and the second has three, (batch, targets, targets).
    Scores have four: batch, heads, queries, keys. Lined up from the right, your batch would meet other axes.
    Where does an axis of length 1 belong in each of them?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source[:, 0, 0], target[:, 0], cross[:, 0, 0]


@encoder_decoder_masks.misconception
def drops_the_axis_for_heads(source_lengths, target_lengths, sources, targets):
    """Your masks have three axes: the one for the heads is missing.
    Scores have four: batch, heads, queries, keys. Lined up from the right, your batch would meet the heads.
    Where does an axis of length 1 belong?"""
    return tuple(mask[:, 0] for mask in encoder_decoder_masks(source_lengths, target_lengths, sources, targets))


@encoder_decoder_masks.misconception
def exchanges_rows_and_columns_of_the_second_mask(source_lengths, target_lengths, sources, targets):
    """In your second mask rows and columns have changed places: earlier targets see later ones.
    Rows are for those who look, columns for those who are looked at.
    Is there a transpose, or a comparison of rows with lengths, too many?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target.mT, cross


@encoder_decoder_masks.misconception
def lets_padded_targets_see_themselves(source_lengths, target_lengths, sources, targets):
    """In your second mask every target sees itself, the padded ones, too.
    A padded key is hidden from everybody. Its own row is no exception: nobody reads what it finds.
    Was the diagonal added so that no row is empty? Which step of attention already takes care of empty rows?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    past = mha_ref.causal_mask(targets, targets, like=target)
    return source, target | past & past.mT, cross


@encoder_decoder_masks.misconception(which=("source and cross-attention", "cross-attention"))
def counts_a_source_too_many(source_lengths, target_lengths, sources, targets, *, which):
    """Your mask for {which} takes each source for one word longer than its length says.
    A length of 2 means that places 0 and 1 are real.
    Did you add one for a sign, or let a place that equals the length count as real?"""
    source, target, _ = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    longer = mha_ref.padding_mask((source_lengths + 1).clip(max=sources), sources)
    return longer if which.startswith("source") else source, target, longer


@encoder_decoder_masks.misconception(refuses=(False, True))
def takes_the_source_lengths_for_the_target_mask(source_lengths, target_lengths, sources, targets, *, refuses):
    """Your second mask is made of the lengths of the sources, and some of these may not even fit in.
    It is the targets that look at each other there, and a sentence and its translation need not be equally long.
    Which of the two lists of lengths stands in the line that makes this mask?"""
    source, _, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    padding = mha_ref.padding_mask(_that_fit(source_lengths, targets, refuses), targets)
    return source, mha_ref.combine_masks(padding, mha_ref.causal_mask(targets, targets, like=padding)), cross


@encoder_decoder_masks.misconception(kept=("shortest", "longest"), where=("second mask", "first and your third mask"))
def lets_sentences_leave_traces(source_lengths, target_lengths, sources, targets, *, kept, where):
    """In your {where} each sentence is cut at the {kept} of all lengths so far, those of earlier sentences included.
    The sentences of a batch know nothing of each other.
    Is one table, or one triangle, made before the loop and changed for each sentence in turn?"""
    so_far = (np.minimum if kept == "shortest" else np.maximum).accumulate
    if where == "second mask":
        return encoder_decoder_masks(source_lengths, so_far(target_lengths), sources, targets)
    return encoder_decoder_masks(so_far(source_lengths), target_lengths, sources, targets)


encoder_decoder_masks.hints_for(
    "lets_sentences_leave_traces",
    hints=(
        "A batch is several sentences side by side, and each gets the masks that it would get alone. "
        "So in another order the same masks come out, in that other order. "
        "If the order matters, something is carried over: a table that serves for the first sentence is changed for "
        "it, and the second sentence finds it changed.",
        "Take two targets with the lengths 1 and 3, and then 3 and 1. "
        "The table for a length of 3 should be the same both times. "
        "Print what each round of your loop begins with: a triangle should still be a whole triangle, an empty row an "
        "empty row. "
        "In which round is it not?",
        "Make the table anew inside the loop, or take a copy of the triangle before you hide the padding in it. "
        "Without a loop nothing can be left behind: the padding of all sentences is one comparison, the past is one "
        "square, and an *and* of the two gives every sentence its own table.",
    ),
)

encoder_decoder_masks.misconception(takes_the_target_lengths_for_the_cross_mask, refuses=(True,))
encoder_decoder_masks.misconception(swaps_the_lengths_of_source_and_target, refuses=(True,))


encoder_decoder_masks.hints_for(
    "gives_the_cross_mask_the_padding_of_the_targets",
    "takes_the_target_lengths_for_the_cross_mask",
    hints=(
        "Whoever looks decides how many rows there are. "
        "Whoever is looked at decides the columns, and what is written in them. "
        "A mask against padding speaks of columns only, so the one who looks does not occur in it. "
        "This is why two uses can share a mask: the source is looked at by itself in one, by the target in the other, "
        "and its padding is the same.",
        "Take a source of 4 places with 2 words, and a target of 5 places with 3 words. "
        "Write down by hand the row that the third mask should have: how many places, and how many of them True? "
        "Print yours below it. "
        "The number of places tells you which size you used, and the number of True tells you which length.",
        "A padding mask has two ingredients: the lengths and the size of one sequence. "
        "For the third mask both are those of the sequence that is read. "
        "You have made such a mask already, for the first place of your answer. "
        "Nothing about the target is needed for it, neither its lengths nor its number of places.",
    ),
)

encoder_decoder_masks.hints_for(
    "forgets_the_future_of_the_targets",
    "forgets_the_padding_of_the_targets",
    hints=(
        "A place in the target's table can be forbidden for two reasons, and they know nothing of each other. "
        "One reason compares two places: does this key stand after the query? "
        "The answer is the same for all sentences. "
        "The other reason is the sentence: does a real word stand at this key? "
        "The answer is the same for all queries. "
        "A key has to pass both tests.",
        "Take a target with 2 words in 4 places, and write its table of 4 rows by hand. "
        "Then print yours, and look at two places. "
        "First row, second column: False, because it is the future. "
        "Fourth row, fourth column: False, because it is padding. "
        "Which of the two is True in yours? "
        "(If your mask has a single row, it stands for all four.)",
        "Two masks meet here: one for the padding of the targets, with the lengths in it, and a square one for their "
        "past, which is the same for the whole batch. "
        "True stays where both say True, so they are joined by an *and*; `combine_masks` does that, and so does `&`. "
        "Broadcasting makes (batch, 1, targets, targets) of the two. "
        "No loop over sentences is needed.",
    ),
)

encoder_decoder_masks.hints_for(
    "makes_the_cross_mask_causal",
    "makes_the_source_mask_causal",
    "makes_all_three_masks_causal",
    hints=(
        "A triangle protects a secret: a word that has to be guessed must not be seen before. "
        "The source holds no secret. "
        "It is given as a whole, and a noun at its end may matter for an article at its beginning. "
        "So whoever looks at it may see all of its words, whether it looks at itself or the target does. "
        "Only the text that is being written has something to hide from itself.",
        "Choose lengths that fill all places, so that there is no padding. "
        "Then the first mask and the third should be True everywhere, and the second should be the only triangle. "
        "Print all three. "
        "Where you see one triangle too many, go back to the line that makes it: a `tril`, a causal mask, or a "
        "variable that was joined with a triangle and then used again.",
        "Join the triangle with one thing only, the padding of the target, and give the result a name of its own. "
        "The mask of the source is its padding and no more, and the same holds for cross-attention. "
        "Both sides of the triangle are the number of targets; a triangle over the places of the source has no "
        "meaning here.",
    ),
)

encoder_decoder_masks.hints_for(
    "hides_the_rows_of_padded_targets",
    "hides_padded_targets_from_the_source",
    "hides_the_rows_of_padded_sources",
    hints=(
        "A row of a mask is a permission to look. "
        "If you take it away, a dead row is left: its query may look at nothing, and softmax has nobody to share out "
        "to. "
        "That brings zeros or NaN, and nothing is gained by it. "
        "What a padded place finds is dropped anyway: the columns keep others from looking at it, and the loss does "
        "not count it.",
        "Print the mask of one sentence with padding, stretched to a row for each token that looks. "
        "As long as the sentence that is looked at has a word, no row should be all False. "
        "Which rows are, and in which of the three masks? "
        "Then look for what made them: a transpose such as `.mT`, a second comparison along the rows, an outer "
        "product.",
        "Padding comes in once, on the last axis, which belongs to those who are looked at. "
        "The axis before it has length 1 and stays like this: do not join the mask with a copy that was turned on its "
        "side. "
        "Only the square table for the past has rows that differ from each other, and it belongs in the second mask "
        "alone.",
    ),
)

encoder_decoder_masks.hints_for(
    "forgets_the_padding_of_the_sources",
    "forgets_the_padding_in_the_source_mask",
    "forgets_the_padding_in_the_cross_mask",
    hints=(
        "A batch is a rectangle, and sentences are not equally long: that is why there is padding. "
        "The padded places hold vectors like all others, so they can win weight wherever they may be looked at. "
        "Hiding them in one attention helps that attention only, because each makes its own weights. "
        "So ask of every mask with sources in its columns: is the padding hidden here, too?",
        "Take two sources of different lengths, and print the first and the third mask. "
        "In each there should be two different rows, one for each sentence, with as many True as the sentence has "
        "words. "
        "Where all is True, go back to the line that made it. "
        "Was it filled with ones, or was a None replaced? "
        "Are the source lengths used there at all?",
        "The mask for the padding of the source is made once, from `source_lengths` and `sources`. "
        "It stands at two places of your answer: first, where the source looks at itself, and last, where the target "
        "looks at the source. "
        "It is the same tensor both times, and nothing has to be added for the target's sake.",
    ),
)

encoder_decoder_masks.hints_for(
    "returns_the_masks_in_another_order",
    "leaves_out_the_cross_mask",
    hints=(
        "A tuple has no names, only places. "
        "Whoever takes it apart trusts that each place holds what was agreed. "
        "In a translator the first mask goes to the encoder, and the other two go to the decoder, for its two "
        "attentions. "
        "If the places are filled in another way, the mistake comes to light far from here, and where all sizes are "
        "equal it may stay hidden.",
        "Read the line of the docstring that begins with an arrow, and below it your `return`. "
        "Say for each place who looks at whom. "
        "How many masks does the docstring name, and how many does your tuple hold? "
        "If you return variables, check what each of them really holds, because a name can promise something else.",
        "Three things stand behind `return`, with commas between them. "
        "First what the source may see of itself, then what the target may see of itself, then what the target may "
        "see of the source. "
        "The third is equal to the first, and it is listed all the same. "
        "Keep this order, also if another one seems more natural to you.",
    ),
)

encoder_decoder_masks.hints_for(
    "takes_the_source_lengths_for_the_target_mask",
    "swaps_the_lengths_of_source_and_target",
    "takes_the_source_for_the_target",
    hints=(
        "Four arguments come in, and they are two pairs. "
        "`source_lengths` and `sources` tell of the sentence that is read; `target_lengths` and `targets` tell of the "
        "one that is written. "
        "A mask is made from the pair of those who are looked at. "
        "And only the written sentence has a future to hide, because its next word is what the model has to find.",
        "Choose four numbers that cannot be mixed up: a source of 6 places with 3 words, and a target of 4 places "
        "with 2 words. "
        "Look at the last row of each mask. "
        "The first and the third should have 6 places, 3 of them True; the second should have 4 places, 2 of them "
        "True. "
        "Which numbers do you see?",
        "The two names that begin with *source* belong in the first and the third mask, and the two that begin with "
        "*target* into the second. "
        "No call and no comparison should hold one of each kind. "
        "The triangle goes with the targets. "
        "If you call a helper of your own, compare the order of the arguments in its first line with the order in the "
        "call.",
    ),
)

encoder_decoder_masks.hints_for(
    "joins_an_array_and_a_tensor",
    hints=(
        "NumPy and PyTorch are two libraries with two kinds of arrays. "
        "They look alike when you print them, and they do not always understand each other. "
        "A function that is given a tensor can see what is wanted. "
        "One that is given two integers cannot, and then it answers in NumPy.",
        "Print `type(...)` of the padding mask of the target, and of the mask that hides the future. "
        "One is a `torch.Tensor`, the other a `numpy.ndarray`. "
        "Which of the two makers was given no tensor to look at, and so could not know what you want?",
        "`causal_mask` has a third argument, `like`. "
        "Give it any tensor that you have, for example the lengths: the mask comes in the same library and on the "
        "same device. "
        "Then `combine_masks` meets two tensors. Print both types once more to see it.",
    ),
)

encoder_decoder_masks.hints_for(
    "exchanges_rows_and_columns_of_the_second_mask",
    "lets_padded_targets_see_themselves",
    hints=(
        "A mask is a table. "
        "Each row belongs to one who looks, each column to one who is looked at. "
        "So a column with no True is a word that is hidden from all, and padding needs such columns. "
        "The triangle is made by two places: a key may be seen if it does not stand after the query.",
        "Take a target with 2 words in 4 places, and write its table by hand: the rows are 1000, 1100, 1100, 1100. "
        "Print yours as integers. "
        "In which row does the first difference stand, and in which column? "
        "Is a column of padding not empty, or does a row hold what the column should?",
        "Let one comparison make the triangle, with the places of the queries going down and those of the keys going "
        "across. "
        "Let another one make the padding, along the columns alone. "
        "Join the two with *and*, and leave what comes out as it is: nothing is transposed, and no diagonal is added.",
    ),
)

encoder_decoder_masks.hints_for(
    "counts_the_start_sign",
    "counts_a_source_too_many",
    hints=(
        "Positions are counted from 0. "
        "A sentence of 2 words stands at the positions 0 and 1, and position 2 is padding already. "
        "So the number of words and the first position of padding are the same number, and it takes little to be "
        "off by one. "
        "For the model a sign is a word like others: where there is one, whoever made the lengths has counted it.",
        "Take sentences of length 2 in 4 places, and print the last row of each mask. "
        "It should begin with two True. "
        "If there are three, look at the comparison of positions with lengths: does its sign let an equal position "
        "pass, or do your positions begin with another number than 0? "
        "Is there a `+ 1` somewhere on the way?",
        "Use the lengths as they come in, without adding anything. "
        "A key is real where its position, counted from 0, is smaller than the length. "
        "`padding_mask` does it like this. "
        "Compare how the lengths are used for each of your masks: where the edge is right, the line shows how to make "
        "the others.",
    ),
)

encoder_decoder_masks.hints_for(
    "cuts_the_masks_to_the_longest_sentence",
    hints=(
        "A mask has to fit scores, and scores have a column for every place of the batch, whether a word stands there "
        "or not. "
        "Often the longest sentence fills the whole width, and then a mask cut to it fits by luck. "
        "But some programs pad every batch to the same width. "
        "Then there are columns that are padding in all of its sentences.",
        "Try the lengths 1 and 2, for sources and targets alike, with 5 places for the sources and 4 for the targets. "
        "The last axes of the three masks should be 5, 4 and 5. "
        "Where yours is 2, look for what sets the width: a `max` over the lengths, an `arange` up to it, a size that "
        "gets a new value inside the function.",
        "Positions run from 0 up to the number of places that the caller names, without that number itself: one "
        "number for the sources, another for the targets. "
        "Use these two wherever a width is needed, for the sides of the triangle as well. "
        "The lengths have one task only: positions are compared with them. "
        "Nothing needs their maximum.",
    ),
)

encoder_decoder_masks.hints_for(
    "marks_what_is_hidden",
    hints=(
        "One can list what is allowed, or list what is hidden. "
        "Both work if all who make masks and all who read them mean the same; in this course a True is always a yes. "
        "The choice reaches into every line. "
        "To join two lists of what is allowed takes an *and*; two lists of what is hidden would take an *or*.",
        "Take a source and a target with 2 words in 4 places each, and look at the last row of every mask. "
        "At its first place stands a real word that everybody may look at, so this place should be True in all three. "
        "From a mask that says False there, go back: to a `~`, to the direction of a comparison, to `triu` in place "
        "of `tril`.",
        "Write each comparison so that it is True where looking is allowed: a position smaller than the length, a key "
        "that does not stand after its query. "
        "Join them with *and*. "
        "If a mask is right but for its sense, turning it once at the end is enough. "
        "Leave alone those that are right already.",
    ),
)

encoder_decoder_masks.hints_for(
    "repeats_the_rows_of_the_padding",
    hints=(
        "An axis of length 1 is a promise: here it makes no difference. "
        "Whoever gets the mask can rely on it, and can stretch it to any number of queries. "
        "A mask that is stretched already says the same, but it fits one number of queries only, and it takes more "
        "memory. "
        "So the shape is a part of the answer, as the numbers are.",
        "Print your three shapes, and write those of the docstring beside them. "
        "Which axis is longer than the 1 that is asked for? "
        "Then look for the line that stretches it: an `expand`, a `repeat`, a `broadcast_to`, an array of ones, or "
        "another mask with rows of its own. "
        "The comparison of positions with lengths does not stretch it.",
        "Return the padding mask as `padding_mask` makes it: the batch, two axes of length 1, and the places. "
        "If you write the comparison yourself, give the lengths their axes of length 1, and stop after the "
        "comparison. "
        "Only the second mask has an axis for those who look, because the past differs from row to row.",
    ),
)

encoder_decoder_masks.hints_for(
    "drops_the_axes_for_heads_and_queries",
    "drops_the_axes_that_have_length_1",
    "drops_the_axis_for_heads",
    hints=(
        "What an axis means is decided by its place, counted from the right. "
        "To skip an axis in the middle, one has to hold its place with a length of 1. "
        "Without it, everything on its left moves one place to the right, and lands on an axis that belongs to "
        "something else. "
        "If the sizes happen to be equal, no error comes, and sentences get the masks of other sentences.",
        "Write *batch, heads, queries, keys* in one line, and below it the shape of each of your masks, so that the "
        "right ends stand below each other. "
        "Does the batch stand below the batch in all three? "
        "Then look where an axis got lost, or never came: a `squeeze`, an index such as `[:, 0]`, too few new axes in "
        "a comparison.",
        "All three masks have four axes. "
        "The first and the third have a 1 for the heads and a 1 for the queries; the second has a 1 for the heads, "
        "and two sides of `targets`. "
        "An index with `None` adds an axis at the place where you write it. "
        "`padding_mask` brings all four by itself, so nothing needs to be taken away from its result.",
    ),
)


# DecoderLayer: what its parts are


@normalise.misconception
def leaves_out_the_norms(x):
    """Your numbers are those of a layer without LayerNorm, in which each part reads `x` as it is.
    The parts should read a normalised copy: each token with mean 0 and variance 1.
    Is what the norms return not used? Or are they of another kind, such as BatchNorm, which changes nothing in use
    until it has seen data?"""
    return x


_AXES = {"the tokens": -2, "the tokens and the features": (-2, -1), "the batch": 0, "everything": None}


@normalise.misconception(over=tuple(_AXES))
def normalises_over_other_axes(x, *, over):
    """Your norm takes mean and variance over {over}.
    Then tokens influence each other through it, and even a padded place or a later word counts.
    LayerNorm treats each token by itself. On which axis do its features lie?"""
    centred = x - x.mean(axis=_AXES[over], keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=_AXES[over], keepdims=True) + 1e-5)


@normalise.misconception(tiny=(1e-5, 0))
def divides_without_centring(x, *, tiny):
    """Your norm divides, but does not subtract the mean.
    That is RMSNorm, which many language models use; this layer has LayerNorm, as `nn.LayerNorm` computes it.
    Which step comes before the division?"""
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + tiny)


@normalise.misconception
def centres_without_dividing(x):
    """Your norm subtracts the mean and leaves the size as it was.
    After LayerNorm each token has mean 0 *and* variance 1.
    What do you divide by to get there?"""
    return x - x.mean(axis=-1, keepdims=True)


@normalise.misconception(less=(0,))
def divides_by_the_variance(x, *, less):
    """Your norm divides by the variance.
    The standard deviation is its square root, and that is what measures how far the numbers lie apart.
    Divide by it, and the variance of the result is 1."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / ((centred**2).sum(axis=-1, keepdims=True) / (x.shape[-1] - less) + 1e-5)


@normalise.misconception(on="faint", tiny=(0, 1e-6))
def adds_another_tiny_number(x, *, tiny):
    """Your norm is right, but for the tiny number that is added to the variance.
    It is 0.00001 here, as in `nn.LayerNorm`; with another one, tokens whose features are nearly equal come out larger
    or smaller.
    Where is it given, or left out?"""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + tiny)


@normalise.misconception(rooted=(1e-5, 0.0))
def counts_one_feature_less(x, *, rooted):
    """Your norm uses the variance that divides by features - 1, as `x.var()` and `x.std()` of torch do.
    LayerNorm divides by the number of features.
    Use `nn.LayerNorm`, or look for the option `unbiased` or `correction`."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).sum(axis=-1, keepdims=True) / (x.shape[-1] - 1)
    return centred / (np.sqrt(variance + rooted) + (0 if rooted else 1e-6))  # a small number, before or after the root


@normalise.misconception(tiny=(1e-5, 0))
def divides_what_was_not_centred(x, *, tiny):
    """Your norm divides by the standard deviation, and does not take the mean away from what it divides.
    The variance knows the mean, but it changes nothing in `x` itself.
    What stands above the line of the fraction?"""
    return x / np.sqrt(x.var(axis=-1, keepdims=True) + tiny)


@normalise.misconception(centred=(False, True))
def gives_every_token_the_length_one(x, *, centred):
    """Your norm gives every token the length 1: it divides by the root of the *sum* of squares.
    After LayerNorm the *mean* of the squares is 1, so that a wide token is not made of tiny numbers.
    Which of the two does your line take, and is the mean of the features taken away before?"""
    x = x - x.mean(axis=-1, keepdims=True) if centred else x
    return x / np.sqrt((x**2).sum(axis=-1, keepdims=True))


@normalise.misconception(on="faint", tiny=(1e-5, 1e-6))
def adds_the_tiny_number_after_the_root(x, *, tiny):
    """Your norm is right, but for the place of the tiny number: it is added to the standard deviation.
    `nn.LayerNorm` adds it to the variance, before the root.
    Tokens whose features are nearly equal come out different. What does your root stand over?"""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / (np.sqrt((centred**2).mean(axis=-1, keepdims=True)) + tiny)


_AXES |= {"the batch and the tokens": (0, 1)}
normalise.misconception(divides_by_the_variance, less=(1,))
normalise.misconception(normalises_over_other_axes, over=("the batch and the tokens",))
normalise.misconception(adds_another_tiny_number, on="faint", tiny=(1e-7, 1e-8))


normalise.hints_for(
    "leaves_out_the_norms",
    hints=(
        "With each sum the numbers in `x` tend to grow, and nothing makes them smaller again. "
        "Attention feels that: larger vectors make larger scores, and softmax then gives nearly all to one key. "
        "A norm in front of a part keeps what this part reads at one size, whatever has been added before. "
        "It changes what is read, and not what is carried on.",
        "Print what the first attention reads: for each token a mean of about 0, and a variance of about 1. "
        "With ten times the input it should still be the same. "
        "If it is not, look at the calls in `forward`. "
        "An `nn.LayerNorm` that is made in `__init__` does nothing until it is called with `x`, and until the next "
        "line uses what it gives back.",
        "Three norms are made in `__init__`, one for each part. "
        "In `forward` each of them is called with `x` as it is at this moment, and what it returns goes into the "
        "part. "
        "The call does not change `x` itself, so a call whose result goes nowhere has no effect. "
        "The `x` from before the norm is kept for the sum.",
    ),
)

normalise.hints_for(
    "normalises_over_other_axes",
    hints=(
        "A norm is private: a token's own features decide how it is shifted and scaled. "
        "So a token comes out the same, alone or in a batch, and whatever stands behind it. "
        "If the mean is taken over anything else, news of other words, or of other sentences, gets through the norm, "
        "and no mask can stop it.",
        "Change one token, and compare the normalised copies before and after: only this token should differ. "
        "Then print their means over the last axis: about 0, for every token by itself. "
        "If you wrote the norm by hand, look at `dim` in the mean and in the variance. "
        "If you use a module, which one is it, and which sizes was it made with?",
        "Mean and variance run over the last axis, with its `model_size` numbers, and over no other one. "
        "By hand, keep this axis with length 1, so that each mean lines up with its own token again. "
        "`nn.LayerNorm` runs over as many axes at the end as it is given sizes: give it one size, that of the model.",
    ),
)

normalise.hints_for(
    "divides_without_centring",
    "divides_what_was_not_centred",
    "centres_without_dividing",
    hints=(
        "Two things about the features of a token can get out of hand: where they lie, and how far they are spread. "
        "LayerNorm puts both in order, in two steps. "
        "Subtracting moves the middle to 0, and leaves the spread as it was. "
        "Dividing changes the spread, and it moves the middle too, unless this is 0 already. "
        "So neither step does the work of the other.",
        "Take a token such as 10, 20, 60, normalise it, and print mean and variance of what comes out. "
        "They should be 0 and 1, or very nearly. "
        "What are they in yours? "
        "Then look at the norm: is it written by hand, with a step missing, or is it another module of torch than "
        "`nn.LayerNorm`?",
        "By hand there are two lines. "
        "The first takes each token's mean away from its features. "
        "The second goes on with these centred features: it divides them by the root of their mean square, with the "
        "tiny number added before the root. "
        "Or let `nn.LayerNorm` do all of it; made with `model_size` alone, it has the right tiny number too.",
    ),
)

normalise.hints_for(
    "divides_by_the_variance",
    "adds_another_tiny_number",
    "adds_the_tiny_number_after_the_root",
    "counts_one_feature_less",
    "gives_every_token_the_length_one",
    hints=(
        "What stands below the line of the fraction is made in three steps: the mean of the squared distances, then "
        "the tiny number is added, then the root. "
        "Each of them can be done in another way, and what comes out still looks sensible. "
        "But weights are learned together with their norm. "
        "With another norm, the same weights give another result.",
        "Give one token to your norm and to `nn.LayerNorm`, and print both. "
        "Do it for an ordinary token, and for one whose features are nearly equal. "
        "If both differ by much, look at the variance and at the root. "
        "If it shows in the second token alone, look at the tiny number. "
        "In a module, go through the options that it was made with.",
        "The squared distances are added up and divided by how many features there are, all of them. "
        "To this the tiny number of the formula is added, and then comes the root, as the last step. "
        "The variance in torch divides by one less, unless it is told otherwise. "
        "`nn.LayerNorm` without further options does everything as it is asked for here.",
    ),
)


@feed_forward.misconception
def leaves_out_the_relu(x, w_widen, b_widen, w_narrow, b_narrow):
    """There is nothing between the two linear layers of your feed-forward part.
    One linear layer after another is again a linear layer, so the wide middle would be of no use.
    What comes between them?"""
    return (x @ w_widen + b_widen) @ w_narrow + b_narrow


@feed_forward.misconception
def cuts_off_the_negatives_at_the_end(x, w_widen, b_widen, w_narrow, b_narrow):
    """The ReLU of your feed-forward part comes after the second linear layer.
    Then the part can only ever add to a feature, never take anything away, and its two linear layers are one.
    Where must the ReLU stand to keep them apart?"""
    return np.maximum((x @ w_widen + b_widen) @ w_narrow + b_narrow, 0)


def _gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


_ACTIVATIONS = {"GELU": _gelu, "SiLU": lambda x: x / (1 + np.exp(-x)), "tanh": np.tanh}
_ACTIVATIONS |= {"sigmoid": lambda x: 1 / (1 + np.exp(-x)), "LeakyReLU": lambda x: np.where(x > 0, x, 0.01 * x)}


@feed_forward.misconception(activation=("GELU", "SiLU", "tanh", "sigmoid", "LeakyReLU"))
def bends_by_another_function(x, w_widen, b_widen, w_narrow, b_narrow, *, activation):
    """Between its two linear layers, your feed-forward part uses {activation}.
    Many models do, and it works well.
    In this layer what is negative becomes 0. Which function does that?"""
    return _ACTIVATIONS[activation](x @ w_widen + b_widen) @ w_narrow + b_narrow


@feed_forward.misconception
def cuts_off_the_negatives_twice(x, w_widen, b_widen, w_narrow, b_narrow):
    """Your feed-forward part has a ReLU in the middle, as it should, and another one at the end.
    What it returns is added to `x`, and it must be able to lower a feature too.
    One of the two is enough. Which?"""
    return np.maximum(np.maximum(x @ w_widen + b_widen, 0) @ w_narrow + b_narrow, 0)


def _softplus(x):
    return np.logaddexp(x, 0)


_OTHER_ACTIVATIONS = {
    "GELU with `approximate='tanh'`": lambda x: x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "LeakyReLU with a slope of 0.1": lambda x: np.where(x > 0, x, 0.1 * x),
    "LeakyReLU with a slope of 0.2": lambda x: np.where(x > 0, x, 0.2 * x),
    "ELU": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "SELU": lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0))),
    "softplus": _softplus,
    "Mish": lambda x: x * np.tanh(_softplus(x)),
    "Hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "the square of ReLU": lambda x: np.maximum(x, 0) ** 2,
    "the absolute value": np.abs,
    "softmax": lambda x: mha_ref.softmax(x),
}
_ACTIVATIONS |= _OTHER_ACTIVATIONS
feed_forward.misconception(bends_by_another_function, activation=tuple(_OTHER_ACTIVATIONS))


@feed_forward.misconception(also=("", " as well"))
def cuts_off_the_negatives_before_widening(x, w_widen, b_widen, w_narrow, b_narrow, *, also):
    """In your feed-forward part a ReLU stands before the first linear layer{also}.
    It throws away everything below zero in what the part reads, which is half of a normalised token.
    Between which two layers does the ReLU belong?"""
    wide = np.maximum(x, 0) @ w_widen + b_widen
    return (np.maximum(wide, 0) if also else wide) @ w_narrow + b_narrow


@feed_forward.misconception(which=("first", "second"))
def adds_a_bias_of_thinking_twice(x, w_widen, b_widen, w_narrow, b_narrow, *, which):
    """In your feed-forward part the bias of the {which} linear layer is added twice.
    `nn.Linear` adds its bias when it is called.
    Where is it added by hand as well?"""
    biases = (2 * b_widen, b_narrow) if which == "first" else (b_widen, 2 * b_narrow)
    return feed_forward(x, w_widen, biases[0], w_narrow, biases[1])


@feed_forward.misconception
def adds_the_bias_after_the_relu(x, w_widen, b_widen, w_narrow, b_narrow):
    """In your feed-forward part the bias of the first linear layer is added after the ReLU.
    The bias says from which height on a number of the middle speaks up, so the ReLU has to come after it.
    In which order do product, bias and ReLU stand?"""
    return (np.maximum(x @ w_widen, 0) + b_widen) @ w_narrow + b_narrow


@feed_forward.misconception
def thinks_about_what_it_thought(x, w_widen, b_widen, w_narrow, b_narrow):
    """What your feed-forward part found goes through the same part a second time.
    Once is enough: each token is made wider, cut at zero and made narrow again.
    Which call stands inside another one?"""
    weights = w_widen, b_widen, w_narrow, b_narrow
    return feed_forward(feed_forward(x, *weights), *weights)


feed_forward.hints_for(
    "adds_a_bias_of_thinking_twice",
    "adds_the_bias_after_the_relu",
    "thinks_about_what_it_thought",
    hints=(
        "The feed-forward part is a short chain, and each link comes once: a product, a bias, a ReLU, another product, "
        "another bias. "
        "The order matters at one place: a bias that comes before the ReLU decides which numbers are cut off, and one "
        "that comes after it does not. "
        "A link that comes twice is easily overlooked, since all shapes fit.",
        "Take an input of zeros. "
        "What the middle holds is then the first bias, with zeros in place of its negative numbers. "
        "Print it. "
        "With zeros for the first bias too, the part should return exactly the second bias, once. "
        "Which of the two prints is not so? "
        "Then count the calls of each layer in `forward`.",
        "Let the linear layers add their own biases, and add none by hand. "
        "Call the first layer once, the ReLU on its result, and the second layer once on that. "
        "What comes out is returned, or added to `x` by the layer around it, and does not go in again.",
    ),
)


feed_forward.hints_for(
    "leaves_out_the_relu",
    "cuts_off_the_negatives_at_the_end",
    "cuts_off_the_negatives_twice",
    "cuts_off_the_negatives_before_widening",
    hints=(
        "In the middle of this part small decisions are made. "
        "Each of its `hidden_size` numbers speaks up if it is above zero, and is silent if it is below. "
        "The second linear layer makes a report of what the speakers say, and a report may well be negative. "
        "So it matters where the ReLU stands: in the middle it decides, at the end it only cuts off a part of the "
        "report.",
        "Print what the second linear layer reads: no number there should be below zero. "
        "Then print what the part returns for a few random tokens: some numbers should be below zero. "
        "Which of the two is not so? "
        "Read the list of your modules from first to last, or the order of the calls in `forward`.",
        "There is one ReLU, and it stands between two linear layers: it takes what the first one returns, and the "
        "second one takes what it returns. "
        "In an `nn.Sequential` its place in the list decides. "
        "In `forward`, look that the next line uses its result. "
        "What comes out of the second linear layer is not cut.",
    ),
)

feed_forward.hints_for(
    "bends_by_another_function",
    hints=(
        "Between two linear layers anything will do that is not linear, and people have tried many functions. "
        "Most of them differ in what they do below zero. "
        "But a layer and its weights belong together: weights that were learned with one function give other results "
        "with another one. "
        "So a layer that is described with a ReLU has to have a ReLU.",
        "Find the function between your two linear layers, in `__init__` or in `forward`, and give it the numbers -2, "
        "0 and 3. "
        "The first should come out as exactly 0, and the last as it went in. "
        "Read its name in full, since `nn.GELU`, `nn.SiLU`, `nn.LeakyReLU` and the one that you want look much alike.",
        "Exchange this one function for torch's ReLU, without any options. "
        "It may be a module in the middle of the feed-forward part, or a call in `forward`; both do the same. "
        "Nothing else has to change: the linear layers before it and after it, and their biases, stay as they are.",
    ),
)


@add_back.misconception
def leaves_out_the_residuals(x, change):
    """What each part finds takes the place of `x`: the residual connections are missing.
    A part says what to *add* to a token. What the token knew before must not get lost.
    What stands on the right side of your `x = ...`?"""
    return change


add_back.hints_for(
    "leaves_out_the_residuals",
    hints=(
        "Think of `x` as a page that is passed round. "
        "Each part reads it and writes a remark below what is there. "
        "At the end one can read all the remarks, and the first words too. "
        "If each part hands on its remark alone, the next one does not know which word it is about. "
        "And the short way back, by which gradients reach the first layer, is gone.",
        "Set all weights and biases of your layer to zero, and give it an input. "
        "No part finds anything then, so the result should be the input, unchanged. "
        "What comes out? "
        "Look at the lines in `forward` that make a new `x`. "
        "Is each of them a sum of the old `x` and something else, or is it the something alone?",
        "Each of the three steps makes its new `x` of two things: the `x` of before, as it was in front of the norm, "
        "and what the part has found, with dropout on it. "
        "The sign between them is a plus. "
        "This holds for the last step, too, also where it stands behind `return`.",
    ),
)


# DecoderLayer: how its parts are put together


_WHICH = {"self-attention": (0,), "the attention to the memory": (1,), "the feed-forward part": (2,)}
_WHICH |= {"self-attention, and also the attention to the memory,": (0, 1)}
_WHICH |= {"the attention to the memory, and also the feed-forward part,": (1, 2)}
_WHICH |= {"self-attention, and also the feed-forward part,": (0, 2)}
_ORDERS = {
    "memory, own past, feed-forward": (1, 0, 2),
    "own past, feed-forward, memory": (0, 2, 1),
    "feed-forward, own past, memory": (2, 0, 1),
    "feed-forward, memory, own past": (2, 1, 0),
    "memory, feed-forward, own past": (1, 2, 0),
}


def _parts(steps, memory, heads, self_mask=None, memory_mask=None, **weights):
    """The three parts of the layer, each a function of what it reads; steps: what they are made of in this world."""
    attend_to_itself, attend_to_memory, feed_forward = steps
    own, other = ((weights[f"{name}_weights"], weights[f"{name}_biases"]) for name in ("self", "cross"))
    feed = [weights[name] for name in ("w_widen", "b_widen", "w_narrow", "b_narrow")]
    return (
        lambda x: attend_to_itself(x, heads, *own, self_mask),
        lambda x: attend_to_memory(x, memory, heads, *other, memory_mask),
        lambda x: feed_forward(x, *feed),
    )


@DecoderLayer.misconception
def normalises_after_adding(x, memory, **rest):
    """Your layer normalises after each sum, not before each part.
    That is post-norm, as in the paper of 2017; it works, and deep models learn less easily with it.
    This layer is pre-norm: the part reads a normalised copy, and `x` itself is never normalised."""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        x = normalise(add_back(x, part(x)))
    return x


@DecoderLayer.misconception
def normalises_the_memory(x, memory, **rest):
    """Your layer normalises the memory as well.
    The norm in front of a part is for what passes through the layer, `x`.
    The memory is used as it comes: the encoder hands it over ready."""
    return decoder_layer(x, normalise(memory), **rest)


@DecoderLayer.misconception
def ignores_the_mask_of_the_memory(x, memory, memory_mask=None, **rest):
    """`memory_mask` changes nothing in your result: places of the memory that should be hidden are looked at.
    Those places are padding, and what stands there means nothing.
    Does the mask arrive at the second attention?"""
    return decoder_layer(x, memory, **rest)


@DecoderLayer.misconception
def ignores_the_mask_of_the_past(x, memory, self_mask=None, **rest):
    """`self_mask` changes nothing in your result: every word sees all the others, and the future too.
    In training that is the answer itself.
    Does the mask arrive at the first attention?"""
    return decoder_layer(x, memory, **rest)


@DecoderLayer.misconception
def adds_to_the_normalised_copy(x, memory, **rest):
    """Your sums add to the normalised copy, not to `x` itself.
    The residual connection is a path on which `x` arrives unchanged, and normalising it breaks this path.
    Does your code overwrite `x` with its norm?"""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        x = normalise(x)
        x = add_back(x, part(x))
    return x


@DecoderLayer.misconception
def normalises_what_the_parts_find(x, memory, **rest):
    """Your norms stand behind the parts: what a part finds is normalised before it is added, and what it reads is not.
    Here the norm comes first: a part reads a normalised copy, and what it finds is added as it is.
    Which call is inside which?"""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        x = add_back(x, normalise(part(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def normalises_what_some_parts_find(x, memory, *, which, **rest):
    """In your layer, {which} has its norm behind it: what it finds is normalised, and what it reads is not.
    The rest is as it should be: the norm first, then the part.
    Which line differs from the other ones?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(x, normalise(part(x)) if number in _WHICH[which] else part(normalise(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def normalises_some_of_the_sums(x, memory, *, which, **rest):
    """In your layer {which} is post-norm: the sum is normalised, and not the copy that the part reads.
    The rest is pre-norm, as it should be.
    Which line differs from the other ones?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = normalise(add_back(x, part(x))) if number in _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def overwrites_x_before_some_of_the_parts(x, memory, *, which, **rest):
    """Before {which} your code puts the normalised copy in the place of `x`, and adds to that.
    The residual connection is a path on which `x` arrives unchanged.
    Give the copy to the part, and keep `x` for the sum."""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        read = normalise(x)
        x = add_back(read if number in _WHICH[which] else x, part(read))
    return x


@DecoderLayer.misconception(sums=("the second sum adds", "the third sum adds", "the second and the third sum add"))
def adds_to_the_x_from_the_start(x, memory, *, sums, **rest):
    """In your layer, {sums} to the `x` that came in, so what an earlier part has added is lost.
    Each sum builds on the one before it.
    To which `x` does each line add?"""
    start = x
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(start if ("first", "second", "third")[number] in sums else x, part(normalise(x)))
    return x


@DecoderLayer.misconception
def asks_with_the_x_from_the_start(x, memory, **rest):
    """Your second attention asks with the `x` that came into the layer.
    It should ask with what the first sum has made of it: a word looks at its own past in order to know what to ask.
    Which `x` goes into the second norm?"""
    look, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(add_back(x, look(normalise(x))), ask(normalise(x)))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def normalises_the_memory_and_not_the_query(x, memory, **rest):
    """Your second attention reads a normalised memory, and `x` as it is.
    The norm in front of a part is for what passes through the layer, `x`; the memory comes ready from the encoder.
    Which of the two arguments does the second norm belong to?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    weights, biases, mask = rest["cross_weights"], rest["cross_biases"], rest.get("memory_mask")
    x = add_back(x, attend_to_memory(x, normalise(memory), rest["heads"], weights, biases, mask))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def normalises_the_queries_alone(x, memory, **rest):
    """In your self-attention the queries come from the normalised copy, keys and values from `x` as it is.
    All three read the same thing in self-attention.
    Which arguments does the first attention need, and what are their defaults?"""
    _, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    weights, biases, mask = rest["self_weights"], rest["self_biases"], rest.get("self_mask")
    x = add_back(x, attend_to_memory(normalise(x), x, rest["heads"], weights, biases, mask))
    x = add_back(x, ask(normalise(x)))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def normalises_the_result_too(x, memory, **rest):
    """What your layer returns is normalised once more at the end.
    A pre-norm layer returns the sum as it is; the next layer normalises its own copy.
    (A model has one last norm, after its last layer, outside of it.)
    Which is your fourth norm?"""
    return normalise(decoder_layer(x, memory, **rest))


@DecoderLayer.misconception(which=tuple(_WHICH))
def forgets_some_of_the_norms(x, memory, *, which, **rest):
    """Of your three parts, {which} reads `x` as it is.
    Each part has a norm of its own in front of it, and reads a normalised copy.
    Go through the calls one by one: what exactly goes in?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(x, part(x if number in _WHICH[which] else normalise(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def forgets_some_of_the_residuals(x, memory, *, which, **rest):
    """In your layer, what {which} finds takes the place of `x`; the other sums are as they should be.
    A part says what to add to the tokens, and what they knew before must not get lost.
    What should stand on the right side of each `x = ...`?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = part(normalise(x)) if number in _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@DecoderLayer.misconception(which=tuple(_WHICH))
def leaves_out_some_of_the_parts(x, memory, *, which, **rest):
    """In your result nothing is left of {which}.
    First comes self-attention, then attention to the memory, then the feed-forward part.
    Is something not called, or is what it returns not kept?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = x if number in _WHICH[which] else add_back(x, part(normalise(x)))
    return x


@DecoderLayer.misconception(order=tuple(_ORDERS))
def takes_the_parts_in_another_order(x, memory, *, order, **rest):
    """Your layer has all three parts, but takes them in another order: {order}.
    First a word looks at its own sentence, so that it knows what to ask; then it asks the memory; then it thinks about
    what it has found.
    Which line has to move?"""
    parts = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    for number in _ORDERS[order]:
        x = add_back(x, parts[number](normalise(x)))
    return x


@DecoderLayer.misconception
def gives_all_parts_the_same_x(x, memory, **rest):
    """All three of your parts read the `x` that came into the layer.
    They stand one behind the other: the second reads what the first has added, and the third reads what both have.
    Which `x` goes into each norm?"""
    parts = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    return x + sum(part(normalise(x)) for part in parts)


@DecoderLayer.misconception(hidden_by=("memory_mask", "self_mask", "nothing"))
def looks_at_itself_twice(x, memory, *, hidden_by, **rest):
    """The memory has no influence on your result: the second attention looks at `x` again.
    `MultiHeadAttention` takes its key from the query where you give it none.
    What does the second one have to be told?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    weights, biases = rest["cross_weights"], rest["cross_biases"]
    x = add_back(x, attend_to_itself(normalise(x), rest["heads"], weights, biases, rest.get(hidden_by)))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def looks_at_the_memory_twice(x, memory, heads, self_weights, self_biases, self_mask=None, **rest):
    """Both of your attentions look at the memory, so no word ever sees the words before it.
    The first one is self-attention: who is looked at there?"""
    found = attend_to_memory(normalise(x), memory, heads, self_weights, self_biases, self_mask)
    nothing = dict(self_weights=0 * self_weights, self_biases=0 * self_biases)
    return decoder_layer(add_back(x, found), memory, heads, **nothing, **rest)


@DecoderLayer.misconception(used=("self", "cross"))
def uses_one_attention_for_both(x, memory, *, used, **rest):
    """Both of your attentions compute with the weights of `{used}_attention`; those of the other one have no effect.
    To look at one's own past and to look at the memory are two different skills, and each has weights to learn it.
    Which layer is called twice?"""
    both = {f"{name}_{kind}": rest[f"{used}_{kind}"] for name in ("self", "cross") for kind in ("weights", "biases")}
    return decoder_layer(x, memory, **rest | both)


@DecoderLayer.misconception
def gives_each_attention_the_others_weights(x, memory, **rest):
    """Your two attentions have changed places: `self_attention` looks at the memory, and the other one at `x`.
    It would learn as well, but whoever looks for the weights by their names finds the others.
    Swap the two names."""
    other = {"self": "cross", "cross": "self"}
    swapped = {f"{n}_{kind}": rest[f"{other[n]}_{kind}"] for n in other for kind in ("weights", "biases")}
    return decoder_layer(x, memory, **rest | swapped)


@DecoderLayer.misconception
def takes_the_values_from_x(x, memory, **rest):
    """Your second attention takes its keys from the memory and its values from `x`.
    A weight belongs to a token of the memory, and must meet this token's value.
    `MultiHeadAttention` takes its value from the key where you give it none. What do you give it?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    read, mask = normalise(x), rest.get("memory_mask")
    weights, biases = rest["cross_weights"], rest["cross_biases"]
    x = add_back(x, multi_head_layer(read, rest["heads"], *weights, memory, read, mask, False, *biases))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def takes_the_keys_from_x(x, memory, **rest):
    """Your second attention takes its keys from `x` and its values from the memory.
    A key says where its value can be found, so both belong to the same token.
    `MultiHeadAttention` takes query, key, value, in this order: which sequence is searched?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    read, mask = normalise(x), rest.get("memory_mask")
    weights, biases = rest["cross_weights"], rest["cross_biases"]
    x = add_back(x, multi_head_layer(read, rest["heads"], *weights, read, memory, mask, False, *biases))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception(hidden_by=("memory_mask", "nothing"))
def asks_with_the_memory(x, memory, *, hidden_by, **rest):
    """Your second attention makes its queries of the memory, and looks at `x`.
    Where the two lengths differ, the sum cannot even be computed.
    The words that are being written ask, and the memory answers: which comes first in the call?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    weights, biases, mask = rest["cross_weights"], rest["cross_biases"], rest.get(hidden_by)
    x = add_back(x, attend_to_memory(memory, normalise(x), rest["heads"], weights, biases, mask))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def ignores_both_masks(x, memory, self_mask=None, memory_mask=None, **rest):
    """Neither of the two masks changes anything in your result.
    `forward` receives them, but attention hides only what it is told to hide.
    Pass each of them on, to the attention that it is named after."""
    return decoder_layer(x, memory, **rest)


@DecoderLayer.misconception
def swaps_the_two_masks(x, memory, self_mask=None, memory_mask=None, **rest):
    """Your two masks have changed places: the one for the past hides the memory, and the other way round.
    That can only be computed where the two sequences are equally long.
    `self_mask` is for the words that are written, `memory_mask` for those that are read."""
    return decoder_layer(x, memory, self_mask=memory_mask, memory_mask=self_mask, **rest)


@DecoderLayer.misconception
def uses_the_first_mask_for_both(x, memory, self_mask=None, memory_mask=None, **rest):
    """Both of your attentions use `self_mask`, and `memory_mask` has no effect.
    A mask has a column for each token that is looked at, and the two attentions look at two different sequences.
    Which mask belongs to the second?"""
    return decoder_layer(x, memory, self_mask=self_mask, memory_mask=self_mask, **rest)


@DecoderLayer.misconception
def always_hides_the_future(x, memory, self_mask=None, **rest):
    """Your layer makes a causal mask of its own, also where nobody asks for one.
    Who may look at whom is for the caller to say: the masks are inputs, and None hides nothing.
    Use what comes in."""
    past = combine_masks(self_mask, mha_ref.causal_mask(x.shape[1], x.shape[1], like=x))
    return decoder_layer(x, memory, self_mask=past, **rest)


@DecoderLayer.misconception
def hides_the_later_memory(x, memory, memory_mask=None, **rest):
    """Your second attention sees the beginning of the memory only: your layer makes a causal mask for it.
    The memory has been read to its end, so nothing in it is future.
    And who may look at whom is for the caller to say: use the mask that comes in."""
    past = mha_ref.causal_mask(x.shape[1], memory.shape[1], like=x)
    return decoder_layer(x, memory, memory_mask=combine_masks(memory_mask, past), **rest)


@DecoderLayer.misconception(name=("self_mask", "memory_mask"))
def turns_one_of_the_masks_round(x, memory, *, name, **rest):
    """Your layer uses `{name}` the other way round: what it allows is hidden, and what it hides is looked at.
    In this course True means "may look", here and in `MultiHeadAttention`.
    Pass the mask on as it comes."""
    mask = rest.get(name)
    return decoder_layer(x, memory, **rest | {name: None if mask is None else ~mask})


@DecoderLayer.misconception
def has_one_head_whatever_is_asked_for(x, memory, heads, **rest):
    """Both of your attentions work with a single head, whatever `heads` is.
    Each head makes weights of its own, over a block of the features, and so they can look at different places.
    Does the argument `heads` reach `MultiHeadAttention`?"""
    return decoder_layer(x, memory, 1, **rest)


@DecoderLayer.misconception
def thinks_twice(x, memory, **rest):
    """Your layer goes through its feed-forward part twice.
    Each of the three parts is called once.
    Which line stands there a second time?"""
    think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)[2]
    x = decoder_layer(x, memory, **rest)
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def fails_where_there_is_a_mask(x, memory, self_mask=None, memory_mask=None, **rest):
    """Without masks your layer is right, and with any mask it stops with an error.
    What does that error speak of, and does each mask arrive as a mask?
    `MultiHeadAttention` takes query, key, value and then the mask: one in second place is taken for the key."""
    if self_mask is not None or memory_mask is not None:
        raise ValueError
    return decoder_layer(x, memory, **rest)


@DecoderLayer.misconception(which=tuple(_WHICH))
def adds_x_twice_in_some_sums(x, memory, *, which, **rest):
    """In your layer `x` is in the sum of {which} twice.
    A sum has two terms: the `x` of before, once, and what the part has found.
    Does the part, or a function around it, add `x` already?"""
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        x = add_back(x + x if number in _WHICH.get(which, (0, 1, 2)) else x, part(normalise(x)))
    return x


@DecoderLayer.misconception(which=(*_WHICH, "each of the three parts"))
def subtracts_what_some_parts_find(x, memory, *, which, **rest):
    """What {which} finds is taken away from `x` in your layer.
    A part says what is to be added to the tokens.
    Which sign stands between `x` and what it found?"""
    minus = _WHICH.get(which, (0, 1, 2))
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        found = part(normalise(x))
        x = add_back(x, -found if number in minus else found)
    return x


@DecoderLayer.misconception(which=("attention to the memory", "feed-forward part"))
def reads_only_what_the_part_before_has_found(x, memory, *, which, **rest):
    """Your {which} reads what the part before it has found, without the `x` that this was added to.
    Each part reads the whole sum, normalised: what a word was, and all that has been found for it.
    Which name goes into the norm in front of it?"""
    found = x
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        alone = number == (1 if which.startswith("attention") else 2)
        found = part(normalise(found if alone else x))
        x = add_back(x, found)
    return x


@DecoderLayer.misconception(role=("keys", "values"))
def normalises_the_memory_for_one_role(x, memory, *, role, **rest):
    """Your second attention makes its {role} of a normalised memory, and the rest of the memory as it is.
    The norm in front of a part is for what passes through the layer, `x`; the memory comes ready from the encoder.
    What do you give to the second attention, argument by argument?"""
    look, _, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    sequences = (normalise(memory), memory) if role == "keys" else (memory, normalise(memory))
    weights, biases, mask = rest["cross_weights"], rest["cross_biases"], rest.get("memory_mask")
    x = add_back(x, multi_head_layer(normalise(x), rest["heads"], *weights, *sequences, mask, False, *biases))
    return add_back(x, think(normalise(x)))


@DecoderLayer.misconception
def adds_what_came_in_once_more(x, memory, **rest):
    """Your result is the right one plus the `x` that came in.
    The three sums have carried it along already.
    Which line adds it for a fourth time?"""
    return x + decoder_layer(x, memory, **rest)


@DecoderLayer.misconception(whose=tuple(_OTHER_MEMORIES))
def asks_the_memory_of_another_item(x, memory, *, whose, **rest):
    """In a batch, each item of your layer looks at {whose}.
    A translation has its own source: item 0 of `x` belongs to item 0 of the memory, item 1 to item 1.
    Is something done along the axis of the batch: an index, a roll, a mean, another order?"""
    return decoder_layer(x, _OTHER_MEMORIES[whose](memory), **rest)


@DecoderLayer.misconception(which=("first token", "last token", "mean"))
def asks_a_single_vector_of_the_memory(x, memory, memory_mask=None, *, which, **rest):
    """All that your layer finds in the memory is a single vector, its {which}, the same for every query.
    Models before attention handed over one vector like this, and long sentences did not fit into it.
    Here a query chooses among all tokens. What is done to the memory before it becomes keys and values?"""
    one = memory.mean(axis=1, keepdims=True) if which == "mean" else memory[_SINGLE_TOKENS[which.split()[0]]]
    return decoder_layer(x, one, **rest)


_BESIDE_EACH_OTHER = {
    "attention to the memory and your feed-forward part": (0, 1, 1),
    "self-attention and your feed-forward part, which stands last,": (0, 1, 0),
    "self-attention and your feed-forward part, which stands second,": (0, 0, 2),
}


@DecoderLayer.misconception(which=tuple(_BESIDE_EACH_OTHER))
def lets_two_parts_read_the_same(x, memory, *, which, **rest):
    """Your {which} read the same normalised copy.
    Some models put two parts side by side like this. Here they stand one behind the other: each reads what all parts
    before it have added.
    Which `x` goes into each norm?"""
    look, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    sums = [x]
    for part, read in zip((look, think, ask) if "second" in which else (look, ask, think), _BESIDE_EACH_OTHER[which]):
        sums.append(add_back(sums[-1], part(normalise(sums[read]))))
    return sums[-1]


@DecoderLayer.misconception(second=("what it finds", "the sum"))
def normalises_twice_around_each_part(x, memory, *, second, **rest):
    """Around each of your parts there are two norms: one for what it reads, as it should be, and one for {second}.
    Some models have both. In this layer a part reads a normalised copy, and nothing else is normalised.
    Which of your norms come after a part?"""
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        found = part(normalise(x))
        x = normalise(add_back(x, found)) if second == "the sum" else add_back(x, normalise(found))
    return x


@DecoderLayer.misconception(which=(*_WHICH, "each of the three parts"))
def adds_the_normalised_copy_too(x, memory, *, which, **rest):
    """In your layer the sum after {which} has three terms: `x`, its normalised copy, and what was found.
    The residual connection comes twice, once around the part and once inside of it.
    Which of the two adds the copy?"""
    again = _WHICH.get(which, (0, 1, 2))
    for number, part in enumerate(_parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)):
        read = normalise(x)
        x = add_back(x, part(read) + read if number in again else part(read))
    return x


@DecoderLayer.misconception
def adds_x_at_the_end_only(x, memory, **rest):
    """Your three parts are a chain without sums, and `x` is added once, at the end.
    A residual connection goes around each part, so that the next one reads what was there *and* what was found.
    How many sums should there be?"""
    found = x
    for part in _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest):
        found = part(normalise(found))
    return add_back(x, found)


@DecoderLayer.misconception
def adds_to_the_x_before_the_memory(x, memory, **rest):
    """In your layer the third sum adds to the `x` from before the attention to the memory, so what was found there is
    lost in the result.
    Each sum builds on the one before it.
    To which `x` does the last line add?"""
    look, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    x = add_back(x, look(normalise(x)))
    return add_back(x, think(normalise(add_back(x, ask(normalise(x))))))


@DecoderLayer.misconception(role=("queries", "keys", "values"))
def leaves_one_role_of_self_attention_raw(x, memory, *, role, **rest):
    """Your self-attention makes its {role} of `x` as it is, and the other two of the normalised copy.
    All three come from the same thing in self-attention.
    Which arguments does the first attention need, and what are their defaults?"""
    _, ask, think = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    read = [x if role == name else normalise(x) for name in ("queries", "keys", "values")]
    weights, biases, mask = rest["self_weights"], rest["self_biases"], rest.get("self_mask")
    x = add_back(x, multi_head_layer(read[0], rest["heads"], *weights, *read[1:], mask, False, *biases))
    x = add_back(x, ask(normalise(x)))
    return add_back(x, think(normalise(x)))


_AGAIN = {
    "own past, own past, memory, feed-forward": (0, 0, 1, 2),
    "own past, memory, memory, feed-forward": (0, 1, 1, 2),
    "own past, feed-forward, memory, feed-forward": (0, 2, 1, 2),
}


@DecoderLayer.misconception(order=tuple(_AGAIN))
def takes_a_part_twice(x, memory, *, order, **rest):
    """Your layer has four steps: {order}.
    Each of the three parts is called once: first a word looks at its own past, then it asks the memory, then it thinks.
    Which line stands there a second time?"""
    parts = _parts((attend_to_itself, attend_to_memory, feed_forward), memory, **rest)
    for number in _AGAIN[order]:
        x = add_back(x, parts[number](normalise(x)))
    return x


_ROWS = {"first": np.s_[..., :1, :], "last": np.s_[..., -1:, :]}


@DecoderLayer.misconception(name=("self_mask", "memory_mask"), row=tuple(_ROWS))
def gives_all_queries_one_row_of_a_mask(x, memory, *, name, row, **rest):
    """Your layer uses the {row} row of `{name}` for every query.
    Each row belongs to one query, and may allow something else than the others.
    Pass on the whole mask, without an index."""
    mask = rest.get(name)
    return decoder_layer(x, memory, **rest | {name: None if mask is None else mask[_ROWS[row]]})


@DecoderLayer.misconception
def turns_the_mask_of_the_past_on_its_side(x, memory, self_mask=None, **rest):
    """In your layer rows and columns of `self_mask` have changed places, so the past is hidden and the future is seen.
    Rows are for those who look, columns for those who are looked at, in the mask as in the scores.
    Pass the mask on as it comes."""
    return decoder_layer(x, memory, self_mask=None if self_mask is None else self_mask.mT, **rest)


DecoderLayer.misconception(adds_x_twice_in_some_sums, which=("each of the three parts",))


_ONE_MEMORY_EACH = (
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
DecoderLayer.hints_for("asks_the_memory_of_another_item", "asks_a_single_vector_of_the_memory", hints=_ONE_MEMORY_EACH)
cross_attention.hints_for(
    "looks_at_the_memory_of_another_item", "looks_at_one_token_of_the_memory", hints=_ONE_MEMORY_EACH
)


DecoderLayer.hints_for(
    "gives_all_queries_one_row_of_a_mask",
    "turns_the_mask_of_the_past_on_its_side",
    hints=(
        "A mask is a table. "
        "A row belongs to a query and says which keys it may see, so the last two axes are queries and keys, in this "
        "order, as they are in the scores. "
        "If the table is turned, each word sees what comes after it. "
        "If one row is used for all, every word has the permissions of one of them.",
        "Give your layer 4 tokens and a causal mask, and change the last token of `x`: only the last row of the result "
        "should move. "
        "Then change the first one: all rows should move. "
        "If it is otherwise, look for what happens to the mask between the first line of `forward` and the call: "
        "a transpose, an index, a slice.",
        "Hand each mask to its attention exactly as it came in, under the name `mask`. "
        "It may have two, three or four axes, and an axis of length 1 where all share the same. "
        "Broadcasting takes care of that, so there is nothing to turn, to cut or to choose.",
    ),
)


DecoderLayer.hints_for(
    "normalises_after_adding",
    "normalises_what_the_parts_find",
    "normalises_what_some_parts_find",
    "normalises_some_of_the_sums",
    "normalises_twice_around_each_part",
    hints=(
        "One can normalise at three moments: before a part reads, after it has found something, and after the sum. "
        "Only the first leaves the path of `x` alone. "
        "Then `x` runs through the layer, and through many layers, by plain sums, and each part adds as much as it "
        "likes. "
        "A norm is like a pair of glasses: it belongs to the one who reads.",
        "Look at each norm in `forward`, and write down what it is given. "
        "It should be `x` alone: no result of a part, and no sum. "
        "Do this for all three of them, since two right ones say nothing about the third. "
        "Then look at what each part is given: it should be what a norm has made of `x`.",
        "In each step the order is, from the inside to the outside: norm, part, dropout, sum. "
        "The norm gets `x`, and the part gets what the norm returns. "
        "What the part finds is added to `x` as it was before the norm, and the sum is left as it is. "
        "If one line becomes too long, give the normalised copy a name.",
    ),
)

DecoderLayer.hints_for(
    "normalises_the_memory",
    "normalises_the_memory_and_not_the_query",
    "normalises_the_memory_for_one_role",
    hints=(
        "A norm guards something that grows. "
        "`x` grows in this layer by one sum after the other, so it is normalised before it is read. "
        "The memory does not: nothing is added to it here. "
        "Every decoder layer of a model reads the same memory, and whoever made it has chosen its size. "
        "So a layer takes it as it is, like a book from a shelf.",
        "Look at the call of the second attention, and go through its arguments one by one. "
        "Which of them have been normalised? "
        "Look above the call as well, since a line that begins with `memory =` changes all that follows. "
        "A test: with ten times the memory the result should change a lot. "
        "If it hardly does, a norm has taken the ten away.",
        "Each of the three norms is called with `x`, as the step before has left it. "
        "For the second attention, this normalised copy is the query. "
        "The memory goes in as it came into `forward`: as the key, and by default as the value. "
        "No norm is ever called with the memory, and no part reads a plain `x`.",
    ),
)

DecoderLayer.hints_for(
    "adds_to_the_normalised_copy",
    "overwrites_x_before_some_of_the_parts",
    hints=(
        "A name holds one thing. "
        "If the copy is stored under the name of the original, the original is gone. "
        "From there on `x` means the copy, for the part that reads it and for the sum as well. "
        "With the original one loses how large each feature had become over all the layers, and that was knowledge, "
        "too.",
        "Look for a line in `forward` that begins with `x =` and holds a norm, but no plus. "
        "There may be one for each part, or for some of them. "
        "Then print `x` at the beginning of a step and in front of its plus: both times you should see the same "
        "numbers. "
        "A norm makes something new, and leaves what it reads alone.",
        "Give the normalised copy a name of its own, or no name at all: the call of the norm can stand inside the "
        "call of the part. "
        "What stands in front of the plus is `x`, as the step before has left it. "
        "So `x` is used twice in each step, once by the norm and once by the sum.",
    ),
)

DecoderLayer.hints_for(
    "forgets_some_of_the_norms",
    "normalises_the_queries_alone",
    "leaves_one_role_of_self_attention_raw",
    hints=(
        "A norm helps only if the part sees nothing of `x` but the copy. "
        "Self-attention reads its sequence three times, for queries, keys and values; the feed-forward part reads it "
        "once. "
        "If one of these readings goes past the norm, large numbers come in by this door. "
        "So there is one norm for each part, and it stands in front of all that the part reads of `x`.",
        "List the three calls of parts in `forward`, with all that they are given. "
        "Mark each argument that is `x` itself, and was not normalised: there should be none. "
        "What is left out counts as well, because a missing key is filled in with the query. "
        "How many norms are called, and does each part have its own?",
        "In front of each part call its own norm with `x`, and give the part what comes back. "
        "The first attention needs this copy once: given as the query, it becomes key and value too. "
        "The second gets it as the query, and the feed-forward part gets it as its only input. "
        "The plain `x` is read by the norms and by the sums, and by nobody else.",
    ),
)

DecoderLayer.hints_for(
    "adds_to_the_x_from_the_start",
    "asks_with_the_x_from_the_start",
    "gives_all_parts_the_same_x",
    "reads_only_what_the_part_before_has_found",
    "lets_two_parts_read_the_same",
    "adds_to_the_x_before_the_memory",
    hints=(
        "The three steps are a chain. "
        "What one step has made is what the next one begins with, both to read it and to add to it. "
        "Only then can the second part ask with what the first has learned, and only then does the sum keep all of it. "
        "If an older `x` comes in again, a link of the chain is left out, although every part has been computed.",
        "Number the versions of `x` on paper: 0 came in, 1 is what the first sum makes, 2 what the second makes. "
        "Write the number at every `x` in `forward`, also at names of your own, such as `residual` or `start`. "
        "In the first step both should be 0, the one in the norm and the one in front of the plus. "
        "In the second step both should be 1, in the third both 2.",
        "Give what each sum makes the name `x` again, and use this name in the next step, in the norm and in front of "
        "the plus. "
        "Then no older `x` has a name, and nothing can be mixed up. "
        "If you like numbered names better, let each step use only the number that the step before has made.",
    ),
)

DecoderLayer.hints_for(
    "forgets_some_of_the_residuals",
    "adds_x_twice_in_some_sums",
    "adds_x_at_the_end_only",
    "adds_the_normalised_copy_too",
    "subtracts_what_some_parts_find",
    hints=(
        "One sum that is missing, or made in another way, is enough to break the path. "
        "Everything that earlier steps have found, and the word itself, has to pass through this one place, once. "
        "If only what the part has found goes on from there, all that it does not repeat is gone for good. "
        "And parts do not repeat what they read: they are there to say what is new.",
        "Set the weights and biases of one part to zero, and print `x` before and after its step. "
        "The part finds nothing then, so both should be equal. "
        "Do it for all three parts. "
        "Where zeros come out, the sum is missing; where twice as much comes out, `x` is added twice. "
        "In your code, compare the steps: which of them have a plus, and what stands on its two sides?",
        "Write this step like a step of yours that is right: the old `x`, a plus, and what the part has found, with "
        "dropout on it. "
        "The old `x` is the one from before the norm. "
        "Look also at what the next step begins with: the sum, and not what the part alone has found.",
    ),
)

DecoderLayer.hints_for(
    "leaves_out_some_of_the_parts",
    hints=(
        "A part acts on the result in one way only: by what is added to `x`. "
        "It may be made in `__init__`, have weights, and even be called, and still it does nothing if what it finds "
        "does not arrive in a sum. "
        "Such a layer runs, and it learns too, as well as the other parts can. "
        "So nothing warns you.",
        "Give the layer an input, call `backward` on the sum of its result, and look at the `grad` of every "
        "parameter. "
        "Where it is None, that parameter has no effect. "
        "To which part does it belong, and where does this part stand in `forward`? "
        "If it is called there, which name gets the result, and which line reads this name?",
        "Each part is called in a step of its own. "
        "What it finds is added to `x`, and the sum gets a name that the next step reads; the last sum is what is "
        "returned. "
        "So add the step that is missing, at its place in the order, or bring the result that nobody reads into its "
        "sum.",
    ),
)

DecoderLayer.hints_for(
    "takes_the_parts_in_another_order",
    "takes_a_part_twice",
    hints=(
        "For sums order makes no difference, so this mistake looks harmless. "
        "But each part also *reads* `x`, with everything in it that was added before. "
        "So the order decides who knows what, and another order is another function. "
        "A layer that is loaded with trained weights has to keep the order in which they were learned.",
        "Go through `forward` from top to bottom, and write down the name of each part at the moment when it is "
        "called. "
        "Compare with the first line of the docstring of `forward`. "
        "If you go through the parts in a loop, then it is a list in `__init__` that makes the order. "
        "Check that each mask has stayed with its own attention.",
        "Move whole steps, each with its norm, its mask and its dropout, and leave the inside of the steps alone. "
        "The step in which `x` looks at itself comes first. "
        "The step that looks at the memory comes second. "
        "The feed-forward part comes last, and its sum is returned. "
        "Each step reads the `x` that the step above it has made.",
    ),
)

DecoderLayer.hints_for(
    "looks_at_itself_twice",
    "takes_the_values_from_x",
    "takes_the_keys_from_x",
    "asks_with_the_memory",
    hints=(
        "In the second attention every role is taken. "
        "The words that are being written have the questions, so the copy of `x` makes the queries. "
        "The memory has everything else: what one finds things by, and what one takes away. "
        "A key and its value are two sides of one token, so they do not come from two sequences here.",
        "Find the call of the second attention, and write beside each of its arguments the role that it gets. "
        "Without names they are query, key, value and mask, in this order. "
        "What is missing is filled in: the key with the query, the value with the key. "
        "Now you have a sequence for all three roles. "
        "In which of them does the memory stand?",
        "This call needs two sequences: the normalised copy of `x` as the query, and behind it the memory as the key. "
        "The value follows the key by itself; if you give it all the same, it is the memory again. "
        "Give the mask by its name, so that it is not taken for a sequence. "
        "The result has a row for each token of `x`, and the sum fits.",
    ),
)

DecoderLayer.hints_for(
    "looks_at_the_memory_twice",
    hints=(
        "Your two attentions are modules of the same kind; only the call says what each of them looks at. "
        "Without a second sequence an attention looks at its own. "
        "So the first call is the shorter one. "
        "It is also the only place where one word can learn of another word in its own sentence: everything else in "
        "the layer asks the memory, or works on each word alone.",
        "Give the layer an input without masks, change the first token of `x`, and see which rows of the result move. "
        "All of them should, because every word may look at this one. "
        "If only the first row moves, look at the call of the first attention: which sequences does it get? "
        "Has the line been copied from the second step?",
        "The first attention gets one sequence, the normalised copy of `x`, and beside it the mask of the own past, "
        "by its name. "
        "The key and the value are left out, because by default they come from the query. "
        "The memory occurs for the first time in the second step, and that step is as it should be.",
    ),
)

DecoderLayer.hints_for(
    "uses_one_attention_for_both",
    "gives_each_attention_the_others_weights",
    hints=(
        "A module is a box of weights with a name. "
        "When a trained layer is stored and loaded again, the weights are found by their names alone. "
        "So the name promises what the box is used for. "
        "There are two boxes because there are two tasks, and what is learned for one is of little use for the other.",
        "Read the two calls of attention in `forward`: which name stands behind `self.` in each, and which sequences "
        "does it get? "
        "Then look at `__init__`: are two layers made, or does one layer get two names? "
        "A test: with all weights and biases of `cross_attention` at zero, the memory should lose its influence, and "
        "words of `x` should still see each other.",
        "In `__init__` each of the two names gets a layer of its own, made by a call of its own. "
        "In `forward`, `self_attention` gets the copy of `x` alone, with the mask of the past. "
        "`cross_attention` gets the copy of `x` and the memory, with the mask of the memory. "
        "Module, sequences and mask go together in each step.",
    ),
)

DecoderLayer.hints_for(
    "ignores_the_mask_of_the_memory",
    "ignores_the_mask_of_the_past",
    "ignores_both_masks",
    hints=(
        "A layer of attention knows nothing of padding or of time. "
        "It hides what it is told to hide in this very call, and a mask does not travel along with `x` to the next "
        "step. "
        "So there are two calls, and each has to be told what is hidden from it. "
        "If the argument is left out, its default None allows everything, without a word.",
        "Search `forward` for the names `self_mask` and `memory_mask`. "
        "Each of them should occur in the body, inside a call of attention. "
        "If one does, look how it goes in: by the name `mask`, or by its place? "
        "And look above the call: does an `if`, or a line that gives the name a new value, take the mask away?",
        "Give each attention the mask that is named after it, under the name that `MultiHeadAttention` has for it. "
        "Pass on what came in, a None as well, and change nothing about it. "
        "The feed-forward part needs no mask, because no token sees another one there.",
    ),
)

DecoderLayer.hints_for(
    "fails_where_there_is_a_mask",
    hints=(
        "Python fills parameters by their place, unless a name says something else. "
        "It does not look at what a thing is: a mask at the place of a key becomes a key. "
        'None at this place does no harm, because it means "take the default". '
        "This is why code can run for a long time, and fail on the day when the first mask comes.",
        "Call your layer in a cell of its own, once with a `self_mask` alone and once with a `memory_mask` alone. "
        "Which of the two calls fails, or do both? "
        "Go through the error to the line of yours that it names. "
        "Beside this line write the parameters that the attention has, in their order: what does each of them get "
        "from you?",
        "In each call of attention, say by name which argument is the mask. "
        "What stands without a name in front of it are sequences: one in the first attention, two in the second. "
        "Nothing is done to the mask itself, because it fits already: no new axes, no conversion to numbers, no "
        "product with something else.",
    ),
)

DecoderLayer.hints_for(
    "swaps_the_two_masks",
    "uses_the_first_mask_for_both",
    hints=(
        "A mask is a table of who may look at whom, and its columns are made for one sequence. "
        "`self_mask` has a column for each token of `x`, and `memory_mask` has one for each token of the memory. "
        "Where both sequences are equally long, one fits in the place of the other, and no error comes. "
        "Then a triangle that was made for the past hides the end of the source.",
        "Call your layer with 3 tokens in `x` and 5 in the memory, and with a mask of 3 columns and one of 5. "
        "If it fails, which two sizes does the error name? "
        "Then write down for each call of attention the sequence that is looked at, and the mask. "
        "The tokens of this sequence and the columns of this mask should be equal in number.",
        "The attention that looks at `x` gets `self_mask`, and the one that looks at the memory gets `memory_mask`. "
        "In both calls the parameter has the same name, `mask`, so the difference lies in what you write behind it. "
        "Each of the two masks is used once in `forward`.",
    ),
)

DecoderLayer.hints_for(
    "always_hides_the_future",
    "hides_the_later_memory",
    hints=(
        "A layer is a tool, and a tool does not decide what it is used for. "
        "The same layer may learn from whole sentences, where a future must be hidden, or serve where all words may "
        "be seen. "
        "Only the caller knows. "
        "So masks are made outside of the layer, where lengths and purpose are known, and the layer does what they "
        "say.",
        "Call your layer without any mask. "
        "Change the last token of `x`, and then the last token of the memory: each time all rows of the result should "
        "move. "
        "Where early rows stay as they were, something makes a triangle. "
        "Look for `tril`, `triu`, `causal_mask` or `is_causal`, in `forward` and in what it calls.",
        "Take out the line that makes the triangle, and the line that joins it with a mask that came in. "
        "Then each attention gets its mask from the arguments of `forward`, as it is, and None stays None. "
        "Nothing is lost by this: whoever wants the past alone hands in a causal mask as `self_mask`.",
    ),
)

DecoderLayer.hints_for(
    "turns_one_of_the_masks_round",
    hints=(
        "There are two habits. "
        "In torch's own layer `nn.MultiheadAttention`, a True in a mask forbids. "
        "In the layer that you use here a True allows, and so it does in the masks that come in. "
        "A `~` translates from one habit into the other. "
        "Where both sides speak the same language already, such a translation makes nonsense of it.",
        "Call your layer with a mask that is True everywhere, and then with None, once for each of the two masks. "
        "Both allow everything, so the results should be equal. "
        "Where they are not, follow this mask through `forward`: is there a `~`, a `not`, a `1 -`, a comparison with "
        "False or with 0?",
        "Between the first line of `forward` and the call of the attention, nothing happens to a mask. "
        "The tensor that came in is the one that is passed on. "
        "You do it like this with one of the two masks already, so treat the other one in the same way.",
    ),
)

DecoderLayer.hints_for(
    "has_one_head_whatever_is_asked_for",
    hints=(
        "A head makes one choice for each word: its weights sum to 1. "
        "A word that needs two things at once gets a blend of both from a single head, and gets each by itself from "
        "two. "
        "The parameters are equally many in both cases, and so are the shapes of all results. "
        "So neither of these tells you how many heads are at work.",
        "Make a layer with 2 heads, and print `layer.self_attention.heads` and `layer.cross_attention.heads`. "
        "Then look at the two calls in `__init__` that make them: the model size comes first, the number of heads "
        "second. "
        "What stands in the second place: a 1, or a name that got its value somewhere else?",
        "Both attention layers are made with the model size and with the number of heads, as `__init__` gets them. "
        "You need not store this number, because only the attention layers use it. "
        "They take care of everything that follows from it: the split, the scale of the scores, and the error where "
        "the heads do not divide the model size.",
    ),
)

DecoderLayer.hints_for(
    "thinks_twice",
    "normalises_the_result_too",
    "adds_what_came_in_once_more",
    hints=(
        "Layers are stacked: what one returns, the next one takes as its `x`. "
        "After three sums everything is in there, once: what came in, and what each part has found. "
        "So nothing is left to collect or to finish. "
        "Whatever a layer does beyond this is done again by every layer of the stack.",
        "Count in `forward`: how many norms are called, how many parts, and how many sums are there? "
        "Each of these should be three. "
        "Calls in a loop, or in a function of your own, count as often as they run. "
        "Then look at the line with `return`, and at the line above it: does one of them do what has been done "
        "already?",
        "The third sum, that of the feed-forward part, is the result. "
        "Either it stands behind `return`, or it is given the name `x` and `x` is returned; both together would be "
        "one too many. "
        "Around it stands nothing: no norm, no further plus, no further call.",
    ),
)


# what to predict, to calculate, to choose


def _slips(answer, choices, messages):
    """Every other answer that one can choose, place by place -> what to say of the first place that differs."""
    others = (given for given in product(choices, repeat=len(answer)) if given != answer)
    return {given: next(m for m, g, a in zip(messages, given, answer) if g != a) for given in others}


shuffled_source = Question(
    answer="c",
    wrong={
        "nothing": "Here a letter is wanted: write the one that stands in front of your answer, in quotes.",
        "a": "The rows of the result belong to the tokens of x, and x was not shuffled. "
        "What happens to the columns of the weights, and to the values, when the memory is shuffled?",
        "b": "The scores move to other columns, and the values move with them. "
        "So each weight still meets the value that it belongs to. "
        "What is the sum of the same products in another order?",
    },
    hints=(
        "Write one row of the result as a sum: weight times value, for each token of the memory. "
        "The weight comes from the key of the same token. "
        "Now let two tokens of the memory change places. "
        "What becomes of the terms of your sum?",
        "A key and its value come from the same token. "
        "If the token moves, both move. "
        "The weight moves along with them, since it was made from this key. "
        "And the tokens that ask have not moved at all. "
        "Is any term a new one?",
        "A sum does not depend on the order in which its terms are added: 2 + 3 + 5 is the same as 5 + 2 + 3. "
        "All terms are still there, each with the same weight and the same value. "
        "So what happens to the output?",
    ),
)
cross_weights_shape = Question(
    answer=(2, 4, 5, 7),
    wrong={
        (2, 4, 7, 5): "You have a row for each token of the memory. Rows belong to those who look: who looks here?",
        (2, 4, 5, 5): "That would be self-attention of x. Columns belong to those who are looked at.",
        (2, 4, 7, 7): "That would be self-attention of the memory. Rows belong to those who look.",
        (2, 5, 7): "That is one table for each item. Each of the heads makes a table of its own.",
        (4, 5, 7): "That is one item of the batch. There are two.",
        (2, 4, 5, 8): "8 is the size of the model. The weights say who looks at whom; features are summed away.",
        (2, 5, 4, 7): "All the numbers are there. Heads come before the queries, as in lesson 06.",
        (4, 2, 5, 7): "All the numbers are there. The batch comes first, then the heads.",
        (2, 4, 12, 12): "You have joined the two sequences. They stay apart: one looks, the other is looked at.",
    },
    hints=(
        "The weights are a table of queries by keys, for each head of each item. "
        "So two of the four lengths say how many tables there are, and two say how large one table is. "
        "Who has a row in it here, and who has a column?",
        "Queries are made of x, keys of the memory. "
        "So the two sentences meet in this table, and they have different lengths. "
        "The model size of 8 is cut into 4 heads of 2 features, and these are summed up in the scores.",
        "Batch, heads, tokens of x, tokens of the memory. "
        "Put one number of the question into each of the four places. "
        "Those who ask come before those who are asked. "
        "There is no place for the model size: only how many there are counts.",
    ),
)
sources_of_cross_attention = Question(
    answer=("decoder", "encoder", "encoder"),
    wrong={
        words: "Right in meaning. Say it with the words encoder and decoder: which half makes each of the three?"
        for words in (("x", "memory", "memory"), ("decoder", "memory", "memory"), ("French", "English", "English"))
    }
    | _slips(
        ("decoder", "encoder", "encoder"),
        ("decoder", "encoder"),
        (
            "Look at the queries first. A query says what somebody is looking for: "
            "who needs something here, the sentence that is written, or the one that has been read?",
            "The queries are as you say. A key says where something can be found. "
            "In which sentence does the decoder search?",
            "Queries and keys are as you say. A value belongs to the same token as its key, "
            "or the weights would meet the values of other tokens.",
        ),
    ),
    hints=(
        "Think of the picture in lesson 00: rows are French words, columns English ones. "
        "A row belongs to a word that looks for something, a column to a word that can be found. "
        "Which of the three are rows: queries, keys or values?",
        "Rows belong to queries, columns to keys, and each key brings its value. "
        "So keys and values come from the same side, or a weight would meet the value of another token. "
        "Which side asks in this row of the table, and which is asked?",
        "The decoder writes French; the encoder has read English. "
        "In cross-attention the French words ask, and the English words are asked. "
        "Say first who makes the queries, then who makes the keys, then who makes the values. "
        "Use the two words from the question.",
    ),
)
row_of_a_padded_target = Question(
    answer=(True, True, False, False),
    wrong={
        (True, True, True, False): "That is the past alone. The third place is padding, and nobody may look at it, "
        "itself included.",
        (False, False, False, False): "You have hidden the query. A mask hides keys: a padded query keeps its row. "
        "What it finds is thrown away later.",
        (True, True, True, True): "Neither the future nor the padding is hidden in your row.",
        (False, False, True, False): "The place looks at itself alone in your row. Is there nothing real before it?",
        (False, False, True, True): "You marked what is hidden. True means: may look.",
        (True, False, False, False): "One place too few: two words are real, and both stand before the third place.",
        (True, True, False, True): "The last place is padding, and it lies in the future too.",
    },
    hints=(
        "Write down two rows and combine them: what the past allows, and what the length allows. "
        "The third place is padding, but in its own row it is the one that *asks*. "
        "A mask hides those who are looked at. "
        "So its row is made like any other.",
        "The past of the third place: True, True, True, False. "
        "The length 2: True, True, False, False. "
        "The first of them comes from the causal mask. "
        "The second is the same for every query of this sentence. "
        "Put one below the other, and go along the keys.",
        "Allowed is what both rows allow. "
        "Take the four keys one by one, and write True only where both rows have True. "
        "Look twice at the third key, which is the padded place itself: the past allows it. "
        "Does the length allow it, too?",
    ),
)
normalised_token = Question(
    answer=(-1.0, 1.0),
    wrong={
        (-0.7071, 0.7071): "You divided by the square root of 2: that variance was divided by features - 1. "
        "LayerNorm divides by the number of features, which is 2.",
        (0.0, 1.0): "That is another way to bring numbers to one scale. LayerNorm makes the mean 0 and the variance 1.",
        (-10.0, 10.0): "The mean is 0 now. The second step divides by the standard deviation.",
        (-0.1, 0.1): "You divided by the variance, 100. Its square root is the standard deviation.",
        (0.3333, 1.0): "You divided by the largest number. LayerNorm begins by subtracting the mean.",
        (0.25, 0.75): "You divided by the sum. LayerNorm begins by subtracting the mean.",
        (-0.5, 0.5): "You divided by the distance from the smallest number to the largest. "
        "LayerNorm divides by the standard deviation: the root of the mean squared distance from the mean.",
        (10.0, 30.0): "That is the token as it was.",
        (0.4472, 1.3416): "You divided by the root of the mean square. LayerNorm subtracts the mean first.",
        (1.0, -1.0): "The sizes are right. Which of the two numbers lies below the mean?",
    },
    hints=(
        "The mean is 20. "
        "How far from it is each of the two numbers? "
        "Keep the signs: one lies below the mean, and one above. "
        "Then you need one more number, the standard deviation, which says how far they lie from the mean in "
        "general.",
        "The variance is the mean of the squared distances, the standard deviation is its root. "
        "A mean of two squares divides by 2. "
        "For the distances -3 and 3 the squares are 9 and 9, so the variance is 9, and its root is 3.",
        "The distances are -10 and 10. "
        "Divide each by the standard deviation. "
        "The squares are 100 and 100: what is their mean, and what is the root of that? "
        "Your two results lie equally far from 0, one on each side.",
    ),
)
loss_of_a_guess = Question(
    answer=math.log(33),
    tolerance=1e-3,  # log 32 is another answer
    wrong={
        3.4657: "That is the logarithm of 32: one word is missing. "
        "The model gives a number to each of the 33, also to the signs, and it does not know that some never come.",
        3.4340: "That is the logarithm of 31: the two signs are missing. "
        "The model gives a number to each of the 33, and it does not know yet that the signs never come.",
        3.4012: "That is the logarithm of 30: the full stop and the two signs are missing. "
        "All three are among the 33, and the model gives a number to each of these.",
        3.5264: "That is the logarithm of 34. The full stop and the signs are among the 33 already.",
        0.10595: "You multiplied -log by the probability. The loss of one word is -log of the probability alone.",
        0.0303: "That is the probability of the right word, 1/33. The loss is -log of it.",
        -3.4965: "The size is right. The logarithm of a number below 1 is negative, and the loss is minus that.",
        1.5185: "You took the logarithm to base 10. In this course log is the natural one, `math.log`.",
        5.0444: "You took the logarithm to base 2. In this course log is the natural one, `math.log`.",
        33.0: "That is the number of words. What is the probability of each, and what is -log of that?",
        0.9697: "That is the chance to guess another word. The loss is -log of the probability of the right one.",
        3.2581: "You counted the English words. The model chooses among the French ones, and there are 33.",
    },
    hints=(
        "33 words, all equally likely: which probability has the right one? "
        "All 33 together are 1, and none is preferred. "
        "Which word is right does not matter here, since the model gives the same to each. "
        "So the loss is the same for every word.",
        "The loss of one word is -log of that probability, with the natural logarithm. "
        "In Python that is `math.log`. "
        "A probability is below 1, so its logarithm is below 0, and the minus makes the loss positive. "
        "For a fair coin it is about 0.69.",
        "The minus in front of a logarithm turns a fraction over: for the coin, the loss is the logarithm of 2. "
        "What is it for one word in 33? "
        "Let Python work it out. "
        "Your number lies between 3 and 4.",
    ),
)
who_tells_the_article = Question(
    answer="b",
    wrong={
        "a": "The article is the first word of the sentence: before it, nothing is written but the start sign.",
        "c": "Then half of all first articles would have the other gender, and in our run none of them had.",
        "d": "The feed-forward part sees one token at a time. If the gender is not in what this token has gathered, "
        "it cannot find it.",
    },
    hints=(
        "To choose between le and la, the model must know which noun follows. "
        "Where does this noun stand? "
        "In this test the decoder may look at one English word only, and it is not the noun. "
        "So the news of the noun must have come to that place before.",
        "What the decoder finds at the place of the word the is no longer the bare word. "
        "It is a vector that has been through half of the model already. "
        "Which half works on the English sentence before the decoder looks at it?",
        "Before the decoder looks, the English words have looked at each other. "
        "So the vector in the place of `the` can hold news of the noun behind it. "
        "Which of the four answers names the part of the model where this happens?",
    ),
)
without_the_causal_mask = Question(
    answer="b",
    wrong={
        "a": "Why should it be harder to guess the next word for someone who can see it?",
        "c": "In training it sees the next word. What will it look at when there is none yet?",
        "d": "Nothing crashes: to allow too much is a silent mistake. The shapes are the same.",
    },
    hints=(
        "In training, where does the word stand that a place has to guess? "
        "Look at the table with the two rows, what is shown and what is to guess: the word stands one place further "
        "on. "
        "Who may look there, if no mask forbids it?",
        "What is the easiest way to guess a word that one can see? "
        "Training rewards all that makes the loss small, and copying does. "
        "So how low will the loss get? "
        "And what does a model that copies have to learn about English?",
        "And when the model writes for itself, where is that word? "
        "It has not been written yet, so there is nothing to copy. "
        "Now answer both halves of the question: how low the loss gets in training, and how many new sentences come "
        "out right.",
    ),
)
line_without_a_shift = Question(
    answer=3,
    wrong={
        1: "This line reads the English texts into a tensor of numbers, as it should.",
        2: "This line reads the French texts into a tensor of numbers, as it should. What is done with them?",
        4: "This line asks for the scores of the next words. It can only be as good as what it is given.",
        5: "This line compares the scores with the words that should come. Which words has the model been shown?",
    },
    hints=(
        "Place 0 is to guess the first French word. "
        "What is it shown at this place? "
        "The table of how it learns has two rows, what is shown and what is to guess. "
        "They differ by one place. "
        "Which of the five lines makes each of these rows?",
        "Each place may look at itself. "
        "So what it is shown must not be what it has to guess. "
        "Follow the French words through the five lines, once on their way into the model, and once on their way "
        "into the loss. "
        "Where should the two ways part?",
        "Compare with the sentence above: the French words, one place later, behind a start sign. "
        "One of the lines should make this row, and does not: no start sign comes into its numbers. "
        "The line of the loss is right. "
        "It asks for the words themselves.",
    ),
)
without_the_output_weights = Question(
    answer=("ruined", "as good"),
    wrong={
        ("ruined", "worse"): "The trained model is as you say. "
        "For the second, choose one of the two words: a model that never had W_O learns to do without.",
    }
    | _slips(
        ("ruined", "as good"),
        ("ruined", "as good"),
        (
            "Look at the trained model first. Everything that comes after W_O has learned to read what W_O writes. "
            "What does it get to read now?",
            "The trained model is as you say. A model that never had W_O learns to do without: "
            "the values and the layers around can do its work. Is anything missing that they cannot learn?",
        ),
    ),
    hints=(
        "A part can be important because it carries information, or because others have got used to it. "
        "To take it out of a trained model tests the two together. "
        "To train without it from the start tests the first alone. "
        "So the two answers may differ.",
        "Think of lesson 05: where heads times head size is the model size, nothing breaks without W_O. "
        "So a model can learn without it. "
        "But the trained one has learned *with* it. "
        "What do the parts behind it expect to receive?",
        "What has been learned together cannot be taken apart. "
        "What was never there is not missed. "
        "One of these two sentences is about the first model of the question, the other is about the second. "
        "Which is about which? "
        "Answer in the order of the question.",
    ),
)
