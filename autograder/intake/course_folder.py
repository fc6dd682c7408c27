"""The files and folders of the current course, wherever nbgrader's settings put them."""

import json
from pathlib import Path

import click
import nbformat
from nbgrader.apps import NbGraderAPI

from ..catalogue import LESSONS
from ..environment import find_our_commands
from .settings import settings
from .taking import place_of


def course(config=None):
    """Return nbgrader's API for the course in this folder, or for another one if other settings are given.

    Its `coursedir` knows the folders.
    """
    find_our_commands()
    return NbGraderAPI(config=config or settings(trust_submissions=False))


def known(lesson):
    """Return the lesson's name; raise ClickException if there is no such lesson."""
    if lesson not in LESSONS:
        raise click.ClickException(f"There is no lesson {lesson}. There are: {', '.join(LESSONS)}")
    return lesson


def released_notebook(coursedir, lesson):
    """Return the notebook file that learners got; raise ClickException if it is missing or damaged."""
    folder = Path(coursedir.format_path(coursedir.release_directory, ".", lesson))
    file = folder / f"{lesson}.ipynb"
    if not file.exists():
        there = sorted(place.name for place in folder.parent.glob("*/") if not place.name.startswith("."))
        advice = f"Released are: {', '.join(there)}." if there else "Are you in the course's folder?"
        raise click.ClickException(f"There is no released lesson {lesson!r}: {file} is missing. {advice}")
    if not is_whole(file):
        raise click.ClickException(f"{file} is damaged: get it again, as it came with the course, or by `mha build`.")
    return file


def submitted_folder(coursedir, lesson, student="<student>"):
    """Return the folder where nbgrader looks for what a student handed in."""
    return Path(coursedir.format_path(coursedir.submitted_directory, student, lesson))


def who_handed_in(coursedir, lesson):
    """Return who handed in a lesson, including students whose folder, or its name, nbgrader would not accept."""
    base, inner = place_of(coursedir, lesson, "*")
    return sorted(folder.relative_to(base).parts[0] for folder in base.glob(inner.as_posix()))


def autograded_notebook(coursedir, lesson, student):
    """Return the path of a submission as grading left it; the file may not exist."""
    return Path(coursedir.format_path(coursedir.autograded_directory, student, lesson)) / f"{lesson}.ipynb"


NEWER = "what came in last is not graded yet: `mha grade` does that"


def trouble_of(coursedir, lesson, student, noted):
    """Say why a mark or a page would tell of nothing, or of an earlier submission; "" if they may be given.

    noted: the student's receipt.
    """
    if noted.get("trouble") or noted.get("graded") or "received" not in noted:
        return noted.get("trouble", "")
    graded = autograded_notebook(coursedir, lesson, student)
    came = submitted_folder(coursedir, lesson, student) / f"{lesson}.ipynb"
    is_newer = graded.exists() and came.exists() and came.stat().st_mtime > graded.stat().st_mtime
    return NEWER if is_newer else ""


def feedback_folder(coursedir, lesson, student):
    """Return the folder that holds the page and the notebook which go back to a student."""
    return Path(coursedir.format_path(coursedir.feedback_directory, student, lesson))


def notebook_of(file):
    """Read a notebook without validating it: nbformat would take too long, and grading has validated it already."""
    return nbformat.from_dict(json.loads(Path(file).read_text(encoding="utf-8")))


def is_whole(file):
    """Say whether a notebook exists and is complete."""
    try:
        return "cells" in notebook_of(file)
    except (OSError, ValueError, TypeError):
        return False
