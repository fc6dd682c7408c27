"""`mha lab`: a learner's own copies of the lessons in JupyterLab; for teachers, the course's whole folder.

The copies are in my_course/, and what is there already is never overwritten.
Where only the packages are installed, the lessons come from there, and my_course/ is made in the folder one is in.
"""

import json
import os
import shutil
import sys
import tempfile
from contextlib import chdir, suppress
from pathlib import Path

from click import ClickException, echo

from .environment import find_our_commands, how_to_install, put_first
from .learner.journal import dated
from .learner.progress import Overview, next_lesson
from .outline import outline

ROOT = outline().folder.resolve().parent  # the course's folder, unless only the packages are installed
CARRIED = outline().folder / "course"  # the lessons that an installed wheel has brought along
OUR_CONDA = outline().id.replace("_", "-")  # the name in environment.yml


def open_lab(options=(), teach=False):
    """Copy the lessons that are new, then run JupyterLab at the one that comes next, until it is stopped."""
    released, mine = places()
    root = mine.parent
    notebooks = {notebook.parent.name: notebook for notebook in copy_lessons(released, mine)}
    following = notebooks[next_lesson(mine, list(notebooks))]
    os.chdir(root)  # where nbgrader looks for its settings
    prefer_what_is_ours(teach)
    let_kernels_watch_cells()
    served, tabs = (root, "workspaces") if teach else (mine, "lessons")
    run_jupyter([*jupyter_options(served, following, root / ".lab" / tabs), *options])


def places():
    """Return the folders of the released lessons and of the learner's copies."""
    released, beside = (CARRIED, Path.cwd()) if CARRIED.is_dir() else (ROOT / "course", ROOT)
    return released, beside / "my_course"


def learners_progress():
    """Return how far a learner is, as text; "" where there is a class, or no lesson was ever opened."""
    _, mine = places()
    of_a_class = [
        here / name for here in (mine.parent, Path.cwd()) for name in ("submitted", "received", "gradebook.db")
    ]
    if not mine.is_dir() or any(map(Path.exists, of_a_class)):
        return ""
    with chdir(mine):
        return str(Overview())


def copy_lessons(course, mine):
    """Copy, file by file, what is not there yet: what is there belongs to the learner. Returns all notebooks."""
    files = [file for file in sorted([*course.glob("lesson_*/**/*"), *course.glob("*.html")]) if file.is_file()]
    files = [file for file in files if not any(part.startswith(".") for part in file.relative_to(course).parts)]
    notebooks = [mine / file.relative_to(course) for file in files if file.suffix == ".ipynb"]
    if not notebooks:
        raise ClickException("There are no lessons in course/ yet: run `make build`, then this again.")
    for file in files:
        if not os.path.lexists(target := mine / file.relative_to(course)):
            copy(file, target)
    return notebooks


def start_lesson_afresh(lesson, course, mine):
    """Put a new copy of a lesson's notebook in the place of the old one. Returns both; None where there was none."""
    source, target = (folder / lesson / f"{lesson}.ipynb" for folder in (course, mine))
    if not source.is_file():
        raise ClickException(f"There is no new copy of {lesson}: {source} is missing. Run `make build` first.")
    kept = dated(target) if os.path.lexists(target) else None
    copy(source, target, kept)
    return target, kept


def copy(source, target, kept=None):
    """Copy a file so that it appears whole or not at all. kept: the name that what is there gets, if it should go."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".copying_", dir=target.parent) as folder:
        copied = shutil.copyfile(source, Path(folder) / source.name)
        if target.suffix == ".ipynb":
            name_our_kernel(copied)
        if kept:
            target.rename(kept)
        copied.rename(target)


def name_our_kernel(file):
    """Write into a notebook what JupyterLab would add on opening it: else an untouched lesson is "unsaved" at once."""
    with suppress(ImportError, ValueError):  # JupyterLab is elsewhere, or will say what is wrong with the notebook
        from ipykernel.ipkernel import IPythonKernel  # here: only new copies need it
        from ipykernel.kernelspec import get_kernel_dict

        notebook = json.loads(file.read_text(encoding="utf-8"))
        kernel = dict(name="python3", display_name=get_kernel_dict()["display_name"], language="python")
        notebook.setdefault("metadata", {}).update(kernelspec=kernel, language_info=IPythonKernel.language_info)
        written = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)  # as nbformat writes
        file.write_text(f"{written}\n", encoding="utf-8", newline="\n")


def prefer_what_is_ours(teach):
    """Let our defaults and templates for JupyterLab, and this Python's kernel and commands, come before any others."""
    ours = Path(__file__).parent / "jupyter"
    for folder in (ours, *([] if teach else [ours / "learner"])):
        put_first("JUPYTER_CONFIG_PATH", folder)
    for folder in (Path(sys.prefix) / "share" / "jupyter", ours):
        put_first("JUPYTER_PATH", folder)
    find_our_commands()


def let_kernels_watch_cells():
    """Have each kernel of the course's own Python load `cell_errors`, whichever program starts it later.

    A Python that is there for other things, too, is left alone: then only a kernel that imports the course does.
    """
    prefix, setting = Path(sys.prefix), "ipython_kernel_config.json"
    if prefix.resolve() == ROOT / ".venv" or ((prefix / "conda-meta").is_dir() and prefix.name == OUR_CONDA):
        if not os.path.lexists(target := prefix / "etc" / "ipython" / setting):
            with suppress(OSError):  # it may not be ours to write
                copy(Path(__file__).parent / "jupyter" / setting, target)


def jupyter_options(served, notebook, tabs):
    """Return JupyterLab's options. served: the folder that it shows; tabs: where it remembers which tabs were open."""
    return [
        f"--ServerApp.root_dir={served}",
        f"--LabApp.default_url=/lab/tree/{notebook.relative_to(served).as_posix()}",
        f"--LabApp.workspaces_dir={tabs}",  # not those of other projects
        f"--ServerApp.open_browser={can_show_a_browser()}",
        "--ServerApp.allow_root=True",  # in a container one is root
        "--Application.log_level=ERROR",
        "--KernelManager.transport_encryption=auto",  # or each kernel warns that there is none
    ]


def can_show_a_browser():
    """Say whether a browser can open: not over ssh or in CI, and not on Linux without a display."""
    if os.environ.get("CI") or os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run_jupyter(options):
    try:
        from jupyterlab.labapp import LabApp
    except ImportError:
        missing = how_to_install("jupyterlab")
        raise ClickException(f"The lessons are in my_course/. {missing} Any notebook server can open them.") from None
    server = LabApp.initialize_server(argv=options)
    # The address is printed once the port is open, so that whoever follows it at once is answered.
    where = f"The lessons are at\n\n    {server.public_url}\n\nTo stop, press Ctrl-C here, twice."
    server.io_loop.add_callback(echo, where)
    server.identity_provider.token_generated = False  # or it prints its address again
    server.start()
