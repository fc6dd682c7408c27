"""Where things lie in the nbgrader course that we are in."""

from pathlib import Path

import click
from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory


def course_here():
    """As `nbgrader` finds it from the working folder."""
    app = NbGrader()
    app.load_config_file()
    return CourseDirectory(parent=app)


def released_notebook(coursedir, lesson):
    """The file that learners got."""
    folder = Path(coursedir.format_path(coursedir.release_directory, ".", lesson))
    file = folder / f"{lesson}.ipynb"
    if not file.exists():
        there = sorted(place.name for place in folder.parent.glob("*/") if not place.name.startswith("."))
        raise click.ClickException(
            f"There is no released lesson {lesson!r}: {file} is missing. Released are: {', '.join(there) or 'none'}."
        )
    return file


def submitted_folder(coursedir, lesson, student):
    return Path(coursedir.format_path(coursedir.submitted_directory, student, lesson))
