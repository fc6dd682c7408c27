"""Hints help with what the last check found, wherever the mistake was made."""

import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from helpers import newest

from autograder import EXERCISES, check, hint, solution
from autograder.course import installed
from autograder.learner import check as remembered
from autograder.learner import journal

OWN = EXERCISES["attention_weights"].hints
SCALE, TURN = (tuple(f"{about} {n}" for n in (1, 2, 3)) for about in ("scale", "turn"))


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Nothing checked, no hint given; two mistakes of deeper steps have hints of their own."""
    remembered.checked.clear()
    monkeypatch.setattr(remembered, "_found", {})
    monkeypatch.setattr(remembered, "_given", defaultdict(Counter))
    written = {**installed().hints, "forgets_to_scale": SCALE, "swaps_query_and_key": TURN}
    monkeypatch.setattr(installed(), "hints", written)


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
    return [newest(hint("attention_weights")) for _ in range(times)]


def test_before_any_check_the_hints_are_the_exercises_own():
    """One after the other, and the last stays."""
    assert [newest(hint("attention_weights")) for _ in range(4)] == [*OWN, OWN[-1]]
    assert hint("attention_weights").title == "Hint 3 of 3 for attention_weights"


def test_after_a_check_they_are_about_the_mistake_that_it_found():
    """Also where the mistake is inherited from a step that has no hints in this lesson's exercise; the card says so."""
    assert hints_after(forgets_to_scale, times=4) == ["scale 1", "scale 2", "scale 3", "scale 3"]
    assert hint("attention_weights").title == "Hint 3 of 3 for attention_weights: for what the last check found"


def test_the_same_mistake_goes_on_where_it_was():
    """Checking again costs nothing."""
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

    assert check(test_causal_attention=misses_that).card.title.startswith("◐")
    assert hint("test_causal_attention").text == EXERCISES["test_causal_attention"].hints[0]


def test_each_task_has_hints_of_its_own_mistake():
    """The mistake in one function is none in another."""
    hints_after(forgets_to_scale)
    assert hint("attention_scores").text == EXERCISES["attention_scores"].hints[0]


def test_hints_stay_on_the_page():
    """Whoever asks again in the same cell, which shows one card only, still reads the earlier ones, in their order."""
    check(attention_weights=forgets_to_scale)
    shown = [str(hint("attention_weights")) for _ in range(3)][-1]
    assert re.findall(r"Hint \d\.\* scale \d", shown) == [f"Hint {n}.* scale {n}" for n in (1, 2, 3)]


def test_the_last_hint_offers_the_solution():
    """As a line to copy; the hints before it do not."""
    *before, last = (str(hint("attention_weights")) for _ in range(3))
    assert 'solution("attention_weights", anyway=True)' in last and not any("solution(" in card for card in before)


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """No progress is remembered yet."""
    monkeypatch.setenv("MHA_PROGRESS", str(tmp_path / "progress.jsonl"))
    monkeypatch.setattr(journal, "_unwritten", [])


def test_without_an_argument_a_hint_is_for_what_was_checked_last(nowhere):
    """And for the mistake in it."""
    check(attention_scores=lambda query, key: query @ key.mT * 0)
    check(attention_weights=forgets_to_scale)
    assert newest(hint()) == "scale 1"


def test_without_an_argument_after_a_right_answer_it_asks_for_which(nowhere):
    """The next exercise was not tried yet: hints for the last one would be of no use."""
    check(attention_weights=right)
    assert "`attention_weights`, is right" in hint().text
    (example,) = re.findall(r'`hint\("(\w+)"\)`', hint().text)
    assert example != "attention_weights" and EXERCISES[example].lesson == EXERCISES["attention_weights"].lesson


def test_a_check_or_a_solution_without_a_name_asks_for_one(nowhere):
    """In one sentence, with a call that works, and naming no other function."""
    for tool, name in ((check, "check"), (solution, "solution")):
        (call,) = re.findall(rf'Name it in quotes, for example `{name}\("(\w+)"\)`', tool().text)
        assert call in EXERCISES and "hint" not in tool().text


def test_a_solution_without_a_name_is_that_of_what_was_checked_last(nowhere):
    """As a hint is for it."""
    check(attention_weights=forgets_to_scale)
    assert solution().title == "○ attention_weights is not right yet"
    assert solution(anyway=True).title == "Our solution of attention_weights"


def test_without_an_argument_and_without_a_check_the_journal_knows(nowhere, monkeypatch):
    """In a kernel that has just started: what was tried last, and is not done."""
    assert hint().title == "For which exercise?"
    monkeypatch.setattr(journal, "in_a_notebook", lambda: True)
    for what, task in (("tried", "weight_ratio"), ("tried", "score_variance"), ("done", "score_variance")):
        journal.note(what, task)
    assert hint().title == "Hint 1 of 3 for weight_ratio"
