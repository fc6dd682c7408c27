"""Answers written from the stubs alone are judged as they deserve: see docs/answers_from_stubs.md."""

import pytest
from claims import judged
from helpers import (
    ACCEPTED,
    AS_GOOD,
    AT_THE_LARGEST_NUMBERS,
    FILLS_WITH_A_BILLION,
    MOST_FIRST,
    NAN_GRADIENTS,
    answers_from_stubs,
    at_night,
    every_one,
    of,
)

from autograder import EXERCISES, judge
from autograder.judging.repairs import line_to_change

WRONG, RIGHT, SLIPS = map(answers_from_stubs, ("wrong", "right", "slips"))


def exercise_of(answer):
    return answer.partition("/")[2].partition("__")[0]


def answered(answers):
    """Return the exercises that there are such answers to, those with the most misconceptions first."""
    return sorted({*map(exercise_of, answers)}, key=(*MOST_FIRST, *EXERCISES).index)


@pytest.mark.slow
@pytest.mark.parametrize("name", answered(WRONG))
def test_a_wrong_answer_is_rejected_with_a_reason(name):
    """And the reason is more than that values differ."""

    def is_rejected(answer):
        verdict, lies = judged(answer, name)
        assert not verdict.right, "it is accepted"
        assert verdict.reason != "values", verdict.message
        assert lies == []

    wrong = of(WRONG, name)
    every_one(is_rejected, {answer: wrong[answer] for answer in wrong if answer not in ACCEPTED})


@pytest.mark.parametrize("answer", sorted(NAN_GRADIENTS))
def test_gradients_that_are_not_numbers_are_remarked_on(answer):
    """Where all keys of a query are blocked, values count; the gradients there get a sentence, and cost nothing."""
    verdict = judge(WRONG[answer], exercise_of(answer))
    assert verdict.right and verdict.property == "finite_gradients"


@pytest.mark.parametrize("name", answered(SLIPS))
def test_a_beginners_slip_is_told_more_than_numbers(name):
    """An error with what helps, a name, a property, or the line to change."""

    def is_told_more(answer):
        verdict, lies = judged(answer, name)
        assert not verdict.right, "it is accepted"
        told = verdict.reason != "values" or "\n\n" in verdict.message or line_to_change(answer, EXERCISES[name])
        assert told, verdict.message
        assert lies == []

    every_one(is_told_more, of(SLIPS, name))


SAID = {
    "weighted_mean__3": "Where do the quotation marks close?",
    "softmax__3": "The comma at the end of the line of `max_score` makes a tuple",
    "attention_scores__3": "`^` is not a power in Python",
    "causal_mask__1": "holds one row many times",
    "parameter_count__3": "An `assert` with brackets around condition and text is always true",
    "split_heads__2": "makes an error and does not `raise` it",
    "to_allowed__1": "is always true: a text by itself is",
    "cross_attention__2": "Have the arguments of a call slipped by one position?",
    "encoder_decoder_masks__1": "Did you mean `tril`?",
    "round_9/without_head__1": "`output =+ ...` gives `output` a new value each time",
    "round_9/next_token_loss__1": "each row is compared with the row after it",
    "round_9/weighted_mean__1": "A shape is one tuple",
    "DecoderLayer__3": "Here is a class where a module made from it belongs",
}


@pytest.mark.parametrize("answer", SAID)
def test_a_slip_gets_the_sentence_that_helps(answer):
    """What beginners cannot read off the error."""
    key = answer if "/" in answer else f"round_6/{answer}"
    assert SAID[answer] in judge(SLIPS[key], exercise_of(key)).message


def test_an_error_of_a_library_is_not_said_to_be_the_learners_own():
    """Though their code led to it."""
    assert "your own `raise`" not in judge(SLIPS["round_6/attention_weights__1"], "attention_weights").message


@pytest.mark.parametrize("answer", sorted(AT_THE_LARGEST_NUMBERS | AS_GOOD))
def test_what_the_contract_accepts_is_accepted(answer):
    """Well-known right ways do the same, or the contract leaves it free."""
    assert judge(WRONG[answer], exercise_of(answer)).right


@pytest.mark.parametrize("answer", sorted(FILLS_WITH_A_BILLION))
def test_minus_a_billion_is_accepted_with_a_remark(answer):
    """The lesson promises it, though scores below a billion would reach it."""
    verdict = judge(WRONG[answer], exercise_of(answer))
    assert verdict.right and verdict.property == "blocked_keys_lose_to_every_score"


@pytest.mark.parametrize("name", answered(RIGHT))
@pytest.mark.parametrize("seed", [None, *at_night([1])])
def test_a_right_answer_is_right(name, seed):
    """However it is written."""

    def is_right(answer):
        verdict = judge(answer, name, seed=seed)
        assert verdict.right, verdict.message

    every_one(is_right, of(RIGHT, name))
