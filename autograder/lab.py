"""`mha lab`: a learner's own copies of the lessons in JupyterLab; for teachers, the course's whole folder.

Where only the packages are installed, the lessons come from there, and the copies are made in the folder one is in.
"""

import os
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path

from click import ClickException, echo

from .environment import find_our_commands, how_to_install, put_first
from .lesson_copies import copy_lessons, copy_unless_there
from .outline import outline

ROOT = outline().folder.resolve().parent  # the course's folder, unless only the packages are installed
CARRIED = outline().folder / "course"  # the lessons that an installed wheel has brought along
OUR_CONDA = outline().id.replace("_", "-")  # the name in environment.yml


def open_lab(options=(), teach=False):
    """Copy the lessons that are new, then run JupyterLab at the one that comes next, until it is stopped."""
    from .learner.progress import next_lesson

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
        with suppress(ClickException, OSError):  # it may not be ours to write
            target = prefix / "etc" / "ipython" / setting
            if target.is_file() and "autograder.learner" in target.read_text():  # where that file was until 2026
                target.unlink()
            copy_unless_there(Path(__file__).parent / "jupyter" / setting, target)


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
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        return bool(webbrowser.get())
    except webbrowser.Error:
        return False


def run_jupyter(options):
    try:
        from jupyterlab.labapp import LabApp
    except ImportError:
        missing = how_to_install("jupyterlab")
        raise ClickException(f"The lessons are in my_course/. {missing} Any notebook server can open them.") from None
    server = LabApp.initialize_server(argv=options)
    server.io_loop.add_callback(say_where, server.public_url)
    server.identity_provider.token_generated = False  # or it prints its address again
    server.start()


def say_where(address):
    """Print the address once the port is open, so that whoever follows it at once is answered."""
    echo(f"The lessons are at\n\n    {address}\n\nTo stop, press Ctrl-C here, twice.")
