"""Lines in order: every order that works is right, and a wrong one learns what it does."""

from itertools import permutations

import pytest

from autograder import EXERCISES, check, judge
from autograder.question import Ordering

TASK = EXERCISES["attention_in_order"]
RIGHT = "g b f d h a e"


@pytest.fixture
def loop():
    """Lines of a function with a loop, for the weighted mean of two axes."""
    lines = {
        "a": "    mean = mean + weights[..., k : k + 1] * values[..., k : k + 1, :]",
        "b": "mean = 0",
        "c": "for k in range(values.shape[-2]):",
        "d": "return mean",
    }
    task = Ordering(EXERCISES["weighted_mean"], lines, names=())
    task.name, task.lesson = "mean_in_order", "lesson_00_start_here"
    return task


@pytest.mark.parametrize("answer", [RIGHT, "gbfdhae", "G, B, F, D, H, A, E", list("gbfdhae"), tuple("gbfdhae")])
def test_letters_may_be_written_in_many_ways(answer):
    """With blanks, commas, capitals, or as a list."""
    assert check(attention_in_order=answer) == TASK.points


def test_every_order_that_works_is_right():
    """The size may be read anywhere before it is used; a line after the return does nothing."""
    for answer in ("f g b d h a e", "g f b d h a e", "g b f d h a e c"):
        assert judge(answer, TASK).right, answer


def test_no_order_is_right_that_does_not_compute_attention():
    """All orders of the seven lines: right is where `size` moves, and nothing else."""
    before = "gbdhae"
    right = {"".join(order) for order in permutations("gbd") if order == tuple("gbd")}
    assert right == {"gbd"}
    for order in permutations("gbfdh"):
        answer = f"{''.join(order)}ae"
        fits = answer.replace("f", "") == before and answer.index("f") < answer.index("d")
        assert judge(answer, TASK).right == fits, answer


WRONG = [
    ("g b h a e", "forgets_to_scale"),
    ("g b f h i a e", "scales_after_softmax"),
    ("g b f d h i a e", "scales_before_and_after_softmax"),
    ("g b f d c a e", "shares_out_over_the_queries"),
]


@pytest.mark.parametrize(("answer", "misconception"), WRONG)
def test_a_wrong_order_gets_the_card_of_its_misconception(answer, misconception):
    """The same as if it had been typed, with the input that shows it."""
    verdict = judge(answer, TASK)
    assert verdict.misconception.name == misconception
    card = check(attention_in_order=answer).card
    assert card.title == "✗ attention_in_order: not yet" and verdict.message in card.text
    assert any("Smallest input" in name for name, _ in (*card.blocks, *card.folded))


def test_the_run_is_told_line_by_line():
    """Those lines in that order, so that one sees what was put together."""
    lines = dict(check(attention_in_order="g b f h i a e").card.folded)["Your run on this input, line by line"]
    first_words = " ".join(line.split()[0] for line in lines.splitlines() if "→" not in line)
    assert first_words == "columns scores size weights weights mixed return"


UNUSABLE = [
    (..., "unwritten", "not answered yet"),
    (None, "unwritten", "not answered yet"),
    ("", "type", "`return` is missing"),
    (7, "type", "letters in quotes"),
    ("g b x", "type", "no line `x`"),
    ("g g b", "type", "line `g` more than once"),
    ("g b f d h a", "type", "`return` is missing"),
    ("b g f d h a e", "raised", "Line `b` uses `columns`, and runs before the one that makes it"),
    ("g b f d h e", "raised", "Line `e` uses `mixed`, and none of your lines makes it. A line above it must make"),
    ("g b d f h a e", "raised", "Line `d` uses `size`, and runs before the one that makes it"),
]


@pytest.mark.parametrize(("answer", "reason", "sentence"), UNUSABLE)
def test_what_makes_no_function_is_told_why(answer, reason, sentence):
    """In words about lines and letters."""
    verdict = judge(answer, TASK)
    assert (verdict.reason, verdict.score) == (reason, 0) and sentence in verdict.message
    assert check(attention_in_order=answer).card._repr_html_()


@pytest.mark.parametrize(("answer", "letter"), [("a b c d", "b"), ("b c d a", "d"), ("b d c", "c")])
def test_lines_that_do_not_fit_below_each_other_are_named(loop, answer, letter):
    """Python's sentence, and the letter of the line."""
    verdict = judge(answer, loop)
    assert verdict.reason == "raised" and f"At line `{letter}`" in verdict.message


def test_indented_lines_keep_their_place(loop):
    """A loop and what is in it."""
    assert judge("b c a d", loop).right


def test_an_endless_order_is_stopped(loop, monkeypatch):
    """It runs as any answer does, under the judge's time limit."""
    monkeypatch.setattr("autograder.judging.judge.TIME_LIMIT", 0.3)
    loop.lines["c"] = "while True:"
    loop.lines["a"] = "    pass"
    assert "did not finish" in judge("b c a d", loop).message


def test_lines_know_no_other_names_than_those_given():
    """A function that this lesson asks to write is not at hand, nor is any variable of the notebook."""
    task = Ordering(TASK.exercise, {"a": "return attention_weights(query, key) @ value"}, names=("np",))
    task.name, task.lesson = "borrowed", TASK.lesson
    assert "name 'attention_weights' is not defined" in judge("a", task).message
