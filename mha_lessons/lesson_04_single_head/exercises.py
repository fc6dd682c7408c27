"""Lesson 04: three learned matrices, what people do with them, and what torch does for them."""

import mha_ref
from autograder.exercise import Exercise, ModuleExercise, Step
from autograder.question import Question, varied
from mha_lessons.lesson_00_start_here.properties import batch_items_do_not_touch_each_other
from mha_lessons.lesson_03_masks.properties import rows_with_nothing_allowed_are_zero

from . import cases
from .properties import blocked_tokens_have_no_influence, scores_are_products_of_queries_and_keys, values_are_only_mixed

project = Step(mha_ref.project)

attention_head = Exercise(
    mha_ref.attention_head,
    cases.one_head,
    points=2,
    library="torch",
    properties=(
        rows_with_nothing_allowed_are_zero,
        batch_items_do_not_touch_each_other,
        blocked_tokens_have_no_influence,
        values_are_only_mixed,
        scores_are_products_of_queries_and_keys,
    ),
)

AttentionHead = ModuleExercise(
    mha_ref.attention_head,
    cases.self_layer,
    sizes=dict(model_size=lambda i: len(i["w_query"]), head_size=lambda i: i["w_query"].shape[-1]),
    inspection="mha_lessons.lesson_04_single_head.layers.inspection:attention_head",
    points=3,
    properties=(
        rows_with_nothing_allowed_are_zero,
        batch_items_do_not_touch_each_other,
        blocked_tokens_have_no_influence,
        values_are_only_mixed,
        scores_are_products_of_queries_and_keys,
    ),
)


# questions


@varied(sentences=(2, 3, 6), words=(5, 7, 9), features=(16, 24, 32), size=(4, 8, 10), values=(3, 6, 12))
def head_output_shape(sentences, words, features, size, values):
    """A batch of {sentences} sentences has {words} words each, with {features} features:
    `x` is `({sentences}, {words}, {features})`.
    `w_query` and `w_key` are `({features}, {size})`, `w_value` is `({features}, {values})`.
    """
    one_number = "That is one number for each word. A word receives a mixture of values. How long are these?"
    return Question(
        answer=(sentences, words, values),
        wrong={
            (sentences, words, size): f"{size} is the size of queries and keys. They are compared, "
            "and their features are summed away. The head hands over values.",
            (sentences, words, features): f"{features} is the size of a word. The head mixes values, "
            "and `w_value` has made these from the words.",
            (sentences, words, words): "That is the shape of the shares, words against words. "
            "They still have to mix the values.",
            (sentences, size, values): f"{size} is the size of queries and keys. Each of the {words} words asks, "
            "so each of them gets an answer.",
            (words, sentences, values): "The sizes are right. The batch stays where it is in `x`, in front.",
            (sentences * words, values): f"The {sentences} sentences of {words} words stay apart: "
            "the batch keeps an axis of its own.",
            (sentences, values): "That is one answer for each sentence. Every word asks, so every word gets an answer.",
            (sentences, words): one_number,
            (words, values): f"The batch stays in front: each of the {sentences} sentences gets an output of its own.",
            (sentences, values, words): "The sizes are right. Words are rows and features are columns: "
            "words come first.",
            (sentences, words, size + values): f"{size} and {values} are not joined: the {size} features of "
            "queries and keys are summed away in the scores. The output is made of values.",
            (sentences, words, 1): one_number,
            (sentences, words, 2 * size + values): "You put queries, keys and values side by side. "
            "Queries and keys only decide the shares; the output is made of values.",
            (sentences, words, 3 * size): f"{size}, {size} and {values} are not joined. "
            "Queries and keys only decide the shares.",
            (features, values): f"That is the shape of `w_value`. In the product with the words, its {features} meets "
            "theirs and disappears.",
            (sentences, features, values): f"The {features} features of the words meet the {features} rows of the "
            "matrix and disappear. What is left of `x`?",
        },
    )


share_of_street = Question(
    answer=0.15,
    wrong={
        0.2: "That is its share in the other sentence. All shares are now divided by a new sum, "
        "and *animal* has gone from 0.4 to 0.3.",
        0.3: "Did you give *street* what *animal* has lost, 0.2 + 0.1, or as much as *animal*, or swap the two? "
        "Neither of their scores has changed. Only the sum that divides them has, and it is the same for both.",
        0.4: "You assumed that the new word helps *street*. But *it* asks the same question as before, and *street* "
        "offers the same key.",
        0.6: "You doubled instead of halving. In the first sentence *street* has half as much as *animal*.",
        0.1: "You took the same difference away from both. Shares are e to the score, over a sum: a new sum "
        "divides, it does not subtract.",
        0.5: "You added up two of the shares. Another sum divides them, and it is the same for both.",
        0.05: "That is what *street* loses. How much does it have left?",
        0.7: "That is all that *animal* leaves to the others. The other ten words have shares of it, too.",
    },
    tolerance=1e-3,
)


linear_weight_shape = Question(
    answer=(4, 6),
    wrong={
        (6, 4): "You give the sizes in that order, and our own matrices have it, too. "
        "But `nn.Linear` stores its matrix on its side.",
        (4, 7): "A bias would be a parameter of its own, beside the matrix, and there is none here.",
        (6,): "That is one row of it: the six numbers that make one output.",
        (4,): "That would be the shape of the bias, and there is none.",
        (24,): "There are indeed 24 numbers. They are stored as a table with two axes.",
        (6, 6): "Six inputs become four outputs, so both sizes are in the shape.",
        (4, 4): "Six inputs become four outputs, so both sizes are in the shape.",
    },
)

matrices_that_learn = Question(
    answer=2,
    wrong={
        4: "All four exist. But a module registers only attributes that are parameters or modules. "
        "Two of the four are neither.",
        3: "The module does not see one of your three. Is it an ordinary tensor, or is it in an ordinary list?",
        1: "There are two ways to be seen: as a module like `nn.Linear`, and as an `nn.Parameter`. "
        "Each of the two occurs once among the attributes.",
        0: "Some of it does learn. Look at the first of the four lines.",
    },
)


@varied(features=(512, 256, 320, 384, 640, 768, 1024), size=(64, 32, 40, 48, 80, 96, 128))
def parameters_of_a_head(features, size):
    """A head takes words with {features} features, and its queries, keys and values all have {size}."""
    one = features * size
    nearly = "Nearly. Count every single parameter, so do not round."
    return Question(
        answer=3 * one,
        wrong={
            one: "That is one of the matrices. How many does a head have?",
            2 * one: "That is two of the matrices. The values have one too.",
            4 * one: "That is four matrices. The fourth comes in lesson 05; a single head has three.",
            3 * one + size: f"You counted a bias of {size}. This head has none.",
            3 * features: f"That is 3 times {features}. Each of the three matrices has {features} rows, "
            "but how many columns?",
            3 * (one + size): f"You counted a bias of {size} for each matrix. This head has none.",
            3 * features**2: f"Those are three matrices of {features} by {features}. "
            f"Here each leads from {features} features to {size}.",
            3 * one // 100 * 100: nearly,
            3 * one // 1000 * 1000: nearly,
            features + 2 * size: "You added sizes. A matrix has a number for each row *and* each column: "
            "multiply the sizes.",
            3 * size: f"That is 3 times {size}, the numbers that a word becomes. "
            f"Each is made by a whole column of {features} parameters.",
            3 * (features + size): f"You added {features} and {size}. "
            "A matrix has a number for each row *and* each column: multiply the sizes.",
            3 * size**2: f"Those are three matrices of {size} by {size}. Each takes in words of {features} features.",
        },
        tolerance=0,
        values=dict(one=one),
    )


# from memory: about earlier lessons, unmarked


remember_the_sign_of_peeking = Question(
    answer="c",
    points=0,
    wrong={
        "b": "A model that peeks has a low loss, but so has one that learned its task well. Lesson 03, *Do not "
        "give away the answer*, asks how to tell the two apart.",
        "a": "That is how it should be: a token may look at what came before it. Lesson 03, *Do not give away "
        "the answer*, looks for the other direction.",
    },
)

remember_the_sum_of_a_table = Question(
    answer=4,
    points=0,
    wrong={
        1: "That is the sum for one query. Each query shares out a whole of its own, says lesson 01, *Rows and axes*.",
        7: "That would be so along the other axis, with a whole for each key. Lesson 01, *Rows and axes*, says "
        "who shares out attention.",
        28: "Then each weight would be 1. A weight is a share of its row, as lesson 01 shows in *Rows and axes*.",
        11: "You added up the two sizes of the table. How much does a single row hold? See lesson 01, *Rows and axes*.",
    },
)


# to predict before a run, unmarked


predict_who_loves_whom = Question(
    answer="b",
    points=0,
    wrong={
        "a": "The two words change places, and each place gets a half. What is half of one word and half of the "
        "other, in either order?",
        "c": "Half of the attention goes to the object, so it takes part in what arrives. Add up both halves, "
        "for each sentence.",
    },
)
