"""`mha kit`: the zip that students receive."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from ..archives import pack
from ..course import notebook_of, released_notebook

ROOT = Path(__file__).resolve().parents[3]
FOR_LEARNERS = Path(__file__).parent / "for_learners"  # in the place of ours, which are for more people
TOP = "multi_head_attention"  # the same for all lessons, so that the next one finds what is installed
FILES = ("LICENSE", "constraints.txt", "nbgrader_config.py", "pyproject.toml", "tools/set_up.py")
PACKAGES = ("autograder", "mha_lessons", "mha_ref")
STAYS = ("text", "answers", "clauses.toml")  # of a lesson: our solutions, and what tests alone read


def make_kit(lesson, coursedir, to, own=None):
    """Make the zip, whole or not at all; returns where it is. own: what is other in one student's kit."""
    notebook, to = released_notebook(coursedir, lesson), Path(to)
    files = {f"course/{lesson}/{file}": notebook.parent / file for file in _names(notebook.parent)}
    files |= {file.name: file for file in sorted(FOR_LEARNERS.iterdir())}
    files |= {name: ROOT / name for name in FILES}
    files |= {f"{package}/{name}": ROOT / package / name for package in PACKAGES for name in _names(ROOT / package)}
    missing = [name for name, file in files.items() if not file.is_file()]
    if missing:
        raise click.ClickException(f"A kit is made from the course's whole folder, and here is no {missing[0]}.")
    with TemporaryDirectory() as folder:
        theirs = own.files(notebook, Path(folder)) if own else {}
        files |= {f"course/{lesson}/{name}": file for name, file in theirs.items()}
        pack({f"{TOP}/{name}": file for name, file in files.items()}, to)
    return to


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
