"""Warm and plain: nobody is belittled, blamed, hurried or shouted at, by the judge or by the lessons.

A word may have a sense in which it is fine: what stands *just before* something, what is *easy to miss*.
"""

import re

import pytest
from texts_for_learners import mistakes, prose_of, sentences_of_the_judge, sets_of_hints, slips

from autograder.catalogue import LESSONS

UNKIND = {
    "belittles": (
        r"simply|obvious(ly)?|trivial(ly)?|merely|clearly|evident(ly)?|naturally|basically|needless to say|of course",
        r"every(one|body) knows|as (you|we all) know|you (only|just) have to|all you have to do is|no-brainer",
        r"just(?! (before|above|below|behind|after|now|as)\b)",
        r"easy(?! to )|eas(y|ily) (to )?(understood|understand|seen?|solved?|done?|written?|write)",
    ),
    "blames": (
        r"you (forgot|failed|overlooked|ignored|should have|were told|were supposed to)|your (fault|failure)",
        r"again wrong|wrong again|still wrong|careless(ly)?|sloppy|lazy|silly|stupid|foolish|dumb|useless|hopeless",
        r"as I said|as already said|how could you|why did you not|pay attention|try harder|ridiculous|embarrassing",
    ),
    "hurries": (r"hurry|quickly|right away|immediately|without delay|by now you|no time to lose",),
    "shouts": (r"\S*\w!",),
}
CODE = re.compile(r"```.*?```|`[^`\n]*`|^ {4,}.*?$|\$[^$]*\$", flags=re.DOTALL | re.MULTILINE)


def unkind(text):
    """What of a text is not kind, and how; code is left out."""
    prose = " ".join(CODE.sub(" x ", text).split())
    for how, patterns in UNKIND.items():
        for pattern in patterns:
            found = re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", prose, re.IGNORECASE)
            if found:
                yield how, prose[max(found.start() - 40, 0) : found.end() + 40]


def all_unkind(texts):
    return [finding for text in texts for finding in unkind(text)]


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("You just divide by the root.", "belittles"),
        ("The mask is simply handed on.", "belittles"),
        ("That is easy.", "belittles"),
        ("It is easy to see which axis it is.", "belittles"),
        ("You forgot the root.", "blames"),
        ("That is wrong again.", "blames"),
        ("Quickly try another axis.", "hurries"),
        ("Almost!", "shouts"),
        ("It stands just before softmax, and is easy to miss: `a != b`.", None),
    ],
)
def test_an_unkind_word_is_found(text, how):
    """And a kind one is not taken for it."""
    assert [found for found, _ in unkind(text)] == ([how] if how else [])


def test_messages_about_mistakes_are_kind():
    """They are read by somebody who has just been told that something is wrong."""
    assert all_unkind(message for _, message, _ in (*mistakes(), *slips())) == []


def test_hints_are_kind():
    """They are read by somebody who has asked for help."""
    assert all_unkind(hint for hints in sets_of_hints() for hint in hints) == []


def test_the_judge_is_kind():
    """In its own sentences, too: of errors and shapes, of properties that do not hold, of progress."""
    assert all_unkind(sentences_of_the_judge()) == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_kind(lesson):
    """What is easy for one reader is not for the next."""
    assert all_unkind(prose_of(lesson)) == []
