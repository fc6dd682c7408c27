"""`mha lab`: a learner's own copies of the lessons, open in JupyterLab."""

import os
import shutil
import sys
import tempfile
import webbrowser
from pathlib import Path

from click import ClickException, echo

from .environment import find_our_commands, put_first

ROOT = Path(__file__).resolve().parent.parent


def open_lab(options=(), root=ROOT):
    """Copy the lessons that are new, then run JupyterLab until it is stopped."""
    first = copy_lessons(root / "course", root / "my_course")
    os.chdir(root)  # where nbgrader looks for its settings
    os.environ["MHA_PROGRESS"] = os.environ.get("MHA_PROGRESS") or str(root / "my_course" / "progress.jsonl")
    prefer_what_is_ours()
    run_jupyter([*jupyter_options(root, first), *options])


def copy_lessons(course, mine):
    """Copy, file by file, what is not there yet: what is there belongs to the learner. Returns the first notebook."""
    files = [file for file in sorted(course.glob("lesson_*/**/*")) if file.is_file()]
    notebooks = [mine / file.relative_to(course) for file in files if file.suffix == ".ipynb"]
    if not notebooks:
        raise ClickException("There are no lessons in course/ yet: run `make build`, then this again.")
    for file in files:
        copy_unless_there(file, mine / file.relative_to(course))
    return notebooks[0]


def copy_unless_there(source, target):
    """The whole file appears at once, or nothing does."""
    if os.path.lexists(target):
        return
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".copying_", dir=target.parent) as folder:
            name_unless_taken(shutil.copyfile(source, Path(folder) / source.name), target)
    except OSError as error:
        raise ClickException(f"Could not copy a lesson to {target}: {error.strerror} ({error.filename}).") from None


def name_unless_taken(file, target):
    """A link refuses a name that is taken, where a rename might replace what is there."""
    try:
        os.link(file, target)
    except FileExistsError:
        return
    except OSError:  # a disk without links, a USB stick say
        if not os.path.lexists(target):
            os.rename(file, target)


def prefer_what_is_ours():
    """Our defaults and templates for JupyterLab, this Python's kernel and commands: before any others here."""
    ours = Path(__file__).parent / "jupyter"
    put_first("JUPYTER_CONFIG_PATH", ours)
    for folder in (Path(sys.prefix) / "share" / "jupyter", ours):
        put_first("JUPYTER_PATH", folder)
    find_our_commands()


def jupyter_options(root, notebook):
    return [
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{notebook.relative_to(root).as_posix()}",
        f"--LabApp.workspaces_dir={root / '.lab' / 'workspaces'}",  # not the tabs of other projects
        f"--ServerApp.open_browser={can_show_a_browser()}",
        "--ServerApp.allow_root=True",  # in a container one is root
        "--Application.log_level=ERROR",
        "--KernelManager.transport_encryption=auto",  # or each kernel warns that there is none
    ]


def can_show_a_browser():
    """Not over ssh or in CI; and without a display Linux would open a text browser, in this very terminal."""
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
        raise ClickException("JupyterLab is missing: run `make lab`, which installs it.") from None
    server = LabApp.initialize_server(argv=options)
    server.io_loop.add_callback(say_where, server.public_url)
    server.identity_provider.token_generated = False  # or it says where it is once more
    server.start()


def say_where(address):
    """Called when the port is open: whoever follows the address at once is answered."""
    echo(f"The lessons are at\n\n    {address}\n\nTo stop, press Ctrl-C here, twice.")
