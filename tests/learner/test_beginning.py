"""The test in lesson 00: six readers, and one more, are sent to the lesson that is right for them."""

import numpy as np
import pytest
from helpers import ROOT

from autograder import EXERCISES, check, progress, where_to_begin
from autograder.catalogue import LESSONS
from autograder.course import installed
from autograder.learner import journal, review
from autograder.learner.progress import next_lesson

ENTRY = installed().outline.entry


def softmax(scores, axis=-1):
    """As one writes it who has met overflow."""
    unscaled = np.exp(scores - scores.max(axis, keepdims=True))
    return unscaled / unscaled.sum(axis, keepdims=True)


def naive(scores, axis=-1):
    """As one writes it who has only seen the formula."""
    return np.exp(scores) / np.exp(scores).sum(axis, keepdims=True)


def scaled_dot_product_attention(query, key, value):
    """The formula, in a line."""
    return softmax(query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5) @ value


WEIGHTS = {"entry_shifted_scores": 0.75, "softmax": softmax}
FORMULA = {"entry_score": 3, "scaled_dot_product_attention": scaled_dot_product_attention}
MASKS = {"entry_causal_weights": (1 / 4, 1 / 4, 1 / 4, 1 / 4, 0)}
HEAD = {"entry_parameters_in_torch": 44, "entry_parameters_of_a_head": 6400}
HEADS = {"entry_size_of_a_head": 64}
LAYER = {"entry_line_that_splits": "c", "entry_cross_weights": (2, 8, 5, 7)}
READERS = {
    "a beginner": ({"entry_shifted_scores": 1, "entry_score": 24, "softmax": naive}, "01"),
    "knows softmax": ({**WEIGHTS, "entry_score": 24, "entry_causal_weights": (0.2,) * 5}, "02"),
    "knows the formulas, but not torch": (
        {**WEIGHTS, **FORMULA, **MASKS, **HEADS, "entry_parameters_in_torch": 40, "entry_parameters_of_a_head": 6400},
        "04",
    ),
    "has written one head": (
        {**WEIGHTS, **FORMULA, **MASKS, **HEAD, **HEADS, "entry_line_that_splits": "a"},
        "06",
    ),
    "has written one head, and knows of no other": (
        {**WEIGHTS, **FORMULA, **MASKS, **HEAD, "entry_size_of_a_head": 512, "entry_line_that_splits": "b"},
        "05",
    ),
    "has written multi-head attention": ({**WEIGHTS, **FORMULA, **MASKS, **HEAD, **HEADS, **LAYER}, "09"),
    "knows the layers of a GPT, but no masks": (
        {**WEIGHTS, **FORMULA, **HEAD, **HEADS, **LAYER, "entry_causal_weights": (0.2,) * 5},
        "03",
    ),
}


@pytest.fixture
def lesson_00(tmp_path, monkeypatch):
    """Where a learner sits who has just begun, and has all lessons beside this one."""
    monkeypatch.setattr(journal, "in_a_notebook", lambda: True)
    monkeypatch.setattr(journal, "_unwritten", [])
    monkeypatch.setenv("MHA_PROGRESS", str(tmp_path / "progress.jsonl"))
    for name in ("NBGRADER_EXECUTION", "NBGRADER_VALIDATING"):
        monkeypatch.delenv(name, raising=False)
    for lesson in LESSONS:
        (tmp_path / "my_course" / lesson).mkdir(parents=True)
        (tmp_path / "my_course" / lesson / f"{lesson}.ipynb").touch()
    monkeypatch.chdir(tmp_path / "my_course" / LESSONS[0])


def after(answers):
    for name, answer in answers.items():
        check(**{name: answer})
    return where_to_begin()


@pytest.mark.parametrize(("answers", "lesson"), READERS.values(), ids=READERS)
def test_a_reader_is_sent_to_the_right_lesson(lesson_00, tmp_path, answers, lesson):
    """With a reason and a link; progress() and `mha lab` go there too."""
    found = after(answers)
    name = LESSONS[int(lesson)]
    assert found.lesson == name and found.title.startswith(f"Begin with lesson {lesson} ")
    assert f'href="../{name}/{name}.ipynb"' in found._repr_html_()
    following = name if lesson > "01" else LESSONS[0]  # a beginner reads on
    assert progress().next.lesson == following and next_lesson(tmp_path / "my_course", LESSONS) == following


def test_it_says_why_and_what_may_be_skipped(lesson_00):
    """The tasks that are not right, with their lessons, and those whose tasks are."""
    said = " ".join(str(after(READERS["knows the layers of a GPT, but no masks"][0])).split())
    assert "Right: 9 of 10. Not right, or left out: `entry_causal_weights` (lesson 03)." in said
    assert "You may skip lessons 01, 02, 04, 05, 06, 07" in said


def test_a_slip_can_be_mended(lesson_00):
    """What counts is what is right in the end."""
    after(READERS["knows the layers of a GPT, but no masks"][0])
    assert after(MASKS).title.startswith("Begin with lesson 09")


def test_whoever_works_on_is_not_sent_back(lesson_00):
    """The advice is where to begin: then the lesson worked on last counts."""
    after(READERS["has written one head"][0])
    check(cross_weights_shape=(1,))
    assert progress().next.lesson == LESSONS[7]


def test_run_all_sends_nobody_anywhere(lesson_00):
    """Neither who has not begun, nor who has written both functions in their own lessons."""
    for name in ("softmax", "scaled_dot_product_attention"):
        assert "no question is answered" in str(where_to_begin())
        journal.note("done", name)
    assert not journal.tasks("begin")


def test_it_is_optional(lesson_00):
    """Nothing of it counts, or is asked again."""
    after(READERS["knows softmax"][0])
    assert not [
        name for name in ENTRY if name.startswith("entry_") and (EXERCISES[name].points or name in review.due_dates())
    ]


def test_lesson_00_validates_without_it(lesson_00, monkeypatch):
    """Not even the two functions, which another lesson marks."""
    monkeypatch.setenv("NBGRADER_VALIDATING", "1")
    assert check(softmax=naive) == 0 and check(softmax=...) == 0 and check(entry_score=24) == 0
    monkeypatch.chdir(f"../{LESSONS[1]}")
    with pytest.raises(Exception, match="softmax"):
        check(softmax=...)


def test_lesson_00_asks_all_of_it_after_its_summary():
    """Whoever skips it has nothing more to read; eight questions, two functions, in the order of the lessons."""
    text = installed().text(LESSONS[0]).read_text()
    summary, _, rest = text.partition("# ## Summary\n")
    places = [rest.find(f'="{name}"\n') for name in ENTRY]
    assert -1 not in places and not any(f'="{name}"' in summary for name in ENTRY)
    assert len([name for name in ENTRY if name.startswith("entry_")]) == 8 and len(ENTRY) == 10
    assert [*ENTRY.values()] == sorted(ENTRY.values()) and (ROOT / "course" / LESSONS[0]).is_dir()
