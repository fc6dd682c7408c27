"""Lesson 15: how other layers write down masks and weights, and how weights are carried over."""

import mha_ref
from autograder.exercise import Exercise, Step
from autograder.question import Question, varied

from . import cases
from .properties import every_number_arrives_once

to_allowed = Exercise(
    mha_ref.to_allowed,
    cases.conventions,
    points=2,
    library="torch",
)
from_torch = Exercise(
    mha_ref.from_torch,
    cases.states_of_torch,
    points=2,
    library="torch",
    properties=(every_number_arrives_once,),
    copies=True,
)
from_gpt2 = Exercise(
    mha_ref.from_gpt2,
    cases.states_of_gpt2,
    points=2,
    library="torch",
    properties=(every_number_arrives_once,),
    copies=True,
)
thirds = Step(mha_ref.thirds)
under_our_names = Step(mha_ref.under_our_names)


misread_mask = Question(
    answer=(False, False, True, True),
    wrong={
        (True, True, False, False): "That is what our mask means: keys 0 and 1. "
        "PyTorch's layer reads the same True as a barrier.",
        (False, True, True, True): "That is the first query: key 0 is blocked for it. Take the second row.",
        (False, False, False, True): "That is the third query. Take the second row of the mask, and invert it.",
        (True, False, True, True): "This blocks one key. In our mask, the second query may look at two. Invert the "
        "whole row.",
        (True, False, False, False): "In our mask, the second query may look at keys 0 and 1. Invert that row.",
    },
)


@varied(sizes=[(size, 3 * size) for size in (768, 128, 192, 256, 320, 384, 512, 640, 896, 1024, 1280)])
def rows_of_the_keys(sizes):
    """For a model size of {sizes[0]}, `in_proj_weight` has the shape ({sizes[1]}, {sizes[0]})."""
    size, rows = sizes
    return Question(
        answer=(size, 2 * size),
        wrong={
            (0, size): "These rows make the queries. The keys come next.",
            (2 * size, rows): "These rows make the values. The keys come before them.",
            (size, 2 * size - 1): "In Python, a slice stops before its second number.",
            (size + 1, 2 * size): f"Rows are counted from 0: the queries have the rows 0 to {size - 1}.",
            (size, size): f"The keys' block is {size} rows long. A slice needs its end, not its length.",
            (1, 2): f"You counted blocks. Each block has {size} rows; give the rows.",
        },
        tolerance=0,
        values=dict(size=size, rows=rows, last_of_queries=size - 1),
    )


padding_for_torch = Question(
    answer="d",
    wrong={
        "a": "It has four axes, and True means a real word. PyTorch wants (batch, keys), and True for padding.",
        "b": "Here True means padding, as it should. But there are still four axes; PyTorch wants (batch, keys).",
        "c": "The shape is right, (batch, keys). But True still means a real word; PyTorch wants True for padding.",
    },
)


arguments_of_the_other_layer = Question(
    answer="c",
    wrong={
        "a": "The first argument of that layer is the values, and its mask says what is blocked.",
        "b": "The order is right. But a 1 means blocked there, and True means allowed in your mask.",
        "d": "The mask is right. But the order is v, k, q: the sequence that asks comes third.",
    },
)


load_without_turning = Question(
    answer="neither",
    wrong={
        "c_attn": "Cut it first: three pieces of 768 columns each, from a block with 768 rows. "
        "What shape does each piece have, and what shape does our layer want?",
        "c_proj": "Its shape is (768, 768). Transpose it in your mind: what shape does it have then?",
        "both": "An error needs a shape that does not fit. What shapes do the four pieces have, "
        "transposed and not transposed?",
    },
)

same_logits_other_text = Question(
    answer="b",
    wrong={
        "a": "The logits of a whole text agree to 1e-5, so the weights and the arithmetic are right.",
        "c": "Greedy decoding takes the largest logit and draws nothing.",
        "d": "Rounding of 1e-6 changes the largest logit only in a near tie, and without a cache the two texts agree. "
        "What does the model send to the layer after the first token is written?",
    },
)

what_notices_all_six = Question(
    answer="c",
    wrong={
        "a": "It compares names and shapes. Which of the six changes one of these?",
        "b": "A text shows which logit is the largest, not how large it is. "
        "In a model with small weights, how often does a wrong layer change the winner?",
        "d": "The shapes are right in all six: that is why they are silent.",
    },
)


# from memory: about earlier lessons, unmarked


remember_a_saturated_row = Question(
    answer="b",
    points=0,
    wrong={
        "a": "The way to the queries leads back through softmax, and a saturated row lets nothing through: see "
        "lesson 14, *Back through attention*.",
        "c": "Keys are reached through the scores, behind softmax, and a saturated row lets nothing through: see "
        "lesson 14, *Back through attention*.",
    },
)

remember_a_pair_of_columns = Question(
    answer=5,
    points=0,
    wrong={
        0: "That is so in our `apply_rotary`, which pairs neighbours. The code in lesson 12, *The same in a "
        "library*, has another rule.",
        2: "Neither rule has this pair: neighbours begin with 0 and 1. The code in lesson 12, *The same in a "
        "library*, cuts the columns into halves.",
        4: "Column 4 is the first of the right half, and its partner is the first of the left: see lesson 12, "
        "*The same in a library*.",
        6: "One too far. Which place does column 1 have in the left half? See lesson 12, *The same in a library*.",
        7: "You paired from the outside to the inside. Both halves are read from left to right: see lesson 12, "
        "*The same in a library*.",
    },
    tolerance=1e-3,
)
