"""`mha review`: a learner answers in a terminal, and each question comes again when it should."""

import json
from datetime import datetime, timedelta

import pytest
from click.testing import CliRunner
from helpers import ROOT

from autograder import EXERCISES, check, progress
from autograder.cli import main
from autograder.learner import journal, review

FIRST, SECOND = "remember_three_weights", "remember_shared_values"  # of lesson 02, both
RIGHT = {FIRST: "0.5, 0.5, 0", SECOND: "(8, 2, 3)"}


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.time = datetime(2027, 3, 1, 12)

    def __call__(self):
        return self.time

    def go_on(self, days):
        self.time += timedelta(days)


@pytest.fixture
def clock(tmp_path, monkeypatch):
    """The one of a learner who has just begun."""
    monkeypatch.setattr(journal, "now", clock := Clock())
    monkeypatch.setattr(journal, "_unwritten", [])
    monkeypatch.setenv("MHA_PROGRESS", str(tmp_path / "progress.jsonl"))
    for name in ("NBGRADER_EXECUTION", "NBGRADER_VALIDATING"):
        monkeypatch.delenv(name, raising=False)
    return clock


@pytest.fixture
def in_lesson_02(clock, monkeypatch):
    """Both questions of its beginning are right, on the first day."""
    with monkeypatch.context() as notebook:
        notebook.setattr(journal, "in_a_notebook", lambda: True)
        check(remember_three_weights=(0.5, 0.5, 0))
        check(remember_shared_values=(8, 2, 3))
    return clock


def answering(*typed):
    """What a terminal shows where these lines are typed."""
    done = CliRunner().invoke(main, ["review"], input="".join(f"{line}\n" for line in typed))
    assert not done.exception, done.output
    return done.output


def last_line(*typed):
    return answering(*typed).strip().splitlines()[-1]


def test_nothing_is_asked_of_a_beginner(clock):
    """Nor is there a word of it in progress()."""
    assert answering() == "There is nothing to ask yet: questions come from lessons that you have begun.\n"
    assert "review" not in str(progress()) and "review" not in progress()._repr_html_()


def test_what_is_right_comes_after_1_3_7_and_21_days(in_lesson_02):
    """Not a day earlier; and 21 days later again."""
    for days, following in ((1, 3), (3, 7), (7, 21), (21, 21), (21, 21)):
        in_lesson_02.go_on(days - 1)
        assert answering() == f"Nothing is due before {in_lesson_02() + timedelta(1):%d %B}.\n"
        in_lesson_02.go_on(1)
        assert last_line(*RIGHT.values()) == f"2 of 2 right. They come again: 2 in {following} days."


def test_a_wrong_answer_begins_anew(in_lesson_02):
    """It comes tomorrow, and then after 1, 3, ... days; the other one goes its way."""
    in_lesson_02.go_on(1)
    answering(*RIGHT.values())
    in_lesson_02.go_on(3)
    said = answering("1, 0, 0", "8, 2, 3")
    assert said.endswith("1 of 2 right. They come again: 1 tomorrow, 1 in 7 days.\n")
    for days, following in ((1, "tomorrow"), (1, "in 3 days"), (3, "in 7 days")):
        in_lesson_02.go_on(days)
        assert last_line(RIGHT[FIRST]) == f"1 of 1 right. They come again: 1 {following}."


def test_a_terminal_shows_the_question(in_lesson_02):
    """The text of the lesson, and the form of the answer."""
    in_lesson_02.go_on(1)
    said = " ".join(answering("0.5, 0.5, 0", "8, 2, 3").split())
    assert "From lesson 01" in said and "What weights does softmax make of them, to two digits?" in said
    assert "three numbers: (..., ..., ...)" in said and "Two questions" not in said and "**" not in said


def test_a_known_slip_and_an_unknown_one(in_lesson_02):
    """A slip is told as on the card, anything else with the first hint."""
    in_lesson_02.go_on(1)
    slip, message = next(iter(EXERCISES[FIRST].wrong.items()))
    said = " ".join(answering(str(slip), "1, 1, 1").split())
    assert " ".join(message.split())[:60].replace("*", "").replace("`", "") in said
    assert "Lesson 00, From loops to one operator, says what @ does" in said and "hint(" not in said


def test_another_kind_of_answer_is_asked_again(in_lesson_02):
    """It counts as nothing."""
    in_lesson_02.go_on(1)
    assert last_line("half and half", "0.5, 0.5, 0", "8, 2, 3") == "2 of 2 right. They come again: 2 in 3 days."


def test_nothing_typed_is_not_known(in_lesson_02):
    """It says where to look, and comes tomorrow."""
    in_lesson_02.go_on(1)
    said = answering("", "8, 2, 3")
    assert "Only differences count" in said and said.endswith("They come again: 1 tomorrow, 1 in 3 days.\n")


def test_who_stops_keeps_what_was_answered(in_lesson_02):
    """The end of the input is as good as Ctrl-C."""
    in_lesson_02.go_on(1)
    assert last_line("0.5, 0.5, 0") == "1 of 1 right. They come again: 1 in 3 days. Still due: 1."
    assert last_line() == "Nothing was answered."


def test_ten_at_once_the_longest_overdue_first(clock, monkeypatch):
    """A lesson that was begun brings its two questions, even if they were skipped; a prediction not."""
    monkeypatch.setattr(journal, "in_a_notebook", lambda: True)
    for task in ("attention_scores", "causal_mask", "attention_head", "parameter_count", "split_heads", "score_bytes"):
        journal.note("tried", task)
        clock.go_on(1)
    names = review.due()
    assert len(names) == 12 and names[:2] == [FIRST, SECOND] and all(name.startswith("remember_") for name in names)
    assert last_line(*[""] * 10) == "0 of 10 right. They come again: 10 tomorrow. Still due: 2."
    assert review.due() == names[10:]


def test_a_prediction_comes_again_once_it_was_made(clock, monkeypatch):
    """By then one knows what it is about."""
    monkeypatch.setattr(journal, "in_a_notebook", lambda: True)
    check(predict_one_more_key="a")
    clock.go_on(1)
    assert "predict_one_more_key" in review.due()
    assert not [name for name, task in EXERCISES.items() if task.points and name in review.due_dates()]


def test_progress_says_how_many_are_due(in_lesson_02):
    """In a line, as long as some are."""
    in_lesson_02.go_on(1)
    line = "2 questions are due: `mha review`, in a terminal, asks them again."
    assert line in str(progress()) and "<code>mha review</code>" in progress()._repr_html_()
    answering(*RIGHT.values())
    assert "due" not in str(progress())


def test_every_such_question_can_be_asked(clock):
    """Each has its text and the form of its answer; with the right answer typed it is right."""
    for name, task in EXERCISES.items():
        if name.startswith(("remember_", "predict_")):
            folder = ROOT / "course" / task.lesson
            text, form = review._text_and_form(folder / f"{task.lesson}.ipynb", name)
            assert text.strip().startswith("**From") == name.startswith("remember_") and form, name
            assert "From memory" not in text and "$" not in text


def test_a_damaged_line_disturbs_nothing(in_lesson_02):
    """What has no day, or another's, is passed over."""
    with open(journal.place(), "a") as file:
        for when in ("", "soon", 3, None):
            file.write("\n" + json.dumps(dict(when=when, what="reviewed", task=FIRST, right=False)))
    in_lesson_02.go_on(1)
    assert review.due() == [FIRST, SECOND]
