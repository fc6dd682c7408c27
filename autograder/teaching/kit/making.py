"""`mha kit`: the zip that students receive."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from ...intake.archives import pack
from ...intake.course_folder import notebook_of, released_notebook
from ...outline import outline

ROOT = Path(__file__).resolve().parents[3]
FOR_LEARNERS = Path(__file__).parent / "for_learners"  # in the place of ours, which are for more people
FILES = ("LICENSE", "constraints.txt", "nbgrader_config.py", "pyproject.toml", "tools/set_up.py")
STAYS = ("text", "answers", "clauses.toml")  # of a lesson: our solutions, and what tests alone read


def make_kit(lesson, coursedir, to, own=None):
    """Make the zip, whole or not at all; returns where it is. own: what is other in one student's kit."""
    notebook, to = released_notebook(coursedir, lesson), Path(to)
    files = {f"course/{lesson}/{file}": notebook.parent / file for file in _names(notebook.parent)}
    files |= {file.name: file for file in sorted(FOR_LEARNERS.iterdir())}
    files |= {name: ROOT / name for name in FILES}
    for package, folder in outline().folders.items():
        files |= {f"{package}/{name}": folder / name for name in _names(folder)}
    missing = [name for name, file in files.items() if not file.is_file()]
    if missing:
        raise click.ClickException(f"A kit is made from the course's whole folder, and here is no {missing[0]}.")
    with TemporaryDirectory() as folder:
        files["README.md"] = _readme(lesson, Path(folder))
        theirs = own.files(notebook, Path(folder)) if own else {}
        files |= {f"course/{lesson}/{name}": file for name, file in theirs.items()}
        pack({f"{outline().id}/{name}": file for name, file in files.items()}, to)
    return to


def _readme(lesson, folder):
    """Write what learners read first, with the names of course and lesson in it; return where it is."""
    text = (FOR_LEARNERS / "README.md").read_text(encoding="utf-8")
    (folder / "README.md").write_text(text.format(title=outline().title, lesson=lesson), encoding="utf-8")
    return folder / "README.md"


def points_of(lesson, coursedir):
    """What a lesson can earn, with what people mark."""
    cells = notebook_of(released_notebook(coursedir, lesson)).cells
    return sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in cells)


def _names(folder):
    """All files in it, without what Python, Jupyter and editors leave behind."""
    inside = (file.relative_to(folder) for file in sorted(folder.rglob("*")) if file.is_file())
    return [path.as_posix() for path in inside if not any(_is_left_over(part) or part in STAYS for part in path.parts)]


def _is_left_over(part):
    return part.startswith(".") or part == "__pycache__" or part.endswith(("~", ".egg-info"))
