"""What a terminal shows while a class is graded."""

from autograder.grading.whole_class import Graded


def test_what_is_known_is_told_apart():
    """Nobody looks for what is new among those that they have seen."""
    new, known = (Graded("lesson_01_softmax", "ada", trouble="not graded: x", told=told) for told in (False, True))
    assert str(new) == "not graded: x" and str(known) == "as before, not graded: x"
