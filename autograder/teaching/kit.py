"""Make `mha kit`: the zip that students receive, for all of them or for each with numbers of their own.

And `mha bundle`: what a platform needs to grade a lesson by itself, laid out as it wants it: a kit, and scripts from
templates/platforms/.
"""

import json
import re
import uuid
from pathlib import Path

import click
import nbformat
from nbgrader.coursedir import CourseDirectory

from ..catalogue import LESSONS, varying
from ..intake.course_folder import notebook_of, released_notebook
from ..intake.own_numbers import derived, own_numbers, place, seed_of
from ..intake.whole_files import lay_out, pack, write_whole
from ..intake.wording import lesson_in_words
from ..outline import INSTALLED, NOTE, outline, where
from ..question import NUMBERS, put_numbers_in
from .cheat_sheet import FILE as SHEET

ROOT = Path(__file__).resolve().parents[2]
FOR_LEARNERS = Path(__file__).parent / "kit_for_learners"  # in the place of ours, which are for more people
FILES = ("LICENSE", "constraints.txt", "nbgrader_config.py", "pyproject.toml", "tools/set_up.py")
# Of a lesson our solutions, what tests and the build read; and what Python, Jupyter and editors leave behind.
STAYS = re.compile(r"text|(clauses|sheet)\.toml|\..*|__pycache__|.*~|.*\.egg-info")


def make_kit(lesson, coursedir, to, numbers=None):
    """Make the zip, whole or not at all, and return its path. numbers: question -> a student's own numbers."""
    files = files_of_kit(lesson, coursedir)
    if numbers is not None:
        files |= _with_numbers(lesson, numbers, released_notebook(coursedir, lesson))
    pack({f"{outline().id}/{name}": file for name, file in files.items()}, to)
    return Path(to)


def files_of_kit(lesson, coursedir):
    """Return name -> a file, or the text of one that is made for it, for all that a lesson needs."""
    notebook = released_notebook(coursedir, lesson)
    files = {f"course/{lesson}/{file}": notebook.parent / file for file in _names(notebook.parent)}
    files |= {f"course/{sheet.name}": sheet for sheet in notebook.parents[1].glob(SHEET)}
    files |= {file.name: file for file in sorted(FOR_LEARNERS.iterdir())}
    files |= {name: ROOT / name for name in FILES}
    for package, home in outline().folders.items():
        files |= {f"{package}/{name}": home / name for name in _names(home)}
    missing = [name for name, file in files.items() if not file.is_file()]
    if missing:
        raise click.ClickException(f"A kit is made from the course's whole folder, and here is no {missing[0]}.")
    text = files["README.md"].read_text(encoding="utf-8")
    files["README.md"] = text.format(title=outline().title, lesson=lesson)
    return files | (_of_another_course() if where() != INSTALLED else {})


def _of_another_course():
    """Return what tells an installation of its course, and of its packages: two texts by name."""
    packages, name = outline().packages, outline().id.replace("_", "-")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    ours = re.search(r'(?m)^name = "(.*)"', text)[1]  # its extras name it, too
    text = text.replace(ours, name)
    title = json.dumps(outline().title, ensure_ascii=False)
    text = re.sub(r"(?m)^description = .*$", lambda _: f"description = {title}", text)  # no template, it may hold a \\
    text = re.sub(r"(?m)^include = .*$", f"include = {json.dumps([f'{name}*' for name in packages])}", text)
    text = re.sub(r'(?m)^\w+ = (?=\["course.toml")', f"{outline().package} = ", text)
    return {"pyproject.toml": text, f"autograder/{NOTE}": f"{where()}\n"}


def points_of(lesson, coursedir):
    """Return the points that a lesson can earn, with those that people give by hand."""
    cells = notebook_of(released_notebook(coursedir, lesson)).cells
    return sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in cells)


def _names(folder):
    inside = (file.relative_to(folder) for file in sorted(folder.rglob("*")) if file.is_file())
    return [path.as_posix() for path in inside if not any(map(STAYS.fullmatch, path.parts))]


def make_kits(lesson, coursedir, roster, to):
    """Yield the path of each student's zip, as it is made. Who has which numbers is noted before."""
    students = [student.id for student in roster]
    if not varying(lesson):
        others = ", ".join(other for other in LESSONS if varying(other))
        raise click.ClickException(
            f"In {lesson} no numbers vary: `mha kit {lesson}` makes the kit for everybody. They vary in {others}."
        )
    if not students:
        raise click.ClickException("This roster is empty, so there is no kit to make.")
    released_notebook(coursedir, lesson)
    numbers = hand_out(lesson, students, coursedir.db_url)
    Path(to).mkdir(parents=True, exist_ok=True)
    for student in students:
        yield make_kit(lesson, coursedir, Path(to) / f"{student}.zip", numbers[student])


def hand_out(lesson, students, db_url):
    """Return student -> question -> numbers. Students who have some keep them, whatever the course would draw now."""
    handed_out, key = own_numbers(db_url, lesson), seed_of(db_url)
    new = {
        student: {q.name: q.variants.draw(derived(derived(key, student), q.name)) for q in varying(lesson)}
        for student in students
        if student not in handed_out
    }
    if new:
        write_whole(place(db_url, lesson), json.dumps(handed_out | new, indent=1))
    return own_numbers(db_url, lesson)


def _with_numbers(lesson, numbers, released):
    """Return the texts that differ in one student's kit, by name. numbers: question -> its numbers."""
    notebook = nbformat.read(released, as_version=4)
    try:
        for question in varying(lesson):
            if question.name in numbers:
                own = question.variants.with_numbers(numbers[question.name])
                put_numbers_in(notebook, question, own.numbers)
    except ValueError as error:
        raise click.ClickException(f"The released {lesson} cannot be made for each: {error}") from None
    texts = {released.name: f"{nbformat.writes(notebook)}\n", NUMBERS: json.dumps(numbers, indent=1)}
    return {f"course/{lesson}/{name}": text for name, text in texts.items()}


TEMPLATES = Path(__file__).parent / "templates" / "platforms"
GRADER = {"gradescope": "", "github": ".github/grading/", "prairielearn": "image/", "vpl": "server/"}  # its place
NOTEBOOK = {"github": "", "prairielearn": "questions/{lesson}/clientFilesQuestion/"}  # where learners find the lesson

# What would be hidden here, or is called as no folder of a wheel may be.
RENAMED = {"_github/": ".github/", "tests_run.sh": "tests/run.sh", "questions/lesson/": "questions/{lesson}/"}


def make_bundle(platform, lesson, to):
    """Make the bundle, a zip if `to` ends so and else a folder, and return its path."""
    from ..grading.one_notebook import settings  # here: a kit need not wait for it

    to = Path(to)
    if to.suffix != ".zip" and (to.is_file() or (to.is_dir() and any(to.iterdir()))):
        raise click.ClickException(f"{to} is there already, and stays as it is: name a new folder, or a zip.")
    kit = files_of_kit(lesson, CourseDirectory(config=settings()))
    files = {f"{GRADER[platform]}course/{name}": file for name, file in kit.items()}
    if platform in NOTEBOOK:
        place = NOTEBOOK[platform].format(lesson=lesson)
        files[f"{place}{lesson}.ipynb"] = kit[f"course/{lesson}/{lesson}.ipynb"]
    files |= _filled(TEMPLATES / "common", GRADER[platform], platform, lesson)
    files |= _filled(TEMPLATES / platform, "", platform, lesson)
    (pack if to.suffix == ".zip" else lay_out)(files, to.absolute())
    return to


def _filled(templates, place, platform, lesson):
    """Fill in the templates of a folder, and return name in the bundle -> text."""
    facts = dict(platform=platform, lesson=lesson, title=lesson_in_words(lesson), course=outline().title)
    facts["uuid"], files = str(uuid.uuid4()), {}
    for template in sorted(filter(Path.is_file, templates.rglob("*"))):
        name = template.relative_to(templates).as_posix()
        for old, new in RENAMED.items():
            name = name.replace(old, new.format(lesson=lesson))
        text = template.read_text(encoding="utf-8")
        files[f"{place}{name}"] = re.sub(r"@(\w+)@", lambda found: facts[found[1]], text)
    return files
