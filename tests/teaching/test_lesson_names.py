"""Lessons by name, as an instructor types them."""

import click
import pytest
from click.testing import CliRunner

from autograder.catalogue import LESSONS, UnknownLesson, lesson_named
from autograder.cli import LESSON, main

WITH_LESSONS = ("kit", "collect", "grade", "report", "regrade", "feedback", "marks")


def test_the_beginning_is_enough():
    """Where only one lesson begins like that."""
    assert lesson_named("lesson_02") == lesson_named("lesson_02_scaled_dot_product") == LESSONS[2]


@pytest.mark.parametrize(
    "name, said",
    [
        ("lesson_0", f"More than one lesson begins with lesson_0: {', '.join(LESSONS)}."),
        ("masks", "There is no lesson 'masks'. Perhaps it is one of: lesson_03_masks."),
        ("essay", f"There is no lesson 'essay'. Perhaps it is one of: {', '.join(LESSONS)}."),
    ],
)
def test_others_that_are_near(name, said):
    """One sees what was meant."""
    with pytest.raises(UnknownLesson) as unknown:
        lesson_named(name)
    assert str(unknown.value) == said


@pytest.mark.parametrize("name", ["lesson_3", "lesson_03_mask_s", "lesson03", "03_mask"])
def test_slips(name):
    """The lesson that was meant is among those that are told."""
    with pytest.raises(UnknownLesson, match="lesson_03_masks"):
        lesson_named(name)


@pytest.mark.parametrize("command", WITH_LESSONS)
def test_in_all_commands(command):
    """An argument or an option, one or several."""
    assert any(parameter.type is LESSON for parameter in main.commands[command].params)


def test_it_is_one_sentence():
    """Without a traceback, before anything is done."""
    done = CliRunner().invoke(main, ["kit", "lesson_99"])
    assert done.exit_code == click.ClickException.exit_code and "Error: There is no lesson 'lesson_99'" in done.output
