"""Take a fingerprint of all that decides a score: as long as it stays the same, nothing is graded again."""

import os
from functools import cache
from hashlib import sha256
from pathlib import Path

from ..intake.course_folder import notebook_of, submitted_folder
from ..intake.own_numbers import NAME, folder_of, own_numbers
from ..intake.triage import TIME
from ..outline import outline

PACKAGES = list(outline().folders.values())
# What comes before grading and after it, and commands: what they say differently changes no mark and no card.
AROUND = ("intake", "teaching", "build.py", "cli.py", "cli_for_instructors.py", "lab.py", "trying.py")


def fingerprint(coursedir, lesson, student):
    """Return a fingerprint of what decides a score.

    Of a submission these are its cells and its time; and there are the lesson, the seed, the student's own numbers, the
    settings, and what judges.
    """
    handed_in = submitted_folder(coursedir, lesson, student)
    source = Path(coursedir.format_path(coursedir.source_directory, ".", lesson))
    files = [handed_in / TIME, *_files(source, "*.ipynb"), folder_of(coursedir.db_url) / NAME]
    files += [Path(coursedir.root) / "nbgrader_config.py"]
    numbers, file = own_numbers(coursedir.db_url, lesson).get(student, {}), handed_in / f"{lesson}.ipynb"
    cells = notebook_of(file).cells if file.exists() else []
    written = [(c.cell_type, c.source, c.get("attachments"), c.metadata.get("nbgrader")) for c in cells]
    return _digest(files, f"{_of_what_judges()}{written}{numbers}")


@cache
def _of_what_judges():
    return _digest(what_judges())


def what_judges():
    """Return our files that decide a mark or a card, and no text or answer in the folder of a lesson."""
    around = [PACKAGES[0] / name for name in AROUND]
    modules = (file for place in PACKAGES for file in _files(place, "**/*.py"))
    files = [file for file in modules if (file.parent / "__init__.py").exists()] + _files(PACKAGES[0], "**/*.toml")
    files = [file for file in files if not any(map(file.is_relative_to, around))]
    return [*files, PACKAGES[0] / "intake" / "own_numbers.py", outline().folder / "course.toml"]  # it derives seeds


def _files(folder, pattern):
    return sorted(file for file in folder.glob(pattern) if file.is_file() and not file.is_symlink())


def _digest(files, more=""):
    """Return a digest of files and their names: of two, one may have taken the other's name. Lost ones are empty."""
    named = (os.fsencode(file.name) + b"\0" + (file.read_bytes() if file.exists() else b"") for file in files)
    parts = "".join(sha256(content).hexdigest() for content in named)
    return sha256((parts + more).encode()).hexdigest()
