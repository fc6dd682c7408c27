"""What a terminal shows while a class is graded."""

from autograder.grading.whole_class import Graded
from autograder.intake.progress_output import tell


def test_what_is_known_is_told_apart():
    """Nobody looks for what is new among those that they have seen."""
    new, known = (Graded("lesson_01_softmax", "ada", trouble="not graded: x", told=told) for told in (False, True))
    assert str(new) == "not graded: x" and str(known) == "as before, not graded: x"


def test_remarks_beside_the_points():
    """Each is told from the next, also where it is a sentence of its own."""
    said = str(Graded("lesson_01_softmax", "ada", 3, 5, remarks=("mended: x has the name y now.", "z waits")))
    assert said == "3 of 5; mended: x has the name y now; z waits"


def test_nothing_but_lines_in_a_pipe(capsys):
    """No empty ones where a terminal would show the progress."""
    tell((Graded("l", one, 3, 5, unchanged=one == "bo") for one in ("ada", "bo")), ["ada", "bo"])
    assert capsys.readouterr().out == "ada  l  3 of 5\n1 was graded before, and nothing has changed.\n"
