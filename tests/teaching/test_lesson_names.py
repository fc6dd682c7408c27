"""Lessons by name, as an instructor types them."""

import click
import pytest
from click.testing import CliRunner

from autograder.catalogue import LESSONS, UnknownLesson, lesson_named
from autograder.cli import LESSON, main
from autograder.intake.wording import lesson_in_words

WITH_LESSONS = ("kit", "collect", "grade", "report", "feedback", "marks", "status", "show")


@pytest.mark.parametrize(
    "name",
    ["3", "03", "masks", "mask", "lesson_03", "lesson_3", "lesson 3", "03_mask", "lesson_03_masks"]
    + ["Lesson 03", "Lesson 03: masks", "MASKS", "3_masks"],
)
def test_one_lesson_in_many_words(name):
    """Its number, its name, the beginning of either, and the title that reports and lists print."""
    assert lesson_named(name) == "lesson_03_masks"


def test_every_title_that_is_printed_can_be_typed():
    """And so can every lesson's bare number, and its name without the number."""
    for lesson in LESSONS:
        _, number, words = lesson.split("_", 2)
        assert {lesson_named(x) for x in (lesson_in_words(lesson), str(int(number)), words)} == {lesson}


@pytest.mark.parametrize(
    "name, said",
    [
        ("m", "More than one lesson begins with m: lesson_03_masks, lesson_05_multi_head."),
        ("maks", "There is no lesson 'maks'. Perhaps it is one of: lesson_03_masks."),
        ("essay", f"There is no lesson 'essay'. Perhaps it is one of: {', '.join(LESSONS)}."),
        ("77", f"There is no lesson '77'. Perhaps it is one of: {', '.join(LESSONS)}."),
        ("lesson", f"There is no lesson 'lesson'. Perhaps it is one of: {', '.join(LESSONS)}."),
    ],
)
def test_others_that_are_near(name, said):
    """One sees what was meant, or all there are."""
    with pytest.raises(UnknownLesson) as unknown:
        lesson_named(name)
    assert str(unknown.value) == said


def test_slips():
    """The lesson that was meant is among those that are told."""
    with pytest.raises(UnknownLesson, match="lesson_03_masks"):
        lesson_named("lesson_03_mask_s")


@pytest.mark.parametrize("command", WITH_LESSONS)
def test_in_all_commands(command):
    """An argument or an option, one or several."""
    assert any(parameter.type is LESSON for parameter in main.commands[command].params)


def test_it_is_one_sentence():
    """Without a traceback, before anything is done."""
    done = CliRunner().invoke(main, ["kit", "lesson_99"])
    assert done.exit_code == click.UsageError.exit_code and "Error: There is no lesson 'lesson_99'" in done.output
