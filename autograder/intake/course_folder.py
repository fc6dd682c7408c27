"""The files and folders of the current course, wherever nbgrader's settings put them, and receipts.

receipts/<lesson>/<student>.json says what was found, what was mended, what prevents grading, and how it was graded.
receipts/class_of_<lesson>.json holds the class list, where one was given.
"""

import json
from contextlib import suppress
from pathlib import Path

import nbformat
import nbgrader
from click import ClickException
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from ..environment import find_our_commands
from ..failure_messages import AGAIN, Told, in_words
from ..judging.errors import error_line
from .own_numbers import gradebook_file, has_no_gradebook
from .whole_files import write_whole

OLD = "{} is a gradebook of another version of nbgrader: make a copy of it, say `nbgrader db upgrade`, " + AGAIN


def settings(trust_submissions):
    """Return nbgrader's settings, as `nbgrader autograde` finds them from here; raise ClickException if there are none.

    Without a file of them nbgrader would make a gradebook of its own here, and work without the sandbox.
    trust_submissions: whether to grade even where there is no sandbox.
    """
    app = NbGrader()
    name = f"{app.config_file_name}.py"
    if not any(Path(place, name).exists() for place in (Path.cwd(), *app.config_file_paths)):
        where = "go to the folder of your course, where it lies, and type the command there."
        raise ClickException(f"There is no {name} in {Path.cwd()}: {where}")
    app.raise_config_file_errors = True
    try:
        app.load_config_file()
    except Exception as error:
        raise Told(f"The settings in {name} cannot be read ({error_line(error)}): fix them, {AGAIN}") from None
    check_gradebook(CourseDirectory(config=app.config).db_url)
    app.config.Examiner.trust_submissions = trust_submissions
    return app.config


def check_gradebook(db_url):
    """Raise Told if nbgrader cannot use the file at this address; a file that does not exist yet is fine."""
    if not gradebook_file(db_url) or has_no_gradebook(db_url):
        return
    from alembic.migration import MigrationContext  # here: where there is no gradebook, nobody waits for it
    from alembic.script import ScriptDirectory

    engine = create_engine(db_url)
    try:
        with engine.connect() as gradebook:
            versions = set(MigrationContext.configure(gradebook).get_current_heads())  # none while it is being made
    except SQLAlchemyError as error:
        raise Told(in_words(error)) from None
    finally:
        engine.dispose()
    newest = ScriptDirectory(Path(nbgrader.__file__).with_name("alembic")).get_current_head()
    if versions - {newest}:  # to find that out itself, nbgrader would start a process and take seconds
        raise Told(OLD.format(gradebook_file(db_url)))


def course(config=None):
    """Return nbgrader's API for the course in this folder, or by other settings; its `coursedir` knows the folders."""
    find_our_commands()
    return NbGraderAPI(config=config or settings(trust_submissions=False))


def released_notebook(coursedir, lesson):
    """Return the notebook file that learners got; raise ClickException if it is missing or damaged."""
    folder = Path(coursedir.format_path(coursedir.release_directory, ".", lesson))
    file = folder / f"{lesson}.ipynb"
    if not file.exists():
        there = sorted(place.name for place in folder.parent.glob("*/") if not place.name.startswith("."))
        advice = f"Released are: {', '.join(there)}." if there else "Are you in the course's folder?"
        raise ClickException(f"There is no released lesson {lesson!r}: {file} is missing. {advice}")
    if not is_whole(file):
        raise ClickException(f"{file} is damaged: get it again, as it came with the course, or by `mha build`.")
    return file


def place_of(coursedir, lesson, student):
    """Return the folder that holds all submissions, and the path from there to this one."""
    parts = Path(coursedir.format_path(coursedir.submitted_directory, "*", lesson)).parts
    before = parts.index("*")
    return Path(*parts[:before]), Path(student, *parts[before + 1 :])


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


def feedback_folder(coursedir, lesson, student):
    """Return the folder that holds the page and the notebook which go back to a student."""
    return Path(coursedir.format_path(coursedir.feedback_directory, student, lesson))


def notebook_of(file):
    """Read a notebook without validating it: nbformat would take too long, and grading has validated it already."""
    return nbformat.from_dict(json.loads(Path(file).read_text(encoding="utf-8")))


def is_whole(file):
    try:
        return "cells" in notebook_of(file)
    except (OSError, ValueError, TypeError):
        return False


def receipt(root, lesson, student):
    """Return what has been noted so far, empty if nothing has been; raise Told if it cannot be read."""
    file = Path(root, "receipts", lesson, f"{student}.json")
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise Told(f"{file} cannot be read ({getattr(error, 'strerror', None) or error}): take it away") from None


def receipt_or_trouble(root, lesson, student):
    """Return a receipt that is only to be read; one that cannot be becomes its trouble, and so stops no other."""
    try:
        return receipt(root, lesson, student)
    except Told as damaged:
        return {"trouble": str(damaged)}


def receipts(root, lesson):
    files = sorted(Path(root, "receipts", lesson).glob("*.json"))
    return {file.stem: receipt_or_trouble(root, lesson, file.stem) for file in files}


def note(root, lesson, student, **what):
    """Add to a receipt, or change what it says, and return it."""
    noted = {"student": student, "lesson": lesson, **receipt(root, lesson, student), **what}
    write_whole(Path(root, "receipts", lesson, f"{student}.json"), json.dumps(noted, indent=1, ensure_ascii=False))
    return noted


def note_class(root, lesson, roster):
    """Add the students of a roster to a lesson's class list, since a class may come in several rosters."""
    everybody = class_of(root, lesson) | {one.id: {"name": one.name, "excused": one.excused} for one in roster}
    write_whole(Path(root, "receipts", f"class_of_{lesson}.json"), json.dumps(everybody, indent=1, ensure_ascii=False))


def class_of(root, lesson):
    """Return student -> {name, excused}; an empty dict if no roster was given, or the file is damaged."""
    with suppress(OSError, ValueError, TypeError):
        known = json.loads(Path(root, "receipts", f"class_of_{lesson}.json").read_text(encoding="utf-8"))
        return {student: about for student, about in dict(known).items() if "name" in about}
    return {}
