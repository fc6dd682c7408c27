"""The wheel: it carries the lessons and no solution, needs little, and `mha lab` works with it in an empty folder."""

import os
import shutil
import signal
import subprocess
import sys
import tomllib
import urllib.request
import venv
import zipfile
from importlib.metadata import Distribution, distribution

import pytest
from helpers import ROOT, our_answers
from IPython.core.interactiveshell import InteractiveShell
from packaging.requirements import Requirement
from running_lab import address, free_port

from autograder import build, judge
from autograder.catalogue import LESSONS
from autograder.environment import Missing, how_to_install, need
from autograder.failure_messages import told
from autograder.outline import outline

FILES = ["pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"]
FOLDERS = ["autograder", "mha_lessons", "mha_ref", "course"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME = PROJECT["name"]
pytestmark = pytest.mark.xdist_group("wheel")


# What is in it


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that pip makes of this repository."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, source)
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source)
    (made,) = folder.glob("*.whl")
    return made


def pip(*arguments):
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *map(str, arguments)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


@pytest.mark.slow
def test_the_lessons_are_in_it(wheel):
    """As they are in course/, with the licence; drafts are not."""
    with zipfile.ZipFile(wheel) as packed:
        notebooks = {name: packed.read(name) for name in packed.namelist() if name.endswith(".ipynb")}
        assert [name for name in packed.namelist() if name.endswith("licenses/LICENSE")]
    released = {f"mha_lessons/course/{lesson}/{lesson}.ipynb" for lesson in LESSONS}
    assert set(notebooks) == released
    for name in released:
        assert notebooks[name] == (ROOT / name.removeprefix("mha_lessons/")).read_bytes()


@pytest.mark.slow
def test_no_solution_is_in_it(wheel):
    """No file of our texts, answers and tests, and no body of a function as we wrote it."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        texts = {name: packed.read(name).decode(errors="replace") for name in names}
    assert {name.partition("/")[0] for name in names} - {*FOLDERS[:3]} == {names[-1].partition("/")[0]}
    assert not [name for name in names if {"text", "specimens", "tests", "solutions"} & set(name.split("/"))]
    for lesson in LESSONS:
        for task, source in our_answers(lesson).items():
            body = source.partition("### BEGIN SOLUTION")[2].partition("### END SOLUTION")[0].strip()
            if body.count("\n") > 1:
                assert not [name for name, text in texts.items() if body in text], task


# Where little else is installed


def environment_with(folder, extras, wheel):
    """Make an environment that holds the wheel, and links to what these extras need; return its Python."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    packages = next((folder / "lib").glob("python*/site-packages"))
    asked = [
        "ipykernel",
        *PROJECT["dependencies"],
        *(n for extra in extras for n in PROJECT["optional-dependencies"][extra]),
    ]
    for name in with_what_they_need(asked):
        for file in distribution(name).files:
            link(file, packages)
    pip("--python", python, "install", "--no-deps", "--no-index", wheel)
    return python


def with_what_they_need(requirements):
    """Return the names of distributions that requirements lead to, those that are installed here."""
    found, waiting = {}, list(map(Requirement, requirements))
    while waiting:
        asked = waiting.pop()
        for extra in {"", *asked.extras} - found.setdefault(asked.name, set()):
            found[asked.name].add(extra)
            needs = map(Requirement, (installed(asked.name) and installed(asked.name).requires) or [])
            waiting += [need for need in needs if not need.marker or need.marker.evaluate({"extra": extra})]
    return [name for name in found if installed(name)]


def installed(name):
    """Return a distribution, or None where it is for another system."""
    return next(iter(Distribution.discover(name=name)), None)


def link(file, packages):
    """Link what a distribution has installed: packages as a whole, files that lie elsewhere one by one."""
    if "bin" in file.parts:
        return
    name = file if ".." in file.parts else file.parts[0]
    new, old = packages / name, file.dist.locate_file(name).resolve()
    new.parent.mkdir(parents=True, exist_ok=True)
    if not new.exists():
        new.symlink_to(old)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_lessons_in_numpy_need_the_core_alone(wheel, tmp_path):
    """Every check, hint, picture and slider; of torch one sentence says how to get it."""
    python = environment_with(tmp_path / "core", [], wheel)
    said = run(tmp_path, python, ROOT / "tests" / "support" / "core_alone.py", ROOT)
    assert said.count("checks") == 4
    assert f"torch is missing here: `pip install '{NAME}[torch]'` installs it." in said


def run(folder, *command):
    """Run a command in a folder, with nothing of the repository around it."""
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MHA_PROGRESS")}
    done = subprocess.run(list(map(str, command)), cwd=folder, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_lab_works_in_an_empty_folder(wheel, tmp_path):
    """Without git, make or a checkout; the lessons are copied there, and what one wrote is never overwritten."""
    python = environment_with(tmp_path / "installed", ["lab", "torch"], wheel)
    lab_works(python, tmp_path / "empty")


def lab_works(python, folder):
    folder.mkdir()
    serves_the_first_lesson(python, folder)
    lessons = [folder / "my_course" / lesson / f"{lesson}.ipynb" for lesson in LESSONS]
    assert sorted(folder.rglob("*.ipynb")) == lessons
    lessons[0].write_text("my work")
    lessons[1].unlink()
    run(folder, python, "-c", "from autograder import lab; lab.run_jupyter = print; lab.open_lab()")
    assert lessons[0].read_text() == "my work" and lessons[1].exists()
    assert {file.name for file in folder.iterdir()} <= {"my_course", ".lab", "said.txt", "home"}


def serves_the_first_lesson(python, folder):
    """Start `mha lab`, follow the address that it prints, and stop it."""
    surroundings = {"PATH": str(python.parent), "HOME": str(folder / "home"), "CI": "true"}
    command = [python.parent / "mha", "lab", "--port", str(free_port())]
    with open(folder / "said.txt", "w+") as said:
        process = subprocess.Popen(
            command, cwd=folder, env=surroundings, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        try:
            with urllib.request.urlopen(address(process, folder / "said.txt")) as page:
                assert page.status == 200 and b"JupyterLab" in page.read()
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0


@pytest.mark.nightly
def test_pip_installs_it(wheel, tmp_path):
    """With all that it needs from the package index: the core, then what `mha lab` and torch need."""
    venv.create(tmp_path / "fresh", with_pip=True)
    python = next((tmp_path / "fresh").glob("[bS]*/python*"))
    pip("--python", python, "install", "-c", ROOT / "constraints.txt", wheel, "ipykernel")
    assert run(tmp_path, python, ROOT / "tests" / "support" / "core_alone.py", ROOT).count("checks") == 4
    pip("--python", python, "install", "-c", ROOT / "constraints.txt", f"{wheel}[lab,torch]")
    lab_works(python, tmp_path / "empty")


# What is missing


def test_a_missing_library_is_told(monkeypatch):
    """By one sentence in a notebook and in a terminal; a module of our own that is missing is our fault."""
    sentence = f"no_such_library is missing here: `pip install '{NAME}[teach]'` installs it."
    with pytest.raises(Missing) as missing:
        need("no_such_library")
    assert missing.value._render_traceback_() == [sentence] == [f"{told(missing.value)}."]
    assert told(ModuleNotFoundError("No module named 'autograder.lost'", name="autograder.lost")) == ""
    assert how_to_install("torch") == f"torch is missing here: `pip install '{NAME}[torch]'` installs it."


def test_an_answer_in_torch_is_not_wrong_where_torch_is_missing(monkeypatch):
    """It cannot be judged, and that is what is said."""
    monkeypatch.setattr("autograder.environment.find_spec", lambda name: None)
    with pytest.raises(Missing, match="torch is missing"):
        judge(lambda *inputs: None, "split_heads")


# The first cell


@pytest.fixture
def first_cell(monkeypatch):
    """Run a lesson's first cell where some modules are missing; return what it prints, and what it has pip install."""

    def run(lesson, address, missing, capsys):
        asked, notebook = [], build.solution_notebook(outline().folder / lesson / "text" / "lesson.py", address)
        cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
        assert cell.id == build.INSTALL
        monkeypatch.setattr(InteractiveShell, "run_line_magic", lambda shell, *line, **more: asked.append(line))
        for name in missing:
            monkeypatch.setitem(sys.modules, name, None)
        InteractiveShell().run_cell(cell.source).raise_error()
        return capsys.readouterr().out.strip(), asked

    return run


@pytest.mark.parametrize("address", ["", "https://github.com/someone/course"])
def test_the_first_cell_does_nothing_where_all_is_there(first_cell, address, capsys):
    """With and without an address."""
    assert first_cell("lesson_04_single_head", address, [], capsys) == ("", [])


@pytest.mark.parametrize(("lesson", "also"), [("lesson_03_masks", ""), ("lesson_04_single_head", " torch")])
def test_the_first_cell_installs_what_is_missing(first_cell, lesson, also, capsys):
    """In Colab, say."""
    said, asked = first_cell(lesson, "https://github.com/someone/course", ["autograder"], capsys)
    assert (said, asked) == ("", [("pip", f"install --quiet git+https://github.com/someone/course{also}")])


@pytest.mark.parametrize("missing", ["autograder", "torch"])
def test_the_first_cell_says_what_to_do_where_there_is_no_address(first_cell, missing, capsys):
    """It prints no address that is none."""
    said, asked = first_cell("lesson_04_single_head", "", [missing], capsys)
    assert asked == [] and said.startswith(f"{missing} is missing here: install the course as its README says")


@pytest.mark.parametrize(
    ("address", "links"), [("https://github.com/someone/course", 1), ("https://gitlab.com/someone/course", 0), ("", 0)]
)
def test_what_is_on_github_opens_in_colab(address, links):
    """A link below the title; elsewhere there is none."""
    text = outline().folder / "lesson_01_softmax" / "text" / "lesson.py"
    title = build.solution_notebook(text, address).cells[0].source
    assert title.count("https://colab.research.google.com/github/someone/course/blob/HEAD/course/lesson_01") == links
    assert title.startswith("# Lesson 01")
