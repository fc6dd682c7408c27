"""What checks the claims of cards is checked itself: it finds what is not true, and leaves what is."""

from dataclasses import replace

import numpy as np
from claims import false_claims

from autograder import EXERCISES, judge


def twice(scores, axis=-1):
    """Softmax, and every weight is twice as large."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return 2 * e / e.sum(axis=axis, keepdims=True)


LIES = (
    "Each of your numbers is 3 times what it should be.",
    "Each of your numbers is off by +1.",
    "Some rows of your result are 0, and all others are right.",
    "Without their signs your numbers are right; some have the wrong sign.",
    "All your numbers are nearly right.",
    "Your result holds the right numbers, in the wrong positions.",
    "Every number of your result is zero.",
    "Among the inputs we tried, it goes wrong only where a row is long.",
    "Among the inputs we tried, it goes wrong only with a batch in front.",
    "Your result stays the same whatever is in `scores`.",
    "At index [0] your result holds 17; it should hold 18.",
    "Along the last axis your weights are right.",
    "With two axes your result is right.",
    "Your results are right, but that is not all.",
    "Your result holds NaN.",
    "Your code stops with ValueError.",
    "Your code refuses this input.",
    "Your code accepts what it should not.",
    "Your function gives back nothing (None).",
    "Your result has the shape (17); it should be (18).",
    "Your result has five axes.",
    "Besides, your code changes its input scores.",
    "Your rows sum to less than 1.",
    "Right so far: the numbers for 2 of the 20 inputs.",
)


def false_in(sentence):
    """Return what is false on the card of `twice`, if this is what it says."""
    verdict = replace(judge(twice, "softmax"), message=sentence, right_so_far="")
    return false_claims(verdict, twice, EXERCISES["softmax"])


def test_lies_are_found():
    """On the card of an answer that is wrong in another way."""
    assert [lie for lie in LIES if not false_in(lie)] == []


TRUTHS = (
    "Each of your numbers is 2 times what it should be.",
    "Within a row your numbers are in the right proportion; each row has an extra factor.",
    "Your rows sum to more than 1.",
    "Right so far: the shape of every result.",
)


def test_the_truth_is_left_alone():
    """On the same card."""
    assert [truth for truth in TRUTHS if false_in(truth)] == []
