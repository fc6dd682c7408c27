"""What users rely on: their files are safe, a second run is quick, trouble is told in one sentence."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
from types import ModuleType, SimpleNamespace

import nbformat
import pytest
import yaml
from click import ClickException
from click.testing import CliRunner
from helpers import ROOT

from autograder import EXERCISES, lab
from autograder.cli import main
from autograder.failure_messages import told
from autograder.learner import journal

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
NEEDED = [need for needs in (PROJECT["dependencies"], *EXTRAS.values()) for need in needs if "course[" not in need]


# The learner's copies


@pytest.fixture
def course(tmp_path):
    """A course of two lessons."""
    for lesson in ("lesson_00_start_here", "lesson_01_softmax"):
        add_lesson(tmp_path, lesson)
    return tmp_path


def add_lesson(folder, lesson):
    file = folder / "course" / lesson / f"{lesson}.ipynb"
    file.parent.mkdir(parents=True)
    cell = nbformat.v4.new_code_cell("import sys, shutil\nprint(sys.prefix, shutil.which('alembic'))")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), file)


def copy(project):
    return lab.copy_lessons(project / "course", project / "my_course")


def mine(project, lesson):
    return project / "my_course" / lesson / f"{lesson}.ipynb"


def test_lessons_are_copied(course):
    """All are there, with the same cells, and named in their order."""
    names = ["lesson_00_start_here", "lesson_01_softmax"]
    assert copy(course) == [mine(course, name) for name in names]
    for name in names:
        copied, ours = (
            nbformat.read(folder / name / f"{name}.ipynb", 4) for folder in (course / "my_course", course / "course")
        )
        assert copied.cells == ours.cells


def test_the_cheat_sheet_lies_beside_them(course):
    """A learner's notes in it stay, as in a lesson."""
    (course / "course/cheat_sheet.html").write_text("formulas")
    copy(course)
    assert (course / "my_course/cheat_sheet.html").read_text() == "formulas"
    (course / "my_course/cheat_sheet.html").write_text("formulas and notes")
    copy(course)
    assert (course / "my_course/cheat_sheet.html").read_text() == "formulas and notes"


def test_a_copy_names_the_kernel_as_jupyterlab_would(course):
    """Else JupyterLab writes that into a lesson on opening it, and calls it unsaved."""
    copy(course)
    metadata = nbformat.read(mine(course, "lesson_01_softmax"), 4).metadata
    assert metadata.kernelspec.display_name == "Python 3 (ipykernel)"
    assert metadata.language_info.version == sys.version.split()[0]


def test_what_a_learner_wrote_stays(course):
    """Neither a new version of a lesson nor a second run touches it; only a new lesson is added."""
    copy(course)
    mine(course, "lesson_01_softmax").write_text("my work")
    (mine(course, "lesson_01_softmax").parent / "notes.txt").write_text("my notes")
    (course / "course/lesson_01_softmax/lesson_01_softmax.ipynb").write_text("a new version")
    add_lesson(course, "lesson_02_scaled_dot_product")
    copy(course)
    assert mine(course, "lesson_01_softmax").read_text() == "my work"
    assert (mine(course, "lesson_01_softmax").parent / "notes.txt").read_text() == "my notes"
    assert mine(course, "lesson_02_scaled_dot_product").exists()


def test_a_half_copied_lesson_is_completed(course):
    """A folder that exists gets the files that it lacks."""
    (course / "course/lesson_01_softmax/picture.svg").write_text("<svg/>")
    mine(course, "lesson_01_softmax").parent.mkdir(parents=True)
    mine(course, "lesson_01_softmax").write_text("my work")
    copy(course)
    assert (course / "my_course/lesson_01_softmax/picture.svg").read_text() == "<svg/>"
    assert mine(course, "lesson_01_softmax").read_text() == "my work"


@pytest.mark.parametrize("there", ["link", "dangling link", "folder"])
def test_whatever_has_the_name_stays(course, there):
    """A link is not followed, a folder is not filled."""
    target, elsewhere = mine(course, "lesson_00_start_here"), course / "elsewhere.ipynb"
    target.parent.mkdir(parents=True)
    if there == "folder":
        target.mkdir()
    else:
        target.symlink_to(elsewhere)
    if there == "link":
        elsewhere.write_text("my work")
    copy(course)
    assert (target.is_dir() and not any(target.iterdir())) if there == "folder" else target.is_symlink()
    assert elsewhere.read_text() == "my work" if there == "link" else not elsewhere.exists()


def test_an_interrupted_copy_leaves_nothing_behind(course, monkeypatch):
    """No half file under the lesson's name, no rubbish beside it."""

    def half(source, target):
        target.write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr(lab.shutil, "copyfile", half)
    with pytest.raises(KeyboardInterrupt):
        copy(course)
    assert [file for file in (course / "my_course").rglob("*") if file.is_file()] == []


def test_a_file_in_the_place_of_a_folder_is_told(course):
    """Nothing is moved out of the way."""
    (course / "my_course").mkdir()
    (course / "my_course/lesson_00_start_here").write_text("mine")
    with pytest.raises(OSError) as failed:
        copy(course)
    assert "lesson_00_start_here: " in told(failed.value)
    assert (course / "my_course/lesson_00_start_here").read_text() == "mine"


def test_no_lessons_yet(tmp_path):
    """A clone that was not built says how to build."""
    with pytest.raises(ClickException, match="make build"):
        copy(tmp_path)


def reset(project, monkeypatch):
    monkeypatch.setattr(lab, "ROOT", project)
    return CliRunner().invoke(main, ["reset", "lesson_01"], catch_exceptions=False)


def test_a_lesson_begins_again_and_the_old_copy_stays(course, monkeypatch):
    """Twice a day, too: each old copy is beside the new one, and the command says where."""
    copy(course)
    for work in ("my work", "my second try"):
        mine(course, "lesson_01_softmax").write_text(work)
        said = reset(course, monkeypatch)
        (kept,) = [file for file in mine(course, "lesson_01_softmax").parent.iterdir() if file.read_text() == work]
        assert said.exit_code == 0 and str(kept) in said.output
        assert nbformat.read(mine(course, "lesson_01_softmax"), 4).cells
    assert len(list(mine(course, "lesson_01_softmax").parent.iterdir())) == 3


def test_a_lesson_begins_though_there_is_no_copy_yet(course, monkeypatch):
    """As with `mha lab`."""
    assert reset(course, monkeypatch).exit_code == 0
    assert mine(course, "lesson_01_softmax").exists()


def test_a_lesson_that_is_not_here_takes_nothing_away(course, monkeypatch):
    """A kit has one lesson only: the learner's copy of another one keeps its name."""
    copy(course)
    shutil.rmtree(course / "course" / "lesson_01_softmax")
    said = reset(course, monkeypatch)
    assert said.exit_code == 1 and "There is no new copy of lesson_01_softmax" in said.output
    assert mine(course, "lesson_01_softmax").exists()


# JupyterLab


@pytest.fixture
def jupyter(course, monkeypatch):
    """A JupyterLab that only notes how it was started; returns what was noted."""
    noted = SimpleNamespace(options=None, started=False, once_open=[])

    def start():
        """The port opens, and what waited for that is called."""
        noted.started = True
        for call, inputs in noted.once_open:
            call(*inputs)

    class LabApp:
        @classmethod
        def initialize_server(cls, argv):
            noted.options = argv
            noted.public_url = "http://localhost:8888/lab?token=abc"
            noted.identity_provider = SimpleNamespace()
            noted.io_loop = SimpleNamespace(add_callback=lambda call, *inputs: noted.once_open.append((call, inputs)))
            noted.start = start
            return noted

    module = ModuleType("jupyterlab.labapp")
    module.LabApp = LabApp
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", module)
    for name in ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "PATH"):
        monkeypatch.setenv(name, lab.os.environ.get(name, ""))  # put back afterwards
    monkeypatch.setattr(lab, "ROOT", course)
    monkeypatch.delenv("MHA_PROGRESS")
    monkeypatch.setattr(journal, "_unwritten", [])
    monkeypatch.setenv("XDG_DATA_HOME", str(course / "data"))
    monkeypatch.chdir(course)
    return noted


def opened(jupyter):
    return next(
        re.search(r"default_url=/lab/tree/(.*)", option)[1] for option in jupyter.options if "default_url" in option
    )


def test_lab_shows_the_learners_lessons_alone(course, jupyter):
    """Neither solutions nor tests lie beside them; further options reach JupyterLab."""
    lab.open_lab(["--port", "9999"])
    assert f"--ServerApp.root_dir={course / 'my_course'}" in jupyter.options
    assert opened(jupyter) == "lesson_00_start_here/lesson_00_start_here.ipynb"
    assert jupyter.options[-2:] == ["--port", "9999"]
    assert jupyter.started


def test_lab_shows_the_whole_course_to_who_teaches(course, jupyter):
    """With formgrader, which learners do not see."""
    lab.open_lab(teach=True)
    assert f"--ServerApp.root_dir={course}" in jupyter.options
    assert opened(jupyter) == "my_course/lesson_00_start_here/lesson_00_start_here.ipynb"
    assert "jupyter/learner" not in lab.os.environ["JUPYTER_CONFIG_PATH"]
    lab.open_lab()
    assert "jupyter/learner" in lab.os.environ["JUPYTER_CONFIG_PATH"]


def test_lab_opens_the_lesson_that_comes_next(course, jupyter):
    """The first one that is not finished; the last one when all are."""
    for lesson in ("lesson_00_start_here", "lesson_01_softmax"):
        lab.open_lab()
        assert opened(jupyter) == f"{lesson}/{lesson}.ipynb"
        done = [
            json.dumps({"when": "", "what": "done", "task": name})
            for name, t in EXERCISES.items()
            if t.lesson == lesson
        ]
        journal.place().parent.mkdir(parents=True, exist_ok=True)
        with open(journal.place(), "a") as file:
            file.write("\n" + "\n".join(done))
    lab.open_lab()
    assert opened(jupyter) == "lesson_01_softmax/lesson_01_softmax.ipynb"


def test_the_courses_own_python_watches_cells(course, jupyter, monkeypatch):
    """So that it does when another program opens a lesson, too. Other Pythons are left alone, and so is a setting."""
    setting = "etc/ipython/ipython_kernel_config.json"
    for prefix, is_ours in ((course / ".venv", True), (course / "elsewhere", False)):
        prefix.mkdir()
        monkeypatch.setattr(lab.sys, "prefix", str(prefix))
        lab.open_lab()
        assert (prefix / setting).exists() == is_ours
    assert "autograder.learner.cell_errors" in (course / ".venv" / setting).read_text()
    monkeypatch.setattr(lab.sys, "prefix", str(course / ".venv"))
    (course / ".venv" / setting).write_text("{}")
    lab.open_lab()
    assert (course / ".venv" / setting).read_text() == "{}"


def test_lab_prints_its_address_where_no_browser_opens(course, jupyter, monkeypatch, capsys):
    """No text browser takes over the terminal."""
    monkeypatch.setenv("CI", "true")
    lab.open_lab()
    assert "--ServerApp.open_browser=False" in jupyter.options
    assert "http://localhost:8888/lab?token=abc" in capsys.readouterr().out.splitlines()[2]


def test_without_a_display_no_browser_opens(monkeypatch):
    """Linux would open lynx or w3m."""
    for name in ("CI", "SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(lab.sys, "platform", "linux")
    assert not lab.can_show_a_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    assert lab.can_show_a_browser()


def test_a_missing_jupyterlab_is_told(monkeypatch):
    """It says what to do, and that any other server will do."""
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    with pytest.raises(ClickException, match=r"`pip install '.*\[lab]'` installs it\. Any notebook server"):
        lab.run_jupyter([])


def test_a_mistyped_verb_gets_the_near_one():
    """Not only a list."""
    result = CliRunner().invoke(main, ["biuld"])
    assert result.exit_code == 2 and "'build'" in result.output


# The set-up


def loaded_set_up():
    """Return tools/set_up.py as a module."""
    spec = importlib.util.spec_from_file_location("set_up", ROOT / "tools/set_up.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def set_up(tmp_path, monkeypatch):
    """tools/set_up.py in a folder of its own, where commands are noted instead of run."""
    module = loaded_set_up()
    for file in module.PINS:
        shutil.copy(file, tmp_path)
    venv = tmp_path / ".venv"
    places = {"ROOT": tmp_path, "VENV": venv, "STAMP": venv / "set_up.txt", "LOG": venv / "pip.log"}
    for name, place in places.items():
        monkeypatch.setattr(module, name, place)
    monkeypatch.setattr(module, "PINS", [tmp_path / file.name for file in module.PINS])
    monkeypatch.setattr(module, "version_in_venv", lambda: (3, 12) if venv.exists() else None)
    module.ran, module.has_uv = [], True
    monkeypatch.setattr(module, "run", lambda command, **options: note(module, command))
    return module


def note(module, command):
    module.VENV.mkdir(exist_ok=True)
    if not {"uv", "config"} & {command[-1], command[-2]}:
        what = "venv" if "venv" in command else "torch" if "torch" in command else "all"
        module.ran.append(what if module.has_uv or what == "venv" else f"{what} by {command[2]}")
    return SimpleNamespace(returncode=int("uv" in command and not module.has_uv), stdout="", stderr="")


def on(monkeypatch, set_up, platform, nvidia=False):
    monkeypatch.setattr(set_up.sys, "platform", platform)
    monkeypatch.setattr(set_up, "has_nvidia", lambda: nvidia)


def test_a_second_set_up_runs_nothing(set_up, monkeypatch):
    """pip is not even asked."""
    on(monkeypatch, set_up, "linux")
    set_up.set_up()
    assert set_up.ran == ["venv", "torch", "all"]
    set_up.ran.clear()
    set_up.set_up()
    assert set_up.ran == []


def test_pip_takes_over_where_uv_cannot_be_had(set_up, monkeypatch):
    """It is slower, and goes where uv has no package."""
    on(monkeypatch, set_up, "linux")
    set_up.has_uv = False
    set_up.set_up()
    assert set_up.ran == ["venv", "torch by pip", "all by pip"]


def test_uv_is_told_what_pip_was_told(monkeypatch):
    """An index at work, or wheels on a disk: uv itself reads no settings of pip."""
    module = loaded_set_up()
    monkeypatch.setenv("PIP_INDEX_URL", "https://example.org/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels")
    monkeypatch.setattr(module, "PYTHON", sys.executable)
    told = module.settings_of_pip()
    assert (told["UV_DEFAULT_INDEX"], told["UV_FIND_LINKS"]) == ("https://example.org/simple", "/wheels")


@pytest.mark.parametrize(("platform", "nvidia"), [("linux", True), ("darwin", False), ("win32", False)])
def test_only_linux_without_nvidia_needs_another_torch(set_up, monkeypatch, platform, nvidia):
    """Elsewhere the ordinary one is right."""
    on(monkeypatch, set_up, platform, nvidia)
    set_up.set_up()
    assert set_up.ran == ["venv", "all"]


def test_the_tests_packages_come_with_the_tests(set_up, monkeypatch):
    """A learner does not download them; who has them has all that a learner needs."""
    on(monkeypatch, set_up, "darwin")
    set_up.set_up()
    set_up.set_up("test")
    set_up.set_up()
    assert set_up.ran == ["venv", "all", "all"]


def test_the_book_may_come_before_or_after_the_tests(set_up, monkeypatch):
    """The tests make the book too, and going back to the lessons takes nothing away."""
    on(monkeypatch, set_up, "darwin")
    set_up.set_up("book")
    set_up.set_up()
    assert set_up.ran == ["venv", "all"]
    set_up.set_up("test")
    set_up.set_up("book")
    assert set_up.ran == ["venv", "all", "all"]


def test_new_pins_are_installed_into_the_same_venv(set_up, monkeypatch):
    """After `git pull`."""
    on(monkeypatch, set_up, "darwin")
    set_up.set_up()
    set_up.PINS[1].write_text("numpy==2.9.9\n")
    set_up.ran.clear()
    set_up.set_up()
    assert set_up.ran == ["all"]


def test_an_interrupted_set_up_goes_on(set_up, monkeypatch):
    """No stamp, no trust."""
    on(monkeypatch, set_up, "darwin")
    set_up.VENV.mkdir()
    set_up.set_up()
    assert set_up.ran == ["all"]


@pytest.mark.skipif(sys.platform == "win32", reason="a venv has no links there")
@pytest.mark.slow
def test_a_venv_that_was_cut_off_is_made_again(tmp_path, monkeypatch):
    """What is left of it would lead pip into the Python that made it."""
    module = loaded_set_up()
    monkeypatch.setattr(module, "PYTHON", tmp_path / "bin" / "python")
    subprocess.run([sys.executable, "-m", "venv", tmp_path], check=True)
    assert module.version_in_venv() == sys.version_info[:2]
    (tmp_path / "pyvenv.cfg").unlink()
    assert module.version_in_venv() is None


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there that few have")
def test_a_link_to_the_venv_of_others_is_left_alone(set_up, monkeypatch, tmp_path_factory):
    """A new one would be made in its place, and take theirs away."""
    on(monkeypatch, set_up, "darwin")
    others = tmp_path_factory.mktemp("others")
    (others / "set_up.txt").write_text("/elsewhere\n")
    set_up.VENV.symlink_to(others)
    with pytest.raises(set_up.Problem, match=r"\.venv is a link"):
        set_up.set_up()
    assert set_up.ran == [] and (others / "set_up.txt").exists()


def test_a_moved_project_gets_a_new_venv(set_up, monkeypatch):
    """The scripts in the old one point to the old place."""
    on(monkeypatch, set_up, "darwin")
    set_up.set_up()
    set_up.STAMP.write_text(set_up.STAMP.read_text().replace(str(set_up.ROOT), "/elsewhere", 1))
    set_up.ran.clear()
    set_up.set_up()
    assert set_up.ran == ["venv", "all"]


@pytest.mark.parametrize("version", [(3, 8), (3, 10), (3, 15), (4, 0)])
def test_a_python_too_old_or_too_new_gets_one_sentence(set_up, version):
    """It says which ones will do."""
    with pytest.raises(set_up.Problem) as problem:
        set_up.check_version(version)
    assert re.fullmatch(r"The course needs Python 3\.\d+ to 3\.\d+, and this is [\d.]+: [^\n]+\.", str(problem.value))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disk is full"),
        ("WARNING: Retrying (...): Failed to establish a new connection: [Errno 111]\nERROR: No matching", "online"),
        ("Some warning\nERROR: Cannot install numpy==1 and numpy==2\n", "ERROR: Cannot install numpy==1"),
    ],
)
def test_trouble_is_told_in_one_sentence(set_up, said, told):
    """No traceback, and no wall of text."""
    sentence = set_up.why_not(said, "pip could not install the course")
    assert told in sentence and "\n" not in sentence


def test_a_missing_venv_module_names_the_package(set_up, monkeypatch):
    """Debian and Ubuntu leave it out of python3."""
    monkeypatch.setattr(set_up, "find_spec", lambda module: None)
    with pytest.raises(set_up.Problem, match=r"sudo apt install python3\.\d+-venv"):
        set_up.check_venv_module()


# The files that must agree


def name(requirement):
    """Requirements are spelled in many ways: torch>=2 -> torch, array_api_strict -> array-api-strict."""
    return re.match(r"[\w-]+", requirement)[0].lower().replace("_", "-")


def test_every_dependency_is_pinned():
    """constraints.txt holds them all, and in one version each."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [name(line) for line in lines if not line.startswith("#")]
    assert len(pinned) == len(set(pinned))
    assert {name(requirement) for requirement in NEEDED} <= set(pinned)


def test_conda_installs_the_same():
    """environment.yml asks for what pyproject.toml asks for, under conda's names."""
    conda_name = {"matplotlib": "matplotlib-base", "playwright": "playwright-python", "torch": "pytorch"}
    conda_name |= {"msgpack": "msgpack-python"}
    needed = [re.sub(r"\[.*]", "", need) for need in NEEDED]  # conda's packages have no extras
    wanted = {re.sub(r"^[\w-]+", lambda found: conda_name.get(found[0], found[0]), need) for need in needed}
    wanted |= {"python" + PROJECT["requires-python"], "pip", "-e."}
    found = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    found = [entry for entry in found if isinstance(entry, str)] + found[-1]["pip"]
    assert sorted(entry.replace(" ", "") for entry in found) == sorted(wanted)
