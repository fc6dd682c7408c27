"""Readers with English of level B1 can follow: the lessons, and what the judge says.

Flesch called 60 to 70 plain English, and 80 to 90 easy, the English of conversation.
We ask for the latter, since a text on this subject is hard enough.
"""

import pytest
from prose import reading_ease, sentences, syllables, words
from texts_for_learners import FAULTS, HINTS, prose_of

from autograder import EXERCISES
from autograder.catalogue import LESSONS

EASY = 80
LONGEST = 35  # words in a sentence of a lesson
LONGEST_SAID = 40  # and of the judge


def messages_of(lesson):
    """All that its exercises say: of misconceptions, of wrong answers to questions, as hints."""
    tasks = [task for task in EXERCISES.values() if task.lesson == lesson]
    misconceptions = [m for task in tasks for m in getattr(task, "own", ())]
    wrong = [message for task in tasks for message in getattr(task, "wrong", {}).values()]
    after_a_check = {m.hints for m in misconceptions}
    hints = [hint for hints in (*after_a_check, *(task.hints for task in tasks)) for hint in hints]
    return [m.message for m in misconceptions] + wrong + hints


def test_syllables_are_counted():
    """As one speaks."""
    spoken = {"score": 1, "takes": 1, "called": 1, "masks": 1, "query": 2, "table": 2, "places": 2, "added": 2}
    assert {word: syllables(word) for word in spoken} == spoken
    assert [syllables(word) for word in ("attention", "multi-head", "the", "formula", "7")] == [3, 3, 1, 3, 1]


@pytest.mark.parametrize(
    ("text", "ease"),
    [
        ("The cat sat on the mat.", 116.1),
        ("The cat sat on `np.mat`. It slept!\n\n```\nx = 1\n```\n| a | b |", 118.7),
    ],
)
def test_ease_is_counted_as_flesch_did(text, ease):
    """By hand: six words of one syllable in one sentence; seven in two, where code in a line is a word."""
    assert reading_ease([text]) == pytest.approx(ease, abs=0.1)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_easy_to_read(lesson):
    """Short sentences, short words: in its text, and in what the judge says of its exercises."""
    assert reading_ease(prose_of(lesson)) >= EASY
    assert reading_ease(messages_of(lesson)) >= EASY


def test_what_is_said_of_a_class_is_easy_to_read():
    """Of faults that no function can have, and as hints against them."""
    texts = [*FAULTS.values(), *(hint for hints in set(HINTS.values()) for hint in hints)]
    assert reading_ease(texts) >= EASY
    assert longer(LONGEST_SAID, texts) == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_sentence_is_too_long(lesson):
    """One that is can be divided."""
    assert longer(LONGEST, prose_of(lesson)) == []
    assert longer(LONGEST_SAID, messages_of(lesson)) == []


def longer(limit, texts):
    return [sentence for text in texts for sentence in sentences(text) if len(words(sentence)) > limit]
