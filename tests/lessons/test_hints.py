"""Hints: three against every mistake that has a name, as long as one likes to read, and longer than the message."""

from helpers import FUNCTIONS
from texts_for_learners import mistakes, sets_of_hints, slips

from autograder import EXERCISES
from autograder.course import installed
from autograder.mistakes import check_hints
from autograder.trying import with_hints

MISTAKES = list(mistakes())
MESSAGES = [(message, hints) for _, message, hints in (*MISTAKES, *slips())]
SHORTEST, LONGEST, LONGEST_MESSAGE = 20, 160, 80


def length(text):
    """In words, as a word processor counts them."""
    return len(text.split())


def test_a_hint_has_20_to_160_words():
    """Enough for a thought and something to try, and read in a minute: those of questions, too."""
    each = [(name, hint) for hints, name in sets_of_hints().items() for hint in hints]
    assert {hint: (name, length(hint)) for name, hint in each if not SHORTEST <= length(hint) <= LONGEST} == {}


def test_against_a_mistake_there_are_three():
    """The concept, the place, the line; so it is with what a lesson asks to write."""
    check_hints(installed(), with_hints(installed()))
    without = {name for name, _, hints in MISTAKES if len(hints) != 3}
    assert not without, f"these have no three hints: {without}"
    assert {name for name in FUNCTIONS if len(EXERCISES[name].hints) != 3} == set()


def test_a_message_is_shorter_than_its_hints():
    """It says what was seen, and the idea: at most 80 words, and fewer than the longest of the hints that follow."""
    bounds = {
        message: min(LONGEST_MESSAGE, max(map(length, hints), default=LONGEST) - 1) for message, hints in MESSAGES
    }
    too_long = [f"{length(m)} words, may have {bounds[m]}: {m}" for m in bounds if length(m) > bounds[m]]
    assert not too_long, "\n".join(too_long)
