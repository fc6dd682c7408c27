"""Hints help with what the last check found, wherever the mistake was made."""

import numpy as np
import pytest

from autograder import EXERCISES, check, hint
from autograder.exercise import STEPS
from autograder.learning import hints

OWN = EXERCISES["attention_weights"].hints


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Nothing checked, no hint given; two mistakes of deeper steps have hints of their own."""
    monkeypatch.setattr(hints, "_found", {})
    hints._given.clear()
    monkeypatch.setitem(STEPS["scale"].hints_by_misconception, "forgets_to_scale", ("scale 1", "scale 2", "scale 3"))
    turned = ("turn 1", "turn 2", "turn 3")
    monkeypatch.setitem(STEPS["similarity"].hints_by_misconception, "swaps_query_and_key", turned)


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def forgets_to_scale(query, key):
    return softmax(query @ key.mT)


def swaps_query_and_key(query, key):
    return softmax(key @ query.mT / np.sqrt(query.shape[-1]))


def right(query, key):
    return softmax(query @ key.mT / np.sqrt(query.shape[-1]))


def hints_after(answer, times=1):
    check(attention_weights=answer)
    return [hint("attention_weights").text for _ in range(times)]


def test_before_any_check_the_hints_are_the_exercises_own():
    """One after the other, and the last stays."""
    assert [hint("attention_weights").text for _ in range(4)] == [*OWN, OWN[-1]]
    assert hint("attention_weights").title == "Hint 3 of 3 for attention_weights"


def test_after_a_check_they_are_about_the_mistake_that_it_found():
    """Also where the mistake is inherited from a step that has no hints in this lesson's exercise; the card says so."""
    assert hints_after(forgets_to_scale, times=4) == ["scale 1", "scale 2", "scale 3", "scale 3"]
    assert hint("attention_weights").title == "Hint 3 of 3 for attention_weights: for what the last check found"


def test_the_same_mistake_goes_on_where_it_was():
    """Checking once more costs nothing."""
    assert hints_after(forgets_to_scale) + hints_after(forgets_to_scale) == ["scale 1", "scale 2"]


def test_another_mistake_starts_at_its_first_hint():
    """So does the old one, if it comes back after another."""
    answers = (forgets_to_scale, swaps_query_and_key, forgets_to_scale)
    assert [text for answer in answers for text in hints_after(answer)] == ["scale 1", "turn 1", "scale 1"]


@pytest.mark.parametrize("answer", [right, lambda query, key: query, lambda query, key: undefined])  # noqa: F821
def test_without_hints_for_a_mistake_the_exercises_own_go_on(answer):
    """Whatever else the check found: right, a mistake without hints, or one without a name."""
    assert hint("attention_weights").text == OWN[0]
    hints_after(forgets_to_scale)
    assert hints_after(answer) == [OWN[1]]


def test_a_slip_in_between_does_not_turn_the_hints_back():
    """A typing mistake is no new idea."""
    first = hints_after(forgets_to_scale)
    hints_after(lambda query, key: undefined)  # noqa: F821
    assert first + hints_after(forgets_to_scale) == ["scale 1", "scale 2"]


def test_a_test_to_write_keeps_its_own_hints():
    """What it has missed is somebody else's mistake."""

    def misses_that(attention):
        query = np.ones((2, 4))
        assert np.allclose(attention(query, query, query), 1)

    assert check(test_attention=misses_that).card.title.startswith("◐")
    assert hint("test_attention").text == EXERCISES["test_attention"].hints[0]


def test_each_task_has_hints_of_its_own_mistake():
    """The mistake in one function is none in another."""
    hints_after(forgets_to_scale)
    assert hint("attention_scores").text == EXERCISES["attention_scores"].hints[0]
