"""Lesson 02: from queries and keys to scores, from scores to weights, from weights to a mean of values."""

from math import isqrt, sqrt

import mha_ref
from autograder.exercise import Exercise, Step
from autograder.question import Question, short, varied
from mha_lessons.lesson_00_start_here.properties import (
    batch_items_do_not_touch_each_other,
    every_key_counts,
    outputs_lie_between_the_values,
    rows_do_not_touch_each_other,
    twice_the_values_twice_the_output,
)
from mha_lessons.lesson_01_softmax.properties import (
    every_score_gets_something,
    weights_are_not_negative,
    weights_sum_to_one,
)

from . import cases
from .properties import (
    features_may_change_places,
    keys_with_their_values_may_be_shuffled,
    twice_the_query_squares_the_proportions,
    twice_the_query_twice_the_scores,
)

similarity = Step(mha_ref.similarity)

scale = Step(mha_ref.scale)

attention_scores = Exercise(
    mha_ref.attention_scores,
    cases.query_key,
    points=2,
    properties=(
        rows_do_not_touch_each_other,
        batch_items_do_not_touch_each_other,
        features_may_change_places,
        twice_the_query_twice_the_scores,
    ),
)

masked_weights = Step(mha_ref.masked_weights)

attention_weights = Exercise(
    mha_ref.attention_weights,
    cases.query_key,
    points=1,
    properties=(
        weights_are_not_negative,
        weights_sum_to_one,
        rows_do_not_touch_each_other,
        batch_items_do_not_touch_each_other,
        every_score_gets_something,
        features_may_change_places,
        twice_the_query_squares_the_proportions,
    ),
)

scaled_dot_product_attention = Exercise(
    mha_ref.scaled_dot_product_attention,
    cases.query_key_value,
    points=2,
    properties=(
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        twice_the_values_twice_the_output,
        outputs_lie_between_the_values,
        every_key_counts,
        keys_with_their_values_may_be_shuffled,
    ),
)


# questions


@varied(features=(100, 36, 49, 81, 121, 144, 196, 225, 256, 400, 900))
def score_variance(features):
    """The query and the key have {features} features each."""
    near = [features + away for away in range(-5, 6) if away not in (-1, 0)]
    return Question(
        answer=features,
        tolerance=0.5 / features,  # one less is another idea
        wrong={
            isqrt(features): f"{isqrt(features)} is the standard deviation. "
            "The question asks for its square, the variance.",
            1: f"1 is the variance of a single product. Here {features} independent products are summed, "
            "and variances add up.",
            features**2: f"That would need every product to have a variance of {features}. "
            f"Each has 1, and there are {features} of them.",
            0: "0 is the mean: positive and negative products cancel on average. "
            "The variance says how far from it one such sum typically is.",
            features - 1: "That is close. The formula with n - 1 is for a variance that is estimated from a sample. "
            "Here nothing is estimated, and every product counts.",
            short(1 / isqrt(features)): "You divided by a root. Nothing is scaled yet: "
            "the question asks for the plain dot product.",
            2 * features: f"A query and a key have {2 * features} features together, but they meet in pairs. "
            "How many products are summed?",
            64: "64 is the number of keys in the cell below. "
            "A dot product does not depend on how many other keys there are.",
            **dict.fromkeys(
                near,
                "That is close. If you measured it, remember that a sample misses the true variance by a little. "
                "Which whole number do the two points above lead to?",
            ),
        },
    )


size_above_ninety_percent = Question(
    answer=512,
    tolerance=0,
    wrong={
        **dict.fromkeys(
            (0.9, 0.93),
            "That is a height of the curve, a weight. The question asks for the number of features at that mark.",
        ),
        **dict.fromkeys(
            (1, 2, 3, 5, 500, 511, 513),
            "That is not one of the five sizes. The title of the picture lists them in the order of the marks.",
        ),
        64: "At 64 features the unscaled curve is near 0.8, still below 0.9. Follow it further to the right.",
        16: "At 16 features the unscaled curve is near 0.6. Follow it further to the right.",
        4096: "At 4096 it is above 0.9, but not for the first time. Look at the point to its left.",
        4: "At 4 features the largest weight is still about a quarter. Find 0.9 on the vertical axis first.",
    },
)

why_scale = Question(
    answer="b",
    wrong={
        "a": "Many people think so, but you measured that the slopes of softmax get smaller, not larger. "
        "However large the scores are, no slope w(1 - w) is ever above 1/4. "
        "Look at the last picture again.",
        "c": "It is the other way round: large scores make the weights peaked. "
        "The weights became flat when we divided by too much, by the number of features without a root.",
        "d": "A stable softmax subtracts the largest score first, so it never overflows, scaled or not. "
        "At 4096 features without scaling, the largest weight was 0.97 on average, an ordinary number.",
    },
)


@varied(
    query=(
        (2, 1, 0, 2),
        (3, 1, 0, 2),
        (1, 2, 0, 3),
        (4, 1, 0, 3),
        (2, 5, 0, 1),
        (1, 4, 0, 2),
        (3, 2, 0, 1),
        (5, 1, 0, 4),
    ),
    key=(
        (1, 3, 5, 0),
        (3, 1, 4, 0),
        (1, 5, 2, 0),
        (2, 3, 1, 0),
        (5, 1, 3, 0),
        (1, 7, 2, 0),
        (3, 5, 1, 0),
        (1, 4, 6, 0),
    ),
)
def scaled_score(query, key):
    """the query is ${query}$ and the key is ${key}$."""
    first, second, *_ = products = [q * k for q, k in zip(query, key)]
    score = sum(products)
    return Question(
        answer=score / 2,
        tolerance=2e-3,
        wrong={
            short(sqrt(score)): f"That is the root of {score}. Only the number of features is under the root.",
            short(score / 3): "You divided by 3. There are four features, since products that are 0 count, too, "
            "and the divisor is a root.",
            score * 4: "You multiplied by the number of features. Scaling divides, and by a root.",
            score: f"{score} is the plain dot product. "
            "You still have to divide it by the root of the number of features.",
            score / 4: "You divided by the number of features, 4. Divide by its root.",
            score * 2: "You multiplied by the root. Scaling makes scores smaller.",
            short(score / sqrt(3)): "You divided by the root of 3. There are four features; some products are 0, "
            "but they count.",
            short(score / sqrt(2)): "You divided by the root of 2. There are four features; some products are 0, "
            "but they count.",
            score / 16: "You divided by 16, the square of the number of features. Divide by its root.",
            short(sqrt(score / 4)): f"You took the root of the whole fraction, {score}/4. "
            "Only the number of features is under the root.",
            first * second: f"{first * second} is {first} times {second}. "
            "In a dot product the four products are added up. The division comes after that.",
            short(first * second / 2): f"{short(first * second / 2)} is half of {first * second}, "
            f"and {first * second} is {first} times {second}. In a dot product the four products are added up.",
            sum(query) * sum(key) / 2: "You summed each row first, and multiplied the two sums. "
            "A dot product first multiplies feature by feature, and then sums.",
        },
        values=dict(sum_of_products=" + ".join(map(str, products))),
    )


attention_in_order = Question(
    answer="f b d g a e",
    wrong={
        "f b g a e": "Your scores are never scaled: softmax takes them as they come from the product. "
        "Two lines divide by the root of the number of features. Which of them is for scores?",
        "f b g h a e": "You divide the weights by the root, so a row of them no longer sums to 1. "
        "Scaling is for scores, before softmax turns them into shares.",
        "f b d g h a e": "You divide twice, the scores and then the weights, and a row of weights no longer sums to 1. "
        "Once is enough, and one of the two lines comes too late.",
        "f b d c a e": "Your softmax runs down the columns, so each key is shared out among the queries. "
        "Each query shares out its attention among the keys: along which axis do the keys lie?",
        "f b g d a e": "You scale scores that softmax has used already, so that changes nothing. Scale them first.",
        "b f d g a e": "Line `b` uses `columns`, and the line that makes it comes after it.",
        "f d b g a e": "Line `d` uses `scores`, and the line that makes them comes after it.",
        "b d g a e": "Line `b` uses `columns`, and none of your lines makes it.",
        "f b d g e": "Line `e` gives back `mixed`, and none of your lines makes it.",
        "f b d g a": "Nothing is given back: a function ends with `return`.",
    },
)


@varied(batch=(2, 3, 4), queries=(5, 6, 9), keys=(7, 10, 11), features=(8, 16, 12), values=(3, 4, 2))
def attention_output_shape(batch, queries, keys, features, values):
    """There is a batch of {batch}, with {queries} queries and {keys} keys.
    Queries and keys have {features} features, and values have {values}.
    So `query` is `({batch}, {queries}, {features})`, `key` is `({batch}, {keys}, {features})`,
    `value` is `({batch}, {keys}, {values})`.
    """
    return Question(
        answer=(batch, queries, values),
        wrong={
            (batch, queries, features): "The features of the query are only compared; they are summed away in "
            f"the scores. The output is made of values, and those have {values} features.",
            (batch, keys, values): "That is the shape of the values. They are mixed over the keys, "
            "and each query gets one mixture.",
            (batch, queries, keys): "That is the shape of the weights. "
            f"They still have to mix the values, over the {keys} keys.",
            (batch, keys, features): "That is the shape of the keys. They are compared, but not in the output.",
            (batch, values, queries): "You have the right sizes. Queries are rows and value features are columns: "
            "queries come first.",
            (batch, keys, queries): "These are keys by queries: the table of weights on its side. "
            f"The weights still have to mix the values, over the {keys} keys.",
            (queries, values): "Each item of the batch gets an output of its own: the batch stays in front.",
        },
    )


colleagues_line = Question(
    answer=4,
    wrong={
        0: "The lines are numbered from 1 to 4; the comments in the code show the numbers.",
        1: "Line 1 multiplies each query with each key and sums over d: plain dot products, as its name says. "
        "Scaling could follow here, but it does not. Where does it come instead?",
        2: "Line 2 makes every row sum to 1, over the keys, as it should. "
        "True, its scores have not been scaled. In which line is the scaling?",
        3: "Line 3 mixes the values with weights that sum to 1. "
        "Up to here every mean is within the range of the values.",
    },
)


# from memory: about earlier lessons, unmarked


remember_three_weights = Question(
    answer=(0.5, 0.5, 0.0),
    points=0,
    wrong={
        (
            0.003,
            0.003,
            0.994,
        ): "You divided the scores by their sum, so the lowest one got the most. Lesson 01, *A score is not "
        "yet a share*, first makes each score positive.",
        (
            0.0498,
            0.0498,
            0.0,
        ): "These are exponentials, and they do not add up to 1 yet. Lesson 01, *Only differences count*, has "
        "the whole formula.",
        (
            1 / 3,
            1 / 3,
            1 / 3,
        ): "Equal scores get equal weights, but the third score is 997 points lower. Lesson 01, *Where exp "
        "overflows*, says what becomes of such a power of e.",
        (
            0.0,
            0.0,
            1.0,
        ): "You gave the whole to -1000, which is the lowest of the three. Lesson 01, *A score is not yet a "
        "share*, says what a better score gets.",
    },
)

remember_shared_values = Question(
    answer=(8, 2, 3),
    points=0,
    wrong={
        (2, 3): "That is one sentence. Each of the eight has its own weights, so the axis in front stays. Lesson "
        "00, *From loops to one operator*, has the rule.",
        (8, 5, 3): "5 is the number of keys. A mean adds up over them, so the 5 is gone. Lesson 00, *From loops to one "
        "operator*, shows which lengths vanish.",
        (8, 2, 5): "That is the shape of the weights, which still have to mix the values. Lesson 00, *From loops to "
        "one operator*, shows which lengths vanish.",
        (8, 2, 5, 3): "There are that many products of a weight and a value. A mean adds them up over the keys, as in "
        "lesson 00, *From loops to one operator*.",
        (8, 3, 2): "The numbers are right. Queries are rows and features are columns, as in lesson 00, *A weighted "
        "mean*: which comes first?",
        (16, 3): "There are 16 means, but not in one table: sentences and queries keep an axis each. Lesson 00, "
        "*From loops to one operator*, has the rule.",
    },
)


# to predict before a run, unmarked


predict_the_short_key = Question(
    answer="b",
    points=0,
    wrong={
        "a": "There is such a direction. But two longer keys are not far from it, one on each side: are their "
        "dot products so much smaller there?",
        "c": "Length helps, but so does direction. Point the query straight at *b*: what angles do the other "
        "keys make with it?",
    },
)
predict_what_is_left = Question(
    answer="a",
    points=0,
    wrong={
        "c": "One of the two is right. Scaled scores have a standard deviation of 1, whatever the number of "
        "features. Do six such scores leave one key with everything?",
        "b": "A slope is nearly 0 where a weight is near 0 or 1, so where one key takes everything. Which scores "
        "lie farther apart, scaled ones or the others?",
    },
)
