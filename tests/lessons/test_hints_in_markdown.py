"""Hints are written as Markdown, in the folder of a lesson; what is wrong with them stops the build."""

import sys

import pytest
from click import ClickException

from autograder.course import Course
from autograder.mistakes import check_hints, sections

TWO_HINTS = """# Hints of a lesson

## forgets_to_divide, divides_twice
A mean is a sum and a division.
Which of the two is missing?

The division comes last.

## mean
Add, and then divide.
"""


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of two lessons, whose hints a test writes."""
    for lesson in ("lesson_00_mean", "lesson_01_sum"):
        (tmp_path / "course_with_hints" / lesson).mkdir(parents=True)
        for file in ("__init__", "exercises"):
            (tmp_path / "course_with_hints" / lesson / f"{file}.py").write_text("")
    (tmp_path / "course_with_hints" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "course_with_hints" / "course.toml").write_text(
        'id = "two"\ntitle = "Two lessons"\nreference = "mha_ref"\n'
    )
    yield Course("course_with_hints")
    for name in [name for name in sys.modules if name.startswith("course_with_hints")]:
        del sys.modules[name]


def written(course, lesson, text):
    (course.folder / lesson / "hints.md").write_text(text, encoding="utf-8")
    return course.hints


def test_a_heading_names_all_that_its_hints_help_with(tmp_path):
    """Sentences have lines of their own, and are one paragraph for the reader."""
    both = ("A mean is a sum and a division. Which of the two is missing?", "The division comes last.")
    expected = {"forgets_to_divide": both, "divides_twice": both, "mean": ("Add, and then divide.",)}
    (tmp_path / "hints.md").write_text(TWO_HINTS)
    assert dict(sections(tmp_path / "hints.md")) == expected


def test_all_lessons_are_read(course):
    """One of the two has none; the engine has some for faults that any layer may have."""
    assert set(written(course, "lesson_01_sum", TWO_HINTS)) >= {"forgets_to_divide", "divides_twice", "mean"}


def test_hints_for_a_name_that_does_not_exist(course):
    """The author mistyped it, and reads the name that is near."""
    written(course, "lesson_00_mean", TWO_HINTS)
    with pytest.raises(ClickException, match="'divides_twice'; did you mean 'divides_trice'"):
        check_hints(course, ["forgets_to_divide", "divides_trice", "mean"])


def test_a_name_that_has_hints_twice(course):
    """Only one of them could be shown."""
    (course.folder / "lesson_01_sum" / "hints.md").write_text("## mean\nOnce more.\n")
    with pytest.raises(ClickException, match=r"lesson_01_sum/hints\.md: mean has hints already"):
        len(written(course, "lesson_00_mean", TWO_HINTS))
