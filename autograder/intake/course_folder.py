"""The files and folders of the current course, wherever nbgrader's settings put them."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import click
import nbformat
import nbgrader
from alembic.script import ScriptDirectory
from click import ClickException
from nbgrader.api import Base
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory

from ..catalogue import LESSONS
from ..environment import find_our_commands
from ..judging.verdict import error_line
from ..told import AGAIN, Told
from .numbers_of_students import gradebook_file
from .taking import place_of

GO_THERE = "go to the folder of your course, where it lies, and type the command there."
FOREIGN = (
    "{} is not a gradebook of nbgrader, but another database: move it away, or say in nbgrader_config.py where yours is"
)
OLD = "{} is a gradebook of another version of nbgrader: make a copy of it, say `nbgrader db upgrade`, " + AGAIN


def settings(trust_submissions):
    """Return nbgrader's settings, as `nbgrader autograde` finds them from here.

    trust_submissions: whether to grade even where there is no sandbox.
    """
    app = NbGrader()
    _must_be_a_course(app)
    _load(app)
    check_gradebook(CourseDirectory(config=app.config).db_url)
    app.config.Examiner.trust_submissions = trust_submissions
    return app.config


def _load(app):
    """Load the settings; raise Told if a file of them cannot be read.

    nbgrader would go on without that file, and so without the sandbox, too.
    """
    app.raise_config_file_errors = True
    try:
        app.load_config_file()
    except Exception as error:
        where = f"{app.config_file_name}.py"
        raise Told(f"The settings in {where} cannot be read ({error_line(error)}): fix them, {AGAIN}") from None


def _must_be_a_course(app):
    """Raise ClickException where there are no settings, since nbgrader would make a gradebook of its own there."""
    name = f"{app.config_file_name}.py"
    if not any(Path(place, name).exists() for place in (Path.cwd(), *app.config_file_paths)):
        raise ClickException(f"There is no {name} in {Path.cwd()}: {GO_THERE}")


def check_gradebook(db_url):
    """Raise Told if nbgrader cannot use the file at this address; a file that does not exist yet is fine."""
    file = gradebook_file(db_url)
    if file is None or not file.exists() or (file.is_file() and not file.stat().st_size):
        return
    if not file.is_file():
        raise Told(f"{file} should be the gradebook, and is a folder: move it away, {AGAIN}")
    try:
        # To write, too: what a killed process has left half-written must be undone before anything can be read.
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=rw", uri=True)) as gradebook:
            tables = {name for (name,) in gradebook.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            version = (
                gradebook.execute("SELECT version_num FROM alembic_version") if "alembic_version" in tables else ()
            )
            versions = {number for (number,) in version}
    except sqlite3.Error as error:
        raise Told(_cannot_be_read(file, error)) from None
    if tables and tables.isdisjoint(Base.metadata.tables):
        raise Told(FOREIGN.format(file))
    if versions - {_newest()}:  # nbgrader writes the version last: a gradebook that is being made has none yet
        raise Told(OLD.format(file))


def _newest():
    """Return the version of the database that this nbgrader writes.

    To find that out itself, nbgrader would start a process and take seconds.
    """
    return ScriptDirectory(Path(nbgrader.__file__).with_name("alembic")).get_current_head()


def _cannot_be_read(file, error):
    if "locked" in str(error):
        return f"Another program holds the gradebook, {file} ({error}): close it, {AGAIN}"
    return (
        f"The gradebook, {file}, cannot be read ({error}). Put a copy from before in its place. If there is none, "
        "move it away: `mha grade --all --again` makes a new one, without the marks that people gave"
    )


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
