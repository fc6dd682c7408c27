"""Start here: the weighted mean, and how a lesson works."""

import mha_ref
from autograder.exercise import Exercise
from autograder.question import Question

from . import cases
from .properties import (
    batch_items_do_not_touch_each_other,
    every_key_counts,
    keys_may_change_places,
    outputs_lie_between_the_values,
    rows_do_not_touch_each_other,
    the_mean_of_two_rows_gives_the_mean_of_two_results,
    twice_the_values_twice_the_output,
)

blanc_looks_at = Question(
    answer="white",
    wrong={
        "cat": "`cat` and `blanc` are both the third words of their sentences, but the row `blanc` has only 0.01 "
        "at `cat`. Go along the row until you meet its darkest square.",
        "blanc": "`blanc` is the row. The question asks for the column in which this row has its largest number, "
        "and the columns are English words.",
        "chat": "`chat` is the row above. Stay in the row `blanc`, and read the English word above its darkest square.",
        "red": "`red` is where the row `rouge` looks. Stay in the row `blanc`: it is the third from the top.",
        "0.98": "That is the number itself. Which English word is at the top of its column?",
        0.98: "That is the number itself. Which English word is at the top of its column?",
        **{
            word: f"Below `{word}`, the row `blanc` has 0.00. Go along the row to its darkest square."
            for word in ("the", "sees", "a", "car")
        },
    },
)

lookup_weights = Question(
    answer="b",
    wrong={
        "a": "These weights take the same share of every value. The result is the plain mean, "
        "a bit of everything; a dictionary returns one value, and nothing of the others.",
        "c": "Only one key counts here, as in a dictionary. But its value comes out twice as large: "
        "these weights sum to 2. Shares of one whole sum to 1.",
    },
)

temperature_at_nine = Question(
    answer=12.0,
    wrong={
        7.5: "0.75 · 10 = 7.5 is the first of three products. What do 12:00 and 16:00 add to it?",
        4.5: "0.25 · 18 = 4.5 is the second of three products. What do 8:00 and 16:00 add to it?",
        12.5: "That is close, but it is not the sum of the three products 0.75 · 10, 0.25 · 18 and 0 · 22.",
        4.0: "Did you divide 12 by 3 at the end? The weights sum to 1, so no division is left to do. "
        "Or did you read off 4, the wind at 8:00?",
        6.0: "You divided by 2 at the end. The weights sum to 1, so no division is left to do: 0.75 + 0.25 + 0 = 1.",
        10.0: "That is the value of the nearest key alone. Its weight is 0.75: a quarter comes from the next key.",
        14.0: "You gave 8:00 and 12:00 equal shares. The weights are 0.75 and 0.25: 9:00 is nearer to 8:00.",
        16.0: "You swapped the shares: 0.25 of 8:00 and 0.75 of 12:00. The nearer key has the larger weight.",
        16.67: "That is the plain mean of all three, which gives each a third. Use the weights of the row 9:00.",
        20.0: "20 is the answer for 14:00, with the weights 0, 0.5 and 0.5. For 9:00 take the row below that one.",
        18.0: "18 is the answer for 12:00, with the weights 0, 1 and 0. For 9:00 take the third row.",
        22.0: "22 is the temperature at 16:00, and its weight in the row 9:00 is 0. Which weights are not 0 there?",
        28.0: "You added two whole temperatures. Multiply each by its weight before you add.",
        50.0: "You added all three whole temperatures. Multiply each by its weight before you add.",
        5.0: "That is the wind at 9:00, well mixed. The question asks for the temperature, the first feature.",
    },
)


shape_of_six_days = Question(
    answer=(6, 4, 2),
    wrong={
        (4, 3, 2): "These are the lengths of one day, in order. But there are six days, "
        "and 3 is the number of keys: they are added up, so they are gone.",
        (24, 2): "There are 24 rows, but not in one table: days and queries keep an axis each.",
        (4, 2): "That is one day. There are six, side by side, and each keeps its own result: the axis in front stays.",
        (6, 4, 3): "That is the shape of the weights. 3 is the number of keys; they are added up, so they are gone.",
        (6, 3, 2): "That is the shape of the values. 3 is the number of keys; they are added up, so they are gone.",
        (6, 2, 4): "You have the right numbers. Queries are rows and features are columns: queries come first.",
        (6, 3, 3): "3 is the number of keys. `@` adds up over the keys, so the result has no 3 at all.",
        (6, 6, 2): "The first 6 and the last 2 are right. Between them are the queries: how many of them are there?",
        (4, 6, 2): "The numbers are right. The axis in front stays in front: the days come first, then the queries.",
        (6, 4, 3, 2): "3 is the number of keys. `@` adds up over them, so they are gone from the result.",
        (6, 6, 4, 2): "Day 1 is not paired with day 2: the first weights belong to the first values, "
        "so the axis of six days appears once.",
        (36, 4, 2): "Each day is paired only with itself: the first weights belong to the first values.",
        (12, 4, 2): "The two sixes are the same six days. They are not added, so there are six results.",
    },
)


weighted_mean = Exercise(
    mha_ref.weighted_mean,
    cases.means,
    points=2,
    properties=(
        twice_the_values_twice_the_output,
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        every_key_counts,
        keys_may_change_places,
        outputs_lie_between_the_values,
        the_mean_of_two_rows_gives_the_mean_of_two_results,
    ),
)


# and a last question

une_also_looks_at = Question(
    answer="car",
    wrong={
        "a": "`a` is the first of the two, with 0.46 of the row. Which English word has the rest?",
        "red": "`red` has 0.00 in the row `une`. It is where the row `rouge` looks. "
        "Go along the row `une` again: two numbers are not 0.",
        "cat": "`cat` is the noun that the row `le` looks at. The row `une` is further down.",
        **{
            word: f"`{word}` has 0.00 in the row `une`. Two of its numbers are not 0: one belongs to `a`."
            for word in ("the", "white", "sees", ".")
        },
        "voiture": "That is the right word, but in French. Which English word is it?",
        "0.54": "That is the number itself. Which English word is at the top of its column?",
        0.54: "That is the number itself. Which English word is at the top of its column?",
    },
)


# where to begin: unmarked, about later lessons


entry_shifted_scores = Question(
    answer=0.75,
    points=0,
    wrong={
        0.5: "That would be for two equal scores. They differ as much as before: lesson 01 shows what follows.",
        1: "Both scores grew, and not the first alone. Lesson 01 shows what softmax looks at.",
    },
)

entry_score = Question(
    answer=3,
    points=0,
    wrong={
        24: "That is the dot product itself. Lesson 02 shows what it is divided by, and why.",
        0.375: "You divided by 64, the number of features. Lesson 02 shows why that is too much.",
        192: "You multiplied by the root of 64. Lesson 02 shows what scaling is for.",
    },
)

entry_causal_weights = Question(
    answer=(0.25, 0.25, 0.25, 0.25, 0),
    points=0,
    wrong={
        (0.2, 0.2, 0.2, 0.2, 0.2): "These are the weights without a mask. Lesson 03 is about what a token may see.",
        (0.2, 0.2, 0.2, 0.2, 0): "They no longer sum to 1. Lesson 03 shows where in the formula a mask belongs.",
        (1 / 3, 1 / 3, 1 / 3, 0, 0): "You hid the token from itself. Lesson 03 shows which keys a causal mask leaves.",
        (0, 0, 0, 0.5, 0.5): "These keys are the token itself and a later one. Lesson 03 says which way it looks.",
        (0, 0, 0, 0, 1): "This key comes later than the query. Lesson 03 says which way a token looks.",
        (0, 0, 0, 1, 0): "It may look at more than itself. Lesson 03 shows which keys a causal mask leaves.",
    },
)

entry_parameters_in_torch = Question(
    answer=44,
    points=0,
    wrong={
        40: "That is its matrix. It has something else that learns: lesson 04 opens this module.",
        14: "You added the two sizes. Lesson 04 opens this module.",
        4: "That is what it has beside its matrix. Lesson 04 opens this module.",
    },
)

entry_parameters_of_a_head = Question(
    answer=6400,
    points=0,
    wrong={
        1600: "That is one matrix, that of the queries or of the keys. Lesson 04 shows the others.",
        3200: "Those are two matrices, or that of the values alone. Lesson 04 shows all of them.",
        4800: "You left a matrix out, or gave the values 16 features. Lesson 04 shows all matrices of a head.",
        9600: "You gave queries, keys and values 32 features each. Lesson 04 counts each matrix by itself.",
        64: "Those are the columns of its matrices. Lesson 04 says how many rows they have.",
    },
)

entry_size_of_a_head = Question(
    answer=64,
    points=0,
    wrong={
        512: "Then eight heads together would be eight times as wide. Lesson 05 shows how they share the width.",
        8: "That is the number of heads. Lesson 05 shows how they share the width.",
    },
)

entry_line_that_splits = Question(
    answer="c",
    points=0,
    wrong={
        "a": "The shape is right, but a head gets pieces of several tokens. Lesson 06 shows that silent bug.",
        "b": "Here the last two axes are heads and features of one token. Lesson 06 says which two must meet.",
        "d": "The shape is right, but the features of a token are torn apart. Lesson 06 shows such silent bugs.",
    },
)

entry_cross_weights = Question(
    answer=(2, 8, 5, 7),
    points=0,
    wrong={
        (2, 8, 7, 5): "Rows are who asks, and columns are who is asked. Lesson 07 shows who asks here.",
        (2, 8, 5, 5): "That is the decoder looking at itself. Lesson 07 shows what is different here.",
        (2, 8, 7, 7): "That is the encoder looking at itself. Lesson 07 shows what is different here.",
        (2, 5, 7): "Each head has a table of its own. Lesson 05 shows several, and lesson 07 those of a decoder.",
        (8, 2, 5, 7): "The numbers are right. In this course the batch comes first: see lesson 06.",
        (2, 5, 8, 7): "The numbers are right. The heads come before the tokens: see lesson 06.",
    },
)
