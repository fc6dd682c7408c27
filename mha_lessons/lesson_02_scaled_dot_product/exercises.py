"""Lesson 02: from queries and keys to scores, from scores to weights, from weights to a mean of values."""

from math import isqrt, sqrt

import mha_ref
from autograder.exercise import Exercise, Question, Step, TestWriting
from autograder.ordering import Ordering
from autograder.variants import short, varied
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

# do you remember lessons 00 and 01?

remember_larger_scores = Question(
    answer="c",
    points=0,
    wrong={
        "a": "Adding the same number to all scores leaves the weights as they are. "
        "Multiplying makes the differences ten times as large, and differences are what counts. "
        "Look at lesson 01, *Only differences count*.",
        "b": "Small differences make weights even. Here the differences grow from 1 to 10, as at a temperature of 0.1. "
        "Look at lesson 01, *Temperature*.",
    },
    hints=(
        "Softmax looks at the differences between scores. "
        "Which ones are there before, and which afterwards? "
        "Write both rows down, 2, 1, 0 and 20, 10, 0, and the step from each score to the next. "
        "Then ask what a larger step does to two weights.",
        "A score that is 1 higher makes the weight 2.7 times as large. "
        "A score that is 2 higher does so twice: 2.7 times 2.7 times as large. "
        "What does a score do that is 10 higher? "
        "And how much is left for the other two?",
        "Compare the first weight with the second: it was e times as large. "
        "Now it is e to the power of 10, and that is about 22,000 times as large. "
        "The three weights still sum to 1. "
        "Which of the three sentences fits such a row?",
    ),
)

remember_the_sum = Question(
    answer=4,
    points=0,
    wrong={
        1: "That would be one whole for the table. Each query has a whole of its own to share out. "
        "Look at lesson 01, *Rows, axes and keepdims*.",
        6: "That would be softmax along the first axis: there the column of each key sums to 1. "
        "Along the last axis the rows do. Look at the two tables of lesson 01, *Write softmax*.",
        24: "That would be a weight of 1 for each pair. Weights are shares: those of one row are 1 together. "
        "Look at lesson 01, *A score is not yet a share*.",
    },
    hints=(
        "You need not know a single score. "
        "What do you know of weights that softmax has made? "
        "Think of one row first: its weights are the shares of one whole, whatever the scores were. "
        "Then go on from one row to the whole table.",
        "The last axis runs along a row, from key to key, and there are 6 weights in it. "
        "What is their sum? "
        "Try six equal scores: each weight is one sixth. "
        "With other scores the weights are others. "
        "Does their sum change, too?",
        "Each row sums to 1. "
        "How many rows has the table? "
        "The number of columns plays no part: with more keys a row has more weights, and each of them is smaller. "
        "So count one whole for each query, and add up these wholes.",
    ),
)

remember_the_range = Question(
    answer="b",
    points=0,
    wrong={
        "a": "3 is what comes out if the first value has all the weight, as in a dictionary. "
        "Look at lesson 00, *A weighted mean*.",
        "c": "6.2 lies between the smallest value and the largest, and the weights 0, 0.7 and 0.3 lead there. "
        "Look at lesson 00, *Your first function*: in which range can a mean lie?",
    },
    hints=(
        "Weights are shares of one whole. "
        "How large can such a mean get at most? "
        "Play with the shares of 3, 5 and 9: equal shares first, then more and more for the 9. "
        "Does the mean ever come above the value that you favour?",
        "Give all the weight to the largest value. "
        "What comes out? "
        "Can other weights make it more? "
        "Then give all of it to the smallest value, and ask the same in the other direction. "
        "Now you know the two ends that no mean can pass.",
        "A weighted mean lies between the smallest of its values and the largest. "
        "Which number does not? "
        "Both ends can be reached: with all the weight on one value, that value comes out. "
        "Mark the ends on a line, and then the three answers.",
    ),
)

similarity = Step(mha_ref.similarity)

scale = Step(mha_ref.scale)

attention_scores = Exercise(
    mha_ref.attention_scores,
    cases.query_key,
    points=2,
    hints=(
        "A score says how well one key answers one query: the dot product of two rows, multiplied feature by feature "
        "and summed. All scores at once are one matrix product. "
        "Then they are brought back to a standard deviation of about 1, "
        "because a sum of many products spreads out like the root of how many there are.",
        "Write down both shapes: (queries, features) and (keys, features). "
        "In a matrix product the two inner axes meet and disappear, so both must be features. "
        "Which of the two arrays has to be turned for that, and which two of its axes change places? "
        "A batch in front stays where it is. One of the shapes also tells how many features there are.",
        "One line is enough. It multiplies the query by the key whose last two axes have changed places, "
        "and divides every number of the product by a square root: that of the length of the query's last axis. "
        "Count axes from the end (-1 is the last), so that a batch in front changes nothing.",
    ),
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
    hints=(
        "Each query has one whole attention to give, and shares it out over the keys. "
        "Scores say who deserves more; softmax turns them into shares that are positive and sum to 1. "
        "Both are there already: the scores from the exercise before this one, softmax from lesson 01.",
        "Two calls are enough, one inside the other. "
        "The inner one makes scores of shape (queries, keys) out of query and key. "
        "The outer one works along a single axis: the one on which the keys lie, "
        "since a query shares itself out over keys. "
        "The scores come out of the inner call already scaled.",
        "Return softmax of what `attention_scores` gives for this query and this key. "
        "The keys lie on the last axis of the scores, and that is the axis which softmax takes when you name none. "
        "Nothing is divided by a root here: that has happened inside, and must happen once.",
    ),
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
    hints=(
        "Queries and keys decide who is looked at, and how much. Values are what is handed over. "
        "So the two questions come one after the other: first the weights, which know nothing of the values, "
        "then one weighted mean of the values for each query.",
        "The weights have shape (queries, keys), the values (keys, value_features). "
        "The keys are the axis that both share: one weight for each value. They meet and disappear, "
        "and one row of value features is left for each query. "
        "Which function of lesson 00 does that?",
        "Take the weights of this query and this key from the exercise before this one. "
        "Give them, first, and the values, second, to `weighted_mean`, and return what comes back. "
        "The query and the key are not needed for anything else, and nothing is divided after mixing.",
    ),
    properties=(
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        twice_the_values_twice_the_output,
        outputs_lie_between_the_values,
        every_key_counts,
        keys_with_their_values_may_be_shuffled,
    ),
)


attention_in_order = Ordering(
    scaled_dot_product_attention,
    lines={
        "a": "parts = weights[..., None] * value[..., None, :, :]",
        "b": "scores = products.sum(axis=-1)",
        "c": "weights = softmax(scores, axis=-2)",
        "d": "scores = scores / np.sqrt(size)",
        "e": "return parts.sum(axis=-2)",
        "f": "size = query.shape[-1]",
        "g": "products = query[..., :, None, :] * key[..., None, :, :]",
        "h": "weights = softmax(scores, axis=-1)",
        "i": "weights = weights / np.sqrt(size)",
    },
    names=("np", "softmax"),
    hints=(
        "Attention is four steps: compare, scale, share out, mix. "
        "Each step works on what the step before has made. "
        "Say of each line to which of the four it belongs. "
        "Compare and mix take two lines each: products first, then their sum. "
        "Which lines are these?",
        "Two lines call softmax. "
        "A query shares itself out over the keys: which axis of the scores is that? "
        "Two lines divide by the root. "
        "Softmax needs scores of moderate size, so on which side of it is the division?",
        "Begin with a line that needs nothing but `query` and `key`, and end with `return`. "
        "In between, follow the names: whatever a line uses must have been made above it. "
        "Seven lines are needed. "
        "The two that are left over work on another axis, or too late.",
    ),
)


# a test to write

test_attention = TestWriting(
    scaled_dot_product_attention,
    catches=(
        "forgets_to_scale",
        "scales_by_the_number_of_keys",
        "scales_after_softmax",
        "forgets_the_softmax",
        "compares_keys_with_themselves",
        "transposes_every_axis",
    ),
    points=2,
    hints=(
        "A test needs inputs whose right output you know without running any code. "
        "Small numbers do it: one query, two keys, scores of your choice. "
        "Softmax of (ln 3, 0) is (3/4, 1/4), so a scaled score of ln 3 against 0 "
        "gives an output that you can work out in your head.",
        "Take four features, so that the scores are divided by 2, and keys whose number is not four. "
        "A query like (2, 0, 0, 0) picks out the first feature of each key. "
        "For the mistake that shows with a batch only, use two items that differ, "
        "and compare each with what it gives alone.",
        "First assert that the output for your small example is close to the number that you worked out. "
        "Then stack that example and a different one into a batch, and assert that each item of the result "
        "is close to the result for that item alone. "
        "`np.allclose` compares up to rounding; two asserts are enough.",
    ),
)


# questions


@varied(features=(100, 36, 49, 81, 121, 144, 196, 225, 256, 400, 900))
def score_variance(features):
    """Query and key have {features} features each."""
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
            "The variance says how far one such sum typically lies from it.",
            features - 1: "That is close. The formula with n - 1 is for a variance that is estimated from a sample. "
            "Here nothing is estimated, and every product counts.",
            short(1 / isqrt(features)): "You divided by a root. Nothing is scaled yet: "
            "the question asks for the plain dot product.",
            2 * features: f"A query and a key have {2 * features} features together, but they meet in pairs. "
            "How many products are summed?",
            64: "64 is the number of keys in the cell below. "
            "A dot product does not know how many other keys there are.",
            **dict.fromkeys(
                near,
                "That is close. If you measured it: a sample misses the true variance by a little. "
                "Which whole number do the two points above lead to?",
            ),
        },
        hints=(
            "Think of the dot product as a sum of small random steps, some forward, some back. "
            "Each step knows nothing of the others. "
            "The more steps, the further away one may end up. "
            "How many steps does this dot product take, and how much does each add?",
            "Take one product of two features first. "
            "The first of the two points above gives its variance. "
            "Then ask how many such products are summed. "
            "The sum of two products has twice the variance of one, that of three has three times as much. "
            "How does it go on?",
            "The variance of a sum of independent terms is the sum of their variances. "
            "Add up one variance for each of the features. "
            "The question asks for the variance, which is a mean of *squares*. "
            "So no root is taken here: that would be the standard deviation.",
        ),
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
            "That is none of the five sizes. The title above the picture names them, in the order of the marks.",
        ),
        64: "At 64 features the unscaled curve stands near 0.8, still below 0.9. Follow it further to the right.",
        16: "At 16 features the unscaled curve stands near 0.6. Follow it further to the right.",
        4096: "At 4096 it is above 0.9, but it was so before. Look at the point to its left.",
        4: "At 4 features the largest weight is still about a quarter. Find 0.9 on the vertical axis first.",
    },
    hints=(
        "Only one of the three curves gets anywhere near 0.9: the one without scaling. "
        "Its five points belong to the five sizes, from left to right. "
        "The height of a point says how large the largest weight is, on average. "
        "You are looking for the first point that is high enough.",
        "Find 0.9 on the vertical axis, half way between 0.8 and 1.0. "
        "Go right from there, until you meet the curve without scaling. "
        "All points on the left of this place are too low. "
        "Which is the first one on the right of it?",
        "Take the first marked point that lies above that height, and count which one it is, from the left. "
        "The sizes are 4, 16, 64, 512 and 4096. "
        "Your answer is the size that belongs to the point, and not the height of the curve there.",
    ),
)

why_scale = Question(
    answer="b",
    wrong={
        "a": "Many texts say so, and the measurement says otherwise: the slopes of softmax get smaller, not larger. "
        "Their norm never exceeds 1/2, the one of two equal weights, however large the scores are. "
        "Look at the last picture again.",
        "c": "It is the other way round: large scores make the weights peaked. "
        "Flat weights came from dividing by too much, by the number of features without a root.",
        "d": "A stable softmax subtracts the largest score first, so it never overflows, scaled or not. "
        "At 4096 features without scaling you saw the largest weight, on average: 0.97, an ordinary number.",
    },
    hints=(
        "Two pictures above show what happens without scaling as the features get more: one for the largest weight, "
        "one for the slopes. "
        "Hold each of the four answers against them. "
        "An answer is wrong if a curve goes the other way than the answer says.",
        "Follow the curves without scaling to the right. "
        "Does the largest weight rise or fall? "
        "Do the slopes rise or fall? "
        "Two of the four answers say the opposite of what one of these curves does. "
        "Cross them out, and look at the two that are left.",
        "Put weights of 1 and 0 into the formula for the slopes, and see what comes out. "
        "Then look for the answer that says this. "
        "And think of lesson 01: your softmax subtracts the largest score first. "
        "Which trouble can it not have any more?",
    ),
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
            short(sqrt(score)): f"That is the root of {score}. Only the number of features stands under the root.",
            short(score / 3): "You divided by 3. There are four features, since products that are 0 count, "
            "and the divisor is a root.",
            score * 4: "You multiplied by the number of features. Scaling divides, and by a root.",
            score: f"{score} is the plain dot product. "
            "It still has to be divided by the root of the number of features.",
            score / 4: "You divided by the number of features, 4. Divide by its root.",
            score * 2: "You multiplied by the root. Scaling makes scores smaller.",
            short(score / sqrt(3)): "You divided by the root of 3. There are four features; some products are 0, "
            "but they count.",
            short(score / sqrt(2)): "You divided by the root of 2. There are four features; some products are 0, "
            "but they count.",
            score / 16: "You divided by 16, the square of the number of features. Divide by its root.",
            short(sqrt(score / 4)): f"You took the root of the whole fraction, {score}/4. "
            "Only the number of features stands under the root.",
            first * second: f"{first * second} is {first} times {second}. "
            "In a dot product the four products are added up. The division comes after that.",
            short(first * second / 2): f"{short(first * second / 2)} is half of {first * second}, "
            f"and {first * second} is {first} times {second}. In a dot product the four products are added up.",
            sum(query) * sum(key) / 2: "You summed each row first, and multiplied the two sums. "
            "A dot product multiplies feature by feature, and sums after that.",
        },
        hints=(
            "A scaled score is a dot product divided by a root. "
            "The dot product looks at the numbers in the two rows, the root at how many they are. "
            "So you need two things: one sum over all features, and one number of features.",
            "Multiply the two rows feature by feature and add up the four products. "
            "Keep the products that are 0 in the count: a feature is there, whatever its number is. "
            "Then take the root of how many features there are, and not of the sum.",
            f"The sum of the products is {' + '.join(map(str, products))}. "
            "Divide it by the root of 4. "
            "The 4 counts the features, although two of the products are 0. "
            "To check: the scaled score is half of the sum.",
        ),
    )


@varied(batch=(2, 3, 4), queries=(5, 6, 9), keys=(7, 10, 11), features=(8, 16, 12), values=(3, 4, 2))
def attention_output_shape(batch, queries, keys, features, values):
    """There is a batch of {batch}, with {queries} queries and {keys} keys.
    Queries and keys have {features} features, values have {values}.
    So `query` is `({batch}, {queries}, {features})`, `key` is `({batch}, {keys}, {features})`,
    `value` is `({batch}, {keys}, {values})`.
    """
    return Question(
        answer=(batch, queries, values),
        wrong={
            (batch, queries, features): "The features of the query serve for comparing only; they are summed away in "
            f"the scores. What is handed over is made of values, and those have {values} features.",
            (batch, keys, values): "That is the shape of the values. They are mixed over the keys, "
            "and each query gets one mixture.",
            (batch, queries, keys): "That is the shape of the weights. "
            f"With them, the values are still to be mixed over the {keys} keys.",
            (batch, keys, features): "That is the shape of the keys. They are compared, and do not come out.",
            (batch, values, queries): "You have the right sizes. Queries are rows and value features are columns: "
            "queries come first.",
            (batch, keys, queries): "These are keys by queries: the table of weights on its side. "
            f"With the weights, the values are still to be mixed over the {keys} keys.",
            (queries, values): "Each item of the batch gets an output of its own: the batch stays in front.",
        },
        hints=(
            "Each query gets one answer, and the answer is a mixture of values. "
            "So one size of the result comes from the query, and one from the value. "
            "The batch stays in front, as it was. "
            "Which sizes of the inputs do not come back in the result?",
            "Go step by step. "
            "Write down the shape of the scores, then the shape of the weights. "
            "Which axis of the weights meets which axis of the values? "
            f"The {features} features of queries and keys are summed up in the scores, and they do not come back.",
            f"The weights are ({batch}, {queries}, {keys}) and the values ({batch}, {keys}, {values}). "
            f"In their matrix product the two {keys} meet and disappear. "
            f"The {batch} in front is the batch, and each of its items is computed by itself. "
            "Which lengths are left, and in which order?",
        ),
    )


output_for_equal_keys = Question(
    answer=(0.15, 0.05),
    tolerance=5e-3,
    wrong={
        (0.25, 0.25): "1/4 is the weight of each key. The output mixes the rows of V with these weights.",
        (0.0866, 0.0289): "You divided by the root of 3 after mixing. Scaling belongs to the scores, before softmax.",
        (0.5, 0.0): "That is the value of the first key alone. If all keys are equal, no query can prefer the first.",
        (0.6, 0.2): "That is the sum of the values. Weights sum to 1, so each of the four keys gets 1/4.",
        (0.3, 0.1): "That is half of the sum of the values. There are four keys, and they share alike.",
        (-0.2, 0.1): "That is the value of the second key, which fitted the first query best until now. "
        "Among equal keys none fits best.",
        (0.0, 0.0): "Equal scores are not zero weights: softmax always shares out one whole.",
        (0.146022, 0.049642): "That is the row that your function gave for the real keys, which differ a little. "
        "If they were equal, what would the four weights be?",
        (0.05, 0.15): "Both numbers are there, in the other order. The first number belongs to the first column of V.",
        (0.2, 0.0667): "You divided by 3. A value of 0 counts as well: there are four in each column.",
        **dict.fromkeys(
            ((0.25, 0.1), (0.25, 0.05), (0.15, 0.1)),
            "Is a minus lost on the way? Each column of V holds at most one negative number; add it with its sign.",
        ),
    },
    hints=(
        "The output depends on the keys only through the weights. "
        "What can a query prefer, if all keys are the same? "
        "Think of four people who give the same answer to every question. "
        "Nobody stands out. "
        "How would you share out your attention among them?",
        "Four equal keys get four equal scores, whatever the query is. "
        "What does softmax make of four equal numbers? "
        "Try four zeros: each exponential is 1, and together they are 4. "
        "With four sevens the numbers are larger, and the shares are the same.",
        "Each value counts one quarter. "
        "Take the mean of the four rows of V, each column by itself. "
        "In the first column stand 0.5, -0.2, 0.3 and 0: add them up with their signs, and divide by four. "
        "Then do the same with the second column.",
    ),
)

colleagues_line = Question(
    answer=4,
    wrong={
        0: "The lines are counted from 1 to 4; the comments in the code name them.",
        1: "Line 1 multiplies each query with each key and sums over d: plain dot products, as its name says. "
        "Scaling could follow here, and does not. Where does it come instead?",
        2: "Line 2 makes every row sum to 1, over the keys, as it should. "
        "True, it gets scores that nobody has scaled. In which line is the scaling?",
        3: "Line 3 mixes the values with weights that sum to 1. "
        "Until here every number lies within the range of the values.",
    },
    hints=(
        "Weights that sum to 1 can only give a mean between the smallest and the largest value. "
        "So after some line the numbers are still in that range, and after the next they are not. "
        "Go down the four lines, and say for each what its numbers are: scores, weights, means?",
        "Compare the size of her results with the plain mean of the four prices, 25.5. "
        "By which factor are they too small? "
        "You have met this number today. "
        "It comes from the number of features that queries and keys have. "
        "What is it there for?",
        "The factor is the root of 3, and there are three features. "
        "Which line divides by it, and is it scores that it divides? "
        "In the formula the root stands inside the brackets of softmax. "
        "A mean that is finished needs no division any more.",
    ),
)
