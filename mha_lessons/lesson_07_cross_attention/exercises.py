"""Lesson 07: one sequence looks at another, alone and in a decoder layer, and what people believe about it."""

import math
from itertools import product

import mha_ref
from autograder import layers
from autograder.exercise import LAYER_OF_TORCH, Exercise, ModuleExercise, Question, Step, TestWriting
from mha_lessons.lesson_05_multi_head.properties import twice_the_output_weights_twice_the_output

from . import cases
from .properties import (
    a_blocked_source_has_no_influence,
    each_part_alone_finds_what_it_should,
    each_part_reads_one_normalised_copy,
    every_item_has_its_own_memory,
    every_source_has_influence,
    every_target_is_computed_by_itself,
    nothing_found_leaves_x_as_it_came,
    sources_may_be_shuffled,
    targets_meet_in_self_attention_only,
)

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
    cases.two_sequences,
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
    cases.two_lengths,
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
    cases.decoder,
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
