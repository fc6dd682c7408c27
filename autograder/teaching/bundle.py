"""Make `mha bundle`: what a platform needs to grade a lesson by itself, laid out as it wants it.

Each holds the packages and the lesson, as a student's kit does, and scripts from templates/platforms/.
"""

import re
import shutil
import uuid
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from nbgrader.coursedir import CourseDirectory

from ..grading.one_notebook import settings
from ..intake.safe_files import pack
from ..intake.wording import lesson_in_words
from ..outline import outline
from .kit import files_of_kit

TEMPLATES = Path(__file__).parent / "templates" / "platforms"
GRADER = {"gradescope": "", "github": ".github/grading/", "prairielearn": "image/", "vpl": "server/"}  # its place
NOTEBOOK = {"github": "", "prairielearn": "questions/{lesson}/clientFilesQuestion/"}  # where learners find the lesson

# What would be hidden here, or is called as no folder of a wheel may be.
RENAMED = {"_github/": ".github/", "tests_run.sh": "tests/run.sh", "questions/lesson/": "questions/{lesson}/"}


def make_bundle(platform, lesson, to):
    """Make the bundle, a zip if `to` ends so and else a folder, and return its path."""
    to = Path(to)
    if to.suffix != ".zip" and to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise click.ClickException(f"{to} is there already: name a new folder, or a zip.")
    with TemporaryDirectory() as folder:
        kit = files_of_kit(lesson, CourseDirectory(config=settings()), Path(folder))
        files = {f"{GRADER[platform]}course/{name}": file for name, file in kit.items()}
        if platform in NOTEBOOK:
            place = NOTEBOOK[platform].format(lesson=lesson)
            files[f"{place}{lesson}.ipynb"] = kit[f"course/{lesson}/{lesson}.ipynb"]
        files |= _filled(TEMPLATES / "common", GRADER[platform], platform, lesson, Path(folder, "common"))
        files |= _filled(TEMPLATES / platform, "", platform, lesson, Path(folder, platform))
        if to.suffix == ".zip":
            pack(files, to)
        else:
            _lay_out(files, to)
    return to


def _filled(templates, place, platform, lesson, folder):
    """Fill in the templates of a folder, and return name in the bundle -> file."""
    facts = dict(platform=platform, lesson=lesson, title=lesson_in_words(lesson), course=outline().title)
    facts["uuid"], files = str(uuid.uuid4()), {}
    for template in sorted(filter(Path.is_file, templates.rglob("*"))):
        name = template.relative_to(templates).as_posix()
        made = folder / name
        made.parent.mkdir(parents=True, exist_ok=True)
        text = template.read_text(encoding="utf-8")
        made.write_text(re.sub(r"@(\w+)@", lambda found: facts[found[1]], text), encoding="utf-8", newline="\n")
        if text.startswith("#!"):
            made.chmod(0o755)
        for old, new in RENAMED.items():
            name = name.replace(old, new.format(lesson=lesson))
        files[f"{place}{name}"] = made
    return files


def _lay_out(files, to):
    for name, file in files.items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, to / name)
