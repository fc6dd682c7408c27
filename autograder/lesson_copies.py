"""A learner's own copies of the lessons, in my_course/: what is there already is never overwritten."""

import json
import os
import shutil
import tempfile
from datetime import date
from itertools import chain, count
from pathlib import Path

from click import ClickException


def copy_lessons(course, mine):
    """Copy, file by file, what is not there yet: what is there belongs to the learner. Returns all notebooks."""
    files = [file for file in sorted(course.glob("lesson_*/**/*")) if file.is_file()]
    notebooks = [mine / file.relative_to(course) for file in files if file.suffix == ".ipynb"]
    if not notebooks:
        raise ClickException("There are no lessons in course/ yet: run `make build`, then this again.")
    for file in files:
        copy_unless_there(file, mine / file.relative_to(course))
    return notebooks


def start_lesson_afresh(lesson, course, mine):
    """Put a new copy of a lesson's notebook in the place of the old one. Returns both; None where there was none."""
    source, target = (folder / lesson / f"{lesson}.ipynb" for folder in (course, mine))
    if not source.is_file():
        raise ClickException(
            f"There is no new copy of {lesson}: {source} is missing. Run `make build`, then this again."
        )
    kept = set_aside(target) if os.path.lexists(target) else None
    try:
        copy_unless_there(source, target)
    except ClickException:
        if kept:
            kept.rename(target)
        raise
    return target, kept


def set_aside(file):
    """Rename a file after today's date, and return its new name."""
    try:
        return file.rename(dated(file))
    except OSError as error:
        raise ClickException(f"Could not rename {file}: {error.strerror}. It is as it was.") from None


def dated(file):
    """Return a file's name with today's date, and a number if that name is taken."""
    stem = f"{file.stem}_{date.today():%Y-%m-%d}"
    names = (file.with_name(f"{stem}{number}{file.suffix}") for number in chain([""], map("_{}".format, count(2))))
    return next(name for name in names if not os.path.lexists(name))


def copy_unless_there(source, target):
    """Copy a file so that it appears whole or not at all."""
    if os.path.lexists(target):
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".copying_", dir=target.parent) as folder:
            copied = shutil.copyfile(source, Path(folder) / source.name)
            if target.suffix == ".ipynb":
                name_our_kernel(copied)
            name_unless_taken(copied, target)
    except OSError as error:
        raise ClickException(f"Could not copy a lesson to {target}: {error.strerror} ({error.filename}).") from None


def name_our_kernel(file):
    """Write into a notebook what JupyterLab would add on opening it: else an untouched lesson is "unsaved" at once."""
    try:
        from ipykernel.ipkernel import IPythonKernel  # here: only new copies need it
        from ipykernel.kernelspec import get_kernel_dict
    except ImportError:
        return  # JupyterLab is elsewhere, and will add what it has there

    try:
        notebook = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return  # JupyterLab will say what is wrong with it
    kernel = dict(name="python3", display_name=get_kernel_dict()["display_name"], language="python")
    notebook.setdefault("metadata", {}).update(kernelspec=kernel, language_info=IPythonKernel.language_info)
    written = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)  # as nbformat writes
    file.write_text(f"{written}\n", encoding="utf-8", newline="\n")


def name_unless_taken(file, target):
    """Give a file a name by a link, which refuses a name that is taken; a rename might replace what is there."""
    try:
        os.link(file, target)
    except FileExistsError:
        return
    except OSError:  # a disk without links, a USB stick say
        if not os.path.lexists(target):
            os.rename(file, target)
