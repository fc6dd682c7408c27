"""The lessons in NumPy as notebooks that run in the browser: site/live, made by JupyterLite with the Pyodide kernel.

A Sphinx extension, at work after the build.
The kernel and NumPy come from where Pyodide is published; our packages, and what else they need, come with the site.
"""

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import nbformat
from sphinx.errors import SphinxError

from autograder.build import INSTALL
from autograder.catalogue import LESSONS, lacking

ROOT = Path(__file__).resolve().parent.parent
MADE_OF = ROOT / "book" / "build" / "live"  # what JupyterLite makes the site from
BESIDE = "array-api-compat", "comm", "ipywidgets", "jupyterlab-widgets"  # which we need, and Pyodide does not have
EXTENSIONS = "@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager"
SETTINGS = ROOT / "autograder" / "jupyter" / "labconfig" / "default_setting_overrides.json"
DARK = {"@jupyterlab/apputils-extension:themes": {"adaptive-theme": True}}  # where the reader's other pages are
FIRST_CELL = """\
# In the browser: gets the course, and keeps your progress beside your notebooks.
%pip install --quiet multi-head-attention-course
import os
os.environ["MHA_PROGRESS"] = "/drive/progress.jsonl"\
"""


def setup(app):
    app.connect("build-finished", make_live_lessons)


def make_live_lessons(app, exception):
    """Make site/live anew."""
    if exception:
        return
    if not find_spec("jupyterlite_pyodide_kernel"):
        print("Without live lessons: JupyterLite is not installed.", flush=True)
        return
    print("Making the live lessons.", flush=True)
    shutil.rmtree(MADE_OF, ignore_errors=True)
    for lesson in filter(lacking, LESSONS):
        write_notebook(lesson)
    make_wheels(MADE_OF / "pypi")
    settings = json.loads(SETTINGS.read_text(encoding="utf-8")) | DARK
    (MADE_OF / "overrides.json").write_text(json.dumps(settings), encoding="utf-8")
    shutil.rmtree(app.outdir / "live", ignore_errors=True)
    run_jupyterlite(app.outdir / "live")


def write_notebook(lesson):
    """Write a lesson's notebook, with a first cell that gets the course."""
    name = f"{lesson}/{lesson}.ipynb"
    notebook = nbformat.read(ROOT / "course" / name, as_version=4)
    next(cell for cell in notebook.cells if cell.id == INSTALL).source = FIRST_CELL
    target = MADE_OF / "files" / name
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)


def make_wheels(folder):
    """Make our wheel, and pack those packages that come with it, as they are installed here."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    with TemporaryDirectory() as aside:  # what is built on the way stays out of our folder
        config = Path(aside, "setup.cfg")
        config.write_text(f"[build]\nbuild_base = {aside}\n[egg_info]\negg_base = {aside}\n", encoding="utf-8")
        run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT, DIST_EXTRA_CONFIG=str(config))
    for name in BESIDE:
        package = distribution(name)
        wheel = folder / f"{name.replace('-', '_')}-{package.version}-py3-none-any.whl"
        with ZipFile(wheel, "w", ZIP_DEFLATED) as packed:
            for file in package.files:
                if ".." not in file.parts and file.suffix != ".pyc":
                    packed.write(file.locate(), file)


def run_jupyterlite(site):
    """Let JupyterLite make the site, with no more of JupyterLab's extensions than lessons need."""
    extensions = [str(Path(sys.prefix, "share", "jupyter", "labextensions", name)) for name in EXTENSIONS]
    options = dict(output_dir=site, apps="lab", contents="files", settings_overrides="overrides.json")
    said = [f"--LiteBuildConfig.{name}={value}" for name, value in options.items()]
    said += [f"--LiteBuildConfig.federated_extensions={path}" for path in extensions]
    flags = ["--ignore-sys-prefix", "--no-sourcemaps", "--no-unused-shared-packages"]
    run(sys.executable, "-m", "jupyterlite_core", "build", *flags, *said)


def run(*command, **variables):
    """Run a program in our folder, and show what it said if it fails."""
    told = dict(stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    done = subprocess.run(list(map(str, command)), cwd=MADE_OF, env=os.environ | variables, **told)
    if done.returncode:
        raise SphinxError(done.stdout)
