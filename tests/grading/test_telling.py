"""What a terminal shows while a class is graded."""

from types import SimpleNamespace

import pytest

from autograder.grading.whole_class import Graded
from autograder.intake.progress_output import Pace, time_left, to_look_at


@pytest.mark.parametrize("completed, speed", [(0, None), (2, 40.0), (9, 0.1), (50, None)])
def test_no_time_left_before_one_can_know_it(completed, speed):
    """The first ones wait for what is imported, or come at once: they say nothing about all others."""
    assert str(Pace().render(SimpleNamespace(completed=completed, speed=speed, total=100))) == ""


def test_then_it_is_told():
    """With the speed that it comes from."""
    shown = Pace().render(SimpleNamespace(completed=40, speed=2.0, total=100))
    assert str(shown) == "2.0 a second, about 30 s left"


def test_whoever_keeps_all_waiting_is_named():
    """With the seconds so far, in the place of a time that is left and that was never true."""
    task = SimpleNamespace(completed=19, speed=2.0, total=20)
    assert str(Pace(lambda: ("Ada Lovelace", 42.3)).render(task)) == "Ada Lovelace has been running for 42 s"
    assert "about" in str(Pace(lambda: ("Ada Lovelace", 1.2)).render(task))
    assert "\x1b" not in str(Pace(lambda: ("\x1b[2J", 42.3)).render(task))


def test_minutes_are_minutes():
    """Nobody divides by sixty."""
    assert time_left(600) == "about 10 min left" and time_left(89) == "about 89 s left"


def test_what_is_known_is_told_apart():
    """Nobody looks for what is new among those that they have seen."""
    new, known = (Graded("lesson_01_softmax", "ada", trouble="not graded: x", told=told) for told in (False, True))
    assert to_look_at([new]) == "1 submission wants to be looked at: see above."
    assert to_look_at([known]) == "1 submission wants to be looked at, as before: see above."
    assert to_look_at([new, known, known]) == "3 submissions want to be looked at, 2 of them as before: see above."
    assert str(new) == "not graded: x" and str(known) == "as before, not graded: x"
