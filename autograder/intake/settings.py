"""nbgrader's settings of the course in whose folder a command was typed."""

from pathlib import Path

from click import ClickException
from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory

from ..judging.verdict import error_line
from ..told import AGAIN, Told
from .gradebook_file import check_gradebook

GO_THERE = "go to the folder of your course, where it lies, and type the command there."


def settings(trust_submissions):
    """Return nbgrader's settings, as `nbgrader autograde` finds them from here."""
    app = NbGrader()
    _must_be_a_course(app)
    _load(app)
    check_gradebook(CourseDirectory(config=app.config).db_url)
    app.config.Examiner.trust_submissions = trust_submissions
    return app.config


def _load(app):
    """Load them. nbgrader would go on without those that it cannot read: without the sandbox, too."""
    app.raise_config_file_errors = True
    try:
        app.load_config_file()
    except Exception as error:
        where = f"{app.config_file_name}.py"
        raise Told(f"The settings in {where} cannot be read ({error_line(error)}): mend them, {AGAIN}") from None


def _must_be_a_course(app):
    """Stop where there are no settings: nbgrader would make a gradebook of its own."""
    name = f"{app.config_file_name}.py"
    if not any(Path(place, name).exists() for place in (Path.cwd(), *app.config_file_paths)):
        raise ClickException(f"There is no {name} in {Path.cwd()}: {GO_THERE}")
