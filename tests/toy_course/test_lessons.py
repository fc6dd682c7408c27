"""The toy course is built, learned, graded and reported with the same commands."""

import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
import toy_ref
from click import ClickException
from click.testing import CliRunner

from autograder import check, hint, solution
from autograder.build import build
from autograder.cases import case
from autograder.cli import main
from autograder.course import installed
from autograder.exercise import Exercise
from autograder.judging.source import names_used
from autograder.mistakes import mistake
from autograder.outline import folder_of, read_outline


def test_a_second_build_changes_nothing(built):
    """Every notebook is as its text makes it, to the byte."""
    assert build(built) == []


def test_learners_get_stubs(built):
    """Our solutions stay behind; a mark by hand stays."""
    (mean,) = [
        cell.source for cell in cells(built, "course") if cell.metadata.get("nbgrader", {}).get("grade_id") == "mean"
    ]
    assert "your work goes here" in mean and "sum(" not in mean
    assert [cell.metadata.nbgrader.points for cell in cells(built, "course") if cell.id == "why_squares"] == [2]


def cells(root, kind, lesson="lesson_00_spread"):
    return nbformat.read(root / kind / lesson / f"{lesson}.ipynb", as_version=4).cells


def test_what_does_the_whole_exercise_is_forbidden():
    """NumPy has a function for it."""
    card = check(mean=lambda numbers, counts=None: np.average(numbers, axis=-1, weights=counts, keepdims=True)).card
    assert "uses `average`, which does all of this at once" in card.text


def test_a_function_of_that_name_may_be_written():
    """Only the library's own is forbidden: an exercise may have its name, and call itself."""

    def average(numbers):
        return numbers[..., :1] if numbers.shape[-1] == 1 else average(numbers[..., :1])

    def mean(numbers, counts=None):
        return average(numbers)

    average.__module__ = mean.__module__ = "__main__"
    assert "average" not in names_used(mean) and "average" not in names_used(average)
    assert "average" in names_used(lambda numbers: np.average(numbers))


def test_unless_it_is_told_where_it_builds_beside_the_lessons(monkeypatch):
    """Whoever has the course, and wherever they type the command."""
    built_in = []
    monkeypatch.setattr("autograder.build._replace_differing", lambda made, target: built_in.append(target) or [])
    assert build() == [] and built_in == [installed().folder.parent / kind for kind in ("solutions", "course")]


def test_hints_that_are_missing_stop_the_build(built, monkeypatch):
    """The author reads for what."""
    without = {name: hints for name, hints in installed().hints.items() if name != "takes_the_root"}
    monkeypatch.setattr(installed(), "hints", without)
    with pytest.raises(ClickException, match="1 without hints: write sections `## takes_the_root`"):
        build(built)


def has_no_message(numbers, counts=None):
    return numbers


def misspells(number, counts=None):
    """A message."""
    return number


def is_right(numbers, counts=None):
    """A message."""
    return toy_ref.mean(numbers, counts)


@mistake(divisor=(2, 3))
def has_another_constant(numbers, counts=None, *, factor=2):
    """A message."""
    return factor * numbers


@mistake(on="singel")
def shows_on_no_case(numbers, counts=None):
    """A message."""
    return numbers


@mistake(factor=(2, 3))
def speaks_of_another_constant(numbers, counts=None, *, factor):
    """Your mean is {divisor} times too large."""
    return factor * numbers


WRONG = {
    has_no_message: "has_no_message, a wrong version of mean, needs a docstring, which learners read; a helper",
    misspells: "misspells, a wrong version of mean, has the input `number`, but mean takes numbers, counts.",
    is_right: "is_right, a wrong version of mean, gives the right result in every case: correct it, or add a case.",
    has_another_constant: "has no keyword-only parameter `divisor`, which its @mistake gives",
    shows_on_no_case: "shows on 'singel', it says: no case of any exercise has that tag",
    speaks_of_another_constant: "the docstring of speaks_of_another_constant has {divisor}, which no @mistake gives",
}


@pytest.fixture
def mean_with(monkeypatch):
    """Returns a function that adds a wrong version to the exercise `mean`, for one test."""
    mean = installed().exercises["mean"]

    def forget():
        for name in ("mistakes", "wrong_versions", "pairs"):
            vars(mean).pop(name, None)

    def add(function):
        monkeypatch.setattr(mean, "own_mistakes", [*mean.own_mistakes])
        mean.take_mistakes(SimpleNamespace(__name__=__name__, wrong=function))
        forget()

    yield add
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize("function", WRONG, ids=lambda function: function.__name__)
def test_a_wrong_version_that_cannot_work_stops_the_build(built, mean_with, function):
    """The author reads which, and what to do."""
    with pytest.raises(ClickException, match=WRONG[function]):
        mean_with(function)
        build(built)


def test_only_our_course_is_tried():
    """Its tests are what `mha try` runs; one reads where it says what to do in another."""
    said = CliRunner().invoke(main, ["try", "mean"])
    assert said.exit_code == 1 and "docs/own_course.md" in said.output


def test_an_author_judges_all_wrong_versions(mean_with):
    """As the document says; one that is right is called nothing."""
    mean_with(is_right)
    document = (Path(__file__).parents[2] / "docs" / "own_course.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from autograder import EXERCISES, judge\n.*?)```", document, re.DOTALL)
    said = StringIO()
    with redirect_stdout(said):
        exec(code, {})
    found = dict(line.split(" -> ") for line in said.getvalue().splitlines())
    assert found.pop("is_right") == "None" and len(found) == 4 and all(name == found[name] for name in found)


COURSES = {
    'titel = "Spread"': "course.toml must say `id = ...`",
    'id = "spread"\ntitle = "Spread"\nreference = "none_of_this_name"': "There is no package 'none_of_this_name'",
    'id = "spread"\ntitle = "Spread"\nreference = "toy_ref"\nlayer = "x"': "says `layer = ...`; what it can say is",
    "id = ": "course.toml: Invalid value (at end of document)",
    'id = "../../evil"\ntitle = "Spread"\nreference = "toy_ref"': "it should be a name of letters, digits, - and _",
    'id = [1, 2]\ntitle = "Spread"\nreference = "toy_ref"': "says `id = [1, 2]`; it should be a name",
    'id = "spread"\ntitle = "\\u001b[31mred"\nreference = "toy_ref"': r"says `title = '\x1b[31mred'`; it should be",
    'id = "spread"\ntitle = "Spread"\nreference = "os"': "There is no package 'os'",
    'id = "spread"\ntitle = "Spread"\nreference = "..x"': "There is no package '..x'",
    'id = "spread"\ntitle = "Spread"\nreference = "toy_ref"\nmodules = [1]': "it should be a list of texts",
    'id = "spread"\ntitle = "Spread"\nreference = "toy_ref"\nparts = "x"': "it should be a table",
    f"id = {'[' * 3000}{']' * 3000}": "course.toml: maximum recursion depth exceeded",
    None: "A course needs a file course.toml beside its lessons",
}


@pytest.mark.parametrize("toml, told", COURSES.items(), ids=range(len(COURSES)))
def test_a_course_that_says_something_wrong_of_itself(tmp_path, monkeypatch, toml, told):
    """The author reads what and where."""
    (tmp_path / "lessons_of_mine").mkdir()
    if toml:
        (tmp_path / "lessons_of_mine" / "course.toml").write_text(toml)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ClickException, match=re.escape(told)):
        folder_of(read_outline("lessons_of_mine").reference)


@pytest.mark.parametrize("course", ["no_lessons", "toy_lessons:no_course"])
def test_a_course_that_is_not_there(course):
    """A line says which name is wrong."""
    said = in_a_shell("build", AUTOGRADER_COURSE=course)
    assert said.startswith("Error: The") and "'no_" in said and said.count("\n") == 1


def in_a_shell(*command, **variables):
    """Return what `mha` says on its error output."""
    command = [sys.executable, "-m", "autograder.cli", *command]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | variables).stderr


def test_a_step_that_the_reference_does_not_offer_stops_the_build(built, monkeypatch):
    """Wrong versions could not be put in its place."""
    monkeypatch.delitem(installed().versions.right, "mean")
    with pytest.raises(ClickException, match="`mean` is not in `__all__` of toy_ref: add it there"):
        build(built)


def test_a_case_with_an_input_that_is_none_stops_the_build(built, monkeypatch):
    """As where it is misspelt."""
    Exercise.cases.cache_clear()
    monkeypatch.setattr(installed().exercises["mean"], "draw", lambda rng: [case(number=rng.random(3))])
    with pytest.raises(ClickException, match=r"cases\.py of lesson_00_spread: a case of mean has the input 'number'"):
        build(built)


def test_check_hint_and_solution():
    """What a learner calls works for any course."""
    card = check(mean=lambda numbers, counts=None: numbers.mean(axis=-1, keepdims=True)).card
    assert "leaves_the_counts_out" in card.title or "counts" in card.text
    assert hint("mean").title.startswith("Hint 1 of 3")
    assert "counts.sum" in str(solution("mean", anyway=True).blocks)
