"""What a terminal shows while a class is graded."""

from autograder.grading.whole_class import Graded
from autograder.intake.progress_output import Longest


def test_whoever_keeps_all_waiting_is_named():
    """With the seconds so far."""
    assert str(Longest(lambda: ("Ada Lovelace", 42.3)).render(None)) == "Ada Lovelace has been running for 42 s"
    assert str(Longest(lambda: ("Ada Lovelace", 1.2)).render(None)) == str(Longest().render(None)) == ""
    assert "\x1b" not in str(Longest(lambda: ("\x1b[2J", 42.3)).render(None))


def test_what_is_known_is_told_apart():
    """Nobody looks for what is new among those that they have seen."""
    new, known = (Graded("lesson_01_softmax", "ada", trouble="not graded: x", told=told) for told in (False, True))
    assert str(new) == "not graded: x" and str(known) == "as before, not graded: x"
